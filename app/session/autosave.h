// Keeps the scene that the window shows in a file while it runs, so that the next start can bring it back
// after a crash: in $XDG_STATE_HOME/gemmscope, else ~/.local/state/gemmscope (XDG Base Directory
// Specification). Each window has a file of its own, and holds a lock as long as it lives; the system
// releases the lock of a program that was killed.
#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "session/scene_file.h"

namespace gemmscope::session {

std::filesystem::path autosave_folder();  // empty when the environment names no home

// What a window left that ended without finish().
struct LeftScene {
  std::filesystem::path file;
  SavedScene scene;
  std::string saved_at;  // "2026-11-23 04:12"
};

class Autosave {
 public:
  static constexpr double kEverySeconds = 3;

  // Where the folder cannot be used, nothing is kept and notices() says why. `wake` is called from another
  // thread when a change that update() has seen is due to be written.
  explicit Autosave(std::filesystem::path folder, std::function<void()> wake = {},
                    double every_seconds = kEverySeconds);
  ~Autosave();  // without finish() the file stays, as after a crash
  Autosave(const Autosave&) = delete;
  Autosave& operator=(const Autosave&) = delete;

  // The newest scene that was left. What cannot be read is set aside, and notices() says so.
  std::optional<LeftScene> find_left();
  // Takes it over into this window's own file, or removes it.
  void answer_left(const LeftScene& left, bool keep);

  // Call it once a frame. Writes in the background, at most every few seconds, and only what has changed.
  void update(const ViewState& state);
  void flush();   // waits until what was handed over is written
  void finish();  // the window was closed: nothing is left

  std::vector<std::string> take_notices();
  const std::filesystem::path& file() const { return file_; }

 private:
  struct Shown;  // what of the state is compared, frame by frame

  void write_in_turn();
  void note(std::string sentence);

  std::filesystem::path folder_, file_, lock_file_;
  int lock_ = -1;
  double every_seconds_;
  std::function<void()> wake_;
  std::unique_ptr<Shown> saved_;  // as last handed over
  std::chrono::steady_clock::time_point last_;

  std::mutex mutex_;
  std::condition_variable changed_;
  // ---- guarded by mutex_
  std::optional<SavedScene> wanted_;
  std::optional<std::chrono::steady_clock::time_point> due_;
  bool writing_ = false, ending_ = false, failed_ = false;
  std::vector<std::string> notices_;
  // ----
  std::thread writer_;
};

}  // namespace gemmscope::session
