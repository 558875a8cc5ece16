#include "session/autosave.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <tuple>
#include <utility>

#include "session/scene_store.h"
#include "session/user_folders.h"

namespace gemmscope::session {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::string_view kPrefix = "window-", kLock = ".lock";

fs::path lock_of(const fs::path& scene) { return fs::path(scene).replace_extension(kLock); }

// The descriptor of the locked file; −1 where another program holds it, or it cannot be made.
int lock_file(const fs::path& path) {
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return -1;
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  close(fd);
  return -1;
}

// The window that wrote it is gone.
bool is_left(const fs::path& scene) {
  const int fd = lock_file(lock_of(scene));
  if (fd < 0) return false;
  close(fd);
  return true;
}

void remove_with_lock(const fs::path& scene) {
  std::error_code ignored;
  fs::remove(scene, ignored);
  fs::remove(lock_of(scene), ignored);
}

// Replaces the file at once or not at all, also where the power fails.
bool replace_file(const fs::path& path, const std::string& text) {
  const fs::path fresh = path.string() + ".new";
  const int fd = open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return false;
  size_t written = 0;
  while (written < text.size()) {
    const ssize_t n = write(fd, text.data() + written, text.size() - written);
    if (n <= 0) break;
    written += static_cast<size_t>(n);
  }
  const bool whole = written == text.size() && fdatasync(fd) == 0;
  close(fd);
  std::error_code error;
  if (whole) fs::rename(fresh, path, error);
  if (whole && !error) return true;
  fs::remove(fresh, error);
  return false;
}

std::string time_of(const fs::path& file) {
  struct stat info {};
  if (stat(file.c_str(), &info) != 0) return "?";
  return fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(info.st_mtime));
}

std::vector<fs::path> scenes_in(const fs::path& folder) {
  std::vector<std::pair<fs::file_time_type, fs::path>> found;
  std::error_code error, ignored;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(kPrefix) && entry.path().extension() == kSceneExtension)
      found.emplace_back(entry.last_write_time(ignored), entry.path());
  }
  std::ranges::sort(found, std::ranges::greater());
  std::vector<fs::path> files;
  for (auto& [time, path] : found) files.push_back(std::move(path));
  return files;
}

}  // namespace

// Cheap to compare: a scene is made only when this has changed.
struct Autosave::Shown {
  experiment::Experiment experiment;
  const void *block = nullptr, *pinned = nullptr;
  std::tuple<scenes::Pairing, bool, bool, DiffSide, bool> choice;
  scenes::Cursor cursor;
  int warp = 0;
  catalog::Picture picture = catalog::Picture::none;
  bool pipeline = false, timings = false, lattice = false, lesson = false;
  size_t lesson_index = 0, page = 0;
  uint64_t catalog_version = 0;

  explicit Shown(const ViewState& s)
      : experiment(s.experiment),
        block(s.block.get()),
        pinned(s.pinned.side.get()),
        choice(s.pinned.choice.pairing, s.pinned.choice.map, s.pinned.choice.diff, s.pinned.choice.side,
               s.pinned.choice.all_lines),
        cursor(s.cursor),
        warp(s.playback.warp),
        picture(s.picture),
        pipeline(s.pipeline.open),
        timings(s.timings.visible),
        lattice(s.lattice.visible),
        lesson(s.lesson.visible && s.lesson.open_page() != nullptr),
        lesson_index(s.lesson.lesson),
        page(s.lesson.page),
        catalog_version(s.catalog_version) {}
  friend bool operator==(const Shown&, const Shown&) = default;
};

fs::path autosave_folder() {
  const fs::path state = user_folder("XDG_STATE_HOME", ".local/state");
  return state.empty() ? state : state / "gemmscope";
}

