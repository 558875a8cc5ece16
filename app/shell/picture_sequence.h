// Pictures one after the other, as files or as a film.
#pragma once

#include <memory>
#include <string>

#include "shell/render_target.h"

namespace gemmscope::shell {

class PictureSequence {
 public:
  // By the end of the path: ".png": a file for each, "x-0001.png" beside "x.png"; ".gif" or ".mp4": a film,
  // written by ffmpeg, a program of the system. Errors: another end; ffmpeg is not installed.
  static Result<std::unique_ptr<PictureSequence>> create(const std::string& path, PixelSize size,
                                                         int frames_per_second);
  virtual ~PictureSequence() = default;  // without finish() nothing of it is left

  virtual Result<void> add(const Image& image) = 0;  // of the size that was given
  virtual Result<void> finish() = 0;
};

bool is_film(const std::string& path);  // by its end
// A sentence that names what to install; empty: ffmpeg is there.
std::string why_no_film();

}  // namespace gemmscope::shell
