// Checks which source lines an instruction belongs to, on made-up chains of calls and on those of the ladder.
#include "scenes/source_lines.h"

#include <algorithm>
#include <set>

#include "scene_blocks.h"
#include "scenes/code_counts.h"
#include "scenes/code_marks.h"
#include "scenes/text.h"

namespace gemmscope::scenes {
namespace {

using experiment::CompiledKernel;
using Place = CompiledKernel::Place;
using Lines = std::vector<int>;
using Texts = std::vector<std::string>;

// Makes the files "own.cu" and "helper.cuh" of nine lines each, and an instruction for every chain, innermost
// call first.
CompiledKernel made_up(const std::vector<std::vector<Place>>& chains) {
  CompiledKernel compiled;
  for (const char* name : {"own.cu", "helper.cuh"}) {
    experiment::SourceFile file{name, name, {}};
    for (int line = 1; line <= 9; ++line)
      file.lines.push_back(std::string("  ") + name + " " + std::to_string(line));
    compiled.files.push_back(std::move(file));
  }
  for (const std::vector<Place>& chain : chains) {
    compiled.instructions.emplace_back();
    compiled.text.emplace_back("FFMA R0, R1, R2, R3 ;");
    compiled.places.push_back(chain.empty() ? Place{} : chain.front());
    compiled.calls.emplace_back(chain.begin() + (chain.empty() ? 0 : 1), chain.end());
  }
  return compiled;
}

Texts labels_beside(const CompiledKernel& compiled, size_t instruction) {
  Texts labels;
  for (const CallFrame& frame : frames_beside(compiled, instruction)) labels.push_back(frame.label);
  return labels;
}

enum Chain : size_t {
  kUnknown,
  kOwn,
  kIncluded,
  kOwnHelper,
  kIncludedOfOwnHelper,
  kRecursive,
  kMerged,
  kElsewhere
};
const std::vector<std::vector<Place>> kChains = {{},
                                                 {{0, 7}},
                                                 {{1, 2}, {0, 7}},
                                                 {{0, 3}, {0, 7}},
                                                 {{1, 2}, {1, 5}, {0, 3}, {0, 7}},
                                                 {{0, 3}, {0, 3}, {0, 3}, {0, 7}},
                                                 {{1, 2}},
                                                 {{-1, 2}, {0, 7}}};

TEST(SourceLines, ThoseOfTheOwnFileAreListedFromTheInnermostCallOut) {
  const CompiledKernel compiled = made_up(kChains);
  const std::vector<Lines> expected = {{}, {7}, {7}, {3, 7}, {3, 7}, {3, 7}, {}, {7}};
  for (size_t i = 0; i < kChains.size(); ++i) {
    EXPECT_EQ(own_lines(compiled, i), expected[i]) << i;
    EXPECT_EQ(own_line(compiled, i), expected[i].empty() ? 0 : expected[i].front()) << i;
  }
}

TEST(SourceLines, CallsThatTheSourceDoesNotMarkStandBesideIt) {
  const CompiledKernel compiled = made_up(kChains);
  EXPECT_EQ(labels_beside(compiled, kUnknown), Texts{});
  EXPECT_EQ(labels_beside(compiled, kOwn), Texts{});
  EXPECT_EQ(labels_beside(compiled, kIncluded), (Texts{"helper.cuh:2"}));
  EXPECT_EQ(labels_beside(compiled, kOwnHelper), (Texts{"called at line 7"}));
  EXPECT_EQ(labels_beside(compiled, kIncludedOfOwnHelper), (Texts{"helper.cuh:2", "called at line 7"}));
  EXPECT_EQ(labels_beside(compiled, kMerged), (Texts{"helper.cuh:2", "call not known"}));
  EXPECT_EQ(labels_beside(compiled, kElsewhere), Texts{});
  EXPECT_EQ(frames_beside(compiled, kIncluded)[0].text, "helper.cuh 2");
  EXPECT_EQ(frames_beside(compiled, kOwnHelper)[0].text, "own.cu 7");
  EXPECT_EQ(frames_beside(made_up({{{1, 99}, {0, 7}}}), 0)[0].text, "");  // a header that was changed since
}

TEST(SourceLines, AKernelInAHeaderIsMarkedThere) {
  const CompiledKernel compiled = made_up({{{1, 1}}, {{1, 2}}, {{0, 3}, {1, 2}}, {{1, 9}, {1, 2}}});
  EXPECT_EQ(labels_beside(compiled, 1), (Texts{"helper.cuh:2"}));
  EXPECT_EQ(labels_beside(compiled, 2), (Texts{"called at helper.cuh:2"}));
  EXPECT_EQ(labels_beside(compiled, 3), (Texts{"helper.cuh:9", "called at helper.cuh:2"}));
}

TEST(SourceLines, AreNamedWithTheOutermostCall) {
  const CompiledKernel compiled = made_up(kChains);
  EXPECT_EQ(place_and_call_text(compiled, kUnknown), "");
  EXPECT_EQ(place_and_call_text(compiled, kOwn), "own.cu:7");
  EXPECT_EQ(place_and_call_text(compiled, kIncluded), "helper.cuh:2 (called from own.cu:7)");
  EXPECT_EQ(place_and_call_text(compiled, kIncludedOfOwnHelper), "helper.cuh:2 (called from own.cu:7)");
  EXPECT_EQ(place_and_call_text(compiled, kElsewhere), "called from own.cu:7");
  EXPECT_EQ(call_texts(compiled, kIncludedOfOwnHelper), (Texts{"helper.cuh:5", "own.cu:3", "own.cu:7"}));
  EXPECT_EQ(call_texts(compiled, kOwn), Texts{});
}

// An instruction counts on each of its lines, on none of them twice, and once in the total.
TEST(SourceLines, CountTheInstructionsInlinedOnThem) {
  const CompiledKernel compiled = made_up(kChains);
  metrics::Counters counters(kChains.size());
  for (size_t i = 0; i < kChains.size(); ++i) counters.executed.warps[i] = uint64_t{1} << i;
  const CodeCounts counts = count_code(compiled, counters);
  const auto sum = [](std::initializer_list<Chain> chains) {
    uint64_t bits = 0;
    for (const Chain chain : chains) bits |= uint64_t{1} << chain;
    return bits;
  };
  EXPECT_EQ(counts.lines[3 - 1][CodeColumn::executions], sum({kOwnHelper, kIncludedOfOwnHelper, kRecursive}));
  EXPECT_EQ(counts.lines[7 - 1][CodeColumn::executions],
            sum({kOwn, kIncluded, kOwnHelper, kIncludedOfOwnHelper, kRecursive, kElsewhere}));
  EXPECT_EQ(counts.lines[7 - 1].instructions, 6u);
  EXPECT_EQ(counts.lines[2 - 1].instructions, 0u);  // the helper's line 2 is not this file's
  EXPECT_EQ(counts.total[CodeColumn::executions], 255u);
  EXPECT_EQ(counts.most_of_lines[CodeColumn::executions], counts.lines[7 - 1][CodeColumn::executions]);
}

TEST(SourceLines, AMistakeInAHelperIsMarkedAtItsCall) {
  const CompiledKernel compiled = made_up(kChains);
  const auto mark_of = [&](Chain chain) {
    machine::Finding finding;
    finding.instruction = chain;
    finding.what = "reads garbage";
    return code_marks(&compiled, nullptr, std::vector{finding}, {}).front();
  };
  EXPECT_EQ(mark_of(kOwn).line, 7);
  EXPECT_TRUE(mark_of(kOwn).sentence.starts_with("reads garbage")) << mark_of(kOwn).sentence;
  EXPECT_EQ(mark_of(kIncluded).line, 7);
  EXPECT_TRUE(mark_of(kIncluded).sentence.starts_with("in helper.cuh:2: reads garbage"));
  EXPECT_EQ(mark_of(kOwnHelper).line, 3);
  EXPECT_EQ(mark_of(kMerged).line, 0);
  EXPECT_TRUE(mark_of(kMerged).sentence.starts_with("reads garbage"));
}

// The multiply-adds of step 08 are in a header; the kernel's line that calls them has their executions.
TEST(SourceLines, TheCallOfTheOuterProductHasItsMultiplyAdds) {
  const BlockPointer block = small_block("08_transposed_tile");
  ASSERT_NE(block, nullptr);
  const CompiledKernel& compiled = *block->compiled;
  const CodeCounts counts = count_code(compiled, block->counters);
  uint64_t multiply_adds = 0;
  std::set<int> lines;
  for (size_t i = 0; i < compiled.instructions.size(); ++i) {
    if (compiled.instructions[i].opcode != isa::Opcode::ffma || compiled.places[i].file == 0) continue;
    if (!place_text(compiled, i).starts_with("register_tile.cuh:")) continue;
    multiply_adds += block->counters.executed.warps[i];
    lines.insert(own_line(compiled, i));
  }
  ASSERT_EQ(lines.size(), 1u);
  const auto line = static_cast<size_t>(*lines.begin());
  EXPECT_NE(compiled.files[0].lines[line - 1].find("multiply_add(sums, fragments);"), std::string::npos);
  EXPECT_EQ(multiply_adds, block->trace.warp_count * 64u * 64u);  // of 64 sums for 64 k
  EXPECT_GE(counts.lines[line - 1][CodeColumn::executions], multiply_adds);
  // A few other instructions of the loop are on that line too.
  EXPECT_LT(counts.lines[line - 1][CodeColumn::executions], multiply_adds * 11 / 10);
}

TEST(SourceLines, ALongLineIsCutWhereItCanBe) {
  using Pieces = std::vector<std::string>;
  EXPECT_EQ(wrapped_code("sum += a[k] * b[k];", 40), Pieces{"sum += a[k] * b[k];"});
  EXPECT_EQ(wrapped_code("sum += a[k] * b[(size_t)k * N];", 20),
            (Pieces{"sum += a[k] * b[(", "size_t)k * N];"}));
  EXPECT_EQ(wrapped_code("copy(to, from)", 8), (Pieces{"copy(to,", "from)"}));
  EXPECT_EQ(wrapped_code("abcdefgh", 3), (Pieces{"abc", "def", "gh"}));  // nowhere
  EXPECT_EQ(wrapped_code("\u884c\u5217\u5217", 2), (Pieces{"\u884c\u5217", "\u5217"}));
  EXPECT_EQ(wrapped_code("", 8), Pieces{});
  EXPECT_EQ(wrapped_code("ab", 0), (Pieces{"a", "b"}));
}

}  // namespace
}  // namespace gemmscope::scenes
