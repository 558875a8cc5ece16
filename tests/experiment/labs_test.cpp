// The labs are right with every value of every toggle, and their counters have the values that they teach.
#include <gtest/gtest.h>

#include <bit>
#include <fstream>
#include <numeric>
#include <set>

#include "experiment/launch_parts.h"
#include "ladder_run.h"

namespace gemmscope::experiment {
namespace {

namespace fs = std::filesystem;
using Toggles = std::map<std::string, int64_t>;
using Inputs = std::map<std::string, std::string>;

constexpr catalog::Problem kProblem{64, 64, 1};

const catalog::Catalog& labs() {
  static const catalog::Catalog catalog =
      catalog::read_catalog(fs::path(GEMMSCOPE_SOURCE_DIR) / "kernels" / "labs");
  return catalog;
}

std::shared_ptr<const GridResult> run(const catalog::Kernel& kernel, const Toggles& toggles,
                                      const Inputs& inputs = {}, const catalog::Problem& problem = kProblem) {
  const auto fitting = catalog::fitted(kernel, problem, toggles);
  EXPECT_TRUE(fitting) << kernel.id << ": " << fitting.error().message;
  if (!fitting) return nullptr;
  Experiment e = experiment_on(kernel.id, isa::Arch::sm_86, *fitting);
  e.toggles = toggles;
  e.inputs = inputs;
  const auto compiled = compile_kernel(kernel, e);
  EXPECT_TRUE(compiled) << kernel.id << ": " << compiled.error().message;
  if (!compiled) return nullptr;
  const auto grid = run_whole_grid(*compiled, e, {});
  EXPECT_TRUE(grid) << kernel.id << ": " << grid.error().message;
  return grid.value_or(nullptr);
}

std::shared_ptr<const GridResult> run(const char* lab, const Toggles& toggles, const Inputs& inputs = {},
                                      const catalog::Problem& problem = kProblem) {
  const catalog::Kernel* kernel = labs().find(lab);
  EXPECT_NE(kernel, nullptr) << lab;
  return kernel == nullptr ? nullptr : run(*kernel, toggles, inputs, problem);
}

void expect_right(const GridResult& grid, const std::string& what) {
  EXPECT_TRUE(grid.verification.checked()) << what;
  EXPECT_EQ(grid.verification.reference, "reference") << what;
  EXPECT_TRUE(grid.verification.right()) << what << ": " << grid.verification.wrong_elements << " wrong";
  EXPECT_TRUE(grid.findings.empty()) << what;
}

class Labs : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_nvrtc()) GTEST_SKIP() << "other toggles than the defaults need NVRTC";
  }
};

TEST_F(Labs, AreRightWithEveryValueOfEveryToggle) {
  ASSERT_EQ(labs().kernels.size(), 11u);
  for (const catalog::Kernel& kernel : labs().kernels) {
    std::set<Toggles> cases = {{}};
    for (const catalog::Toggle& toggle : kernel.toggles)
      for (const int64_t value : toggle.values)
        if (toggle.values.size() <= 8 || value == toggle.values.front() || value == toggle.values.back())
          cases.insert({{toggle.name, value}});
    for (const Toggles& toggles : cases) {
      const auto grid = run(kernel, toggles);
      ASSERT_NE(grid, nullptr);
      const std::string what = toggles.empty() ? kernel.id
                                               : fmt::format("{} {}={}", kernel.id, toggles.begin()->first,
                                                             toggles.begin()->second);
      expect_right(*grid, what);
    }
  }
}

// A comparison with the reference covers only written words, so a word that neither kernel writes does not
// count as equal. This also holds at ragged edges.
TEST_F(Labs, WriteEveryWordThatIsCompared) {
  for (const catalog::Kernel& kernel : labs().kernels)
    for (const catalog::Problem& wanted : {kProblem, catalog::Problem{130, 66, 290}, {37, 131, 51}}) {
      const auto problem = catalog::fitted(kernel, wanted, {});
      ASSERT_TRUE(problem) << problem.error().message;
      const Experiment e = experiment_on(kernel.id, isa::Arch::sm_86, *problem);
      const auto compiled = compile_kernel(kernel, e);
      ASSERT_TRUE(compiled) << compiled.error().message;
      auto data = make_problem_data(kernel, *problem, {});
      ASSERT_TRUE(data) << data.error().message;
      for (const LaunchPart& part : (*compiled)->parts)
        ASSERT_TRUE(run_part(**compiled, part, *data, {})) << kernel.id;
      for (const auto& buffer : data->memory.buffers())
        for (const std::string& name : kernel.check.compare)
          if (buffer.name == "parameter " + name) {
            EXPECT_EQ(std::count(buffer.initialised.begin(), buffer.initialised.end(), 0), 0)
                << kernel.id << ": " << name << " at " << problem->m << " x " << problem->n;
          }
    }
}

