// Uses the worker as the window does: it submits jobs, takes finished results, and never waits.
#include "experiment/worker.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

#include "ladder_run.h"

namespace gemmscope::experiment {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
constexpr auto kPatience =
    60s;  // for slow machines and sanitizers; a passing test needs a fraction of a second

// Waits and wakes as a window's event loop does.
class Inbox {
 public:
  void wake() {
    {
      const std::lock_guard lock(mutex_);
      awake_ = true;
    }
    changed_.notify_one();
  }
  // Takes updates until `done` returns true for one, which is the last one returned. Fails if none comes for
  // kPatience, so a job may run long while it makes progress.
  std::vector<Update> take_until(Worker& worker, const std::function<bool(const Update&)>& done) {
    std::vector<Update> all;
    for (;;) {
      for (Update& update : worker.take()) {
        all.push_back(std::move(update));
        if (done(all.back())) return all;
      }
      std::unique_lock lock(mutex_);
      if (!changed_.wait_for(lock, kPatience, [this] { return awake_; })) {
        ADD_FAILURE() << "the worker did not get to it in time";
        return all;
      }
      awake_ = false;
    }
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool awake_ = false;
};

template <typename T>
bool is(const Update& update) {
  return std::holds_alternative<T>(update.what);
}
template <typename T>
const T& as(const Update& update) {
  return std::get<T>(update.what);
}
using CompiledUpdate = std::shared_ptr<const CompiledKernel>;
using BlockUpdate = std::shared_ptr<const BlockResult>;
using TimeUpdate = std::shared_ptr<const ModelledTime>;
using GridUpdate = std::shared_ptr<const GridResult>;
bool is_last(const Update& update) {
  return is<GridUpdate>(update) || is<GridSkipped>(update) || is<StageFailure>(update);
}

Job job_on(const std::string& kernel, const catalog::Problem& problem) {
  Job job;
  job.experiment = experiment_on(kernel, isa::Arch::sm_86, problem);
  job.kernel = *ladder().find(kernel);
  return job;
}

class WorkerTest : public testing::Test {
 protected:
  Inbox inbox_;
  Worker worker_{[this] { inbox_.wake(); }};

