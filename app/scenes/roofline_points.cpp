#include "scenes/roofline_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/plural.h"
#include "metrics/roofline.h"

namespace gemmscope::scenes {
namespace {

using experiment::Grade;
using experiment::MemoryLevel;

constexpr double kTolerance = 1.001;  // of a rate above its roof

double compulsory_intensity(const experiment::Timings& timings, Grade grade) {
  const catalog::Problem& p = timings.problem;
  const double bytes = metrics::compulsory_bytes({p.m, p.n, p.k, p.beta, grade == Grade::bf16 ? 2u : 4u});
  return metrics::arithmetic_intensity(experiment::flops(p), bytes);
}

// 0 where it is not known.
double intensity_of(const experiment::Timings& timings, const Contender& c, const RooflineInput& input) {
  const experiment::TimedVariant& v = timings.variants[c.variant];
  if (input.level == MemoryLevel::dram) return compulsory_intensity(timings, c.grade);
  if (c.library) return 0;
  if (input.level == MemoryLevel::l2)
    return metrics::arithmetic_intensity(experiment::flops(timings, v), v.modelled_l2_bytes);
  const auto known = std::ranges::find(input.counted, c.key, &CountedIntensity::key);
  return known == input.counted.end() ? 0 : known->flop_per_byte;
}

std::string names_above(const Contest& contest, const RooflinePoints& points) {
  std::vector<std::string> names;
  for (const RooflinePoints::Point& p : points.points)
    if (p.above) names.push_back(short_label(contest.contenders[static_cast<size_t>(p.contender)]));
  std::ranges::sort(names);
  if (names.size() <= 3) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} variants", names.size());
}

// Why a rate can be above the roof of these bytes.
std::vector<std::string> reasons_above(MemoryLevel level, bool modelled_rate) {
  switch (level) {
    case MemoryLevel::dram:
      return {"L2 keeps parts of A, B and C from launch to launch, so DRAM moves less than them.",
              "L2 keeps parts of A, B and C."};
    case MemoryLevel::l2:
      return {"L2's bytes are modelled, and so is its bandwidth: one of them is off.", "both are modelled."};
    case MemoryLevel::l1:
      break;
  }
  return modelled_rate ? std::vector<std::string>{"the bandwidth is modelled, and the clock may be higher.",
                                                  "the bandwidth is modelled."}
                       : std::vector<std::string>{"the clock was higher than that of the bandwidth.",
                                                  "its clock was higher."};
}

std::vector<std::string> axis_texts(MemoryLevel level, int missing) {
  const std::string unknown = missing > 0 ? fmt::format(" Not known of {}.", missing) : "";
  switch (level) {
    case MemoryLevel::l1:
      return {"All bytes that go through L1 and shared memory, counted exactly." + unknown,
              "Bytes of L1 and shared memory, counted." + unknown, "Counted." + unknown};
    case MemoryLevel::l2:
      return {"The bytes between L1 and L2, as the timing model has them." + unknown,
              "Bytes of L2, modelled." + unknown, "Modelled." + unknown};
    case MemoryLevel::dram:
      return {"DRAM moves A, B and C at least once; if more, the point belongs further left.",
              "A, B and C once, the fewest bytes possible.", "Fewest bytes."};
  }
  return {};
}

}  // namespace

RooflinePoints roofline_points(const experiment::Timings& timings, const Contest& contest,
                               const RooflineInput& input) {
  RooflinePoints result;
  std::set<double> compulsory;
  const double bytes_per_second = input.rates.of(input.level).bytes_per_second;
  for (size_t i = 0; i < contest.contenders.size(); ++i) {
    const Contender& c = contest.contenders[i];
    if (c.tflops <= 0) continue;
    if (const double once = compulsory_intensity(timings, c.grade); once > 0) compulsory.insert(once);
    RooflinePoints::Point p{static_cast<int>(i), intensity_of(timings, c, input), c.tflops, false, false};
    if (p.intensity <= 0) {
      if (c.library)
        result.rates.push_back(static_cast<int>(i));
      else
        ++result.missing;
      continue;
    }
    p.least_bytes = input.level == MemoryLevel::dram;
    const double peak = experiment::peak_flops(timings.device, c.grade);
    const double attainable = metrics::attainable_flops(
        {peak > 0 ? peak : HUGE_VAL, bytes_per_second > 0 ? bytes_per_second : HUGE_VAL}, p.intensity);
    p.above = c.tflops * 1e12 > kTolerance * attainable;
    result.points.push_back(p);
  }
  result.compulsory.assign(compulsory.begin(), compulsory.end());
  return result;
}

RooflineNote roofline_note(const experiment::Timings& timings, const Contest& contest,
                           const RooflineInput& input, const RooflinePoints& points) {
  RooflineNote note;
  const WorkDone& work = input.level == MemoryLevel::l2 ? input.modelling : input.counting;
  if (input.level != MemoryLevel::dram && !work.finished()) {
    const char* const verb = input.level == MemoryLevel::l2 ? "Modelling" : "Counting";
    note.working = true;
    note.texts = {
        fmt::format("{} {} of {} variant{} \u2026", verb, work.done + 1, work.all, plural(work.all)),
        fmt::format("{} {} of {}", verb, work.done + 1, work.all)};
    return note;
  }
  if (const std::string names = names_above(contest, points); !names.empty()) {
    // Above the level roof is another reason: the peak is that of the stated clock.
    const bool above_peak = std::ranges::any_of(points.points, [&](const RooflinePoints::Point& p) {
      const Contender& c = contest.contenders[static_cast<size_t>(p.contender)];
      const double peak = experiment::peak_flops(timings.device, c.grade);
      return p.above && peak > 0 && c.tflops * 1e12 > peak;
    });
    note.trouble = true;
    const std::vector<std::string> reasons =
        above_peak ? std::vector<std::string>{"the peak is that of another clock."}
                   : reasons_above(input.level, input.rates.of(input.level).provenance ==
                                                    experiment::Provenance::modelled);
    for (const std::string& reason : reasons)
      note.texts.push_back(fmt::format("Above the roof: {}; {}", names, reason));
    note.texts.push_back(fmt::format("Above the roof: {}", names));
    return note;
  }
  note.texts = axis_texts(input.level, points.missing);
  return note;
}

}  // namespace gemmscope::scenes
