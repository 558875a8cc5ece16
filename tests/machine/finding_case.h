// Runs a kernel as a grid and as a trace, and keeps what the checks found.
#pragma once

#include <fmt/format.h>

#include "compiled_kernel.h"

namespace gemmscope::machine {

class FindingCase : public testing::TestWithParam<isa::Arch> {
 protected:
  // Buffer "in" holds `values` numbers, "out" holds zeroes. The kernel's parameters are (unsigned* in,
  // unsigned* out).
  Launch launch_of(uint32_t threads, uint32_t values = 256) {
    Launch launch;
    launch.block = {threads, 1, 1};
    std::vector<uint32_t> in(values);
    for (uint32_t i = 0; i < values; ++i) in[i] = i * 7 + 1;
    launch.buffer("in", in).buffer("out", std::vector<uint32_t>(values));
    return launch;
  }

  // Runs the kernel both ways, which must agree on whether it is right. Warps run in different orders, so the
  // mistakes may differ. `findings` and `texts` keep those of the grid.
  void run(const std::string& source, Launch launch) {
    const auto compiled = compile_source(source, GetParam());
    ASSERT_NE(compiled, nullptr);
    Launch traced = launch;
    ASSERT_EQ(launch.run(*compiled), "");
    findings = launch.findings;
    texts = launch.finding_texts;
    const auto trace = traced.trace(*compiled);
    ASSERT_TRUE(trace.has_value()) << trace.error().what;
    EXPECT_EQ(trace->findings.empty(), findings.empty()) << fmt::format("{}", fmt::join(texts, "\n"));
  }
  void expect_none(const std::string& source, Launch launch) {
    run(source, std::move(launch));
    EXPECT_EQ(findings.size(), 0u) << texts.front();
  }
  // Expects one mistake, whose sentence has all the parts.
  void expect_one(const std::string& source, Launch launch, FindingKind kind,
                  const std::vector<std::string>& parts) {
    run(source, std::move(launch));
    ASSERT_EQ(findings.size(), 1u) << fmt::format("{}", fmt::join(texts, "\n"));
    EXPECT_EQ(findings[0].kind, kind);
    for (const std::string& part : parts)
      EXPECT_NE(texts[0].find(part), std::string::npos) << "\"" << part << "\" is not in: " << texts[0];
  }

  std::vector<Finding> findings;
  std::vector<std::string> texts;
};

}  // namespace gemmscope::machine
