#include "shell/exporter.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <utility>
#include <vector>

#include "lessons/figure_table.h"
#include "scenes/key_times.h"
#include "session/export_range.h"
#include "session/scene_store.h"
#include "shell/panel_places.h"
#include "shell/picture_clipboard.h"
#include "shell/picture_sequence.h"

namespace gemmscope::shell {
namespace {

namespace fs = std::filesystem;
using session::ExportKind;
using session::ExportWish;

constexpr int kFramesOfAMenu = 3;  // until it is closed and what it covered is drawn

std::string saved_sentence(const Result<void>& result, const fs::path& path) {
  return result ? fmt::format("Saved as {}.", path.string()) : result.error().message;
}

Image part_of(const Image& image, drawing::Rect part) {
  const int left = std::clamp(static_cast<int>(part.left), 0, image.size.width);
  const int top = std::clamp(static_cast<int>(part.top), 0, image.size.height);
  const int right = std::clamp(static_cast<int>(part.right), left, image.size.width);
  const int bottom = std::clamp(static_cast<int>(part.bottom), top, image.size.height);
  Image cut{{right - left, bottom - top}, {}};
  for (int row = top; row < bottom; ++row) {
    const auto line = static_cast<size_t>(row) * static_cast<size_t>(image.size.width);
    const auto from = image.pixels.begin() + static_cast<ptrdiff_t>((line + static_cast<size_t>(left)) * 3);
    cut.pixels.insert(cut.pixels.end(), from, from + (right - left) * 3);
  }
  return cut;
}

drawing::Rect area_of(const ExportWish& wish, PixelSize size) {
  const PanelPlace* panel = find_panel(wish.panel);
  return panel != nullptr
             ? panel->area
             : drawing::Rect{0, 0, static_cast<float>(size.width), static_cast<float>(size.height)};
}

Result<void> write_text(const std::string& text, const fs::path& path) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) return fail("{} cannot be written; check the permissions of the folder.", path.string());
  return {};
}

}  // namespace

Exporter::Exporter(session::Workspace& workspace, session::AppFlags& flags, fs::path folder,
                   std::function<void()> wake)
    : workspace_(workspace), flags_(flags), folder_(std::move(folder)), wake_(std::move(wake)) {}

Exporter::~Exporter() {
  cancelled_ = true;
  film_.reset();
  if (work_.joinable()) work_.join();
}

void Exporter::before_frame() {
  if (film_ != nullptr) film_->before_frame();
  const auto& wish = flags_.exports.wish;
  if (!wish) return;
  if (frames_left_ < 0) frames_left_ = session::is_table(wish->kind) ? 1 : kFramesOfAMenu;
  due_ = --frames_left_ == 0;
  if (due_ && wish->kind == ExportKind::svg) plain_.emplace();
}

void Exporter::after_frame(const Image& image) {
  if (due_) {
    const ExportWish wish = *std::exchange(flags_.exports.wish, std::nullopt);
    due_ = false;
    frames_left_ = -1;
    begin(wish, image);
    plain_.reset();
  }
  session::ExportState& exports = flags_.exports;
  if (std::exchange(exports.cancel, false)) cancelled_ = true;
  if (film_ != nullptr && film_->takes_frame())
    film_->add(part_of(image, area_of(film_->wish(), image.size)));
  if (film_ != nullptr && (film_->ended() || cancelled_)) end_film();
  exports.done = done_;
  exports.of = of_;
  if (finished_) take_result();
}

void Exporter::take_result() {
  work_.join();
  finished_ = false;
  flags_.exports.running.clear();
  workspace_.state().note = std::exchange(sentence_, {});
}

fs::path Exporter::new_file(std::string_view end) const {
  const std::string name = fs::path(workspace_.state().experiment.kernel).filename().string();
  return session::fresh_path(folder_, name, end);
}

void Exporter::begin(const ExportWish& wish, const Image& image) {
  if (work_.joinable()) {
    workspace_.state().note = fmt::format("{} is still being written.", flags_.exports.running);
    return;
  }
  if (session::is_table(wish.kind)) return begin_table(wish.kind == ExportKind::csv);
  if (session::is_range(wish.kind)) return begin_film(wish);
  begin_picture(wish, image);
}

