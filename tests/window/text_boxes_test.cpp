// Reads the text boxes of drawn frames (drawing/text_boxes.h): none has letters under 12 pixels, none is cut
// by what it stands in, none lies over another. A few frames in every run; all kernels, sizes, languages and
// views on request: ctest -C on_request -L all_texts.
#include "drawing/text_boxes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <tuple>

#include "catalog/catalog.h"
#include "catalog/product.h"
#include "compile/compiler.h"
#include "experiment/recording.h"
#include "shell/run.h"
#include "text_faults.h"

namespace gemmscope::shell {
namespace {

using drawing::TextBox;
using window::faults_of;

constexpr PixelSize kSizes[] = {{800, 600}, {1280, 720}, {1920, 1080}, {3840, 2160}};
constexpr const char* kJumps[] = {"",
                                  "time.next_shared",
                                  "time.to_end",
                                  "pipeline.show",
                                  "pipeline.wide",
                                  "timing.show",
                                  "timing.wide",
                                  "occupancy.calculator",
                                  "explorer.show",
                                  "board.show",
                                  "start.cards",
                                  "view.help",
                                  "lesson.open",
                                  "compare.pin",
                                  "map.zoom_in",
                                  "map.zoom_in,map.zoom_in",
                                  "code.control_codes"};

std::vector<TextBox>& last_frame() {
  static std::vector<TextBox> boxes;
  return boxes;
}

std::vector<TextBox> boxes_of(const Start& start, PictureRequest request) {
  request.drawn = false;
  last_frame().clear();
  drawing::listen_to_text_boxes([](const std::vector<TextBox>& boxes) { last_frame() = boxes; });
  const Result<PictureResult> picture = render_picture(start, request);
  drawing::listen_to_text_boxes(nullptr);
  EXPECT_TRUE(picture) << picture.error().message;
  return last_frame();
}

Start start_of(const catalog::Kernel& kernel) {
  Start start{{}, kernel};
  start.experiment.kernel = kernel.id;
  start.experiment.arch = experiment::arch_for(kernel, start.experiment.arch);
  for (const experiment::RecordingFile& file :
       experiment::read_recordings(experiment::recordings_folder()).files)
    start.recordings.insert(start.recordings.end(), file.recording.begin(), file.recording.end());
  return start;
}

const catalog::Catalog& kernels() {
  static const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  return catalog;
}

void check(const catalog::Kernel& kernel, const PictureRequest& request) {
  const std::vector<TextBox> boxes = boxes_of(start_of(kernel), request);
  EXPECT_GT(boxes.size(), 20u);
  for (const std::string& fault : faults_of(boxes))
    ADD_FAILURE() << kernel.id << " at " << request.size.width << "x" << request.size.height
                  << (request.language == Language::chinese ? ", in Chinese" : "")
                  << (request.light ? ", light" : "") << ", \"" << request.jump << "\": " << fault;
}

// Each size, view, language and theme at least once, and each kernel of the ladder at one size.
TEST(TextBoxes, AreWholeApartAndLarge) {
  size_t kernel = 0;
  for (const PixelSize size : kSizes)
    for (const char* jump : {"", "timing.show", "pipeline.show", "occupancy.calculator"}) {
      PictureRequest request{.size = size, .jump = jump};
      request.light = kernel % 2 == 1;
      if (kernel % 3 == 2) request.language = Language::chinese;
      check(kernels().kernels[kernel++ % kernels().kernels.size()], request);
    }
}

TEST(TextBoxes, OfEveryKernelSizeLanguageThemeAndView) {
  if (std::getenv("GEMMSCOPE_ALL_TEXTS") == nullptr) GTEST_SKIP() << "run on request: GEMMSCOPE_ALL_TEXTS=1";
  ASSERT_GT(kernels().kernels.size(), 12u);
  for (const catalog::Kernel& kernel : kernels().kernels)
    for (const PixelSize size : kSizes)
      for (const Language language : {Language::english, Language::chinese})
        for (const char* jump : kJumps) {
          // The other panels do not follow the kernel: one of them shows all that they have.
          const std::string_view view = jump;
          const bool follows = view.starts_with("time.") || view.empty() || view == "pipeline.show" ||
                               view == "map.zoom_in,map.zoom_in";
          if (view.starts_with("map.") && catalog::is_lab(kernel)) continue;  // it has no map
          if (!follows && &kernel != &kernels().kernels[6] && &kernel != &kernels().kernels[12]) continue;
          PictureRequest request{.size = size, .jump = jump};
          request.language = language;
          // A theme moves nothing, so each has half of the frames.
          request.light = (static_cast<size_t>(&kernel - kernels().kernels.data()) +
                           static_cast<size_t>(size.width / 640)) %
                              2 ==
                          1;
          check(kernel, request);
        }
}

// Tests this test: each fault is seen.
TEST(TextBoxes, FaultsAreNoticed) {
  TextBox box{"text", {10, 10, 50, 20}, {0, 0, 100, 100}, drawing::FontRole::body, 14, 0};
  EXPECT_TRUE(faults_of({box}).empty());
  TextBox small = box, cut = box, over = box;
  small.em_pixels = 11;
  EXPECT_EQ(faults_of({small}).size(), 1u);
  cut.clip.right = 40;
  EXPECT_EQ(faults_of({cut}).size(), 1u);
  for (const char* many : {"1 blocks on 68 SMs", "sum of 1 warps", "FP32, 1 cycles"}) {
    TextBox wrong = box;
    wrong.text = many;
    EXPECT_EQ(faults_of({wrong}).size(), 1u) << many;
  }
  for (const char* right : {"1 block on 68 SMs", "warp 1 waits", "31 blocks", "0.1 cycles", "1 is ideal"}) {
    TextBox fine = box;
    fine.text = right;
    EXPECT_TRUE(faults_of({fine}).empty()) << right;
  }
  over.ink = {40, 15, 90, 25};
  EXPECT_EQ(faults_of({box, over}).size(), 1u);
  over.layer = 1;
  EXPECT_TRUE(faults_of({box, over}).empty()) << "another window lies over this one";
}

// The reader sees what is drawn: the panel's words, whole.
TEST(TextBoxes, AreThoseOfTheFrame) {
  const catalog::Kernel& kernel = *kernels().find("07_register_tile");
  std::set<std::string> texts;
  for (const TextBox& box : boxes_of(start_of(kernel), {.size = {1920, 1080}})) texts.insert(box.text);
  EXPECT_TRUE(texts.contains("Experiment")) << fmt::format("{} texts", texts.size());
  EXPECT_TRUE(texts.contains("warp instructions") || texts.contains("Warp instructions"));
}

// The strip has the height that its rows need: the last number is there at every width.
TEST(TextBoxes, HoldEveryNumberToWatchAtEachWidth) {
  const catalog::Kernel& kernel = *kernels().find("01_naive_rows");
  Start start = start_of(kernel);
  start.experiment.problem = {32, 32, 32};
  for (int width = 1153; width < 1280; width += 9) {
    bool time = false;
    for (const TextBox& box : boxes_of(start, {.size = {width, 720}}))
      time = time || box.text.starts_with("Time,");
    EXPECT_TRUE(time) << "at " << width << " pixels";
  }
}

// A panel that is too narrow for a name and its figure has them on two lines.
TEST(TextBoxes, OfAWrongResultStandApart) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << "no NVRTC";
  catalog::Kernel kernel = *kernels().find("01_naive_rows");
  kernel.opened = true;
  const std::string sum = "sum += a[k]";
  kernel.source.replace(kernel.source.find(sum), sum.size(), "sum += 2 * a[k]");
  const std::vector<TextBox> boxes = boxes_of(start_of(kernel), {.size = {800, 900}});
  const auto wrong = std::ranges::find_if(boxes, [](const TextBox& b) { return b.text.ends_with("wrong"); });
  EXPECT_NE(wrong, boxes.end()) << "the result is not shown";
  for (const std::string& fault : faults_of(boxes)) ADD_FAILURE() << fault;
}

// The name of a user's file has no spaces at which it could be broken.
TEST(TextBoxes, OfALongNameStayLeftOfTheArrow) {
  catalog::Kernel kernel = *kernels().find("01_naive_rows");
  kernel.opened = true;
  kernel.title = "a_file_whose_name_has_no_space_at_all.cuh";
  Start start = start_of(kernel);
  std::string shown;
  for (const TextBox& box : boxes_of(start, {.size = {1280, 720}}))
    if (box.ink.right < 216 && kernel.title.find(box.text) != std::string::npos && box.text.size() > 5)
      shown += box.text;
  EXPECT_EQ(shown, kernel.title);
}

// The grid of the tile has room in a low window, too.
TEST(TextBoxes, NameTheTileOfTheBankPicture) {
  const std::tuple<const char*, PixelSize, const char*> cases[] = {
      {"09_conflict_free", {1280, 720}, "tiles.a"},
      {"09_conflict_free", {800, 600}, "tiles.a"},
      {"bank_conflicts", {1280, 720}, "tile  32"},
      {"bank_conflicts", {800, 600}, "tile  32"}};
  for (const auto& [id, size, title] : cases) {
    const catalog::Kernel& kernel = *kernels().find(id);
    bool named = false;
    for (const TextBox& box : boxes_of(start_of(kernel), {.size = size, .jump = "time.next_shared"}))
      named = named || box.text.starts_with(title);
    EXPECT_TRUE(named) << id << " at " << size.width << "x" << size.height;
  }
}

}  // namespace
}  // namespace gemmscope::shell