Autosave::Autosave(fs::path folder, std::function<void()> wake, double every_seconds)
    : folder_(std::move(folder)), every_seconds_(every_seconds), wake_(std::move(wake)) {
  if (folder_.empty()) {
    note("The scene is not kept for the case of a crash: HOME is not set.");
    return;
  }
  std::error_code ignored;
  fs::create_directories(folder_, ignored);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const std::string name = fmt::format("{}{}-{}", kPrefix, getpid(),
                                       std::chrono::duration_cast<std::chrono::microseconds>(now).count());
  lock_file_ = folder_ / (name + std::string(kLock));
  lock_ = lock_file(lock_file_);
  if (lock_ < 0) {
    note(fmt::format("The scene is not kept for the case of a crash: {} cannot be written.",
                     folder_.string()));
    return;
  }
  file_ = folder_ / (name + std::string(kSceneExtension));
  writer_ = std::thread([this] { write_in_turn(); });
}

Autosave::~Autosave() {
  if (writer_.joinable()) {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    changed_.notify_all();
    writer_.join();
  }
  if (lock_ >= 0) close(lock_);
}

std::optional<LeftScene> Autosave::find_left() {
  if (folder_.empty()) return std::nullopt;
  for (const fs::path& file : scenes_in(folder_)) {
    if (file == file_ || !is_left(file)) continue;
    auto scene = read_scene(file.string());
    if (scene) return LeftScene{file, *std::move(scene), time_of(file)};
    const fs::path aside = file.string() + ".unreadable";
    std::error_code error;
    fs::rename(file, aside, error);
    fs::remove(lock_of(file), error);
    note(fmt::format("What the last window showed cannot be brought back; it was set aside as {}. {}",
                     aside.string(), scene.error().message));
  }
  return std::nullopt;
}

void Autosave::answer_left(const LeftScene& left, bool keep) {
  std::error_code error;
  if (keep && !file_.empty()) fs::rename(left.file, file_, error);
  remove_with_lock(left.file);
}

// The first state that has a block is what the program starts with: it is not worth keeping.
void Autosave::update(const ViewState& state) {
  if (file_.empty() || state.block == nullptr || state.catalog == nullptr) return;
  Shown now(state);
  if (saved_ == nullptr) {
    saved_ = std::make_unique<Shown>(now);
    return;
  }
  if (now == *saved_) return;
  const Clock::time_point due =
      last_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(every_seconds_));
  const bool is_due = Clock::now() >= due;
  {
    const std::lock_guard lock(mutex_);
    if (is_due)
      wanted_ = scene_of(state);
    else if (due_)
      return;
    due_ = is_due ? std::nullopt : std::optional(due);
  }
  changed_.notify_all();
  if (!is_due) return;
  last_ = Clock::now();
  *saved_ = std::move(now);
}

void Autosave::write_in_turn() {
  std::unique_lock lock(mutex_);
  while (!ending_ || wanted_) {
    if (wanted_) {
      const SavedScene scene = *std::exchange(wanted_, std::nullopt);
      writing_ = true;
      lock.unlock();
      const bool written = replace_file(file_, scene_text(scene));
      lock.lock();
      writing_ = false;
      if (!written && !std::exchange(failed_, true))
        notices_.push_back(fmt::format("The scene is not kept for the case of a crash: {} cannot be written.",
                                       file_.string()));
      changed_.notify_all();
    } else if (!due_) {
      changed_.wait(lock);
    } else if (changed_.wait_until(lock, *due_) == std::cv_status::timeout) {
      due_.reset();
      lock.unlock();
      if (wake_) wake_();
      lock.lock();
    }
  }
}

void Autosave::flush() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !wanted_ && !writing_; });
}

void Autosave::finish() {
  if (file_.empty()) return;
  flush();
  remove_with_lock(file_);
  file_.clear();
}

void Autosave::note(std::string sentence) {
  const std::lock_guard lock(mutex_);
  notices_.push_back(std::move(sentence));
}

std::vector<std::string> Autosave::take_notices() {
  const std::lock_guard lock(mutex_);
  return std::exchange(notices_, {});
}

}  // namespace gemmscope::session
