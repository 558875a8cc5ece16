#include "sm/simulator.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "hand_made.h"

namespace gemmscope::sm {
namespace {

std::vector<TimedInstruction> many(const std::vector<TimedInstruction>& some, int times) {
  std::vector<TimedInstruction> all;
  for (int t = 0; t < times; ++t) all.insert(all.end(), some.begin(), some.end());
  return all;
}

double cycles_each(const std::vector<TimedInstruction>& some, int warps, const SmConfig& config) {
  constexpr int kTimes = 400;
  const Replay replay = run_launch(launch_of(many(some, kTimes), warps), config);
  const double per_sub_core = static_cast<double>(some.size()) * kTimes * std::max(1, warps / kSubCores);
  return replay.run.cycles / per_sub_core;
}

double stalled(const SmRun& run, Stall stall) {
  double cycles = 0;
  for (const StallCycles& of : run.counters.stalls) cycles += of[static_cast<size_t>(stall)];
  return cycles;
}

// What an H200 takes: tests/calibration/microbench/results/ports.txt.
TEST(Simulator, RegisterBanksCostWhatAnH200Takes) {
  const SmConfig config = plain_device();
  EXPECT_NEAR(cycles_each({ffma(2, 4, 3)}, 4, config), 2.0, 0.02) << "two registers of a bank";
  EXPECT_NEAR(cycles_each({ffma(2, 4, 6)}, 4, config), 3.0, 0.02) << "three registers of a bank";
  EXPECT_NEAR(cycles_each({ffma(2, 4, 3), ffma(3, 5, 2)}, 4, config), 1.5, 0.02) << "neighbours share slack";
  EXPECT_NEAR(cycles_each({ffma(2, 4, 3, 1), ffma(2, 6, 5, 1)}, 4, config), 1.0, 0.02) << "a reused operand";
}

TEST(Simulator, AnotherWarpTakesTheReuseCache) {
  const SmConfig config = plain_device();
  EXPECT_NEAR(cycles_each({ffma(2, 4, 3, 1, 1)}, 4, config), 1.0, 0.02) << "a warp alone keeps it";
  // Two warps of a sub-core in turn, because each stalls for two cycles: the scheduler has chosen the other
  // one before the ports are free (switch.txt: 2.0 cycles).
  EXPECT_NEAR(cycles_each({ffma(2, 4, 3, 1, 2)}, 8, config), 2.0, 0.05);
}

TEST(Simulator, StallCountsAreObeyed) {
  SmConfig config = plain_device();
  EXPECT_NEAR(cycles_each({plain(4)}, 4, config), 4.0, 0.05);
  EXPECT_NEAR(cycles_each({plain(4)}, 16, config), 1.0, 0.05) << "four warps of a sub-core fill the gaps";
  config.stall_counts = 0;
  EXPECT_NEAR(cycles_each({plain(4)}, 4, config), 1.0, 0.05);
}

TEST(Simulator, AYieldIsABubbleForALoneWarp) {
  SmConfig config = plain_device();
  TimedInstruction yields = plain();
  yields.control.yield = true;
  EXPECT_NEAR(cycles_each({yields}, 4, config), 2.0, 0.05);
  EXPECT_NEAR(cycles_each({yields}, 8, config), 1.0, 0.05);
}

// The first of a sub-core's warps to end, over the last one.
double first_over_last_end(const std::vector<TimedInstruction>& code, int warps, const SmConfig& config) {
  const Replay replay = run_launch(launch_of(code, warps), config);
  double first = replay.run.cycles, last = 0;
  for (size_t w = 0; w < replay.timeline.warps.size(); w += kSubCores) {
    const double end = replay.timeline.warps[w].steps.back().issued;
    first = std::min(first, end);
    last = std::max(last, end);
  }
  return first / last;
}

// order.txt: with stalls of 2 four warps of a sub-core end after 30,212 to 33,119 cycles.
TEST(Simulator, WarpsThatStallTakeTurns) {
  SmConfig config = plain_device();
  const std::vector<TimedInstruction> code = many({plain(2)}, 2000);
  EXPECT_GT(first_over_last_end(code, 16, config), 0.9);
  config.eligible_cycles = 0;
  EXPECT_LT(first_over_last_end(code, 16, config), 0.6) << "the last two take all slots";
}

// block_order.txt: of blocks that compete for issue slots the one that came first ends first.
TEST(Simulator, TheOldestBlockIsPreferred) {
  SmConfig config = plain_device();
  LaunchTrace launch = launch_of(many({plain(12), plain()}, 2000), 4);
  launch.blocks_per_sm = 12;
  const auto ends = [&] { return run_launch(launch, config, 12).run.block_ends; };
  config.eligible_cycles = 0;
  const std::vector<double> oldest_first = ends();
  EXPECT_TRUE(std::ranges::is_sorted(oldest_first));
  EXPECT_LT(oldest_first.front(), 0.7 * oldest_first.back());
  config.oldest_first = 0;
  const std::vector<double> youngest_first = ends();
  EXPECT_GT(youngest_first.front(), youngest_first.back());
}

TEST(Simulator, ASharedLoadKeepsItsConsumerWaiting) {
  const SmConfig config = plain_device();
  const Replay replay = run_launch(launch_of({shared_load(0), waiting_for(plain(), 1)}, 1), config);
  const auto& steps = replay.timeline.warps[0].steps;
  ASSERT_EQ(steps.size(), 2u);
  // Queue, address generation, the shared unit, the data stage, and the way back.
  const double latency = config.queue_latency + 1 + 2 + config.wavefront_cycles + config.shared_latency;
  EXPECT_EQ(steps[1].issued - steps[0].issued, static_cast<uint32_t>(latency));
  EXPECT_EQ(steps[1].cause, 0u);
  EXPECT_EQ(steps[1].results_reason, Stall::short_scoreboard);
  EXPECT_GT(stalled(replay.run, Stall::short_scoreboard), 15);
}

// shared.txt, chain: LDS.32 28.56 cycles with an addition behind it, LDS.128 of two wavefronts 31.56, of four
// 37.56.
TEST(Simulator, EachWavefrontOfALoadTakesThreeCyclesMore) {
  const SmConfig config = plain_device();
  const auto latency = [&](int words, uint16_t wavefronts) {
    LaunchTrace launch = launch_of({shared_load(0, words), waiting_for(plain(), 1)}, 1);
    launch.shapes[1].shared_wavefronts = wavefronts;
    const Replay replay = run_launch(launch, config);
    const auto& steps = replay.timeline.warps[0].steps;
    return steps[1].issued - steps[0].issued;
  };
  EXPECT_EQ(latency(4, 2) - latency(1, 1), 3u);
  EXPECT_EQ(latency(4, 4) - latency(1, 1), 9u);
  EXPECT_EQ(latency(1, 2) - latency(1, 1), 1u) << "a bank conflict brings no more words";
}

TEST(Simulator, WavefrontsShareTheDataStage) {
  const SmConfig config = plain_device();
  LaunchTrace launch = launch_of(many({shared_load(7)}, 100), 16);
  launch.shapes[1].shared_wavefronts = 8;
  const Replay replay = run_launch(launch, config);
  constexpr double kData = 100 * 16 * 8;
  // The warps end before the data of what waits in the queues and behind the shared unit.
  const double waiting = 8 * kSubCores * config.mio_queue_depth + config.lsu_buffer_cycles;
  EXPECT_GT(replay.run.cycles, kData - waiting - 8);
  EXPECT_LT(replay.run.cycles, kData);
  EXPECT_GT(stalled(replay.run, Stall::mio_throttle), 1000) << "the queues are full";
}

TimedInstruction global_load() {
  TimedInstruction i = shared_load(7);
  i.memory = MemoryOp::load_global;
  return i;
}

// Each access has a whole line of its own.
void give_own_lines(LaunchTrace& launch) {
  launch.shapes[1].lines = 1;
  launch.lines = {{0, 15}};
  uint32_t line = 0;
  for (auto& warp : launch.blocks[0].warps)
    for (IssuedInstruction& issued : warp) issued.line = line++;
}

// shared.txt, burst: a copy through L1 takes the SM a cycle more than its wavefronts, one past L1 of four
// lines 2. What L1 does not hold costs more (arrivals.txt).
TEST(Simulator, CopiesTakeTheDataStageInOrder) {
  const SmConfig config = plain_device();
  TimedInstruction copy = global_load();
  copy.memory = MemoryOp::async_copy;
  LaunchTrace launch = launch_of(many({copy}, 100), 16);
  launch.shapes[1].shared_wavefronts = 2;
  const auto data_cycles = [&] { return run_launch(launch, config).run.counters.data_busy / 1600; };
  EXPECT_DOUBLE_EQ(data_cycles(), 3);
  give_own_lines(launch);
  EXPECT_DOUBLE_EQ(data_cycles(), 3 + 4 * config.copy_fill_cycles);
  launch.shapes[1].past_l1 = true;
  launch.shapes[1].lines = 4;
  launch.lines = {{0, 15}, {1, 15}, {2, 15}, {3, 15}};
  EXPECT_DOUBLE_EQ(data_cycles(), 2);
}

// local.txt: an SM alone stores 32 bytes a cycle, all of them 14 to 15 each; others store at other times.
TEST(Simulator, StoresRunAheadOfTheShareOfTheChip) {
  SmConfig config = plain_device();
  TimedInstruction store = global_load();
  store.memory = MemoryOp::store_global;
  constexpr int kStores = 256;
  LaunchTrace launch = launch_of(many({store}, kStores / 16), 16);
  launch.shapes[1].lines = 1;
  launch.lines = {{0, 15}};
  ChipShare share = alone();
  share.store_bytes = 8;
  constexpr double kBytes = kStores * 128;
  double done = 0;
  const auto last_end = [&](double window) {
    config.store_window_cycles = window;
    Simulator simulator(launch, config, share);
    const auto run = simulator.run(1);
    EXPECT_TRUE(run.has_value());
    done = run ? run->cycles : 0;
    return run ? run->block_ends[0] : 0;
  };
  EXPECT_LT(last_end(100'000), kBytes / config.store_sm_bytes);
  EXPECT_GT(done, kBytes / share.store_bytes) << "the last store is done with those of other SMs";
  EXPECT_GT(last_end(1500), kBytes / config.store_sm_bytes);
  EXPECT_LT(last_end(1500), kBytes / share.store_bytes - 1000);
  EXPECT_GT(last_end(0), kBytes / share.store_bytes - config.store_buffer_cycles - 500);
}

// crossbar.txt, one SM of 32 warps: a line stored 4.03 cycles, one stored and one loaded in turn 5.25.
TEST(Simulator, RequestsForLinesKeepStoresWaiting) {
  SmConfig config = plain_device();
  TimedInstruction store = global_load();
  store.memory = MemoryOp::store_global;
  constexpr int kTurns = 100, kWarps = 32;
  const auto cycles_a_turn = [&](const std::vector<TimedInstruction>& turn) {
    LaunchTrace launch = launch_of(many(turn, kTurns), kWarps);
    give_own_lines(launch);
    ChipShare share = alone();
    share.store_bytes = config.store_sm_bytes;
    Simulator simulator(launch, config, share);
    const auto run = simulator.run(1);
    EXPECT_TRUE(run.has_value());
    return run ? (run->cycles - config.store_latency) / (kTurns * kWarps) : 0;
  };
  EXPECT_NEAR(cycles_a_turn({store}), 4.03, 0.1);
  EXPECT_NEAR(cycles_a_turn({store, global_load()}), 5.25, 0.15);
  config.store_request_cycles = 0;
  EXPECT_NEAR(cycles_a_turn({store, global_load()}), 4.03, 0.15);
}

// queues.txt: a sub-core passes a register of a memory instruction on in 2 cycles (STS.128: 10 cycles).
TEST(Simulator, OperandsOfMemoryInstructionsTakeCycles) {
  SmConfig config = plain_device();
  config.memory_ports = 0;
  TimedInstruction store = shared_load(7);
  store.memory = MemoryOp::store_shared;
  store.reads = 5;
  EXPECT_NEAR(cycles_each({store}, 4, config), 10, 0.2);
  store.reads = 2;
  EXPECT_NEAR(cycles_each({store}, 4, config), 4, 0.2);
  config.operand_cycles = 0;
  store.reads = 5;
  EXPECT_NEAR(cycles_each({store}, 4, config), config.address_interval, 0.2);
}

// tensor.txt: HMMAs follow each other in 6.00 cycles; an LDSM beside one costs 1.00 more, an LDG 1.8 to 1.9,
// an STS of four words 5.0, and what reads no register nothing.
TEST(Simulator, WhatReadsRegistersDelaysMatrixInstructions) {
  SmConfig config = plain_device();
  TimedInstruction product = plain();
  product.unit = Unit::tensor;
  product.reads = 10;
  for (uint8_t k = 0; k < 10; ++k)
    product.read[k] = {static_cast<uint8_t>(8 + k), static_cast<uint8_t>(k < 4 ? 0 : k < 6 ? 1 : 2), false};
  const auto cycles_beside = [&](const TimedInstruction& other) {
    std::vector<TimedInstruction> group(8, product);
    group.push_back(other);
    return cycles_each(group, 8, config) * 9 - 8 * 6;
  };
  EXPECT_NEAR(cycles_each({product}, 8, config), 6, 0.05);
  TimedInstruction load = shared_load(7);
  for (const uint8_t registers : {1, 2, 5}) {
    load.reads = registers;
    EXPECT_NEAR(cycles_beside(load), registers, 0.3) << int{registers};
  }
  EXPECT_NEAR(cycles_beside(plain()), 0, 0.3);
  config.mma_ports = 0;
  load.reads = 1;
  EXPECT_NEAR(cycles_beside(load), 0, 0.3);
}

// ncu_h200_stalls.csv: what stands behind an HMMA waits a cycle longer than its stall count, HMMAs themselves
// less for their pipe, which is as fast.
TEST(Simulator, AMatrixInstructionIssuesAheadOfItsPipe) {
  SmConfig config = plain_device();
  TimedInstruction product = plain(2);
  product.unit = Unit::tensor;
  constexpr int kTimes = 100, kWarps = 2 * kSubCores;
  const LaunchTrace launch = launch_of(many({product, plain()}, kTimes), kWarps);
  const Replay ahead = run_launch(launch, config);
  config.mma_ahead_cycles = 0;
  const Replay not_ahead = run_launch(launch, config);
  EXPECT_NEAR(ahead.run.cycles, not_ahead.run.cycles, 8);
  const auto a_product = [&](const Replay& replay, Stall stall) {
    return stalled(replay.run, stall) / (kTimes * kWarps);
  };
  EXPECT_NEAR(a_product(ahead, Stall::wait) - a_product(not_ahead, Stall::wait), 1, 0.05);
  EXPECT_NEAR(a_product(ahead, Stall::math_pipe_throttle) - a_product(not_ahead, Stall::math_pipe_throttle),
              -1, 0.05);
}

TEST(Simulator, GlobalAccessesHaveAQueueOfTheirOwn) {
  SmConfig config = plain_device();
  config.queue_depth = 1;
  const LaunchTrace launch = launch_of(many({global_load()}, 100), 4);
  EXPECT_GT(stalled(run_launch(launch, config).run, Stall::lg_throttle), 100);
  config.queue_depth = 1000;
  config.mio_queue_depth = 1;
  const Replay replay = run_launch(launch, config);
  EXPECT_EQ(stalled(replay.run, Stall::lg_throttle), 0);
  EXPECT_EQ(stalled(replay.run, Stall::mio_throttle), 0);
}

// A warp waits for the stall count of its branch first (`wait` of step 2: 1.41 an instruction, 0.17 of it
// BRA).
TEST(Simulator, ABranchWaitsForItsStallCountFirst) {
  const SmConfig config = plain_device();
  constexpr int kTimes = 100, kStall = 5;
  const SmRun run = run_launch(launch_of({plain(), plain(kStall)}, 1, kTimes), config).run;
  EXPECT_EQ(stalled(run, Stall::wait), (kTimes - 1) * (kStall - 1));
  EXPECT_EQ(stalled(run, Stall::branch_resolving), (kTimes - 1) * (config.near_branch_cycles - kStall));
}

// Nsight Compute looks at each cycle: a warp that found its pipe busy, and later free but another warp
// chosen, is not selected from then on.
TEST(Simulator, APipeThatIsFreeAgainThrottlesNoLonger) {
  SmConfig config = plain_device();
  config.register_ports = 0;
  TimedInstruction alu = plain();
  alu.unit = Unit::alu;
  // Two warps of a sub-core: one ALU instruction each finds the pipe busy for a cycle, among many others.
  std::vector<TimedInstruction> code = many({plain()}, 20);
  code.push_back(alu);
  code.push_back(alu);
  constexpr int kWarps = 8, kTimes = 50;
  const SmRun run = run_launch(launch_of(many(code, kTimes), kWarps), config).run;
  // Each pair of ALU instructions waits for one another, and a few for those of the other warp.
  EXPECT_LE(stalled(run, Stall::math_pipe_throttle), 4.0 * kWarps * kTimes);
  EXPECT_GT(stalled(run, Stall::not_selected), 10.0 * kWarps * kTimes);
}

// What one slice sends does not keep the data of others waiting.
TEST(Simulator, L2SendsSeveralStreams) {
  SmConfig config = plain_device();
  config.l2_far_latency = config.l2_near_latency + 500;
  std::vector<TimedInstruction> code;
  TimedInstruction load = global_load();
  load.control.write_scoreboard = 0;
  code.push_back(load);
  code.push_back(waiting_for(plain(), 1));
  LaunchTrace launch = launch_of(many(code, 50), 32);
  launch.lines.push_back({0, 15});
  launch.shapes[1].lines = 1;
  uint32_t line = 0;
  for (auto& warp : launch.blocks[0].warps)
    for (IssuedInstruction& issued : warp) issued.line = line++;
  config.l2_streams = 1;
  const double one = run_launch(launch, config).run.cycles;
  config.l2_streams = 4;
  const double four = run_launch(launch, config).run.cycles;
  config.l2_streams = 0;
  const double any_order = run_launch(launch, config).run.cycles;
  EXPECT_LT(four, 0.95 * one);
  EXPECT_LT(any_order, four);
}

TEST(Simulator, ABarrierReleasesAllAfterTheLast) {
  const SmConfig config = plain_device();
  // The second warp arrives late.
  LaunchTrace launch = launch_of({barrier(), plain()}, 2);
  launch.code.push_back(plain(15));
  auto& late = launch.blocks[0].warps[1];
  late.insert(late.begin(), 10, IssuedInstruction{.instruction = 2, .lanes = 32});
  const Replay replay = run_launch(launch, config);
  const TimelineStep& released = replay.timeline.warps[0].steps[1];
  const TimelineStep& arrival = replay.timeline.warps[1].steps[10];
  EXPECT_GE(released.issued, arrival.issued + static_cast<uint32_t>(config.barrier_latency));
  EXPECT_EQ(released.cause_warp, 1) << "the last arrival";
  EXPECT_EQ(released.cause, 10u);
  EXPECT_GT(stalled(replay.run, Stall::barrier), 100);
}

// barriers.txt: behind a deferred barrier FFMAs and others go on; the next access to memory waits.
TEST(Simulator, ADeferredBarrierStopsTheNextAccess) {
  SmConfig config = plain_device();
  TimedInstruction deferred = barrier();
  deferred.deferred = true;
  LaunchTrace launch = launch_of({deferred, ffma(2, 5, 3), shared_load(7), plain()}, 2);
  launch.code.push_back(plain(15));
  auto& late = launch.blocks[0].warps[1];
  late.insert(late.begin(), 10, IssuedInstruction{.instruction = 4, .lanes = 32});
  Replay replay = run_launch(launch, config);
  const auto step = [&](size_t k) { return replay.timeline.warps[0].steps[k]; };
  const auto arrival = [&] { return replay.timeline.warps[1].steps[10].issued; };
  EXPECT_EQ(step(1).issued, step(0).issued + 1);
  EXPECT_EQ(step(1).released, 0u) << "it has not waited for the barrier";
  EXPECT_GE(step(2).issued, arrival() + static_cast<uint32_t>(config.barrier_latency));
  EXPECT_EQ(step(2).cause_warp, 1);
  EXPECT_EQ(step(2).released, step(2).issued);
  const double waited = stalled(replay.run, Stall::barrier);
  EXPECT_GT(waited, 100);
  config.deferred_barriers = 0;
  replay = run_launch(launch, config);
  EXPECT_GE(step(1).issued, arrival() + static_cast<uint32_t>(config.barrier_latency));
  EXPECT_GT(stalled(replay.run, Stall::barrier), waited);
}

// fetch.txt: a loop of 32 KiB and a few lines takes 1.15 cycles an instruction, one of 48 KiB 2.23.
TEST(Simulator, ALoopALittleTooLongMissesFewLines) {
  SmConfig config = plain_device();
  config.instruction_fetch = 1;
  const auto cycles_of = [&](double kib) {
    const auto length = static_cast<size_t>(kib * 1024 / isa::kInstructionBytes);
    constexpr int kTimes = 10;
    const LaunchTrace launch = launch_of(std::vector<TimedInstruction>(length, plain()), 1, kTimes);
    return run_launch(launch, config).run.cycles / static_cast<double>(length) / kTimes;
  };
  EXPECT_LT(cycles_of(24), 1.05);
  EXPECT_GT(cycles_of(32.5), 1.03);
  EXPECT_LT(cycles_of(32.5), 1.2);
  EXPECT_NEAR(cycles_of(48), 2.2, 0.1);
  config.code_ways = 256;
  EXPECT_GT(cycles_of(32.5), 2) << "where the least recently used line of all leaves, none is found again";
}

// Where other SMs load at other times, an SM gets a burst at its own rate (many_tiles.txt).
TEST(Simulator, LoadsRunAheadOfTheShareOfTheChip) {
  SmConfig config = plain_device();
  constexpr int kLoads = 64;
  LaunchTrace launch = launch_of(many({global_load()}, kLoads / 8), 8);
  give_own_lines(launch);
  ChipShare share = alone();
  share.l2_bytes = 16;
  const auto last_arrival = [&](double window) {
    config.l2_window_cycles = window;
    Simulator simulator(launch, config, share);
    Timeline timeline;
    EXPECT_TRUE(simulator.run(1, &timeline).has_value());
    uint32_t last = 0;
    for (const WarpTimeline& warp : timeline.warps)
      for (const TimelineStep& step : warp.steps) last = std::max(last, step.done);
    return last;
  };
  constexpr double kShareCycles = kLoads * 128 / 16.0;
  EXPECT_GT(last_arrival(0), kShareCycles);
  EXPECT_LT(last_arrival(100'000), kShareCycles);
  EXPECT_GT(last_arrival(100), kShareCycles);
}

TEST(Simulator, BlocksBeyondThePlacesWaitForOne) {
  const SmConfig config = plain_device();
  LaunchTrace launch = launch_of(many({plain()}, 1000), 4);
  launch.blocks_per_sm = 2;
  const Replay replay = run_launch(launch, config, 3);
  ASSERT_EQ(replay.timeline.blocks.size(), 3u);
  EXPECT_LT(replay.timeline.blocks[1].begin, 100u);
  EXPECT_GE(replay.timeline.blocks[2].begin,
            replay.timeline.blocks[0].end + static_cast<uint32_t>(config.block_turnover_cycles) - 1);
}

TEST(Simulator, ACancelledRunSaysSo) {
  const LaunchTrace launch = launch_of(many({plain()}, 1000), 4);
  const std::atomic<bool> cancelled{true};
  Simulator simulator(launch, plain_device(), alone());
  const auto run = simulator.run(1, nullptr, &cancelled);
  ASSERT_FALSE(run.has_value());
  EXPECT_EQ(run.error().message, "cancelled");
}

// Random launches: every cycle of a warp's life belongs to one reason, and steps are in order.
TEST(SimulatorProperty, EveryCycleOfAWarpHasOneReason) {
  std::mt19937 random(7);
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 60; ++round) {
    std::vector<TimedInstruction> code;
    for (int k = 0; k < 40; ++k) {
      const int kind = pick(5);
      if (kind == 0) code.push_back(shared_load(static_cast<uint8_t>(pick(6)), 1 << pick(3)));
      if (kind == 1) code.push_back(waiting_for(plain(1 + pick(6)), static_cast<uint8_t>(pick(64))));
      if (kind == 2)
        code.push_back(ffma(pick(32), pick(32), pick(32), static_cast<uint8_t>(pick(8)), 1 + pick(5)));
      if (kind == 3) code.push_back(plain(1 + pick(15)));
      if (kind == 4 && pick(4) == 0) code.push_back(barrier());
    }
    code.push_back(plain());
    LaunchTrace launch = launch_of(code, 1 + pick(12), 1 + pick(3));
    launch.blocks_per_sm = 1 + pick(3);
    const Replay replay = run_launch(launch, plain_device(), 1 + static_cast<uint32_t>(pick(5)));
    double counted = 0, of_timeline = 0, lifetimes = 0;
    for (const StallCycles& cycles : replay.run.counters.stalls)
      counted = std::accumulate(cycles.begin(), cycles.end(), counted);
    for (const WarpTimeline& warp : replay.timeline.warps) {
      lifetimes += warp.steps.back().issued + 1 - warp.start;
      for (size_t k = 0; k < warp.steps.size(); ++k) {
        const StallCycles cycles = stall_cycles(warp, k);
        of_timeline = std::accumulate(cycles.begin(), cycles.end(), of_timeline);
        if (k > 0) {
          ASSERT_GT(warp.steps[k].issued, warp.steps[k - 1].issued);
        }
        if (warp.steps[k].cause != kNoStep) {
          ASSERT_LT(replay.timeline.warps[warp.steps[k].cause_warp].steps[warp.steps[k].cause].issued,
                    warp.steps[k].issued);
        }
      }
    }
    EXPECT_EQ(counted, lifetimes);
    EXPECT_EQ(of_timeline, lifetimes);
    EXPECT_EQ(replay.run.counters.issued, replay.timeline.blocks.size() * launch.instructions());
  }
}

// No sub-core issues two instructions in a cycle.
TEST(SimulatorProperty, ASubCoreIssuesOnceACycle) {
  const LaunchTrace launch =
      launch_of(many({ffma(2, 5, 7), shared_load(0), waiting_for(plain(), 1)}, 50), 12);
  const Replay replay = run_launch(launch, plain_device());
  std::set<std::pair<uint8_t, uint32_t>> issued;
  for (const WarpTimeline& warp : replay.timeline.warps)
    for (const TimelineStep& step : warp.steps)
      EXPECT_TRUE(issued.emplace(warp.sub_core, step.issued).second);
}

// fetch.txt: code of 48 to 96 KiB takes one warp 2.2 cycles an instruction, and two in step 1.02 each.
TEST(Simulator, CodeLargerThanASubCoresCacheComesAtTheRateOfTheSm) {
  SmConfig config = plain_device();
  config.instruction_fetch = 1;
  const std::vector<TimedInstruction> large = many({plain()}, 64 * 1024 / isa::kInstructionBytes);
  const auto each = [&](int warps) {
    const Replay replay = run_launch(launch_of(large, warps, 3), config);
    return replay.run.cycles / static_cast<double>(3 * large.size() * static_cast<size_t>(warps / kSubCores));
  };
  EXPECT_NEAR(each(4), 2.2, 0.1);
  EXPECT_NEAR(each(8), 1.1, 0.1);
}

// A load of each line of a buffer, one after the other, of which L2 has lost a share.
double cycles_of_chain(const SmConfig& config, double lost, uint8_t sectors) {
  constexpr uint32_t kLines = 512;
  TimedInstruction load = waiting_for(plain(), 1);
  load.unit = Unit::memory;
  load.memory = MemoryOp::load_global;
  load.words = 1;
  load.control.write_scoreboard = 0;
  LaunchTrace launch = launch_of({load}, 1, kLines);
  launch.shapes[1].lines = 1;
  launch.lines.push_back({0, sectors});
  uint32_t line = 0;
  for (IssuedInstruction& issued : launch.blocks[0].warps[0]) issued.line = line++;
  ChipShare share = alone();
  launch.buffers.push_back({.end_line = kLines});
  share.missing = {lost};
  Simulator simulator(launch, config, share);
  auto run = simulator.run(1);
  EXPECT_TRUE(run.has_value());
  return run ? run->cycles / kLines : 0;
}

TEST(Simulator, WhatL2HasLostWaitsForDram) {
  SmConfig config = plain_device();
  config.dram_spread = 0;
  const double found = cycles_of_chain(config, 0, 1);
  EXPECT_NEAR(cycles_of_chain(config, 1, 1) - found, config.dram_latency, 1);
  EXPECT_NEAR(cycles_of_chain(config, 1, 15) - cycles_of_chain(config, 0, 15), config.dram_latency, 1)
      << "both pieces of a line come together";
  EXPECT_NEAR(cycles_of_chain(config, 0.25, 1) - found, config.dram_latency / 4, config.dram_latency / 16);
}

// Stores of one warp, each to `lines` lines: of every sector a part.
SmRun stores_in_part(const SmConfig& config, int turns, uint16_t lines, uint32_t line_of_turn,
                     MemoryOp operation = MemoryOp::store_global) {
  TimedInstruction store = plain();
  store.unit = Unit::memory;
  store.memory = operation;
  LaunchTrace launch = launch_of({store}, 1, turns);
  launch.shapes[1].lines = lines;
  for (int32_t k = 0; k < lines; ++k) launch.lines.push_back({k, 15, true});
  uint32_t turn = 0;
  for (IssuedInstruction& issued : launch.blocks[0].warps[0]) issued.line = line_of_turn * turn++;
  return run_launch(launch, config).run;
}

// stores.txt: stores in turn that fill the same sectors are sent to L2 once.
TEST(Simulator, StoresToTheSameSectorsAreSentOnce) {
  SmConfig config = plain_device();
  config.store_part_lines = 16;
  EXPECT_EQ(stores_in_part(config, 8, 4, 0).counters.store_sectors, 16u);
  EXPECT_EQ(stores_in_part(config, 8, 4, 4).counters.store_sectors, 8 * 16u) << "each its own lines";
  EXPECT_EQ(stores_in_part(config, 8, 17, 0).counters.store_sectors, 8 * 17 * 4u) << "more than are kept";
  EXPECT_EQ(stores_in_part(config, 8, 4, 0, MemoryOp::reduce_global).counters.store_sectors, 8 * 16u)
      << "L2 adds, an SM does not";
  config.store_part_lines = 0;
  EXPECT_EQ(stores_in_part(config, 8, 4, 0).counters.store_sectors, 8 * 16u);
}

// stores.txt, one SM: a line stored in part takes 4.9 cycles.
TEST(Simulator, ALineStoredInPartTakesACycleMore) {
  SmConfig config = plain_device();
  config.store_sm_bytes = 32;
  config.store_part_cycles = 1;
  const double some = stores_in_part(config, 100, 4, 4).cycles,
               more = stores_in_part(config, 200, 4, 4).cycles;
  EXPECT_NEAR((more - some) / 100, 4 * 5, 0.5);
}

// sectors.txt: with all SMs loading, a request for one sector takes nearly as long as one for two.
TEST(Simulator, ARequestTakesTheLeastBytesOfItsShareOfL2) {
  SmConfig config = plain_device();
  config.l2_window_cycles = 1;
  constexpr int kWarps = 32, kTimes = 50;
  const auto a_load = [&](uint8_t sectors) {
    TimedInstruction load = global_load();
    load.control.write_scoreboard = 0;
    LaunchTrace launch = launch_of(many({load, waiting_for(plain(), 1)}, kTimes), kWarps);
    launch.lines.push_back({0, sectors});
    launch.shapes[1].lines = 1;
    uint32_t line = 0;
    for (auto& warp : launch.blocks[0].warps)
      for (IssuedInstruction& issued : warp) issued.line = line++;
    ChipShare share = alone();
    share.l2_bytes = 1;  // is what limits it
    const auto run = Simulator(launch, config, share).run(1);
    EXPECT_TRUE(run.has_value());
    return run ? run->cycles / (kWarps * kTimes) : 0;
  };
  config.l2_least_bytes = 56;
  EXPECT_NEAR(a_load(1), 56, 2);
  EXPECT_NEAR(a_load(3), 64, 2);
  EXPECT_NEAR(a_load(15), 128, 2);
  config.l2_least_bytes = 0;
  EXPECT_NEAR(a_load(1), 32, 2);
}

// Two warps: the first arrives at a barrier object after a while, the second waits for it.
LaunchTrace launch_with_object(int cycles_before) {
  TimedInstruction arrive = plain(), wait = plain();
  arrive.special = Special::object_arrive;
  wait.special = Special::object_wait;
  wait.control.write_scoreboard = 0;
  LaunchTrace launch = launch_of({plain(cycles_before), arrive, wait, waiting_for(plain(), 1)}, 2);
  auto& warps = launch.blocks[0].warps;
  for (IssuedInstruction& issued : warps[0]) issued.line = 0;
  for (IssuedInstruction& issued : warps[1]) issued.line = 0;
  warps[0] = {warps[0][0], warps[0][1]};
  warps[1] = {warps[1][2], warps[1][3]};
  launch.blocks[0].phase_parts = {1};
  return launch;
}

TEST(Simulator, AWaitForAPhaseEndsWithItsLastArrival) {
  const SmConfig config = plain_device();
  for (const int before : {4, 12}) {
    const Replay replay = run_launch(launch_with_object(before), config);
    const auto& steps = replay.timeline.warps[1].steps;
    ASSERT_EQ(steps.size(), 2u);
    const double seen = before + config.object_arrive_cycles + config.object_wait_cycles;
    EXPECT_NEAR(steps[1].issued, seen, 2) << before;
    EXPECT_NEAR(steps[0].done, seen, 2) << before;
    EXPECT_NEAR(stalled(replay.run, Stall::long_scoreboard), seen, 4) << "as Nsight Compute names it";
  }
}

TEST(Simulator, APhaseThatIsOverCostsOnlyTheQuestion) {
  const SmConfig config = plain_device();
  LaunchTrace launch = launch_with_object(4);
  launch.blocks[0].phase_parts = {0};
  const Replay replay = run_launch(launch, config);
  EXPECT_NEAR(replay.timeline.warps[1].steps[1].issued, config.object_wait_cycles, 2);
}

// A phase that nothing ends: legal code has none, but a trace with its end left out may.
TEST(Simulator, APhaseThatNeverEndsIsAnError) {
  LaunchTrace launch = launch_with_object(4);
  launch.blocks[0].phase_parts = {2};
  const SmConfig config = plain_device();
  Simulator simulator(launch, config, alone());
  const auto run = simulator.run(1);
  ASSERT_FALSE(run.has_value());
  EXPECT_NE(run.error().message.find("wait for ever"), std::string::npos) << run.error().message;
}

// copies.txt: 128 rows more, 150 cycles more.
TEST(Simulator, ABulkCopyTakesItsRowsAndEndsAPhase) {
  const SmConfig config = plain_device();
  const auto issued_after = [&](uint16_t rows) {
    TimedInstruction copy = plain(), wait = plain();
    copy.special = Special::bulk_copy;
    wait.special = Special::object_wait;
    wait.control.write_scoreboard = 0;
    LaunchTrace launch = launch_of({copy, wait, waiting_for(plain(), 1)}, 1);
    AccessShape shape{.shared_wavefronts = rows, .past_l1 = true, .lines = rows, .phase = 0};
    for (int32_t line = 0; line < rows; ++line) launch.lines.push_back({line * 8, 15});
    launch.shapes.push_back(shape);
    launch.blocks[0].warps[0][0].shape = 2;
    launch.blocks[0].phase_parts = {1};
    ChipShare share = alone();
    share.l2_bytes = 1000;  // not what limits it
    Timeline timeline;
    EXPECT_TRUE(Simulator(launch, config, share).run(1, &timeline).has_value());
    return timeline.warps[0].steps[2].issued;
  };
  EXPECT_GT(issued_after(1), config.l2_near_latency);
  EXPECT_NEAR(issued_after(256) - issued_after(128), 128 * config.bulk_row_cycles, 40);
}

}  // namespace
}  // namespace gemmscope::sm