  std::vector<Update> run(Job job) {
    const uint64_t generation = worker_.submit(std::move(job));
    return inbox_.take_until(worker_,
                             [=](const Update& u) { return u.generation == generation && is_last(u); });
  }
  void wait_until_idle() {
    const auto deadline = Clock::now() + kPatience;
    while (worker_.busy() && Clock::now() < deadline) std::this_thread::sleep_for(1ms);
    EXPECT_FALSE(worker_.busy());
  }
};

TEST_F(WorkerTest, DeliversCodeThenBlockThenModelThenGrid) {
  const std::vector<Update> updates = run(job_on("01_naive_rows", {64, 64, 64}));
  std::vector<int> kinds;
  for (const Update& u : updates) {
    EXPECT_EQ(u.generation, 1u);
    if (!is<Progress>(u) && !is<Offer>(u)) kinds.push_back(static_cast<int>(u.what.index()));
  }
  EXPECT_EQ(kinds, (std::vector<int>{2, 3, 6, 4}));
  EXPECT_TRUE(as<GridUpdate>(updates.back())->verification.right());
  EXPECT_EQ(as<Progress>(updates.front()).stage, Stage::compile);
  wait_until_idle();
  for (const Update& u : worker_.take()) EXPECT_TRUE(is<TimeUpdate>(u)) << u.what.index();
}

TEST_F(WorkerTest, ReusesCodeThatComesWithTheJob) {
  Job job = job_on("01_naive_rows", {64, 64, 64});
  job.compiled = compile_ladder(job.experiment);
  const std::vector<Update> updates = run(job);
  for (const Update& u : updates) EXPECT_FALSE(is<CompiledUpdate>(u));
  EXPECT_EQ(as<GridUpdate>(updates.back())->compiled, job.compiled);
}

// A newer job replaces a long one, and nothing of the older one arrives after the submission.
TEST_F(WorkerTest, ANewerExperimentDropsTheOlder) {
  Job big = job_on("01_naive_rows", {2048, 2048, 2048});
  big.whole_grid_anyway = true;  // minutes
  const uint64_t old_generation = worker_.submit(big);
  inbox_.take_until(worker_,
                    [](const Update& u) { return is<Progress>(u) && as<Progress>(u).stage == Stage::grid; });
  EXPECT_TRUE(worker_.busy());
  const uint64_t generation = worker_.submit(job_on("07_register_tile", {64, 64, 64}));
  EXPECT_GT(generation, old_generation);
  worker_.take();  // what the older job posted before
  const std::vector<Update> updates = inbox_.take_until(worker_, is_last);
  for (const Update& u : updates) EXPECT_EQ(u.generation, generation);
  ASSERT_TRUE(is<GridUpdate>(updates.back()));
  EXPECT_EQ(as<GridUpdate>(updates.back())->compiled->kernel.id, "07_register_tile");
  wait_until_idle();
}

// A compile cannot be interrupted, but its result is dropped if a newer job was submitted.
TEST_F(WorkerTest, ACompileThatEndsTooLateIsDropped) {
  if (!has_nvrtc()) GTEST_SKIP() << compile::nvrtc_version().error().message;
  Job slow = job_on("11_prefetch", {64, 64, 64});
  slow.kernel.source +=
      fmt::format("// {}: not in the compile cache\n", Clock::now().time_since_epoch().count());
  worker_.submit(slow);
  inbox_.take_until(worker_, [](const Update& u) { return is<Progress>(u); });
  const uint64_t generation = worker_.submit(job_on("01_naive_rows", {64, 64, 64}));
  worker_.take();
  for (const Update& u : inbox_.take_until(worker_, is_last)) EXPECT_EQ(u.generation, generation);
}

TEST_F(WorkerTest, OfManyQuickSubmissionsTheLastOneWins) {
  uint64_t last = 0;
  for (int64_t m = 1; m <= 50; ++m) last = worker_.submit(job_on("01_naive_rows", {m, 16, 16}));
  const std::vector<Update> updates =
      inbox_.take_until(worker_, [=](const Update& u) { return u.generation == last && is_last(u); });
  ASSERT_TRUE(is<GridUpdate>(updates.back()));
  EXPECT_EQ(as<GridUpdate>(updates.back())->counters.executed.warps[0],
            8u * 4);  // 50 rows: 4 blocks of 8 warps
  wait_until_idle();
  for (const Update& u : worker_.take()) EXPECT_TRUE(is<TimeUpdate>(u)) << u.what.index();
}

TEST_F(WorkerTest, DestroyingItStopsALongJob) {
  auto worker = std::make_unique<Worker>([this] { inbox_.wake(); });
  Job big = job_on("01_naive_rows", {2048, 2048, 2048});
  big.whole_grid_anyway = true;
  worker->submit(big);
  inbox_.take_until(*worker,
                    [](const Update& u) { return is<Progress>(u) && as<Progress>(u).stage == Stage::grid; });
  const auto start = Clock::now();
  worker.reset();
  EXPECT_LT(Clock::now() - start, 10s);
}

TEST_F(WorkerTest, ALongGridIsASumOverClassesOfBlocks) {
  const std::vector<Update> updates = run(job_on("07_register_tile", {2048, 2048, 4096}));
  ASSERT_TRUE(is<GridUpdate>(updates.back()));
  const GridResult& grid = *as<GridUpdate>(updates.back());
  EXPECT_EQ(grid.coverage.classes, 9u);
  EXPECT_EQ(grid.coverage.blocks, 256u);
  EXPECT_FALSE(grid.verification.checked());
  EXPECT_EQ(grid.summary.traffic.global_store.sectors, 2048u * 2048 / 8);
}

// The address of one load depends on data, so classes of blocks cannot be used.
TEST_F(WorkerTest, ALongGridWithoutClassesIsOnlyRunOnRequest) {
  if (!has_nvrtc()) GTEST_SKIP() << compile::nvrtc_version().error().message;
  Job job = job_on("01_naive_rows", {2048, 2048, 2048});
  const size_t load = job.kernel.source.find("a[k] *");
  ASSERT_NE(load, std::string::npos);
  job.kernel.source.replace(load, 6, "a[a[k] > 2.0f ? 0 : k] *");
  const std::vector<Update> updates = run(job);
  ASSERT_TRUE(is<GridSkipped>(updates.back()));
  const auto& skipped = as<GridSkipped>(updates.back());
  EXPECT_NE(skipped.why.find("its address depends on values in memory"), std::string::npos) << skipped.why;
  // One FFMA for each of 2048^3 products, 32 per warp instruction, and the loads and loop counting around
  // them.
  const double ffma = 2048.0 * 2048 * 2048 / 32;
  EXPECT_GT(skipped.instructions, 3 * ffma);
  EXPECT_LT(skipped.instructions, 30 * ffma);
  for (const Update& u : updates) EXPECT_FALSE(is<GridUpdate>(u));
}

TEST_F(WorkerTest, ACompileErrorArrivesWithItsPlace) {
  if (!has_nvrtc()) GTEST_SKIP() << compile::nvrtc_version().error().message;
  Job job = job_on("01_naive_rows", {64, 64, 64});
  const size_t sum = job.kernel.source.find("float sum = 0.0f;");
  ASSERT_NE(sum, std::string::npos);
  job.kernel.source.replace(sum, 17, "float sum = nonsense;");
  const std::vector<Update> updates = run(job);
  ASSERT_TRUE(is<StageFailure>(updates.back()));
  const StageFailure& failure = as<StageFailure>(updates.back());
  EXPECT_EQ(failure.stage, Stage::compile);
  EXPECT_NE(failure.failure.message, "");
  ASSERT_FALSE(failure.failure.diagnostics.empty());
  const auto lines = 1 + std::count(job.kernel.source.begin(),
                                    job.kernel.source.begin() + static_cast<ptrdiff_t>(sum), '\n');
  EXPECT_EQ(failure.failure.diagnostics[0].line, lines);
  EXPECT_NE(failure.failure.diagnostics[0].message.find("nonsense"), std::string::npos);
}

TEST_F(WorkerTest, ALaunchThatIsNotPossibleIsACompileStageFailure) {
  const std::vector<Update> updates = run(job_on("01_naive_rows", {0, 64, 64}));
  ASSERT_TRUE(is<StageFailure>(updates.back()));
  EXPECT_EQ(as<StageFailure>(updates.back()).stage, Stage::compile);
}

TEST_F(WorkerTest, ABlockOutsideTheGridFailsItsStage) {
  Job job = job_on("01_naive_rows", {64, 64, 64});
  job.experiment.block = {4, 0, 0};
  const std::vector<Update> updates = run(job);
  ASSERT_TRUE(is<StageFailure>(updates.back()));
  EXPECT_EQ(as<StageFailure>(updates.back()).stage, Stage::block);
  EXPECT_NE(as<StageFailure>(updates.back()).failure.message.find("(4, 0, 0)"), std::string::npos);
}

// Only the last block faults: the traced block succeeds, the grid fails.
TEST_F(WorkerTest, AFaultOfTheKernelNamesItsPlace) {
  if (!has_nvrtc()) GTEST_SKIP() << compile::nvrtc_version().error().message;
  Job job = job_on("01_naive_rows", {64, 64, 64});
  const std::string_view right = "if (row >= M || column >= N) return;";
  const size_t condition = job.kernel.source.find(right);
  ASSERT_NE(condition, std::string::npos);
  job.kernel.source.replace(condition, right.size(), "if (row > M || column >= N) return;");
  job.experiment.problem = {63, 64, 64};
  const std::vector<Update> updates = run(job);
  ASSERT_TRUE(is<StageFailure>(updates.back()));
  const StageFailure& failure = as<StageFailure>(updates.back());
  EXPECT_EQ(failure.stage, Stage::grid);
  for (const char* part : {"01_naive_rows.cu:", "at 0x", "block (3, ", "warp ", "lane 15", "past the end of"})
    EXPECT_NE(failure.failure.message.find(part), std::string::npos)
        << part << " is not in: " << failure.failure.message;
}

TEST_F(WorkerTest, GoesOnAfterAFailure) {
  run(job_on("01_naive_rows", {0, 64, 64}));
  const std::vector<Update> updates = run(job_on("01_naive_rows", {64, 64, 64}));
  EXPECT_TRUE(is<GridUpdate>(updates.back()));
}

}  // namespace
}  // namespace gemmscope::experiment
