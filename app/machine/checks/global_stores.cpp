#include "machine/checks/global_stores.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <mutex>

#include "machine/state/bytes_text.h"

namespace gemmscope::machine {
namespace {

constexpr uint64_t bits_of(size_t bytes) { return bytes < 64 ? (uint64_t{1} << bytes) - 1 : ~uint64_t{0}; }

// Whether lane l stores its word at addresses[0] + 4 l.
bool side_by_side(const GlobalStores::Addresses& addresses) {
  uint64_t strays = 0;
  for (size_t l = 0; l < kWarpLanes; ++l) strays |= addresses[l] ^ (addresses[0] + 4 * l);
  return strays == 0;
}

}  // namespace

struct GlobalStores::Spare {
  static constexpr size_t kMost = 128;  // 13 MB
  std::mutex mutex;
  std::vector<Slab> slabs;

  static Spare& instance() {
    static Spare spare;
    return spare;
  }
  Slab take() {
    const std::lock_guard lock(mutex);
    if (slabs.empty()) return Slab(new Line[kSlabLines]);
    Slab slab = std::move(slabs.back());
    slabs.pop_back();
    return slab;
  }
  void give_back(std::vector<Slab>& used) {
    const std::lock_guard lock(mutex);
    for (Slab& slab : used)
      if (slabs.size() < kMost) slabs.push_back(std::move(slab));
  }
};

GlobalStores::~GlobalStores() { Spare::instance().give_back(slabs_); }

GlobalStores::GlobalStores(const GlobalMemory& memory) : used_(1) {
  for (const GlobalMemory::Buffer& buffer : memory.buffers())
    pieces_.push_back({buffer.address, buffer.bytes.size(), {}});
}

GlobalStores::Piece* GlobalStores::find(uint64_t address) {
  for (Piece& piece : pieces_)
    if (address - piece.address < piece.bytes) {
      if (piece.lines.empty()) piece.lines.resize((piece.bytes + kLineBytes - 1) / kLineBytes);
      return &piece;
    }
  return nullptr;
}

// This block's line at `offset`. Of those that stored to the same bytes, two lines are kept.
inline GlobalStores::Line& GlobalStores::touch(Piece& piece, uint64_t offset, uint32_t pc) {
  uint32_t& latest = piece.lines[offset / kLineBytes];
  if (latest != 0) {
    Line& known = line(latest);
    if (known.block == block_) {
      known.pc = pc;
      return known;
    }
  }
  uint32_t index = latest != 0 ? take_alike(line(latest)) : 0;
  if (index == 0) {
    if (used_ >= slabs_.size() * kSlabLines) slabs_.push_back(Spare::instance().take());
    index = static_cast<uint32_t>(used_++);
  }
  Line& fresh = line(index);
  fresh.stored = fresh.changed = fresh.shared = 0;
  fresh.block = block_;
  fresh.pc = pc;
  fresh.before = latest;
  meet_ = meet_ || latest != 0;
  latest = index;
  return fresh;
}

// Takes the line of an earlier block that stored to the same bytes as `later` out of the chain; 0: there is
// none.
uint32_t GlobalStores::take_alike(Line& later) {
  for (uint32_t* next = &later.before; *next != 0; next = &line(*next).before) {
    if (line(*next).stored != later.stored) continue;
    const uint32_t index = *next;
    tell_apart(line(index), later);
    *next = line(index).before;
    return index;
  }
  return 0;
}

// What `later` has in common with a line that is given up.
void GlobalStores::tell_apart(const Line& earlier, Line& later) {
  uint64_t differ = earlier.changed;
  for (uint64_t both = earlier.stored & later.stored; both != 0; both &= both - 1) {
    const auto i = static_cast<size_t>(std::countr_zero(both));
    if (earlier.values[i] != later.values[i]) differ |= uint64_t{1} << i;
  }
  later.shared |= earlier.shared | (earlier.stored & later.stored);
  later.changed |= differ;
}

// Bytes that this block may have stored to before.
void GlobalStores::put(Line& line, size_t at, const std::byte* bytes, size_t count) {
  for (size_t i = at; i < at + count; ++i) {
    const uint64_t bit = uint64_t{1} << i;
    if ((line.stored & bit) != 0 && line.values[i] != bytes[i - at]) line.changed |= bit;
    line.stored |= bit;
    line.values[i] = bytes[i - at];
  }
}

void GlobalStores::record_row(uint32_t pc, Piece& piece, uint64_t offset, const uint32_t* data) {
  constexpr size_t kRowBytes = sizeof(uint32_t) * kWarpLanes;
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  for (size_t done = 0; done < kRowBytes;) {
    const size_t at = (offset + done) % kLineBytes, count = std::min(kLineBytes - at, kRowBytes - done);
    Line& to = touch(piece, offset + done, pc);
    const uint64_t bits = bits_of(count) << at;
    if ((to.stored & bits) != 0) {
      put(to, at, bytes + done, count);
    } else {
      to.stored |= bits;
      std::memcpy(to.values.data() + at, bytes + done, count);
    }
    done += count;
  }
}

void GlobalStores::record(uint32_t pc, const Addresses& addresses, uint32_t active, uint32_t width,
                          const uint32_t* data) {
  Piece* piece = find(addresses[static_cast<size_t>(std::countr_zero(active))]);
  if (piece != nullptr && active == kAllLanes && width == 4 && side_by_side(addresses))
    return record_row(pc, *piece, addresses[0] - piece->address, data);
  const uint64_t access_bits = bits_of(width);
  LanePointers to;
  uint32_t unwritten = 0;  // lanes whose bytes are the first there, so that they need not be compared
  Line none{};
  Line* last = &none;
  uint64_t last_line = ~uint64_t{0}, stored = 0;  // stored: of the last line, while lanes stay in it
  for (; active != 0; active &= active - 1) {
    const auto l = static_cast<size_t>(std::countr_zero(active));
    if (piece == nullptr || addresses[l] - piece->address >= piece->bytes) {
      piece = find(addresses[l]);
      last_line = ~uint64_t{0};
      if (piece == nullptr) continue;
    }
    const uint64_t offset = addresses[l] - piece->address;
    const size_t at = offset % kLineBytes;
    if (offset / kLineBytes != last_line) {
      last->stored = stored;
      last = &touch(*piece, offset, pc);
      last_line = offset / kLineBytes;
      stored = last->stored;
    }
    const uint64_t bits = access_bits << at;
    if (width >= 4 && (stored & bits) == 0) {
      stored |= bits;
      to[l] = last->values.data() + at;
      unwritten |= 1u << l;
      continue;
    }
    if (unwritten != 0) write_words(data, to, width / 4, unwritten);
    unwritten = 0;
    std::array<uint32_t, 4> words{};
    for (size_t w = 0; w < (width + 3) / 4; ++w) words[w] = data[w * kWarpLanes + l];
    last->stored = stored;
    put(*last, at, reinterpret_cast<const std::byte*>(words.data()), width);
    stored = last->stored;
  }
  last->stored = stored;
  if (unwritten != 0) write_words(data, to, width / 4, unwritten);
}

// The lines of all threads at one place, if there are several; else few or none.
void GlobalStores::collect(std::vector<GlobalStores>& threads, size_t piece, size_t place,
                           std::vector<const Line*>& lines) {
  lines.clear();
  size_t here = 0;
  for (const GlobalStores& thread : threads) {
    const std::vector<uint32_t>& latest = thread.pieces_[piece].lines;
    if (!latest.empty() && latest[place] != 0) here += thread.meet_ ? 2 : 1;
  }
  if (here < 2) return;
  for (GlobalStores& thread : threads) {
    const std::vector<uint32_t>& latest = thread.pieces_[piece].lines;
    if (latest.empty()) continue;
    for (uint32_t index = latest[place]; index != 0; index = thread.line(index).before)
      lines.push_back(&thread.line(index));
  }
}

// The bytes of one line with several values, and the block that comes last to one of them.
struct GlobalStores::Conflict {
  uint64_t bytes = 0;
  const Line* last = nullptr;
  std::array<std::byte, kLineBytes> values{};

