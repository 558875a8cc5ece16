#include "lessons/page_text.h"

#include <gtest/gtest.h>

#include "lessons/check_lesson.h"

namespace gemmscope::lessons {
namespace {

TEST(FormatFigure, GroupsWholeNumbersAndKeepsThreeDigitsOfOthers) {
  EXPECT_EQ(format_figure(1048576, ""), "1,048,576");
  EXPECT_EQ(format_figure(999, ""), "999");
  EXPECT_EQ(format_figure(0.012345, ""), "0.0123");
  EXPECT_EQ(format_figure(34.5432, ""), "34.5");
  EXPECT_EQ(format_figure(-12345.5, ""), "\u221212,346");
}

TEST(FormatFigure, FollowsTheFormAfterTheColon) {
  EXPECT_EQ(format_figure(0.8437, "%"), "84 %");
  EXPECT_EQ(format_figure(0.8437, ".1%"), "84.4 %");
  EXPECT_EQ(format_figure(2, ".2"), "2.00");
}

TEST(OriginsToCome, AreKnownBeforeTheFiguresAreComputed) {
  Page page;
  const auto add = [&](const char* name, FigureKind kind, const char* what = "") {
    FigureSpec figure;
    figure.name = name;
    figure.kind = kind;
    figure.what = what;
    page.figures.push_back(figure);
  };
  add("blocks", FigureKind::launch);
  add("ms", FigureKind::recorded);
  add("share", FigureKind::formula, "blocks / stalls");
  add("stalls", FigureKind::modelled);
  using Origins = std::set<Origin>;
  EXPECT_EQ(origins_to_come(page, "no figure"), Origins{});
  EXPECT_EQ(origins_to_come(page, "{blocks} in {ms:.2}"), (Origins{Origin::exact, Origin::recorded}));
  EXPECT_EQ(origins_to_come(page, "{share:%}"), Origins{Origin::modelled});
  // A name that is part of another one is not meant.
  EXPECT_EQ(origins_to_come(page, "{ms_of_another}"), Origins{Origin::stated});
}

FigureValues two_figures() {
  FigureValues values;
  values["before"] = FigureValue{8, Origin::exact, ""};
  values["after"] = FigureValue{2, Origin::modelled, "model of X"};
  values["gone"] = fail("There is no recording");
  return values;
}

std::string joined(const std::vector<TextPart>& parts) {
  std::string text;
  for (const TextPart& part : parts) text += part.text;
  return text;
}

TEST(FormatFigure, RoundsToZeroWithoutASign) {
  EXPECT_EQ(format_figure(-0.0002, ".1%"), "0.0 %");
  EXPECT_EQ(format_figure(-0.0006, ".1%"), "\u22120.1 %");
}

TEST(FillIn, PutsFiguresAndFormulasInPlaceOfBraces) {
  const FigureValues values = two_figures();
  EXPECT_EQ(joined(fill_in("From {before} to {after}: {before / after:.1} times.", &values)),
            "From 8 to 2: 4.0 times.");
}

TEST(FillIn, AFormulaHasTheWeakestOriginOfItsFigures) {
  const FigureValues values = two_figures();
  const auto parts = fill_in("{before} {before / after}", &values);
  EXPECT_EQ(parts.at(0).origin, Origin::exact);
  EXPECT_EQ(parts.at(2).origin, Origin::modelled);
  EXPECT_EQ(parts.at(2).source, "model of X");
}

TEST(FillIn, SaysWhyAFigureIsMissing) {
  const FigureValues values = two_figures();
  const auto parts = fill_in("{gone}", &values);
  EXPECT_TRUE(parts.at(0).missing);
  EXPECT_EQ(parts.at(0).source, "There is no recording");
}

TEST(FillIn, ShowsADotsWhileFiguresAreComputed) {
  EXPECT_EQ(joined(fill_in("a {b} c", nullptr)), "a \u2026 c");
}

TEST(TypedNumbers, FindsDigitsOutsideFiguresCodeAndNames) {
  EXPECT_TRUE(typed_numbers("a float4 of {n} in `As[32][33]` on an H200 with sm_86").empty());
  EXPECT_EQ(typed_numbers("takes 32 wavefronts, 2.5 times"), (std::vector<std::string>{"32", "2.5"}));
  EXPECT_EQ(typed_numbers("需要32个"), (std::vector<std::string>{"32"}));
}

}  // namespace
}  // namespace gemmscope::lessons
