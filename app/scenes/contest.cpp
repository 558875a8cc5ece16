#include "scenes/contest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "base/plural.h"
#include "metrics/roofline.h"
#include "scenes/chart_axis.h"
#include "scenes/text.h"

namespace gemmscope::scenes {
namespace {

using experiment::Provenance;
using experiment::TimedVariant;
using experiment::Timings;

std::string toggles_of(const TimedVariant& variant) {
  std::string text;
  for (const auto& [name, value] : variant.toggles) text += fmt::format(" \u00b7 {}={}", name, value);
  if (variant.changes.any()) text += " \u00b7 " + experiment::changes_text(variant.changes);
  return text;
}

// "01" of "01_naive_rows": the step of the ladder; else empty.
std::string step_of(const std::string& kernel) {
  const auto digit = [&](size_t at) { return kernel[at] >= '0' && kernel[at] <= '9'; };
  const bool numbered = kernel.size() > 3 && kernel[2] == '_' && digit(0) && digit(1);
  return numbered ? kernel.substr(0, 2) : "";
}

// Makes "01 Naive, …" of "01_naive_rows" and "Naive, …".
std::string label_of(const TimedVariant& variant) {
  std::string label = variant.title.empty() ? variant.id : variant.title;
  const std::string step = step_of(variant.id);
  if (!step.empty() && !label.starts_with(step)) label = step + " " + label;
  return label + toggles_of(variant);
}

// "a" … "z", "aa" …, from `first`.
std::string letters(size_t number, char first) {
  std::string text;
  for (++number; number > 0; number = (number - 1) / 26)
    text.insert(text.begin(), static_cast<char>(first + (number - 1) % 26));
  return text;
}

// A step's defaults have its number alone.
void give_marks(Contest& contest) {
  std::map<std::string, size_t> variants;  // of a step that have a letter
  std::set<std::string> taken;
  size_t unnumbered = 0;
  for (Contender& c : contest.contenders) {
    const std::string step = step_of(c.key.kernel);
    if (c.library) continue;
    if (step.empty())
      c.mark = letters(unnumbered++, 'A');
    else if (c.key.toggles.empty() && !c.key.changes.any() && taken.insert(step).second)
      c.mark = step;
    else
      c.mark = step + letters(variants[step]++, 'a');
    const bool repeats = !step.empty() && c.label.starts_with(step + " ");
    c.name = repeats ? c.label.substr(3) : c.label;
    c.name_length = repeats ? c.title_length - 3 : c.title_length;
  }
}

std::string ms_text(double ms) {
  return fmt::format("{:.{}f}", ms, ms < 1 ? 4 : ms < 10 ? 3 : ms < 100 ? 2 : 1);
}
std::string rate_text(double tflops) {
  return fmt::format("{:.{}f}", tflops, tflops < 1 ? 3 : tflops < 100 ? 2 : 1);
}

// What the model says: beside the samples, or in place of them.
void add_modelled(const Timings& timings, const TimedVariant& v, Contender& c) {
  if (timings.provenance == Provenance::modelled || v.modelled_ms <= 0) return;
  if (c.has_samples()) {
    c.modelled_text =
        fmt::format("{} ({:+.1f} %)", ms_text(v.modelled_ms), 100 * (v.modelled_ms / c.ms.median - 1));
    return;
  }
  c.modelled = true;
  c.label += " (modelled)";
  const std::array ms = {v.modelled_ms};
  c.ms = metrics::summarize_samples(ms);
}

Contender make_contender(const Timings& timings, size_t index) {
  const TimedVariant& v = timings.variants[index];
  Contender c;
  c.variant = index;
  c.key = key_of(v);
  c.label = label_of(v);
  c.title_length = c.label.size() - toggles_of(v).size();
  c.grade = v.grade;
  c.library = v.is_library;
  c.trouble = v.trouble;
  c.ms = metrics::summarize_samples(experiment::milliseconds(v));
  if (v.largest_error >= 0)
    c.error_text = v.largest_error == 0 ? "0" : fmt::format("{:.1e}", v.largest_error);
  add_modelled(timings, v, c);
  if (!c.has_samples()) return c;
  c.ms_text = ms_text(c.ms.median);
  const double flops = experiment::flops(timings, v);
  if (flops <= 0) return c;
  c.tflops = metrics::tflops(flops, c.ms.median);
  c.tflops_low = metrics::tflops(flops, c.ms.upper_quartile);
  c.tflops_high = metrics::tflops(flops, c.ms.lower_quartile);
  c.rate_text = rate_text(c.tflops);
  if (const double peak = experiment::peak_flops(timings.device, v.grade); peak > 0)
    c.of_peak = c.tflops * 1e12 / peak;
  return c;
}

void compare_with_library(const Timings& timings, Contender& c) {
  const TimedVariant* library = experiment::reference_of(timings, c.grade);
  // A ratio of a modelled time to a measured one would be neither.
  if (library == nullptr || !c.has_samples() || c.modelled || !timings.variants[c.variant].is_product) return;
  const metrics::SampleSummary ms = metrics::summarize_samples(experiment::milliseconds(*library));
  if (c.ms.median <= 0) return;
  c.of_library = ms.median / c.ms.median;
  if (!c.library) c.ratio_text = fmt::format("{:.1f} %", c.of_library * 100);
}

// The index of the contender with this key or, in a recording, with its kernel's defaults; else −1.
int find_contender(const Contest& contest, const experiment::VariantKey& key) {
  const auto exactly = [&](const experiment::VariantKey& wanted) {
    for (size_t i = 0; i < contest.contenders.size(); ++i)
      if (!contest.contenders[i].library && contest.contenders[i].key == wanted) return static_cast<int>(i);
    return -1;
  };
  const int found = exactly(key);
  return found >= 0 || contest.provenance == Provenance::measured ? found : exactly({key.kernel, {}});
}

// Whether a variant is shown. Without racers all are, except labs beside products: labs have no TFLOP/s to
// compare.
bool is_shown(const std::vector<experiment::VariantKey>& racers, const Timings& timings,
              const TimedVariant& v) {
  const Provenance provenance = timings.provenance;
  if (v.is_library) return true;
  if (racers.empty())
    return v.is_product || std::none_of(timings.variants.begin(), timings.variants.end(),
                                        [](const TimedVariant& other) { return other.is_product; });
  return std::any_of(racers.begin(), racers.end(), [&](const experiment::VariantKey& racer) {
    return racer == key_of(v) ||
           (provenance != Provenance::measured && v.toggles.empty() && racer.kernel == v.id);
  });
}

void write_heading(const Timings& timings, Contest& contest) {
  const experiment::TimedDevice& d = timings.device;
  contest.badge = timings.provenance == Provenance::measured   ? "MEASURED"
                  : timings.provenance == Provenance::recorded ? "RECORDED"
                                                               : "MODELLED";
  contest.device = d.name.empty() ? "no GPU yet" : "on " + d.name;
  if (timings.provenance == Provenance::measured && !d.name.empty())
    contest.device += ", now";
  else if (!timings.date.empty())
    contest.device += ", " + timings.date;
  else if (timings.provenance == Provenance::modelled)
    contest.device += ", from machine code";
  std::vector<std::string> parts;
  if (!timings.source.empty()) parts.push_back("from " + timings.source);
  if (!timings.title.empty()) parts.push_back(timings.title);
  if (d.sm_count > 0) parts.push_back(fmt::format("{} SM{}", d.sm_count, plural(d.sm_count)));
  if (d.max_clock_mhz > 0) parts.push_back(fmt::format("up to {:.0f} MHz", d.max_clock_mhz));
  if (!d.driver_version.empty()) parts.push_back("driver " + d.driver_version);
  if (!d.library.empty()) parts.push_back(d.library);
  contest.detail = fmt::format("{}", fmt::join(parts, " \u00b7 "));
  contest.size = experiment::size_text(timings.problem);
  if (timings.provenance == Provenance::measured || timings.source.empty())
    contest.size += timings.l2_flushed ? ", L2 flushed" : ", L2 warm";
  contest.remark = !timings.trouble.empty() ? timings.trouble : timings.notice;
}

}  // namespace

const std::string& short_label(const Contender& c) { return c.mark.empty() ? c.label : c.mark; }

int importance(const Contest& contest, int contender, int focus) {
  const Contender& c = contest.contenders[static_cast<size_t>(contender)];
  return contender == focus ? 4 : c.current ? 3 : c.previous ? 2 : c.library ? 1 : 0;
}

drawing::Role provenance_role(Provenance provenance) {
  switch (provenance) {
    case Provenance::measured:
      return drawing::Role::measured;
    case Provenance::recorded:
      return drawing::Role::recorded;
    case Provenance::modelled:
      return drawing::Role::modelled;
  }
  return drawing::Role::text;
}

Contest make_contest(const Timings& timings, const experiment::VariantHistory& history,
                     const std::vector<experiment::VariantKey>& racers) {
  Contest contest;
  contest.provenance = timings.provenance;
  write_heading(timings, contest);
  for (size_t i = 0; i < timings.variants.size(); ++i)
    if (is_shown(racers, timings, timings.variants[i]))
      contest.contenders.push_back(make_contender(timings, i));
  // If none of the racers is there, as in a table that somebody else published, all variants are shown.
  if (std::all_of(contest.contenders.begin(), contest.contenders.end(),
                  [](const Contender& c) { return c.library; })) {
    contest.contenders.clear();
    for (size_t i = 0; i < timings.variants.size(); ++i)
      contest.contenders.push_back(make_contender(timings, i));
  }
  std::stable_sort(contest.contenders.begin(), contest.contenders.end(),
                   [&](const Contender& a, const Contender& b) {
                     const auto group = [](const Contender& c) { return std::tuple(c.grade, c.library); };
                     if (group(a) != group(b) || timings.provenance != Provenance::measured)
                       return group(a) < group(b);
                     return std::tie(a.key.kernel, a.key.toggles) < std::tie(b.key.kernel, b.key.toggles);
                   });
  contest.by_rate = std::any_of(contest.contenders.begin(), contest.contenders.end(),
                                [](const Contender& c) { return c.tflops > 0; }) ||
                    experiment::flops(timings.problem) > 0;
  give_marks(contest);
  int color = 0;
  for (Contender& c : contest.contenders) {
    compare_with_library(timings, c);
    if (c.library) {
      c.color = drawing::kCategoryCount - 1;  // grey
      c.name = c.label;
      c.name_length = c.title_length;
      continue;
    }
    c.color = color % (drawing::kCategoryCount - 1);
    c.dash = color++ / (drawing::kCategoryCount - 1);
  }
  const std::vector<experiment::VariantKey>& keys = history.keys();
  if (!keys.empty()) contest.current = find_contender(contest, keys[0]);
  if (keys.size() > 1) contest.previous = find_contender(contest, keys[1]);
  if (contest.previous == contest.current) contest.previous = -1;
  if (contest.current >= 0) contest.contenders[static_cast<size_t>(contest.current)].current = true;
  if (contest.previous >= 0) contest.contenders[static_cast<size_t>(contest.previous)].previous = true;
  return contest;
}

std::vector<int> not_distinguishable(const Contest& contest, int contender) {
  std::vector<int> same;
  if (contender < 0) return same;
  const Contender& a = contest.contenders[static_cast<size_t>(contender)];
  for (size_t i = 0; i < contest.contenders.size(); ++i) {
    const Contender& b = contest.contenders[i];
    if (static_cast<int>(i) != contender && a.grade == b.grade &&
        metrics::compare_samples(a.ms, b.ms) == metrics::Comparison::indistinguishable)
      same.push_back(static_cast<int>(i));
  }
  return same;
}

std::string describe(const Contest& contest, int contender) {
  const Contender& c = contest.contenders[static_cast<size_t>(contender)];
  if (!c.has_samples())
    return fmt::format("{}: {}", c.label, c.trouble.empty() ? "no sample yet." : c.trouble);
  std::string text = fmt::format("{}: {} ms", c.label, c.ms_text);
  if (c.modelled) text += ", from its machine code, not from a GPU";
  if (!c.modelled_text.empty()) text += fmt::format(", modelled {}", c.modelled_text);
  if (c.ms.count > 1)
    text += fmt::format(", median of {} samples (middle half {}\u2013{})", grouped(c.ms.count),
                        ms_text(c.ms.lower_quartile), ms_text(c.ms.upper_quartile));
  if (c.tflops > 0) text += fmt::format(" = {} TFLOP/s", c.rate_text);
  if (c.of_library > 0 && !c.library) text += fmt::format("; {:.1f} % of cuBLAS", c.of_library * 100);
  if (c.of_peak > 0) text += fmt::format(", {:.1f} % of the peak", c.of_peak * 100);
  if (!c.error_text.empty()) text += fmt::format("; largest error {}", c.error_text);
  text += ".";
  const std::vector<int> same = not_distinguishable(contest, contender);
  if (!same.empty()) {
    std::vector<std::string> names;
    for (const int other : same) names.push_back(contest.contenders[static_cast<size_t>(other)].label);
    text += fmt::format(" Not distinguishable from {}: the spreads overlap.", fmt::join(names, ", "));
  }
  if (!c.trouble.empty()) text += " " + c.trouble;
  return text;
}

}  // namespace gemmscope::scenes
