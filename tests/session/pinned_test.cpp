// A pinned experiment stays as it is, follows the live cursor and changes places with the live one at once.
#include "session/pinned.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "compile/compiler.h"
#include "scenes/access_role.h"
#include "session/app_commands.h"
#include "session/compared.h"
#include "session/device_choice.h"
#include "session/number_state.h"
#include "session/scene_file.h"
#include "workspace_driver.h"

namespace gemmscope::session {
namespace {

namespace fs = std::filesystem;

class Pinned : public testing::Test {
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
    driver_->frame();
  }
  void change(const std::function<void(experiment::Experiment&)>& what) {
    experiment::Experiment next = state().experiment;
    what(next);
    driver_->workspace().set_experiment(next);
    ASSERT_TRUE(driver_->settle());
  }
  ViewState& state() { return driver_->state(); }
  ViewState& side() { return *state().pinned.side; }

  AppFlags flags_;
  std::unique_ptr<WorkspaceDriver> driver_;
  std::unique_ptr<CommandTable> commands_;
};

// The same kernel on two GPUs: other times, and each side says whose.
TEST_F(Pinned, TwoDevicesStandSideBySide) {
  start(small_experiment("08_transposed_tile", 128));
  const experiment::Experiment on_usual = state().experiment;
  ASSERT_NE(device_shown(state()), nullptr);
  EXPECT_EQ(device_shown(state())->id, "rtx3080");
  run("compare.pin");
  const auto choose = [&](const char* id) {
    driver_->workspace().choose_device(id);
    ASSERT_TRUE(driver_->until([&] { return !driver_->workspace().waiting() && !state().progress; }));
    driver_->frame();
  };
  choose("rtxa4000");
  ASSERT_NE(state().modelled_time, nullptr);
  EXPECT_EQ(state().experiment, on_usual) << "the machine code is the same";
  EXPECT_EQ(state().modelled_time->device, "NVIDIA RTX A4000");
  EXPECT_EQ(side().modelled_time->device, "NVIDIA GeForce RTX 3080 10GB");
  EXPECT_NE(state().modelled_time->milliseconds, side().modelled_time->milliseconds);
  const scenes::Comparison both = compare_pinned(state());
  EXPECT_NE(both.a.find("RTX 3080"), std::string::npos) << both.a;
  EXPECT_NE(both.b.find("RTX A4000"), std::string::npos) << both.b;
  const SavedScene saved = scene_of(state());
  run("compare.swap");
  EXPECT_EQ(device_shown(state())->id, "rtx3080");
  EXPECT_EQ(device_shown(side())->id, "rtxa4000");
  EXPECT_EQ(state().modelled_time->device, "NVIDIA GeForce RTX 3080 10GB");

  // Another device brings its architecture; an architecture brings its usual device.
  choose("h100");
  EXPECT_EQ(state().experiment.arch, isa::Arch::sm_90);
  EXPECT_EQ(state().modelled_time->device, "NVIDIA H100 SXM");
  change([](experiment::Experiment& e) { e.arch = isa::Arch::sm_86; });
  EXPECT_EQ(state().modelled_time->device, "NVIDIA GeForce RTX 3080 10GB");

  // A scene keeps both.
  const auto read = parse_scene(scene_text(saved), "a scene");
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_TRUE(driver_->workspace().open_scene(*read));
  ASSERT_TRUE(driver_->settle());
  ASSERT_TRUE(state().compares());
  EXPECT_EQ(state().modelled_time->device, "NVIDIA RTX A4000");
  EXPECT_EQ(side().modelled_time->device, "NVIDIA GeForce RTX 3080 10GB");
}

TEST_F(Pinned, EveryDeviceIsReachedByKeys) {
  start(small_experiment("bank_conflicts"));
  std::set<std::string> seen;
  for (size_t i = 0; i < runnable_devices().size(); ++i) {
    seen.insert(device_shown(state())->id);
    run("experiment.next_device");
  }
  EXPECT_EQ(seen.size(), runnable_devices().size());
  run("experiment.previous_device");
  EXPECT_TRUE(seen.contains(device_shown(state())->id));
}

TEST_F(Pinned, IsPinnedAndUnpinnedByOneKey) {
  start(small_experiment("08_transposed_tile", 128));
  EXPECT_FALSE(state().compares());
  EXPECT_FALSE(commands_->run("compare.swap")) << "nothing is pinned";
  run("compare.pin");
  ASSERT_TRUE(state().compares());
  EXPECT_EQ(side().block, state().block);
  EXPECT_EQ(side().model, state().model);
  EXPECT_EQ(side().cursor, state().cursor);
  run("compare.pin");
  EXPECT_FALSE(state().compares());
}

TEST_F(Pinned, SurvivesOtherKernelsSizesAndArchitectures) {
  start(small_experiment("08_transposed_tile", 128));
  run("compare.pin");
  const auto block = side().block;
  const auto grid = side().grid;
  const auto model = side().model;
  ASSERT_TRUE(grid != nullptr && model != nullptr);
  driver_->workspace().set_experiment(experiment::with_kernel(state().experiment, "09_conflict_free"));
  ASSERT_TRUE(driver_->settle());
  change([](auto& e) { e.problem.k = 256; });
  change([](auto& e) { e.arch = isa::Arch::sm_90; });
  ASSERT_EQ(state().block->experiment.arch, isa::Arch::sm_90);
  EXPECT_EQ(side().block, block);
  EXPECT_EQ(side().grid, grid);
  EXPECT_EQ(side().model, model);
  EXPECT_EQ(side().experiment, small_experiment("08_transposed_tile", 128));
}

TEST_F(Pinned, FollowsTheAccess) {
  start(small_experiment("08_transposed_tile", 128));
  run("compare.pin");
  driver_->workspace().set_experiment(experiment::with_kernel(state().experiment, "09_conflict_free"));
  ASSERT_TRUE(driver_->settle());
  for (const char* move :
       {"time.next_shared", "time.next_k_tile", "time.next_shared", "time.next_uncoalesced"}) {
    if (!commands_->run(move)) continue;
    driver_->frame();
    const machine::TraceRecord &live = state().record(), &kept = side().record();
    EXPECT_EQ(scenes::role_of(*side().block, kept.instruction),
              scenes::role_of(*state().block, live.instruction))
        << move;
    EXPECT_EQ(kept.k_tile, live.k_tile) << move;
    EXPECT_EQ(side().playhead->record(), side().cursor.record);
  }
}

TEST_F(Pinned, IsMovedToWhatIsClickedInIt) {
  start(small_experiment("08_transposed_tile", 128));
  run("compare.pin");
  driver_->workspace().set_experiment(experiment::with_kernel(state().experiment, "09_conflict_free"));
  ASSERT_TRUE(driver_->settle());
  const std::vector<uint32_t>& records = side().block->warp_records[0];
  const auto store = std::ranges::find_if(records, [&](uint32_t record) {
    const machine::TraceRecord& r = side().block->trace.records[record];
    return r.k_tile == 3 &&
           scenes::role_of(*side().block, r.instruction).family == scenes::OpcodeFamily::shared_store;
  });
  ASSERT_NE(store, records.end());
  driver_->workspace().begin_frame(0);
  driver_->requests().pinned_cursor = scenes::Cursor{*store, scenes::kAllWavefronts};
  driver_->workspace().end_frame();
  driver_->frame();
  EXPECT_EQ(state().record().k_tile, 3u);
  EXPECT_EQ(scenes::role_of(*state().block, state().record().instruction).family,
            scenes::OpcodeFamily::shared_store);
  EXPECT_EQ(side().record().k_tile, 3u);
}

TEST_F(Pinned, ShowsTheOtherSideOfTheCode) {
  start(small_experiment("08_transposed_tile", 128));
  run("compare.pin");
  EXPECT_FALSE(source_differs(state()));
  run("compare.code_side");
  EXPECT_EQ(state().pinned.choice.side, DiffSide::source)
      << "the machine code was shown, since the source is the same";
  run("compare.code_side");
  EXPECT_EQ(state().pinned.choice.side, DiffSide::sass);
}

TEST_F(Pinned, FollowsTheCycle) {
  start(small_experiment("08_transposed_tile", 128));
  run("compare.pin");
  driver_->workspace().set_experiment(experiment::with_kernel(state().experiment, "09_conflict_free"));
  ASSERT_TRUE(driver_->until([&] { return why_no_cycles(state()).empty(); })) << why_no_cycles(state());
  run("compare.by_cycle");
  driver_->workspace().seek_cycle(5'000);
  driver_->frame();
  EXPECT_EQ(pairing_of(state()), scenes::Pairing::cycle);
  EXPECT_EQ(side().pipeline.cycle, pinned_cycle(state()));
  const auto step = side().places->step_at(0, state().playback.warp, side().pipeline.cycle);
  ASSERT_TRUE(step);
  EXPECT_EQ(side().cursor.record, side().places->record_of(*step));
  side().places = nullptr;
  EXPECT_EQ(pairing_of(state()), scenes::Pairing::access) << "without a timeline";
  EXPECT_NE(why_no_cycles(state()), "");
}

TEST_F(Pinned, ChangesPlacesAtOnce) {
  start(small_experiment("08_transposed_tile", 128));
  run("compare.pin");
  const auto a = state().block;
  driver_->workspace().set_experiment(experiment::with_kernel(state().experiment, "09_conflict_free"));
  ASSERT_TRUE(driver_->settle());
  const auto b = state().block;
  const auto grid_b = state().grid;
  const auto time_b = state().modelled_time;
  ASSERT_TRUE(commands_->run("compare.swap"));
  EXPECT_EQ(state().block, a) << "no new run";
  EXPECT_EQ(state().compiled, a->compiled);
  EXPECT_EQ(state().experiment.kernel, "08_transposed_tile");
  EXPECT_NE(state().model, nullptr);
  EXPECT_NE(state().modelled_time, nullptr);
  EXPECT_EQ(side().block, b);
  EXPECT_EQ(side().grid, grid_b);
  EXPECT_EQ(side().modelled_time, time_b);
  EXPECT_NE(side().block_version, state().block_version);
  ASSERT_TRUE(driver_->settle());
  EXPECT_EQ(state().block, a);
  run("compare.swap");
  EXPECT_EQ(state().block, b);
  EXPECT_EQ(side().block, a);
  run("experiment.undo");
  ASSERT_TRUE(driver_->settle());
  EXPECT_EQ(state().experiment.kernel, "08_transposed_tile");
}

// The live experiment's results that are still on their way go to its side, and to no other.
TEST_F(Pinned, ResultsOnTheirWayGoToTheirSide) {
  start(small_experiment("08_transposed_tile", 128));
  run("compare.pin");
  driver_->workspace().set_experiment(experiment::with_kernel(state().experiment, "09_conflict_free"));
  ASSERT_TRUE(driver_->until([&] { return state().block->compiled->kernel.id == "09_conflict_free"; }));
  ASSERT_TRUE(commands_->run("compare.swap"));
  ASSERT_TRUE(driver_->settle());
  ASSERT_TRUE(driver_->settle());
  EXPECT_EQ(state().compiled->kernel.id, "08_transposed_tile");
  EXPECT_EQ(state().block->compiled, state().compiled);
  EXPECT_EQ(state().grid->compiled, state().compiled);
  EXPECT_EQ(state().model->compiled, state().compiled);
  EXPECT_EQ(side().compiled->kernel.id, "09_conflict_free");
  ASSERT_NE(side().grid, nullptr);
  EXPECT_EQ(side().grid->compiled, side().compiled);
  ASSERT_NE(side().model, nullptr);
  EXPECT_EQ(side().model->compiled, side().compiled);
  EXPECT_NE(side().modelled_time, nullptr);
}

// Pinned before the grid was counted, and changed at once: the worker completes it afterwards.
TEST_F(Pinned, IsCompletedWhenTheWorkerIsIdle) {
  driver_ = std::make_unique<WorkspaceDriver>(small_experiment("08_transposed_tile", 128));
  commands_ = std::make_unique<CommandTable>(make_commands(driver_->workspace(), flags_));
  ASSERT_TRUE(driver_->until([&] { return state().has_trace(); }));
  driver_->workspace().pin();
  driver_->workspace().set_experiment(experiment::with_kernel(state().experiment, "09_conflict_free"));
  ASSERT_TRUE(driver_->until(
      [&] { return side().grid != nullptr && side().model != nullptr && side().modelled_time != nullptr; }));
  ASSERT_TRUE(driver_->settle());
  EXPECT_EQ(side().grid->compiled, side().compiled);
  EXPECT_EQ(side().compiled->kernel.id, "08_transposed_tile");
  EXPECT_EQ(state().compiled->kernel.id, "09_conflict_free");
  EXPECT_EQ(state().grid->compiled, state().compiled);
  EXPECT_EQ(state().model->compiled, state().compiled);
}

TEST_F(Pinned, NumbersAreComparedWithIt) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << "no NVRTC";
  start(small_experiment("bank_conflicts", 256));
  run("compare.pin");
  change([](auto& e) { e.toggles["PITCH"] = 33; });
  change([](auto& e) { e.toggles["PITCH"] = 34; });
  const scenes::KeyNumbers* before = numbers_before(state());
  ASSERT_NE(before, nullptr);
  EXPECT_EQ(before->grid->wavefronts, 67'584u) << "not the change before";
  const scenes::Comparison comparison = compare_pinned(state());
  EXPECT_EQ(comparison.a, "Floats in a row of the tile: 32");
  EXPECT_EQ(comparison.b, "Floats in a row of the tile: 34");
  const auto row = std::ranges::find(comparison.rows, "shared_wavefronts", &scenes::CompareRow::id);
  EXPECT_EQ(row->a, "67,584");
  EXPECT_EQ(row->factor, "\u00f711");
}

TEST_F(Pinned, TheUiThreadDoesNotWait) {
  start(small_experiment("08_transposed_tile", 256));
  run("compare.pin");
  driver_->workspace().set_experiment(experiment::with_kernel(state().experiment, "09_conflict_free"));
  ASSERT_TRUE(driver_->settle());
  driver_->clear_cost();
  driver_->timed([&] { driver_->workspace().swap_pinned(); });
  for (int i = 0; i < 50; ++i) {
    driver_->workspace().step(1);
    driver_->frame();
  }
  EXPECT_LT(driver_->cost().longest_cpu_ms, 50);
}

// A file of its own, in a temporary folder, that an editor saves.
class PinnedFile : public Pinned {
 protected:
  void SetUp() override {
    folder_ = (fs::temp_directory_path() / "gemmscope-data-XXXXXX").string();
    ASSERT_NE(mkdtemp(folder_.data()), nullptr);
    const fs::path sources = GEMMSCOPE_SOURCE_DIR;
    fs::create_directories(fs::path(folder_) / "kernels/ladder");
    fs::copy(sources / "kernels/include", fs::path(folder_) / "kernels/include", fs::copy_options::recursive);
    path_ = fs::path(folder_) / "kernels/ladder/01_naive_rows.cu";
    fs::copy_file(sources / "kernels/ladder/01_naive_rows.cu", path_);
    fs::create_directory_symlink(sources / "assets", fs::path(folder_) / "assets");
    ASSERT_EQ(::setenv("GEMMSCOPE_DATA", folder_.c_str(), 1), 0);
  }
  void TearDown() override {
    driver_.reset();
    ::unsetenv("GEMMSCOPE_DATA");
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  void append(const std::string& line) {
    std::ofstream(path_, std::ios::binary | std::ios::app) << line;
    fs::last_write_time(path_, fs::last_write_time(path_) + std::chrono::seconds(2));
    driver_->frame(1);
    ASSERT_TRUE(driver_->settle());
  }
  std::string folder_;
  fs::path path_;
};

TEST_F(PinnedFile, SurvivesAnEditAndASwap) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << "no NVRTC: the prebuilt pack knows no changed kernel";
  start(small_experiment("01_naive_rows", 32));
  run("compare.pin");
  append("\n// saved in an editor\n");
  ASSERT_FALSE(state().failure);
  const std::string now = state().compiled->kernel.source, then = side().compiled->kernel.source;
  EXPECT_NE(now, then);
  const auto names = scenes::compared_names(*side().block, *state().block);
  EXPECT_NE(names.first, names.second);
  ASSERT_TRUE(commands_->run("compare.swap"));
  EXPECT_EQ(state().compiled->kernel.source, then);
  EXPECT_NE(state().note, "") << "says that it is the older text";
  ASSERT_TRUE(driver_->settle());
  EXPECT_EQ(state().compiled->kernel.source, then);
  EXPECT_EQ(side().compiled->kernel.source, now);
}

}  // namespace
}  // namespace gemmscope::session
