// Words that must be read whole are: at the sizes of projectors and laptops nothing is shortened but what is
// named here.
#include <gtest/gtest.h>

#include <set>

#include "catalog/catalog.h"
#include "drawing/canvas.h"
#include "shell/run.h"

namespace gemmscope::views {
namespace {

std::set<std::string>& cut_texts() {
  static std::set<std::string> texts;
  return texts;
}

std::set<std::string> cut_texts_of(const catalog::Kernel& kernel, const shell::PictureRequest& request) {
  shell::Start start{{}, kernel};
  start.experiment.kernel = kernel.id;
  cut_texts().clear();
  drawing::listen_to_cut_text([](std::string_view text) { cut_texts().emplace(text); });
  const Result<shell::PictureResult> picture = shell::render_picture(start, request);
  drawing::listen_to_cut_text(nullptr);
  EXPECT_TRUE(picture) << picture.error().message;
  return cut_texts();
}

TEST(CutText, NothingIsCutOnAProjector) {
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder() / "ladder");
  for (const shell::PixelSize size : {shell::PixelSize{1280, 720}, {1366, 768}, {1920, 1080}, {3840, 2160}})
    for (const catalog::Kernel& kernel : catalog.kernels)
      for (const char* jump :
           {"", "time.to_start", "time.next_shared", "time.next_uncoalesced", "time.to_end"}) {
        for (const std::string& text : cut_texts_of(kernel, {.size = size, .jump = jump}))
          ADD_FAILURE() << kernel.id << " at " << size.width << " x " << size.height << " " << jump << ": "
                        << text;
      }
}

}  // namespace
}  // namespace gemmscope::views
