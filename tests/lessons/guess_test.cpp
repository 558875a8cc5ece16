#include "lessons/guess.h"

#include <gtest/gtest.h>

namespace gemmscope::lessons {
namespace {

FigureValues values_of(const std::map<std::string, double>& numbers) {
  FigureValues values;
  for (const auto& [name, number] : numbers) values[name] = FigureValue{number, Origin::exact, ""};
  return values;
}

Question asking(QuestionKind kind, std::vector<std::string> formulas) {
  Question question;
  question.kind = kind;
  for (std::string& formula : formulas) question.choices.push_back({{}, std::move(formula)});
  return question;
}

TEST(TruthOf, AChoiceHasExactlyOneThatHolds) {
  const Question question = asking(QuestionKind::choice, {"a < b", "a == b", "a > b"});
  EXPECT_EQ(truth_of(question, values_of({{"a", 1}, {"b", 2}}))->choice, 0U);
  EXPECT_EQ(truth_of(question, values_of({{"a", 3}, {"b", 2}}))->choice, 2U);
  EXPECT_FALSE(truth_of(asking(QuestionKind::choice, {"a < 5", "a < 6"}), values_of({{"a", 1}})));
  EXPECT_FALSE(truth_of(asking(QuestionKind::choice, {"a < 0", "a > 6"}), values_of({{"a", 1}})));
}

TEST(TruthOf, AnOrderFollowsTheFigures) {
  Question question = asking(QuestionKind::order, {"a", "b", "c"});
  const FigureValues values = values_of({{"a", 2}, {"b", 9}, {"c", 1}});
  EXPECT_EQ(truth_of(question, values)->order, (std::vector<size_t>{2, 0, 1}));
  question.largest_first = true;
  EXPECT_EQ(truth_of(question, values)->order, (std::vector<size_t>{1, 0, 2}));
  EXPECT_FALSE(truth_of(question, values_of({{"a", 2}, {"b", 2}, {"c", 1}}))) << "two are equal";
}

TEST(IsRight, ANumberMayBeAsFarOffAsThePageAllows) {
  Question question;
  question.kind = QuestionKind::number;
  Truth truth;
  truth.number = 100;
  EXPECT_TRUE(is_right(question, {.number = 100}, truth));
  EXPECT_FALSE(is_right(question, {.number = 101}, truth));
  question.within = 0.05;
  EXPECT_TRUE(is_right(question, {.number = 95}, truth));
  EXPECT_FALSE(is_right(question, {.number = 94}, truth));
}

TEST(ParseNumber, ReadsNumbersAsPeopleTypeThem) {
  EXPECT_EQ(parse_number("1,024"), 1024);
  EXPECT_EQ(parse_number(" 6.3k "), 6300);
  EXPECT_EQ(parse_number("4M"), 4e6);
  EXPECT_DOUBLE_EQ(parse_number("84 %").value(), 0.84);
  for (const char* bad : {"", "k", "one", "1.2.3", "1e999", "nan", "5 kk"})
    EXPECT_FALSE(parse_number(bad)) << bad;
}

TEST(ParseNumbers, ReadsTheGuessesOfAClass) {
  const auto numbers = parse_numbers("16 32x4; 84 % 6.3 k 1,024");
  ASSERT_EQ(numbers.size(), 5U);
  EXPECT_EQ(numbers[0].number, 16);
  EXPECT_EQ(numbers[0].count, 1);
  EXPECT_EQ(numbers[1].number, 32);
  EXPECT_EQ(numbers[1].count, 4);
  EXPECT_DOUBLE_EQ(numbers[2].number, 0.84);
  EXPECT_TRUE(numbers[2].percent);
  EXPECT_EQ(numbers[3].number, 6300);
  EXPECT_EQ(numbers[4].number, 1024);
  for (const char* bad : {"", "  ", "16 x", "32x0", "32x-1", "x4", "16 many", "32x99999999999"})
    EXPECT_TRUE(parse_numbers(bad).empty()) << bad;
}

TEST(Point, IsANumberToWatchOrAnOpcode) {
  EXPECT_TRUE(is_point("excess_wavefronts"));
  EXPECT_TRUE(is_point("opcode.STG"));
  EXPECT_FALSE(is_point("opcode."));
  EXPECT_FALSE(is_point("STG"));
  EXPECT_EQ(instruction_name("@!P0 LDG.E.128 R4, [R2.64] ;"), "LDG");
  EXPECT_EQ(instruction_name("EXIT ;"), "EXIT");
  EXPECT_EQ(instruction_name("@P0"), "");
}

TEST(KeyNumber, KnowsEachNameThatItLists) {
  for (const std::string& name : key_number_names()) EXPECT_TRUE(key_number(name)) << name;
  EXPECT_FALSE(key_number("time"));
}

}  // namespace
}  // namespace gemmscope::lessons
