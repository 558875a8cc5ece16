#include "experiment/lattice_run.h"

#include <chrono>
#include <mutex>
#include <numeric>
#include <thread>

#include "base/byte_cache.h"
#include "experiment/kept_bytes.h"
#include "experiment/model_report.h"
#include "experiment/pipeline.h"

namespace gemmscope::experiment {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// What a point's result depends on besides its toggles.
std::string context_of(const LatticeRequest& request) {
  const Experiment& e = request.around;
  std::string key = fmt::format("{} {} {} {} {} {} {}\n", request.kernel.id, e.problem.m, e.problem.n,
                                e.problem.k, e.problem.beta, isa::sm_number(e.arch), request.device.id);
  for (const sm::Parameter& parameter : sm::parameters())
    key += fmt::format(" {}", request.device.*parameter.value);
  for (const auto& [name, value] : e.inputs) key += fmt::format("{}={} ", name, value);
  return key + request.kernel.source;
}

std::string toggles_key(const std::map<std::string, int64_t>& toggles) {
  std::string key;
  for (const auto& [name, value] : toggles) key += fmt::format("{}={} ", name, value);
  return key;
}

void add_bytes(std::string& key, const void* data, size_t bytes) {
  key.append(static_cast<const char*>(data), bytes);
}

// Points with the same key run the same machine code on the same data. The line table is not part of it.
std::string code_key(const CompiledKernel& compiled, const std::map<std::string, int64_t>& toggles) {
  std::string key;
  for (const LaunchPart& part : compiled.parts) {
    const cubin::KernelCode& code = compiled.cubin.kernels[part.code_index];
    const catalog::Launch& l = part.launch;
    key += fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} ", code.words.size(), code.registers,
                       code.static_shared_bytes, code.stack_bytes, code.barriers, l.dynamic_shared_bytes,
                       l.grid[0], l.grid[1], l.grid[2], l.block[0], l.block[1], l.block[2]);
    add_bytes(key, code.words.data(), code.words.size() * sizeof(code.words[0]));
    add_bytes(key, code.constant2.data(), code.constant2.size());
  }
  // Declared parameters are expressions, which may name toggles.
  if (!compiled.kernel.parameters.empty()) key += toggles_key(toggles);
  return key;
}

// Of all blocks of all launches, each at its own depth.
double excess_wavefronts(const TimingSample& sample) {
  double total = 0;
  for (const sm::SampledLaunch& launch : sample.launches) {
    double block = launch.deep.shared_excess();
    if (launch.deep_depth > launch.shallow_depth)
      block += (launch.depth - launch.deep_depth) * (block - launch.shallow.shared_excess()) /
               (launch.deep_depth - launch.shallow_depth);
    total += block * static_cast<double>(launch.deep.block_count());
  }
  return total;
}

void take_report(LatticeEntry& entry, const ModelReport& report) {
  const sm::LaunchFigures& figures = report.longest().figures;
  entry.milliseconds = report.milliseconds();
  entry.registers = figures.registers;
  entry.blocks_per_sm = figures.blocks_per_sm;
  entry.occupancy = figures.most_warps > 0 ? figures.achieved_warps / figures.most_warps : 0;
  entry.excess_wavefronts = excess_wavefronts(*report.sample);
  entry.figures = std::make_shared<sm::LaunchFigures>(figures);
}

void take_result(LatticeEntry& entry, const LatticeEntry& known) {
  LatticePoint point = std::move(entry.point);
  entry = known;
  entry.point = std::move(point);
  entry.computed = true;
}

}  // namespace

// An entry is kept twice: by its toggles, and by its machine code, which other toggles may give as well.
struct LatticeMemory::State {
  explicit State(size_t most_bytes) : by_toggles(most_bytes / 4), by_code(most_bytes - most_bytes / 4) {}

  std::mutex mutex;  // guards all
  std::string context;
  ByteCache<LatticeEntry> by_toggles, by_code;  // the keys of the second are whole kernels

  std::optional<LatticeEntry> find_code(const std::string& key) {
    const std::lock_guard lock(mutex);
    const LatticeEntry* found = by_code.find(key);
    return found == nullptr ? std::nullopt : std::optional(*found);
  }
};

namespace {

size_t bytes_of(const LatticeEntry& entry) {
  size_t bytes = sizeof(LatticeEntry) + entry.point.changes.size() * sizeof(ToggleChange) +
                 entry.point.name.size() + entry.trouble.size();
  for (const auto& [name, value] : entry.point.toggles) bytes += kMapNodeBytes + name.size() + sizeof(value);
  return bytes + (entry.figures == nullptr ? 0 : sizeof(*entry.figures));
}

}  // namespace

LatticeMemory::LatticeMemory(size_t most_bytes) : state_(std::make_unique<State>(most_bytes)) {}
LatticeMemory::~LatticeMemory() = default;

