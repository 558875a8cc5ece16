// The main loop scheduled and edited by hand in the window's state: beside the original, undone, saved, and
// refused without a change.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "compile/compiler.h"
#include "experiment/changed_code.h"
#include "schedule/region.h"
#include "session/app_commands.h"
#include "session/code_edit_state.h"
#include "session/compared.h"
#include "session/edit_effect.h"
#include "session/scene_file.h"
#include "workspace_driver.h"

namespace gemmscope::session {
namespace {

class CodeEdit : public testing::Test {
 protected:
  void start(const experiment::Experiment& first) {
    driver_ = std::make_unique<WorkspaceDriver>(first);
    commands_ = std::make_unique<CommandTable>(make_commands(driver_->workspace(), flags_));
    ASSERT_TRUE(driver_->settle());
    ASSERT_TRUE(state().has_trace());
  }
  void run(const char* id) {
    const Result<void> ran = commands_->run(id);
    ASSERT_TRUE(ran) << ran.error().message;
    ASSERT_TRUE(driver_->settle());
  }
  void select_product() {
    const auto loop = schedule::find_main_loop(state().compiled->instructions);
    ASSERT_TRUE(loop);
    uint32_t at = loop->regions.front().first + 40;
    while (!schedule::is_free_product(state().compiled->instructions[at])) ++at;
    driver_->workspace().to_instruction(at);
  }
  ViewState& state() { return driver_->state(); }
  const experiment::CodeChanges& changes() { return state().experiment.changes; }

