// How long variants took on a GPU: measured now (live_timing.h), or recorded (recording.h). Plain data for
// scenes, the command line and files.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "experiment/code_changes.h"

namespace gemmscope::experiment {

enum class Provenance : uint8_t { measured, recorded, modelled };
const char* provenance_name(Provenance provenance);  // "measured"

using catalog::Grade;
const char* grade_name(Grade grade);  // "FP32"

struct TimedDevice {
  std::string name;            // "NVIDIA H200"
  int compute_capability = 0;  // 90 for 9.0; 0: not known
  int sm_count = 0;
  double max_clock_mhz = 0;         // of the SMs
  double memory_gb_per_second = 0;  // 10^9 bytes; 0: not known
  // Of all SMs together, as measured; l1: L1 and shared memory, which are one memory. 0: not known.
  double l2_gb_per_second = 0, l1_gb_per_second = 0;
  std::string driver_version, cuda_version, library;  // "580.159.04", "13.0", "cuBLAS 13.1.0"
  // FLOP/s: computed as in metrics/peak.h (FP32: 2 x clock x FP32 lanes), or stated by a source. 0: not
  // known.
  double peak_fp32 = 0, peak_tf32 = 0, peak_bf16 = 0;
};

struct Sample {
  double at_seconds = 0;    // since measuring began
  double ms = 0;            // per launch
  double sm_clock_mhz = 0;  // 0: not known
};

// One kernel with its toggles, or a product of the library.
struct TimedVariant {
  std::string id;     // the kernel's in the catalogue, or "cublas_fp32", "cublas_tf32", "cublas_bf16"
  std::string title;  // for the screen
  std::map<std::string, int64_t> toggles;  // those that differ from the defaults
  CodeChanges changes;                     // of the machine code, after the compiler
  Grade grade = Grade::fp32;
  bool is_library = false;
  bool is_product = true;        // true: 2 M N K operations; false: it has only ms
  std::vector<Sample> samples;   // in order of time; a published table has one
  double modelled_ms = 0;        // what the model says beside them; 0: not known
  double modelled_l2_bytes = 0;  // between L1 and L2 in a launch, as the model has it; 0: not known
  // Errors against float64 or, for a kernel that is not a product, against its own reference.
  double largest_error = -1;  // absolute; < 0: not known
  double error_ratio = -1;    // error / rounding bound or tolerance; < 0: not known
  std::string trouble;        // why there are no (more) samples, a sentence; else empty
  std::string note;           // a remark on the measurement or on a published figure, a sentence; else empty
};

struct Timings {
  Provenance provenance = Provenance::measured;
  std::string title;  // what a published table measured; else empty
  TimedDevice device;
  catalog::Problem problem;  // M = N = K = 0: the source does not state the sizes, and there is no FLOP/s
  bool l2_flushed = false;
  bool of_sweep = false;  // one of many sizes of one variant of ours (size_sweep.h)
  std::string date;       // "2026-11-21"; empty: now, or the source states none
  std::string command;    // the command that made a recording
  std::string source;     // where a published table is found
  std::string trouble;    // why nothing is measured (any more), a sentence; else empty
  std::string notice;     // the last event that did not stop measuring, a sentence; else empty
  std::vector<TimedVariant> variants;
};

// 2 M N K; 0 where the sizes are not known.
double flops(const catalog::Problem& problem);
// The operations of a variant; also 0 where it is not a product.
double flops(const Timings& timings, const TimedVariant& variant);
double peak_flops(const TimedDevice& device, Grade grade);  // FLOP/s, 0: not known
// The library's variant of this grade if it has samples, or null.
const TimedVariant* reference_of(const Timings& timings, Grade grade);
std::vector<double> milliseconds(const TimedVariant& variant);  // the ms of its samples
std::string variant_name(const TimedVariant& variant);  // "17_split_k SPLITS=2", or the library's title

}  // namespace gemmscope::experiment
