// gemmscope lint on files, folders and kernels.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "command.h"
#include "compile/file_io.h"
#include "compile/pack_file.h"
#include "cubin/cubin.h"
#include "isa/instruction.h"

namespace gemmscope::cli {
namespace {

const std::string kPack = GEMMSCOPE_SOURCE_DIR "/assets/pack";

std::vector<std::byte> cubin_of(const std::string& name) {
  const auto file = compile::PackFile::open(kPack + "/" + name);
  EXPECT_TRUE(file.has_value()) << file.error().message;
  if (!file) return {};
  const auto entry = (*file)->find({});
  EXPECT_TRUE(entry.has_value());
  return entry ? entry->cubin : std::vector<std::byte>{};
}

bool computes(isa::Opcode opcode) {
  using isa::Opcode;
  return opcode == Opcode::ffma || opcode == Opcode::imad || opcode == Opcode::iadd3 ||
         opcode == Opcode::lop3 || opcode == Opcode::shf || opcode == Opcode::lea;
}
bool reads(const isa::Instruction& instruction, uint8_t reg) {
  for (int k = instruction.destination_count; k < instruction.operand_count; ++k) {
    const isa::Operand& operand = instruction.operands[static_cast<size_t>(k)];
    if (operand.is(isa::OperandKind::reg) && operand.index == reg) return true;
  }
  return false;
}

// The cubin with one stall count lowered to 1: that of the first computation whose result the next one reads,
// at `address`.
std::string broken_cubin(uint32_t* address) {
  std::vector<std::byte> bytes = cubin_of("07_register_tile.sm_86.pack");
  const auto cubin = cubin::read_cubin(bytes, "07_register_tile");
  const cubin::KernelCode& kernel = cubin->kernels.at(0);
  const auto at = [&](uint32_t i) {
    return isa::decode(kernel.words[2 * i], kernel.words[2 * i + 1], 16 * i, cubin->arch);
  };
  for (uint32_t i = 0; i + 1 < kernel.instruction_count(); ++i) {
    const isa::Instruction first = at(i), second = at(i + 1);
    if (!computes(first.opcode) || !reads(second, first.operands[0].index) ||
        !first.operands[0].is(isa::OperandKind::reg))
      continue;
    const uint64_t words[2] = {kernel.words[2 * i], kernel.words[2 * i + 1]};
    const uint64_t lowered[2] = {words[0], (words[1] & ~(15ull << 41)) | 1ull << 41};
    for (size_t byte = 0; byte + sizeof words <= bytes.size(); byte += 4)
      if (std::memcmp(&bytes[byte], words, sizeof words) == 0) {
        std::memcpy(&bytes[byte], lowered, sizeof lowered);
        *address = 16 * (i + 1);
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
      }
  }
  ADD_FAILURE() << "nothing reads what the instruction before it wrote";
  return {};
}

TEST(Lint, ThePackIsClean) {
  const CommandResult text = run_command({"lint", kPack + "/01_naive_rows.sm_86.pack"});
  EXPECT_EQ(text.exit_code, 0) << text.out << text.err;
  EXPECT_TRUE(text.out.ends_with("dependences: no findings\n")) << text.out;
  const nlohmann::json result = json_of(run_command({"lint", kPack, "--json"}));
  EXPECT_TRUE(result["findings"].empty());
  size_t variants = 0;
  for (const auto& file : std::filesystem::directory_iterator(kPack))
    variants += (*compile::PackFile::open(file.path()))->variants().size();
  EXPECT_EQ(result["cubins"], variants);
}

TEST(Lint, AKernelOfTheCatalogueIsClean) {
  const CommandResult result = run_command({"lint", "07_register_tile", "01_naive_rows", "--arch", "sm_90"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(result.out.starts_with("2 cubins, ")) << result.out;
}

TEST(Lint, ABrokenCubinIsCaught) {
  uint32_t address = 0;
  const TemporaryFile file("broken.cubin", broken_cubin(&address));
  const CommandResult text = run_command({"lint", file.path()});
  EXPECT_EQ(text.exit_code, 3);
  EXPECT_NE(text.out.find("cycles, has 1"), std::string::npos) << text.out;
  const CommandResult as_json = run_command({"lint", file.path(), "--json"});
  EXPECT_EQ(as_json.exit_code, 3);
  const nlohmann::json result = nlohmann::json::parse(as_json.out);
  ASSERT_FALSE(result["findings"].empty());
  const nlohmann::json& finding = result["findings"][0];
  EXPECT_EQ(finding["file"], file.path());
  EXPECT_EQ(finding["address"], address);
  EXPECT_EQ(finding["producer_address"], address - 16);
  EXPECT_TRUE(finding["missing"].get<std::string>().ends_with("cycles, has 1"));
  const auto reg = finding["register"].get<std::string>();
  EXPECT_TRUE(finding["text"].get<std::string>().starts_with(reg + " is read 1 cycle after "));
}

TEST(Lint, WhatCannotBeReadIsNamed) {
  const TemporaryFile cut("cut.cubin",
                          "\x7f"
                          "ELF and then nothing");
  const CommandResult damaged = run_command({"lint", cut.path()});
  EXPECT_EQ(damaged.exit_code, 1);
  EXPECT_NE(damaged.err.find("cut.cubin"), std::string::npos) << damaged.err;
  const CommandResult unknown = run_command({"lint", "no_such_kernel"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("no_such_kernel"), std::string::npos) << unknown.err;
  const CommandResult empty = run_command({"lint", GEMMSCOPE_SOURCE_DIR "/kernels/ladder"});
  EXPECT_EQ(empty.exit_code, 1);
  EXPECT_NE(empty.err.find("holds no cubin"), std::string::npos) << empty.err;
  EXPECT_EQ(run_command({"lint"}).exit_code, 2);
}

}  // namespace
}  // namespace gemmscope::cli
