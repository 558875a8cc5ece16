#include "shell/picture_sequence.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <optional>
#include <vector>

#include "gpu/process.h"
#include "shell/find_program.h"

namespace gemmscope::shell {
namespace {

namespace fs = std::filesystem;
using gpu::Process;
using std::chrono::milliseconds;

constexpr int kPatience_ms = 60'000;  // for ffmpeg to take a picture

class Files final : public PictureSequence {
 public:
  explicit Files(fs::path path) : path_(std::move(path)) {}
  ~Files() override {
    std::error_code ignored;
    if (!finished_)
      for (int i = 1; i <= count_; ++i) fs::remove(file(i), ignored);
  }
  Result<void> add(const Image& image) override { return write_png(image, file(++count_).string()); }
  Result<void> finish() override {
    finished_ = true;
    return {};
  }

 private:
  fs::path file(int number) const {
    return path_.parent_path() /
           fmt::format("{}-{:04}{}", path_.stem().string(), number, path_.extension().string());
  }

  fs::path path_;
  int count_ = 0;
  bool finished_ = false;
};

// "file:" before a path: ffmpeg takes other words before a colon for protocols, and "-" for an option.
std::vector<std::string> film_command(const fs::path& path, PixelSize size, int frames_per_second) {
  std::vector<std::string> words = {"ffmpeg",
                                    "-hide_banner",
                                    "-loglevel",
                                    "error",
                                    "-y",
                                    "-f",
                                    "rawvideo",
                                    "-pix_fmt",
                                    "rgb24",
                                    "-s",
                                    fmt::format("{}x{}", size.width, size.height),
                                    "-r",
                                    std::to_string(frames_per_second),
                                    "-i",
                                    "pipe:0"};
  if (path.extension() == ".gif")
    // Each picture has colours of its own; one table for all would need them all in memory.
    words.insert(words.end(),
                 {"-filter_complex", "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1",
                  "-f", "gif"});
  else
    // The usual players want an even number of pixels and colours of one half of the resolution.
    words.insert(words.end(),
                 {"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-crf", "16", "-preset",
                  "veryfast", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4"});
  words.push_back("file:" + path.string() + ".part");
  return words;
}

class Film final : public PictureSequence {
 public:
  Film(fs::path path, PixelSize size, Process process)
      : path_(std::move(path)), size_(size), process_(std::move(process)) {}
  ~Film() override {
    if (finished_) return;
    process_.kill();
    std::error_code ignored;
    fs::remove(part(), ignored);
  }

  Result<void> add(const Image& image) override {
    if (!(image.size == size_)) return fail("A picture of the film has another size than the first.");
    for (size_t sent = 0; sent < image.pixels.size();) {
      pollfd wanted{process_.in.get(), POLLOUT, 0};
      read_errors();
      const ssize_t n =
          poll(&wanted, 1, kPatience_ms) > 0
              ? send(process_.in.get(), image.pixels.data() + sent, image.pixels.size() - sent, MSG_NOSIGNAL)
              : -1;
      if (n < 0 && (errno == EAGAIN || errno == EINTR) && process_.running() && wanted.revents != 0) continue;
      if (n <= 0) return failed();
      sent += static_cast<size_t>(n);
    }
    return {};
  }

  Result<void> finish() override {
    process_.in.close();
    while (process_.running()) {
      pollfd wanted{process_.err.get(), POLLIN, 0};
      poll(&wanted, 1, 50);
      read_errors();
    }
    std::error_code error;
    if (process_.end_text() != "ended with exit code 0") return failed();
    fs::rename(part(), path_, error);
    if (error) return fail("{} cannot be written: {}.", path_.string(), error.message());
    finished_ = true;
    return {};
  }

 private:
  fs::path part() const { return path_.string() + ".part"; }
  // ffmpeg must not wait for someone to read what it says.
  void read_errors() {
    char text[512];
    for (;;) {
      const ssize_t n = read(process_.err.get(), text, sizeof text);
      if (n <= 0) return;
      errors_.append(text, static_cast<size_t>(n));
      if (errors_.size() > 4096) errors_.erase(0, errors_.size() - 4096);
    }
  }
  tl::unexpected<Error> failed() {
    process_.wait(milliseconds(2000));
    read_errors();
    while (errors_.ends_with('\n')) errors_.pop_back();
    const size_t line = errors_.rfind('\n');
    const std::string last = line == std::string::npos ? errors_ : errors_.substr(line + 1);
    return fail("ffmpeg did not write {}: {}.", path_.string(), last.empty() ? process_.end_text() : last);
  }

  fs::path path_;
  PixelSize size_;
  Process process_;
  std::string errors_;
  bool finished_ = false;
};

}  // namespace

bool is_film(const std::string& path) {
  const std::string end = fs::path(path).extension().string();
  return end == ".gif" || end == ".mp4";
}

std::string why_no_film() {
  return find_program("ffmpeg")
             ? ""
             : "A film needs ffmpeg, which is not installed (package ffmpeg). Pictures one by one "
               "need nothing.";
}

Result<std::unique_ptr<PictureSequence>> PictureSequence::create(const std::string& path, PixelSize size,
                                                                 int frames_per_second) {
  if (fs::path(path).extension() == ".png") return std::make_unique<Files>(path);
  if (!is_film(path)) return fail("{}: a range is written as .png, .gif or .mp4.", path);
  if (const std::string why = why_no_film(); !why.empty()) return fail("{}", why);
  auto process = Process::start(film_command(path, size, frames_per_second));
  if (!process) return tl::unexpected(process.error());
  return std::make_unique<Film>(path, size, *std::move(process));
}

}  // namespace gemmscope::shell
