// At the sizes of projectors and laptops no text is shortened; only code is clipped at its pane's edge.
#include <gtest/gtest.h>

#include <set>

#include "catalog/catalog.h"
#include "drawing/canvas.h"
#include "experiment/recording.h"
#include "shell/run.h"

namespace gemmscope::views {
namespace {

std::set<std::string>& cut_texts() {
  static std::set<std::string> texts;
  return texts;
}

std::set<std::string> cut_texts_of(const shell::Start& start, shell::PictureRequest request) {
  request.drawn = false;
  cut_texts().clear();
  drawing::listen_to_truncated_text([](std::string_view text) { cut_texts().emplace(text); });
  const Result<shell::PictureResult> picture = shell::render_picture(start, request);
  drawing::listen_to_truncated_text(nullptr);
  EXPECT_TRUE(picture) << picture.error().message;
  return cut_texts();
}

std::set<std::string> cut_texts_of(const catalog::Kernel& kernel, const shell::PictureRequest& request) {
  shell::Start start{{}, kernel};
  start.experiment.kernel = kernel.id;
  start.experiment.arch = experiment::arch_for(kernel, start.experiment.arch);
  return cut_texts_of(start, request);
}

TEST(ShortenedText, NoneOnAProjector) {
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder() / "ladder");
  ASSERT_FALSE(catalog.kernels.empty());
  struct Case {
    shell::PixelSize size;
    std::vector<const char*> jumps;
  };
  const Case cases[] = {
      {{1280, 720}, {"", "time.next_shared", "time.to_end", "code.control_codes", "code.sort"}},
      {{1366, 768}, {"", "time.next_barrier"}},
      {{1920, 1080}, {"", "time.to_end"}},
      {{3840, 2160}, {""}}};
  for (const Case& c : cases)
    for (const catalog::Kernel& kernel : catalog.kernels)
      for (const char* jump : c.jumps) {
        // The panel beside the pictures has texts of each kernel; the pictures' texts are similar.
        const bool is_smallest = &c == cases;
        const bool has_all = &kernel == &catalog.kernels.front() || &kernel == &catalog.kernels.back();
        if (!has_all && (!is_smallest || *jump != 0)) continue;
        for (const std::string& text : cut_texts_of(kernel, {.size = c.size, .jump = jump}))
          ADD_FAILURE() << kernel.id << " at " << c.size.width << "x" << c.size.height << ", " << jump
                        << ": \"" << text << "\" is shortened";
      }
}

// Covers the timings, narrow with each chart and wide, with all of the H200's recordings.
TEST(ShortenedText, NoneInTheTimingsOnAProjector) {
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  const catalog::Kernel* const kernel = catalog.find("07_register_tile");
  ASSERT_NE(kernel, nullptr);
  const experiment::Recordings read = experiment::read_recordings(experiment::recordings_folder());
  shell::Start start{{}, *kernel};
  start.experiment.kernel = kernel->id;
  for (const experiment::RecordingFile& file : read.files)
    start.recordings.insert(start.recordings.end(), file.recording.begin(), file.recording.end());
  ASSERT_FALSE(start.recordings.empty());
  for (const shell::PixelSize size : {shell::PixelSize{1280, 720}, {1920, 1080}, {3840, 2160}})
    for (const char* jump : {"timing.show", "timing.show,timing.next_chart",
                             "timing.show,timing.next_chart,timing.next_chart", "timing.wide"})
      for (const std::string& text : cut_texts_of(start, {.size = size, .jump = jump}))
        ADD_FAILURE() << size.width << "x" << size.height << ", " << jump << ": \"" << text
                      << "\" is shortened";
}

// Covers the calculator with each of its examples.
TEST(ShortenedText, NoneInTheOccupancyOnAProjector) {
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  const catalog::Kernel* const kernel = catalog.find("07_register_tile");
  ASSERT_NE(kernel, nullptr);
  for (const shell::PixelSize size : {shell::PixelSize{1280, 720}, {1366, 768}, {1920, 1080}, {3840, 2160}}) {
    std::string jump = "occupancy.calculator";
    for (int preset = 0; preset <= 16; ++preset, jump += ",occupancy.next_preset") {
      if (size.width != 1280 && preset % 5 != 0) continue;
      for (const std::string& text : cut_texts_of(*kernel, {.size = size, .jump = jump}))
        ADD_FAILURE() << size.width << "x" << size.height << ", preset " << preset << ": \"" << text
                      << "\" is shortened";
    }
  }
}

// Covers the bank explorer with each of its examples and their fixes, and with an access of a kernel, whose
// machine code may be shortened.
TEST(ShortenedText, NoneInTheBankExplorerOnAProjector) {
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  const catalog::Kernel* const kernel = catalog.find("bank_conflicts");
  ASSERT_NE(kernel, nullptr);
  for (const shell::PixelSize size : {shell::PixelSize{1280, 720}, {1366, 768}, {1920, 1080}, {3840, 2160}}) {
    std::vector<std::string> jumps = {"explorer.from_access,explorer.find_fix,explorer.apply_fix_1"};
    std::string jump = "explorer.show,explorer.find_fix";
    for (int example = 0; example < 7; ++example, jump += ",explorer.next_example") jumps.push_back(jump);
    for (const std::string& shown : jumps)
      for (const std::string& text : cut_texts_of(*kernel, {.size = size, .jump = shown}))
        if (!text.ends_with(" ;"))
          ADD_FAILURE() << size.width << "x" << size.height << ", " << shown << ": \"" << text
                        << "\" is shortened";
  }
}

// Covers the pipeline with all of its rows, in the frame and alone, far out, close, and with another kernel
// pinned under it. Machine code is shortened where it is a name in a list, so it may be.
TEST(ShortenedText, NoneInThePipelineOnAProjector) {
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  for (const char* id : {"07_register_tile", "13_async_copy"}) {
    const catalog::Kernel* const kernel = catalog.find(id);
    ASSERT_NE(kernel, nullptr);
    for (const shell::PixelSize size : {shell::PixelSize{1280, 720}, {1920, 1080}})
      for (const char* jump : {"pipeline.show", "pipeline.wide", "pipeline.wide,pipeline.show_all",
                               "pipeline.show,pipeline.one_pass", "pipeline.wide,pipeline.show_pass",
                               "pipeline.show,pipeline.next_stall,pipeline.next_stall"})
        for (const std::string& text : cut_texts_of(*kernel, {.size = size, .jump = jump})) {
          if (text.ends_with(" ;")) continue;
          ADD_FAILURE() << id << " at " << size.width << "x" << size.height << ", " << jump << ": \"" << text
                        << "\" is shortened";
        }
  }
}

// Covers two experiments side by side: a lab's toggle, steps of the ladder, other sizes, the maps, the
// timeline.
TEST(ShortenedText, NoneInAComparisonOnAProjector) {
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  struct Case {
    const char *kernel, *jump;
  };
  const Case cases[] = {
      {"bank_conflicts", "compare.pin,toggles.next,toggles.next,toggles.next_value"},
      {"08_transposed_tile", "compare.pin"},
      {"08_transposed_tile", "numbers.excess,compare.pin,experiment.next_kernel"},
      {"08_transposed_tile", "compare.pin,experiment.next_kernel,compare.map,compare.all_lines"},
      {"11_prefetch", "compare.pin,experiment.next_kernel,pipeline.show"}};
  for (const Case& c : cases) {
    const catalog::Kernel* const kernel = catalog.find(c.kernel);
    ASSERT_NE(kernel, nullptr);
    for (const shell::PixelSize size : {shell::PixelSize{1280, 720}, {1920, 1080}, {3840, 2160}})
      for (const std::string& text : cut_texts_of(*kernel, {.size = size, .jump = c.jump})) {
        if (text.ends_with(" ;")) continue;
        ADD_FAILURE() << c.kernel << " at " << size.width << "x" << size.height << ", " << c.jump << ": \""
                      << text << "\" is shortened";
      }
  }
}

// Tests this test: in a window of this size many texts are shortened.
TEST(ShortenedText, IsNoticed) {
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder() / "ladder");
  ASSERT_FALSE(catalog.kernels.empty());
  EXPECT_FALSE(cut_texts_of(catalog.kernels[0], {.size = {260, 200}}).empty());
}

}  // namespace
}  // namespace gemmscope::views
