#include "machine/grid.h"

#include <fmt/format.h>

#include <atomic>
#include <filesystem>
#include <mutex>
#include <thread>

#include "isa/disassemble.h"

namespace gemmscope::machine {
namespace {

// What the workers share.
struct SharedRun {
  std::atomic<uint64_t> next{0}, done{0};
  std::atomic<bool> stop{false};
  std::mutex mutex;  // guards the two below
  InstructionCounts counts;
  std::optional<Fault> fault;
};

uint64_t block_total(const Program& program, const GridOptions& options) {
  return options.blocks != nullptr ? options.blocks->size() : program.launch.block_count();
}

void work(const Program& program, GlobalMemory& memory, const GridOptions& options, int thread,
          SharedRun& shared) {
  InstructionCounts counts(program.ops.size());
  BlockLimits limits = options.limits;
  Block block(program, memory, counts, limits);
  Observer* const observer = options.observer_for_thread ? options.observer_for_thread(thread) : nullptr;
  const uint64_t total = block_total(program, options);
  std::optional<Fault> fault;
  while (!fault && !shared.stop.load(std::memory_order_relaxed)) {
    const uint64_t i = shared.next.fetch_add(1);
    if (i >= total) break;
    const uint64_t number = options.blocks != nullptr ? (*options.blocks)[i] : i;
    fault = block.run(block_at(number, program.launch.grid), Schedule::run_until_blocked, observer);
    if (!fault && options.after_block) options.after_block(thread, number, counts);
    if (!fault && options.progress) options.progress(shared.done.fetch_add(1) + 1, total);
  }
  const std::lock_guard lock(shared.mutex);
  shared.counts.add(counts);
  if (fault && !shared.fault) shared.fault = std::move(fault);
  if (shared.fault) shared.stop = true;
}

}  // namespace

std::array<uint32_t, 3> block_at(uint64_t number, const std::array<uint32_t, 3>& grid) {
  return {static_cast<uint32_t>(number % grid[0]), static_cast<uint32_t>(number / grid[0] % grid[1]),
          static_cast<uint32_t>(number / (static_cast<uint64_t>(grid[0]) * grid[1]))};
}

tl::expected<GridRun, Fault> run_grid(const Program& program, GlobalMemory& memory,
                                      const GridOptions& options) {
  SharedRun shared;
  shared.counts = InstructionCounts(program.ops.size());
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  const uint64_t wanted = options.threads > 0 ? static_cast<uint64_t>(options.threads) : cores;
  const auto threads = static_cast<int>(std::min(wanted, block_total(program, options)));
  std::vector<std::thread> workers;
  for (int t = 1; t < threads; ++t)
    workers.emplace_back([&, t] { work(program, memory, options, t, shared); });
  work(program, memory, options, 0, shared);
  for (std::thread& worker : workers) worker.join();
  if (shared.fault) return tl::unexpected(*shared.fault);
  return GridRun{std::move(shared.counts), {}};
}

std::string describe_fault(const Fault& fault, const Program& program, const cubin::Cubin& cubin,
                           const cubin::KernelCode& kernel) {
  std::string place;
  if (fault.warp >= 0 && fault.instruction < program.instructions.size()) {
    const isa::Instruction& instruction = program.instructions[fault.instruction];
    if (const cubin::LineEntry* line = cubin::line_at(kernel, instruction.address);
        line != nullptr && line->file < cubin.files.size())
      place = fmt::format("{}:{}: ", std::filesystem::path(cubin.files[line->file]).filename().string(),
                          line->line);
    place += fmt::format("{} at {:#x}: ", isa::disassemble(instruction), instruction.address);
  }
  std::string who = fmt::format("block ({}, {}, {})", fault.block[0], fault.block[1], fault.block[2]);
  if (fault.warp >= 0) who += fmt::format(", warp {}", fault.warp);
  if (fault.lane >= 0) who += fmt::format(", lane {}", fault.lane);
  return fmt::format("{}{} ({})", place, fault.what, who);
}

}  // namespace gemmscope::machine
