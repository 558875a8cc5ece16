// Figures that only NVRTC's machine code gives are kept, and what is kept is what comes out.
#include "lessons/kept_figures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "lessons/figure_values.h"
#include "lessons/read_lesson.h"

namespace gemmscope::lessons {
namespace {

TEST(KeptFigures, AreReadAsTheyWereWritten) {
  const auto path = std::filesystem::path(testing::TempDir()) / "kept_figures.txt";
  const KeptFigures figures = {{"0 shared_load.wavefronts - k", 0.1}, {"1 b c", 123456789}};
  ASSERT_TRUE(write_kept_figures(figures, path));
  EXPECT_EQ(read_kept_figures(path), figures);
  std::ofstream(path) << "# none\nno number\n7 key\n8\n";
  EXPECT_EQ(read_kept_figures(path), (KeptFigures{{"key", 7}}));
  EXPECT_TRUE(read_kept_figures(path / "missing").empty());
}

TEST(KeptFigures, TellExperimentsApart) {
  FigureSpec spec;
  spec.kind = FigureKind::counter;
  spec.what = "flops";
  EXPECT_FALSE(is_kept(spec)) << "the pack has what toggles choose";
  spec.experiment.inputs["SWIZZLE"] = "column ^ row";
  EXPECT_TRUE(is_kept(spec));
  FigureSpec other = spec;
  other.experiment.toggles["PITCH"] = 33;
  EXPECT_NE(figure_key(spec), figure_key(other));
  spec.kind = FigureKind::recorded;
  EXPECT_FALSE(is_kept(spec)) << "it needs no machine code";
}

// Every figure that the pages need is there, and is what the machine code gives here. Without NVRTC the
// second half compares a figure with itself.
TEST(KeptFigures, AreThoseOfThePages) {
  const KeptFigures kept = read_kept_figures(kept_figures_path());
  FigureEvaluator evaluator(catalog::read_catalog(catalog::kernels_folder()));
  size_t needed = 0;
  for (const Lesson& lesson : read_lessons(lessons_folder()).lessons)
    for (const Page& page : lesson.pages) {
      if (std::ranges::none_of(page.figures, is_kept)) continue;
      const FigureValues values = evaluator.evaluate(page);
      for (const FigureSpec& spec : page.figures) {
        if (!is_kept(spec)) continue;
        ++needed;
        const auto found = kept.find(figure_key(spec));
        ASSERT_NE(found, kept.end()) << lesson.id << "/" << page.id << ": " << spec.name
                                     << " is not kept: gemmscope lessons --keep-figures";
        ASSERT_TRUE(values.at(spec.name)) << values.at(spec.name).error().message;
        EXPECT_EQ(values.at(spec.name)->value, found->second) << figure_key(spec);
      }
    }
  EXPECT_EQ(needed, kept.size()) << "some are kept for nothing";
}

}  // namespace
}  // namespace gemmscope::lessons