// In a warp's load of one column, 32 / (32 / gcd(pitch, 32)) rows meet in a bank.
TEST_F(Labs, BankConflictsOfAColumnFollowThePitch) {
  const uint64_t loads = 64 * 64 / 32;  // one a row of a tile
  for (const int64_t pitch : {32, 33, 34, 36, 40}) {
    const auto grid = run("bank_conflicts", {{"PITCH", pitch}});
    ASSERT_NE(grid, nullptr);
    const metrics::InstructionTraffic& t = grid->summary.traffic;
    EXPECT_EQ(t.shared_load.requests, loads);
    EXPECT_EQ(t.shared_load.wavefronts, loads * static_cast<uint64_t>(std::gcd(pitch, int64_t{32}))) << pitch;
    EXPECT_EQ(t.shared_store.wavefronts, loads) << pitch;
  }
  EXPECT_EQ(run("bank_conflicts", {{"BY_COLUMNS", 0}})->summary.traffic.shared_load.wavefronts, loads);
}

TEST_F(Labs, ATypedSwizzleRemovesTheConflictsOrIsFoundWrong) {
  const uint64_t loads = 64 * 64 / 32;
  const auto swizzled = run("bank_conflicts", {}, {{"SWIZZLE", "column ^ row"}});
  ASSERT_NE(swizzled, nullptr);
  expect_right(*swizzled, "column ^ row");
  EXPECT_EQ(swizzled->summary.traffic.shared_load.wavefronts, loads);
  const auto half = run("bank_conflicts", {}, {{"SWIZZLE", "column ^ row % 8"}});
  expect_right(*half, "column ^ row % 8");
  EXPECT_EQ(half->summary.traffic.shared_load.wavefronts, 4 * loads);  // 8 places for 32 rows
  // Two columns share one place, so half of the elements are lost.
  const auto wrong = run("bank_conflicts", {}, {{"SWIZZLE", "column * 2"}});
  ASSERT_NE(wrong, nullptr);
  EXPECT_EQ(wrong->verification.wrong_elements, 64u * 64 / 2);
  EXPECT_FALSE(wrong->findings.empty());
}

TEST_F(Labs, AMistypedInputIsAnErrorMessage) {
  Experiment e = experiment_on("bank_conflicts", isa::Arch::sm_86, kProblem);
  e.inputs["SWIZZLE"] = "column ^ rwo";
  const auto compiled = compile_kernel(*labs().find("bank_conflicts"), e);
  ASSERT_FALSE(compiled);
  EXPECT_NE(compiled.error().message.find("there is no rwo here"), std::string::npos);
  e.inputs = {{"SWIZZEL", "column"}};
  EXPECT_FALSE(compile_kernel(*labs().find("bank_conflicts"), e));
  // The typed expression is part of the experiment.
  Experiment other = e;
  other.inputs["SWIZZEL"] = "row";
  EXPECT_FALSE(e == other);
}

// With 32 bits there are gcd(stride, 32) wavefronts. 64 and 128 bits, side by side, take 2 and 4 parts.
TEST_F(Labs, BankConflictsOfStrides) {
  struct Row {
    int64_t stride, width;
    uint64_t wavefronts;
  };
  for (const Row& row : {Row{1, 1, 1}, Row{2, 1, 2}, Row{3, 1, 1}, Row{8, 1, 8}, Row{32, 1, 32}, Row{1, 2, 2},
                         Row{2, 2, 4}, Row{16, 2, 32}, Row{1, 4, 4}, Row{2, 4, 8}, Row{8, 4, 32}}) {
    const auto grid = run("bank_strides", {{"STRIDE", row.stride}, {"WIDTH", row.width}});
    ASSERT_NE(grid, nullptr);
    expect_right(*grid, fmt::format("stride {} width {}", row.stride, row.width));
    EXPECT_EQ(grid->summary.traffic.shared_load.wavefronts, row.wavefronts)
        << "stride " << row.stride << ", width " << row.width;  // one block, one load
  }
}

