#include "sm/predict.h"

#include <algorithm>
#include <cmath>

#include "sm/last_wave.h"

namespace gemmscope::sm {
namespace {

constexpr uint32_t kSimulatedWaves = 4;
constexpr double kMib = 1024 * 1024, kLineBytes = 128;

struct Sum {
  double total = 0, squares = 0;
  int count = 0;
  void add(double value) {
    total += value;
    squares += value * value;
    ++count;
  }
  double mean() const { return total / count; }
  double deviation() const {
    if (count < 2) return 0;
    return std::sqrt(std::max(0.0, squares / count - mean() * mean()) * count / (count - 1));
  }
};

// Adds `factor` times the counters of `other`.
void add(SmCounters& sum, const SmCounters& other, double factor) {
  const auto scaled = [&](uint64_t value) {
    return static_cast<uint64_t>(std::max<int64_t>(0, std::llround(factor * static_cast<double>(value))));
  };
  const auto add_count = [&](uint64_t& to, uint64_t value) {
    factor < 0 ? to -= std::min(to, static_cast<uint64_t>(std::llround(-factor * static_cast<double>(value))))
               : to += scaled(value);
  };
  add_count(sum.issued, other.issued);
  if (sum.stalls.size() < other.stalls.size()) sum.stalls.resize(other.stalls.size());
  for (size_t i = 0; i < other.stalls.size(); ++i)
    for (size_t k = 0; k < kStalls; ++k) sum.stalls[i][k] += factor * other.stalls[i][k];
  for (size_t k = 0; k < kUnits; ++k) sum.unit_busy[k] += factor * other.unit_busy[k];
  sum.data_busy += factor * other.data_busy;
  sum.lsu_busy += factor * other.lsu_busy;
  add_count(sum.l1_sectors, other.l1_sectors);
  add_count(sum.l1_hits, other.l1_hits);
  add_count(sum.l2_load_sectors, other.l2_load_sectors);
  add_count(sum.store_sectors, other.store_sectors);
}

struct BusiestSm {
  double cycles = 0;
  std::vector<double> wave_ends;  // when the blocks of the last full wave that was simulated ended
  SmCounters counters;
};

// `blocks` blocks one after the other on the places of an SM.
Result<BusiestSm> run_blocks(const LaunchTrace& launch, const SmConfig& config, const ChipShare& share,
                             uint64_t blocks, uint64_t& simulated, const std::atomic<bool>* cancelled) {
  const auto resident = static_cast<uint64_t>(launch.blocks_per_sm);
  uint64_t run_now = blocks;
  // Few places keep their remainder, so that the last wave is as full as the real one.
  if (blocks > kSimulatedWaves * resident)
    run_now = kSimulatedWaves * resident + (resident <= 3 ? blocks % resident : 0);
  Simulator simulator(launch, config, share);
  Result<SmRun> run = simulator.run(static_cast<uint32_t>(run_now), nullptr, cancelled);
  if (!run) return tl::unexpected(std::move(run.error()));
  simulated += run->counters.issued;
  const uint64_t waves = std::min<uint64_t>(run_now, kSimulatedWaves * resident) / resident;
  const auto ends = run->block_ends.begin();
  BusiestSm result{run->cycles, {}, std::move(run->counters)};
  if (waves > 0)
    result.wave_ends.assign(ends + static_cast<std::ptrdiff_t>((waves - 1) * resident),
                            ends + static_cast<std::ptrdiff_t>(waves * resident));
  if (blocks > run_now) {
    const double more = static_cast<double>(blocks - run_now);
    result.cycles += run->cycles_per_block * more;
    SmCounters rest = result.counters;
    add(result.counters, rest, more / static_cast<double>(run_now));
  }
  return result;
}

// Both depths, continued to the launch's own.
Result<BusiestSm> run_depths(const SampledLaunch& launch, const SmConfig& config, const ChipShare& share,
                             uint64_t blocks, uint64_t& simulated, const std::atomic<bool>* cancelled) {
  auto deep = run_blocks(launch.deep, config, share, blocks, simulated, cancelled);
  if (!deep || launch.depth == launch.deep_depth) return deep;
  auto shallow = run_blocks(launch.shallow, config, share, blocks, simulated, cancelled);
  if (!shallow) return shallow;
  const double factor = (launch.depth - launch.deep_depth) / (launch.deep_depth - launch.shallow_depth);
  BusiestSm result = *deep;
  result.cycles += factor * (deep->cycles - shallow->cycles);
  add(result.counters, deep->counters, factor);
  add(result.counters, shallow->counters, -factor);
  return result;
}

double used_bytes(const BufferUse& buffer) { return buffer.readers > 0 || buffer.stored ? buffer.bytes : 0; }

// The share of the lines that are gone when they are read again, after so many bytes of others. It grows with
// the square: at the middle few are gone, which is enough to make each step of a wide tile wait.
double lost_share(double bytes, const SmConfig& config) {
  const double share = bytes / (config.l2_mib * kMib);
  const double lost =
      std::clamp((share - config.l2_kept_share) / (config.l2_lost_share - config.l2_kept_share), 0.0, 1.0);
  return lost * lost;
}

// How often a line of the buffer is read by another group of blocks.
double rounds_of(const BufferUse& buffer) {
  return buffer.readers > 0 ? std::max(1.0, buffer.readers / std::max(1.0, buffer.readers_at_once)) : 1;
}

double all_used_bytes(const LaunchTrace& launch) {
  double all = 0;
  for (const BufferUse& buffer : launch.buffers) all += used_bytes(buffer);
  return all;
}

// Of each buffer, the share of lines that wait for DRAM when a group of blocks comes to them: in the first
// round where the launch before has not left them in L2, later where the round before has not.
std::vector<double> missing_shares(const LaunchTrace& launch, const SmConfig& config) {
  const double all = all_used_bytes(launch);
  std::vector<double> missing;
  for (const BufferUse& buffer : launch.buffers) {
    const double rounds = rounds_of(buffer);
    double a_round = 0;
    for (const BufferUse& other : launch.buffers)
      a_round += used_bytes(other) * std::min(1.0, rounds_of(other) / rounds);
    const double share = (lost_share(all, config) + (rounds - 1) * lost_share(a_round, config)) / rounds;
    missing.push_back(share);
  }
  return missing;
}

// What lies behind the SMs keeps its clock where theirs is lower: in cycles of an SM it is faster.
SmConfig seen_from_sm(const LaunchTrace& launch, SmConfig config) {
  if (!launch.uses_tensor_cores()) return config;
  const double clock = config.tensor_clock_share;
  for (double* rate :
       {&config.l2_chip_bytes, &config.store_chip_bytes, &config.store_chip_line_bytes, &config.dram_gb_s})
    *rate /= clock;
  for (double* latency : {&config.l2_near_latency, &config.l2_far_latency, &config.l2_load_latency,
                          &config.dram_latency, &config.dram_spread, &config.store_latency})
    *latency *= clock;
  return config;
}

// SMs get unequal shares of the chip's stores: one wave ends with the slowest, while of several waves a
// faster SM takes more blocks. Returns what all of them store, times what they store in one wave.
double store_gain_of_waves(const LaunchTrace& launch, const SmConfig& config) {
  const double waves =
      std::max(1.0, static_cast<double>(launch.block_count()) / (config.sms * launch.blocks_per_sm));
  return waves / ((waves - 1) / config.store_mean_share + 1);
}

}  // namespace

uint64_t blocks_of_busiest_sm(const LaunchTrace& launch, const SmConfig& config,
                              std::span<const double> wave_ends) {
  const uint64_t blocks = launch.block_count(), sms = static_cast<uint64_t>(config.sms);
  const auto resident = static_cast<uint64_t>(launch.blocks_per_sm);
  const uint64_t even = (blocks + sms - 1) / sms;
  const uint64_t waves = blocks / (sms * resident), rest = blocks % (sms * resident);
  if (waves == 0 || rest == 0 || config.sm_spread == 0) return even;
  return std::max(even, waves * resident + most_blocks_of_an_sm(wave_ends, sms, rest, config.sm_spread));
}

ChipShare chip_share(const LaunchTrace& launch, const SmConfig& config, uint32_t run) {
  const double active = std::min(config.sms, static_cast<double>(launch.block_count()));
  const double l2_bytes = config.l2_mib * kMib;
  ChipShare share;
  share.l2_bytes = std::min(config.l2_sm_bytes, config.l2_chip_bytes / active);
  share.dram_bytes = config.dram_bytes_per_cycle() / active;
  const double stores = store_gain_of_waves(launch, config) / active;
  // What L2 cannot keep of the stored lines goes on to DRAM.
  const double written = lost_share(all_used_bytes(launch), config);
  share.store_bytes = std::min(config.store_sm_bytes, config.store_chip_bytes * stores);
  if (written > 0) share.store_bytes = std::min(share.store_bytes, share.dram_bytes / written);
  share.line_store_bytes = std::min(config.store_sm_bytes, config.store_chip_line_bytes * stores);
  share.missing = missing_shares(launch, config);
  share.load_latency = config.l2_load_latency * active / config.sms;
  const double resident = std::min(static_cast<double>(launch.blocks_per_sm),
                                   std::ceil(static_cast<double>(launch.block_count()) / config.sms));
  const double local_bytes = launch.local_lines * kLineBytes * resident * active;
  share.local_miss = std::max(0.0, 1 - config.l2_spill_share * l2_bytes / std::max(1.0, local_bytes));
  share.run = run;
  return share;
}

Result<LaunchTime> predict(const SampledLaunch& launch, const SmConfig& device,
                           const std::atomic<bool>* cancelled) {
  const SmConfig config = seen_from_sm(launch.deep, device);
  LaunchTime time;
  const auto blocks = launch.deep.block_count();
  const auto sms = static_cast<uint64_t>(config.sms);
  time.blocks_of_busiest_sm = (blocks + sms - 1) / sms;
  time.active_sms = std::min(sms, blocks);
  time.waves = static_cast<double>(blocks) / static_cast<double>(sms) / launch.deep.blocks_per_sm;
  Sum cycles;
  for (uint32_t run = 0; run < static_cast<uint32_t>(config.runs); ++run) {
    const ChipShare share = chip_share(launch.deep, config, run);
    auto sm = run_depths(launch, config, share, time.blocks_of_busiest_sm, time.simulated, cancelled);
    if (!sm) return tl::unexpected(std::move(sm.error()));
    // The first run says how the last blocks are dealt out.
    if (const uint64_t most = blocks_of_busiest_sm(launch.deep, config, sm->wave_ends);
        run == 0 && most > time.blocks_of_busiest_sm) {
      time.blocks_of_busiest_sm = most;
      sm = run_depths(launch, config, share, most, time.simulated, cancelled);
      if (!sm) return tl::unexpected(std::move(sm.error()));
    }
    cycles.add(sm->cycles);
    if (run == 0) time.counters = std::move(sm->counters);
  }
  time.spread = cycles.deviation() / cycles.mean();
  // Chance adds up slower than the waves.
  const double waves_of_busiest =
      std::max(1.0, static_cast<double>(time.blocks_of_busiest_sm) / launch.deep.blocks_per_sm);
  time.cycles = cycles.mean() + config.slowest_sm_spread * cycles.deviation() / std::sqrt(waves_of_busiest);
  const double footprint = launch.deep.footprint_bytes();
  time.dram_cycles =
      footprint / (footprint > config.l2_mib * kMib ? config.dram_bytes_per_cycle() : config.l2_chip_bytes);
  time.atomic_cycles = launch.deep.hot_word_lanes * config.atomic_lane_cycles;
  const double clock_mhz =
      config.clock_mhz * (launch.deep.uses_tensor_cores() ? config.tensor_clock_share : 1);
  const double run_us = std::max({time.cycles, time.dram_cycles, time.atomic_cycles}) / clock_mhz;
  time.milliseconds = std::max(run_us + config.launch_us, config.launch_interval_us) * 1e-3;
  return time;
}

Result<Timeline> make_timeline(const LaunchTrace& launch, const SmConfig& device, uint32_t blocks,
                               const std::atomic<bool>* cancelled) {
  const SmConfig config = seen_from_sm(launch, device);
  Timeline timeline;
  Simulator simulator(launch, config, chip_share(launch, config, 0));
  Result<SmRun> run = simulator.run(blocks, &timeline, cancelled);
  if (!run) return tl::unexpected(std::move(run.error()));
  return timeline;
}

}  // namespace gemmscope::sm
