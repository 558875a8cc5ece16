// render, report: pictures of an experiment without a window.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "experiment/pipeline.h"
#include "shell/run.h"

namespace gemmscope::cli {
namespace {

using shell::FrameContent;

constexpr std::pair<const char*, FrameContent> kViews[] = {{"all", FrameContent::all},
                                                           {"map", FrameContent::map},
                                                           {"banks", FrameContent::banks},
                                                           {"code", FrameContent::code},
                                                           {"transport", FrameContent::transport},
                                                           {"experiment", FrameContent::experiment}};

Result<shell::PixelSize> parse_size(const std::string& text) {
  shell::PixelSize size;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%dx%d%c", &size.width, &size.height, &rest) != 2 || size.width < 1 ||
      size.height < 1)
    return fail("--size {}: expected WIDTHxHEIGHT in pixels, as 1920x1080", text);
  return size;
}

Result<std::optional<drawing::Point>> parse_mouse(const std::string& text) {
  if (text.empty()) return std::nullopt;
  drawing::Point point;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%f,%f%c", &point.x, &point.y, &rest) != 2)
    return fail("--mouse {}: expected X,Y in pixels", text);
  return point;
}

Result<FrameContent> parse_view(const std::string& text) {
  std::string known;
  for (const auto& [name, content] : kViews) {
    if (text == name) return content;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", name);
  }
  return fail("--view {}: expected one of {}", text, known);
}

}  // namespace

int render_view(const ExperimentOptions& options, const PictureOptions& picture) {
  tl::expected<ChosenExperiment, ChoiceError> chosen = choose_experiment(options);
  if (!chosen) return print_error(chosen.error().message), chosen.error().exit_code;
  shell::PictureRequest request;
  const Result<shell::PixelSize> size = parse_size(picture.size);
  if (!size) return print_error(size.error().message), kBadUse;
  const Result<FrameContent> content = parse_view(picture.view);
  if (!content) return print_error(content.error().message), kBadUse;
  const Result<std::optional<drawing::Point>> mouse = parse_mouse(picture.mouse);
  if (!mouse) return print_error(mouse.error().message), kBadUse;
  request.mouse = *mouse;
  request.size = *size;
  request.content = *content;
  if (picture.step >= 0) request.step = static_cast<size_t>(picture.step);
  if (picture.wavefront >= 0) request.wavefront = picture.wavefront;
  request.warp = picture.all_warps ? -1 : picture.warp;
  request.jump = picture.jump;
  request.light = picture.light;
  if (picture.benchmark) request.benchmark_frames = picture.frames;
  const Result<shell::PictureResult> result =
      shell::render_picture({chosen->experiment, chosen->kernel}, request);
  if (!result) return print_error(result.error().message);
  if (!picture.benchmark || picture.output_given) {
    if (const Result<void> written = shell::write_png(result->image, picture.output); !written)
      return print_error(written.error().message);
  }
  if (options.json) {
    print_json({{"output", picture.output},
                {"width", size->width},
                {"height", size->height},
                {"renderer", result->renderer},
                {"frames", result->frames.frames},
                {"p50_ms", result->frames.p50_ms},
                {"p99_ms", result->frames.p99_ms},
                {"max_ms", result->frames.max_ms}});
  } else if (picture.benchmark) {
    fmt::print("{} frames of {}x{} with {}: median {:.1f} ms, 99th percentile {:.1f} ms, longest {:.1f} ms\n",
               result->frames.frames, size->width, size->height, result->renderer, result->frames.p50_ms,
               result->frames.p99_ms, result->frames.max_ms);
  } else {
    fmt::print("{}\n", picture.output);
  }
  return 0;
}

int open_window(const ExperimentOptions& options) {
  tl::expected<ChosenExperiment, ChoiceError> chosen = choose_experiment(options);
  if (!chosen) return print_error(chosen.error().message), chosen.error().exit_code;
  const Result<void> closed = shell::run_window({chosen->experiment, chosen->kernel});
  return closed ? 0 : print_error(closed.error().message);
}

int write_report(const ExperimentOptions& options, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return print_error(fmt::format("the folder {} cannot be made: {}", folder, error.message()));
  if (const int code = run_kernel(options); code != 0) return code;
  if (!options.json) {
    if (const int code = count_kernel(options, false); code != 0) return code;
    if (const int code = report_banks(options); code != 0) return code;
  }
  for (const auto& [name, content] : kViews) {
    PictureOptions picture;
    picture.view = name;
    picture.output = (std::filesystem::path(folder) / fmt::format("{}.png", name)).string();
    if (content == FrameContent::transport) picture.size = "1920x200";
    if (const int code = render_view(options, picture); code != 0) return code;
  }
  return 0;
}

}  // namespace gemmscope::cli
