// The project's own machine code: the default variants of the pack, and the catalogue compiled for any
// architecture.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "catalog/catalog.h"
#include "compile/compiler.h"
#include "compile/pack_file.h"
#include "lint/lint.h"

namespace gemmscope::lint {

struct NamedCubin {
  std::string name;
  cubin::Cubin cubin;
};

inline std::vector<NamedCubin> read_pack() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(GEMMSCOPE_SOURCE_DIR) / "assets" / "pack"))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<NamedCubin> pack;
  for (const std::filesystem::path& path : paths) {
    const auto file = compile::PackFile::open(path);
    EXPECT_TRUE(file.has_value()) << file.error().message;
    if (!file) continue;
    const Result<compile::Entry> entry = (*file)->find({});
    EXPECT_TRUE(entry.has_value()) << entry.error().message;
    if (!entry) continue;
    Result<cubin::Cubin> cubin = cubin::read_cubin(entry->cubin, path.string());
    EXPECT_TRUE(cubin.has_value()) << cubin.error().message;
    if (cubin) pack.push_back({path.filename().string(), std::move(*cubin)});
  }
  return pack;
}

// "gemm at 0x0120: needs 4 cycles, has 2 (…)" for every finding.
inline std::string findings_of(const cubin::Cubin& cubin) {
  std::string text;
  for (const LintedKernel& kernel : lint_cubin(cubin))
    for (const Finding& finding : kernel.result.findings)
      text += fmt::format("{} at 0x{:04x}: {} ({})\n", kernel.name,
                          kernel.instructions[finding.dependence.consumer].address, missing_text(finding),
                          finding_text(finding, kernel.instructions));
  return text;
}

}  // namespace gemmscope::lint
