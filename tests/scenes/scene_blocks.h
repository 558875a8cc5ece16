// Gives scenes traced blocks: those of the ladder's kernels, traced once per process, and made-up ones.
#pragma once

#include <deque>
#include <map>
#include <random>

#include "../experiment/ladder_run.h"
#include "metrics/bank_report.h"

namespace gemmscope::scenes {

using experiment::BlockResult;
using BlockPointer = std::shared_ptr<const BlockResult>;

inline const std::vector<std::string> kKernels = {"01_naive_rows", "07_register_tile", "11_prefetch"};

// Null after a failed expectation. Toggles have their defaults, so the prebuilt pack suffices.
inline BlockPointer traced(const std::string& kernel, const catalog::Problem& problem,
                           std::array<uint32_t, 3> block = {0, 0, 0}) {
  using Key = std::tuple<std::string, int64_t, int64_t, int64_t, std::array<uint32_t, 3>>;
  static std::map<Key, BlockPointer> made;
  BlockPointer& result = made[{kernel, problem.m, problem.n, problem.k, block}];
  if (result != nullptr) return result;
  experiment::Experiment e = experiment::experiment_on(kernel, isa::Arch::sm_86, problem);
  e.block = block;
  const auto compiled = experiment::compile_ladder(e);
  if (compiled == nullptr) return nullptr;
  const experiment::Outcome<BlockResult> outcome = experiment::run_block(compiled, e, nullptr);
  EXPECT_TRUE(outcome.has_value()) << kernel << ": " << (outcome ? "" : outcome.error().message);
  return result = outcome.value_or(nullptr);
}

inline BlockPointer small_block(const std::string& kernel) { return traced(kernel, {64, 64, 64}); }

// Returns the block at the far corner of the grid, which is ragged unless the sizes are multiples of a tile.
inline BlockPointer last_block(const std::string& kernel, const catalog::Problem& problem) {
  const BlockPointer first = traced(kernel, problem);
  if (first == nullptr) return nullptr;
  const std::array<uint32_t, 3>& grid = first->compiled->launch.grid;
  return traced(kernel, problem, {grid[0] - 1, grid[1] - 1, grid[2] - 1});
}

// Returns a block of one warp that makes these shared-memory accesses, one instruction each.
inline BlockResult made_up_block(const std::vector<machine::TraceAccess>& accesses) {
  auto compiled = std::make_shared<experiment::CompiledKernel>();
  BlockResult block;
  block.trace.warp_count = 1;
  block.warp_records.resize(1);
  for (const machine::TraceAccess& access : accesses) {
    const auto index = static_cast<uint32_t>(block.trace.records.size());
    machine::TraceRecord record;
    record.instruction = index;
    record.mask = record.executed = access.mask;
    record.first_access = index;
    record.access_count = 1;
    block.trace.records.push_back(record);
    block.trace.accesses.push_back(access);
    block.warp_records[0].push_back(index);
    compiled->instructions.emplace_back();
    compiled->text.emplace_back("LDS R0, [R1] ;");
    compiled->places.emplace_back();
    compiled->calls.emplace_back();
  }
  block.compiled = compiled;
  block.banks = metrics::bank_report(block.trace);
  return block;
}

// Keeps addresses as long as the test program runs.
inline machine::TraceAddresses kept(const machine::LaneDistances& addresses) {
  static std::deque<machine::LaneDistances> all;
  return {0, all.emplace_back(addresses)};
}

// Returns an access of some lanes to random words of a window of `words`, aligned as the hardware requires.
inline machine::TraceAccess random_access(std::mt19937& random, uint64_t words) {
  machine::TraceAccess access;
  access.space = machine::Space::shared;
  access.direction = random() % 2 == 0 ? machine::Direction::load : machine::Direction::store;
  access.width_bytes = static_cast<uint8_t>(4u << random() % 3);
  access.mask = random() % 4 == 0 ? 0xffffffffu : static_cast<uint32_t>(random()) | 1u << random() % 32;
  machine::LaneDistances addresses;
  for (uint64_t& address : addresses)
    address = random() % words * 4 / access.width_bytes * access.width_bytes;
  access.addresses = kept(addresses);
  return access;
}

}  // namespace gemmscope::scenes
