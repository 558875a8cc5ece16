// Launches made by hand for the simulator: a few instructions, some warps, numbers that are easy to add up.
#pragma once

#include <gtest/gtest.h>

#include "sm/device_file.h"
#include "sm/simulator.h"

namespace gemmscope::sm {

// The H200, with one run and without what would blur small sums: fetch, write-back of loads, launch of warps.
inline SmConfig plain_device() {
  static const auto read =
      read_device(std::filesystem::path(GEMMSCOPE_SOURCE_DIR) / "assets/devices/h200.toml");
  EXPECT_TRUE(read.has_value()) << (read ? "" : read.error().message);
  SmConfig config = read.value_or(SmConfig{});
  config.runs = 1;
  config.instruction_fetch = config.warp_launch_cycles = 0;
  return config;
}

// FFMA of three registers. Registers of one bank are those of the same parity.
inline TimedInstruction ffma(int a, int b, int c, uint8_t reuse = 0, int stall = 1) {
  TimedInstruction i;
  i.unit = Unit::fma;
  i.control.stall_cycles = static_cast<uint8_t>(stall);
  i.reads = 3;
  const int registers[] = {a, b, c};
  for (size_t slot = 0; slot < 3; ++slot)
    i.read[slot] = {static_cast<uint8_t>(registers[slot]), static_cast<uint8_t>(slot),
                    ((reuse >> slot) & 1) != 0};
  return i;
}

// An instruction that takes its issue slot alone.
inline TimedInstruction plain(int stall = 1) {
  TimedInstruction i;
  i.control.stall_cycles = static_cast<uint8_t>(stall);
  return i;
}

inline TimedInstruction shared_load(uint8_t scoreboard, int words = 1) {
  TimedInstruction i = plain();
  i.unit = Unit::memory;
  i.memory = MemoryOp::load_shared;
  i.words = static_cast<uint8_t>(words);
  i.control.write_scoreboard = scoreboard;
  return i;
}

inline TimedInstruction waiting_for(TimedInstruction i, uint8_t scoreboards) {
  i.control.wait_mask = scoreboards;
  return i;
}

inline TimedInstruction barrier() {
  TimedInstruction i = plain();
  i.special = Special::barrier;
  return i;
}

// Every warp issues all of the code once, `times` times over; accesses take one wavefront.
inline LaunchTrace launch_of(std::vector<TimedInstruction> code, int warps, int times = 1) {
  LaunchTrace launch;
  launch.code = std::move(code);
  launch.warps_per_block = warps;
  launch.shapes.push_back({.shared_wavefronts = 1, .data_wavefronts = 1});
  BlockTrace block;
  block.warps.resize(static_cast<size_t>(warps));
  for (auto& warp : block.warps)
    for (int t = 0; t < times; ++t)
      for (uint32_t k = 0; k < launch.code.size(); ++k)
        warp.push_back({.instruction = k,
                        .shape = launch.code[k].unit == Unit::memory ? 1u : 0u,
                        .pass = static_cast<uint16_t>(t),
                        .lanes = 32});
  launch.blocks.push_back(std::move(block));
  return launch;
}

inline ChipShare alone() {
  ChipShare share;
  share.l2_bytes = share.store_bytes = share.line_store_bytes = share.dram_bytes = 64;
  return share;
}

struct Replay {
  SmRun run;
  Timeline timeline;
};
inline Replay run_launch(const LaunchTrace& launch, const SmConfig& config, uint32_t blocks = 1) {
  Replay result;
  Simulator simulator(launch, config, alone());
  auto run = simulator.run(blocks, &result.timeline);
  EXPECT_TRUE(run.has_value()) << (run ? "" : run.error().message);
  if (run) result.run = *std::move(run);
  return result;
}

}  // namespace gemmscope::sm