// Counts the sectors one by one: the lanes' bytes start at the offset and are a stride apart.
uint64_t sectors_of_warp(uint64_t first, int64_t stride, int64_t offset, int64_t width) {
  std::set<uint64_t> sectors;
  for (uint64_t lane = 0; lane < 32; ++lane) {
    const uint64_t byte = (static_cast<uint64_t>(offset) + (first + lane) * static_cast<uint64_t>(stride)) *
                          4 * static_cast<uint64_t>(width);
    sectors.insert(byte / 32);
  }
  return sectors.size();
}

TEST_F(Labs, SectorsFollowStrideOffsetAndWidth) {
  EXPECT_EQ(sectors_of_warp(0, 1, 0, 1), 4u);
  EXPECT_EQ(sectors_of_warp(0, 1, 1, 1), 5u);
  EXPECT_EQ(sectors_of_warp(0, 2, 0, 1), 8u);
  EXPECT_EQ(sectors_of_warp(0, 8, 0, 1), 32u);
  EXPECT_EQ(sectors_of_warp(0, 1, 0, 4), 16u);
  for (const int64_t stride : {1, 2, 3, 8, 32})
    for (const int64_t offset : {0, 1, 8})
      for (const int64_t width : {1, 4}) {
        if (offset == 8 && stride > 2) continue;
        const auto grid = run("coalescing", {{"STRIDE", stride}, {"OFFSET", offset}, {"WIDTH", width}});
        ASSERT_NE(grid, nullptr);
        uint64_t expected = 0;
        const uint64_t elements = 64 * 64 / static_cast<uint64_t>(width);
        for (uint64_t first = 0; first < elements; first += 32)
          expected += sectors_of_warp(first, stride, offset, width);
        EXPECT_EQ(grid->summary.traffic.global_load.sectors, expected)
            << "stride " << stride << " offset " << offset << " width " << width;
        EXPECT_EQ(grid->summary.traffic.global_store.sectors, 64u * 64 * 4 / 32);
      }
}

// Counts the elements below DISTINCT that are 0 in the data itself. The operations are the active lanes of
// the atomic instruction.
TEST_F(Labs, AtomicsPerElementPerWarpAndPerBlock) {
  const auto operations = [](const GridResult& grid) {
    uint64_t lanes = 0;
    for (size_t i = 0; i < grid.compiled->instructions.size(); ++i)
      if (grid.compiled->instructions[i].opcode == isa::Opcode::red)
        lanes += grid.counters.executed.threads[i];
    return lanes;
  };
  const auto data = make_problem_data(*labs().find("atomics"), kProblem, {});
  ASSERT_TRUE(data);
  const std::span<const std::byte> bytes = data->memory.buffers()[0].bytes;
  uint64_t matches = 0, warps = 0;
  for (uint64_t i = 0; i < 4096; i += 32) {
    uint64_t here = 0;
    for (uint64_t lane = 0; lane < 32; ++lane)
      here += element_value(bytes, catalog::ElementType::int32, i + lane) == 0 ? 1 : 0;
    matches += here;
    warps += here > 0 ? 1 : 0;
  }
  EXPECT_EQ(operations(*run("atomics", {{"METHOD", 0}})), matches);
  EXPECT_EQ(operations(*run("atomics", {{"METHOD", 1}})), warps);  // the compiler's own vote
  EXPECT_EQ(operations(*run("atomics", {{"METHOD", 2}})), warps);
  EXPECT_EQ(operations(*run("atomics", {{"METHOD", 3}})), 2u);  // blocks of 256 threads, 8 elements each
}

