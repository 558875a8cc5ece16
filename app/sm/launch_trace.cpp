#include "sm/launch_trace.h"

#include <bit>
#include <set>

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

void add_shared(const TraceAccess& access, AccessShape& shape) {
  const metrics::BankCount count = metrics::count_wavefronts(metrics::shared_access(access));
  shape.shared_wavefronts = static_cast<uint16_t>(count.wavefronts);
  shape.shared_excess = static_cast<uint16_t>(count.excess());
}

}  // namespace

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
  std::map<int32_t, uint8_t> touched;
  for (size_t lane = 0; lane < machine::kWarpLanes; ++lane) {
    if (((access.mask >> lane) & 1) == 0) continue;
    const uint64_t begin = access.addresses[lane];
    for (uint64_t sector = begin / metrics::kSectorBytes;
         sector <= (begin + access.width_bytes - 1) / metrics::kSectorBytes; ++sector)
      touched[static_cast<int32_t>(static_cast<int64_t>(sector / 4) - first_line)] |=
          static_cast<uint8_t>(1 << (sector % 4));
  }
  shape.first_line = static_cast<uint32_t>(launch_.lines.size());
  shape.lines = static_cast<uint16_t>(touched.size());
  shape.data_wavefronts = data_wavefronts(access);
  for (const auto& [line, sectors] : touched) launch_.lines.push_back({line, sectors});
}

// The same word of the 32 lanes is one line.
void LaunchTraceBuilder::add_local(const TraceAccess& access, AccessShape& shape) {
  const int words = std::max(1, access.width_bytes / 4);
  shape.first_line = static_cast<uint32_t>(launch_.lines.size());
  shape.lines = shape.data_wavefronts = static_cast<uint16_t>(words);
  for (int w = 0; w < words; ++w) launch_.lines.push_back({w, 15});
}

// An asynchronous copy past L1 writes each pair of a line of global memory and a line of shared memory in a
// pass of its own: a row of a padded tile straddles two lines.
static uint16_t copy_passes(const TraceAccess& from, const TraceAccess& to) {
  std::set<std::pair<uint64_t, uint64_t>> pairs;
  for (size_t lane = 0; lane < machine::kWarpLanes; ++lane)
    if (((to.mask >> lane) & 1) != 0)
      pairs.emplace((from.mask >> lane & 1) != 0 ? from.addresses[lane] / metrics::kLineBytes : 0,
                    to.addresses[lane] / metrics::kLineBytes);
  return static_cast<uint16_t>(pairs.size());
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
    else if (access.space == Space::global)
      add_global(access, shape);
    else
      add_local(access, shape);
  }
  if (accesses.size() == 2 && accesses[0].path == machine::Path::bypass_copy)
    shape.copy_passes = copy_passes(accesses[0], accesses[1]);
  launch_.shapes.push_back(shape);
  return found->second;
}

void LaunchTraceBuilder::count_loads(const IssuedInstruction& issued) {
  const MemoryOp memory = launch_.code[issued.instruction].memory;
  if (issued.shape == 0 || (memory != MemoryOp::load_global && memory != MemoryOp::async_copy)) return;
  const AccessShape& shape = launch_.shapes[issued.shape];
  for (uint32_t k = 0; k < shape.lines; ++k)
    loaded_lines_.insert(issued.line + static_cast<uint32_t>(launch_.lines[shape.first_line + k].line));
}

void LaunchTraceBuilder::add(const machine::Trace& trace) {
  const uint32_t ordinal = static_cast<uint32_t>(launch_.blocks.size());
  shapes_.clear();
  last_.assign(launch_.code.size(), {});
  loaded_lines_.clear();
  BlockTrace block;
  block.block = trace.block;
  block.warps.resize(trace.warp_count);
  for (const machine::TraceRecord& record : trace.records) {
    IssuedInstruction issued;
    issued.instruction = record.instruction;
    issued.pass = record.k_tile;
    issued.lanes = static_cast<uint16_t>(std::popcount(record.executed));
    ShapeKey key;
    key.instruction = record.instruction;
    for (const TraceAccess& access : trace.accesses_of(record)) {
      if (access.mask == 0) continue;
      const uint64_t address = first_address(access);
      if (access.space == Space::shared) {
        key.shared_distances = &access.addresses.distances();
        key.shared_mask = access.mask;
        key.shared_offset = static_cast<uint16_t>(address % metrics::kLineBytes);
        continue;
      }
      if (access.space == Space::local) {
        issued.line = local_line(ordinal, record.warp, address);
        for (uint32_t w = 0; w < std::max<uint32_t>(1, access.width_bytes / 4); ++w)
          local_lines_.insert(issued.line + w);
      } else {
        issued.line = static_cast<uint32_t>(address / metrics::kLineBytes - launch_.base_line);
      }
      key.distances = &access.addresses.distances();
      key.mask = access.mask;
      key.offset = static_cast<uint16_t>(address % metrics::kLineBytes);
    }
    if (key.mask != 0 || key.shared_mask != 0) issued.shape = shape_of(key, trace.accesses_of(record));
    count_loads(issued);
    block.warps[record.warp].push_back(issued);
  }
  const auto before = static_cast<double>(launch_.blocks.size());
  launch_.loaded_lines =
      (launch_.loaded_lines * before + static_cast<double>(loaded_lines_.size())) / (before + 1);
  launch_.blocks.push_back(std::move(block));
  launch_.local_lines = static_cast<double>(local_lines_.size()) / static_cast<double>(launch_.blocks.size());
}

}  // namespace gemmscope::sm
