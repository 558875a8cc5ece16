#include "experiment/tune_run.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>

#include "experiment/lattice_run.h"
#include "experiment/tune_search.h"
#include "sm/bound.h"

namespace gemmscope::experiment {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::vector<TunePlace> places(const TuneSpace& space,
                              const std::vector<std::map<std::string, int64_t>>& wanted) {
  std::vector<TunePlace> found;
  for (const auto& toggles : wanted)
    if (auto place = space.place_of(toggles)) found.push_back(*std::move(place));
  return found;
}

class Run {
 public:
  Run(const TuneSpace& space, const PriceFunction& price, TuneState& state, const TuneOptions& options)
      : space_(space),
        price_(price),
        state_(state),
        options_(options),
        search_(space, places(space, options.also)) {
    result_.kernel = space.kernel.id;
    result_.problem = space.around.problem;
    result_.combinations = space.combinations();
    result_.legal = search_.legal();
  }

  TuneResult run() {
    recall();
    report(true);
    while (!stopped()) {
      const std::vector<TunePlace> batch = search_.next(batch_size());
      if (batch.empty()) break;
      look_at(batch);
      finish_listed();
    }
    result_.exhaustive = search_.legal_left() == size_t{0} && unpriced_ == 0;
    result_.illegal = search_.illegal();
    result_.restarts = search_.restarts();
    report(true);
    return std::move(result_);
  }

 private:
  size_t threads() const {
    return options_.threads > 0 ? static_cast<size_t>(options_.threads)
                                : std::max(1u, std::thread::hardware_concurrency());
  }
  size_t batch_size() const { return std::max<size_t>(16, 2 * threads()); }

  bool stopped() {
    if (options_.cancelled != nullptr && *options_.cancelled) result_.cancelled = true;
    if (seconds_since(start_) > options_.most_seconds) result_.out_of_time = true;
    return result_.cancelled || result_.out_of_time || !result_.trouble.empty();
  }

  TuneKey key_of(const std::map<std::string, int64_t>& toggles) const {
    const catalog::Problem& p = space_.around.problem;
    return {space_.kernel.id, p.m, p.n, p.k, toggles};
  }

  void recall() {
    for (auto& [toggles, price] : state_.prices_of(space_.kernel.id, space_.around.problem))
      if (const auto place = space_.place_of(toggles)) take(*place, {toggles, price});
    result_.recalled = result_.entries.size();
  }

  void look_at(const std::vector<TunePlace>& batch) {
    std::vector<TuneEntry> entries;
    for (const TunePlace& place : batch) entries.push_back({space_.toggles_at(place), {}});
    next_ = 0;
    unpriced_ = entries.size();
    std::vector<std::jthread> workers;
    for (size_t i = 1; i < std::min(threads(), entries.size()); ++i)
      workers.emplace_back([&] { work(entries, batch); });
    work(entries, batch);
  }

  void work(std::vector<TuneEntry>& entries, const std::vector<TunePlace>& places) {
    static const std::atomic<bool> never{false};
    const std::atomic<bool>& cancelled = options_.cancelled == nullptr ? never : *options_.cancelled;
    while (const std::optional<size_t> index = take_turn(entries.size())) {
      TuneEntry& entry = entries[*index];
      if (!price_(entry.toggles, entry.price, cancelled)) return;
      const std::lock_guard lock(mutex_);
      if (const auto written = state_.add(key_of(entry.toggles), entry.price); !written)
        result_.trouble = written.error().message;
      ++result_.priced;
      --unpriced_;
      take(places[*index], std::move(entry));
      report(false);
    }
  }

  std::optional<size_t> take_turn(size_t count) {
    const std::lock_guard lock(mutex_);
    if (next_ == count || stopped()) return std::nullopt;
    return next_++;
  }

  void take(const TunePlace& place, TuneEntry entry) {
    search_.give(place, entry.price.milliseconds);
    result_.entries.push_back(std::move(entry));
  }

  // Takes the rest of a listed space where the budget allows it.
  void finish_listed() {
    constexpr size_t kFewest = 4;  // from which the time of a place is estimated
    const auto left = search_.legal_left();
    if (all_ || !left || (*left > 0 && result_.priced < kFewest)) return;
    if (seconds_a_place() * static_cast<double>(*left) > options_.most_seconds - seconds_since(start_))
      return;
    all_ = true;
    search_.take_all();
  }

