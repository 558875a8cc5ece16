#include "shell/film.h"

#include <utility>

#include "session/export_range.h"
#include "shell/picture_sequence.h"

namespace gemmscope::shell {
namespace {

constexpr size_t kMostWaiting = 4;  // pictures: 100 MB at 4K
int films = 0;                      // that exist

}  // namespace

bool PictureQueue::full() const {
  const std::lock_guard lock(mutex_);
  return images_.size() >= kMostWaiting;
}

void PictureQueue::push(Image image) {
  {
    const std::lock_guard lock(mutex_);
    images_.push_back(std::move(image));
  }
  changed_.notify_one();
}

void PictureQueue::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_one();
}

std::optional<Image> PictureQueue::pop() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return closed_ || !images_.empty(); });
  if (images_.empty()) return std::nullopt;
  Image image = std::move(images_.front());
  images_.pop_front();
  return image;
}

void PictureQueue::refuse() {
  const std::lock_guard lock(mutex_);
  refused_ = true;
}

bool PictureQueue::refused() const {
  const std::lock_guard lock(mutex_);
  return refused_;
}

Film::Film(session::Workspace& workspace, const session::ExportWish& wish)
    : workspace_(workspace), wish_(wish) {
  ++films;
  workspace_.state().playback.playing = false;
  session::ViewState& state = workspace_.state();
  code_ = state.compiled;
  cursor_ = state.cursor;
  cycle_ = state.pipeline.cycle;
  pipeline_ = state.pipeline.open;
  if (wish_.range.unit == session::RangeUnit::cycles) state.pipeline.open = true;
}

Film::~Film() {
  --films;
  queue_->close();
  session::ViewState& state = workspace_.state();
  state.pipeline.open = pipeline_;
  if (state.compiled != code_ || !state.has_trace()) return;
  workspace_.seek(cursor_);
  if (wish_.range.unit == session::RangeUnit::cycles) workspace_.seek_cycle(cycle_);
}

void Film::end(std::string trouble) {
  trouble_ = std::move(trouble);
  ended_ = true;
  queue_->close();
}

void Film::before_frame() {
  takes_frame_ = false;
  if (ended_) return;
  if (queue_->refused()) return end("");  // the writer says why
  if (workspace_.state().compiled != code_)
    return end("The export ended early, because another experiment is shown.");
  if (std::exchange(placed_, false)) {
    takes_frame_ = true;
    return;
  }
  if (queue_->full()) return;
  workspace_.state().playback.playing = false;
  session::seek_in_range(workspace_, wish_.range.unit, wish_.range.first + next_ * wish_.range.every);
  placed_ = true;
}

void Film::add(Image image) {
  queue_->push(std::move(image));
  if (++next_ == wish_.range.count()) end("");
}

bool is_filming() { return films > 0; }

Result<void> write_film(PictureQueue& queue, const std::filesystem::path& path, int frames_per_second,
                        const std::function<void()>& written, const std::atomic<bool>& cancelled) {
  std::unique_ptr<PictureSequence> sequence;
  while (const std::optional<Image> image = queue.pop()) {
    if (sequence == nullptr) {
      auto created = PictureSequence::create(path.string(), image->size, frames_per_second);
      if (!created) return tl::unexpected(created.error());
      sequence = *std::move(created);
    }
    if (Result<void> added = sequence->add(*image); !added) return added;
    if (cancelled) break;
    written();
  }
  if (cancelled) return fail("The export was cancelled.");
  return sequence == nullptr ? fail("There was no picture to write.") : sequence->finish();
}

}  // namespace gemmscope::shell
