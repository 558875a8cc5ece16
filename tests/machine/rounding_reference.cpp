#include "rounding_reference.h"

#include <cfenv>
#include <cmath>

namespace gemmscope::machine {
namespace {

class ScopedRounding {
 public:
  explicit ScopedRounding(Rounding mode) : before_(std::fegetround()) {
    static constexpr int kModes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    std::fesetround(kModes[static_cast<size_t>(mode)]);
  }
  ~ScopedRounding() { std::fesetround(before_); }
  ScopedRounding(const ScopedRounding&) = delete;
  ScopedRounding& operator=(const ScopedRounding&) = delete;

 private:
  int before_;
};

}  // namespace

// `volatile` keeps the compiler from moving the operation to where another rounding mode is set.
float rounded_add(float a, float b, Rounding mode) {
  const ScopedRounding scope(mode);
  volatile float x = a, y = b;
  volatile float result = x + y;
  return result;
}
float rounded_multiply(float a, float b, Rounding mode) {
  const ScopedRounding scope(mode);
  volatile float x = a, y = b;
  volatile float result = x * y;
  return result;
}
float rounded_multiply_add(float a, float b, float c, Rounding mode) {
  const ScopedRounding scope(mode);
  volatile float x = a, y = b, z = c;
  volatile float result = std::fma(x, y, z);
  return result;
}
double rounded_add(double a, double b, Rounding mode) {
  const ScopedRounding scope(mode);
  volatile double x = a, y = b;
  volatile double result = x + y;
  return result;
}
double rounded_multiply(double a, double b, Rounding mode) {
  const ScopedRounding scope(mode);
  volatile double x = a, y = b;
  volatile double result = x * y;
  return result;
}
double rounded_multiply_add(double a, double b, double c, Rounding mode) {
  const ScopedRounding scope(mode);
  volatile double x = a, y = b, z = c;
  volatile double result = std::fma(x, y, z);
  return result;
}
float rounded_to_float(double x, Rounding mode) {
  const ScopedRounding scope(mode);
  volatile double wide = x;
  volatile float result = static_cast<float>(wide);
  return result;
}
double rounded_whole(double x, Rounding mode) {
  const ScopedRounding scope(mode);
  volatile double value = x;
  volatile double result = std::rint(value);
  return result;
}

}  // namespace gemmscope::machine