  double seconds_a_place() const {
    return result_.priced == 0 ? 0 : seconds_since(start_) / static_cast<double>(result_.priced);
  }

  void report(bool always) {
    constexpr double kSecondsBetween = 0.25;
    result_.seconds = seconds_since(start_);
    if (!options_.progress || (!always && result_.seconds < last_report_ + kSecondsBetween)) return;
    last_report_ = result_.seconds;
    double left = std::max(0.0, options_.most_seconds - result_.seconds);
    if (const auto places = result_.left(); places && result_.priced > 0)
      left = std::min(left, static_cast<double>(*places) * seconds_a_place());
    options_.progress(result_, left);
  }

  const TuneSpace& space_;
  const PriceFunction& price_;
  TuneState& state_;
  const TuneOptions& options_;
  const Clock::time_point start_ = Clock::now();
  std::mutex mutex_;  // guards the rest while threads run
  TuneSearch search_;
  TuneResult result_;
  size_t next_ = 0, unpriced_ = 0;  // of the current batch
  bool all_ = false;
  double last_report_ = 0;
};

std::string counted(double number) {
  if (number >= 1e15) return fmt::format("{:.2g}", number);
  std::string digits = fmt::format("{:.0f}", number);
  for (auto at = static_cast<int64_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<size_t>(at), ",");
  return digits;
}

}  // namespace

std::optional<size_t> TuneResult::left() const {
  return legal ? std::optional(*legal - entries.size()) : std::nullopt;
}

std::map<std::string, size_t> refusals(const TuneResult& result) {
  std::map<std::string, size_t> counts = result.illegal;
  for (const TuneEntry& entry : result.entries)
    if (!entry.price.refused.empty()) ++counts[entry.price.refused];
  return counts;
}

std::vector<size_t> ranking(const TuneResult& result) {
  std::vector<size_t> order;
  for (size_t i = 0; i < result.entries.size(); ++i)
    if (result.entries[i].price.milliseconds > 0) order.push_back(i);
  // Of equally fast ones first that with the fewest changes.
  std::ranges::stable_sort(order, {}, [&](size_t i) {
    const TuneEntry& entry = result.entries[i];
    return std::pair(entry.price.milliseconds, entry.toggles.size());
  });
  return order;
}

std::string coverage_sentence(const TuneResult& result) {
  const double looked_at = static_cast<double>(result.entries.size());
  if (result.exhaustive)
    return fmt::format("All {} legal combinations of {} were looked at.", counted(looked_at),
                       counted(result.combinations));
  const std::string of =
      result.legal ? fmt::format("{} legal combinations", counted(static_cast<double>(*result.legal)))
                   : fmt::format("{} combinations, legal or not,", counted(result.combinations));
  return fmt::format(
      "{} of {} were looked at, by descent over single changes and pairs from the variant as chosen and from "
      "{} other start{}; others may be faster.",
      counted(looked_at), of, result.restarts, result.restarts == 1 ? "" : "s");
}

PriceFunction modelled_price(const TuneSpace& space, const sm::SmConfig& device) {
  auto request =
      std::make_shared<LatticeRequest>(LatticeRequest{space.kernel, space.around, device, {}, false});
  request->device.runs = 1;
  auto memory = std::make_shared<LatticeMemory>();
  memory->prepare(*request);
  return [request, memory](const std::map<std::string, int64_t>& toggles, TunePrice& price,
                           const std::atomic<bool>& cancelled) {
    LatticeEntry entry;
    entry.point.toggles = toggles;
    if (!memory->compute(*request, entry, cancelled)) return false;
    price.milliseconds = entry.milliseconds;
    price.registers = entry.registers;
    price.blocks_per_sm = entry.blocks_per_sm;
    if (entry.has_time())
      price.bound = sm::bound_name(sm::bound_of(*entry.figures).bound);
    else
      price.refused = entry.trouble.empty() ? "The model gives no time." : first_line(entry.trouble);
    return true;
  };
}

TuneResult run_tune(const TuneSpace& space, const PriceFunction& price, TuneState& state,
                    const TuneOptions& options) {
  return Run(space, price, state, options).run();
}

}  // namespace gemmscope::experiment
