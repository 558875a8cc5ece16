// Tests jumps in the code, and kernels that fail: the selection, the cursor and the marks.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "compile/compiler.h"
#include "session/app_commands.h"
#include "session/code_state.h"
#include "workspace_driver.h"

namespace gemmscope::session {
namespace {

namespace fs = std::filesystem;
using scenes::CodeColumn;

class CodeCommands : public testing::Test {
 protected:
  void start(const std::string& kernel) {
    driver_ = std::make_unique<WorkspaceDriver>(small_experiment(kernel));
    commands_ = make_commands(driver_->workspace(), flags_);
    ASSERT_TRUE(driver_->settle());
    ASSERT_TRUE(state().has_trace());
  }
  void run(const char* id) {
    const Result<void> ran = commands_.run(id);
    EXPECT_TRUE(ran) << id << ": " << (ran ? "" : ran.error().message);
    driver_->frame();
  }
  session::ViewState& state() { return driver_->state(); }
  uint64_t selected_value(CodeColumn column) {
    return session::counted_code(state())->instructions[*state().code.selected][column];
  }

  AppFlags flags_;
  std::unique_ptr<WorkspaceDriver> driver_;
  CommandTable commands_;
};

TEST_F(CodeCommands, TheMostExposedLatencyIsVisitedFirst) {
  start("07_register_tile");
  ASSERT_NE(state().model, nullptr) << state().no_model;
  run("code.most_exposed");
  ASSERT_TRUE(state().code.selected);
  const uint64_t most = session::counted_code(state())->most_of_instructions[CodeColumn::exposed];
  EXPECT_GT(most, 0u);
  EXPECT_EQ(selected_value(CodeColumn::exposed), most);
  run("code.most_exposed");
  EXPECT_LE(selected_value(CodeColumn::exposed), most);
  run("code.previous_most_exposed");
  EXPECT_EQ(selected_value(CodeColumn::exposed), most);
}

// A narrow panel has room for one column: the one that the number is about.
TEST_F(CodeCommands, ANumberRanksByItsColumn) {
  start("07_register_tile");
  ASSERT_NE(state().model, nullptr) << state().no_model;
  run("numbers.time");
  EXPECT_EQ(state().code.rank_by, CodeColumn::stalled);
  EXPECT_EQ(selected_value(CodeColumn::stalled),
            session::counted_code(state())->most_of_instructions[CodeColumn::stalled]);
  run("numbers.registers");
  EXPECT_EQ(state().code.rank_by, CodeColumn::stalled);
  run("numbers.wavefronts");
  EXPECT_EQ(state().code.rank_by, CodeColumn::wavefronts);
  state().code.sorted = true;  // the user's order stays
  run("numbers.time");
  EXPECT_EQ(state().code.rank_by, CodeColumn::wavefronts);
}

TEST_F(CodeCommands, TheWorstIsSelectedAndTheCursorGoesToItsFirstExecution) {
  start("01_naive_rows");
  uint64_t before = ~uint64_t{0};
  std::vector<uint32_t> seen;
  for (int i = 0; i < 4; ++i) {
    run("code.worst_sectors");
    ASSERT_TRUE(state().code.selected);
    EXPECT_LE(selected_value(CodeColumn::excess_sectors), before);
    before = selected_value(CodeColumn::excess_sectors);
    EXPECT_GT(before, 0u);
    EXPECT_EQ(std::count(seen.begin(), seen.end(), *state().code.selected), 0);
    seen.push_back(*state().code.selected);
    // The cursor is at the first step of the followed warp that executes the instruction.
    EXPECT_EQ(state().record().instruction, *state().code.selected);
    EXPECT_EQ(state().record().warp, state().playback.warp);
    for (size_t r = 0; r < state().cursor.record; ++r) {
      const machine::TraceRecord& record = state().block->trace.records[r];
      ASSERT_FALSE(record.warp == state().playback.warp && record.instruction == *state().code.selected);
    }
  }
  run("code.previous_worst_sectors");
  EXPECT_EQ(*state().code.selected, seen[2]);
  run("code.next_worst");  // continues with the same column
  EXPECT_EQ(*state().code.selected, seen[3]);
  EXPECT_EQ(state().code.reveals, 6u);
}

TEST_F(CodeCommands, AJumpByAnEmptyColumnIsDisabled) {
  start("01_naive_rows");  // no shared memory
  EXPECT_FALSE(commands_.run("code.worst_conflict"));
  EXPECT_FALSE(commands_.run("code.next_finding"));
  EXPECT_FALSE(state().code.selected);
  run("code.next_worst");  // by sectors then
  EXPECT_EQ(state().code.rank_by, CodeColumn::excess_sectors);
}

TEST_F(CodeCommands, SortingTwiceRestoresTheCodesOrder) {
  start("01_naive_rows");
  run("code.sort");
  EXPECT_TRUE(state().code.sorted);
  EXPECT_EQ(state().code.rank_by, CodeColumn::excess_sectors);
  run("code.sort");
  EXPECT_FALSE(state().code.sorted);
}

TEST_F(CodeCommands, TheScopeGoesFromGridToBlockAndBack) {
  start("01_naive_rows");
  ASSERT_NE(state().grid, nullptr);
  EXPECT_EQ(session::code_counts_of(state()).scope, scenes::CountScope::grid);
  run("code.scope");
  EXPECT_EQ(session::code_counts_of(state()).counters, &state().block->counters);
  run("code.scope");
  EXPECT_EQ(session::code_counts_of(state()).counters, &state().grid->counters);
}

TEST_F(CodeCommands, AJumpFollowsAnotherWarpIfThisOneNeverExecutesIt) {
  start("07_register_tile");
  auto block = std::make_shared<experiment::BlockResult>(*state().block);
  // Only warp 1 executes this instruction.
  const uint32_t instruction = block->trace.records.back().instruction;
  const uint16_t warp = 1;
  for (machine::TraceRecord& record : block->trace.records)
    if (record.instruction == instruction && record.warp != warp) record.instruction = 0;
  state().block = block;
  driver_->workspace().follow(0);
  driver_->workspace().to_instruction(instruction);
  EXPECT_EQ(state().playback.warp, warp);
  EXPECT_EQ(state().record().instruction, instruction);
}

// ---- kernels that fail

class FailingKernel : public CodeCommands {
 protected:
  void SetUp() override {
    folder_ = (fs::temp_directory_path() / "gemmscope-data-XXXXXX").string();
    ASSERT_NE(mkdtemp(folder_.data()), nullptr);
    const fs::path sources = GEMMSCOPE_SOURCE_DIR;
    fs::create_directories(fs::path(folder_) / "kernels/ladder");
    fs::copy(sources / "kernels/include", fs::path(folder_) / "kernels/include", fs::copy_options::recursive);
    fs::create_directory_symlink(sources / "assets", fs::path(folder_) / "assets");
    ASSERT_EQ(::setenv("GEMMSCOPE_DATA", folder_.c_str(), 1), 0);
  }
  void TearDown() override {
    driver_.reset();
    ::unsetenv("GEMMSCOPE_DATA");
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  // Starts the naive kernel with `from` replaced.
  void start_with(const std::string& from, const std::string& to) {
    std::ifstream original(fs::path(GEMMSCOPE_SOURCE_DIR) / "kernels/ladder/01_naive_rows.cu");
    std::stringstream text;
    text << original.rdbuf();
    std::string source = text.str();
    const size_t at = source.find(from);
    ASSERT_NE(at, std::string::npos);
    line_ = static_cast<int>(std::count(source.begin(), source.begin() + static_cast<long>(at), '\n')) + 1;
    source.replace(at, from.size(), to);
    std::ofstream(fs::path(folder_) / "kernels/ladder/01_naive_rows.cu") << source;
    driver_ = std::make_unique<WorkspaceDriver>(small_experiment("01_naive_rows", 32));
    commands_ = make_commands(driver_->workspace(), flags_);
    ASSERT_TRUE(driver_->settle());
  }
  std::string folder_;
  int line_ = 0;  // of what was replaced
};

TEST_F(FailingKernel, IsShownUpToItsFault) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << "no NVRTC here";
  ASSERT_NO_FATAL_FAILURE(start_with("*c = result;", "c[M * N] = result;"));
  ASSERT_TRUE(state().failure);
  ASSERT_TRUE(state().failure->failure.fault);
  ASSERT_TRUE(state().has_trace());
  const machine::Fault& fault = *state().failure->failure.fault;
  EXPECT_EQ(fault.kind, machine::FaultKind::out_of_bounds);
  // The cursor is at the store that fails, the last instruction that its warp issued.
  EXPECT_EQ(state().record().instruction, fault.instruction);
  EXPECT_EQ(state().record().warp, fault.warp);
  EXPECT_EQ(state().compiled->instructions[fault.instruction].opcode, isa::Opcode::stg);
  const std::vector<uint32_t>& own = state().block->warp_records[static_cast<size_t>(fault.warp)];
  EXPECT_EQ(state().cursor.record, own.back());
  EXPECT_EQ(state().code.selected, fault.instruction);
  const std::vector<scenes::CodeMark> marks = session::code_marks_of(state());
  ASSERT_EQ(marks.size(), 1u);
  EXPECT_EQ(marks[0].line, line_);
  EXPECT_NE(marks[0].sentence.find(fault.what), std::string::npos);
  driver_->workspace().to_start();
  run("code.next_finding");
  EXPECT_EQ(state().record().instruction, fault.instruction);
}

TEST_F(FailingKernel, AFaultOfAnotherBlockIsMarkedToo) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << "no NVRTC here";
  // Only the last block's last element lies outside.
  ASSERT_NO_FATAL_FAILURE(start_with("*c = result;", "c[1] = result;"));
  ASSERT_TRUE(state().failure);
  EXPECT_EQ(state().failure->stage, experiment::Stage::grid);
  ASSERT_TRUE(state().failure->failure.fault);
  const std::vector<scenes::CodeMark> marks = session::code_marks_of(state());
  ASSERT_EQ(marks.size(), 1u);
  EXPECT_EQ(marks[0].line, line_);
  EXPECT_EQ(marks[0].block, (std::array<uint32_t, 3>{1, 1, 0}));
}

// The mistakes are shown whether the traced block fails or another one.
TEST_F(FailingKernel, ShowsTheMistakesMadeBefore) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << "no NVRTC here";
  const std::string hole =
      "__shared__ float hole[1024]; const int t = threadIdx.y * blockDim.x + threadIdx.x; "
      "if (t != 5) hole[t] = 0.0f; __syncthreads(); ";
  for (const char* store : {"c[M * N] = result + hole[t ^ 1];", "c[1] = result + hole[t ^ 1];"}) {
    ASSERT_NO_FATAL_FAILURE(start_with("*c = result;", hole + store));
    ASSERT_TRUE(state().failure);
    ASSERT_TRUE(state().failure->failure.fault);
    const std::vector<scenes::CodeMark> marks = session::code_marks_of(state());
    std::string all;
    for (const scenes::CodeMark& mark : marks) all += mark.sentence + '\n';
    ASSERT_EQ(marks.size(), 2u) << store << '\n' << all;
    EXPECT_EQ(marks[0].kind, scenes::MarkKind::fault);
    EXPECT_EQ(marks[1].kind, scenes::MarkKind::finding);
    EXPECT_EQ(marks[1].line, line_);
    EXPECT_NE(marks[1].sentence.find("to which no thread of the block has written"), std::string::npos);
  }
}

TEST_F(FailingKernel, ACompileErrorIsMarkedAtItsLine) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << "no NVRTC here";
  ASSERT_NO_FATAL_FAILURE(start_with("sum += a[k]", "sum += nothing[k]"));
  ASSERT_TRUE(state().failure);
  const std::vector<scenes::CodeMark> marks = session::code_marks_of(state());
  ASSERT_FALSE(marks.empty());
  EXPECT_EQ(marks[0].kind, scenes::MarkKind::compile_error);
  EXPECT_EQ(marks[0].line, line_);
  run("code.next_finding");
  EXPECT_EQ(state().code.reveal_line, line_);
}

}  // namespace
}  // namespace gemmscope::session
