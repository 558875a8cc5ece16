// The cubins of tests/data/cubin, made from small.cu by NVRTC 13.0 (see the README there).
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace gemmscope::cubin {

inline std::vector<std::byte> small_cubin_bytes(const std::string& arch) {
  std::ifstream file(std::string(GEMMSCOPE_TEST_DATA) + "/cubin/small." + arch + ".cubin", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_FALSE(text.empty()) << "tests/data/cubin/small." << arch << ".cubin is missing";
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

}  // namespace gemmscope::cubin
