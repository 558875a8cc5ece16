// Whatever changes, the cursor shows the same access: the bank lab's load, the stores of the ladder's tiles.
#include <gtest/gtest.h>

#include "compile/compiler.h"
#include "metrics/banks.h"
#include "scenes/access_role.h"
#include "scenes/first_record.h"
#include "scenes/source_lines.h"
#include "workspace_driver.h"

namespace gemmscope::session {
namespace {

using experiment::Experiment;
using scenes::kAllWavefronts;
using scenes::OpcodeFamily;

class AccessStays : public testing::Test {
 protected:
  void start(const Experiment& first) {
    driver_ = std::make_unique<WorkspaceDriver>(first);
    settle();
  }
  void settle() {
    ASSERT_TRUE(driver_->settle());
    ASSERT_FALSE(state().failure) << state().failure->failure.message;
    ASSERT_TRUE(state().has_trace());
  }
  void change(const std::function<void(Experiment&)>& what) {
    Experiment next = state().experiment;
    what(next);
    workspace().set_experiment(next);
    settle();
  }
  void set(const std::string& toggle, int64_t value) {
    change([&](Experiment& e) {
      e.toggles.erase(toggle);
      if (kernel().toggles[0].name != toggle || value != kernel().toggles[0].default_value)
        e.toggles[toggle] = value;
    });
  }
  Workspace& workspace() { return driver_->workspace(); }
  ViewState& state() { return driver_->state(); }
  const catalog::Kernel& kernel() { return *workspace().catalog().find(state().experiment.kernel); }
  isa::Opcode opcode() { return state().block->compiled->instructions[state().record().instruction].opcode; }
  int line() { return scenes::own_line(*state().block->compiled, state().record().instruction); }
  int wavefronts() { return scenes::wavefront_count(*state().block, state().cursor.record); }
  scenes::AccessRole role() { return scenes::role_of(*state().block, state().record().instruction); }
  // Moves to the n-th record of the followed warp that has the role.
  void go_to(scenes::AccessRole wanted, int n = 0) {
    for (const uint32_t record : state().block->warp_records[0])
      if (scenes::role_of(*state().block, state().block->trace.records[record].instruction) == wanted &&
          n-- == 0)
        return workspace().seek({record, kAllWavefronts});
    FAIL() << "no such access";
  }

  std::unique_ptr<WorkspaceDriver> driver_;
};

TEST_F(AccessStays, OnTheLoadOfTheBankLab) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << "no NVRTC: the pack has no typed input";
  start(small_experiment("bank_conflicts"));
  ASSERT_EQ(opcode(), isa::Opcode::lds) << "the lab opens at its worst conflict";
  EXPECT_EQ(wavefronts(), 32);
  const int line_of_load = line();
  const auto expect = [&](int count, const char* what) {
    EXPECT_EQ(opcode(), isa::Opcode::lds) << what;
    EXPECT_EQ(line(), line_of_load) << what;
    EXPECT_EQ(wavefronts(), count) << what;
    EXPECT_EQ(state().cursor.wavefront, kAllWavefronts) << what;
    EXPECT_EQ(state().note, "") << what;
  };
  const std::pair<int64_t, int> rows[] = {{33, 1}, {34, 2}, {36, 4}};
  for (const auto& [floats, count] : rows) {
    change([&](Experiment& e) { e.toggles["PITCH"] = floats; });
    expect(count, std::to_string(floats).c_str());
  }
  change([&](Experiment& e) { e.toggles.clear(); });
  expect(32, "32 again");
  change([&](Experiment& e) { e.inputs["SWIZZLE"] = "column ^ row"; });
  expect(1, "column ^ row");
  workspace().undo();
  settle();
  expect(32, "undone");
}

TEST_F(AccessStays, OnTheWavefrontAsFarAsThereIsOne) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << "no NVRTC";
  start(small_experiment("bank_conflicts"));
  workspace().step_wavefront(1 + 20);
  ASSERT_EQ(state().cursor.wavefront, 20);
  set("PITCH", 36);
  EXPECT_EQ(state().cursor.wavefront, 3) << "the last of four";
  change([](Experiment& e) { e.toggles.clear(); });
  EXPECT_EQ(state().cursor.wavefront, 20) << "nobody moved the cursor, so its wavefront comes back";
}

TEST_F(AccessStays, OnTheStoreToTheTileInEachLayout) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << "no NVRTC: the pack has one layout";
  Experiment e = small_experiment("09_conflict_free", 256);
  e.toggles = {{"LAYOUT", 0}};
  start(e);
  for (const int n : {0, 11}) {
    go_to({OpcodeFamily::shared_store, metrics::kMatrixA}, n);
    const int line_of_store = line();
    const uint16_t pass = state().record().k_tile;
    for (const auto& [layout, count] : {std::pair{0, 4}, {1, 2}, {2, 1}, {0, 4}}) {
      change([&, layout = layout](Experiment& next) {
        next.toggles.clear();
        if (layout != 2) next.toggles["LAYOUT"] = layout;
      });
      EXPECT_EQ(opcode(), isa::Opcode::sts) << layout;
      EXPECT_EQ(line(), line_of_store) << layout;
      EXPECT_EQ(wavefronts(), count) << layout;
      EXPECT_EQ(state().record().k_tile, pass) << layout;
      EXPECT_EQ(role(), (scenes::AccessRole{OpcodeFamily::shared_store, metrics::kMatrixA}));
    }
  }
}

