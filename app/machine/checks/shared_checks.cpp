#include "machine/checks/shared_checks.h"

#include <algorithm>
#include <bit>

namespace gemmscope::machine {
namespace {

constexpr uint16_t kAtomics = 0xffff;  // as a writer, stands for atomics, which do not race with each other
constexpr uint32_t kLastStamp = 255;

// Gives the value of a row that holds a constant; false if it does not.
bool constant_of(const Program& program, Row row, uint32_t& value) {
  value = 0;
  if (row == kZeroRow) return true;
  if (row < kConstantRow || row - kConstantRow >= static_cast<int>(program.constants.size())) return false;
  value = program.constants[static_cast<size_t>(row - kConstantRow)][0];
  return true;
}

// Whether a barrier instruction always waits for the whole block.
bool is_block_wide(const Program& program, const MicroOp& op) {
  uint32_t id = 0, count = 0;
  const bool arrives_only = (op.flags & kWide) != 0;
  return !arrives_only && constant_of(program, op.source[0], id) &&
         constant_of(program, op.source[1], count) &&
         (count == 0 || count >= program.launch.threads_per_block());
}

}  // namespace

// Calls f(chunk, words) for each chunk that [first, end) touches, with the number of its words in that range.
template <typename F>
void SharedChecks::for_chunks(size_t first, size_t end, F f) {
  while (first < end) {
    const size_t next = std::min(end, (first / kChunk + 1) * kChunk);
    f(first / kChunk, static_cast<uint32_t>(next - first));
    first = next;
  }
}

bool needs_recorder(const Program& program) {
  return std::any_of(program.ops.begin(), program.ops.end(), [&](const MicroOp& op) {
    if (op.action == Action::block_barrier) return !is_block_wide(program, op);
    if (op.action == Action::object_test) return true;
    return op.action == Action::store_shared && op.width_bytes < 4;
  });
}

SharedChecks::SharedChecks(const Program& program)
    : warps_((program.launch.threads_per_block() + kWarpLanes - 1) / kWarpLanes),
      words_((program.shared_bytes + 4 * kChunk - 1) / (4 * kChunk) * kChunk),
      reads_(warps_ * words_),
      flags_(words_),
      writers_(words_),
      dirty_(words_ / kChunk),
      copying_(words_ / kChunk),
      copies_(warps_) {}

void SharedChecks::start() {
  suspicious_ = false;
  stamp_ = 1;
  std::fill(reads_.begin(), reads_.end(), uint8_t{0});
  std::fill(flags_.begin(), flags_.end(), kUninitialised);
  std::fill(dirty_.begin(), dirty_.end(), uint8_t{0});
  std::fill(copying_.begin(), copying_.end(), 0u);
  for (Copies& copies : copies_) copies = {};
}

void SharedChecks::suspect(FindingKind kind, uint32_t pc, size_t word, int warp) {
  if (suspicious_) return;
  suspicious_ = true;
  suspicion_ = {kind, pc, 4 * word, warp};
}

bool SharedChecks::any_read(size_t word) const {
  for (uint32_t v = 0; v < warps_; ++v)
    if (reads_[v * words_ + word] != 0) return true;
  return false;
}

void SharedChecks::write_word(uint16_t writer, uint32_t pc, size_t word, int warp) {
  const uint8_t flags = flags_[word];
  const bool by_another = writer == kAtomics || writers_[word] == kAtomics
                              ? writer != writers_[word]
                              : writer / kWarpLanes != writers_[word] / kWarpLanes;
  if (((flags & kWritten) != 0 && by_another) || (flags & kCopying) != 0)
    suspect(FindingKind::shared_race, pc, word, warp);
  if ((flags & kUninitialised) != 0 && any_read(word))
    suspect(FindingKind::uninitialised_shared, pc, word, warp);
  flags_[word] = static_cast<uint8_t>((flags & ~kUninitialised) | kWritten);
  writers_[word] = writer;
  dirty_[word / kChunk] = 1;
}

// Handles the common store: 32 words, pairs or quads, all initialised and none written since the last
// barrier. `Flags` and `Writers` hold those of one lane. False, and nothing done, for any other store.
template <typename Flags, typename Writers, typename Places>
bool SharedChecks::store_words(uint32_t warp, const Places& places) {
  // Local pointers: for all the compiler knows, a store of bytes could change those inside the vectors.
  uint8_t* const flags_of = flags_.data();
  uint16_t* const writers_of = writers_.data();
  uint8_t* const dirty_of = dirty_.data();
  Flags any = 0;
#pragma GCC unroll 8
  for (size_t l = 0; l < kWarpLanes; ++l) {
    Flags flags;
    std::memcpy(&flags, flags_of + places[l] / 4, sizeof flags);
    any |= flags;
  }
  if (any != 0) return false;
  const Flags written = static_cast<Flags>(static_cast<Flags>(~Flags{0}) / 0xff * kWritten);
  constexpr Writers kOnes = static_cast<Writers>(static_cast<Writers>(~Writers{0}) / 0xffff);
  Writers writer = static_cast<Writers>(kOnes * static_cast<Writers>(warp * kWarpLanes));
#pragma GCC unroll 8
  for (size_t l = 0; l < kWarpLanes; ++l) {
    const size_t word = places[l] / 4;
    std::memcpy(flags_of + word, &written, sizeof written);
    std::memcpy(writers_of + word, &writer, sizeof writer);
    dirty_of[word / kChunk] = 1;
    writer = static_cast<Writers>(writer + kOnes);
  }
  return true;
}

template <typename Places>
bool SharedChecks::store_fast(uint32_t warp, const Places& places, uint32_t width) {
  return width == 16  ? store_words<uint32_t, uint64_t>(warp, places)
         : width == 8 ? store_words<uint16_t, uint32_t>(warp, places)
                      : store_words<uint8_t, uint16_t>(warp, places);
}

template <typename Places>
void SharedChecks::store_lanes(uint32_t warp, uint32_t pc, const Places& places, uint32_t active,
                               uint32_t width) {
  for (; active != 0; active &= active - 1) {
    const auto l = static_cast<size_t>(std::countr_zero(active));
    for (size_t word = places[l] / 4; word < (places[l] + width + 3) / 4; ++word)
      write_word(static_cast<uint16_t>(warp * kWarpLanes + l), pc, word, static_cast<int>(warp));
  }
}

// Does what store_words does, for 32 consecutive words.
bool SharedChecks::store_row(uint32_t warp, size_t first_word) {
  uint8_t* const flags = flags_.data() + first_word;
  uint16_t* const writers = writers_.data() + first_word;
  uint8_t any = 0;
  for (size_t l = 0; l < kWarpLanes; ++l) any |= flags[l];
  if (any != 0) return false;
  std::memset(flags, kWritten, kWarpLanes);
  for (size_t l = 0; l < kWarpLanes; ++l) writers[l] = static_cast<uint16_t>(warp * kWarpLanes + l);
  dirty_[first_word / kChunk] = dirty_[(first_word + kWarpLanes - 1) / kChunk] = 1;
  return true;
}

void SharedChecks::store(uint32_t warp, uint32_t pc, const LanePlaces& places, uint32_t width) {
  if (width == 4 && places.pattern == LanePattern::consecutive && store_row(warp, places.first / 4)) return;
  if (!store_fast(warp, places, width)) store_lanes(warp, pc, places, kAllLanes, width);
}

bool SharedChecks::store(uint32_t warp, uint32_t pc, const Addresses& addresses, uint32_t active,
                         uint32_t width) {
  const auto first_writer = static_cast<uint16_t>(warp * kWarpLanes);
  const bool fast = active == kAllLanes && store_fast(warp, addresses, width);
  if (!fast) store_lanes(warp, pc, addresses, active, width);
  // A lane that is no longer the writer of its word shares the word with another lane.
  const uint16_t* const writers_of = writers_.data();
  uint32_t replaced = 0;
  if (fast) {
#pragma GCC unroll 8
    for (uint32_t l = 0; l < kWarpLanes; ++l) replaced |= writers_of[addresses[l] / 4] ^ (first_writer + l);
    return replaced != 0;
  }
  for (uint32_t l = 0; l < kWarpLanes; ++l)
    replaced |= (active >> l & 1u) != 0 ? writers_of[addresses[l] / 4] ^ (first_writer + l) : 0;
  return replaced != 0;
}

void SharedChecks::atomic(uint32_t warp, uint32_t pc, const Addresses& addresses, uint32_t width) {
  for (const uint64_t a : addresses)
    for (size_t word = a / 4; word < (a + width + 3) / 4; ++word) {
      if ((flags_[word] & kUninitialised) != 0)
        suspect(FindingKind::uninitialised_shared, pc, word, static_cast<int>(warp));
      write_word(kAtomics, pc, word, static_cast<int>(warp));
    }
}

// Lanes mostly copy to consecutive places, which are handled as one piece.
void SharedChecks::copy(uint32_t warp, uint32_t pc, const Addresses& addresses, uint32_t active,
                        uint32_t width) {
  size_t first = 0, end = 0;
  for (; active != 0; active &= active - 1) {
    const size_t word = addresses[static_cast<size_t>(std::countr_zero(active))] / 4;
    if (word != end) {
      copy_piece(warp, pc, first, end);
      first = word;
    }
    end = word + width / 4;
  }
  copy_piece(warp, pc, first, end);
}

void SharedChecks::copy_piece(uint32_t warp, uint32_t pc, size_t first, size_t end) {
  if (first == end) return;
  copies_[warp].add(static_cast<uint32_t>(first), static_cast<uint32_t>(end - first));
  const auto writer = static_cast<uint16_t>(warp * kWarpLanes);
  uint8_t any = 0;
  for (size_t word = first; word < end; ++word) any |= flags_[word];
  if (any != 0) {
    for (size_t word = first; word < end; ++word) copy_word(writer, pc, word);
    return;
  }
  std::memset(flags_.data() + first, kWritten | kCopying, end - first);
  std::fill(writers_.data() + first, writers_.data() + end, writer);
  for_chunks(first, end, [this](size_t chunk, uint32_t words) {
    dirty_[chunk] = 1;
    copying_[chunk] += words;
  });
}

void SharedChecks::copy_word(uint16_t writer, uint32_t pc, size_t word) {
  write_word(writer, pc, word, static_cast<int>(writer / kWarpLanes));
  copying_[word / kChunk] += (flags_[word] & kCopying) == 0 ? 1 : 0;
  flags_[word] |= kCopying;
}

void SharedChecks::Copies::add(uint32_t first_word, uint32_t words) {
  if (!pending.empty() && pending.back().group == groups &&
      pending.back().first_word + pending.back().words == first_word) {
    pending.back().words += words;
  } else {
    pending.push_back({first_word, words, groups});
  }
}

void SharedChecks::wait(uint32_t warp, uint32_t pc, uint32_t left) {
  Copies& copies = copies_[warp];
  const auto in_flight = std::find_if(copies.pending.begin(), copies.pending.end(),
                                      [&](const Copy& copy) { return copy.group + left >= copies.groups; });
  for (auto copy = copies.pending.begin(); copy != in_flight; ++copy)
    if (!end_copy(warp, *copy)) end_copy_of_words(warp, pc, *copy);
  copies.pending.erase(copies.pending.begin(), in_flight);
}

// Handles the common end of a copy: this warp has read none of its words meanwhile, and no other copy has
// ended for one of them. False, and nothing done, otherwise.
bool SharedChecks::end_copy(uint32_t warp, const Copy& copy) {
  const size_t first = copy.first_word, end = first + copy.words;
  const uint8_t* const own_reads = reads_.data() + warp * words_;
  const uint8_t* const flags = flags_.data();
  const auto stamp = static_cast<uint8_t>(stamp_);
  uint8_t read = 0, copying = kCopying;
  for (size_t word = first; word < end; ++word) {
    read |= static_cast<uint8_t>(own_reads[word] == stamp ? 1 : 0);
    copying &= flags[word];
  }
  if (read != 0 || copying == 0) return false;
  std::memset(flags_.data() + first, kWritten, end - first);
  std::fill(writers_.data() + first, writers_.data() + end, static_cast<uint16_t>(warp * kWarpLanes));
  for_chunks(first, end, [this](size_t chunk, uint32_t words) {
    dirty_[chunk] = 1;
    copying_[chunk] -= words;
  });
  return true;
}

void SharedChecks::end_copy_of_words(uint32_t warp, uint32_t pc, const Copy& copy) {
  const uint8_t* const own_reads = reads_.data() + warp * words_;
  for (size_t word = copy.first_word; word < copy.first_word + copy.words; ++word) {
    if (own_reads[word] == stamp_) suspect(FindingKind::shared_race, pc, word, static_cast<int>(warp));
    copying_[word / kChunk] -= (flags_[word] & kCopying) != 0 ? 1 : 0;
    flags_[word] = kWritten;
    writers_[word] = static_cast<uint16_t>(warp * kWarpLanes);
    dirty_[word / kChunk] = 1;
  }
}

void SharedChecks::release(uint32_t pc) {
  for (size_t chunk = 0; chunk < dirty_.size(); ++chunk) {
    if (dirty_[chunk] == 0 && copying_[chunk] == 0) continue;
    if (!suspicious_) check_chunk(chunk, pc);
    dirty_[chunk] = 0;
    uint8_t* const flags = flags_.data() + chunk * kChunk;
    for (size_t i = 0; i < kChunk; ++i) flags[i] &= static_cast<uint8_t>(~kWritten);
  }
  if (++stamp_ <= kLastStamp) return;
  check_never_written();
  stamp_ = 1;
  std::fill(reads_.begin(), reads_.end(), uint8_t{0});
}

// Most chunks that were written were not read. Plain loops over bytes find that out, as vector code.
void SharedChecks::check_chunk(size_t chunk, uint32_t pc) {
  const size_t first = chunk * kChunk;
  const auto stamp = static_cast<uint8_t>(stamp_);
  std::array<uint8_t, kChunk> read{};
  for (uint32_t v = 0; v < warps_; ++v) {
    const uint8_t* const stamps = reads_.data() + v * words_ + first;
    for (size_t i = 0; i < kChunk; ++i) read[i] |= static_cast<uint8_t>(stamps[i] == stamp ? 0xff : 0);
  }
  uint8_t any = 0;
  for (size_t i = 0; i < kChunk; ++i)
    any |= static_cast<uint8_t>(read[i] & flags_[first + i] & (kWritten | kCopying));
  if (any != 0) check_words(first, pc);
}

// A warp may read what it wrote itself, except words that its copies have not written yet.
void SharedChecks::check_words(size_t first, uint32_t pc) {
  for (size_t word = first; word < first + kChunk; ++word) {
    const uint8_t flags = flags_[word];
    if ((flags & (kWritten | kCopying)) == 0) continue;
    for (uint32_t v = 0; v < warps_; ++v)
      if (reads_[v * words_ + word] == stamp_ &&
          (writers_[word] / kWarpLanes != v || (flags & kCopying) != 0))
        suspect(FindingKind::shared_race, pc, word, static_cast<int>(v));
  }
}

void SharedChecks::check_never_written() {
  for (size_t first = 0; first < words_ && !suspicious_; first += kChunk) {
    const uint8_t* const flags = flags_.data() + first;
    if (std::none_of(flags, flags + kChunk, [](uint8_t f) { return (f & kUninitialised) != 0; })) continue;
    for (uint32_t v = 0; v < warps_; ++v) {
      const uint8_t* const stamps = reads_.data() + v * words_ + first;
      uint8_t read = 0;
      for (size_t i = 0; i < kChunk; ++i)
        read |= static_cast<uint8_t>((flags[i] & kUninitialised) != 0 ? stamps[i] : 0);
      if (read == 0) continue;
      for (size_t i = 0; i < kChunk; ++i)
        if ((flags[i] & kUninitialised) != 0 && stamps[i] != 0)
          suspect(FindingKind::uninitialised_shared, 0, first + i, static_cast<int>(v));
    }
  }
}

void SharedChecks::finish() {
  release(0);
  check_never_written();
}

}  // namespace gemmscope::machine
