#include "metrics/occupancy.h"

#include <algorithm>

#include "machine/state/row_file.h"

namespace gemmscope::metrics {
namespace {

constexpr SmLimits kSms[] = {
    {10, 768, 24, 8, 512, 8192, 8192, 124, 256, true, 2, 16384, 16384, 512, 0, 0},
    {11, 768, 24, 8, 512, 8192, 8192, 124, 256, true, 2, 16384, 16384, 512, 0, 0},
    {12, 1024, 32, 8, 512, 16384, 16384, 124, 512, true, 2, 16384, 16384, 512, 0, 0},
    {13, 1024, 32, 8, 512, 16384, 16384, 124, 512, true, 2, 16384, 16384, 512, 0, 0},
    {20, 1536, 48, 8, 1024, 32768, 32768, 63, 64, false, 2, 49152, 49152, 128, 0, 0},
    {21, 1536, 48, 8, 1024, 32768, 32768, 63, 64, false, 2, 49152, 49152, 128, 0, 0},
    {30, 2048, 64, 16, 1024, 65536, 65536, 63, 256, false, 4, 49152, 49152, 256, 0, 0},
    {32, 2048, 64, 16, 1024, 65536, 32768, 255, 256, false, 4, 49152, 49152, 256, 0, 0},
    {35, 2048, 64, 16, 1024, 65536, 65536, 255, 256, false, 4, 49152, 49152, 256, 0, 0},
    {37, 2048, 64, 16, 1024, 131072, 65536, 255, 256, false, 4, 114688, 49152, 256, 0, 0},
    {50, 2048, 64, 32, 1024, 65536, 65536, 255, 256, false, 4, 65536, 49152, 256, 0, 0},
    {52, 2048, 64, 32, 1024, 65536, 65536, 255, 256, false, 4, 98304, 49152, 256, 0, 0},
    {53, 2048, 64, 32, 1024, 65536, 32768, 255, 256, false, 4, 65536, 49152, 256, 0, 0},
    {60, 2048, 64, 32, 1024, 65536, 65536, 255, 256, false, 2, 65536, 49152, 256, 0, 0},
    {61, 2048, 64, 32, 1024, 65536, 65536, 255, 256, false, 4, 98304, 49152, 256, 0, 0},
    {62, 2048, 64, 32, 1024, 65536, 32768, 255, 256, false, 4, 65536, 49152, 256, 0, 0},
    {70, 2048, 64, 32, 1024, 65536, 65536, 255, 256, false, 4, 98304, 98304, 256, 0, 0},
    {72, 2048, 64, 32, 1024, 65536, 65536, 255, 256, false, 4, 98304, 98304, 256, 0, 0},
    {75, 1024, 32, 16, 1024, 65536, 65536, 255, 256, false, 4, 65536, 65536, 256, 0, 0},
    {80, 2048, 64, 32, 1024, 65536, 65536, 255, 256, false, 4, 167936, 166912, 128, 1024, 0},
    {86, 1536, 48, 16, 1024, 65536, 65536, 255, 256, false, 4, 102400, 101376, 128, 1024, 0},
    {87, 1536, 48, 16, 1024, 65536, 65536, 255, 256, false, 4, 167936, 166912, 128, 1024, 0},
    {89, 1536, 48, 24, 1024, 65536, 65536, 255, 256, false, 4, 102400, 101376, 128, 1024, 0},
    {90, 2048, 64, 32, 1024, 65536, 65536, 255, 256, false, 4, 233472, 232448, 128, 1024, 64},
    {100, 2048, 64, 32, 1024, 65536, 65536, 255, 256, false, 4, 233472, 232448, 128, 1024, 64},
    {103, 2048, 64, 32, 1024, 65536, 65536, 255, 256, false, 4, 233472, 232448, 128, 1024, 64},
    {110, 1536, 48, 24, 1024, 65536, 65536, 255, 256, false, 4, 233472, 232448, 128, 1024, 24},
    {120, 1536, 48, 24, 1024, 65536, 65536, 255, 256, false, 4, 102400, 101376, 128, 1024, 24},
    {121, 1536, 48, 24, 1024, 65536, 65536, 255, 256, false, 4, 102400, 101376, 128, 1024, 24},
};

int ceil_div(int a, int b) { return (a + b - 1) / b; }
int round_up(int a, int unit) { return ceil_div(a, unit) * unit; }

std::optional<int> limit_by(int available, int wanted) {
  if (wanted == 0) return std::nullopt;
  return available / wanted;
}

// Refuses a block that needs more registers than one may have.
void refuse_registers(const SmLimits& sm, const BlockNeeds& block, int needed, Occupancy& o) {
  if (block.registers > sm.registers_per_thread)
    o.refusal = BlockRefusal::registers_per_thread;
  else if (needed > sm.registers_per_block)
    o.refusal = BlockRefusal::registers_per_block;
  else
    return;
  o.limits[1] = 0;
}

// Compute capability 1.x allocates a block's registers in one piece.
void allocate_registers_by_block(const SmLimits& sm, const BlockNeeds& block, Occupancy& o) {
  const int warps = round_up(o.warps_per_block, sm.sub_partitions);
  o.registers_per_block = round_up(warps * machine::kWarpLanes * block.registers, sm.register_unit);
  o.limits[1] = limit_by(sm.registers, o.registers_per_block);
  refuse_registers(sm, block, o.registers_per_block, o);
}

// Later ones allocate to each warp, out of its sub-partition's share.
void allocate_registers_by_warp(const SmLimits& sm, const BlockNeeds& block, Occupancy& o) {
  const int per_warp = round_up(machine::kWarpLanes * block.registers, sm.register_unit);
  o.registers_per_block = per_warp * o.warps_per_block;
  if (per_warp == 0) return;
  // The limit per block is checked as if the block's warps filled all sub-partitions equally.
  const int needed = per_warp * round_up(o.warps_per_block, sm.sub_partitions);
  // Up to 2.x the SM's registers are one pool, and warps come in multiples of the number of sub-partitions.
  const int warps = sm.compute_capability < 30
                        ? sm.registers / per_warp / sm.sub_partitions * sm.sub_partitions
                        : sm.registers / sm.sub_partitions / per_warp * sm.sub_partitions;
  o.limits[1] = warps / o.warps_per_block;
  refuse_registers(sm, block, needed, o);
}

void take_smallest(const SmLimits& sm, const BlockNeeds& block, Occupancy& o) {
  o.blocks = sm.blocks;
  for (const std::optional<int>& limit : o.limits) o.blocks = std::min(o.blocks, limit.value_or(o.blocks));
  if (block.threads > sm.threads_per_block) {
    o.blocks = 0;
    o.refusal = BlockRefusal::threads;
  }
  o.warps = o.blocks * o.warps_per_block;
}

// The largest value below the one of `block` with which more blocks fit.
std::optional<int> value_for_one_more(const SmLimits& sm, BlockNeeds block, int BlockNeeds::*value) {
  const int blocks = occupancy(sm, block).blocks;
  BlockNeeds less = block;
  less.*value = 0;
  if (occupancy(sm, less).blocks <= blocks) return std::nullopt;
  int fits = 0, fails = block.*value;  // more blocks fit with `fits`, not with `fails`
  while (fails - fits > 1) {
    less.*value = (fits + fails) / 2;
    (occupancy(sm, less).blocks > blocks ? fits : fails) = less.*value;
  }
  return fits;
}

}  // namespace

const SmLimits* sm_limits(int compute_capability) {
  const auto found = std::find_if(std::begin(kSms), std::end(kSms), [&](const SmLimits& sm) {
    return sm.compute_capability == compute_capability;
  });
  return found == std::end(kSms) ? nullptr : found;
}

std::span<const SmLimits> all_sm_limits() { return kSms; }

const char* limit_name(OccupancyLimit limit) {
  switch (limit) {
    case OccupancyLimit::warps:
      return "warp slots";
    case OccupancyLimit::registers:
      return "registers";
    case OccupancyLimit::shared:
      return "shared memory";
    case OccupancyLimit::blocks:
      return "block slots";
    case OccupancyLimit::barriers:
      return "barriers";
  }
  return "";
}

Occupancy occupancy(const SmLimits& sm, const BlockNeeds& block) {
  Occupancy o;
  o.warps_per_block = std::max(1, ceil_div(block.threads, machine::kWarpLanes));
  o.limits[0] = sm.warps / o.warps_per_block;
  if (sm.registers_by_block)
    allocate_registers_by_block(sm, block, o);
  else
    allocate_registers_by_warp(sm, block, o);
  o.shared_per_block = round_up(block.shared_bytes + sm.shared_reserved, sm.shared_unit);
  o.limits[2] = limit_by(sm.shared_bytes, o.shared_per_block);
  if (block.shared_bytes > sm.shared_per_block) {
    o.limits[2] = 0;
    o.refusal = BlockRefusal::shared;
  }
  o.limits[3] = sm.blocks;
  if (sm.barriers > 0) o.limits[4] = limit_by(sm.barriers, block.barriers);
  take_smallest(sm, block, o);
  return o;
}

Occupancy simple_occupancy(const SmLimits& sm, const BlockNeeds& block) {
  Occupancy o;
  o.warps_per_block = std::max(1, ceil_div(block.threads, machine::kWarpLanes));
  o.limits[0] = limit_by(sm.threads, block.threads);
  o.registers_per_block = block.threads * block.registers;
  o.limits[1] = limit_by(sm.registers, o.registers_per_block);
  o.shared_per_block = block.shared_bytes;
  o.limits[2] = limit_by(sm.shared_bytes, block.shared_bytes);
  o.limits[3] = sm.blocks;
  take_smallest(sm, block, o);
  return o;
}

std::optional<int> registers_for_one_more(const SmLimits& sm, BlockNeeds block) {
  return value_for_one_more(sm, block, &BlockNeeds::registers);
}
std::optional<int> shared_for_one_more(const SmLimits& sm, BlockNeeds block) {
  return value_for_one_more(sm, block, &BlockNeeds::shared_bytes);
}

}  // namespace gemmscope::metrics
