// Compares the code's layout at any size, its rows and its rankings with slow, obvious models.
#include "scenes/code_scene.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "layout_checks.h"
#include "modelled_blocks.h"
#include "scene_blocks.h"
#include "scenes/code_colors.h"
#include "scenes/control_words.h"

namespace gemmscope::scenes {
namespace {

CodeCounts counts_of(const std::string& kernel) {
  const BlockPointer block = small_block(kernel);
  return block == nullptr ? CodeCounts{} : count_code(*block->compiled, block->counters);
}

std::vector<NamedRect> parts_of(const CodePane& pane, const std::string& name) {
  std::vector<NamedRect> parts = {{name + " scroll bar", pane.scrollbar},
                                  {name + " side scroll", pane.sidescroll},
                                  {name + " head", pane.head}};
  const auto strip = [&](const std::string& part, float left, float right) {
    parts.push_back({name + " " + part, {left, pane.body.top, right, pane.body.bottom}});
  };
  strip("marks", pane.margin_left, pane.margin_right);
  strip("warps", pane.warps_left, pane.warps_right);
  strip("numbers", pane.number_left, pane.number_right);
  strip("control codes", pane.control_left, pane.control_right);
  strip("text", pane.text_left, pane.text_right);
  for (const CodeColumnPlace& column : pane.columns) {
    const std::string number = std::to_string(static_cast<int>(column.column));
    strip("column " + number, column.left, column.right);
    parts.push_back({name + " column head " + number, column.head});
  }
  return parts;
}

TEST(CodeLayout, NothingOverlapsOrSticksOut) {
  for (const std::string& kernel : kKernels) {
    const CodeCounts counts = counts_of(kernel);
    for (const drawing::Rect area : kAreas)
      for (const SceneMetrics& metrics : metrics_for(area))
        for (int variant = 0; variant < 24; ++variant) {
          CodeChoice choice;
          choice.arrangement = static_cast<Arrangement>(variant % 3);
          choice.control_codes = variant / 3 % 2 == 1;
          choice.sorted = variant / 6 % 2 == 1;
          choice.split = variant / 12 == 0 ? 0.5f : -1;  // no valid position
          SCOPED_TRACE(text_of(area, metrics) + ", variant " + std::to_string(variant));
          const CodeLayout layout = layout_code(area, metrics, choice, &counts, variant * 3 % 40);
          std::vector<NamedRect> parts = parts_of(layout.source, "source");
          for (NamedRect& part : parts_of(layout.sass, "machine code")) parts.push_back(part);
          parts.push_back({"splitter", layout.splitter});
          for (const NamedRect& part : parts) ASSERT_TRUE(lies_in(part, area));
          for (size_t i = 0; i < parts.size(); ++i)
            for (size_t k = i + 1; k < parts.size(); ++k) ASSERT_TRUE(apart(parts[i], parts[k]));
        }
  }
}

// A wider pane never shows fewer columns, and a column that is shown leaves the text enough room.
TEST(CodeLayout, ColumnsComeWithTheWidth) {
  const CodeCounts counts = counts_of("07_register_tile");
  const SceneMetrics metrics{1, 16, 13, 7};
  for (const Arrangement arrangement : {Arrangement::stacked, Arrangement::side_by_side}) {
    CodeChoice choice;
    choice.arrangement = arrangement;
    size_t before = 0;
    for (float width = 100; width < 2500; width += 7) {
      const CodeLayout layout = layout_code({0, 0, width, 600}, metrics, choice, &counts);
      EXPECT_GE(layout.sass.columns.size(), before) << width;
      before = layout.sass.columns.size();
      const float characters = (layout.sass.text_right - layout.sass.text_left) / metrics.code_width;
      EXPECT_TRUE(before == 0 || characters >= 35) << width;
    }
    EXPECT_EQ(before, 7u);
  }
}

TEST(CodeLayout, MemoryThatIsNotUsedHasNoColumn) {
  const CodeCounts counts = counts_of("01_naive_rows");
  const CodeLayout layout = layout_code({0, 0, 3000, 900}, {1, 16, 13, 7}, {}, &counts);
  EXPECT_TRUE(layout.sass.shows(CodeColumn::sectors));
  EXPECT_FALSE(layout.sass.shows(CodeColumn::wavefronts));
  EXPECT_FALSE(layout.sass.shows(CodeColumn::excess_wavefronts));
  EXPECT_TRUE(layout_code({0, 0, 3000, 900}, {1, 16, 13, 7}, {}, nullptr).sass.columns.empty());
}

TEST(CodeLayout, LowPanesAreSideBySideWhereTheyAreNotNarrow) {
  const SceneMetrics metrics{1, 16, 13, 7, 10};
  EXPECT_TRUE(layout_code({0, 0, 600, 400}, metrics, {}, nullptr).stacked);
  EXPECT_FALSE(layout_code({0, 0, 600, 130}, metrics, {}, nullptr).stacked);
  EXPECT_TRUE(layout_code({0, 0, 300, 130}, metrics, {}, nullptr).stacked);
  CodeChoice choice;
  choice.arrangement = Arrangement::stacked;
  EXPECT_TRUE(layout_code({0, 0, 600, 130}, metrics, choice, nullptr).stacked) << "the user wants it so";
}

TEST(CodeLayout, TheRankingsColumnIsTheLastToLeave) {
  const CodeCounts counts = counts_of("07_register_tile");
  for (const CodeColumn column : {CodeColumn::wavefronts, CodeColumn::sectors, CodeColumn::executions}) {
    CodeChoice choice;
    choice.rank_by = column;
    choice.sorted = true;
    choice.arrangement = Arrangement::stacked;
    for (float width = 100; width < 1500; width += 11) {
      const CodeLayout layout = layout_code({0, 0, width, 600}, {1, 16, 13, 7}, choice, &counts);
      EXPECT_TRUE(layout.sass.columns.empty() || layout.sass.shows(column)) << width;
    }
  }
}

TEST(CodeLayout, EachWarpHasAMarkOfItsOwnInTheGutter) {
  const CodeCounts counts = counts_of("07_register_tile");
  for (const int warps : {1, 4, 8, 9, 32}) {
    const CodeLayout layout = layout_code({0, 0, 1200, 600}, {1, 16, 13, 7}, {}, &counts, warps);
    const drawing::Rect row{0, 100, 1200, 100 + layout.sass.row_height};
    const drawing::Rect gutter{layout.sass.warps_left, row.top, layout.sass.warps_right, row.bottom};
    EXPECT_GT(gutter.width(), 0);
    std::vector<NamedRect> marks;
    for (int warp = 0; warp < warps; ++warp) {
      marks.push_back({"warp " + std::to_string(warp), warp_mark(layout.sass, row, warp, warps)});
      EXPECT_TRUE(lies_in(marks.back(), gutter));
      EXPECT_GE(marks.back().rect.width(), 2);
      EXPECT_GE(marks.back().rect.height(), 2);
      for (int other = 0; other < warp; ++other)
        EXPECT_TRUE(apart(marks.back(), marks[static_cast<size_t>(other)]));
    }
  }
  const CodeLayout without = layout_code({0, 0, 1200, 600}, {1, 16, 13, 7}, {}, &counts);
  EXPECT_EQ(without.sass.warps_left, without.sass.warps_right);
}

// ---- rows

CodeMark mark_at(int instruction, int line, std::string sentence, MarkKind kind = MarkKind::finding) {
  CodeMark mark;
  mark.kind = kind;
  mark.instruction = instruction;
  mark.line = line;
  mark.sentence = std::move(sentence);
  return mark;
}

TEST(CodeRowsTest, AMessageStandsUnderItsLineAndOnlyThere) {
  const std::vector<CodeMark> marks = {mark_at(3, 2, "one two three four"), mark_at(5, 2, "another"),
                                       mark_at(7, 0, "without a line"), mark_at(99, 99, "nowhere")};
  const CodeRows source = code_rows(CodeSide::source, 4, {}, marks, 9);
  ASSERT_GE(source.rows.size(), 6u);
  EXPECT_EQ(source.row_of(1), 1);
  EXPECT_EQ(source.first_mark, (std::vector<int>{-1, 0, -1, -1}));
  std::string said;
  for (const CodeRow& row : source.rows)
    if (row.mark >= 0) {
      EXPECT_EQ(row.index, 1u);
      said += source.sentences[static_cast<size_t>(row.mark)][static_cast<size_t>(row.part)] + " ";
    }
  EXPECT_EQ(said, "one two three four, and 1 more at instructi ons of this line ");
  const CodeRows sass = code_rows(CodeSide::sass, 10, {}, marks, 40);
  EXPECT_EQ(sass.rows.size(), 11u);  // only the message without a line is shown here
  EXPECT_EQ(sass.rows[static_cast<size_t>(sass.row_of(7)) + 1].mark, 2);
  EXPECT_EQ(sass.first_mark[3], 0);
  EXPECT_EQ(sass.first_mark[5], 1);
}

TEST(CodeRowsTest, WrappedWordsAreAllThereAndFit) {
  std::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    std::string text;
    for (uint32_t words = random() % 12; words > 0; --words)
      text +=
          (text.empty() ? "" : " ") + std::string(1 + random() % 9, static_cast<char>('a' + random() % 26));
    const int limit = 1 + static_cast<int>(random() % 30);
    std::string joined;
    for (const std::string& line : wrap_words(text, limit)) {
      EXPECT_LE(line.size(), static_cast<size_t>(limit));
      EXPECT_FALSE(line.empty());
      joined += line;
    }
    std::erase(joined, ' ');
    std::string letters = text;
    std::erase(letters, ' ');
    EXPECT_EQ(joined, letters) << text << ", " << limit;
  }
  EXPECT_EQ(wrap_words("a bc\nd", 4), (std::vector<std::string>{"a bc", "d"}));
  EXPECT_EQ(wrap_words("\u00e4\u00f6\u00fc\u00df", 2),
            (std::vector<std::string>{"\u00e4\u00f6", "\u00fc\u00df"}));
}

TEST(CodeRowsTest, SortedHasEveryInstructionOnce) {
  const CodeCounts counts = counts_of("01_naive_rows");
  CodeChoice choice;
  EXPECT_TRUE(instruction_order(choice, &counts).empty());
  choice.sorted = true;
  EXPECT_TRUE(instruction_order(choice, nullptr).empty());
  for (const CodeColumn column : kAllCodeColumns) {
    choice.rank_by = column;
    const std::vector<uint32_t> order = instruction_order(choice, &counts);
    ASSERT_EQ(std::set<uint32_t>(order.begin(), order.end()).size(), counts.instructions.size());
    for (size_t i = 1; i < order.size(); ++i) {
      const uint64_t a = counts.instructions[order[i - 1]][column], b = counts.instructions[order[i]][column];
      EXPECT_TRUE(a > b || (a == b && order[i - 1] < order[i]));
    }
    const CodeRows rows = code_rows(CodeSide::sass, order.size(), order, {}, 40);
    for (uint32_t i = 0; i < order.size(); ++i)
      EXPECT_EQ(rows.rows[static_cast<size_t>(rows.row_of(i))].index, i);
  }
}

// ---- counts

TEST(CodeCountsTest, EqualTheTraceCountedLineByLine) {
  for (const std::string& kernel : kKernels) {
    const BlockPointer block = small_block(kernel);
    ASSERT_NE(block, nullptr);
    const CodeCounts counts = count_code(*block->compiled, block->counters);
    std::vector<uint64_t> issued(counts.instructions.size()), of_line(counts.lines.size() + 1);
    for (const machine::TraceRecord& record : block->trace.records) {
      ++issued[record.instruction];
      std::set<int> lines;  // its own and those that called it
      std::vector<experiment::CompiledKernel::Place> chain = block->compiled->calls[record.instruction];
      chain.push_back(block->compiled->places[record.instruction]);
      for (const auto& place : chain)
        if (place.file == 0) lines.insert(place.line);
      for (const int line : lines) ++of_line[static_cast<size_t>(line)];
    }
    for (size_t i = 0; i < issued.size(); ++i)
      EXPECT_EQ(counts.instructions[i][CodeColumn::executions], issued[i]);
    for (size_t line = 1; line < of_line.size(); ++line)
      EXPECT_EQ(counts.lines[line - 1][CodeColumn::executions], of_line[line]) << line;
    EXPECT_EQ(counts.total[CodeColumn::executions], block->trace.records.size());
    for (const CodeColumn column : kAllCodeColumns) {
      uint64_t sum = 0, most = 0;
      for (const CodeCount& count : counts.instructions)
        sum += count[column], most = std::max(most, count[column]);
      EXPECT_EQ(counts.total[column], sum);
      EXPECT_EQ(counts.most_of_instructions[column], most);
      for (const CodeCount& count : counts.instructions) {
        EXPECT_LE(heat(count, counts.most_of_instructions, column), 1);
        EXPECT_TRUE(count.applies(column) || count[column] == 0);
      }
    }
  }
}

// Every kind of traffic counts in the columns of its memory: LDSM's wavefronts as well as LDS's.
TEST(CodeCountsTest, EveryKindOfTrafficHasItsColumns) {
  const BlockPointer block = small_block("01_naive_rows");
  ASSERT_NE(block, nullptr);
  for (const metrics::TrafficKind& kind : metrics::kTrafficKinds) {
    SCOPED_TRACE(kind.name);
    metrics::Counters counters(block->compiled->instructions.size());
    metrics::Traffic& traffic = counters.traffic[2].*kind.member;
    traffic.requests = 3;
    (kind.shared ? traffic.wavefronts : traffic.sectors) = 7;
    (kind.shared ? traffic.minimum_wavefronts : traffic.minimum_sectors) = 5;
    counters.executed.warps[2] = 3;
    const CodeCounts counts = count_code(*block->compiled, counters);
    for (const CodeCount& count : {counts.instructions[2], counts.total}) {
      EXPECT_EQ(count.applies(CodeColumn::wavefronts), kind.shared);
      EXPECT_EQ(count.applies(CodeColumn::excess_wavefronts), kind.shared);
      EXPECT_EQ(count.applies(CodeColumn::sectors), !kind.shared);
      EXPECT_EQ(count.applies(CodeColumn::excess_sectors), !kind.shared);
      EXPECT_EQ(count[kind.shared ? CodeColumn::wavefronts : CodeColumn::sectors], 7u);
      EXPECT_EQ(count[kind.shared ? CodeColumn::excess_wavefronts : CodeColumn::excess_sectors], 2u);
    }
    EXPECT_FALSE(counts.instructions[1].applies(CodeColumn::wavefronts));
    EXPECT_FALSE(counts.instructions[1].applies(CodeColumn::sectors));
  }
}

// The naive kernel reads a sector of A per lane, so its excess is on the line of the product.
TEST(CodeCountsTest, TheNaiveKernelsExcessIsInItsLoop) {
  const BlockPointer block = small_block("01_naive_rows");
  ASSERT_NE(block, nullptr);
  const CodeCounts counts = count_code(*block->compiled, block->counters);
  const auto worst =
      std::max_element(counts.lines.begin(), counts.lines.end(), [](const CodeCount& a, const CodeCount& b) {
        return a[CodeColumn::excess_sectors] < b[CodeColumn::excess_sectors];
      });
  const std::string& line =
      block->compiled->files[0].lines[static_cast<size_t>(worst - counts.lines.begin())];
  EXPECT_NE(line.find("sum += a[k]"), std::string::npos) << line;
}

TEST(CodeCountsTest, TheWholeGridOnceItIsCounted) {
  const BlockPointer block = small_block("01_naive_rows");
  ASSERT_NE(block, nullptr);
  experiment::GridResult grid;
  grid.compiled = block->compiled;
  grid.counters = block->counters;
  const auto* compiled = block->compiled.get();
  EXPECT_EQ(choose_counts(CountScope::automatic, compiled, block.get(), &grid).counters, &grid.counters);
  EXPECT_EQ(choose_counts(CountScope::automatic, compiled, block.get(), &grid).scope, CountScope::grid);
  EXPECT_EQ(choose_counts(CountScope::block, compiled, block.get(), &grid).counters, &block->counters);
  EXPECT_EQ(choose_counts(CountScope::grid, compiled, block.get(), nullptr).scope, CountScope::block);
  EXPECT_EQ(choose_counts(CountScope::automatic, nullptr, block.get(), &grid).counters, nullptr);
  const BlockPointer other = small_block("07_register_tile");
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(choose_counts(CountScope::automatic, compiled, other.get(), nullptr).counters, nullptr);
}

TEST(CodeCountsTest, NextWorstWalksTheRankingAndBack) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    CodeCounts counts;
    counts.instructions.resize(random() % 12);
    for (CodeCount& count : counts.instructions)
      for (uint64_t& value : count.values) value = random() % 4;
    for (const CodeColumn column : kAllCodeColumns) {
      // This model is slow and obvious: it takes the largest of the rest, and the first of equals.
      std::vector<uint32_t> expected;
      for (;;) {
        int best = -1;
        for (uint32_t i = 0; i < counts.instructions.size(); ++i) {
          if (counts.instructions[i][column] == 0 || std::count(expected.begin(), expected.end(), i) > 0)
            continue;
          if (best < 0 ||
              counts.instructions[i][column] > counts.instructions[static_cast<size_t>(best)][column])
            best = static_cast<int>(i);
        }
        if (best < 0) break;
        expected.push_back(static_cast<uint32_t>(best));
      }
      std::optional<uint32_t> at;
      for (size_t i = 0; i < 2 * expected.size(); ++i) {
        at = next_worst(counts, column, at, true);
        ASSERT_EQ(at, expected[i % expected.size()]);
        const std::optional<uint32_t> next = next_worst(counts, column, at, true);
        EXPECT_EQ(next_worst(counts, column, next, false), at);
      }
      EXPECT_EQ(next_worst(counts, column, 99u, true).has_value(), !expected.empty());
    }
  }
}

