// Makes up timings for tests of the charts.
#pragma once

#include <fmt/format.h>

#include "experiment/timings.h"

namespace gemmscope::scenes {

// Returns a variant with `samples` samples around `ms`, up to `spread` of it on either side.
inline experiment::TimedVariant made_up_variant(const std::string& id, double ms, int samples = 20,
                                                double spread = 0.01) {
  experiment::TimedVariant v;
  v.id = id;
  v.title = "Variant " + id;
  v.largest_error = 3e-4;
  for (int i = 0; i < samples; ++i)
    v.samples.push_back({0.5 * i, ms * (1 + spread * ((i * 7) % 11 - 5) / 5.0), 1980});
  return v;
}

// Returns `count` kernels from slow to fast, every sixth with tensor cores, and the library's products.
inline experiment::Timings made_up_timings(int count, int samples = 20) {
  experiment::Timings t;
  t.device.name = "Made-up GPU";
  t.device.memory_gb_per_second = 4800;
  t.device.peak_fp32 = 66.9e12, t.device.peak_tf32 = 494.7e12, t.device.peak_bf16 = 989.4e12;
  t.problem = {4096, 4096, 4096};
  for (int i = 0; i < count; ++i) {
    t.variants.push_back(made_up_variant(fmt::format("{:02}_kernel", i + 1), 140.0 / (1 + 2 * i), samples));
    if (i % 6 == 5) t.variants.back().grade = i % 12 == 5 ? experiment::Grade::tf32 : experiment::Grade::bf16;
  }
  const struct {
    const char* id;
    experiment::Grade grade;
    double ms;
  } libraries[] = {{"cublas_fp32", experiment::Grade::fp32, 2.67},
                   {"cublas_tf32", experiment::Grade::tf32, 0.34},
                   {"cublas_bf16", experiment::Grade::bf16, 0.18}};
  for (const auto& library : libraries) {
    t.variants.push_back(made_up_variant(library.id, library.ms, samples));
    t.variants.back().title = fmt::format("cuBLAS {}", experiment::grade_name(library.grade));
    t.variants.back().grade = library.grade;
    t.variants.back().is_library = true;
  }
  return t;
}

}  // namespace gemmscope::scenes
