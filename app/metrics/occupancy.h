// Computes how many blocks of a kernel an SM holds at once, and which limit decides.
//
// Exact for compute capability 3.0 and later: the result equals that of NVIDIA's cuda_occupancy.h. 1.x and
// 2.x follow the rules of the occupancy calculator of their time. Leaves out: clusters, and what else runs on
// the SM.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace gemmscope::metrics {

// The limits of one SM. Source: CUDA C++ Programming Guide, "Compute Capabilities", and the occupancy
// calculators.
struct SmLimits {
  int compute_capability = 0;  // 90 for 9.0
  int threads = 0, warps = 0, blocks = 0;
  int threads_per_block = 0;
  int registers = 0, registers_per_block = 0, registers_per_thread = 0;
  int register_unit = 0;            // registers are allocated in multiples of it …
  bool registers_by_block = false;  // … to a whole block (1.x), else to a warp
  int sub_partitions = 0;  // a block's warps are spread over them; the SM's registers are split among them
  int shared_bytes = 0, shared_per_block = 0;  // the latter with the opt-in that large blocks need
  int shared_unit = 0, shared_reserved = 0;    // bytes; reserved by the system in each block
  int barriers = 0;                            // 0: barriers set no limit
};
const SmLimits* sm_limits(int compute_capability);  // null where it is not known
std::span<const SmLimits> all_sm_limits();          // ascending

struct BlockNeeds {
  int threads = 0;
  int registers = 0;     // per thread; 0: not counted
  int shared_bytes = 0;  // static and dynamic
  int barriers = 1;
  friend bool operator==(const BlockNeeds&, const BlockNeeds&) = default;
};

// What the occupancy is asked for.
struct OccupancyPoint {
  int compute_capability = 0;
  BlockNeeds needs;
  friend bool operator==(const OccupancyPoint&, const OccupancyPoint&) = default;
};

enum class OccupancyLimit : uint8_t { warps, registers, shared, blocks, barriers };
inline constexpr int kOccupancyLimits = 5;
const char* limit_name(OccupancyLimit limit);  // "registers"

// Why not even one block fits, although the SM is empty.
enum class BlockRefusal : uint8_t { none, threads, registers_per_thread, registers_per_block, shared };

struct Occupancy {
  BlockRefusal refusal = BlockRefusal::none;
  int blocks = 0, warps = 0;  // on one SM at once
  int warps_per_block = 0;
  // Blocks that each resource alone would allow, by OccupancyLimit; nothing where it sets no limit.
  std::array<std::optional<int>, kOccupancyLimits> limits;
  int registers_per_block = 0, shared_per_block = 0;  // as allocated, rounded up
  bool limited_by(OccupancyLimit limit) const { return limits[static_cast<size_t>(limit)] == blocks; }
};
Occupancy occupancy(const SmLimits& sm, const BlockNeeds& block);

// The rule of textbooks: what an SM has divided by what a block needs, without allocation units.
Occupancy simple_occupancy(const SmLimits& sm, const BlockNeeds& block);

// The most registers per thread (bytes of shared memory per block) with which one more block would fit;
// nothing where fewer would not help.
std::optional<int> registers_for_one_more(const SmLimits& sm, BlockNeeds block);
std::optional<int> shared_for_one_more(const SmLimits& sm, BlockNeeds block);

}  // namespace gemmscope::metrics
