// What a class sees of a lesson: where the panels lie in presenter mode, how large the letters are, and what
// stays in sight when the answer comes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <variant>

#include "catalog/catalog.h"
#include "shell/panel_places.h"
#include "shell/run.h"

namespace gemmscope::shell {
namespace {

// Letters of 28 pixels on a screen 3 m wide and 1,920 pixels across are 44 mm high. At 10 m that is a 230th
// of the distance; lecture rooms ask for a 300th.
constexpr float kLeastEm = 28, kLines = 1080;

class Presenting : public testing::Test {
 protected:
  Presenting() : catalog_(catalog::read_catalog(catalog::kernels_folder())) {}

  void draw(const std::string& lesson, const std::string& jump, PixelSize size,
            Language language = Language::english) {
    Start start{{}, *catalog_.find("07_register_tile")};
    start.experiment.kernel = start.kernel.id;
    start.lesson = lesson;
    PictureRequest request;
    request.size = size;
    request.jump = jump;
    request.language = language;
    request.vector = true;
    request.drawn = false;
    Result<PictureResult> picture = render_picture(start, request);
    ASSERT_TRUE(picture) << picture.error().message;
    ASSERT_TRUE(picture->shapes);
    shapes_ = *std::move(picture->shapes);
    panels_.clear();
    for (const PanelPlace& place : panel_places()) panels_[place.id] = place.area;
  }

  // A text that is drawn within its clip.
  const drawing::VectorText* visible(const std::string& text) const {
    for (const drawing::VectorItem& item : shapes_.items)
      if (const auto* drawn = std::get_if<drawing::VectorText>(&item.what);
          drawn != nullptr && drawn->text.starts_with(text) && drawn->baseline.y <= item.clip.bottom &&
          drawn->baseline.y - drawn->em / 2 >= item.clip.top)
        return drawn;
    return nullptr;
  }