  AppFlags flags_;
  std::unique_ptr<WorkspaceDriver> driver_;
  std::unique_ptr<CommandTable> commands_;
};

TEST_F(CodeEdit, TheScheduledLoopStandsBesideTheCompilersOrder) {
  start(small_experiment("07_register_tile", 128));
  const experiment::Experiment original = state().experiment;
  run("code.schedule");
  EXPECT_TRUE(changes().scheduled);
  ASSERT_TRUE(state().compares());
  EXPECT_EQ(state().pinned.side->experiment, original);
  EXPECT_EQ(state().pinned.side->compiled->changed, nullptr);
  ASSERT_NE(state().compiled->changed, nullptr);
  ASSERT_NE(state().code_edit.bits, nullptr);
  EXPECT_EQ(state().code_edit.bits->compiled, state().compiled);
  EXPECT_EQ(state().code_edit.bits->different, 0u);
  const scenes::Comparison comparison = compare_pinned(state());
  EXPECT_EQ(comparison.a, "the compiler's machine code");
  EXPECT_EQ(comparison.b, "scheduled machine code");
  EXPECT_NE(state().modelled_time, nullptr);
  // One cursor: both show the same instruction of the compiler's code, wherever it stands.
  select_product();
  driver_->frame();
  const ViewState& a = *state().pinned.side;
  EXPECT_EQ(experiment::original_place(*state().compiled, state().record().instruction),
            a.record().instruction);
  // The way back is one step, and so is the way there again.
  run("experiment.undo");
  EXPECT_EQ(state().experiment, original);
  EXPECT_EQ(state().compiled->changed, nullptr);
  run("experiment.redo");
  EXPECT_TRUE(changes().scheduled);
  run("code.schedule");
  EXPECT_EQ(state().experiment, original);
  EXPECT_FALSE(state().compares()) << "the original beside itself";
}

TEST_F(CodeEdit, ARefusedLoopLeavesEverythingAsItWas) {
  start(small_experiment("03_shared_tile", 64));
  const experiment::Experiment before = state().experiment;
  const auto cursor = state().cursor;
  run("code.schedule");
  EXPECT_EQ(state().experiment, before);
  EXPECT_FALSE(state().compares());
  EXPECT_EQ(state().compiled->changed, nullptr);
  EXPECT_EQ(state().cursor, cursor);
  EXPECT_NE(state().note.find("No order was found"), std::string::npos) << state().note;
  EXPECT_EQ(state().code_edit.refused, state().note);
  EXPECT_FALSE(commands_->run("experiment.undo")) << "nothing was done";
}

TEST_F(CodeEdit, AnInstructionMovesAndIsFollowedAndUndone) {
  start(small_experiment("07_register_tile", 128));
  select_product();
  const uint32_t at = *edited_instruction(state());
  const std::string text = state().compiled->text[at];
  run("code.move_down");
  ASSERT_EQ(changes().edits.size(), 1u);
  EXPECT_EQ(state().code.selected, at + 1);
  EXPECT_EQ(state().compiled->text[at + 1], text);
  EXPECT_EQ(state().record().instruction, at + 1) << "the cursor stays at its instruction";
  EXPECT_NE(state().compiled->changed->by_hand[at + 1], 0);
  run("code.move_up");
  EXPECT_EQ(state().compiled->text[at], text);
  EXPECT_EQ(changes().edits.size(), 2u);
  run("experiment.undo");
  EXPECT_EQ(state().compiled->text[at + 1], text);
  EXPECT_EQ(state().code.selected, at + 1);
  run("experiment.undo");
  EXPECT_FALSE(changes().any());
  EXPECT_EQ(state().code.selected, at);
}

TEST_F(CodeEdit, FlagsStallsAndYieldAreChanged) {
  start(small_experiment("07_register_tile", 128));
  select_product();
  const uint32_t at = *edited_instruction(state());
  const auto control = [&] { return state().compiled->instructions[at].control; };
  const auto flagged = [&](size_t operand) {
    return state().compiled->instructions[at].operands[operand].reuse;
  };
  const bool reused = flagged(1), yields = control().yield;
  const int stall = control().stall_cycles;
  run("code.reuse_a");
  EXPECT_NE(flagged(1), reused);
  run("code.stall_more");
  EXPECT_EQ(control().stall_cycles, stall + 1);
  run("code.yield");
  EXPECT_NE(control().yield, yields);
  EXPECT_EQ(changes().edits.size(), 3u);
  EXPECT_EQ(state().code_edit.bits->different, 0u);
  run("code.compilers");
  EXPECT_FALSE(changes().any());
  EXPECT_EQ(flagged(1), reused);
}

TEST_F(CodeEdit, ABrokenEditIsMarkedNotModelledAndUndone) {
  start(small_experiment("07_register_tile", 128));
  // A load from shared memory moves down to its first reader and beyond.
  const auto loop = schedule::find_main_loop(state().compiled->instructions);
  ASSERT_TRUE(loop);
  uint32_t at = loop->regions.front().first;
  while (state().compiled->instructions[at].opcode != isa::Opcode::lds) ++at;
  driver_->workspace().to_instruction(at);
  int steps = 0;
  for (; steps < 150 && experiment::first_mistake(*state().compiled).empty(); ++steps) run("code.move_down");
  const std::string mistake = experiment::first_mistake(*state().compiled);
  ASSERT_NE(mistake, "") << "after " << steps;
  EXPECT_EQ(state().modelled_time, nullptr);
  EXPECT_NE(state().no_model.find("broken"), std::string::npos) << state().no_model;
  EXPECT_NE(experiment::why_not_on_gpu(state().compiled, state().experiment), "");
  run("experiment.undo");
  EXPECT_EQ(experiment::first_mistake(*state().compiled), "");
  EXPECT_NE(state().modelled_time, nullptr);
}

TEST_F(CodeEdit, ComesBackFromASceneAndALink) {
  start(small_experiment("07_register_tile", 128));
  run("code.schedule");
  select_product();
  run("code.move_down");
  const SavedScene scene = scene_of(state());
  const auto back = parse_scene_link(scene_link(scene));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->experiment, state().experiment);
  const std::vector<std::byte> binary = state().compiled->binary;
  WorkspaceDriver other(small_experiment("08_transposed_tile", 64));
  ASSERT_TRUE(other.settle());
  ASSERT_TRUE(other.workspace().open_scene(*back));
  ASSERT_TRUE(other.settle());
  EXPECT_EQ(other.state().experiment, state().experiment);
  EXPECT_EQ(other.state().compiled->binary, binary);
  ASSERT_NE(other.state().pinned.side, nullptr);
  EXPECT_FALSE(other.state().pinned.side->experiment.changes.any());
}

TEST_F(CodeEdit, OneKeyLeadsToTheCompilersCodeAndBack) {
  start(small_experiment("07_register_tile", 128));
  run("code.schedule");
  select_product();
  run("code.move_down");
  const experiment::CodeChanges made = changes();
  ASSERT_EQ(made.edits.size(), 1u);
  for (int i = 0; i < 2; ++i) {
    run("code.compilers");
    EXPECT_FALSE(changes().any());
    EXPECT_FALSE(state().compares()) << "the original beside itself";
    run("code.compilers");
    EXPECT_EQ(changes(), made);
    ASSERT_TRUE(state().compares());
    EXPECT_FALSE(state().pinned.side->experiment.changes.any());
  }
  // They belong to this kernel's code.
  run("code.compilers");
  experiment::Experiment other = state().experiment;
  other.arch = isa::Arch::sm_90;
  driver_->workspace().set_experiment(other);
  ASSERT_TRUE(driver_->settle());
  EXPECT_FALSE(commands_->run("code.compilers"));
}

TEST_F(CodeEdit, EscapeStopsThePassAndLeavesNothingOfIt) {
  start(small_experiment("13_async_copy", 128));
  const experiment::Experiment before = state().experiment;
  const auto compiled = state().compiled;
  ASSERT_TRUE(commands_->run("code.schedule"));
  ASSERT_TRUE(driver_->until([&] { return is_scheduling(state()); }));
  EXPECT_GE(state().progress->fraction, 0.0);
  ASSERT_TRUE(commands_->run("code.cancel"));
  EXPECT_EQ(state().experiment, before);
  EXPECT_NE(state().note.find("as it was"), std::string::npos) << state().note;
  ASSERT_TRUE(driver_->settle());
  EXPECT_EQ(state().experiment, before);
  EXPECT_EQ(state().compiled->binary, compiled->binary);
  EXPECT_FALSE(state().compares());
  EXPECT_FALSE(commands_->run("code.cancel"));
}

TEST_F(CodeEdit, WhatAnEditBreaksIsSaidBeforeItIsMade) {
  start(small_experiment("07_register_tile", 128));
  select_product();
  const uint32_t at = *edited_instruction(state());
  const auto effect = [&](const char* command) { return effect_of_edit(state(), command).value(); };
  EXPECT_EQ(effect("code.yield").kind, EditEffect::Kind::same);
  EXPECT_FALSE(effect_of_edit(state(), "code.schedule").has_value());
  // The sum's next product reads what this one writes: its stall count is needed.
  const auto& code = state().compiled->instructions;
  uint32_t next = at;
  const auto broken = [&](uint32_t place, const char* command) {
    driver_->workspace().to_instruction(place);
    driver_->frame();
    return effect(command).kind == EditEffect::Kind::breaks;
  };
  while (next + 1 < code.size() && !broken(next, "code.move_down")) ++next;
  ASSERT_LT(next + 1, code.size());
  const std::string said = effect("code.move_down").sentence;
  run("code.move_down");
  EXPECT_EQ(said, experiment::first_mistake(*state().compiled));
}

// A product issues after a stall of 1; a compiler writes none of 0.
TEST_F(CodeEdit, NoStallCountGoesBelowOneByHand) {
  start(small_experiment("07_register_tile", 128));
  select_product();
  while (state().compiled->instructions[*edited_instruction(state())].control.stall_cycles > 1) {
    driver_->workspace().to_instruction(*edited_instruction(state()) + 1);
    driver_->frame();
  }
  EXPECT_FALSE(commands_->run("code.stall_less"));
  const EditEffect effect = effect_of_edit(state(), "code.stall_less").value();
  EXPECT_EQ(effect.kind, EditEffect::Kind::impossible);
  EXPECT_EQ(effect.sentence, "A stall count is 1 to 15 cycles.");
  EXPECT_FALSE(changes().any());
}

TEST_F(CodeEdit, TheMenuIsOnUntilItIsClosed) {
  start(small_experiment("07_register_tile", 128));
  const Command* const menu = commands_->find("code.menu");
  ASSERT_NE(menu, nullptr);
  EXPECT_FALSE(menu->checked());
  run("code.menu");
  EXPECT_TRUE(menu->checked());
  EXPECT_EQ(state().code.selected, edited_instruction(state()));
  run("code.menu");
  EXPECT_FALSE(menu->checked());
}

// The cubin says neither its parameters' names nor its grid: the form does.
TEST_F(CodeEdit, AUsersCubinIsOpenedByItsFormScheduledAndSaved) {
  start(small_experiment("07_register_tile", 128));
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / fmt::format("own_{}.cubin", getpid());
  const std::vector<std::byte> binary = state().compiled->binary;
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(binary.data()), static_cast<std::streamsize>(binary.size()));
  driver_->workspace().open_file(path);
  ASSERT_TRUE(state().form.has_value());
  own_kernel::LaunchForm form = *state().form;
  EXPECT_EQ(form.parameters.size(), 8u);
  EXPECT_EQ(form.parameters[0].field.text, "A");
  form.block.text = "256";
  form.grid.text = "ceil_div(N, 128), ceil_div(M, 128)";
  driver_->workspace().begin_frame(0);
  driver_->requests().form = FormRequest{FormRequest::Action::use, form};
  driver_->workspace().end_frame();
  ASSERT_TRUE(driver_->settle());
  std::filesystem::remove(path);
  ASSERT_FALSE(state().failure) << state().failure->failure.message;
  EXPECT_EQ(state().compiled->binary, binary);
  EXPECT_EQ(state().experiment.kernel, path.stem().string());
  ASSERT_NE(state().grid, nullptr);
  EXPECT_TRUE(state().grid->verification.right());
  run("code.schedule");
  EXPECT_TRUE(changes().scheduled);
  ASSERT_NE(state().code_edit.bits, nullptr);
  EXPECT_EQ(state().code_edit.bits->different, 0u);
  // The file is gone, and the link brings all of it back.
  const auto back = parse_scene_link(scene_link(scene_of(state())));
  ASSERT_TRUE(back) << back.error().message;
  const std::vector<std::byte> scheduled = state().compiled->binary;
  WorkspaceDriver other(small_experiment("08_transposed_tile", 64));
  ASSERT_TRUE(other.settle());
  ASSERT_TRUE(other.workspace().open_scene(*back));
  ASSERT_TRUE(other.settle());
  EXPECT_EQ(other.state().compiled->binary, scheduled);
  // No other architecture executes it.
  experiment::Experiment wrong = state().experiment;
  wrong.arch = isa::Arch::sm_75;
  driver_->workspace().set_experiment(wrong);
  ASSERT_TRUE(driver_->settle());
  ASSERT_TRUE(state().failure.has_value());
}

