// The palette's search: every kind is found, by its letters and by its other names.
#include "session/found_things.h"

#include <algorithm>
#include <random>
#include <set>

#include "metrics/ncu_metrics.h"
#include "scenes/figure_names.h"
#include "workspace_driver.h"

namespace gemmscope::session {
namespace {

FoundThing thing(std::string id, std::string title, std::string also = {}, std::string needs = {}) {
  return {.id = std::move(id),
          .kind = ThingKind::command,
          .title = std::move(title),
          .also = std::move(also),
          .key = {},
          .needs = std::move(needs),
          .choose = [] {}};
}

std::vector<std::string> titles(const std::vector<FoundThing>& things, std::string_view query,
                                const std::vector<std::string>& recent = {}) {
  std::vector<std::string> found;
  for (const ThingMatch& match : search_things(things, query, recent))
    found.push_back(things[match.thing].title);
  return found;
}

TEST(SearchThings, BestFirst) {
  const std::vector<FoundThing> things = {thing("a", "Set problem size"), thing("b", "One step back"),
                                          thing("c", "Step back")};
  EXPECT_EQ(titles(things, "step").front(), "Step back") << "it begins with the query";
  EXPECT_TRUE(titles(things, "zzz").empty());
}

TEST(SearchThings, OtherWordsCountWhole) {
  const std::vector<FoundThing> things = {thing("a", "Open\u2026", "Experiment open_file"),
                                          thing("b", "Registers", "launch__registers_per_thread")};
  EXPECT_EQ(titles(things, "experiment open"), (std::vector<std::string>{"Open\u2026"}));
  EXPECT_EQ(titles(things, "launch__reg"), (std::vector<std::string>{"Registers"}));
  EXPECT_EQ(titles(things, "command"), (std::vector<std::string>{"Open\u2026", "Registers"}))
      << "by its kind";
  EXPECT_TRUE(titles(things, "lnch").empty()) << "letters in order are for titles";
}

TEST(SearchThings, AMisspeltWordIsFoundWhereNothingElseIs) {
  const std::vector<FoundThing> things = {thing("a", "Achieved occupancy"), thing("b", "Bank conflicts"),
                                          thing("c", "Occupancy calculator")};
  const auto first = [&](std::string_view query) {
    const auto found = titles(things, query);
    return found.empty() ? "" : found.front();
  };
  EXPECT_EQ(first("achieved occupency"), "Achieved occupancy") << "another letter";
  EXPECT_EQ(first("conflcits"), "Bank conflicts") << "two letters have changed places";
  EXPECT_EQ(first("occuppancy"), "Occupancy calculator") << "a letter too many";
  EXPECT_EQ(first("cnflct"), "Bank conflicts") << "letters left out were never wrong";
  EXPECT_EQ(titles(things, "occupancy").size(), 2u);
  EXPECT_TRUE(titles(things, "ocqp").empty()) << "too short";
  EXPECT_TRUE(titles(things, "hopper").empty());
}

TEST(SearchThings, WithoutAQueryWhatWasUsedLastComesFirst) {
  const std::vector<FoundThing> things = {thing("a", "Alpha", "", "a GPU."), thing("b", "Beta"),
                                          thing("c", "Gamma"), thing("d", "Delta")};
  std::vector<std::string> recent;
  note_found(recent, "c"), note_found(recent, "d"), note_found(recent, "gone"), note_found(recent, "d");
  EXPECT_EQ(recent, (std::vector<std::string>{"d", "gone", "c"}));
  EXPECT_EQ(titles(things, " ", recent), (std::vector<std::string>{"Delta", "Gamma", "Beta", "Alpha"}))
      << "what cannot be chosen is last";
  for (int i = 0; i < 40; ++i) note_found(recent, std::to_string(i));
  EXPECT_LE(recent.size(), 12u);
  EXPECT_EQ(recent.front(), "39");
}

class FoundThings : public testing::Test {
 protected:
  void SetUp() override {
    driver_ = std::make_unique<WorkspaceDriver>(small_experiment("09_conflict_free", 128));
    commands_ = make_commands(driver_->workspace(), flags_);
    driver_->state().commands = &commands_;
    ASSERT_TRUE(driver_->settle());
    things_ = things_to_find(driver_->workspace(), flags_, commands_);
  }
  const FoundThing* first(std::string_view query) {
    const std::vector<ThingMatch> matches = search_things(things_, query);
    return matches.empty() ? nullptr : &things_[matches.front().thing];
  }

