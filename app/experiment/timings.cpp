#include "experiment/timings.h"

#include <fmt/format.h>

#include <algorithm>

namespace gemmscope::experiment {

const char* provenance_name(Provenance provenance) {
  switch (provenance) {
    case Provenance::measured:
      return "measured";
    case Provenance::recorded:
      return "recorded";
    case Provenance::modelled:
      return "modelled";
  }
  return "";
}

const char* grade_name(Grade grade) {
  switch (grade) {
    case Grade::fp32:
      return "FP32";
    case Grade::tf32:
      return "TF32";
    case Grade::bf16:
      return "BF16";
  }
  return "";
}

double flops(const catalog::Problem& problem) {
  return 2.0 * static_cast<double>(problem.m) * static_cast<double>(problem.n) *
         static_cast<double>(problem.k);
}

double flops(const Timings& timings, const TimedVariant& variant) {
  return variant.is_product ? flops(timings.problem) : 0;
}

double peak_flops(const TimedDevice& device, Grade grade) {
  switch (grade) {
    case Grade::fp32:
      return device.peak_fp32;
    case Grade::tf32:
      return device.peak_tf32;
    case Grade::bf16:
      return device.peak_bf16;
  }
  return 0;
}

const TimedVariant* reference_of(const Timings& timings, Grade grade) {
  const auto found = std::find_if(
      timings.variants.begin(), timings.variants.end(),
      [&](const TimedVariant& v) { return v.is_library && v.grade == grade && !v.samples.empty(); });
  return found == timings.variants.end() ? nullptr : &*found;
}

std::vector<double> milliseconds(const TimedVariant& variant) {
  std::vector<double> values;
  for (const Sample& sample : variant.samples) values.push_back(sample.ms);
  return values;
}

std::string variant_name(const TimedVariant& variant) {
  std::string name = variant.is_library ? variant.title : variant.id;
  for (const auto& [toggle, value] : variant.toggles) name += fmt::format(" {}={}", toggle, value);
  return name;
}

}  // namespace gemmscope::experiment