// Unfused, the kernels move 2 + 3 floats per element, because x goes to memory and back; fused, 3.
TEST_F(Labs, FusionSavesTheProductsTrafficThroughMemory) {
  const uint64_t array = 64 * 64 * 4 / 32;  // sectors
  const auto two = run("fusion", {}), one = run("fusion", {{"FUSED", 1}});
  ASSERT_TRUE(two != nullptr && one != nullptr);
  ASSERT_EQ(two->summaries.size(), 2u);
  EXPECT_EQ(two->summaries[0].traffic.global_load.sectors, array);
  EXPECT_EQ(two->summaries[0].traffic.global_store.sectors, array);
  EXPECT_EQ(two->summaries[1].traffic.global_load.sectors, 2 * array);
  EXPECT_EQ(two->summary.traffic.global_load.sectors, 3 * array);
  EXPECT_EQ(two->summary.traffic.global_store.sectors, 2 * array);
  EXPECT_EQ(two->summary.warp_instructions,
            two->summaries[0].warp_instructions + two->summaries[1].warp_instructions);
  ASSERT_EQ(one->summaries.size(), 1u);
  EXPECT_EQ(one->summary.traffic.global_load.sectors, 2 * array);
  EXPECT_EQ(one->summary.traffic.global_store.sectors, array);
  EXPECT_LE(one->verification.largest_ratio, 1);
}

// The traced block of the second launch reads what the first one wrote.
TEST_F(Labs, ALaterLaunchSeesWhatTheEarlierOnesLeft) {
  Experiment e = experiment_on("fusion", isa::Arch::sm_86, kProblem);
  e.launch = 1;
  const auto compiled = compile_kernel(*labs().find("fusion"), e);
  ASSERT_TRUE(compiled);
  EXPECT_EQ((*compiled)->parts[(*compiled)->shown_part].title, "add");
  const auto block = run_block(*compiled, e, nullptr);
  ASSERT_TRUE(block) << block.error().message;
  EXPECT_TRUE((*block)->findings.empty());  // the product would be uninitialised
  EXPECT_EQ(metrics::summarize((*block)->counters, (*compiled)->instructions).traffic.global_load.requests,
            16u);
}

// A lab whose result differs from its reference is wrong, in exactly the elements that differ.
TEST_F(Labs, AWrongKernelIsFound) {
  catalog::Kernel wrong = *labs().find("prefetch");
  const std::string right = "sum = work(sum, loaded[slot]);";
  const size_t at = wrong.source.find(right);
  ASSERT_NE(at, std::string::npos);
  wrong.source.replace(at, right.size(), "sum = work(sum, column == 5 ? 0.0f : loaded[slot]);");
  const auto grid = run(wrong, {});
  ASSERT_NE(grid, nullptr);
  EXPECT_EQ(grid->verification.wrong_elements, 1u);
  EXPECT_FALSE(grid->verification.right());

  catalog::Kernel fused = *labs().find("fusion");
  const std::string product = "product[i] = alpha * x[i];";
  fused.source.replace(fused.source.find(product), product.size(), "product[i] = 1.001f * alpha * x[i];");
  const auto scaled = run(fused, {});
  ASSERT_NE(scaled, nullptr);
  EXPECT_GT(scaled->verification.wrong_elements, 4000u);
}

constexpr catalog::Problem kProduct{64, 64, 64};

uint64_t opcode(const GridResult& grid, const char* name) {
  const auto found = grid.summary.by_opcode.find(name);
  return found == grid.summary.by_opcode.end() ? 0 : found->second;
}

TEST_F(Labs, UnrollingSharesTheLoopAndTheAddresses) {
  const auto once = run("instruction_mix", {}, {}, kProduct),
             unrolled = run("instruction_mix", {{"UNROLL", 8}}, {}, kProduct);
  ASSERT_TRUE(once != nullptr && unrolled != nullptr);
  const uint64_t warps = 64 * 64 / 32;
  EXPECT_EQ(opcode(*once, "FFMA"), warps * 64);
  EXPECT_EQ(opcode(*unrolled, "FFMA"), warps * 64);
  EXPECT_EQ(opcode(*unrolled, "LDG"), opcode(*once, "LDG"));  // each multiply-add has its own operands
  EXPECT_LT(opcode(*unrolled, "BRA"), opcode(*once, "BRA") / 4);
  EXPECT_LT(unrolled->summary.warp_instructions * 10, once->summary.warp_instructions * 6);
}

