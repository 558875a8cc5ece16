// Functions that are compiled twice from the same text: by the host's compiler, and by NVRTC for the machine.
// Each maps (thread index, input word) to an output word, so the lanes of a warp take different paths.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <ostream>
#include <string>
#include <vector>

namespace gemmscope::machine::elementwise {

// ---- the few helpers that differ between the two sides
#define NOINLINE [[gnu::noinline]]
inline uint32_t as_bits(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return (bits & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : bits;
}
inline float as_float(uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
inline uint32_t count_ones(uint32_t x) { return static_cast<uint32_t>(__builtin_popcount(x)); }
inline uint32_t leading_zeros(uint32_t x) { return x == 0 ? 32 : static_cast<uint32_t>(__builtin_clz(x)); }
inline uint32_t reversed(uint32_t x) {
  uint32_t r = 0;
  for (int i = 0; i < 32; ++i) r |= (x >> i & 1u) << (31 - i);
  return r;
}
inline uint32_t upper_product(uint32_t a, uint32_t b) { return static_cast<uint32_t>(uint64_t{a} * b >> 32); }
inline int32_t upper_product_signed(int32_t a, int32_t b) {
  return static_cast<int32_t>(int64_t{a} * b >> 32);
}
inline uint32_t permuted(uint32_t a, uint32_t b, uint32_t selector) {
  const uint64_t bytes = uint64_t{b} << 32 | a;
  uint32_t r = 0;
  for (uint32_t i = 0; i < 4; ++i)
    r |= static_cast<uint32_t>(bytes >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
  return r;
}
inline float square_root(float x) { return std::sqrt(x); }
// As on the GPU, a number wins against any NaN, and −0 is less than +0.
inline float minimum(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? b : a;
  return a < b || (a == b && std::signbit(a)) ? a : b;
}
inline float maximum(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? b : a;
  return a < b || (a == b && std::signbit(a)) ? b : a;
}
// Returns the smaller magnitude with the product's sign. From sm_86 on this is one instruction.
inline float minimum_xorsign(float a, float b) {
  const float smaller = minimum(std::fabs(a), std::fabs(b));
  return std::isnan(smaller) ? smaller
                             : std::copysign(smaller, std::signbit(a) == std::signbit(b) ? 1.0f : -1.0f);
}
inline double as_double(uint32_t high, uint32_t low) {
  const uint64_t bits = uint64_t{high} << 32 | low;
  double x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
// Mixes both words into one; all NaNs count as one value.
inline uint32_t folded(double x) {
  uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return x != x ? 0x7fffffff : static_cast<uint32_t>(bits >> 32) * 31u ^ static_cast<uint32_t>(bits);
}
inline double double_root_of(double x) { return std::sqrt(x); }
inline double double_minimum(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? b : a;
  return a < b || (a == b && std::signbit(a)) ? a : b;
}
inline double double_maximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? b : a;
  return a < b || (a == b && std::signbit(a)) ? b : a;
}
inline double whole_down(double x) { return std::floor(x); }
inline double whole_nearest(double x) { return std::nearbyint(x); }
// IEEE binary16: converts a half to its value, and a value to the nearest half, ties to even.
inline float from_half(uint32_t h) {
  const float sign = (h & 0x8000) != 0 ? -1.0f : 1.0f;
  const int exponent = static_cast<int>(h >> 10 & 31);
  const auto mantissa = static_cast<float>(h & 0x3ff);
  if (exponent == 31) return mantissa != 0 ? NAN : sign * INFINITY;
  return sign * (exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 1024.0f, exponent - 25));
}
inline uint32_t double_to_half(double x) {
  const uint32_t sign = std::signbit(x) ? 0x8000 : 0;
  const double magnitude = std::fabs(x);
  if (std::isnan(x)) return 0x7fff;
  if (magnitude >= 65520.0) return sign | 0x7c00;
  const int exponent = magnitude < 0x1p-14 ? -14 : std::ilogb(magnitude);
  const double quanta = std::nearbyint(std::ldexp(magnitude, 10 - exponent));  // of the last place, 0 to 2048
  return sign | static_cast<uint32_t>((exponent + 14) * 1024 + static_cast<int>(quanta));
}
inline uint32_t to_half(float x) { return double_to_half(x); }
inline const std::string kDeviceHelpers = R"(
typedef unsigned int uint32_t; typedef int int32_t; typedef unsigned long long uint64_t; typedef long long int64_t;
typedef unsigned char uint8_t; typedef signed char int8_t; typedef short int16_t; typedef unsigned short uint16_t;
#define NOINLINE __noinline__
static uint32_t as_bits(float x) { return x != x ? 0x7fffffffu : __float_as_uint(x); }
static float as_float(uint32_t bits) { return __uint_as_float(bits); }
static uint32_t count_ones(uint32_t x) { return __popc(x); }
static uint32_t leading_zeros(uint32_t x) { return __clz(x); }
static uint32_t reversed(uint32_t x) { return __brev(x); }
static uint32_t upper_product(uint32_t a, uint32_t b) { return __umulhi(a, b); }
static int32_t upper_product_signed(int32_t a, int32_t b) { return __mulhi(a, b); }
static uint32_t permuted(uint32_t a, uint32_t b, uint32_t selector) { return __byte_perm(a, b, selector & 0x7777); }
static float square_root(float x) { return sqrtf(x); }
static float minimum(float a, float b) { return fminf(a, b); }
static float maximum(float a, float b) { return fmaxf(a, b); }
static float minimum_xorsign(float a, float b) {
#if __CUDA_ARCH__ >= 860
  float r;
  asm("min.xorsign.abs.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
#else
  const float smaller = fminf(fabsf(a), fabsf(b));
  return smaller != smaller ? smaller : copysignf(smaller, signbit(a) == signbit(b) ? 1.0f : -1.0f);
#endif
}
static double as_double(uint32_t high, uint32_t low) { return __hiloint2double(high, low); }
static uint32_t folded(double x) { return x != x ? 0x7fffffffu : __double2hiint(x) * 31u ^ __double2loint(x); }
static double double_root_of(double x) { return sqrt(x); }
static double double_minimum(double a, double b) { return fmin(a, b); }
static double double_maximum(double a, double b) { return fmax(a, b); }
static double whole_down(double x) { return floor(x); }
static double whole_nearest(double x) { return rint(x); }
static float from_half(uint32_t h) {
  float r;
  asm("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"((uint16_t)h));
  return r;
}
static uint32_t to_half(float x) {
  uint16_t r;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(r) : "f"(x));
  return r;
}
static uint32_t double_to_half(double x) {
  uint16_t r;
  asm("cvt.rn.f16.f64 %0, %1;" : "=h"(r) : "d"(x));
  return r;
}
)";

struct Function {
  const char* name;
  uint32_t (*host)(uint32_t thread, uint32_t x);
  const char* device_text;  // defines `compute`
};
inline void PrintTo(const Function& function, std::ostream* out) { *out << function.name; }
std::vector<Function> integer_functions();
std::vector<Function> control_functions();
std::vector<Function> float_functions();
std::vector<Function> double_functions();

// Defines, in a source file, the function for the host and its text for NVRTC. The braces give each function
// its own namespace.
#define ON_BOTH_SIDES(name, ...)                              \
  namespace name {                                            \
  __VA_ARGS__                                                 \
  constexpr Function kFunction{#name, compute, #__VA_ARGS__}; \
  }

}  // namespace gemmscope::machine::elementwise
