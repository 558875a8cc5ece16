// Runs as many combinations of the workbench's toggles as ten minutes allow, on a real GPU, and compares with
// float64: first a sample that contains every three values of any three toggles, then the combinations of
// those that interact. GEMMSCOPE_WORKBENCH_SECONDS is the time for all (default 540),
// GEMMSCOPE_WORKBENCH_THREADS how many compile at once (default: one per core).
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <iostream>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <thread>

#include "../experiment/toggle_space.h"
#include "compile/compiler.h"
#include "cubin/cubin.h"
#include "device.h"
#include "experiment/pipeline.h"
#include "experiment/verify.h"
#include "launches.h"

namespace gemmscope::gpu {
namespace {

using experiment::Combination;
using experiment::ToggleSpace;

// The sizes are ragged in all directions and in both kinds of rows, with several tiles along k.
constexpr catalog::Problem kProblem = {273, 390, 38, 1.25f, 0.5f};
constexpr size_t kAhead = 64;  // combinations that may be compiled but not run yet

double setting(const char* name, double otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : std::atof(value);
}

// Compiles combinations in parallel and returns them in the order of completion.
class Compilers {
 public:
  struct Item {
    size_t index = 0;
    std::shared_ptr<const experiment::CompiledKernel> compiled;
    std::string failure;
  };

  Compilers(const catalog::Kernel& kernel, const ToggleSpace& space, isa::Arch arch,
            const std::vector<Combination>& combinations, int threads)
      : kernel_(kernel), space_(space), arch_(arch), combinations_(combinations) {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  }
  ~Compilers() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    room_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  // Returns nothing once all have been returned.
  std::optional<Item> take() {
    std::unique_lock lock(mutex_);
    if (taken_ == combinations_.size()) return std::nullopt;
    ready_.wait(lock, [&] { return !done_.empty(); });
    Item item = std::move(done_.front());
    done_.pop_front();
    ++taken_;
    room_.notify_one();
    return item;
  }

 private:
  void work() {
    for (;;) {
      size_t index = 0;
      {
        std::unique_lock lock(mutex_);
        room_.wait(lock, [&] { return stopped_ || done_.size() < kAhead; });
        if (stopped_ || next_ == combinations_.size()) return;
        index = next_++;
      }
      experiment::Experiment e;
      e.kernel = kernel_.id;
      e.problem = kProblem;
      e.arch = arch_;
      e.toggles = space_.toggles_of(combinations_[index]);
      const auto compiled = experiment::compile_kernel(kernel_, e);
      Item item{index, compiled.value_or(nullptr), compiled ? "" : compiled.error().message};
      const std::lock_guard lock(mutex_);
      done_.push_back(std::move(item));
      ready_.notify_one();
    }
  }

  const catalog::Kernel& kernel_;
  const ToggleSpace& space_;
  const isa::Arch arch_;
  const std::vector<Combination>& combinations_;
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable ready_, room_;
  std::deque<Item> done_;
  size_t next_ = 0, taken_ = 0;
  bool stopped_ = false;
};

// Thousands of cubins must not fill the user's cache.
class OwnCache {
 public:
  OwnCache() : folder_(std::filesystem::path(testing::TempDir()) / fmt::format("workbench_{}", getpid())) {
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
  }
  ~OwnCache() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

 private:
  std::filesystem::path folder_;
};

class Workbench : public OnGpu {
 protected:
  void SetUp() override {
    OnGpu::SetUp();
    if (IsSkipped()) return;
    if (!compile::nvrtc_version()) GTEST_SKIP() << compile::nvrtc_version().error().message;
    const auto kernel = catalog::read_kernel(catalog::kernels_folder() / "workbench" / "workbench.cu");
    ASSERT_TRUE(kernel.has_value()) << kernel.error().message;
    kernel_ = *kernel;
    static const auto start = std::chrono::steady_clock::now();  // one budget for the whole program
    deadline_ = start + std::chrono::milliseconds(
                            static_cast<int64_t>(1e3 * setting("GEMMSCOPE_WORKBENCH_SECONDS", 540)));
  }

  // Returns what is wrong with the GPU's C; empty if it is right.
  std::string run(const Compilers::Item& item) const {
    if (item.compiled == nullptr) return item.failure;
    const Outcome<RunReply> reply = device().client->run(run_request(*item.compiled, kProblem));
    if (!reply) return reply.error().message;
    if (!reply->outside_writes.empty()) return "it writes beside a matrix";
    if (reply->buffers.size() != 1) return "no C came back";
    const auto verification = experiment::verify_gemm(kProblem, experiment::as_floats(reply->buffers[0]));
    return verification.right() ? "" : fmt::format("{} elements are wrong", verification.wrong_elements);
  }

  // Runs as many as the time allows, in this order, and returns their number.
  size_t run_all(const ToggleSpace& space, const std::vector<Combination>& combinations) const {
    const auto cores = static_cast<double>(std::max(1u, std::thread::hardware_concurrency()));
    Compilers compilers(kernel_, space, arch_, combinations,
                        static_cast<int>(setting("GEMMSCOPE_WORKBENCH_THREADS", cores)));
    size_t count = 0, wrong = 0;
    while (const auto item = compilers.take()) {
      const std::string failure = run(*item);
      ++count;
      if (!failure.empty()) {
        ADD_FAILURE() << space.text_of(combinations[item->index]) << ": " << failure;
        if (++wrong == 20) break;  // the rest would say the same
      }
      if (std::chrono::steady_clock::now() > deadline_) break;
    }
    std::cout << fmt::format("{} of {} combinations were run, {} right\n", count, combinations.size(),
                             count - wrong);
    return count;
  }

  OwnCache cache_;
  catalog::Kernel kernel_;
  std::chrono::steady_clock::time_point deadline_;
};

TEST_F(Workbench, EveryCombinationOfThreeValuesIsRight) {
  const ToggleSpace space(kernel_, kProblem, isa::sm_number(arch_));
  std::cout << fmt::format("{}: {} of {} combinations are legal\n", device().facts->name, space.count_legal(),
                           space.count_all());
  const std::vector<Combination> sample = space.covering(3, 1);
  EXPECT_EQ(run_all(space, sample), sample.size()) << "the time was over; GEMMSCOPE_WORKBENCH_SECONDS";
}

// Draws from their whole product, as many as the time allows.
TEST_F(Workbench, InteractingTogglesAreRightTogether) {
  const ToggleSpace space(kernel_, kProblem, isa::sm_number(arch_));
  Combination fixed = space.defaults();
  for (const char* name : {"BLOCK_M", "BLOCK_N", "BLOCK_K", "LANES_M", "THREAD_M", "THREAD_N", "VECTOR",
                           "A_LAYOUT", "PAD", "SWIZZLE", "REGISTER_BUFFERS", "PREFETCH", "STAGES"}) {
    ASSERT_LT(space.index_of(name), space.toggle_count()) << name;
    fixed[space.index_of(name)] = ToggleSpace::kUnset;
  }
  std::cout << fmt::format("{} legal combinations of tiles, layout, buffers and stages\n",
                           space.count_legal(fixed));
  constexpr size_t kMost = 20'000;  // more than ten minutes allow
  std::mt19937_64 random(1);
  std::set<Combination> drawn;
  std::vector<Combination> combinations;
  while (combinations.size() < kMost) {
    Combination combination = space.random_legal(fixed, random);
    if (drawn.insert(combination).second) combinations.push_back(std::move(combination));
  }
  EXPECT_GT(run_all(space, combinations), 100u);
}

}  // namespace
}  // namespace gemmscope::gpu