TEST(CodeCountsTest, AnEmptyRankingFallsBackToAnother) {
  const CodeCounts counts = counts_of("01_naive_rows");
  CodeChoice choice;
  choice.rank_by = CodeColumn::excess_wavefronts;
  EXPECT_EQ(ranking_column(choice, counts), CodeColumn::excess_sectors);
  choice.rank_by = CodeColumn::executions;
  EXPECT_EQ(ranking_column(choice, counts), CodeColumn::executions);
  EXPECT_EQ(ranking_column(choice, CodeCounts{}), CodeColumn::executions);
}

// ---- the model's columns

// From the steps of the timeline: how long each waited, and for whose result.
TEST(CodeCountsModelled, TheyAreTheWaitsOfTheTimeline) {
  for (const char* kernel : {"07_register_tile", "13_async_copy"}) {
    SCOPED_TRACE(kernel);
    const Modelled m = modelled(kernel);
    ASSERT_NE(m.model, nullptr);
    const sm::Timeline& timeline = m.model->timeline;
    const CodeCounts counts = count_code(*m.block->compiled, m.block->counters, m.model.get());
    std::vector<double> waited(counts.instructions.size()), exposed(counts.instructions.size());
    double life = 0;
    for (const sm::WarpTimeline& warp : timeline.warps) {
      life += warp.steps.back().issued + 1.0 - warp.start;
      for (size_t k = 0; k < warp.steps.size(); ++k) {
        const sm::TimelineStep& step = warp.steps[k];
        waited[step.instruction] += step.issued - warp.begin_of(k);
        const sm::StallCycles cycles = sm::stall_cycles(warp, k);
        if (step.cause != sm::kNoStep && step.released <= warp.begin_of(k))
          exposed[warp.steps[step.cause].instruction] +=
              cycles[static_cast<size_t>(sm::Stall::long_scoreboard)] +
              cycles[static_cast<size_t>(sm::Stall::short_scoreboard)];
      }
    }
    const auto warps = static_cast<double>(timeline.warps.size());
    EXPECT_NEAR(counts.warp_cycles, life / warps, 1e-6);
    uint64_t total = 0;
    for (size_t i = 0; i < counts.instructions.size(); ++i) {
      EXPECT_NEAR(static_cast<double>(counts.instructions[i][CodeColumn::stalled]), waited[i] / warps, 0.51);
      EXPECT_NEAR(static_cast<double>(counts.instructions[i][CodeColumn::exposed]), exposed[i] / warps, 0.51)
          << m.block->compiled->text[i];
      total += counts.instructions[i][CodeColumn::exposed];
    }
    EXPECT_GT(total, 100u);
    EXPECT_LT(stall_share(counts, counts.total), 1);
    EXPECT_GT(stall_share(counts, counts.total), 0.2);
  }
}

