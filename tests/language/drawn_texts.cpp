#include "drawn_texts.h"

#include <gtest/gtest.h>

#include "drawing/canvas.h"
#include "experiment/recording.h"
#include "language/current_language.h"

namespace gemmscope::language {
namespace {

DrawnTexts& drawn() {
  static DrawnTexts texts;
  return texts;
}

constexpr float kStepPoints = 48;

}  // namespace

DrawnTexts draw_in_chinese(const shell::Start& start, shell::PictureRequest request, bool everywhere) {
  drawn() = {};
  request.language = Language::chinese;
  request.drawn = false;
  if (everywhere)
    for (float y = kStepPoints / 2; y < static_cast<float>(request.size.height); y += kStepPoints)
      for (float x = kStepPoints / 2; x < static_cast<float>(request.size.width); x += 2 * kStepPoints)
        request.then_mouse.push_back({x, y});
  listen_to_untranslated([](std::string_view text) { drawn().untranslated.emplace(text); });
  drawing::listen_to_truncated_text([](std::string_view text) { drawn().shortened.emplace(text); });
  const Result<shell::PictureResult> picture = shell::render_picture(start, request);
  drawing::listen_to_truncated_text(nullptr);
  listen_to_untranslated(nullptr);
  EXPECT_TRUE(picture) << picture.error().message << " (" << request.jump << ")";
  return drawn();
}

shell::Start start_with(const catalog::Kernel& kernel) {
  shell::Start start{{}, kernel};
  start.experiment.kernel = kernel.id;
  start.experiment.arch = experiment::arch_for(kernel, start.experiment.arch);
  for (const experiment::RecordingFile& file :
       experiment::read_recordings(experiment::recordings_folder()).files)
    start.recordings.insert(start.recordings.end(), file.recording.begin(), file.recording.end());
  return start;
}

}  // namespace gemmscope::language