  // Ascending blocks.
  explicit Conflict(const std::vector<const Line*>& lines) {
    uint64_t stored = 0, shared = 0, changed = 0;
    for (const Line* line : lines) {
      for (uint64_t both = stored & line->stored; both != 0; both &= both - 1) {
        const auto i = static_cast<size_t>(std::countr_zero(both));
        if (values[i] != line->values[i]) changed |= uint64_t{1} << i;
      }
      shared |= line->shared | (stored & line->stored);
      changed |= line->changed;
      stored |= line->stored;
      for (size_t i = 0; i < kLineBytes; ++i)
        if ((line->stored >> i & 1u) != 0) values[i] = line->values[i];
    }
    bytes = shared & changed;
    for (const Line* line : lines)
      if ((line->stored & bytes) != 0) last = line;
  }
  uint64_t words() const {
    uint64_t count = 0;
    for (size_t i = 0; i < kLineBytes; i += 4) count += (bytes >> i & 0xfu) != 0;
    return count;
  }
};

void GlobalStores::compare(std::vector<GlobalStores>& threads, const std::array<uint32_t, 3>& grid,
                           GlobalMemory& memory, Findings& findings) {
  const bool keep_last =
      std::none_of(threads.begin(), threads.end(), [](const GlobalStores& t) { return t.not_all_recorded_; });
  if (threads.empty() || (threads.size() == 1 && !threads[0].meet_)) return;
  std::vector<const Line*> lines;
  for (size_t p = 0; p < memory.buffers().size(); ++p) {
    const GlobalMemory::Buffer& buffer = memory.buffers()[p];
    if (std::all_of(threads.begin(), threads.end(),
                    [p](const GlobalStores& t) { return t.pieces_[p].lines.empty(); }))
      continue;
    for (size_t place = 0; place * kLineBytes < buffer.bytes.size(); ++place) {
      collect(threads, p, place, lines);
      if (lines.size() < 2) continue;
      std::sort(lines.begin(), lines.end(), [](const Line* a, const Line* b) { return a->block < b->block; });
      const Conflict conflict(lines);
      if (conflict.bytes == 0) continue;
      const size_t first = place * kLineBytes + static_cast<size_t>(std::countr_zero(conflict.bytes));
      Finding finding;
      finding.kind = FindingKind::global_race;
      finding.instruction = conflict.last->pc;
      finding.block = block_at(conflict.last->block, grid);
      finding.address = buffer.address + first;
      finding.times = conflict.words();
      finding.what = fmt::format(
          "stores to the global address {:#x}, {} into {}, where another block stores a different "
          "value; "
          "which one stays depends on the order of the blocks",
          finding.address, bytes_text(first), buffer.name);
      findings.add(std::move(finding));
      if (!keep_last) continue;
      std::byte* const bytes = memory.find(buffer.address, 1)->bytes.data() + place * kLineBytes;
      for (uint64_t left = conflict.bytes; left != 0; left &= left - 1) {
        const auto i = static_cast<size_t>(std::countr_zero(left));
        bytes[i] = conflict.values[i];
      }
    }
  }
}

}  // namespace gemmscope::machine