void Exporter::start(std::string name, std::function<std::string()> work) {
  flags_.exports.running = std::move(name);
  cancelled_ = false;
  done_ = of_ = 0;
  work_ = std::thread([this, work = std::move(work)] {
    sentence_ = work();
    finished_ = true;
    if (wake_) wake_();
  });
}

void Exporter::begin_picture(const ExportWish& wish, const Image& image) {
  const drawing::Rect area = area_of(wish, image.size);
  if (wish.kind == ExportKind::svg) {
    const fs::path path = new_file(".svg");
    auto picture = std::make_shared<drawing::VectorPicture>(drawing::vector_picture(*ImGui::GetDrawData()));
    return start(path.filename().string(), [=] {
      return saved_sentence(write_picture_file(drawing::svg_of(*picture, area), path.string()), path);
    });
  }
  auto cut = std::make_shared<Image>(part_of(image, area));
  if (wish.kind == ExportKind::clipboard)
    return start("the picture", [=] {
      const Result<void> copied = copy_picture(*cut);
      return copied ? std::string("The picture is copied.") : copied.error().message;
    });
  const fs::path path = new_file(".png");
  start(path.filename().string(), [=] { return saved_sentence(write_png(*cut, path.string()), path); });
}

void Exporter::begin_table(bool csv) {
  const session::ViewState& state = workspace_.state();
  if (state.compiled == nullptr) {
    workspace_.state().note = "There are no figures yet.";
    return;
  }
  lessons::FigureInput input;
  input.compiled = state.compiled;
  if (state.block != nullptr && state.block->compiled == state.compiled) input.block = state.block;
  if (state.grid != nullptr && state.grid->compiled == state.compiled) input.grid = state.grid;
  if (input.block != nullptr)
    input.timed = scenes::timed_of(*input.block, state.timings.live.get(), state.timings.recordings);
  const std::shared_ptr<const experiment::ModelResult> model =
      state.places != nullptr ? state.model : nullptr;
  const experiment::Experiment shown = state.experiment;
  const fs::path path = new_file(csv ? ".csv" : ".json");
  start(path.filename().string(), [this, input, model, shown, path, csv]() mutable {
    if (model != nullptr)
      if (auto report = experiment::report_model(*input.compiled, shown, model->device, &cancelled_); report)
        input.model = *report;
    if (cancelled_) return std::string("The export was cancelled.");
    const auto rows = lessons::figure_rows(input);
    return saved_sentence(
        write_text(csv ? lessons::figures_csv(rows) : lessons::figures_json(rows, shown), path), path);
  });
}

void Exporter::begin_film(const ExportWish& wish) {
  std::string why = session::why_no_range(workspace_.state(), wish.range);
  if (why.empty() && wish.kind != ExportKind::frames) why = why_no_film();
  fs::path output = new_file(wish.kind == ExportKind::gif   ? ".gif"
                             : wish.kind == ExportKind::mp4 ? ".mp4"
                                                            : " pictures");
  const fs::path shown = output;
  if (why.empty() && wish.kind == ExportKind::frames) {
    std::error_code error;
    if (!fs::create_directory(output, error))
      why = fmt::format("{} cannot be written; check the permissions of the folder.", output.string());
    output /= "frame.png";
  }
  if (!why.empty()) {
    workspace_.state().note = why;
    return;
  }
  film_ = std::make_unique<Film>(workspace_, wish);
  start(shown.filename().string(),
        [this, queue = film_->queue(), output, shown, rate = wish.frames_per_second] {
          const auto note = [this] {
            ++done_;
            if (wake_) wake_();
          };
          const Result<void> written = write_film(*queue, output, rate, note, cancelled_);
          queue->refuse();
          if (!cancelled_) return saved_sentence(written, shown);
          std::error_code ignored;
          if (output != shown) fs::remove(shown, ignored);  // the folder, which is empty now
          return std::string("The export was cancelled.");
        });
  of_ = wish.range.count();
}

// A film that ends by itself, as another experiment is shown, has the pictures that were taken until then.
void Exporter::end_film() {
  if (film_->trouble().empty()) {
    film_.reset();
  } else {
    const std::string trouble = film_->trouble();
    film_.reset();
    workspace_.state().notices.push_back(trouble);
  }
}

}  // namespace gemmscope::shell
