// The bank explorer without a window: live answers, steps back, fixes, and the way from an access to a
// toggle.
#include "session/explorer_state.h"

#include "session/app_commands.h"
#include "workspace_driver.h"

namespace gemmscope::session {
namespace {

class BankExplorer : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(driver.settle()); }
  Explorer& explorer() { return explorer_of(driver.state()); }
  const experiment::BankAccess& access(size_t index) { return explorer().answer->accesses.at(index); }
  void run(const char* id) {
    const Result<void> done = commands.run(id);
    ASSERT_TRUE(done) << done.error().message;
    driver.frame();
  }
  void ask(const experiment::BankQuestion& question, bool continues = false) {
    ExplorerRequest request;
    request.question = question;
    request.continues = continues;
    driver.requests().explorer = std::make_shared<const ExplorerRequest>(std::move(request));
    driver.workspace().end_frame();
  }

  WorkspaceDriver driver{small_experiment("bank_conflicts")};
  AppFlags flags;
  CommandTable commands = make_commands(driver.workspace(), flags);
};

TEST_F(BankExplorer, OpensWithAConflict) {
  EXPECT_FALSE(commands.run("explorer.more_padding")) << "it is not open";
  run("occupancy.calculator");
  run("explorer.show");
  EXPECT_TRUE(explorer_is_wide(driver.state()));
  EXPECT_FALSE(driver.state().occupancy.wide);
  EXPECT_EQ(access(explorer().chosen).count.wavefronts, 32) << "the access with most conflicts is shown";
  run("explorer.more_padding");
  EXPECT_EQ(access(explorer().chosen).count.wavefronts, 1);
  run("board.show");
  EXPECT_FALSE(explorer_is_wide(driver.state()));
  run("explorer.show");
  run("view.code");
  EXPECT_FALSE(explorer_is_wide(driver.state()));
}

TEST_F(BankExplorer, AMistakeKeepsTheLastPicture) {
  run("explorer.show");
  const auto before = explorer().answer;
  experiment::BankQuestion question = explorer().now.question;
  question.accesses[1] = "load As[lane][";
  ask(question);
  ASSERT_TRUE(explorer().mistake);
  EXPECT_EQ(explorer().mistake->access, 1u);
  EXPECT_EQ(explorer().answer, before);
  question.accesses[1] = "load As[lane][5]";
  ask(question, true);
  EXPECT_FALSE(explorer().mistake);
  EXPECT_NE(explorer().answer, before);
}

TEST_F(BankExplorer, UndoIsItsOwnWhileItIsOpen) {
  const experiment::Experiment shown = driver.state().experiment;
  run("explorer.show");
  const experiment::BankQuestion first = explorer().now.question;
  experiment::BankQuestion question = first;
  for (int padding = 1; padding <= 5; ++padding) {  // a drag
    question.padding = padding;
    ask(question, padding > 1);
  }
  run("explorer.next_swizzle");
  EXPECT_EQ(explorer().now.question.swizzle, "column ^ row");
  run("experiment.undo");
  EXPECT_EQ(explorer().now.question, question);
  run("experiment.undo");
  EXPECT_EQ(explorer().now.question, first) << "a drag is one step";
  EXPECT_FALSE(commands.run("experiment.undo"));
  run("experiment.redo");
  EXPECT_EQ(explorer().now.question, question);
  EXPECT_TRUE(driver.state().experiment == shown);
}

TEST_F(BankExplorer, EveryListedFixFreesEveryAccess) {
  run("explorer.show");
  for (size_t example = 0; example < explorer_examples().size(); ++example) {
    run("explorer.next_example");
    if (!explorer().finding) run("explorer.find_fix");
    ASSERT_FALSE(explorer().mistake) << explorer().mistake->sentence;
    const std::vector<ListedFix> fixes = listed_fixes(explorer());
    const experiment::BankQuestion before = explorer().now.question;
    for (size_t i = 0; i < fixes.size(); ++i) {
      run(fmt::format("explorer.apply_fix_{}", i + 1).c_str());
      EXPECT_EQ(explorer().now.question, fixes[i].question);
      EXPECT_EQ(listed_fixes(explorer()).size(), fixes.size()) << "the list stays";
      for (const experiment::BankAccess& one : explorer().answer->accesses)
        EXPECT_EQ(one.count.excess(), 0) << one.text << " with " << explorer().now.question.swizzle;
      if (!(fixes[i].question == before)) run("experiment.undo");  // "as it is" changes nothing
      EXPECT_EQ(explorer().now.question, before);
    }
  }
}

// One command from the access, one for the fix, one back: the kernel's own picture has no conflict then.
TEST_F(BankExplorer, FromTheAccessToTheToggle) {
  run("time.next_conflict");
  run("explorer.from_access");
  ASSERT_TRUE(explorer().now.source);
  EXPECT_EQ(explorer().now.question.declaration, "float tile[32][32]");
  EXPECT_EQ(access(0).count.wavefronts, 32);
  EXPECT_FALSE(commands.run("explorer.to_kernel")) << "the layout is the kernel's";
  run("explorer.more_padding");
  ASSERT_EQ(explorer().choices.size(), 1u);
  EXPECT_EQ(explorer().choices[0].title, "PITCH = 33");
  if (!explorer().choices[0].why_not.empty()) GTEST_SKIP() << "no NVRTC: the pack has one pitch";
  run("explorer.to_kernel");
  EXPECT_FALSE(explorer_is_wide(driver.state()));
  ASSERT_TRUE(driver.settle());
  EXPECT_EQ(driver.state().experiment.toggles.at("PITCH"), 33);
  const auto shown = scenes::shown_shared_access(*driver.state().block, driver.state().cursor.record);
  ASSERT_TRUE(shown);
  EXPECT_EQ(scenes::wavefront_count(*driver.state().block, shown->record), 1);
  run("experiment.undo");
  ASSERT_TRUE(driver.settle());
  EXPECT_FALSE(driver.state().experiment.toggles.contains("PITCH")) << "undo is the experiment's again";
}

TEST_F(BankExplorer, AccessesAreAddedAndRemoved) {
  run("explorer.show");
  EXPECT_EQ(explorer().chosen, 1u);
  run("explorer.add_access");
  EXPECT_EQ(explorer().answer->accesses.size(), 3u);
  EXPECT_EQ(explorer().chosen, 2u);
  run("explorer.next_access");
  EXPECT_EQ(explorer().chosen, 0u);
  run("explorer.remove_access");
  run("explorer.remove_access");
  EXPECT_EQ(explorer().answer->accesses.size(), 1u);
  EXPECT_FALSE(commands.run("explorer.remove_access"));
  while (commands.run("explorer.add_access")) driver.frame();
  EXPECT_EQ(explorer().answer->accesses.size(), experiment::kMostBankAccesses);
}

}  // namespace
}  // namespace gemmscope::session
