// A result has as many registers as the machine assumes, for every instruction of the recorded vectors. A
// result that does not fit below RZ is refused. RZ as the destination discards any result and still reads
// zero.
#include "machine/translate/result_rows.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <set>

#include "../isa/print_arch.h"
#include "machine/execute/grid.h"
#include "machine/lanes/lane_ops.h"
#include "machine/translate/translate.h"

namespace gemmscope::machine {
namespace {

struct Words {
  uint64_t lo = 0, hi = 0;
};

// Reads the words of rows "arch,address,lo,hi,text".
std::vector<Words> vectors_of(isa::Arch arch) {
  const std::string path = std::string(GEMMSCOPE_TEST_DATA) + "/isa/vectors_" + isa::arch_name(arch) + ".csv";
  std::ifstream stream(path);
  std::vector<Words> vectors;
  for (std::string line; std::getline(stream, line);) {
    const size_t lo = line.find(',', line.find(',') + 1) + 1, hi = line.find(',', lo) + 1;
    if (line.empty() || line[0] < '0' || line[0] > '9') continue;
    vectors.push_back({std::stoull(line.substr(lo), nullptr, 16), std::stoull(line.substr(hi), nullptr, 16)});
  }
  return vectors;
}

Words with_destination(Words words, uint8_t index) {
  words.lo = (words.lo & ~0xff0000ull) | uint64_t{index} << 16;
  return words;
}

Result<Program> translate_words(isa::Arch arch, const std::vector<Words>& code, GlobalMemory& memory) {
  cubin::Cubin cubin;
  cubin.arch = arch;
  cubin::KernelCode kernel;
  kernel.name = "kernel";
  kernel.static_shared_bytes = 1024;
  for (const Words& words : code) kernel.words.insert(kernel.words.end(), {words.lo, words.hi});
  return translate(cubin, kernel, {}, memory);
}

class ResultRows : public testing::TestWithParam<isa::Arch> {
 protected:
  // Null if the machine does not know this form.
  std::optional<Program> program_of(const Words& words) {
    GlobalMemory memory;
    Result<Program> program = translate_words(GetParam(), {words}, memory);
    if (!program || !program->unsupported[0].empty()) return std::nullopt;
    return std::move(*program);
  }
  // Returns the rows that the operation changes in one execution on random values.
  std::vector<bool> changed_rows(const Program& program) {
    const size_t count = program.row_count();
    std::vector<uint32_t> storage((count + 1) * kWarpLanes);
    auto* const rows =
        reinterpret_cast<uint32_t*>((reinterpret_cast<uintptr_t>(storage.data()) + 63) / 64 * 64);
    for (size_t i = 0; i < count * kWarpLanes; ++i) rows[i] = values_[(i + shift_) % values_.size()];
    shift_ += 7919;
    std::fill(rows + kZeroRow * kWarpLanes, rows + kUniformRow * kWarpLanes, 0u);
    std::vector<uint32_t> predicates(values_.begin(), values_.begin() + kPredicateCount);
    predicates[7] = predicates[kUniformPredicate + 7] = kAllLanes;
    const std::vector<uint32_t> before(rows, rows + count * kWarpLanes);
    program.ops[0].lane(rows, predicates.data(), program.ops[0], kAllLanes);
    std::vector<bool> changed(count);
    for (size_t row = 0; row < count; ++row)
      changed[row] = !std::equal(rows + row * kWarpLanes, rows + (row + 1) * kWarpLanes,
                                 before.begin() + static_cast<std::ptrdiff_t>(row * kWarpLanes));
    return changed;
  }