// Without the promise a store of C could change an element of A that is read next.
TEST_F(Labs, RestrictTakesTheStoresOutOfTheLoop) {
  const uint64_t warps = 64 * 64 / 32;
  for (const int64_t unroll : {1, 8}) {
    const auto stores = [&](int64_t in_register, int64_t restricted) {
      const auto grid =
          run("instruction_mix",
              {{"UNROLL", unroll}, {"SUM_IN_REGISTER", in_register}, {"RESTRICT", restricted}}, {}, kProduct);
      return opcode(*grid, "STG") / warps;
    };
    EXPECT_EQ(stores(0, 0), 64u + 1);
    EXPECT_LE(stores(0, 1), 2u);
    EXPECT_EQ(stores(1, 0), 1u);
  }
}

TEST_F(Labs, TheOrderOfTheLoopsDecidesHowSoonASumIsNeededAgain) {
  const auto block_of = [](const Toggles& toggles) {
    const catalog::Kernel& kernel = *labs().find("coding_for_speed");
    Experiment e = experiment_on(kernel.id, isa::Arch::sm_86, kProduct);
    e.toggles = toggles;
    const auto block = run_block(*compile_kernel(kernel, e), e, nullptr);
    EXPECT_TRUE(block) << block.error().message;
    return *block;
  };
  EXPECT_LT(block_of({{"UNROLL", 8}, {"K_INSIDE", 1}})->ffma_distances.median, 4);  // the latency of an FFMA
  EXPECT_GE(block_of({{"UNROLL", 8}})->ffma_distances.median, 16);                  // 4 x 4 sums take turns
  const auto inside = run("coding_for_speed", {{"K_INSIDE", 1}}, {}, kProduct),
             outside = run("coding_for_speed", {}, {}, kProduct);
  EXPECT_EQ(opcode(*inside, "LDS"), 2 * opcode(*inside, "FFMA"));
  EXPECT_EQ(opcode(*outside, "LDS"), 2 * opcode(*outside, "FFMA") / 16);
}

TEST_F(Labs, ALoopFromTheThreadCostsInstructions) {
  const auto counted = run("coding_for_speed", {}, {}, kProduct),
             from_thread = run("coding_for_speed", {{"FROM_THREAD", 1}}, {}, kProduct),
             divided = run("coding_for_speed", {{"FROM_THREAD", 1}, {"STATIC_DIVISION", 0}}, {}, kProduct);
  EXPECT_GT(from_thread->summary.warp_instructions * 10, counted->summary.warp_instructions * 11);
  EXPECT_EQ(opcode(*from_thread, "LDG"), opcode(*counted, "LDG"));
  EXPECT_GT(divided->summary.warp_instructions, from_thread->summary.warp_instructions);
}

TEST_F(Labs, ACoarserAdditionLoadsTheSameBytesFromMoreSectors) {
  const auto fine = run("vector_addition", {});
  for (const int64_t elements : {2, 4, 8}) {
    const auto coarse = run("vector_addition", {{"COARSENING", elements}}),
               apart = run("vector_addition", {{"COARSENING", elements}, {"NEIGHBOURS", 0}});
    const auto& load = [](const auto& grid) { return grid->summary.traffic.global_load; };
    EXPECT_EQ(load(coarse).requests, load(fine).requests);
    EXPECT_EQ(load(coarse).sectors, load(fine).sectors * static_cast<uint64_t>(elements));
    EXPECT_EQ(load(apart).sectors, load(fine).sectors);
    EXPECT_EQ(coarse->summary.traffic.global_loaded_bytes, fine->summary.traffic.global_loaded_bytes);
  }
}

// However it is dealt, each element is worked on once.
TEST_F(Labs, TheWorkDoesNotDependOnTheNumberOfBlocks) {
  for (const int64_t blocks : {24, 132, 133}) {
    const auto grid = run("blocks_and_sms", {{"BLOCKS", blocks}}, {}, {128, 128, 8});
    EXPECT_EQ(grid->coverage.blocks, static_cast<uint64_t>(blocks));
    EXPECT_EQ(grid->summary.ffma, 128u * 128 * 8);
  }
}

}  // namespace
}  // namespace gemmscope::experiment