TEST(CodeCountsModelled, TheyNeedAModelOfThatCode) {
  const Modelled m = modelled("07_register_tile"), other = modelled("13_async_copy");
  ASSERT_NE(m.model, nullptr);
  ASSERT_NE(other.model, nullptr);
  for (const experiment::ModelResult* model : {other.model.get(), m.model.get(), other.model.get()}) {
    const CodeCounts counts = count_code(*m.block->compiled, m.block->counters, model);
    const bool own = model == m.model.get();
    EXPECT_EQ(counts.warp_cycles > 0, own);
    const CodeLayout layout = layout_code({0, 0, 3000, 900}, {1, 16, 13, 7}, {}, &counts);
    for (const CodeColumn column : {CodeColumn::exposed, CodeColumn::stalled}) {
      EXPECT_EQ(layout.sass.shows(column), own);
      EXPECT_EQ(layout.source.shows(column), own);
      EXPECT_EQ(std::string(column_name(column).group), "modelled");
    }
  }
}

// In a narrow pane the question of the moment decides: while the pipeline is shown, where the time goes.
TEST(CodeCountsModelled, TheyComeFirstWhileThePipelineIsShown) {
  const Modelled m = modelled("07_register_tile");
  ASSERT_NE(m.model, nullptr);
  const CodeCounts counts = count_code(*m.block->compiled, m.block->counters, m.model.get());
  CodeChoice choice;
  choice.arrangement = Arrangement::stacked;
  choice.rank_by = CodeColumn::executions;
  int narrow = 0;
  for (float width = 200; width < 900; width += 10) {
    const CodeLayout open = layout_code({0, 0, width, 600}, {1, 16, 13, 7}, choice, &counts, 8);
    const CodeLayout closed = layout_code({0, 0, width, 600}, {1, 16, 13, 7}, choice, &counts);
    EXPECT_TRUE(open.sass.columns.empty() || open.sass.shows(CodeColumn::exposed)) << width;
    EXPECT_TRUE(closed.sass.columns.empty() || closed.sass.shows(CodeColumn::executions)) << width;
    narrow += open.sass.columns.size() == 1;
  }
  EXPECT_GT(narrow, 0);
}

