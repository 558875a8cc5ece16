// Lessons in the window: opening, answering, revealing, and what is covered meanwhile.
#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>
#include <tuple>

#include "compile/compiler.h"
#include "experiment/recording.h"
#include "lessons/read_lesson.h"
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
    Workspace& w = driver_.workspace();
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    while (std::chrono::steady_clock::now() < deadline) {
      w.begin_frame(0);
      const std::string id = w.requests().command;
      const auto ran = id.empty() ? Result<void>{} : commands_.run(id);
      EXPECT_TRUE(ran) << id << ": " << (ran ? "" : ran.error().message);
      w.end_frame();
      if (lesson().settled() && !w.waiting() && !driver_.state().progress && lesson().values != nullptr)
        return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }
  void take_recordings() {
    std::vector<experiment::Timings> recordings;
    for (const auto& file : experiment::read_recordings(experiment::recordings_folder()).files)
      recordings.insert(recordings.end(), file.recording.begin(), file.recording.end());
    driver_.workspace().set_recordings(std::move(recordings));
  }
  // What a page switches on, and where it has put the cursor.
  auto look() {
    const ViewState& s = driver_.state();
    return std::tuple(s.experiment, s.cursor.record, s.timings.visible, s.timings.choice.recording,
                      s.timings.choice.race, s.pipeline.open, s.occupancy.wide, s.occupancy.choice.by_hand,
                      s.occupancy.choice.preset, s.picture, s.playback.warp, s.lattice.visible,
                      s.numbers.before.has_value());
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

TEST_F(LessonPages, TheirFiguresAreCancelledAndComeWithTheNextOpening) {
  ASSERT_TRUE(driver_.settle());
  Workspace& w = driver_.workspace();
  w.open_lessons();
  const auto& list = lesson().lessons->lessons;
  const auto last = std::ranges::find(list, "11_the_last_rung", &lessons::Lesson::id);
  ASSERT_NE(last, list.end());
  const auto price = std::ranges::find(last->pages, "price", &lessons::Page::id);
  ASSERT_NE(price, last->pages.end());
  const auto open = [&] {
    w.open_page(static_cast<size_t>(last - list.begin()), static_cast<size_t>(price - last->pages.begin()));
  };
  // On a busy computer they may be there before they are cancelled.
  bool cancelled = false;
  for (int attempt = 0; attempt < 20 && !cancelled; ++attempt) {
    open();
    if (!commands_.run("experiment.cancel")) continue;
    ASSERT_TRUE(driver_.until([&] { return !w.computing(); }));
    cancelled = lesson().values == nullptr;
  }
  EXPECT_TRUE(cancelled);
  open();
  EXPECT_TRUE(settle_page());
}

// Whoever answers at once need not click again when the figures are there.
TEST_F(LessonPages, AnAnswerGivenBeforeTheFiguresAreThereCountsOnceTheyAre) {
  ASSERT_TRUE(driver_.settle());
  Workspace& w = driver_.workspace();
  ASSERT_TRUE(w.open_page_named("11_the_last_rung/price"));
  ASSERT_EQ(lesson().values, nullptr);
  w.answer_page();
  EXPECT_TRUE(lesson().commands.empty() || lesson().commands.back() != "lesson.answer")
      << "nothing was typed, so nothing is to be answered later";
  lesson().typed = "7";
  w.answer_page();
  w.answer_page();  // a second click asks for nothing more
  EXPECT_EQ(std::ranges::count(lesson().commands, "lesson.answer"), 1);
  EXPECT_FALSE(lesson().trouble.empty());
  EXPECT_EQ(lesson().answer(), nullptr);
  ASSERT_TRUE(settle_page());
  ASSERT_NE(lesson().answer(), nullptr);
  EXPECT_FALSE(lesson().answer()->right());
  EXPECT_TRUE(lesson().trouble.empty());
  EXPECT_TRUE(driver_.state().timings.visible) << "what the page reveals is shown";
  // Cancelling takes the answer back.
  w.ask_page_again();
  lesson().typed = "7";
  w.answer_page();
  if (lesson().values == nullptr && commands_.run("experiment.cancel")) {
    EXPECT_EQ(std::ranges::count(lesson().commands, "lesson.answer"), 0);
    EXPECT_EQ(lesson().answer(), nullptr);
  }
}

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
  EXPECT_TRUE(lesson().answer()->right());
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
  EXPECT_FALSE(lesson().answer()->right());
  EXPECT_EQ(lesson().answer()->single()->choice, wrong);
  driver_.workspace().turn_page(1);
  driver_.workspace().turn_page(-1);
  ASSERT_NE(lesson().answer(), nullptr) << "it is kept when the page is left";
}