  void SetUp() override {
    std::mt19937_64 random(42);
    for (uint32_t& value : values_) value = static_cast<uint32_t>(random());
  }
  std::array<uint32_t, 16411> values_;
  size_t shift_ = 0;
};
INSTANTIATE_TEST_SUITE_P(Archs, ResultRows, testing::ValuesIn(isa::kAllArchs),
                         [](const auto& test) { return isa::arch_name(test.param); });

TEST_P(ResultRows, AreThoseThatAnOperationChanges) {
  size_t tried = 0;
  std::set<LaneFunction> wide, reached;  // of several rows; that changed the last of them
  for (const Words& words : vectors_of(GetParam())) {
    const std::optional<Program> program = program_of(words);
    if (!program || program->ops[0].action != Action::lanes) continue;
    const MicroOp& op = program->ops[0];
    const std::string text = fmt::format("{:016x} {:016x}", words.lo, words.hi);
    const uint32_t rows = result_rows(op);
    ASSERT_LE(rows, kMostResultRows);
    const std::vector<bool> changed = changed_rows(*program);
    for (size_t row = 0; row < changed.size(); ++row)
      ASSERT_TRUE(!changed[row] || (row >= op.destination && row < op.destination + rows))
          << text << " row " << row;
    if (rows > 1) wide.insert(op.lane);
    if (rows > 1 && changed[op.destination + rows - 1]) reached.insert(op.lane);
    ++tried;
  }
  EXPECT_GT(tried, 1500u);
  EXPECT_GE(wide.size(), 8u);
  EXPECT_EQ(wide, reached);
}

// Covers wide results of lane functions and of loads at the end of the register file.
TEST_P(ResultRows, DoNotReachTheZeroRegister) {
  size_t refused = 0, kept = 0, discarded = 0;
  for (const Words& words : vectors_of(GetParam())) {
    const std::optional<Program> program = program_of(words);
    if (!program || program->ops[0].destination != (words.lo >> 16 & 0xff)) continue;
    const uint32_t rows = result_rows(program->ops[0]);
    if (rows == 1) continue;
    for (const int index : {252, 253, 254}) {
      GlobalMemory memory;
      const auto moved =
          translate_words(GetParam(), {with_destination(words, static_cast<uint8_t>(index))}, memory);
      ASSERT_TRUE(moved.has_value());
      const bool fits = index + rows <= 255;
      const std::string& why = moved->unsupported[0];
      ASSERT_EQ(why.empty(), fits) << why;
      ASSERT_EQ(moved->ops[0].action == Action::unsupported, !fits);
      EXPECT_TRUE(fits || why.starts_with(fmt::format(
                              "it writes {} registers from R{} on, but the last one is R254", rows, index)))
          << why;
      ++(fits ? kept : refused);
    }
    const std::optional<Program> dropped = program_of(with_destination(words, isa::kRegisterZero));
    ASSERT_TRUE(dropped.has_value());
    EXPECT_EQ(dropped->ops[0].destination, kTrashRow);
    ++discarded;
    if (dropped->ops[0].action != Action::lanes) continue;
    const std::vector<bool> changed = changed_rows(*dropped);
    for (size_t row = 0; row < changed.size(); ++row)
      ASSERT_TRUE(!changed[row] || (row >= kTrashRow && row < kTidX)) << row;
  }
  EXPECT_GT(refused, 100u);
  EXPECT_GT(kept, 50u);
  EXPECT_GT(discarded, 50u);
}

// LDG.E.128 Rd, [R2.64] of 16 bytes of ones, then STG.E [R2.64+0x10], RZ.
Fault run_load_into(uint8_t destination, std::array<uint32_t, 8>& values) {
  constexpr uint64_t kControl = 0x003fde0000000000;
  GlobalMemory memory;
  const uint64_t address = memory.allocate("values", sizeof values);
  std::memset(memory.bytes("values").data(), 0xff, sizeof values);
  const std::vector<Words> code = {
      {(address & 0xffffffff) << 32 | 0x00027802, kControl | 0xf00},            // MOV R2, low
      {address >> 32 << 32 | 0x00037802, kControl | 0xf00},                     // MOV R3, high
      with_destination({0x0000000402087981, 0x000ea2000c1e1d00}, destination),  // LDG.E.128
      {0x000010ff02007986, 0x003fde000c101904},                                 // STG.E
      {0x000000000000794d, kControl | 0x3800000},                               // EXIT
  };
  const auto program = translate_words(isa::Arch::sm_86, code, memory);
  EXPECT_TRUE(program.has_value());
  GridOptions options;
  options.threads = 1;
  const auto run = run_grid(*program, memory, options);
  std::memcpy(values.data(), memory.bytes("values").data(), sizeof values);
  if (run) return {};
  cubin::KernelCode kernel;
  Fault fault = run.error();
  fault.what = describe_fault(fault, program->instructions, {}, kernel);
  return fault;
}

TEST(WideLoad, IntoRzIsDiscarded) {
  std::array<uint32_t, 8> values{};
  EXPECT_EQ(run_load_into(isa::kRegisterZero, values).kind, FaultKind::none);
  EXPECT_EQ(values[3], 0xffffffffu);
  EXPECT_EQ(values[4], 0u);  // RZ
}

TEST(WideLoad, IntoRegistersPastRzIsRefusedWithItsPlace) {
  std::array<uint32_t, 8> values{};
  const Fault fault = run_load_into(252, values);
  EXPECT_EQ(fault.kind, FaultKind::unsupported_instruction);
  EXPECT_TRUE(fault.what.starts_with(
      "LDG.E.128 R252, [R2.64] at 0x20: it writes 4 registers from R252 on, but the last one is R254"))
      << fault.what;
  EXPECT_EQ(values[4], 0xffffffffu);
}

}  // namespace
}  // namespace gemmscope::machine