  catalog::Catalog catalog_;
  drawing::VectorPicture shapes_;
  std::map<std::string, drawing::Rect> panels_;
};

TEST_F(Presenting, BesideAPageThePictureAndTheCodeHaveTheWholeWidth) {
  for (const PixelSize size : {PixelSize{1280, 720}, {1920, 1080}}) {
    draw("03_shared_memory/uses", "present.window,lesson.reveal", size);
    const drawing::Rect page = panels_["lesson"], picture = panels_["pictures"], code = panels_["code"];
    const float width = static_cast<float>(size.width);
    EXPECT_EQ(panels_.count("map"), 0u);
    EXPECT_GT(picture.left, page.right);
    EXPECT_GT(picture.width(), 0.55f * width);
    EXPECT_EQ(picture.width(), code.width());
    EXPECT_GT(code.top, picture.bottom);
    EXPECT_GT(code.height(), 0.25f * static_cast<float>(size.height));
  }
}

TEST_F(Presenting, TheMapStandsWhereThePictureIsCovered) {
  draw("03_shared_memory/uses", "present.window", {1920, 1080});
  EXPECT_EQ(panels_.count("pictures"), 0u);
  EXPECT_GT(panels_["map"].width(), 1000);
  EXPECT_EQ(panels_.count("numbers"), 0u) << "their room is the question's";
  draw("01_first_gemm/warp_shape", "present.window,lesson.reveal", {1920, 1080});
  EXPECT_LT(panels_["map"].bottom, panels_["pictures"].top) << "this answer is in the map";
  EXPECT_EQ(panels_.count("code"), 0u);
}

TEST_F(Presenting, TimingsHaveAllThatAPageLeaves) {
  draw("01_first_gemm/climb", "present.window,lesson.reveal", {1920, 1080});
  EXPECT_GT(panels_["timings"].width(), 1000);
  EXPECT_GT(panels_["timings"].height(), 700);
}

TEST_F(Presenting, LettersAreLegibleFromTheLastRow) {
  for (const Language language : {Language::english, Language::chinese})
    for (const PixelSize size : {PixelSize{1280, 720}, {1920, 1080}}) {
      draw("10_memory_and_banks/column", "present.window,lesson.reveal", size, language);
      for (const drawing::VectorItem& item : shapes_.items)
        if (const auto* text = std::get_if<drawing::VectorText>(&item.what)) {
          EXPECT_GE(std::round(text->em), std::floor(kLeastEm * static_cast<float>(size.height) / kLines))
              << text->text;
        }
    }
}

TEST_F(Presenting, ATitleStaysInSightWhenTheRevealScrolls) {
  for (const auto& [page, title] : {std::pair("03_shared_memory/three_gpus", "The"),
                                    {"06_against_cublas/issue_slots", "Issue"},
                                    {"11_the_last_rung/worth", "What"}}) {
    draw(page, "lesson.reveal", {1280, 720});
    const drawing::VectorText* const drawn = visible(title);
    ASSERT_NE(drawn, nullptr) << page;
    EXPECT_TRUE(panels_["lesson"].contains(drawn->baseline)) << page;
    EXPECT_NE(visible("Next page"), nullptr) << page << ": the end of the page";
  }
}

// Also where the page is longer than its panel.
TEST_F(Presenting, TheButtonsStayInSight) {
  draw("07_occupancy/achieved", "present.window", {1920, 1080});
  EXPECT_NE(visible("This is my answer"), nullptr);
  draw("08_instruction_mix/coarsen", "present.window,lesson.reveal", {1920, 1080});
  EXPECT_NE(visible("Next page"), nullptr);
}

TEST_F(Presenting, TheListHasEveryChapterInSight) {
  for (const PixelSize size : {PixelSize{1280, 720}, {1920, 1080}})
    for (const char* jump : {"lesson.open", "present.window,lesson.open"}) {
      draw("", jump, size);
      const drawing::VectorText* const last = visible("The last rung");
      ASSERT_NE(last, nullptr) << jump << " at " << size.width;
      EXPECT_LT(last->baseline.y, panels_["lesson"].bottom) << jump << " at " << size.width;
    }
}

TEST_F(Presenting, ALowMapHasItsWholeSentence) {
  for (const PixelSize size : {PixelSize{1280, 720}, {1600, 900}, {1920, 1080}}) {
    draw("", "present.window", size);
    EXPECT_TRUE(std::ranges::any_of(shapes_.items, [](const drawing::VectorItem& item) {
      const auto* text = std::get_if<drawing::VectorText>(&item.what);
      return text != nullptr && text->text.ends_with("element of C.");
    })) << size.width;
    EXPECT_NE(visible("warp 0"), nullptr) << size.width;
  }
}

TEST_F(Presenting, TheOccupancysLimitsCanBeRead) {
  draw("07_occupancy/cliff", "present.window,lesson.reveal", {1920, 1080});
  for (const char* text : {"warp slots", "registers", "block slots", "textbook", "Blocks that fit"})
    EXPECT_NE(visible(text), nullptr) << text;
}

// The panels show what its card speaks of.
TEST_F(Presenting, TheToursCardCoversNoPanel) {
  for (const char* jump : {"tour.start", "present.window,tour.start"}) {
    draw("", jump, {1280, 720});
    const drawing::VectorText* const sentence = visible("One GPU multiplies two matrices");
    ASSERT_NE(sentence, nullptr);
    ASSERT_GT(panels_.size(), 2u);
    for (const auto& [id, area] : panels_) EXPECT_LT(area.bottom, sentence->baseline.y - sentence->em) << id;
  }
}

// Beside a page the code is narrow.
TEST_F(Presenting, ALineThatRunsCanBeReadWhole) {
  draw("01_first_gemm/blocks", "lesson.reveal", {1280, 720});
  EXPECT_NE(visible("line 43"), nullptr);
  draw("", "view.code", {3840, 1080});
  EXPECT_EQ(visible("line 124"), nullptr) << "it fits in its row";
}

}  // namespace
}  // namespace gemmscope::shell
