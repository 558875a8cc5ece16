#include "machine/execute/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "machine/checks/global_stores.h"
#include "machine/execute/block.h"

namespace gemmscope::machine {
namespace {

// A block to run again under the exact checks.
struct Suspect {
  uint64_t block;
  SharedChecks::Suspicion suspicion;
  uint64_t branches;
  FaultKind fault;  // what stopped it, or none
};
constexpr size_t kSuspectsPerWorker = 64;
constexpr size_t kEnoughFaulty = 8;  // after so many blocks with findings no more suspects are run again

// What the workers share.
struct SharedRun {
  std::atomic<uint64_t> next{0}, done{0};
  std::atomic<bool> stop{false};
  std::mutex mutex;  // guards what follows
  InstructionCounts counts;
  std::optional<Fault> fault;
  Findings findings;
  std::vector<Suspect> suspects;
};

uint64_t block_total(const Program& program, const GridOptions& options) {
  return options.blocks != nullptr ? options.blocks->size() : program.launch.block_count();
}

// stores: of this thread; null: nothing is recorded.
void work(const Program& program, GlobalMemory& memory, const GridOptions& options, int thread,
          GlobalStores* stores, SharedRun& shared) {
  InstructionCounts counts(program.ops.size());
  BlockLimits limits = options.limits;
  Block block(program, memory, counts, limits);
  block.record_stores(stores);
  Observer* const observer = options.observer_for_thread ? options.observer_for_thread(thread) : nullptr;
  const uint64_t total = block_total(program, options);
  std::optional<Fault> fault;
  std::vector<Suspect> suspects;
  while (!fault && !shared.stop.load(std::memory_order_relaxed)) {
    const uint64_t i = shared.next.fetch_add(1);
    if (i >= total) break;
    const uint64_t number = options.blocks != nullptr ? (*options.blocks)[i] : i;
    fault = block.run(block_at(number, program.launch.grid), Schedule::run_until_blocked, observer);
    if (const SharedChecks::Suspicion* suspicion = block.checks().suspicion();
        suspicion != nullptr && suspects.size() < kSuspectsPerWorker)
      suspects.push_back({number, *suspicion, block.branches(), fault ? fault->kind : FaultKind::none});
    if (!fault && options.after_block) options.after_block(thread, number, counts);
    if (!fault && options.progress) options.progress(shared.done.fetch_add(1) + 1, total);
  }
  const std::lock_guard lock(shared.mutex);
  shared.counts.add(counts);
  shared.findings.add(block.take_findings());
  shared.suspects.insert(shared.suspects.end(), suspects.begin(), suspects.end());
  if (fault && !shared.fault) shared.fault = std::move(fault);
  if (shared.fault) shared.stop = true;
}

Finding unexplained(const Suspect& suspect, const std::array<uint32_t, 3>& block) {
  Finding finding;
  finding.kind = suspect.suspicion.kind;
  finding.instruction = suspect.suspicion.instruction;
  finding.block = block;
  finding.warp = suspect.suspicion.warp;
  finding.address = suspect.suspicion.address;
  finding.what = fmt::format(
      "before this instruction the shared address {:#x} {}; when the block was run again to find the "
      "instructions, it took another path",
      finding.address,
      finding.kind == FindingKind::shared_race
          ? "was accessed by two warps with no barrier between them, one of them writing"
          : "was read before a thread of the block had written to it");
  return finding;
}

// The budget of a block that is run again. One that used up its budget does so at the same branch; any other
// gets more than before, but not without end, since it may take another path.
uint64_t rerun_budget(const Suspect& suspect) {
  return suspect.fault == FaultKind::budget_exhausted ? suspect.branches : 2 * suspect.branches + 1000;
}

// Runs suspects again under the exact checks, on a copy of the memory as the grid left it. A block that takes
// the same number of branches, ends in the same way and shows no mistake has made none.
void check_exactly(const Program& program, const GlobalMemory& memory, const GridOptions& options,
                   std::vector<Suspect>& suspects, Findings& findings) {
  std::sort(suspects.begin(), suspects.end(),
            [](const Suspect& a, const Suspect& b) { return a.block < b.block; });
  GlobalMemory copy = memory;
  InstructionCounts counts(program.ops.size());
  size_t faulty = 0;
  for (const Suspect& suspect : suspects) {
    if (faulty == kEnoughFaulty) return;
    BlockLimits limits = options.limits;
    limits.branch_budget = rerun_budget(suspect);
    Block block(program, copy, counts, limits, CheckMode::exact);
    const std::array<uint32_t, 3> index = block_at(suspect.block, program.launch.grid);
    const std::optional<Fault> fault = block.run(index, Schedule::run_until_blocked, nullptr);
    if (fault && fault->kind == FaultKind::cancelled) return;
    const bool same_end = (fault ? fault->kind : FaultKind::none) == suspect.fault;
    std::vector<Finding> found = block.take_findings();
    std::erase_if(found, [](const Finding& f) {
      return f.kind != FindingKind::shared_race && f.kind != FindingKind::uninitialised_shared;
    });
    if (!found.empty()) {
      ++faulty;
      findings.add(found);
    } else if (!same_end || block.branches() != suspect.branches) {
      findings.add(unexplained(suspect, index));
    }
  }
}

}  // namespace

tl::expected<GridRun, FaultedRun> run_grid(const Program& program, GlobalMemory& memory,
                                           const GridOptions& options) {
  SharedRun shared;
  shared.counts = InstructionCounts(program.ops.size());
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  const uint64_t wanted = options.threads > 0 ? static_cast<uint64_t>(options.threads) : cores;
  const auto threads = static_cast<int>(std::min(wanted, block_total(program, options)));
  std::vector<GlobalStores> stores;  // of each thread; a block alone has none to compare with
  for (int t = 0; t < threads && block_total(program, options) > 1; ++t) stores.emplace_back(memory);
  const auto work_as = [&](int t) {
    work(program, memory, options, t, stores.empty() ? nullptr : &stores[static_cast<size_t>(t)], shared);
  };
  std::vector<std::thread> workers;
  for (int t = 1; t < threads; ++t) workers.emplace_back(work_as, t);
  work_as(0);
  for (std::thread& worker : workers) worker.join();
  const bool cancelled = shared.fault && shared.fault->kind == FaultKind::cancelled;
  if (!cancelled) GlobalStores::compare(stores, program.launch.grid, memory, shared.findings);
  if (!shared.suspects.empty() && !cancelled)
    check_exactly(program, memory, options, shared.suspects, shared.findings);
  if (shared.fault) return tl::unexpected(FaultedRun{std::move(*shared.fault), shared.findings.take()});
  return GridRun{std::move(shared.counts), shared.findings.take()};
}

}  // namespace gemmscope::machine
