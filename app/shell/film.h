// A film of the cursor's way, taken of the window itself: so each picture is what the screen shows, with its
// zoom, its panels and its times. A thread writes the pictures; the window waits for it by staying where it
// is.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "session/export_state.h"
#include "session/workspace.h"
#include "shell/render_target.h"

namespace gemmscope::shell {

// From the window to the thread that writes. Few pictures are kept, because each has megabytes.
class PictureQueue {
 public:
  bool full() const;
  void push(Image image);
  void close();  // no picture follows
  // Waits for the next picture; nothing: the queue is closed and empty.
  std::optional<Image> pop();
  void refuse();  // the writer takes no more
  bool refused() const;

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Image> images_;
  bool closed_ = false, refused_ = false;
};

class Film {
 public:
  // Pauses, and remembers where the cursor is.
  Film(session::Workspace& workspace, const session::ExportWish& wish);
  ~Film();  // puts the cursor back
  Film(const Film&) = delete;
  Film& operator=(const Film&) = delete;

  // Puts the cursor to the next place, unless the writer is behind. Then a frame is drawn for the layout, and
  // the frame after it is taken.
  void before_frame();
  bool takes_frame() const { return takes_frame_; }
  void add(Image image);
  bool ended() const { return ended_; }
  const std::string& trouble() const {
    return trouble_;
  }  // why it ended early, a sentence; empty: it did not
  const std::shared_ptr<PictureQueue>& queue() const { return queue_; }
  const session::ExportWish& wish() const { return wish_; }

 private:
  void end(std::string trouble);

  session::Workspace& workspace_;
  session::ExportWish wish_;
  std::shared_ptr<PictureQueue> queue_ = std::make_shared<PictureQueue>();
  std::shared_ptr<const experiment::CompiledKernel> code_;
  scenes::Cursor cursor_;
  double cycle_ = 0;
  bool pipeline_ = false;  // was open before
  int64_t next_ = 0;
  bool placed_ = false, takes_frame_ = false, ended_ = false;
  std::string trouble_;
};

// Whether a film is being taken now: the window must go on drawing. Only the UI thread asks.
bool is_filming();

// Writes what comes out of the queue until its end; `written` is called after each picture. Errors say why
// the file is not there. Where `cancelled` becomes true nothing of it is left.
Result<void> write_film(PictureQueue& queue, const std::filesystem::path& path, int frames_per_second,
                        const std::function<void()>& written, const std::atomic<bool>& cancelled);

}  // namespace gemmscope::shell
