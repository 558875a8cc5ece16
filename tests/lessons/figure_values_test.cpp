// The figures of pages against the functions that compute them.
#include "lessons/figure_values.h"

#include <gtest/gtest.h>

#include "compile/compiler.h"
#include "lessons/figure_counters.h"

namespace gemmscope::lessons {
namespace {

FigureSpec spec(const char* name, FigureKind kind, const char* what) {
  FigureSpec spec;
  spec.name = name;
  spec.kind = kind;
  spec.what = what;
  spec.experiment.kernel = "03_shared_tile";
  spec.experiment.problem.m = spec.experiment.problem.n = spec.experiment.problem.k = 64;
  return spec;
}

FigureValues evaluate(std::vector<FigureSpec> figures) {
  Page page;
  page.figures = std::move(figures);
  static FigureEvaluator evaluator(catalog::read_catalog(catalog::kernels_folder()));
  return evaluator.evaluate(page);
}

double value(const FigureValues& values, const char* name) {
  const auto& figure = values.at(name);
  EXPECT_TRUE(figure) << name << ": " << (figure ? "" : figure.error().message);
  return figure ? figure->value : 0;
}

TEST(FigureValues, CountsAreThoseOfTheArithmetic) {
  const FigureValues values =
      evaluate({spec("ffma", FigureKind::counter, "ffma"), spec("blocks", FigureKind::launch, "blocks"),
                spec("loads", FigureKind::counter, "global_load.requests"),
                spec("by_name", FigureKind::counter, "opcode.LDG")});
  EXPECT_EQ(value(values, "ffma"), 64 * 64 * 64 + 64 * 64) << "one for each product, one for alpha and beta";
  EXPECT_EQ(value(values, "loads"), value(values, "by_name"));
  EXPECT_GT(value(values, "blocks"), 0);
}

TEST(FigureValues, FormulasMayUseFormulasButNotThemselves) {
  FigureSpec two = spec("two", FigureKind::stated, "");
  two.stated = 2;
  const FigureValues values =
      evaluate({two, spec("b", FigureKind::formula, "a + two"), spec("a", FigureKind::formula, "two * 3"),
                spec("x", FigureKind::formula, "y"), spec("y", FigureKind::formula, "x")});
  EXPECT_EQ(value(values, "a"), 6);
  EXPECT_EQ(value(values, "b"), 8);
  EXPECT_FALSE(values.at("x"));
  EXPECT_FALSE(values.at("y"));
}

TEST(FigureValues, RecordingsAndModelsSaySo) {
  FigureSpec recorded = spec("recorded", FigureKind::recorded, "ms");
  recorded.device = "NVIDIA H200";
  recorded.experiment.problem.m = recorded.experiment.problem.n = 2048;
  recorded.experiment.problem.k = 1024;
  FigureSpec modelled = spec("modelled", FigureKind::modelled, "ms");
  modelled.device = "h200";
  const FigureValues values = evaluate({recorded, modelled});
  EXPECT_GT(value(values, "recorded"), 0);
  EXPECT_EQ(values.at("recorded")->origin, Origin::recorded);
  EXPECT_GT(value(values, "modelled"), 0);
  EXPECT_EQ(values.at("modelled")->origin, Origin::modelled);
  const auto both = value_of("recorded + modelled", values);
  EXPECT_EQ(both->origin, Origin::modelled);
}

TEST(FigureValues, OccupancyByHandFollowsTheRule) {
  FigureSpec exact = spec("exact", FigureKind::occupancy, "blocks");
  exact.needs = {{"capability", 2.0}, {"threads", 256}, {"registers", 22}, {"shared", 0}};
  FigureSpec textbook = exact;
  textbook.name = "textbook";
  textbook.textbook = true;
  const FigureValues values = evaluate({exact, textbook});
  EXPECT_EQ(value(values, "exact"), 5);
  EXPECT_EQ(value(values, "textbook"), 5);
}

// With little room the figures are executed anew, and are the same.
TEST(FigureValues, StayWithinTheirBytes) {
  constexpr size_t kMost = 200'000;
  FigureEvaluator small(catalog::read_catalog(catalog::kernels_folder()), kMost),
      large(catalog::read_catalog(catalog::kernels_folder()));
  for (const int64_t size : {32, 64, 96, 32}) {
    Page page;
    for (const FigureKind kind : {FigureKind::counter, FigureKind::block}) {
      page.figures.push_back(spec(kind == FigureKind::block ? "block" : "grid", kind,
                                  kind == FigureKind::block ? "ffma_distance" : "ffma"));
      catalog::Problem& problem = page.figures.back().experiment.problem;
      problem.m = problem.n = problem.k = size;
    }
    const FigureValues values = small.evaluate(page), expected = large.evaluate(page);
    EXPECT_EQ(value(values, "grid"), value(expected, "grid"));
    EXPECT_EQ(value(values, "block"), value(expected, "block"));
    // The newest machine code stays, however large it is.
    EXPECT_LE(small.bytes(), kMost + large.bytes() / 2);
  }
  EXPECT_LT(small.bytes(), large.bytes());
  EXPECT_LE(large.bytes(), FigureEvaluator::kMostBytes);
}

TEST(FigureValues, UnknownNamesListThoseThatThereAre) {
  const FigureValues values =
      evaluate({spec("a", FigureKind::counter, "beauty"), spec("b", FigureKind::code, "colour")});
  EXPECT_NE(values.at("a").error().message.find("shared_load.wavefronts"), std::string::npos);
  EXPECT_NE(values.at("b").error().message.find("registers"), std::string::npos);
}

TEST(FigureValues, EachListedCounterHasAValue) {
  const metrics::CounterSummary empty;
  for (const std::string& name : counter_names()) EXPECT_TRUE(counter(empty, name)) << name;
}

}  // namespace
}  // namespace gemmscope::lessons
