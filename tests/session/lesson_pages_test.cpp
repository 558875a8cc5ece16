// Lessons in the window: opening, answering, revealing, and what is covered meanwhile.
#include "compile/compiler.h"
#include "experiment/recording.h"
#include "session/app_commands.h"
#include "workspace_driver.h"

namespace gemmscope::session {
namespace {

class LessonPages : public testing::Test {
 protected:
  LessonPages() : driver_(small_experiment()), commands_(make_commands(driver_.workspace(), flags_)) {
    driver_.state().commands = &commands_;
  }
  LessonState& lesson() { return driver_.state().lesson; }
  // Frames as the program's loop runs them, until the page is there with its figures.
  bool settle_page() {
    return driver_.until(
        [&] { return !driver_.workspace().waiting() && lesson().values != nullptr && run_due(); });
  }
  bool run_due() {
    if (lesson().commands.empty()) return true;
    const std::string id = lesson().commands.front();
    const auto ran = commands_.run(id);
    EXPECT_TRUE(ran) << id << ": " << (ran ? "" : ran.error().message);
    lesson().commands.erase(lesson().commands.begin());
    return false;
  }
  // The first page whose question is of this kind.
  void open_kind(lessons::QuestionKind kind) {
    driver_.workspace().open_lessons();
    const auto& list = lesson().lessons->lessons;
    for (size_t l = 0; l < list.size(); ++l)
      for (size_t p = 0; p < list[l].pages.size(); ++p)
        if (list[l].pages[p].question && list[l].pages[p].question->kind == kind) {
          driver_.workspace().open_page(l, p);
          ASSERT_TRUE(settle_page());
          return;
        }
    FAIL() << "no page asks so";
  }

  AppFlags flags_;
  WorkspaceDriver driver_;
  CommandTable commands_;
};

TEST_F(LessonPages, OpenByNameOrSayThatThereAreNone) {
  ASSERT_TRUE(driver_.settle());
  driver_.workspace().open_lessons();
  const std::string id = lesson().lessons->lessons.at(0).id;
  const std::string page = lesson().lessons->lessons.at(0).pages.back().id;
  ASSERT_TRUE(driver_.workspace().open_page_named(id + "/" + page));
  EXPECT_EQ(lesson().open_page()->id, page);
  EXPECT_NE(driver_.workspace().open_page_named("nowhere").error().message.find("nowhere"),
            std::string::npos);
  EXPECT_FALSE(driver_.workspace().open_page_named(id + "/nowhere"));
}

TEST_F(LessonPages, ANumberIsJudgedAndTheCoversFall) {
  open_kind(lessons::QuestionKind::number);
  EXPECT_TRUE(lesson().hides().numbers);
  driver_.workspace().answer_page();
  EXPECT_EQ(lesson().answer(), nullptr) << "nothing was typed";
  EXPECT_FALSE(lesson().trouble.empty());
  const auto truth = lessons::truth_of(*lesson().open_page()->question, *lesson().values);
  ASSERT_TRUE(truth) << truth.error().message;
  lesson().typed = fmt::format("{}", truth->number);
  driver_.workspace().answer_page();
  ASSERT_NE(lesson().answer(), nullptr);
  EXPECT_TRUE(lesson().answer()->right);
  EXPECT_FALSE(lesson().hides().numbers);
  const LessonScore score = lesson().score(*lesson().open_lesson());
  EXPECT_EQ(score.right, 1U);
  EXPECT_EQ(score.guessed, 1U);
}

TEST_F(LessonPages, AWrongChoiceStaysBesideTheTruth) {
  open_kind(lessons::QuestionKind::choice);
  const auto truth = lessons::truth_of(*lesson().open_page()->question, *lesson().values);
  ASSERT_TRUE(truth) << truth.error().message;
  const size_t wrong = truth->choice == 0 ? 1 : 0;
  ASSERT_TRUE(commands_.run(fmt::format("lesson.answer_{}", static_cast<char>('a' + wrong))));
  ASSERT_TRUE(commands_.run("lesson.answer"));
  EXPECT_FALSE(lesson().answer()->right);
  EXPECT_EQ(lesson().answer()->guess->choice, wrong);
  driver_.workspace().turn_page(1);
  driver_.workspace().turn_page(-1);
  ASSERT_NE(lesson().answer(), nullptr) << "it is kept when the page is left";
}

TEST_F(LessonPages, RevealingCountsAsNoGuess) {
  open_kind(lessons::QuestionKind::choice);
  ASSERT_TRUE(commands_.run("lesson.reveal"));
  EXPECT_FALSE(lesson().answer()->guess);
  EXPECT_EQ(lesson().score(*lesson().open_lesson()).guessed, 0U);
}

// Every page opens without a failure, and its commands exist and can run where they are to.
TEST_F(LessonPages, EachOpensAndShowsWhatItNames) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << "the pack does not have every variant";
  ASSERT_TRUE(driver_.settle());
  std::vector<experiment::Timings> recordings;
  for (const auto& file : experiment::read_recordings(experiment::recordings_folder()).files)
    recordings.insert(recordings.end(), file.recording.begin(), file.recording.end());
  driver_.workspace().set_recordings(std::move(recordings));
  driver_.workspace().open_lessons();
  const auto list = lesson().lessons;
  for (size_t l = 0; l < list->lessons.size(); ++l)
    for (size_t p = 0; p < list->lessons[l].pages.size(); ++p) {
      SCOPED_TRACE(list->lessons[l].id + "/" + list->lessons[l].pages[p].id);
      driver_.workspace().open_page(l, p);
      ASSERT_TRUE(settle_page());
      EXPECT_FALSE(driver_.state().failure) << driver_.state().failure->failure.message;
      driver_.workspace().reveal_page();
      ASSERT_TRUE(driver_.settle());
      ASSERT_TRUE(settle_page());
      EXPECT_FALSE(driver_.state().failure) << driver_.state().failure->failure.message;
    }
}

}  // namespace
}  // namespace gemmscope::session
