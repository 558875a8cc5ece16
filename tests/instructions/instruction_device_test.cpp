// On a real GPU every instruction test gives the recorded bits. With GEMMSCOPE_RECORD=FOLDER the GPU's
// results are written to that folder, in the form of expected/.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iostream>

#include "device.h"
#include "instruction_run.h"

namespace gemmscope::instructions {
namespace {

std::filesystem::path folder() {
  const char* const data = std::getenv("GEMMSCOPE_DATA");
  return std::filesystem::path(data == nullptr ? GEMMSCOPE_SOURCE_DIR : data) / "tests" / "instructions";
}

std::string origin(const gpu::DeviceFacts& facts) {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 16> date{};
  const size_t length = std::strftime(date.data(), date.size(), "%Y-%m-%d", &utc);
  return fmt::format("# {}, driver {}, {}", facts.name, facts.driver_version,
                     std::string_view(date.data(), length));
}

gpu::BufferParameter buffer(const std::vector<uint32_t>& words, bool returned) {
  gpu::BufferParameter parameter;
  parameter.initial.resize(words.size() * sizeof(uint32_t));
  std::memcpy(parameter.initial.data(), words.data(), parameter.initial.size());
  parameter.returned = returned;
  return parameter;
}

gpu::Outcome<std::vector<uint32_t>> run_on_gpu(const InstructionCase& c, const CompiledCase& compiled) {
  gpu::RunRequest request;
  request.cubin = compiled.binary;
  request.kernel = "test";
  request.grid = {c.blocks, 1, 1};
  request.block = {c.threads, 1, 1};
  request.parameters.emplace_back(buffer(make_input(c.input), false));
  request.parameters.emplace_back(buffer(std::vector<uint32_t>(c.output_words), true));
  const gpu::Outcome<gpu::RunReply> reply = gpu::device().client->run(request);
  if (!reply) return tl::unexpected(reply.error());
  std::vector<uint32_t> out(c.output_words);
  std::memcpy(out.data(), reply->buffers.at(0).data(), out.size() * sizeof(uint32_t));
  return out;
}

TEST(InstructionsOnTheGpu, GiveTheRecordedBits) {
  if (!gpu::device().facts) GTEST_SKIP() << gpu::device().facts.error().message;
  const gpu::DeviceFacts& facts = *gpu::device().facts;
  const auto arch = isa::arch_from_number(facts.compute_capability);
  if (!arch) GTEST_SKIP() << facts.name << " is of an architecture that this program does not know";
  const Result<std::vector<InstructionCase>> cases = read_cases(folder());
  ASSERT_TRUE(cases.has_value()) << cases.error().message;
  const char* const record = std::getenv("GEMMSCOPE_RECORD");
  size_t right = 0;
  for (const InstructionCase& c : *cases) {
    if (std::find(c.archs.begin(), c.archs.end(), *arch) == c.archs.end()) continue;
    SCOPED_TRACE(c.id);
    const Result<CompiledCase> compiled = compile_case(c, *arch);
    EXPECT_TRUE(compiled.has_value()) << compiled.error().message;
    if (!compiled) continue;
    const gpu::Outcome<std::vector<uint32_t>> out = run_on_gpu(c, *compiled);
    EXPECT_TRUE(out.has_value()) << out.error().message;
    if (!out) continue;
    if (record != nullptr) {
      write_expected(std::filesystem::path(record) / (c.id + ".txt"), {origin(facts), *out});
      continue;
    }
    const Result<Expected> expected = read_expected(expected_file(folder(), c.id));
    EXPECT_TRUE(expected.has_value()) << expected.error().message;
    if (!expected) continue;
    const std::string difference = compare_words(*out, expected->words);
    EXPECT_EQ(difference, "");
    right += difference.empty() ? 1 : 0;
  }
  std::cout << (record != nullptr ? "recorded" : fmt::format("{} of {} right", right, cases->size()))
            << std::endl;
}

}  // namespace
}  // namespace gemmscope::instructions