TEST_F(AccessStays, WhenSizeBlockAndArchitectureChange) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << "no NVRTC: the pack has few architectures";
  start(small_experiment("08_transposed_tile", 256));
  go_to({OpcodeFamily::shared_store, metrics::kMatrixB}, 5);
  const int line_of_store = line();
  const auto nth = [&] {
    int n = 0;
    for (const uint32_t record : state().block->warp_records[0]) {
      if (record == state().cursor.record) break;
      n += static_cast<int>(
          scenes::role_of(*state().block, state().block->trace.records[record].instruction) == role());
    }
    return n;
  };
  ASSERT_EQ(nth(), 5);
  const std::function<void(Experiment&)> changes[] = {[](Experiment& e) { e.problem.k = 512; },
                                                      [](Experiment& e) {
                                                        e.block = {1, 1, 0};
                                                      },
                                                      [](Experiment& e) { e.problem.alpha = 2; },
                                                      [](Experiment& e) { e.arch = isa::Arch::sm_90; }};
  for (const auto& one : changes) {
    change(one);
    EXPECT_EQ(line(), line_of_store);
    EXPECT_EQ(role(), (scenes::AccessRole{OpcodeFamily::shared_store, metrics::kMatrixB}));
    EXPECT_EQ(nth(), 5);
    EXPECT_EQ(state().record().warp, 0);
  }
}

TEST_F(AccessStays, InItsRoleFromStepToStep) {
  start(small_experiment("07_register_tile", 256));
  const scenes::AccessRole store_of_a{OpcodeFamily::shared_store, metrics::kMatrixA};
  go_to(store_of_a, 2);
  const uint16_t pass = state().record().k_tile;
  for (const int by : {1, 1, 1, -1, -1, -1}) {  // to 10 and back; 06 and 05 have no tile
    workspace().choose_kernel(by);
    settle();
    EXPECT_EQ(role(), store_of_a) << kernel().id;
    EXPECT_EQ(state().record().k_tile, pass) << kernel().id;
    EXPECT_EQ(state().note, "") << kernel().id;
  }
  go_to({OpcodeFamily::global_load, metrics::kMatrixB});
  for (int i = 0; i < 8; ++i) {
    workspace().choose_kernel(-1);
    settle();
    EXPECT_EQ(role(), (scenes::AccessRole{OpcodeFamily::global_load, metrics::kMatrixB})) << kernel().id;
  }
  EXPECT_EQ(kernel().id, "01_naive_rows");
}

TEST_F(AccessStays, AnAsynchronousCopyStandsForLoadAndStore) {
  start(small_experiment("12_warp_tiling", 256));
  go_to({OpcodeFamily::shared_store, metrics::kMatrixB});
  workspace().choose_kernel(1);
  settle();
  EXPECT_EQ(role(), (scenes::AccessRole{OpcodeFamily::async_copy, metrics::kMatrixB})) << kernel().id;
  workspace().choose_kernel(-1);
  settle();
  EXPECT_EQ(role(), (scenes::AccessRole{OpcodeFamily::shared_store, metrics::kMatrixB}));
}

TEST_F(AccessStays, AndALineSaysThatItIsGone) {
  start(small_experiment("03_shared_tile", 64));
  go_to({OpcodeFamily::shared_load, metrics::kMatrixA}, 3);
  const double steps = static_cast<double>(scenes::step_count(*state().block, 0));
  const double fraction =
      static_cast<double>(scenes::position_of(*state().block, 0, state().cursor.record)) / steps;
  workspace().choose_kernel(-1);  // this one has no shared memory
  settle();
  EXPECT_EQ(state().note, "The load of A's tile is gone; the cursor is at the same fraction.");
  EXPECT_NEAR(static_cast<double>(scenes::position_of(*state().block, 0, state().cursor.record)) /
                  static_cast<double>(scenes::step_count(*state().block, 0)),
              fraction, 0.01);
  workspace().choose_kernel(1);
  settle();
  EXPECT_EQ(role(), (scenes::AccessRole{OpcodeFamily::shared_load, metrics::kMatrixA})) << "it comes back";
  EXPECT_EQ(state().note, "");
  workspace().choose_kernel(-1);
  settle();
  EXPECT_NE(state().note, "");
  workspace().step(1);
  EXPECT_EQ(state().note, "") << "the line belongs to the place that the cursor has left";
}