// ---- marks

TEST(CodeMarksTest, TheFaultComesFirstThenCodeOrder) {
  const BlockPointer block = small_block("01_naive_rows");
  ASSERT_NE(block, nullptr);
  experiment::Failure failure;
  failure.fault =
      machine::Fault{machine::FaultKind::out_of_bounds, 20, {1, 2, 0}, 3, 4, 0, "a store outside C"};
  machine::Finding race;
  race.instruction = 30;
  race.other_instruction = 10;
  race.what = "reads what warp 1 writes";
  race.times = 1234;
  machine::Finding mirrored = race;
  mirrored.instruction = 10;
  mirrored.other_instruction = 30;
  machine::Finding early;
  early.kind = machine::FindingKind::uninitialised_global;
  early.instruction = 5;
  early.what = "reads what nobody wrote";
  machine::Finding before_fault = early;
  before_fault.instruction = 7;
  failure.findings = {before_fault, mirrored};
  const std::vector<machine::Finding> of_block = {mirrored, early}, of_grid = {race};
  const std::vector<CodeMark> marks = code_marks(block->compiled.get(), &failure, of_block, of_grid);
  ASSERT_EQ(marks.size(), 4u);  // the race is marked once
  EXPECT_EQ(marks[0].kind, MarkKind::fault);
  EXPECT_EQ(marks[0].instruction, 20);
  EXPECT_NE(marks[0].sentence.find("a store outside C (block (1, 2, 0), warp 3, lane 4)"), std::string::npos);
  EXPECT_EQ(marks[1].instruction, 5);
  EXPECT_EQ(marks[2].instruction, 7);
  EXPECT_EQ(marks[3].instruction, 30);
  EXPECT_NE(marks[3].sentence.find("1,234 times"), std::string::npos);
  EXPECT_EQ(marks[3].line, block->compiled->places[30].line);
  EXPECT_EQ(count_of_marks(marks), "1 fault, 3 findings");
  EXPECT_EQ(count_of_marks({}), "");
  EXPECT_TRUE(code_marks(nullptr, nullptr, {}, {}).empty());

  const std::vector<experiment::OtherFinding> elsewhere = {
      {"two", 12, "in the launch \"two\": reads garbage", early}};
  const std::vector<CodeMark> with_others =
      code_marks(block->compiled.get(), nullptr, {}, of_grid, elsewhere);
  ASSERT_EQ(with_others.size(), 2u);
  EXPECT_EQ(with_others[0].instruction, -1);  // its instruction is none of those shown
  EXPECT_EQ(with_others[0].line, 12);
  EXPECT_EQ(with_others[0].sentence, elsewhere[0].sentence);
  EXPECT_EQ(count_of_marks(with_others), "2 findings");
}

