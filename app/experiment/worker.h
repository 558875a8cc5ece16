// Runs experiments on its own thread. The UI submits an experiment and takes finished results once a frame;
// it never waits. A new experiment cancels the one that runs. Every update carries the generation of its
// experiment, and the receiver drops those that are older than the last one it submitted.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "experiment/code_offer.h"
#include "experiment/devices.h"
#include "experiment/model_result.h"
#include "experiment/results.h"

namespace gemmscope::experiment {

enum class Stage : uint8_t { compile, schedule, block, model, grid };

struct Progress {
  Stage stage = Stage::compile;
  double fraction = 0;
};
struct StageFailure {
  Stage stage = Stage::compile;
  Failure failure;
};
// The whole grid is not executed, because that would take too long and it cannot be sampled.
struct GridSkipped {
  double instructions = 0;  // warp instructions, estimated
  std::string why;          // why it cannot be sampled
};
// What can be chosen without NVRTC; comes first. With NVRTC there is none.
using Offer = std::shared_ptr<const CodeOffer>;
struct Update {
  uint64_t generation = 0;
  std::variant<Progress, Offer, std::shared_ptr<const CompiledKernel>, std::shared_ptr<const BlockResult>,
               std::shared_ptr<const GridResult>, GridSkipped, std::shared_ptr<const ModelResult>,
               std::shared_ptr<const ModelledTime>, NotModelled, std::shared_ptr<const BitsCompared>,
               StageFailure>
      what;
};

struct Job {
  Experiment experiment;
  catalog::Kernel kernel;          // a copy: the file may change meanwhile
  bool whole_grid_anyway = false;  // executes every block, however long it takes
  // The machine code if it was already compiled for the same kernel, sizes and toggles; null: compile it.
  std::shared_ptr<const CompiledKernel> compiled;
  std::string device;  // whose SM the model is of, an id; empty: by the architecture
};

// A grid with more warp instructions than this (about ten seconds on one core) is sampled, and executed in
// full only on request.
inline constexpr double kAutomaticGridInstructions = 5e8;

class Worker {
 public:
  // `wake` is called from the worker's thread when there is something to take.
  explicit Worker(std::function<void()> wake);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  uint64_t submit(Job job);  // returns its generation; never waits
  // Ends what runs as soon as it can be ended, and drops what waits; a compiler goes on to its end, for
  // nothing. Returns a generation that no update has.
  uint64_t cancel();
  std::vector<Update> take();
  bool busy() const { return busy_.load(); }

 private:
  void loop();
  void run(const Job& job, uint64_t generation);
  void post_offer(const Job& job, uint64_t generation);
  std::shared_ptr<const TimingSample> run_model(const BlockResult& block, const Job& job,
                                                uint64_t generation);
  void run_grid(const std::shared_ptr<const CompiledKernel>& compiled, const Job& job, double instructions,
                uint64_t generation);
  void compare_bits(const std::shared_ptr<const CompiledKernel>& compiled, const Job& job,
                    double instructions, uint64_t generation);
  int threads() const;
  void post(uint64_t generation, decltype(Update::what) what);

  std::function<void()> wake_;
  std::optional<sm::DeviceList> devices_;  // read when they are first asked for
  Offer offer_;                            // of the last job
  std::mutex mutex_;                       // guards the five below
  std::condition_variable ready_;
  std::optional<Job> next_;
  std::vector<Update> updates_;
  bool stopping_ = false, running_ = false;
  std::atomic<uint64_t> generation_{0};
  std::atomic<bool> cancelled_{false}, busy_{false};
  std::thread thread_;
};

}  // namespace gemmscope::experiment