  AppFlags flags_;
  CommandTable commands_;
  std::unique_ptr<WorkspaceDriver> driver_;
  std::vector<FoundThing> things_;
};

TEST_F(FoundThings, EveryKindIsThereOnce) {
  std::set<std::string> ids;
  std::set<ThingKind> kinds;
  for (const FoundThing& one : things_) {
    EXPECT_TRUE(ids.insert(one.id).second) << one.id;
    EXPECT_FALSE(one.title.empty()) << one.id;
    EXPECT_TRUE(one.choose) << one.id;
    kinds.insert(one.kind);
  }
  for (const ThingKind kind : {ThingKind::command, ThingKind::kernel, ThingKind::toggle, ThingKind::figure,
                               ThingKind::picture, ThingKind::device})
    EXPECT_TRUE(kinds.contains(kind)) << kind_name(kind);
}

// Any letters of a title in their order find it; the title itself, or its beginning, finds it first.
TEST_F(FoundThings, AnySubsequenceFindsATitleAndAPrefixFindsItFirst) {
  std::mt19937 random(14);
  for (size_t i = 0; i < things_.size(); ++i) {
    const std::string& title = things_[i].title;
    std::string letters;
    for (const char c : title)
      if (random() % 3 != 0) letters += c;
    const std::vector<ThingMatch> matches = search_things(things_, letters);
    EXPECT_NE(std::ranges::find(matches, i, &ThingMatch::thing), matches.end()) << letters << ": " << title;
    if (!things_[i].needs.empty()) continue;
    for (const size_t size : {title.size(), (title.size() + 1) / 2}) {
      std::string prefix = title.substr(0, size);
      if (prefix.back() == ' ') prefix.pop_back();
      const FoundThing* found = first(prefix);
      ASSERT_NE(found, nullptr) << prefix;
      // Another title may begin with the same letters.
      EXPECT_TRUE(found->title.starts_with(prefix)) << prefix << " finds " << found->title;
    }
  }
}

// Who knows a command's id, from a lesson's file or a script, finds it by that.
TEST_F(FoundThings, EveryCommandIsFoundFirstByItsId) {
  for (const FoundThing& one : things_)
    if (one.id.starts_with("command:") && one.needs.empty()) {
      const FoundThing* found = first(one.id.substr(8));
      ASSERT_NE(found, nullptr) << one.id;
      EXPECT_EQ(found->id, one.id);
    }
}

TEST_F(FoundThings, AToggleValueIsChosen) {
  const FoundThing* padded = first("layout of a's tile: padded");
  ASSERT_NE(padded, nullptr);
  EXPECT_EQ(padded->kind, ThingKind::toggle);
  padded->choose();
  EXPECT_EQ(driver_->state().experiment.toggles.size(), 1u);
}

TEST_F(FoundThings, ADeviceIsFoundByItsNameAndModelled) {
  const FoundThing* found = first("rtx a4000");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->kind, ThingKind::device);
  found->choose();
  EXPECT_EQ(driver_->state().timings.choice.model_device, "rtxa4000");
}

TEST_F(FoundThings, AKernelIsFoundByItsId) {
  const FoundThing* found = first("03_shared_tile");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->kind, ThingKind::kernel);
  found->choose();
  EXPECT_EQ(driver_->requests().command, "kernel.03_shared_tile");
}

TEST_F(FoundThings, AFigureIsFoundByNsightComputesNameAndMarked) {
  const FoundThing* found = first("wavefronts_mem_shared_op_st");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->id, "figure:report.shared_store");
  flags_.enlarged = Panel::code;
  found->choose();
  EXPECT_TRUE(driver_->state().flash.marks("report.shared_store"));
  EXPECT_EQ(flags_.enlarged, Panel::none) << "its panel is shown";
  for (int i = 0; i < 20; ++i) driver_->state().flash.advance(0.2);
  EXPECT_FALSE(driver_->state().flash.running());
  driver_->state().timings.visible = true;
  first("column: executions")->choose();
  EXPECT_FALSE(driver_->state().timings.visible);
}

