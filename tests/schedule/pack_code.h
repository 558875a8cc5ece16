// The machine code of a kernel of the pack.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "compile/pack_file.h"
#include "cubin/cubin.h"
#include "cubin/write_cubin.h"
#include "schedule/schedule.h"

namespace gemmscope::schedule {

struct PackCode {
  std::vector<std::byte> bytes;
  cubin::Cubin cubin;
  std::vector<isa::Instruction> instructions;  // of the first kernel
  const cubin::KernelCode& kernel() const { return cubin.kernels.front(); }
  Options options(int register_budget) const {
    return {kernel().registers, register_budget, 0, *cubin::named_addresses(bytes, kernel().name, "pack")};
  }
};

inline std::vector<isa::Instruction> decode_code(const cubin::Cubin& cubin, const cubin::KernelCode& kernel) {
  std::vector<isa::Instruction> code;
  for (uint32_t i = 0; i < kernel.instruction_count(); ++i)
    code.push_back(
        isa::decode(kernel.words[2 * i], kernel.words[2 * i + 1], i * isa::kInstructionBytes, cubin.arch));
  return code;
}

inline PackCode pack_code(const std::string& id, const std::string& arch) {
  const auto path =
      std::filesystem::path(GEMMSCOPE_SOURCE_DIR) / "assets" / "pack" / (id + "." + arch + ".pack");
  const auto file = compile::PackFile::open(path);
  EXPECT_TRUE(file) << file.error().message;
  auto found = (*file)->find({});
  EXPECT_TRUE(found) << found.error().message;
  auto cubin = cubin::read_cubin(found->cubin, id);
  EXPECT_TRUE(cubin) << cubin.error().message;
  PackCode code{std::move(found->cubin), std::move(*cubin), {}};
  code.instructions = decode_code(code.cubin, code.kernel());
  return code;
}

}  // namespace gemmscope::schedule
