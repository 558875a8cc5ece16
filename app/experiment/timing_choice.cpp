#include "experiment/timing_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "catalog/product.h"

namespace gemmscope::experiment {

const char* race_name(Race race) {
  switch (race) {
    case Race::before:
      return "this and the one before";
    case Race::recent:
      return "recent ones";
    case Race::ladder:
      return "whole ladder";
    case Race::chosen:
      return "chosen";
  }
  return "";
}

const char* timing_chart_name(TimingChart chart, bool measured) {
  switch (chart) {
    case TimingChart::bars:
      return "bars";
    case TimingChart::time:
      return measured ? "over time" : "staircase";
    case TimingChart::roofline:
      return "roofline";
  }
  return "";
}

void VariantHistory::visit(VariantKey key) {
  // Of code that is edited by hand only the last state is kept.
  std::erase_if(keys_, [&](const VariantKey& known) {
    const bool edited = !known.changes.edits.empty() && !key.changes.edits.empty();
    return known == key || (edited && known.kernel == key.kernel && known.toggles == key.toggles);
  });
  keys_.insert(keys_.begin(), std::move(key));
  if (keys_.size() > kMost) keys_.resize(kMost);
}

bool is_racing(const TimingChoice& choice, const catalog::Kernel& kernel) {
  return (choice.race == Race::ladder && catalog::is_product(kernel)) ||
         (choice.race == Race::chosen && choice.ticked.count(kernel.id) > 0);
}

std::vector<VariantKey> racers(const TimingChoice& choice, const VariantHistory& history,
                               const catalog::Catalog& catalog) {
  std::vector<VariantKey> all;
  const auto add = [&](const VariantKey& key) {
    if (catalog.find(key.kernel) != nullptr && std::find(all.begin(), all.end(), key) == all.end())
      all.push_back(key);
  };
  const std::vector<VariantKey>& keys = history.keys();
  const size_t recent = choice.race == Race::before   ? std::min<size_t>(2, keys.size())
                        : choice.race == Race::chosen ? std::min<size_t>(1, keys.size())
                                                      : keys.size();
  for (size_t i = 0; i < recent; ++i) add(keys[i]);
  for (const catalog::Kernel& kernel : catalog.kernels)
    if (is_racing(choice, kernel)) add({kernel.id, {}});
  return all;
}

namespace {

std::ptrdiff_t products(const Timings& recording) {
  return std::ranges::count_if(recording.variants, &TimedVariant::is_product);
}

}  // namespace

int nearest_recording(const std::vector<Timings>& recordings, const catalog::Problem& problem) {
  const double wanted = flops(problem);
  const auto rank = [&](const Timings& recording) {
    const catalog::Problem& p = recording.problem;
    const double has = flops(p);
    const bool same = p.m == problem.m && p.n == problem.n && p.k == problem.k;
    // Problems of unknown size come last.
    const double distance = same ? -1 : has <= 0 ? HUGE_VAL : std::abs(std::log(has / std::max(wanted, 1.0)));
    return std::tuple(recording.of_sweep, distance, -products(recording));
  };
  const auto nearest = std::ranges::min_element(recordings, {}, rank);
  return nearest == recordings.end() ? -1 : static_cast<int>(nearest - recordings.begin());
}

std::string size_text(const catalog::Problem& p) {
  if (p.m <= 0) return "size unknown";
  if (p.m == p.n && p.n == p.k) return fmt::format("{}\u00b3", p.m);
  return fmt::format("{} \u00d7 {} \u00d7 {}", p.m, p.n, p.k);
}

std::string size_remark(const std::vector<Timings>& recordings, size_t shown,
                        const catalog::Problem& problem) {
  const catalog::Problem& has = recordings[shown].problem;
  if (has.m == problem.m && has.n == problem.n && has.k == problem.k) return "";
  if (flops(problem) <= 0) return "";  // no size that could be run: another sentence says so
  if (has.m <= 0) return fmt::format("Not your {}, but a recording of unknown size.", size_text(problem));
  const double factor = flops(has) / std::max(flops(problem), 1.0);
  const double times = std::max(factor, 1 / factor);
  const std::string work = times < 1.005 ? "as much work"
                           : factor > 1  ? fmt::format("{:.{}f} times the work", times, times < 9.95 ? 1 : 0)
                                         : fmt::format("1/{:.{}f} of the work", times, times < 9.95 ? 1 : 0);
  return fmt::format("Not your {}, but the recorded {}: {}.", size_text(problem), size_text(has), work);
}

}  // namespace gemmscope::experiment
