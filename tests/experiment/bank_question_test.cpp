// The bank explorer counts what the machine counts, reads what a user types, and says what is wrong with it.
#include <random>

#include "catalog/expression.h"
#include "experiment/bank_question_of.h"
#include "ladder_run.h"
#include "metrics/counters.h"

namespace gemmscope::experiment {
namespace {

using metrics::SharedOp;
using Field = BankMistake::Field;

const catalog::Catalog& all_kernels() {
  static const catalog::Catalog catalog =
      catalog::read_catalog(std::filesystem::path(GEMMSCOPE_SOURCE_DIR) / "kernels");
  return catalog;
}

std::shared_ptr<const BlockResult> block_of(const std::string& id,
                                            const std::map<std::string, int64_t>& toggles = {},
                                            const std::map<std::string, std::string>& inputs = {}) {
  const catalog::Kernel* kernel = all_kernels().find(id);
  EXPECT_NE(kernel, nullptr) << id;
  if (kernel == nullptr) return nullptr;
  const auto problem = fitted_for(*kernel, isa::Arch::sm_86, {128, 128, 64}, toggles);
  if (!problem) return nullptr;
  Experiment e = experiment_on(id, isa::Arch::sm_86, *problem);
  e.toggles = toggles;
  e.inputs = inputs;
  const auto compiled = compile_kernel(*kernel, e);
  if (!compiled) return nullptr;
  const auto block = run_block(*compiled, e, nullptr);
  EXPECT_TRUE(block.has_value()) << id;
  return block.value_or(nullptr);
}

BankQuestion question(const char* declaration, std::vector<std::string> accesses) {
  BankQuestion q;
  q.declaration = declaration;
  q.accesses = std::move(accesses);
  return q;
}

BankAnswer answered(const BankQuestion& q) {
  auto got = answer(q);
  EXPECT_TRUE(got) << q.declaration << ", " << q.accesses.front() << ": "
                   << (got ? "" : got.error().sentence);
  return got ? std::move(*got) : BankAnswer{};
}

BankMistake mistake_of(const BankQuestion& q) {
  const auto got = answer(q);
  EXPECT_FALSE(got) << q.declaration << ", " << (q.accesses.empty() ? "" : q.accesses.front());
  return got ? BankMistake{} : got.error();
}

// The machine's accesses of one kind in the block, in the order of the trace of each warp.
std::vector<metrics::BankCount> machine_counts(const BlockResult& block, SharedOp op, uint32_t warp) {
  std::vector<metrics::BankCount> counts;
  for (const uint32_t record : block.warp_records[warp])
    for (const machine::TraceAccess& access : block.trace.accesses_of(block.trace.records[record]))
      if (access.space == machine::Space::shared && metrics::shared_access(access).op == op)
        counts.push_back(metrics::count_wavefronts(metrics::shared_access(access)));
  return counts;
}

// ---- against the machine: the labs, with the expressions of their sources

void expect_lab_of_conflicts(int64_t by_columns, int64_t pitch, const std::string& swizzle) {
  const auto block =
      block_of("bank_conflicts", {{"BY_COLUMNS", by_columns}, {"PITCH", pitch}}, {{"SWIZZLE", swizzle}});
  ASSERT_NE(block, nullptr) << pitch << ", " << swizzle;
  BankQuestion q = question("float tile[32][32]", {"store tile[threadIdx.y + k * 8][lane]",
                                                   by_columns ? "load tile[lane][threadIdx.y + k * 8]"
                                                              : "load tile[threadIdx.y + k * 8][lane]"});
  q.padding = static_cast<int>(pitch) - 32;
  q.swizzle = swizzle;
  for (uint32_t warp = 0; warp < 8; ++warp) {
    const auto stores = machine_counts(*block, SharedOp::store, warp),
               loads = machine_counts(*block, SharedOp::load, warp);
    ASSERT_EQ(stores.size(), 4u);
    ASSERT_EQ(loads.size(), 4u);
    q.warp = warp;
    for (q.loop[2] = 0; q.loop[2] < 4; ++q.loop[2]) {
      const BankAnswer a = answered(q);
      ASSERT_EQ(a.accesses.size(), 2u);
      const auto k = static_cast<size_t>(q.loop[2]);
      EXPECT_EQ(a.accesses[0].count.wavefronts, stores[k].wavefronts) << pitch << ", " << swizzle;
      EXPECT_EQ(a.accesses[1].count.wavefronts, loads[k].wavefronts) << pitch << ", " << swizzle;
      EXPECT_EQ(a.accesses[1].count.minimum, loads[k].minimum);
    }
  }
}

TEST(BankQuestion, CountsWhatTheMachineCountsInTheLabOfConflicts) {
  if (!has_nvrtc()) GTEST_SKIP() << "other toggles than the defaults need NVRTC";
  for (const int64_t by_columns : {0, 1})
    for (const int64_t pitch : {32, 33, 34, 36, 40}) expect_lab_of_conflicts(by_columns, pitch, "column");
  for (const char* swizzle :
       {"column ^ row", "column ^ (row & 7) << 2", "column ^ (row >> 1)", "column ^ (row & 1)",
        "(column + row) % 32", "31 - column", "column ^ (row * 3 & 31)"})
    expect_lab_of_conflicts(1, 32, swizzle);
}

TEST(BankQuestion, CountsWhatTheMachineCountsInTheLabOfStrides) {
  if (!has_nvrtc()) GTEST_SKIP() << "other toggles than the defaults need NVRTC";
  for (const int64_t width : {1, 2, 4})
    for (const int64_t stride : {1, 2, 3, 4, 7, 8, 16, 32}) {
      const auto block = block_of("bank_strides", {{"STRIDE", stride}, {"WIDTH", width}});
      ASSERT_NE(block, nullptr);
      const auto loads = machine_counts(*block, SharedOp::load, 0);
      ASSERT_EQ(loads.size(), 1u);
      const int64_t elements = 4096 / width;
      const BankAnswer a = answered(question(fmt::format("{} words[{}]",
                                                         width == 1   ? "float"
                                                         : width == 2 ? "float2"
                                                                      : "float4",
                                                         elements)
                                                 .c_str(),
                                             {fmt::format("load words[lane * {} % {}]", stride, elements)}));
      EXPECT_EQ(a.accesses[0].count.wavefronts, loads[0].wavefronts) << stride << ", " << width;
      EXPECT_EQ(a.accesses[0].count.minimum, loads[0].minimum) << stride << ", " << width;
      EXPECT_EQ(a.accesses[0].degree > 1, loads[0].excess() > 0);
    }
}

// ---- from an access of any kernel, through text, to the same bytes

TEST(BankQuestion, EveryAccessOfEveryKernelComesBackFromItsText) {
  size_t expressions = 0, tables = 0, matrices = 0, halves = 0;
  for (const catalog::Kernel& kernel : all_kernels().kernels) {
    const auto block = block_of(kernel.id);
    if (block == nullptr) continue;
    std::map<uint32_t, int> seen;  // by instruction: a few of its executions
    for (size_t r = 0; r < block->trace.records.size(); ++r) {
      if (++seen[block->trace.records[r].instruction] > 3) continue;
      const auto found = question_of(*block, r);
      EXPECT_EQ(found.has_value(), has_question(*block, r));
      if (!found) continue;
      const machine::TraceAccess* traced = nullptr;
      for (const machine::TraceAccess& access : block->trace.accesses_of(block->trace.records[r]))
        if (access.space == machine::Space::shared) traced = &access;
      ASSERT_NE(traced, nullptr);
      const metrics::SharedAccess real = metrics::shared_access(*traced);
      const BankAnswer a = answered(found->question);
      ASSERT_FALSE(a.accesses.empty()) << kernel.id << " " << found->question.declaration;
      const metrics::SharedAccess& typed = a.accesses[0].where.access;
      EXPECT_EQ(typed.op, real.op);
      EXPECT_EQ(typed.words, real.words);
      // The distances are the machine's; the begin of the array is the explorer's zero.
      uint64_t base = 0;
      for (size_t lane = 0; lane < 32; ++lane)
        if ((typed.mask >> lane & 1u) != 0) base = real.addresses[lane] - typed.addresses[lane];
      for (size_t lane = 0; lane < 32; ++lane)
        if ((typed.mask >> lane & 1u) != 0) {
          EXPECT_EQ(real.addresses[lane], typed.addresses[lane] + base) << found->question.accesses[0];
        }
      if (base % 128 == 0) {
        EXPECT_EQ(a.accesses[0].count.wavefronts, metrics::count_wavefronts(real).wavefronts)
            << kernel.id << ", " << found->question.accesses[0];
        EXPECT_EQ(a.accesses[0].count.minimum, metrics::count_wavefronts(real).minimum);
      }
      EXPECT_EQ(a.accesses[0].where.misfit, metrics::Misfit::none);
      (a.accesses[0].table ? tables : expressions) += 1;
      matrices += real.op == SharedOp::matrix_load ? 1 : 0;
      halves += a.tile.layout.element_bytes < 4 ? 1 : 0;
    }
  }
  EXPECT_GT(expressions, 100u);
  EXPECT_LT(tables * 10, expressions) << "most lanes follow an expression";
  EXPECT_GT(matrices, 0u);
}

std::optional<FoundQuestion> first_question(const BlockResult& block, const std::string& begin) {
  for (size_t r = 0; r < block.trace.records.size(); ++r)
    if (auto found = question_of(block, r); found && found->question.accesses[0].starts_with(begin))
      return found;
  return std::nullopt;
}

TEST(BankQuestion, OtherAccessesToTheArrayComeAlong) {
  const auto block = block_of("bank_conflicts");
  ASSERT_NE(block, nullptr);
  const auto found = first_question(*block, "load");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->question.declaration, "float tile[32][32]");
  const std::vector<std::string> expected = {"load tile[lane][k * 8]", "store tile[j * 8][lane]"};
  EXPECT_EQ(found->question.accesses, expected);
  EXPECT_EQ(found->source.array, "tile");
}

// Ladder 09 without its swizzle: padding by two floats would misalign the loads of the other rows. The
// swizzle of its source is among those that are found.
TEST(BankQuestion, AFixHoldsForAllExecutions) {
  if (!has_nvrtc()) GTEST_SKIP() << "other toggles than the defaults need NVRTC";
  const auto block = block_of("09_conflict_free", {{"LAYOUT", 0}});
  ASSERT_NE(block, nullptr);
  const auto found = first_question(*block, "store tiles.a");
  ASSERT_TRUE(found);
  const BankAnswer a = answered(found->question);
  ASSERT_GE(a.accesses.size(), 2u);
  EXPECT_GT(a.accesses[0].count.excess(), 0);
  const metrics::LayoutFixes fixes = metrics::find_fixes(a.tile.layout, all_instances(a));
  EXPECT_EQ(fixes.padding, std::nullopt);
  EXPECT_NE(std::find(fixes.swizzles.begin(), fixes.swizzles.end(), metrics::XorSwizzle{2, 3, 3}),
            fixes.swizzles.end());
}

TEST(LaneExpression, FindsAffineAndExclusiveOr) {
  const auto text = [](auto f, uint32_t mask = 0xffffffffu) {
    std::array<int64_t, 32> values{};
    for (int lane = 0; lane < 32; ++lane) values[static_cast<size_t>(lane)] = f(lane);
    return lane_expression(values, mask).value_or("none");
  };
  EXPECT_EQ(text([](int l) { return l; }), "lane");
  EXPECT_EQ(text([](int) { return 7; }), "7");
  EXPECT_EQ(text([](int l) { return l / 16 * 8 + 3; }), "lane / 16 * 8 + 3");
  EXPECT_EQ(text([](int l) { return l % 4 * 4 + l / 4; }), "lane / 4 + lane % 4 * 4");
  EXPECT_EQ(text([](int l) { return 31 - l; }), "31 - lane");
  EXPECT_EQ(text([](int l) { return l ^ 5; }), "lane ^ 5");
  EXPECT_EQ(text([](int l) { return l * l; }), "none");
  EXPECT_EQ(text([](int l) { return l < 16 ? l * 2 : 99; }, 0xffff), "lane * 2");
  EXPECT_EQ(text([](int l) { return l; }, 0xfffe), "none") << "the first lane is idle";
  EXPECT_EQ(text([](int) { return 4; }, 1), "4");
}

// Whatever expression is found has the values again.
TEST(LaneExpression, ComesBackToTheValues) {
  std::mt19937 random(11);
  for (int round = 0; round < 2000; ++round) {
    std::array<int64_t, 32> values{};
    const bool exclusive = random() % 2 == 0;
    std::array<int64_t, 5> bit{};
    for (int64_t& b : bit) b = static_cast<int64_t>(random() % 64) - (exclusive ? 0 : 20);
    const auto base = static_cast<int64_t>(random() % 64) + (exclusive ? 0 : 100);
    for (int lane = 0; lane < 32; ++lane) {
      int64_t value = base;
      for (int b = 0; b < 5; ++b)
        if ((lane >> b & 1) != 0)
          exclusive ? value ^= bit[static_cast<size_t>(b)] : value += bit[static_cast<size_t>(b)];
      values[static_cast<size_t>(lane)] = value;
    }
    const uint32_t mask = random() % 4 == 0 ? (1u << (1 + random() % 31)) - 1 : 0xffffffffu;
    const auto text = lane_expression(values, mask);
    ASSERT_TRUE(text) << "round " << round;
    for (int lane = 0; lane < 32; ++lane)
      if ((mask >> lane & 1u) != 0) {
        ASSERT_EQ(catalog::evaluate(*text, {{"lane", lane}}).value_or(-1), values[static_cast<size_t>(lane)])
            << *text;
      }
  }
}

// ---- back to the kernel

std::vector<std::string> titles(const std::string& id, const std::map<std::string, int64_t>& toggles,
                                const BankSource& source, const WantedLayout& wanted) {
  const catalog::Kernel* kernel = all_kernels().find(id);
  Experiment e = experiment_on(id, isa::Arch::sm_86, {128, 128, 64});
  e.toggles = toggles;
  std::vector<std::string> result;
  for (const LayoutChoice& choice : layout_choices(*kernel, e, kernel->entry, source, wanted)) {
    result.push_back(choice.title);
    EXPECT_FALSE(choice.why_not.empty() && choice.next == e) << choice.title;
  }
  return result;
}

using Titles = std::vector<std::string>;

TEST(LayoutChoices, NameTheToggleThatMakesTheLayout) {
  const BankSource lab{"bank_conflicts", "tile", 32, 32, "", ""};
  EXPECT_EQ(titles("bank_conflicts", {}, lab, {1, "column"}), Titles{"PITCH = 33"});
  EXPECT_EQ(titles("bank_conflicts", {}, lab, {3, "column"}), Titles{}) << "no value of PITCH is 35";
  EXPECT_EQ(titles("bank_conflicts", {}, lab, {0, "column ^ row"}), Titles{"SWIZZLE = column ^ row"});
  EXPECT_EQ(titles("bank_conflicts", {}, lab, {0, "column"}), Titles{}) << "it is so already";
  const BankSource ladder{"09_conflict_free", "tiles.a", 16, 128, "", ""};
  EXPECT_EQ(titles("09_conflict_free", {{"LAYOUT", 0}}, ladder, {4, "column"}), Titles{"LAYOUT = padded"});
  EXPECT_EQ(titles("09_conflict_free", {{"LAYOUT", 0}}, ladder, {0, "column ^ ((row >> 2) & 3) << 3"}),
            Titles{"LAYOUT = swizzled"});
  const Experiment swizzled = experiment_on("09_conflict_free", isa::Arch::sm_86, {128, 128, 64});
  const auto now = layout_choices(*all_kernels().find("09_conflict_free"), swizzled, "gemm_conflict_free",
                                  ladder, {0, "column ^ ((row >> 2) & 3) << 3"});
  ASSERT_EQ(now.size(), 1u) << "it is so already, which is not to say that no toggle makes it";
  EXPECT_EQ(now[0].why_not, "LAYOUT has this value now.");
  EXPECT_EQ(
      titles("08_transposed_tile", {}, {"08_transposed_tile", "tiles.a", 16, 128, "", ""}, {4, "column"}),
      Titles{});
  const BankSource workbench{"workbench", "", 0, 0, "", ""};
  EXPECT_EQ(titles("workbench", {}, workbench, {8, "column"}), Titles{"PAD = 8"});
  EXPECT_EQ(titles("workbench", {}, workbench, {0, "column ^ row"}), Titles{"SWIZZLE = on"});
  EXPECT_EQ(titles("workbench", {}, lab, {8, "column"}), Titles{}) << "another kernel's array";
}

// ---- what is typed

TEST(BankQuestion, ReadsDeclarationsAndAccesses) {
  const BankAnswer a = answered(
      question("__shared__ __nv_bfloat16 As[2][16][64];", {"store float4 As[1][lane / 8][lane % 8 * 8]"}));
  EXPECT_EQ(a.tile.name, "As");
  EXPECT_EQ(a.tile.layout.planes, 2);
  EXPECT_EQ(a.tile.layout.element_bytes, 2u);
  EXPECT_EQ(a.accesses[0].where.access.op, SharedOp::store);
  EXPECT_EQ(a.accesses[0].where.access.words, 4);
  EXPECT_EQ(a.accesses[0].where.access.addresses[9], (16 * 64 + 1 * 64 + 8) * 2u);
  const BankAnswer half = answered(question("float As[4][32]", {"As[k][lane * 2] if lane < 16"}));
  EXPECT_EQ(half.accesses[0].now.mask, 0xffffu);
  EXPECT_EQ(half.accesses[0].others.size(), 3u) << "k of 1, 2 and 3 lie in the tile";
  const BankAnswer named = answered(question("float stages[1].a[16][32]", {"load stages[1].a[k][lane]"}));
  EXPECT_EQ(named.tile.name, "stages[1].a");
  std::string table = "load bytes {";
  for (int lane = 0; lane < 32; ++lane)
    table += lane == 3 ? "-, " : fmt::format("{}{}", lane * 128, lane == 31 ? "}" : ", ");
  const BankAnswer offsets = answered(question("float As[32][32]", {table}));
  EXPECT_TRUE(offsets.accesses[0].table);
  EXPECT_EQ(offsets.accesses[0].count.wavefronts, 31);
  const BankAnswer matrix =
      answered(question("half As[16][64]", {"ldmatrix.x2 As[lane % 8][lane / 8 % 2 * 8]"}));
  EXPECT_EQ(matrix.accesses[0].where.access.op, SharedOp::matrix_load);
  EXPECT_EQ(matrix.accesses[0].count.wavefronts, 16);
}

TEST(BankQuestion, TheThreadsOfAWarpFollowTheBlock) {
  BankQuestion q = question("float As[16][16]",
                            {"load As[threadIdx.y][threadIdx.x]", "load As[tid / 16][tid % blockDim.x]"});
  q.block_dim = {16, 16};
  q.warp = 3;
  const BankAnswer a = answered(q);
  EXPECT_EQ(a.accesses[0].now.line[17], 7);
  EXPECT_EQ(a.accesses[0].now.column[17], 1);
  EXPECT_EQ(a.accesses[0].where.access.addresses, a.accesses[1].where.access.addresses);
  EXPECT_TRUE(a.uses_block());
  EXPECT_FALSE(a.uses("k"));
}

TEST(BankQuestion, SaysWhatIsWrongAndWhere) {
  const auto expect = [](const BankQuestion& q, Field field, const char* part) {
    const BankMistake mistake = mistake_of(q);
    EXPECT_EQ(mistake.field, field) << mistake.sentence;
    EXPECT_NE(mistake.sentence.find(part), std::string::npos) << mistake.sentence;
    EXPECT_NE(mistake.sentence.find("such as"), std::string::npos) << "no example: " << mistake.sentence;
  };
  for (const auto& [declaration, part] : {std::pair{"", "no dimensions"},
                                          {"float As", "no dimensions"},
                                          {"As[3]", "an element type and a name"},
                                          {"flaot As[3][4]", "\"flaot\" is no element type"},
                                          {"float As[0][4]", "a dimension of 0"},
                                          {"float As[4][", "no dimensions"},
                                          {"float As[N][4]", "unknown name \"N\""},
                                          {"float As4]", "a ] has no ["},
                                          {"float As[9999][9999]", "larger than 1 MiB"},
                                          {"float As[2][2][2][2]", "more than three"},
                                          {"float As[][4]", "is missing at the end"}})
    expect(question(declaration, {"As[k][lane]"}), Field::declaration, part);
  for (const auto& [access, part] : {std::pair{"As[k][lan]", "unknown name \"lan\""},
                                     {"As[k]", "1 of the 2 indices"},
                                     {"Bs[k][lane]", "it names \"Bs\""},
                                     {"As[lane][k * 40 + 32]", "lane 0 has index 32 in [k * 40 + 32]"},
                                     {"As[-lane][0]", "lane 1 has index -1"},
                                     {"As[k][lane", "a ] is missing"},
                                     {"As[k][lane] + 3", "only \"if\""},
                                     {"load char As[k][lane]", "narrower"},
                                     {"load banana As[k][lane]", "no type that one instruction"},
                                     {"As[k][lane] if lane > 99", "for no lane"},
                                     {"As[k][1 / lane]", "division by zero"},
                                     {"float4 As[31][lane]", "ends at byte 4096"},
                                     {"ldmatrix.x3 As[k][0]", "x1, x2 or x4"},
                                     {"bytes {1, 2}", "no begin of a float"},
                                     {"bytes {0, 4}", "this one has 2"},
                                     {"bytes 0", "a table is"},
                                     {"", "it names \"\""}})
    expect(question("float As[32][32]", {access}), Field::access, part);
  BankQuestion q = question("float As[32][32]", {"As[k][lane]"});
  for (const auto& [swizzle, part] : {std::pair{"column + row", "puts column 31 of row 1 at 32"},
                                      {"row", "at the same place"},
                                      {"colunm", "unknown name"},
                                      {"", "is missing"},
                                      {"column ^ 1 / row", "division by zero"}}) {
    q.swizzle = swizzle;
    expect(q, Field::swizzle, part);
  }
  q.swizzle = "column";
  q.block_dim = {0, 4};
  EXPECT_EQ(mistake_of(q).field, Field::block);
  EXPECT_EQ(mistake_of(question("float As[32][32]", {"As[k][lane]", "As[k][bad]"})).access, 1u);
}

TEST(BankQuestion, NoTextBreaksIt) {
  std::mt19937 random(3);
  const std::string pieces[] = {"float",     " ",  "As", "[", "]",  "lane",        "k",    "*",    "4",
                                "bytes",     "{",  "}",  ",", "-",  "if",          "^",    "load", "store",
                                "ldmatrix.", "x4", "(",  ")", "<<", "99999999999", "\xff", ";",    "half"};
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (size_t i = 0; i < 1 + random() % 12; ++i) text += pieces[random() % std::size(pieces)];
    BankQuestion q = question(random() % 4 == 0 ? text.c_str() : "float As[32][32]", {text});
    if (random() % 4 == 0) q.swizzle = text;
    const auto got = answer(q);
    if (!got) {
      EXPECT_FALSE(got.error().sentence.empty());
    }
  }
}

}  // namespace
}  // namespace gemmscope::experiment
