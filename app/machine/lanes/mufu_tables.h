#pragma once

#include <array>
#include <cstdint>

// The function unit's tables, from which mufu.cpp interpolates.
namespace gemmscope::machine {

// c0 + c1 * x + c2 * square(x) in units of 2^-40, where x is the segment's next 17 bits.
struct MufuSegment {
  int64_t c0;
  int32_t c1, c2;
};

extern const std::array<MufuSegment, 128> kRcpSegments, kRsqSegments, kSqrtSegments;
extern const std::array<MufuSegment, 64> kEx2Segments, kLg2Segments, kSinSegments;
extern const std::array<MufuSegment, 51> kTanhSegments;

}  // namespace gemmscope::machine