void LatticeMemory::prepare(const LatticeRequest& request) {
  std::string context = context_of(request);
  const std::lock_guard lock(state_->mutex);
  if (context == state_->context) return;
  state_->context = std::move(context);
  state_->by_toggles.clear();
  state_->by_code.clear();
}

bool LatticeMemory::recall(LatticeEntry& entry) const {
  const std::lock_guard lock(state_->mutex);
  const LatticeEntry* found = state_->by_toggles.find(toggles_key(entry.point.toggles));
  if (found == nullptr) return false;
  take_result(entry, *found);
  return true;
}

bool LatticeMemory::compute(const LatticeRequest& request, LatticeEntry& entry,
                            const std::atomic<bool>& cancelled) {
  Experiment experiment = request.around;
  experiment.toggles = entry.point.toggles;
  experiment.changes = {};  // a lattice is of what the compiler makes
  LatticeEntry result;
  std::string key;
  if (const auto compiled = take_or_compile_kernel(request.kernel, experiment); !compiled) {
    result.trouble = compiled.error().message;
  } else if (key = code_key(**compiled, entry.point.toggles); const auto known = state_->find_code(key)) {
    result = *known;
  } else if (const auto report = report_model(**compiled, experiment, request.device, &cancelled)) {
    take_report(result, **report);
  } else {
    result.trouble = report.error().message;
  }
  if (cancelled) return false;
  take_result(entry, result);
  const std::lock_guard lock(state_->mutex);
  state_->by_toggles.add(toggles_key(entry.point.toggles), entry, bytes_of(entry));
  if (!key.empty()) state_->by_code.add(std::move(key), entry, bytes_of(entry));
  return true;
}

size_t LatticeMemory::bytes() const {
  const std::lock_guard lock(state_->mutex);
  return state_->by_toggles.bytes() + state_->by_code.bytes();
}

namespace {

class Run {
 public:
  Run(const LatticeRequest& request, LatticeMemory& memory, const LatticeOptions& options)
      : request_(request), memory_(memory), options_(options) {
    request_.device.runs = 1;
    memory_.prepare(request_);
    lattice_ = plan_lattice(request_.kernel, request_.around, request_.vary, request_.with_pairs);
    lattice_.device = request_.device.name;
    for (LatticeEntry& entry : lattice_.entries) memory_.recall(entry);
  }

  Lattice run() {
    report(true);
    std::vector<size_t> order(1 + lattice_.singles);
    std::iota(order.begin(), order.end(), size_t{0});
    compute({order.front()});
    compute({order.begin() + 1, order.end()});
    compute(pairs_by_promise(lattice_));
    lattice_.finished = true;
    report(true);
    return std::move(lattice_);
  }

 private:
  bool stopped() {
    if (options_.cancelled != nullptr && *options_.cancelled) return true;
    if (seconds_since(start_) <= options_.most_seconds) return false;
    return lattice_.out_of_time = true;
  }

  void compute(const std::vector<size_t>& order) {
    next_ = 0;
    const size_t threads = std::min<size_t>(order.size(), thread_count());
    std::vector<std::jthread> workers;
    for (size_t i = 1; i < threads; ++i) workers.emplace_back([&] { work(order); });
    work(order);
  }

  size_t thread_count() const {
    return options_.threads > 0 ? static_cast<size_t>(options_.threads)
                                : std::max(1u, std::thread::hardware_concurrency());
  }

  void work(const std::vector<size_t>& order) {
    static const std::atomic<bool> never{false};
    const std::atomic<bool>& cancelled = options_.cancelled == nullptr ? never : *options_.cancelled;
    while (std::optional<size_t> index = take(order)) {
      LatticeEntry entry;
      entry.point = lattice_.entries[*index].point;  // points never change
      if (!memory_.compute(request_, entry, cancelled)) return;
      const std::lock_guard lock(mutex_);
      lattice_.entries[*index] = std::move(entry);
      report(false);
    }
  }

  // The next entry that is not computed yet.
  std::optional<size_t> take(const std::vector<size_t>& order) {
    const std::lock_guard lock(mutex_);
    while (next_ < order.size() && lattice_.entries[order[next_]].computed) ++next_;
    if (next_ == order.size() || stopped()) return std::nullopt;
    return order[next_++];
  }

  void report(bool always) {
    constexpr double kSecondsBetween = 0.25;
    lattice_.seconds = seconds_since(start_);
    if (!options_.progress || (!always && lattice_.seconds < last_report_ + kSecondsBetween)) return;
    last_report_ = lattice_.seconds;
    options_.progress(lattice_);
  }

  LatticeRequest request_;
  LatticeMemory& memory_;
  const LatticeOptions& options_;
  const Clock::time_point start_ = Clock::now();
  std::mutex mutex_;  // guards the rest while threads run
  Lattice lattice_;
  size_t next_ = 0;
  double last_report_ = 0;
};

}  // namespace

Lattice run_lattice(const LatticeRequest& request, LatticeMemory& memory, const LatticeOptions& options) {
  return Run(request, memory, options).run();
}

}  // namespace gemmscope::experiment
