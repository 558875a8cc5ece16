#include "sm/predict.h"

#include <algorithm>
#include <cmath>

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
  BusiestSm result{run->cycles, std::move(run->counters)};
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

// The share of the loads that wait for DRAM, where L2 does not hold the data. Blocks that share lines take
// turns at waiting: with many of them most find what another has fetched.
double waiting_share(const LaunchTrace& launch, const SmConfig& config) {
  const auto blocks = static_cast<double>(launch.block_count());
  if (launch.loaded_bytes <= 0 || launch.loaded_lines <= 0) return 1;
  const double at_once = std::min(blocks, config.sms * launch.blocks_per_sm);
  const double readers =
      blocks * launch.loaded_lines * kLineBytes / launch.loaded_bytes * std::sqrt(at_once / blocks);
  return std::min(1.0, std::pow(config.dram_readers / readers, config.dram_readers_power));
}

}  // namespace

uint64_t blocks_of_busiest_sm(const LaunchTrace& launch, const SmConfig& config) {
  const uint64_t blocks = launch.block_count(), sms = static_cast<uint64_t>(config.sms);
  const auto resident = static_cast<uint64_t>(launch.blocks_per_sm);
  const uint64_t even = (blocks + sms - 1) / sms;
  const uint64_t waves = blocks / (sms * resident), rest = blocks % (sms * resident);
  if (waves == 0 || rest == 0) return even;
  const auto grabbed =
      static_cast<uint64_t>(std::ceil(config.last_wave_share * static_cast<double>(resident)));
  return std::max(even, waves * resident + std::min(rest, grabbed));
}

ChipShare chip_share(const LaunchTrace& launch, const SmConfig& config, double footprint_bytes,
                     uint32_t run) {
  const double active = std::min(config.sms, static_cast<double>(launch.block_count()));
  const double l2_bytes = config.l2_mib * kMib;
  ChipShare share;
  share.l2_bytes = std::min(config.l2_sm_bytes, config.l2_chip_bytes / active);
  share.store_bytes = std::min(config.store_sm_bytes, config.store_chip_bytes / active);
  share.line_store_bytes = std::min(config.store_sm_bytes, config.store_chip_line_bytes / active);
  // Data that all SMs share is held once in each partition of L2, so half of L2 is what a launch finds again.
  const double missing = std::clamp(
      (footprint_bytes / kMib - config.l2_shared_mib) / (config.l2_mib - config.l2_shared_mib), 0.0, 1.0);
  share.dram_latency = config.dram_latency * missing * waiting_share(launch, config);
  share.load_latency = config.l2_load_latency * active / config.sms;
  share.dram_bytes = config.dram_bytes_per_cycle() / active;
  const double resident = std::min(static_cast<double>(launch.blocks_per_sm),
                                   std::ceil(static_cast<double>(launch.block_count()) / config.sms));
  const double local_bytes = launch.local_lines * kLineBytes * resident * active;
  if (local_bytes > l2_bytes) share.local_miss = 1 - l2_bytes / local_bytes;
  share.run = run;
  return share;
}

Result<LaunchTime> predict(const SampledLaunch& launch, const SmConfig& config,
                           const std::atomic<bool>* cancelled) {
  LaunchTime time;
  const auto blocks = launch.deep.block_count();
  const auto sms = static_cast<uint64_t>(config.sms);
  time.blocks_of_busiest_sm = blocks_of_busiest_sm(launch.deep, config);
  time.active_sms = std::min(sms, blocks);
  time.waves = static_cast<double>(blocks) / static_cast<double>(sms) / launch.deep.blocks_per_sm;
  Sum cycles;
  for (uint32_t run = 0; run < static_cast<uint32_t>(config.runs); ++run) {
    const ChipShare share = chip_share(launch.deep, config, launch.footprint_bytes, run);
    auto sm = run_depths(launch, config, share, time.blocks_of_busiest_sm, time.simulated, cancelled);
    if (!sm) return tl::unexpected(std::move(sm.error()));
    cycles.add(sm->cycles);
    if (run == 0) time.counters = std::move(sm->counters);
  }
  time.spread = cycles.deviation() / cycles.mean();
  // Chance adds up slower than the waves.
  const double waves_of_busiest =
      std::max(1.0, static_cast<double>(time.blocks_of_busiest_sm) / launch.deep.blocks_per_sm);
  time.cycles = cycles.mean() + config.slowest_sm_spread * cycles.deviation() / std::sqrt(waves_of_busiest);
  time.dram_cycles =
      launch.footprint_bytes /
      (launch.footprint_bytes > config.l2_mib * kMib ? config.dram_bytes_per_cycle() : config.l2_chip_bytes);
  time.milliseconds = std::max(time.cycles, time.dram_cycles) / (config.clock_mhz * 1e3) +
                      (launch.deep.register_share > 0.5 ? config.full_launch_us : config.launch_us) * 1e-3;
  return time;
}

Result<Timeline> make_timeline(const LaunchTrace& launch, const SmConfig& config, double footprint_bytes,
                               uint32_t blocks, const std::atomic<bool>* cancelled) {
  Timeline timeline;
  Simulator simulator(launch, config, chip_share(launch, config, footprint_bytes, 0));
  Result<SmRun> run = simulator.run(blocks, &timeline, cancelled);
  if (!run) return tl::unexpected(std::move(run.error()));
  return timeline;
}

}  // namespace gemmscope::sm
