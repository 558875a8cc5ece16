#include "sm/figures.h"

#include <algorithm>
#include <numeric>

namespace gemmscope::sm {
namespace {

constexpr double kSectorBytes = 32;
constexpr double kMib = 1024 * 1024;

// Cycles that the accesses of a trace take in the data stage and in the load-store unit.
struct AccessCycles {
  double global_data = 0, shared_data = 0, global_lsu = 0, shared_lsu = 0;
};

AccessCycles access_cycles(const LaunchTrace& launch, const SmConfig& config) {
  AccessCycles cycles;
  for (const BlockTrace& block : launch.blocks)
    for (const auto& warp : block.warps)
      for (const IssuedInstruction& issued : warp) {
        const TimedInstruction& instruction = launch.code[issued.instruction];
        if (instruction.unit != Unit::memory) continue;
        const AccessShape& shape = launch.shapes[issued.shape];
        const bool copy = instruction.memory == MemoryOp::async_copy;
        if (instruction.global()) {
          cycles.global_lsu += std::max(config.lsu_interval, shape.lines * config.tag_interval);
          if (!copy) cycles.global_data += shape.data_wavefronts;
        } else {
          cycles.shared_lsu += config.lsu_interval;
        }
        if (!instruction.global() || copy) cycles.shared_data += shape.shared_wavefronts;
      }
  return cycles;
}

double share(double part, double rest) { return part + rest > 0 ? part / (part + rest) : 0; }

// What L2 has lost of a buffer is fetched once by each group of blocks that reads it together, and what is
// stored is written back as far as L2 does not keep it.
void add_dram_bytes(LaunchFigures& f, const LaunchTrace& launch, const ChipShare& chip) {
  for (size_t b = 0; b < std::min(launch.buffers.size(), chip.missing.size()); ++b) {
    const BufferUse& buffer = launch.buffers[b];
    const double rounds = std::max(1.0, buffer.readers / std::max(1.0, buffer.readers_at_once));
    if (buffer.readers > 0) f.dram_read_bytes += rounds * chip.missing[b] * buffer.bytes;
    if (buffer.stored) f.dram_written_bytes += chip.missing[b] * buffer.bytes;
  }
}

}  // namespace

double LaunchFigures::l2_hit_rate() const {
  if (l2_load_sectors <= 0 || blocks_of_busiest_sm == 0) return 0;
  const double sectors =
      l2_load_sectors * static_cast<double>(blocks) / static_cast<double>(blocks_of_busiest_sm);
  return std::clamp(1 - dram_read_bytes / kSectorBytes / sectors, 0.0, 1.0);
}

double LaunchFigures::idle_share() const {
  if (sms == 0 || blocks_of_busiest_sm == 0) return 0;
  return 1 - static_cast<double>(blocks) / static_cast<double>(sms * blocks_of_busiest_sm);
}

LaunchFigures figures_of(const SampledLaunch& launch, const LaunchTime& time, const SmConfig& config) {
  LaunchFigures f;
  const SmCounters& counters = time.counters;
  f.milliseconds = time.milliseconds;
  f.cycles = std::max({1.0, time.cycles, time.atomic_cycles});
  f.atomics = time.atomic_cycles / f.cycles;
  f.instructions = static_cast<double>(counters.issued);
  const double slots = kSubCores * f.cycles;
  f.issue = f.instructions / slots;
  for (size_t k = 0; k < kUnits; ++k) f.pipes[k] = counters.unit_busy[k] / slots;
  f.pipes[static_cast<size_t>(Unit::fma)] +=
      f.pipes[static_cast<size_t>(Unit::fma_heavy)] / config.fma_halves;
  const AccessCycles accesses = access_cycles(launch.deep, config);
  const double global_data = share(accesses.global_data, accesses.shared_data);
  const double global_lsu = share(accesses.global_lsu, accesses.shared_lsu);
  f.global_data = global_data * counters.data_busy / f.cycles;
  f.shared_data = (1 - global_data) * counters.data_busy / f.cycles;
  f.global_lsu = global_lsu * counters.lsu_busy / f.cycles;
  f.shared_lsu = (1 - global_lsu) * counters.lsu_busy / f.cycles;
  f.shared_wavefronts = (1 - global_data) * counters.data_busy / config.wavefront_cycles;
  const ChipShare chip = chip_share(launch.deep, config, 0);
  f.l1_sectors = static_cast<double>(counters.l1_sectors);
  f.l1_hits = static_cast<double>(counters.l1_hits);
  f.l2_load_sectors = static_cast<double>(counters.l2_load_sectors);
  f.store_sectors = static_cast<double>(counters.store_sectors);
  f.l2 = f.l2_load_sectors * kSectorBytes / chip.l2_bytes / f.cycles;
  f.stores = f.store_sectors * kSectorBytes / chip.store_bytes / f.cycles;
  add_dram_bytes(f, launch.deep, chip);
  if (launch.deep.footprint_bytes() > config.l2_mib * kMib)
    f.dram = time.dram_cycles / std::max(f.cycles, time.dram_cycles);
  for (const StallCycles& cycles : counters.stalls)
    for (size_t k = 0; k < kStalls; ++k) f.stalls[k] += cycles[k] / std::max(1.0, f.instructions);
  f.blocks = launch.deep.block_count();
  f.sms = static_cast<uint64_t>(config.sms);
  f.blocks_of_busiest_sm = time.blocks_of_busiest_sm;
  f.waves = time.waves;
  f.blocks_per_sm = launch.deep.blocks_per_sm;
  f.warps_per_block = launch.deep.warps_per_block;
  f.shared_bytes = launch.deep.shared_per_block;
  f.achieved_warps = std::accumulate(f.stalls.begin(), f.stalls.end(), 0.0) * f.instructions / f.cycles;
  return f;
}

}  // namespace gemmscope::sm