// A source has no form to fill in where it launches its kernel itself.
TEST_F(CodeEdit, AUsersSourceIsScheduled) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << "no NVRTC";
  start(small_experiment("07_register_tile", 128));
  driver_->workspace().open_file(GEMMSCOPE_SOURCE_DIR "/tests/data/kernels/register_tiles.cu");
  ASSERT_TRUE(driver_->settle());
  ASSERT_FALSE(state().failure) << state().failure->failure.message;
  ASSERT_EQ(state().experiment.kernel, "register_tiles");
  const std::vector<std::byte> original = state().compiled->binary;
  run("code.schedule");
  EXPECT_TRUE(changes().scheduled);
  ASSERT_NE(state().compiled->changed, nullptr);
  EXPECT_EQ(state().compiled->changed->refused, "");
  EXPECT_NE(state().compiled->binary, original);
  ASSERT_NE(state().code_edit.bits, nullptr);
  EXPECT_GT(state().code_edit.bits->elements, 0u);
  EXPECT_EQ(state().code_edit.bits->different, 0u);
  ASSERT_NE(state().grid, nullptr);
  EXPECT_TRUE(state().grid->verification.right());
}

TEST_F(CodeEdit, ANewToggleLeavesOutEditsOfOtherCode) {
  start(small_experiment("07_register_tile", 128));
  select_product();
  run("code.yield");
  experiment::Experiment next = state().experiment;
  next.arch = isa::Arch::sm_90;
  driver_->workspace().set_experiment(next);
  ASSERT_TRUE(driver_->settle());
  EXPECT_FALSE(changes().any());
  EXPECT_EQ(state().experiment.arch, isa::Arch::sm_90);
  EXPECT_NE(state().note.find("other machine code"), std::string::npos) << state().note;
}

}  // namespace
}  // namespace gemmscope::session
