// Writes what the window shows into files: pictures of this frame, figures, and films of a range, which the
// window plays (shell/film.h). What takes long is done beside the window.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "drawing/draw_data_shapes.h"
#include "session/app_commands.h"
#include "shell/film.h"
#include "shell/render_target.h"

namespace gemmscope::shell {

class Exporter {
 public:
  // Files go into `folder`. `wake` is called from another thread when something is done.
  Exporter(session::Workspace& workspace, session::AppFlags& flags, std::filesystem::path folder,
           std::function<void()> wake);
  ~Exporter();  // cancels what is being written
  Exporter(const Exporter&) = delete;
  Exporter& operator=(const Exporter&) = delete;

  void before_frame();  // before RenderTarget::begin_frame
  // This frame is the one to export: read it back.
  bool wants_image() const { return due_ || (film_ != nullptr && film_->takes_frame()); }
  // Not on the screen: this frame is a film's, and without the bar that says so.
  bool shows_frame() const { return film_ == nullptr || !film_->takes_frame(); }
  // After RenderTarget::end_frame, with the image if it was wanted.
  void after_frame(const Image& image);

 private:
  void begin(const session::ExportWish& wish, const Image& image);
  void begin_picture(const session::ExportWish& wish, const Image& image);
  void begin_table(bool csv);
  void begin_film(const session::ExportWish& wish);
  void end_film();
  void start(std::string name, std::function<std::string()> work);
  void take_result();
  std::filesystem::path new_file(std::string_view end) const;

  session::Workspace& workspace_;
  session::AppFlags& flags_;
  std::filesystem::path folder_;
  std::function<void()> wake_;
  int frames_left_ = -1;  // until the menu that was clicked is gone
  bool due_ = false;
  std::optional<drawing::PlainEdges> plain_;
  std::unique_ptr<Film> film_;

  std::thread work_;
  std::atomic<bool> finished_ = false, cancelled_ = false;
  std::atomic<int64_t> done_ = 0, of_ = 0;
  std::string sentence_;  // of the work that has finished
};

}  // namespace gemmscope::shell