// A line was added above, and the file saved with an error: its lines are not those that ran.
TEST(CodeMarksTest, FindingsLeaveTheLinesOfASourceThatDoesNotCompile) {
  const BlockPointer block = small_block("01_naive_rows");
  ASSERT_NE(block, nullptr);
  machine::Finding early;
  early.kind = machine::FindingKind::uninitialised_global;
  early.instruction = 5;
  const std::vector<machine::Finding> of_grid = {early};
  const std::vector<experiment::OtherFinding> elsewhere = {{"two", 12, "in the launch \"two\"", early}};
  experiment::Failure failure;
  failure.diagnostics = {{compile::Severity::error, "a.cu", 7, 1, "expected a \";\""}};
  const std::vector<CodeMark> marks = code_marks(block->compiled.get(), &failure, {}, of_grid, elsewhere);
  ASSERT_EQ(marks.size(), 2u);
  EXPECT_EQ(marks[0].line, 7);
  EXPECT_EQ(marks[1].instruction, 5);
  EXPECT_EQ(marks[1].line, 0);
}

// The kernel as it is has nothing to mark. With one stall count lowered the line of the consumer is marked.
TEST(CodeMarksTest, AMissingStallIsMarkedAtItsReader) {
  const BlockPointer block = small_block("01_naive_rows");
  ASSERT_NE(block, nullptr);
  EXPECT_TRUE(block->compiled->hazards.empty());
  experiment::CompiledKernel broken = *block->compiled;
  const auto multiply =
      std::find_if(broken.instructions.begin(), broken.instructions.end(), [](const auto& instruction) {
        return instruction.opcode == isa::Opcode::imad_wide && instruction.control.stall_cycles > 1;
      });
  ASSERT_NE(multiply, broken.instructions.end());
  multiply->control.stall_cycles = 1;
  for (auto next = multiply + 1; next != broken.instructions.end() && next < multiply + 4; ++next)
    next->control.stall_cycles = 1;
  broken.hazards = lint::lint(broken.instructions).findings;
  ASSERT_FALSE(broken.hazards.empty());
  const std::vector<CodeMark> marks = code_marks(&broken, nullptr, {}, {});
  ASSERT_EQ(marks.size(), broken.hazards.size());
  EXPECT_EQ(marks[0].kind, MarkKind::finding);
  EXPECT_EQ(marks[0].instruction, static_cast<int>(broken.hazards[0].dependence.consumer));
  EXPECT_NE(marks[0].sentence.find(lint::missing_text(broken.hazards[0])), std::string::npos);
  EXPECT_EQ(marks[0].line, broken.places[broken.hazards[0].dependence.consumer].line);
}