TEST_F(AccessStays, AnUntouchedPictureOpensAnew) {
  start(small_experiment("07_register_tile", 64));
  change([](Experiment& e) { e = experiment::with_kernel(e, "bank_conflicts"); });
  EXPECT_EQ(opcode(), isa::Opcode::lds) << "the lab opens at its worst conflict";
  EXPECT_EQ(state().note, "");
}

// A fraction of a step of the ladder says nothing of a lab: it opens at what it is about, and a line says so.
TEST_F(AccessStays, ALabWithoutTheAccessOpensAtItsOwn) {
  start(small_experiment("03_shared_tile", 64));
  go_to({OpcodeFamily::shared_load, metrics::kMatrixA}, 3);
  change([](Experiment& e) { e = experiment::with_kernel(e, "atomics"); });
  EXPECT_EQ(state().note, "The load of A's tile is gone; this lab opens at its own access.");
  EXPECT_EQ(state().cursor.record, scenes::first_record_to_show(*state().block, state().playback.warp));
  change([](Experiment& e) { e = experiment::with_kernel(e, "03_shared_tile"); });
  EXPECT_EQ(state().note, "") << "it comes back";
  EXPECT_EQ(role(), (scenes::AccessRole{OpcodeFamily::shared_load, metrics::kMatrixA}));
}

// The lab's load is of no matrix, so the load of any tile is the same; without one, a step of the ladder
// opens at its own place, however many there were in between.
TEST_F(AccessStays, AStepAfterALabShowsTheSameKindOfAccess) {
  start(small_experiment("bank_conflicts", 64));
  const auto opens_at_its_own = [&] {
    EXPECT_EQ(state().note, "The load from shared memory is gone; this kernel opens at its own access.");
    EXPECT_EQ(state().cursor.record, scenes::first_record_to_show(*state().block, state().playback.warp));
  };
  go_to({OpcodeFamily::shared_load, metrics::kNoMatrix}, 1);
  change([](Experiment& e) { e = experiment::with_kernel(e, "02_naive_coalesced"); });
  opens_at_its_own();
  change([](Experiment& e) { e.problem.m = 128; });
  opens_at_its_own();
  workspace().choose_kernel(-1);
  settle();
  opens_at_its_own();
  change([](Experiment& e) { e = experiment::with_kernel(e, "03_shared_tile"); });
  EXPECT_EQ(role().family, OpcodeFamily::shared_load);
  EXPECT_EQ(state().note, "");
}

// ---- jumps

TEST_F(AccessStays, JumpsPause) {
  start(small_experiment("08_transposed_tile", 64));
  const std::function<void()> jumps[] = {
      [&] { workspace().to_event(scenes::Event::bank_conflict, true); },
      [&] { workspace().to_event(scenes::Event::barrier, false); },
      [&] { workspace().to_instruction(0); },
      [&] { workspace().step(1); },
      [&] { workspace().to_start(); },
      [&] {
        driver_->requests().cursor = scenes::Cursor{5, kAllWavefronts}, workspace().end_frame();
      },
  };
  for (const auto& jump : jumps) {
    workspace().to_start();
    workspace().play_or_pause();
    ASSERT_TRUE(workspace().animating());
    jump();
    EXPECT_FALSE(workspace().animating());
  }
}

TEST_F(AccessStays, AJumpThatFindsNothingSaysSo) {
  start(small_experiment("07_register_tile", 64));
  workspace().to_event(scenes::Event::bank_conflict, true);
  EXPECT_EQ(state().note, "This block has no bank conflict.");
  workspace().to_end();
  EXPECT_EQ(state().note, "");
  workspace().to_event(scenes::Event::barrier, true);
  EXPECT_EQ(state().note, "No further barrier after this step of warp 0.");
  workspace().to_start();
  workspace().to_event(scenes::Event::shared_access, false);
  EXPECT_EQ(state().note, "No shared-memory access before this step of warp 0.");
  workspace().follow(scenes::kAllWarps);
  workspace().to_event(scenes::Event::uncoalesced, false);
  EXPECT_EQ(state().note, "No uncoalesced access before this step.");
}

// A step that needs a later architecture gets it, and a line says so.
TEST_F(AccessStays, AKernelBringsTheArchitectureThatItNeeds) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << compile::nvrtc_version().error().message;
  start({.kernel = "16_serpentine", .problem = {256, 128, 64}});
  ASSERT_EQ(state().experiment.arch, isa::Arch::sm_86);
  change([](Experiment& e) { e = experiment::with_kernel(e, "18_tensor_copy_tf32"); });
  EXPECT_EQ(state().experiment.arch, isa::Arch::sm_90);
  EXPECT_EQ(state().note, "18_tensor_copy_tf32 needs sm_90: it was chosen in place of sm_86.");
  workspace().undo();
  settle();
  EXPECT_EQ(state().experiment.kernel, "16_serpentine");
  EXPECT_EQ(state().experiment.arch, isa::Arch::sm_86);
}

}  // namespace
}  // namespace gemmscope::session
