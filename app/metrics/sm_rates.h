// What an SM can do in a clock, for every compute capability: the rows of a throughput table.
//
// Sources: CUDA C++ Programming Guide, "Arithmetic Instructions" (of version 4.2 for 1.x and 2.x); load and
// store units and tensor cores from the block diagrams of NVIDIA's architecture papers. Results per clock
// and SM for 32 lanes of a warp that all take part.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace gemmscope::metrics {

inline constexpr uint8_t kUnsureInteger = 1, kUnsureFp64 = 2;

struct SmRates {
  std::string_view architecture, example;  // "Ampere"; "GA100, A100"
  int compute_capability = 0;
  int schedulers = 0, dispatch_per_scheduler = 0;
  int fp32 = 0;              // add, multiply, multiply-add
  int fp64 = 0;              // 0: none; GeForce boards of 2.0 and 3.5 have fewer, see rates_note
  int integer_add = 0;       // 32 bits
  int integer_multiply = 0;  // 32 bits; 0: several instructions
  int special = 0;           // reciprocal, square root, sine, …
  int load_store = 0;        // units that address global, local and shared memory; 0: not published
  int shared_bytes = 0;      // read from shared memory
  int tensor_fp16 = 0;       // dense multiply-adds of FP16 into FP32; 0: no tensor cores, or not published
  uint8_t unsure = 0;        // kUnsure…: a figure that only one weak source has
};
const SmRates* sm_rates(int compute_capability);  // null where it is not known
bool has_tensor_cores(int compute_capability);    // 7.0 and later
// What a figure of the row leaves out, as a sentence, or "".
std::string_view rates_note(int compute_capability);

}  // namespace gemmscope::metrics
