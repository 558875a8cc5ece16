// What was guessed: counted, judged, and kept on disk.
#include "session/lesson_answers.h"

#include <gtest/gtest.h>

#include <fstream>

#include "session/guess_store.h"
#include "session/lesson_desk.h"
#include "temporary_config.h"

namespace gemmscope::session {
namespace {

namespace fs = std::filesystem;

lessons::Guess number(double value) {
  lessons::Guess guess;
  guess.number = value;
  return guess;
}
lessons::Guess choice(size_t index) {
  lessons::Guess guess;
  guess.choice = index;
  return guess;
}

TEST(PageAnswer, CountsEqualGuessesTogether) {
  PageAnswer answer;
  add_guess(answer, number(16));
  EXPECT_NE(answer.single(), nullptr);
  add_guess(answer, number(32), 3);
  add_guess(answer, number(16));
  ASSERT_EQ(answer.guesses.size(), 2U);
  EXPECT_EQ(answer.count(), 5);
  EXPECT_EQ(answer.single(), nullptr);
  EXPECT_EQ(median_number(answer), 32);
  take_guess(answer, number(16));
  take_guess(answer, number(16));
  take_guess(answer, number(16));
  EXPECT_EQ(answer.guesses.size(), 1U) << "what is not there cannot be taken away";
  add_guess(answer, number(32), 1'000'000);
  EXPECT_EQ(answer.count(), kMostHands);
}

TEST(PageAnswer, IsRightWhereMostAre) {
  lessons::Question question;
  question.kind = lessons::QuestionKind::choice;
  lessons::Truth truth;
  truth.choice = 1;
  PageAnswer answer;
  add_guess(answer, choice(1), 2);
  add_guess(answer, choice(0), 2);
  judge(answer, question, truth);
  EXPECT_EQ(answer.right_count(), 2);
  EXPECT_FALSE(answer.right()) << "half of them is not most";
  add_guess(answer, choice(1));
  judge(answer, question, truth);
  EXPECT_TRUE(answer.right());
  EXPECT_EQ(answer.count_of_choice(1), 3);
}

TEST(ScoreOf, CountsPagesThatStillAskTheSame) {
  lessons::Lesson lesson;
  lesson.id = "l";
  for (const char* id : {"a", "b", "c", "d"}) {
    lessons::Page page;
    page.id = id;
    page.question.emplace();
    page.question->ask.english = "What?";
    lesson.pages.push_back(std::move(page));
  }
  PageAnswers answers;
  answers[{"l", "a"}] = {"What?", {{choice(0), 1, true}}, true};
  answers[{"l", "b"}] = {"What else?", {{choice(0), 1, true}}, true};  // it was another question
  answers[{"l", "c"}] = {"What?", {}, true};                           // revealed without a guess
  answers[{"l", "d"}] = {"What?", {{choice(0), 7, false}}, false};     // still collecting
  EXPECT_EQ(score_of(lesson, answers).guessed, 1U);
  EXPECT_EQ(score_of(lesson, answers).right, 1U);
}

class GuessStore : public testing::Test {
 protected:
  void write(const std::string& text) {
    fs::create_directories(guesses_path().parent_path());
    std::ofstream(guesses_path()) << text;
  }
  TemporaryConfig config_;
};

TEST_F(GuessStore, KeepsEveryKindOfGuess) {
  EXPECT_TRUE(load_guesses()->empty()) << "there is no file yet";
  PageAnswers answers;
  lessons::Guess order, point, percent = number(0.84);
  order.order = {2, 0, 1};
  point.on_point = true;
  percent.percent = true;
  answers[{"01_first_gemm", "blocks"}] = {
      "How many?", {{number(16384), 12, true}, {percent, 1, false}}, true};
  answers[{"l", "p"}] = {
      "Which \u00e4 \"?", {{choice(2), 3, false}, {order, 1, true}, {point, 1, true}}, false};
  ASSERT_TRUE(save_guesses(answers));
  const auto loaded = load_guesses();
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(*loaded, answers);
}

TEST_F(GuessStore, SetsAsideWhatItCannotRead) {
  const std::string page = R"("l/p": {"asked": "?", "revealed": true, "guesses": [)";
  for (const std::string& bad :
       {std::string("{"), std::string("[]"), std::string(R"({"version": 2, "pages": {}})"),
        std::string(
            R"({"version": 1, "pages": {"no_slash": {"asked": "", "revealed": true, "guesses": []}}})"),
        R"({"version": 1, "pages": {)" + page + R"({"count": 0, "right": true}]}}})",
        R"({"version": 1, "pages": {)" + page + R"({"count": "many", "right": true}]}}})"}) {
    write(bad);
    EXPECT_FALSE(load_guesses()) << bad;
    std::string notice;
    EXPECT_TRUE(load_guesses_or_set_aside(notice).empty());
    EXPECT_NE(notice.find("guesses.json.unreadable"), std::string::npos) << notice;
    EXPECT_FALSE(fs::exists(guesses_path()));
    EXPECT_TRUE(fs::exists(guesses_path().string() + ".unreadable")) << "nothing of it is lost";
  }
}

TEST(OwnLessons, StandBehindThoseThatShipAndAreReadAnew) {
  const TemporaryConfig config;
  const size_t shipped = read_all_lessons().lessons.size();
  const fs::path folder = config.folder() / "gemmscope" / "lessons";
  EXPECT_EQ(own_lessons_folder(), folder);
  LessonDesk desk([] {});
  LessonState state;
  desk.open(state);
  EXPECT_TRUE(state.lessons->errors.empty()) << "without the folder, too";
  fs::create_directories(folder);
  std::ofstream(folder / "a_teachers.toml")
      << "title = \"Ours\"\nsummary = \"Few words.\"\n[[page]]\nid = \"one\"\ntitle = \"One\"\n"
         "kernel = \"03_shared_tile\"\ntext = \"Look.\"\n";
  std::ofstream(folder / "broken.toml") << "title = ";
  state.visible = true;
  desk.update(state, 1);
  ASSERT_EQ(state.lessons->lessons.size(), shipped + 1);
  EXPECT_EQ(state.lessons->lessons.back().id, "a_teachers");
  ASSERT_EQ(state.lessons->errors.size(), 1U);
  EXPECT_NE(state.lessons->errors[0].message.find("broken.toml"), std::string::npos);
  // Saved again, as many files as before.
  std::ofstream(folder / "broken.toml")
      << "title = \"Whole\"\nsummary = \"Now.\"\n[[page]]\nid = \"one\"\ntitle = \"One\"\n"
         "kernel = \"03_shared_tile\"\ntext = \"Look.\"\n";
  desk.update(state, 1);
  EXPECT_TRUE(state.lessons->errors.empty());
  EXPECT_EQ(state.lessons->lessons.size(), shipped + 2);
  desk.update(state, 1);
  const auto same = state.lessons;
  desk.update(state, 1);
  EXPECT_EQ(state.lessons, same) << "nothing changed";
}

}  // namespace
}  // namespace gemmscope::session