// What takes long can be ended, and gone on with.
TEST(Cancelling, EndsTheGridAndKeepsTheBlock) {
  WorkspaceDriver driver(small_experiment("01_naive_rows", 1024));
  AppFlags flags;
  const CommandTable commands = make_commands(driver.workspace(), flags);
  driver.state().commands = &commands;
  ASSERT_TRUE(driver.until([&] { return driver.state().block != nullptr; }));
  ASSERT_TRUE(commands.run("experiment.whole_grid"));
  ASSERT_TRUE(driver.until([&] { return driver.state().progress.has_value(); }));
  ASSERT_TRUE(commands.run("experiment.cancel"));
  EXPECT_FALSE(driver.state().progress);
  EXPECT_FALSE(driver.workspace().computing());
  EXPECT_FALSE(commands.run("experiment.cancel")) << "nothing is computed any more";
  ASSERT_TRUE(driver.settle());
  EXPECT_NE(driver.state().block, nullptr);
  EXPECT_EQ(driver.state().grid, nullptr);
  EXPECT_EQ(driver.state().note, "Cancelled. \"Execute the whole grid\" computes what is missing.");
  driver.workspace().set_experiment(small_experiment("01_naive_rows", 32));
  ASSERT_TRUE(driver.settle());
  EXPECT_NE(driver.state().grid, nullptr) << "it goes on with the next experiment";
}

TEST(Cancelling, ALatticeGoesOnAfterwards) {
  WorkspaceDriver driver(small_experiment("workbench", 256));
  AppFlags flags;
  const CommandTable commands = make_commands(driver.workspace(), flags);
  driver.state().commands = &commands;
  ASSERT_TRUE(driver.settle());
  ASSERT_TRUE(commands.run("lattice.show"));
  LatticeState& lattice = driver.state().lattice;
  ASSERT_TRUE(driver.until([&] { return lattice.lattice != nullptr && lattice.lattice->computed() > 1; }));
  ASSERT_TRUE(commands.run("experiment.cancel"));
  EXPECT_EQ(driver.state().note, "Cancelled. \"Compute more of the lattice\" computes what is missing.");
  ASSERT_TRUE(driver.until([&] { return !lattice.running; }));
  const size_t reached = lattice.lattice->computed();
  ASSERT_LT(reached, lattice.lattice->entries.size());
  ASSERT_TRUE(commands.run("lattice.go_on"));
  EXPECT_TRUE(
      driver.until([&] { return lattice.lattice != nullptr && lattice.lattice->computed() > reached; }));
  ASSERT_TRUE(commands.run("experiment.cancel"));
}

// No name is invented: each is compared with recordings, or stands in Nsight Compute's documentation.
TEST(FigureNames, EveryNameIsNsightComputes) {
  const std::set<std::string> documented = {"inst_executed",
                                            "memory_l1_wavefronts_shared",
                                            "derived__memory_l1_wavefronts_shared_excessive",
                                            "launch__registers_per_thread",
                                            "launch__occupancy_limit_blocks",
                                            "launch__occupancy_limit_registers",
                                            "launch__occupancy_limit_shared_mem",
                                            "launch__occupancy_limit_warps",
                                            "launch__shared_mem_per_block_static",
                                            "launch__shared_mem_per_block_dynamic",
                                            "gpu__time_duration.sum"};
  std::set<std::string> ids;
  for (const scenes::FigureName& figure : scenes::figure_names()) {
    EXPECT_TRUE(ids.insert(figure.id).second) << figure.id;
    EXPECT_EQ(scenes::find_figure(figure.id), &figure);
    std::string text = figure.nsight;
    std::ranges::replace(text, ',', ' ');
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find(' ', begin), text.size());
      const std::string word = text.substr(begin, end - begin);
      begin = end + 1;
      if (word.find('_') == std::string::npos) continue;
      EXPECT_TRUE(documented.contains(word) || metrics::find_ncu_metric(word) != nullptr)
          << figure.id << ": " << word;
    }
    EXPECT_EQ(scenes::nsight_line(figure).find("No Nsight") == 0, figure.nsight.empty());
  }
  EXPECT_EQ(scenes::figure_name(scenes::KeyNumber::time).id, "numbers.time");
  EXPECT_EQ(scenes::figure_name(scenes::CodeColumn::stalled).id, "code.stalled");
  for (const metrics::TrafficKind& kind : metrics::kTrafficKinds)
    EXPECT_NE(scenes::figure_name(kind).title.find(kind.name), std::string::npos);
}

}  // namespace
}  // namespace gemmscope::session
