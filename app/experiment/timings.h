// How long variants took on a GPU: measured now (live_timing.h), or recorded (recording.h). Plain data, for
// scenes, the command line and files alike.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "catalog/catalog.h"

namespace gemmscope::experiment {

enum class Provenance : uint8_t { measured, recorded, modelled };

using catalog::Grade;
const char* grade_name(Grade grade);  // "FP32"

struct TimedDevice {
  std::string name;            // "NVIDIA H200"
  int compute_capability = 0;  // 90 for 9.0; 0: not known
  int sm_count = 0;
  double max_clock_mhz = 0;                           // of the SMs
  double memory_gb_per_second = 0;                    // 10^9 bytes; 0: not known
  std::string driver_version, cuda_version, library;  // "580.159.04", "13.0", "cuBLAS 13.1.0"
  // FLOP/s: 2 x clock x FP32 lanes, as the seeds compute it; or as a source states it. 0: not known.
  double peak_fp32 = 0, peak_tf32 = 0, peak_bf16 = 0;
};

struct Sample {
  double at_seconds = 0;    // since the measuring began
  double ms = 0;            // of one launch
  double sm_clock_mhz = 0;  // 0: not known
};

// One kernel with its toggles, or a product of the library.
struct TimedVariant {
  std::string id;     // of the kernel in the catalogue; "cublas_fp32", "cublas_tf32", "cublas_bf16"
  std::string title;  // for people
  std::map<std::string, int64_t> toggles;  // those that differ from the defaults
  Grade grade = Grade::fp32;
  bool is_library = false;
  bool is_product = true;       // 2 M N K operations; else only ms can be told
  std::vector<Sample> samples;  // in the order of time; a published table has one
  // Against float64, or against the reference that a kernel which is no product brings along.
  double largest_error = -1;  // absolute; < 0: not told
  double error_ratio = -1;    // to the rounding bound or the tolerance; < 0: not told
  std::string trouble;        // why there are no (more) samples, a sentence; else empty
  std::string note;           // what the source of a published figure says besides, a sentence; else empty
};

struct Timings {
  Provenance provenance = Provenance::measured;
  std::string title;  // of a published table: what was measured; else empty
  TimedDevice device;
  catalog::Problem problem;  // M = N = K = 0: the source does not tell, and there is no FLOP/s
  bool l2_flushed = false;
  std::string date;     // "2026-11-21"; empty: now, or the source does not tell
  std::string command;  // that made a recording
  std::string source;   // of a published table: where it stands
  std::string trouble;  // why nothing is measured (any more), a sentence; else empty
  std::string notice;   // what happened last and did not stop the measuring, a sentence; else empty
  std::vector<TimedVariant> variants;
};

// 2 M N K; 0 where the sizes are not told.
double flops(const catalog::Problem& problem);
// The same for a variant: 0 too where it is no product.
double flops(const Timings& timings, const TimedVariant& variant);
double peak_flops(const TimedDevice& device, Grade grade);  // FLOP/s, 0: not known
// The library's product of this grade, or null.
const TimedVariant* reference_of(const Timings& timings, Grade grade);
std::vector<double> milliseconds(const TimedVariant& variant);  // of its samples

}  // namespace gemmscope::experiment
