// Reads the cubins of tests/data/cubin, which NVRTC 13.0 made (see the README there).
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace gemmscope::cubin {

inline std::vector<std::byte> stored_cubin_bytes(const std::string& name, const std::string& arch) {
  std::ifstream file(std::string(GEMMSCOPE_TEST_DATA) + "/cubin/" + name + "." + arch + ".cubin",
                     std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_FALSE(text.empty()) << "tests/data/cubin/" << name << "." << arch << ".cubin is missing";
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

inline std::vector<std::byte> small_cubin_bytes(const std::string& arch) {
  return stored_cubin_bytes("small", arch);
}

}  // namespace gemmscope::cubin
