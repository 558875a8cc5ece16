#include "scenes/contest.h"

#include <gtest/gtest.h>

#include <set>

#include "experiment/recorded_time.h"
#include "made_up_timings.h"

namespace gemmscope::scenes {
namespace {

using experiment::Grade;
using experiment::Provenance;
using experiment::Timings;

const Contender& find(const Contest& contest, const std::string& id) {
  for (const Contender& c : contest.contenders)
    if (c.key.kernel == id) return c;
  throw std::out_of_range(id);
}

TEST(Contest, FiguresAreThoseOfTheMedian) {
  Timings t = made_up_timings(1);
  t.variants[0].samples = {{0, 10, 0}, {1, 12, 0}, {2, 11, 0}};
  const Contest contest = make_contest(t, {}, {});
  const Contender& c = find(contest, "01_kernel");
  const double flops = 2.0 * 4096 * 4096 * 4096;
  EXPECT_DOUBLE_EQ(c.ms.median, 11);
  EXPECT_NEAR(c.tflops, flops / 11e-3 * 1e-12, 1e-9);
  EXPECT_NEAR(c.tflops_low, flops / 11.5e-3 * 1e-12, 1e-9);
  EXPECT_NEAR(c.tflops_high, flops / 10.5e-3 * 1e-12, 1e-9);
  EXPECT_NEAR(c.of_peak, flops / 11e-3 / 66.9e12, 1e-9);
  const Contender& library = find(contest, "cublas_fp32");
  EXPECT_NEAR(c.of_library, library.ms.median / 11, 1e-9);
  EXPECT_TRUE(library.ratio_text.empty());  // it is the measure itself
}

TEST(Contest, TheErrorIsThatOfTheVerification) {
  Timings t = made_up_timings(3);
  t.variants[0].is_product = t.variants[1].is_product = false;
  t.variants[0].largest_error = 0;   // the bits of its reference
  t.variants[1].largest_error = -1;  // compared with nothing
  const Contest contest = make_contest(t, {}, {{"01_kernel", {}}, {"02_kernel", {}}, {"03_kernel", {}}});
  for (const Contender& c : contest.contenders)
    if (!c.library) {
      EXPECT_EQ(c.error_text, t.variants[c.variant].is_product ? "3.0e-04" : c.variant == 0 ? "0" : "");
    }
}

TEST(Contest, EachIsComparedWithTheLibraryOfItsGrade) {
  const Timings t = made_up_timings(12);
  const Contest contest = make_contest(t, {}, {});
  const Contender& tf32 = find(contest, "06_kernel");
  ASSERT_EQ(tf32.grade, Grade::tf32);
  EXPECT_NEAR(tf32.of_library, find(contest, "cublas_tf32").ms.median / tf32.ms.median, 1e-9);
  EXPECT_NEAR(tf32.of_peak, tf32.tflops * 1e12 / 494.7e12, 1e-9);
  // Variants are sorted by grade, and the library is the last of each grade.
  for (size_t i = 1; i < contest.contenders.size(); ++i) {
    const Contender &a = contest.contenders[i - 1], &b = contest.contenders[i];
    EXPECT_LE(a.grade, b.grade);
    if (a.grade == b.grade) {
      EXPECT_FALSE(a.library && !b.library);
    }
  }
}

TEST(Contest, OnlyTheRaceIsShownWithTheLibrary) {
  const Timings t = made_up_timings(5);
  const Contest contest = make_contest(t, {}, {{"02_kernel", {}}});
  ASSERT_EQ(contest.contenders.size(), 4u);
  EXPECT_NO_THROW(find(contest, "02_kernel"));
  // If none of the racers is in it, all are shown.
  EXPECT_EQ(make_contest(t, {}, {{"99_other", {}}}).contenders.size(), 8u);
}

TEST(Contest, TheCurrentVariantAndTheOneBeforeAreKnownByTheirToggles) {
  Timings t = made_up_timings(3);
  t.variants.push_back(made_up_variant("02_kernel", 9));
  t.variants.back().toggles = {{"PAD", 1}};
  experiment::VariantHistory history;
  history.visit({"02_kernel", {}});
  history.visit({"02_kernel", {{"PAD", 1}}});
  const Contest contest = make_contest(t, history, {});
  ASSERT_GE(contest.current, 0);
  ASSERT_GE(contest.previous, 0);
  const Contender& current = contest.contenders[static_cast<size_t>(contest.current)];
  EXPECT_EQ(current.key.toggles.at("PAD"), 1);
  EXPECT_NE(current.label.find("PAD=1"), std::string::npos);
  // The current variant and the one before are next to each other.
  EXPECT_EQ(std::abs(contest.current - contest.previous), 1);
}

TEST(Contest, ARecordingStandsForOtherTogglesOnlyWhereNothingIsMeasured) {
  Timings t = made_up_timings(2);
  experiment::VariantHistory history;
  history.visit({"02_kernel", {{"PAD", 1}}});
  EXPECT_EQ(make_contest(t, history, {}).current, -1);
  t.provenance = Provenance::recorded;
  EXPECT_GE(make_contest(t, history, {}).current, 0);
}

TEST(Contest, SpreadsThatOverlapAreNotDistinguishable) {
  Timings t = made_up_timings(0);
  t.variants.push_back(made_up_variant("01_a", 10, 20, 0.05));
  t.variants.push_back(made_up_variant("02_b", 10.1, 20, 0.05));
  t.variants.push_back(made_up_variant("03_c", 20, 20, 0.05));
  const Contest contest = make_contest(t, {}, {});
  const auto index = [&](const char* id) {
    return static_cast<int>(&find(contest, id) - contest.contenders.data());
  };
  EXPECT_EQ(not_distinguishable(contest, index("01_a")), std::vector<int>{index("02_b")});
  EXPECT_TRUE(not_distinguishable(contest, index("03_c")).empty());
  EXPECT_NE(describe(contest, index("01_a")).find("Not distinguishable from 02"), std::string::npos);
  EXPECT_EQ(describe(contest, index("03_c")).find("Not distinguishable"), std::string::npos);
}

TEST(Contest, WithoutAnOperationCountBarsShowTime) {
  Timings t = made_up_timings(3);
  t.problem = {0, 0, 0};
  const Contest contest = make_contest(t, {}, {});
  EXPECT_FALSE(contest.by_rate);
  for (const Contender& c : contest.contenders) {
    EXPECT_EQ(c.tflops, 0);
    EXPECT_TRUE(c.rate_text.empty());
    EXPECT_FALSE(c.ms_text.empty());
  }
}

TEST(Contest, SaysWhereItsFiguresAreFrom) {
  Timings t = made_up_timings(1);
  EXPECT_EQ(make_contest(t, {}, {}).badge, "MEASURED");
  EXPECT_EQ(make_contest(t, {}, {}).device, "on Made-up GPU, now");
  t.provenance = Provenance::recorded;
  t.date = "2026-11-21";
  EXPECT_EQ(make_contest(t, {}, {}).badge, "RECORDED");
  EXPECT_EQ(make_contest(t, {}, {}).device, "on Made-up GPU, 2026-11-21");
  t.provenance = Provenance::modelled;
  EXPECT_EQ(make_contest(t, {}, {}).badge, "MODELLED");
}

TEST(TimingChoice, HistoryKeepsTheLastDistinctOnes) {
  experiment::VariantHistory history;
  for (int i = 0; i < 20; ++i) history.visit({"k", {{"T", i % 10}}});
  ASSERT_EQ(history.keys().size(), experiment::VariantHistory::kMost);
  for (size_t i = 0; i < history.keys().size(); ++i)
    EXPECT_EQ(history.keys()[i].toggles.at("T"), 9 - static_cast<int>(i));
  history.visit({"k", {{"T", 7}}});
  EXPECT_EQ(history.keys()[0].toggles.at("T"), 7);
  EXPECT_EQ(history.keys()[1].toggles.at("T"), 9);
}

TEST(TimingChoice, RacersStartWithTheCurrentOneAndAreDistinct) {
  catalog::Catalog catalog;
  for (const char* id : {"a", "b", "c"}) {
    catalog.kernels.emplace_back();
    catalog.kernels.back().id = id;
  }
  catalog.kernels.emplace_back();
  catalog.kernels.back().id = "lab";
  catalog.kernels.back().parameters = {{.name = "in", .kind = catalog::Parameter::Kind::buffer}};
  experiment::VariantHistory history;
  history.visit({"a", {}});
  history.visit({"gone", {}});
  history.visit({"b", {{"T", 1}}});
  history.visit({"b", {}});
  using Keys = std::vector<experiment::VariantKey>;
  experiment::TimingChoice choice;
  choice.race = experiment::Race::before;
  EXPECT_EQ(experiment::racers(choice, history, catalog), (Keys{{"b", {}}, {"b", {{"T", 1}}}}));
  choice.race = experiment::Race::recent;
  EXPECT_EQ(experiment::racers(choice, history, catalog), (Keys{{"b", {}}, {"b", {{"T", 1}}}, {"a", {}}}));
  choice.race = experiment::Race::ladder;
  EXPECT_EQ(experiment::racers(choice, history, catalog),
            (Keys{{"b", {}}, {"b", {{"T", 1}}}, {"a", {}}, {"c", {}}}));
  choice.race = experiment::Race::chosen;
  choice.ticked = {"c", "lab"};
  EXPECT_EQ(experiment::racers(choice, history, catalog), (Keys{{"b", {}}, {"c", {}}, {"lab", {}}}));
}

TEST(TimingChoice, ARecordingIsFoundByItsDeviceAndKernel) {
  std::vector<Timings> recordings(4);
  for (Timings& recording : recordings) {
    recording.device.name = "GPU";
    recording.variants.resize(1);
  }
  recordings[0].device.name = "another";
  recordings[1].problem = recordings[3].problem = {64, 64, 64};
  recordings[0].variants[0].id = recordings[2].variants[0].id = recordings[3].variants[0].id = "naive";
  recordings[1].variants[0].id = "atomics";
  recordings[2].problem = {0, 0, 0};
  EXPECT_EQ(experiment::recording_of(recordings, "GPU", {"naive", {}}, {64, 64, 64}), 2) << "of unknown size";
  recordings[2].problem = {32, 32, 32};
  EXPECT_EQ(experiment::recording_of(recordings, "GPU", {"naive", {}}, {64, 64, 64}), 3);
  EXPECT_EQ(experiment::recording_of(recordings, "GPU", {"naive", {}}, {128, 64, 64}), -1);
  EXPECT_EQ(experiment::recording_of(recordings, "another", {"atomics", {}}, {0, 0, 0}), -1);
  recordings.push_back(recordings[3]);
  recordings[4].variants[0].toggles = {{"TILE", 2}};
  EXPECT_EQ(experiment::recording_of(recordings, "GPU", {"naive", {}}, {64, 64, 64}), 3);
  EXPECT_EQ(experiment::recording_of(recordings, "GPU", {"naive", {{"TILE", 2}}}, {64, 64, 64}), 4)
      << "itself";
  EXPECT_EQ(experiment::recording_of(recordings, "GPU", {"naive", {{"TILE", 3}}}, {64, 64, 64}), 3);
}

TEST(TimingChoice, TheNearestRecordingIsThatOfTheProblem) {
  std::vector<Timings> recordings(4);
  recordings[0].problem = {0, 0, 0};
  recordings[1].problem = {4096, 4096, 4096};
  recordings[2].problem = {2048, 2048, 1024};
  recordings[3].problem = {1024, 1024, 4096};  // as many operations as the one before
  EXPECT_EQ(experiment::nearest_recording(recordings, {1024, 1024, 4096}), 3);
  EXPECT_EQ(experiment::nearest_recording(recordings, {2048, 2048, 1024}), 2);
  EXPECT_EQ(experiment::nearest_recording(recordings, {256, 256, 256}), 2);
  EXPECT_EQ(experiment::nearest_recording(recordings, {8192, 8192, 8192}), 1);
  EXPECT_EQ(experiment::nearest_recording({}, {256, 256, 256}), -1);
  EXPECT_EQ(size_remark(recordings, 1, {4096, 4096, 4096}), "");
  EXPECT_EQ(size_remark(recordings, 1, {0, 256, 256}), "") << "it cannot be run";
  const std::string remark = size_remark(recordings, 1, {256, 256, 256});
  EXPECT_EQ(remark, "Not your 256\u00b3, but the recorded 4096\u00b3: 4096 times the work.");
  EXPECT_EQ(
      size_remark(recordings, 2, {2048, 1024, 2048}),
      "Not your 2048 \u00d7 1024 \u00d7 2048, but the recorded 2048 \u00d7 2048 \u00d7 1024: as much work.");
  EXPECT_EQ(size_remark(recordings, 1, {8192, 8192, 8192}),
            "Not your 8192\u00b3, but the recorded 4096\u00b3: 1/8.0 of the work.");
}

// Colours repeat; marks do not, and lines of the same colour have other dashes.
TEST(Contest, EveryVariantHasAMarkOfItsOwn) {
  Timings t = made_up_timings(25);
  for (const int toggle : {1, 2}) {
    t.variants.push_back(made_up_variant("02_kernel", 9));
    t.variants.back().toggles = {{"PAD", toggle}};
  }
  for (const char* id : {"workbench", "own", "02_other"}) t.variants.push_back(made_up_variant(id, 9));
  const Contest contest = make_contest(t, {}, {});
  std::set<std::string> marks;
  std::set<std::pair<int, int>> inks;
  for (const Contender& c : contest.contenders) {
    if (c.library) {
      EXPECT_EQ(c.mark, "");
      continue;
    }
    EXPECT_TRUE(marks.insert(c.mark).second) << c.mark;
    EXPECT_TRUE(inks.insert({c.color, c.dash}).second) << c.mark;
  }
  for (const char* mark : {"02", "02a", "02b", "02c", "25", "A", "B"})
    EXPECT_TRUE(marks.contains(mark)) << mark;
  const Contender& step = find(contest, "07_kernel");
  EXPECT_EQ(step.mark + " " + step.name, step.label);
}

TEST(Contest, TheModelStandsBesideTheSamplesWithItsError) {
  Timings t = made_up_timings(2);
  t.variants[0].samples = {{0, 10, 0}};
  t.variants[0].modelled_ms = 10.25;
  const Contest contest = make_contest(t, {}, {});
  const Contender& c = find(contest, "01_kernel");
  EXPECT_EQ(c.modelled_text, "10.25 (+2.5 %)");
  EXPECT_FALSE(c.modelled);
  EXPECT_DOUBLE_EQ(c.ms.median, 10) << "the samples' own";
  EXPECT_NE(describe(contest, 0).find("modelled 10.25 (+2.5 %)"), std::string::npos) << describe(contest, 0);
  EXPECT_EQ(find(contest, "02_kernel").modelled_text, "");
}

TEST(Contest, WithoutSamplesTheModelStandsInTheirPlaceAndSaysSo) {
  Timings t = made_up_timings(2);
  t.variants[0].samples.clear();
  t.variants[0].modelled_ms = 20;
  const Contest contest = make_contest(t, {}, {});
  const Contender& c = find(contest, "01_kernel");
  EXPECT_TRUE(c.modelled);
  EXPECT_TRUE(c.label.ends_with("(modelled)")) << c.label;
  EXPECT_DOUBLE_EQ(c.ms.median, 20);
  EXPECT_NEAR(c.tflops, 2.0 * 4096 * 4096 * 4096 / 20e-3 * 1e-12, 1e-9);
  EXPECT_EQ(c.ratio_text, "") << "a modelled time is not held against a measured one";
  EXPECT_NE(describe(contest, 0).find("from its machine code, not from a GPU"), std::string::npos);
  EXPECT_TRUE(not_distinguishable(contest, 0).empty());
  t.provenance = Provenance::modelled;
  t.variants[1].modelled_ms = 5;
  EXPECT_EQ(find(make_contest(t, {}, {}), "02_kernel").modelled_text, "") << "all of it is modelled";
}

}  // namespace
}  // namespace gemmscope::scenes