TEST_F(LessonPages, RevealingCountsAsNoGuess) {
  open_kind(lessons::QuestionKind::choice);
  ASSERT_TRUE(commands_.run("lesson.reveal"));
  EXPECT_EQ(lesson().answer()->count(), 0);
  EXPECT_EQ(lesson().score(*lesson().open_lesson()).guessed, 0U);
}

// A remote clicker has no key of its own for it.
TEST_F(LessonPages, TheKeyThatGoesOnRevealsFirst) {
  open_kind(lessons::QuestionKind::choice);
  flags_.present.on = true;
  const size_t page = lesson().page;
  ASSERT_TRUE(commands_.run("present.next"));
  EXPECT_EQ(lesson().page, page);
  ASSERT_NE(lesson().answer(), nullptr);
  EXPECT_EQ(lesson().answer()->count(), 0) << "nobody has guessed";
  ASSERT_TRUE(commands_.run("present.next"));
  EXPECT_EQ(lesson().page, page + 1);
  ASSERT_TRUE(commands_.run("present.previous"));
  EXPECT_EQ(lesson().page, page);
}

TEST_F(LessonPages, AClassRaisesHands) {
  open_kind(lessons::QuestionKind::choice);
  ASSERT_TRUE(commands_.run("lesson.class"));
  const auto truth = lessons::truth_of(*lesson().open_page()->question, *lesson().values);
  const size_t wrong = truth->choice == 0 ? 1 : 0;
  const auto hand = [&](size_t i) {
    ASSERT_TRUE(commands_.run(fmt::format("lesson.answer_{}", static_cast<char>('a' + i))));
  };
  for (int i = 0; i < 3; ++i) hand(truth->choice);
  for (int i = 0; i < 2; ++i) hand(wrong);
  EXPECT_EQ(lesson().answer(), nullptr) << "a hand reveals nothing";
  ASSERT_TRUE(commands_.run("lesson.take_back"));
  EXPECT_EQ(lesson().collected()->count_of_choice(wrong), 1);
  ASSERT_TRUE(commands_.run("lesson.reveal"));
  ASSERT_NE(lesson().answer(), nullptr);
  EXPECT_EQ(lesson().answer()->right_count(), 3);
  EXPECT_EQ(lesson().answer()->count(), 4);
  EXPECT_EQ(lesson().score().right, 1U);
  ASSERT_TRUE(commands_.run("lesson.ask_again"));
  EXPECT_EQ(lesson().answer(), nullptr);
  EXPECT_EQ(lesson().score().guessed, 0U);
}

TEST_F(LessonPages, AClassTypesNumbers) {
  open_kind(lessons::QuestionKind::number);
  lesson().of_class = true;
  lesson().typed = "16 many";
  ASSERT_TRUE(commands_.run("lesson.add_guess"));
  EXPECT_FALSE(lesson().trouble.empty());
  const auto truth = lessons::truth_of(*lesson().open_page()->question, *lesson().values);
  lesson().typed = fmt::format("7x3 {}", truth->number);
  ASSERT_TRUE(commands_.run("lesson.answer")) << "what is typed counts";
  ASSERT_NE(lesson().answer(), nullptr);
  EXPECT_EQ(lesson().answer()->count(), 4);
  EXPECT_EQ(lesson().answer()->right_count(), 1);
  ASSERT_TRUE(commands_.run("lesson.forget_all"));
  EXPECT_TRUE(lesson().answers.empty());
  EXPECT_EQ(lesson().answer(), nullptr);
}

