#include "sm/launch_trace.h"

#include <algorithm>
#include <bit>
#include <bitset>
#include <optional>

#include "metrics/counters.h"

namespace gemmscope::sm {
namespace {

using machine::Space;
using machine::TraceAccess;

uint64_t first_address(const TraceAccess& access) {
  return access.addresses[static_cast<size_t>(std::countr_zero(access.mask))];
}

// A warp's local memory is its own: 8192 words a lane.
uint32_t local_line(uint32_t block, uint32_t warp, uint64_t address) {
  constexpr uint32_t kWarps = 64, kWords = 8192;
  return kLocalLine +
         (((block * kWarps + warp) * kWords + static_cast<uint32_t>(address / 4)) & 0x3fff'ffffu);
}

uint16_t data_wavefronts(const TraceAccess& access) {
  metrics::SharedAccess shared = metrics::shared_access(access);
  shared.op =
      access.direction == machine::Direction::load ? metrics::SharedOp::load : metrics::SharedOp::store;
  shared.words = std::max(1, access.width_bytes / 4);
  return static_cast<uint16_t>(metrics::count_wavefronts(shared).wavefronts);
}

// Gives each phase of each barrier object of a block a number, and counts what arrives in it. Returns the
// numbers of the trace's uses.
std::vector<uint32_t> number_phases(const machine::Trace& trace, std::vector<uint16_t>& parts) {
  using Kind = machine::ObjectUse::Kind;
  std::map<uint32_t, uint32_t> lives;  // by object: how often it was initialised
  std::map<std::array<uint32_t, 3>, uint32_t> numbers;
  std::vector<uint32_t> result;
  for (size_t i = 0; i < trace.object_uses.size(); ++i) {
    const machine::TracedObjectUse& use = trace.object_uses[i];
    if (use.kind == Kind::initialise) ++lives[use.address];
    const auto [phase, is_new] = numbers.try_emplace({use.address, lives[use.address], use.phase},
                                                     static_cast<uint32_t>(parts.size()));
    if (is_new) parts.push_back(0);
    result.push_back(phase->second);
    const bool arrives = use.kind == Kind::arrive || use.kind == Kind::copy;
    // Several lanes of an instruction count as one.
    const bool same = i > 0 && trace.object_uses[i - 1].record == use.record && result[i - 1] == result[i];
    if (arrives && !same) ++parts[phase->second];
  }
  return result;
}

void add_shared(const TraceAccess& access, AccessShape& shape) {
  const metrics::BankCount count = metrics::count_wavefronts(metrics::shared_access(access));
  shape.shared_wavefronts = static_cast<uint16_t>(count.wavefronts);
  shape.shared_excess = static_cast<uint16_t>(count.excess());
}

LineTouch touch_of(int32_t line, const std::bitset<metrics::kLineBytes>& bytes) {
  LineTouch touch{line, 0, false};
  for (size_t sector = 0; sector < metrics::kLineBytes / metrics::kSectorBytes; ++sector) {
    size_t count = 0;
    for (size_t at = 0; at < metrics::kSectorBytes; ++at) count += bytes[sector * metrics::kSectorBytes + at];
    if (count == 0) continue;
    touch.sectors |= static_cast<uint8_t>(1 << sector);
    touch.in_part |= count < metrics::kSectorBytes;
  }
  return touch;
}

}  // namespace

double LaunchTrace::footprint_bytes() const {
  double bytes = 0;
  for (const BufferUse& buffer : buffers) bytes += buffer.bytes;
  return bytes;
}

bool LaunchTrace::uses_tensor_cores() const {
  return std::ranges::any_of(
      code, [](const TimedInstruction& instruction) { return instruction.unit == Unit::tensor; });
}

uint64_t LaunchTrace::instructions() const {
  uint64_t count = 0;
  for (const BlockTrace& block : blocks)
    for (const auto& warp : block.warps) count += warp.size();
  return count;
}

double LaunchTrace::shared_excess() const {
  uint64_t excess = 0;
  for (const BlockTrace& block : blocks)
    for (const auto& warp : block.warps)
      for (const IssuedInstruction& issued : warp) excess += shapes[issued.shape].shared_excess;
  return blocks.empty() ? 0 : static_cast<double>(excess) / static_cast<double>(blocks.size());
}

void LaunchTraceBuilder::add_global(const TraceAccess& access, AccessShape& shape) {
  const auto first_line = static_cast<int64_t>(first_address(access) / metrics::kLineBytes);
  std::map<int32_t, std::bitset<metrics::kLineBytes>> touched;
  for (size_t lane = 0; lane < machine::kWarpLanes; ++lane) {
    if (((access.mask >> lane) & 1) == 0) continue;
    for (uint64_t at = access.addresses[lane]; at < access.addresses[lane] + access.width_bytes; ++at)
      touched[static_cast<int32_t>(static_cast<int64_t>(at / metrics::kLineBytes) - first_line)].set(
          at % metrics::kLineBytes);
  }
  shape.first_line = static_cast<uint32_t>(launch_.lines.size());
  shape.lines = static_cast<uint16_t>(touched.size());
  // A load returns a word of 32 lanes a cycle, also where lanes read the same one (hits.txt: 4.06 cycles for
  // 128 bits from one address).
  const auto words = static_cast<uint16_t>(std::max(1, access.width_bytes / 4));
  shape.data_wavefronts = std::max(data_wavefronts(access), words);
  for (const auto& [line, bytes] : touched) launch_.lines.push_back(touch_of(line, bytes));
}

// The same word of the 32 lanes is one line.
void LaunchTraceBuilder::add_local(const TraceAccess& access, AccessShape& shape) {
  const int words = std::max(1, access.width_bytes / 4);
  shape.first_line = static_cast<uint32_t>(launch_.lines.size());
  shape.lines = shape.data_wavefronts = static_cast<uint16_t>(words);
  for (int w = 0; w < words; ++w) launch_.lines.push_back({w, 15});
}

// An asynchronous copy past L1 fetches each pair of a line of global memory and a line of shared memory by
// itself, and each pair of sectors: one whose halves go to two sectors of shared memory is fetched twice
// (ncu_h200_stalls.csv, the padded tiles of LAYOUT=1: 1.33 times the bytes in step 14, 1.5 in step 15).
void LaunchTraceBuilder::add_copy(const TraceAccess& from, const TraceAccess& to, AccessShape& shape) {
  const auto first_line = static_cast<int64_t>(first_address(from) / metrics::kLineBytes);
  std::map<uint64_t, std::vector<uint64_t>> targets;  // of each sector
  std::map<std::pair<int32_t, std::pair<uint64_t, size_t>>, uint8_t> passes;
  for (size_t lane = 0; lane < machine::kWarpLanes; ++lane) {
    if ((((from.mask & to.mask) >> lane) & 1) == 0) continue;
    const auto line = static_cast<int64_t>(from.addresses[lane] / metrics::kLineBytes) - first_line;
    auto& sectors = targets[from.addresses[lane] / metrics::kSectorBytes];
    const uint64_t target = to.addresses[lane] / metrics::kSectorBytes;
    const auto place = std::ranges::find(sectors, target);
    const auto time = static_cast<size_t>(place - sectors.begin());
    if (place == sectors.end()) sectors.push_back(target);
    passes[{static_cast<int32_t>(line), {to.addresses[lane] / metrics::kLineBytes, time}}] |=
        static_cast<uint8_t>(1 << (from.addresses[lane] / metrics::kSectorBytes % 4));
  }
  shape.past_l1 = true;
  shape.first_line = static_cast<uint32_t>(launch_.lines.size());
  shape.lines = static_cast<uint16_t>(passes.size());
  for (const auto& [lines, sectors] : passes) launch_.lines.push_back({lines.first, sectors});
}

// A bulk copy comes row by row, past L1; its rows in shared memory take the data stage.
void LaunchTraceBuilder::add_bulk_copy(std::span<const TraceAccess> accesses, uint32_t phase,
                                       IssuedInstruction& issued) {
  AccessShape shape;
  shape.past_l1 = true;
  shape.phase = phase;
  shape.first_line = static_cast<uint32_t>(launch_.lines.size());
  std::optional<int64_t> first;
  int pieces = 0;
  for (const TraceAccess& access : accesses) {
    if (access.space == Space::shared) pieces += std::popcount(access.mask);
    if (access.space != Space::global) continue;
    for (size_t lane = 0; lane < machine::kWarpLanes; ++lane) {
      if (((access.mask >> lane) & 1) == 0) continue;
      const auto line = static_cast<int64_t>(access.addresses[lane] / metrics::kLineBytes);
      if (!first) first = line;
      const LineTouch touch{static_cast<int32_t>(line - *first),
                            static_cast<uint8_t>(1 << (access.addresses[lane] / metrics::kSectorBytes % 4))};
      const bool same_line =
          launch_.lines.size() > shape.first_line && launch_.lines.back().line == touch.line;
      if (same_line)
        launch_.lines.back().sectors |= touch.sectors;
      else
        launch_.lines.push_back(touch);
    }
  }
  constexpr int kPiecesPerRow = 8;
  shape.shared_wavefronts = static_cast<uint16_t>((pieces + kPiecesPerRow - 1) / kPiecesPerRow);
  shape.lines = static_cast<uint16_t>(launch_.lines.size() - shape.first_line);
  if (first) issued.line = static_cast<uint32_t>(static_cast<uint64_t>(*first) - launch_.base_line);
  issued.shape = static_cast<uint32_t>(launch_.shapes.size());
  launch_.shapes.push_back(shape);
}

uint32_t LaunchTraceBuilder::shape_of(const ShapeKey& key, std::span<const TraceAccess> accesses) {
  auto& last = last_[key.instruction];
  if (last.first == key) return last.second;
  const auto [found, is_new] = shapes_.try_emplace(key, static_cast<uint32_t>(launch_.shapes.size()));
  last = *found;
  if (!is_new) return found->second;
  AccessShape shape;
  for (const TraceAccess& access : accesses) {
    if (access.mask == 0) continue;
    if (access.space == Space::shared)
      add_shared(access, shape);
    else if (access.space == Space::global && access.path != machine::Path::bypass_copy)
      add_global(access, shape);
    else if (access.space == Space::local)
      add_local(access, shape);
  }
  if (accesses.size() == 2 && accesses[0].path == machine::Path::bypass_copy && accesses[0].mask != 0)
    add_copy(accesses[0], accesses[1], shape);
  launch_.shapes.push_back(shape);
  return found->second;
}

void LaunchTraceBuilder::count_lines(const IssuedInstruction& issued) {
  const TimedInstruction& instruction = launch_.code[issued.instruction];
  const bool loads = instruction.loads_global();
  if (issued.shape == 0 || !(loads || instruction.memory == MemoryOp::store_global)) return;
  const auto used = std::ranges::find_if(launch_.buffers,
                                         [&](const BufferUse& buffer) { return buffer.holds(issued.line); });
  if (used == launch_.buffers.end()) return;
  if (!loads) {
    used->stored = true;
    return;
  }
  const AccessShape& shape = launch_.shapes[issued.shape];
  LineCounter& counter = loaded_lines_[static_cast<size_t>(used - launch_.buffers.begin())];
  for (uint32_t k = 0; k < shape.lines; ++k)
    counter.add(issued.line + static_cast<uint32_t>(launch_.lines[shape.first_line + k].line));
}

void LaunchTraceBuilder::finish() {
  const auto here = static_cast<double>(std::max<size_t>(1, launch_.blocks.size()));
  for (size_t b = 0; b < loaded_lines_.size(); ++b) {
    BufferUse& buffer = launch_.buffers[b];
    const double a_block = static_cast<double>(loaded_lines_[b].of_blocks()) / here;
    buffer.readers = a_block * static_cast<double>(launch_.block_count()) /
                     std::max(1.0, static_cast<double>(buffer.end_line - buffer.first_line));
  }
}

void LaunchTraceBuilder::add_accesses(std::span<const TraceAccess> accesses, uint32_t warp,
                                      IssuedInstruction& issued) {
  ShapeKey key;
  key.instruction = issued.instruction;
  for (const TraceAccess& access : accesses) {
    if (access.mask == 0) continue;
    const uint64_t address = first_address(access);
    if (access.space == Space::shared) {
      key.shared_distances = &access.addresses.distances();
      key.shared_mask = access.mask;
      key.shared_offset = static_cast<uint16_t>(address % metrics::kLineBytes);
      continue;
    }
    if (access.space == Space::local) {
      issued.line = local_line(static_cast<uint32_t>(launch_.blocks.size()), warp, address);
      for (uint32_t w = 0; w < std::max<uint32_t>(1, access.width_bytes / 4); ++w)
        local_lines_.insert(issued.line + w);
    } else {
      issued.line = static_cast<uint32_t>(address / metrics::kLineBytes - launch_.base_line);
    }
    key.distances = &access.addresses.distances();
    key.mask = access.mask;
    key.offset = static_cast<uint16_t>(address % metrics::kLineBytes);
  }
  if (key.mask != 0 || key.shared_mask != 0) issued.shape = shape_of(key, accesses);
}

void LaunchTraceBuilder::add(const machine::Trace& trace) {
  shapes_.clear();
  last_.assign(launch_.code.size(), {});
  if (launch_.blocks.empty())
    for (const BufferUse& buffer : launch_.buffers)
      loaded_lines_.emplace_back(buffer.first_line, buffer.end_line);
  BlockTrace block;
  block.block = trace.block;
  block.warps.resize(trace.warp_count);
  const std::vector<uint32_t> phases = number_phases(trace, block.phase_parts);
  size_t use = 0;  // the next one of the trace's uses of barrier objects
  for (const machine::TraceRecord& record : trace.records) {
    IssuedInstruction issued;
    issued.instruction = record.instruction;
    const auto index = static_cast<size_t>(&record - trace.records.data());
    uint32_t phase = kNoPhase;
    for (; use < phases.size() && trace.object_uses[use].record <= index; ++use) phase = phases[use];
    issued.pass = record.k_tile;
    issued.lanes = static_cast<uint16_t>(std::popcount(record.executed));
    const Special special = launch_.code[record.instruction].special;
    if (special == Special::object_arrive || special == Special::object_wait)
      issued.line = phase;
    else if (special == Special::bulk_copy)
      add_bulk_copy(trace.accesses_of(record), phase, issued);
    else
      add_accesses(trace.accesses_of(record), record.warp, issued);
    count_lines(issued);
    block.warps[record.warp].push_back(issued);
  }
  for (auto& warp : block.warps) warp.shrink_to_fit();  // traces are kept
  for (LineCounter& counter : loaded_lines_) counter.end_block();
  launch_.blocks.push_back(std::move(block));
  launch_.local_lines = static_cast<double>(local_lines_.size()) / static_cast<double>(launch_.blocks.size());
}

}  // namespace gemmscope::sm
