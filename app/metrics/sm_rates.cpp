#include "metrics/sm_rates.h"

#include <algorithm>

namespace gemmscope::metrics {
namespace {

constexpr SmRates kRates[] = {
    {"Tesla", "G80", 10, 1, 1, 8, 0, 8, 0, 2, 0, 32, 0},
    {"Tesla", "G9x, GeForce 9400M", 11, 1, 1, 8, 0, 8, 0, 2, 0, 32, 0},
    {"Tesla", "GT21x", 12, 1, 1, 8, 0, 8, 0, 2, 0, 32, 0},
    {"Tesla", "GT200", 13, 1, 1, 8, 1, 8, 0, 2, 0, 32, 0},
    {"Fermi", "GF100, Tesla C2050", 20, 2, 1, 32, 16, 32, 16, 4, 16, 64, 0},
    {"Fermi", "GF104", 21, 2, 2, 48, 4, 48, 16, 8, 16, 64, 0},
    {"Kepler", "GK104", 30, 4, 2, 192, 8, 160, 32, 32, 32, 256, 0},
    {"Kepler", "GK20A, Jetson TK1", 32, 4, 2, 192, 8, 160, 32, 32, 32, 256, 0},
    {"Kepler", "GK110, K20c", 35, 4, 2, 192, 64, 160, 32, 32, 32, 256, 0},
    {"Kepler", "GK210, K80", 37, 4, 2, 192, 64, 160, 32, 32, 32, 256, 0},
    {"Maxwell", "GM107", 50, 4, 2, 128, 4, 128, 0, 32, 32, 128, 0},
    {"Maxwell", "GM20x, GTX 980", 52, 4, 2, 128, 4, 128, 0, 32, 32, 128, 0},
    {"Maxwell", "GM20B, Jetson TX1", 53, 4, 2, 128, 4, 128, 0, 32, 32, 128, 0},
    {"Pascal", "GP100, P100", 60, 2, 2, 64, 32, 64, 0, 16, 16, 128, 0},
    {"Pascal", "GP10x, GTX 1080, MX330", 61, 4, 2, 128, 4, 128, 0, 32, 32, 128, 0},
    {"Pascal", "GP10B, Jetson TX2", 62, 4, 2, 128, 4, 128, 0, 32, 32, 128, 0},
    {"Volta", "GV100, V100", 70, 4, 1, 64, 32, 64, 64, 16, 32, 128, 512},
    {"Volta", "GV11B, Jetson Xavier", 72, 4, 1, 64, 32, 64, 64, 16, 32, 128, 512, kUnsureFp64},
    {"Turing", "TU10x, T4, RTX 20", 75, 4, 1, 64, 2, 64, 64, 16, 16, 64, 512},
    {"Ampere", "GA100, A100", 80, 4, 1, 64, 32, 64, 64, 16, 32, 128, 1024},
    {"Ampere", "GA10x, RTX 30, A4000", 86, 4, 1, 128, 2, 64, 64, 16, 16, 128, 512},
    {"Ampere", "GA10B, Jetson Orin", 87, 4, 1, 128, 2, 64, 64, 16, 0, 128, 0, kUnsureFp64},
    {"Ada", "AD10x, RTX 40, L40", 89, 4, 1, 128, 2, 64, 64, 16, 16, 128, 512},
    {"Hopper", "GH100, H100, H200", 90, 4, 1, 128, 64, 64, 64, 16, 32, 128, 2048},
    {"Blackwell", "GB100, B200", 100, 4, 1, 128, 64, 64, 64, 16, 0, 128, 0, kUnsureInteger | kUnsureFp64},
    {"Blackwell", "GB110, B300", 103, 4, 1, 128, 2, 64, 64, 16, 0, 128, 0, kUnsureInteger | kUnsureFp64},
    {"Blackwell", "Thor", 110, 4, 1, 128, 2, 64, 64, 16, 0, 128, 0, kUnsureInteger | kUnsureFp64},
    {"Blackwell", "GB20x, RTX 50", 120, 4, 1, 128, 2, 128, 64, 16, 0, 128, 0},
    {"Blackwell", "GB10, DGX Spark", 121, 4, 1, 128, 2, 128, 64, 16, 0, 128, 0},
};

}  // namespace

const SmRates* sm_rates(int compute_capability) {
  const auto found = std::find_if(std::begin(kRates), std::end(kRates), [&](const SmRates& rates) {
    return rates.compute_capability == compute_capability;
  });
  return found == std::end(kRates) ? nullptr : found;
}

bool has_tensor_cores(int compute_capability) { return compute_capability >= 70; }

std::string_view rates_note(int compute_capability) {
  switch (compute_capability) {
    case 10:
    case 11:
    case 12:
    case 13:
      return "24-bit integers are multiplied at 8 a clock, 32-bit ones by several instructions.";
    case 20:
      return "GeForce boards have FP64 at 4 a clock.";
    case 35:
      return "GeForce boards, Titan apart, have FP64 at 8 a clock.";
    case 86:
    case 89:
      return "GeForce boards accumulate in FP32 at half the tensor rate.";
    default:
      return "";
  }
}

}  // namespace gemmscope::metrics