TEST_F(LessonPages, NoCommandGoesToTheInstructionThatIsAskedFor) {
  open_kind(lessons::QuestionKind::point);
  const size_t before = driver_.state().cursor.record;
  for (const char* id : {"numbers.excess", "numbers.wavefronts", "code.most_executed"}) {
    if (commands_.find(id) == nullptr) continue;
    (void)commands_.run(id);
    EXPECT_EQ(driver_.state().cursor.record, before) << id;
  }
  driver_.workspace().reveal_page();
  ASSERT_TRUE(settle_page());
  EXPECT_FALSE(lesson().asks_for_point());
  const uint32_t there = driver_.state().record().instruction;
  EXPECT_TRUE(lessons::is_on_point(*lesson().open_page()->question, *driver_.state().block, there))
      << "the cursor goes there on reveal";
}

// A page looks the same whatever was shown before, also one that was answered before.
TEST_F(LessonPages, LookTheSameHoweverOneArrives) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << "the pack does not have every variant";
  take_recordings();
  for (const char* name : {"01_first_gemm/peak", "07_occupancy/two_slots", "10_memory_and_banks/padding"}) {
    SCOPED_TRACE(name);
    lesson().answers.clear();
    ASSERT_TRUE(driver_.workspace().open_page_named(name));
    ASSERT_TRUE(settle_page());
    const auto asked = look();
    driver_.workspace().reveal_page();
    ASSERT_TRUE(settle_page());
    const auto revealed = look();
    // Somewhere else, with much switched on.
    ASSERT_TRUE(driver_.workspace().open_page_named("10_memory_and_banks/column"));
    ASSERT_TRUE(settle_page());
    for (const char* id :
         {"timing.show", "pipeline.show", "occupancy.calculator", "occupancy.more_registers"})
      ASSERT_TRUE(commands_.run(id));
    ASSERT_TRUE(driver_.workspace().open_page_named(name));
    ASSERT_TRUE(settle_page());
    EXPECT_EQ(look(), revealed) << "it was answered";
    ASSERT_TRUE(commands_.run("lesson.ask_again"));
    ASSERT_TRUE(settle_page());
    EXPECT_EQ(look(), asked);
  }
}

// Who tried something on a page finds the next of the same kernel at its own access.
TEST_F(LessonPages, OpenAtTheirOwnAccessWhereverTheCursorWas) {
  ASSERT_TRUE(driver_.workspace().open_page_named("10_memory_and_banks/offset"));
  ASSERT_TRUE(settle_page());
  const auto asked = look();
  ASSERT_TRUE(driver_.workspace().open_page_named("10_memory_and_banks/stride"));
  ASSERT_TRUE(settle_page());
  const size_t opening = driver_.state().cursor.record;
  driver_.workspace().reveal_page();
  ASSERT_TRUE(settle_page());
  driver_.workspace().to_end();
  ASSERT_NE(driver_.state().cursor.record, opening);
  driver_.workspace().turn_page(1);
  ASSERT_TRUE(settle_page());
  EXPECT_EQ(look(), asked);
}

// The page that a teacher copies from the README names commands that there are.
TEST_F(LessonPages, OfTheReadmeNamesCommandsThatThereAre) {
  std::ifstream file(lessons::lessons_folder() / "README.md");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const size_t begin = text.find("```toml\n") + 8;
  const auto lesson =
      lessons::parse_lesson(text.substr(begin, text.find("```", begin) - begin), "readme.toml");
  ASSERT_TRUE(lesson) << lesson.error().message;
  for (const lessons::Page& page : lesson->pages)
    for (const auto* commands : {&page.show, &page.reveal_show})
      for (const std::string& id : *commands) EXPECT_NE(commands_.find(id), nullptr) << id;
}

// Every page opens without a failure, and its commands exist and can run where they are to.
TEST_F(LessonPages, EachOpensAndShowsWhatItNames) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << "the pack does not have every variant";
  take_recordings();
  driver_.workspace().open_lessons();
  const auto list = lesson().lessons;
  for (size_t l = 0; l < list->lessons.size(); ++l)
    for (size_t p = 0; p < list->lessons[l].pages.size(); ++p) {
      SCOPED_TRACE(list->lessons[l].id + "/" + list->lessons[l].pages[p].id);
      driver_.workspace().open_page(l, p);
      ASSERT_TRUE(settle_page());
      EXPECT_FALSE(driver_.state().failure) << driver_.state().failure->failure.message;
      driver_.workspace().reveal_page();
      ASSERT_TRUE(settle_page());
      EXPECT_FALSE(driver_.state().failure) << driver_.state().failure->failure.message;
    }
}

}  // namespace
}  // namespace gemmscope::session
