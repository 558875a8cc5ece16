// Opens a source as a user's own file.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "catalog/catalog.h"
#include "cuda_text/source_outline.h"
#include "own_kernel/open_kernel.h"

namespace gemmscope::own_kernel {

using namespace catalog;
using namespace cuda_text;

inline Result<Kernel> open_text(const std::string& source, const Overrides& given = {}) {
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / fmt::format("own_{}.cu", getpid());
  std::ofstream(path, std::ios::binary) << source;
  Result<Kernel> kernel = open_kernel(path, given);
  std::filesystem::remove(path);
  return kernel;
}

inline std::string error_of(const std::string& source, const Overrides& given = {}) {
  const Result<Kernel> kernel = open_text(source, given);
  EXPECT_FALSE(kernel);
  return kernel ? "" : kernel.error().message;
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace gemmscope::own_kernel