// ---- control codes

TEST(ControlWords, ColumnHasTheFieldsInTheirOrder) {
  isa::Instruction instruction;
  instruction.control = {.stall_cycles = 4,
                         .yield = true,
                         .write_scoreboard = 1,
                         .read_scoreboard = 7,
                         .wait_mask = 0b001001,
                         .reuse = 0};
  EXPECT_EQ(control_column(instruction.control), "B0--3-- R- W1 Y S04");
  EXPECT_EQ(control_column(instruction.control).size(), static_cast<size_t>(kControlColumnCharacters));
  const std::vector<std::string> sentences = control_sentences(instruction);
  ASSERT_EQ(sentences.size(), 4u);
  EXPECT_EQ(sentences[0], "waits until SB0, SB3 is free");
  EXPECT_EQ(sentences[3], "stall 4: its warp issues nothing for 4 cycles after it");
  instruction.control = {};
  EXPECT_EQ(control_column(instruction.control), "B------ R- W- - S00");
  EXPECT_EQ(control_sentences(instruction).size(), 1u);
}

// Figures are read over their bars, also in the row of the cursor and where only luminance is left.
TEST(CodeColors, FiguresAreReadOverTheirBars) {
  using drawing::Role;
  using drawing::Theme;
  const Theme before = drawing::current_theme();
  for (const Theme theme : {Theme::dark, Theme::light, Theme::dark_projector, Theme::light_projector}) {
    drawing::set_current_theme(theme);
    for (const CodeColumn column : kAllCodeColumns)
      for (const Role surface : {Role::panel, Role::accent_subtle}) {
        const drawing::Color bar = drawing::composite(code_bar_color(column), drawing::color(surface));
        EXPECT_GE(drawing::contrast_ratio(drawing::color(Role::text), bar), 4.5f)
            << "theme " << static_cast<int>(theme) << ", column " << static_cast<int>(column) << ", surface "
            << static_cast<int>(surface);
      }
  }
  drawing::set_current_theme(before);
}

}  // namespace
}  // namespace gemmscope::scenes
