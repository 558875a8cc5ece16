// Each of the program's commands has its own id and key and may be run at any time.
#include "session/app_commands.h"

#include <set>
#include <sstream>

#include "drawing/palette.h"
#include "session/zoom.h"
#include "workspace_driver.h"

namespace gemmscope::session {
namespace {

TEST(AppCommands, IdsAndKeysAreUnique) {
  WorkspaceDriver driver(small_experiment());
  AppFlags flags;
  const CommandTable commands = make_commands(driver.workspace(), flags);
  std::set<std::string> ids, titles;
  std::set<KeyChord> keys, presenting_keys;
  for (const Command& command : commands.all()) {
    EXPECT_TRUE(ids.insert(command.id).second) << command.id;
    EXPECT_TRUE(titles.insert(command.title).second) << command.title;
    EXPECT_EQ(command.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_."), std::string::npos)
        << command.id;
    EXPECT_FALSE(command.category.empty()) << command.id;
    EXPECT_EQ(command.needs.empty(), !command.enabled) << command.id << " does not say what it needs";
    std::istringstream presenting(command.presenting_keys);
    for (std::string key; presenting >> key;) {
      const Result<KeyChord> chord = parse_chord(key);
      ASSERT_TRUE(chord) << command.id << ": " << chord.error().message;
      EXPECT_TRUE(presenting_keys.insert(*chord).second) << command.id << ": " << key << " is taken";
    }
    if (command.key.empty()) continue;
    const Result<KeyChord> chord = parse_chord(command.key);
    ASSERT_TRUE(chord) << command.id << ": " << chord.error().message;
    EXPECT_TRUE(keys.insert(*chord).second) << command.id << ": " << command.key << " is taken";
    EXPECT_EQ(commands.find(*chord), &command);
  }
  EXPECT_GT(ids.size(), 30u);
}

// The buttons below the picture run these commands.
TEST(AppCommands, TheTransportFindsItsCommands) {
  WorkspaceDriver driver(small_experiment());
  AppFlags flags;
  const CommandTable commands = make_commands(driver.workspace(), flags);
  for (const char* id : {"time.play", "time.step_forward", "time.step_back", "time.to_start", "time.to_end",
                         "time.next_conflict", "time.previous_conflict", "time.next_barrier"})
    EXPECT_NE(commands.find(id), nullptr) << id;
}

// Keys walk through the toggles and change the current one, only to legal values.
TEST(AppCommands, KeysChangeToggles) {
  experiment::Experiment e = small_experiment();
  e.kernel = "workbench";
  WorkspaceDriver driver(e);
  AppFlags flags;
  const CommandTable commands = make_commands(driver.workspace(), flags);
  const auto toggles = [&] { return driver.state().experiment.toggles; };
  EXPECT_FALSE(commands.is_enabled(*commands.find("toggles.reset")));
  ASSERT_TRUE(commands.run("toggles.next_value"));
  EXPECT_EQ(driver.state().toggle, "BLOCK_M") << "the first press shows which it is";
  EXPECT_TRUE(toggles().empty());
  ASSERT_TRUE(commands.run("toggles.next_value"));
  EXPECT_EQ(toggles(), (std::map<std::string, int64_t>{{"BLOCK_M", 256}}));
  ASSERT_TRUE(commands.run("toggles.previous"));
  ASSERT_TRUE(commands.run("toggles.next"));
  EXPECT_EQ(driver.state().toggle, "BLOCK_M");
  ASSERT_TRUE(commands.run("toggles.reset"));
  EXPECT_TRUE(toggles().empty());
  driver.state().toggle = "PAD";
  ASSERT_TRUE(commands.run("toggles.previous_value"));
  EXPECT_EQ(toggles().at("PAD"), 0) << "1 and 2 are not for loads of four floats";
}

TEST(AppCommands, EachKernelHasACommand) {
  WorkspaceDriver driver(small_experiment());
  AppFlags flags;
  const CommandTable commands = make_commands(driver.workspace(), flags);
  for (const catalog::Kernel& kernel : driver.workspace().catalog().kernels)
    EXPECT_NE(commands.find("kernel." + kernel.id), nullptr) << kernel.id;
  ASSERT_TRUE(commands.run("kernel.03_shared_tile"));
  EXPECT_EQ(driver.state().experiment.kernel, "03_shared_tile");
}

TEST(AppCommands, FieldsOfTheExperiment) {
  WorkspaceDriver driver(small_experiment("07_register_tile"));
  AppFlags flags;
  const CommandTable commands = make_commands(driver.workspace(), flags);
  ASSERT_TRUE(driver.settle());
  ASSERT_TRUE(commands.run("experiment.n"));
  EXPECT_EQ(flags.focus_field, "N");
  EXPECT_FALSE(commands.run("experiment.expression")) << "this kernel has none";
  const isa::Arch before = driver.state().experiment.arch;
  ASSERT_TRUE(commands.run("experiment.newer_arch"));
  EXPECT_GT(isa::sm_number(driver.state().experiment.arch), isa::sm_number(before));
  ASSERT_TRUE(commands.run("experiment.older_arch"));
  EXPECT_EQ(driver.state().experiment.arch, before);
  ASSERT_TRUE(driver.settle());
  EXPECT_FALSE(commands.run("experiment.block_left")) << "it is the first block";
  ASSERT_TRUE(commands.run("picture.show_sectors"));
  EXPECT_EQ(driver.state().picture, catalog::Picture::sectors);
}

TEST(AppCommands, OneCommandEnlargesAPanelAndBringsAllBack) {
  WorkspaceDriver driver(small_experiment());
  AppFlags flags;
  const CommandTable commands = make_commands(driver.workspace(), flags);
  ASSERT_TRUE(commands.run("view.enlarge_map"));
  EXPECT_EQ(flags.enlarged, Panel::map);
  ASSERT_TRUE(commands.run("view.enlarge_map"));
  EXPECT_EQ(flags.enlarged, Panel::none);
}

// Runs each enabled command, as a menu or a key would, with a frame after each. The order is the table's and
// then its reverse, so that each command follows different ones.
void run_all(WorkspaceDriver& driver, const CommandTable& commands) {
  std::vector<const Command*> order;
  for (const Command& command : commands.all()) order.push_back(&command);
  for (int round = 0; round < 2; ++round) {
    for (const Command* command : order) {
      const bool enabled = commands.is_enabled(*command);
      EXPECT_EQ(commands.run(command->id).has_value(), enabled) << command->id;
      driver.frame(1.0 / 60);
      if (!driver.state().has_trace()) continue;
      EXPECT_LT(driver.state().cursor.record, driver.state().block->trace.records.size()) << command->id;
      EXPECT_EQ(driver.state().playhead->record(), driver.state().cursor.record) << command->id;
    }
    std::reverse(order.begin(), order.end());
  }
  drawing::set_current_theme(drawing::Theme::dark);
}

TEST(AppCommands, RunBeforeTheFirstResult) {
  WorkspaceDriver driver(small_experiment());
  AppFlags flags;
  const CommandTable commands = make_commands(driver.workspace(), flags);
  run_all(driver, commands);
  EXPECT_TRUE(driver.settle());
}

TEST(AppCommands, RunWithResultsOfEachKernel) {
  for (const char* kernel : {"01_naive_rows", "07_register_tile", "11_prefetch"}) {
    WorkspaceDriver driver(small_experiment(kernel));
    AppFlags flags;
    const CommandTable commands = make_commands(driver.workspace(), flags);
    ASSERT_TRUE(driver.settle());
    run_all(driver, commands);
    ASSERT_TRUE(driver.settle());
    ASSERT_TRUE(commands.run("time.to_end"));
    run_all(driver, commands);
    EXPECT_TRUE(flags.quit);
    EXPECT_TRUE(driver.settle());
  }
}

TEST(AppCommands, RunAfterAFailure) {
  experiment::Experiment impossible = small_experiment();
  impossible.problem.k = 0;
  WorkspaceDriver driver(impossible);
  AppFlags flags;
  const CommandTable commands = make_commands(driver.workspace(), flags);
  ASSERT_TRUE(driver.settle());
  ASSERT_TRUE(driver.state().failure);
  run_all(driver, commands);
  EXPECT_TRUE(driver.settle());
}

TEST(AppCommands, ZoomStaysBetweenItsLimits) {
  WorkspaceDriver driver(small_experiment());
  AppFlags flags;
  const CommandTable commands = make_commands(driver.workspace(), flags);
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(commands.run("view.larger"));
  EXPECT_EQ(flags.zoom, kMaxZoom);
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(commands.run("view.smaller"));
  EXPECT_EQ(flags.zoom, kMinZoom);
  ASSERT_TRUE(commands.run("view.normal_size"));
  EXPECT_EQ(flags.zoom, 1);
}

}  // namespace
}  // namespace gemmscope::session
