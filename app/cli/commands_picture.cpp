// render, report: pictures of an experiment without a window.
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/counters_output.h"
#include "cli/findings_output.h"
#include "cli/output.h"
#include "cli/with_compiled.h"
#include "drawing/vector_picture.h"
#include "experiment/pipeline.h"
#include "experiment/recording.h"
#include "language/current_language.h"
#include "own_kernel/launch_form.h"
#include "own_kernel/open_kernel.h"
#include "session/export_range.h"
#include "session/scene_store.h"
#include "shell/picture_sequence.h"
#include "shell/run.h"

namespace gemmscope::cli {
namespace {

using shell::FrameContent;

constexpr std::pair<const char*, FrameContent> kViews[] = {{"all", FrameContent::all},
                                                           {"map", FrameContent::map},
                                                           {"banks", FrameContent::banks},
                                                           {"code", FrameContent::code},
                                                           {"transport", FrameContent::transport},
                                                           {"experiment", FrameContent::experiment},
                                                           {"timings", FrameContent::timings},
                                                           {"lattice", FrameContent::lattice},
                                                           {"occupancy", FrameContent::occupancy},
                                                           {"explorer", FrameContent::explorer},
                                                           {"pipeline", FrameContent::pipeline},
                                                           {"board", FrameContent::board}};

Result<shell::PixelSize> parse_size(const std::string& text) {
  shell::PixelSize size;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%dx%d%c", &size.width, &size.height, &rest) != 2 || size.width < 1 ||
      size.height < 1)
    return fail("--size {}: expected WIDTHxHEIGHT in pixels, such as 1920x1080", text);
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

// Pictures of the panel under the map that are no view of their own, by their tab.
constexpr std::pair<const char*, const char*> kTabs[] = {
    {"sectors", "picture.show_sectors"}, {"ports", "picture.show_ports"}, {"atomics", "picture.show_atomics"},
    {"traffic", "picture.show_traffic"}, {"loads", "picture.show_loads"}, {"mix", "picture.show_mix"}};

const char* command_of_tab(const std::string& text) {
  const auto* const found = std::ranges::find(kTabs, text, [](const auto& tab) { return tab.first; });
  return found == std::end(kTabs) ? nullptr : found->second;
}

Result<FrameContent> parse_view(const std::string& text) {
  if (command_of_tab(text) != nullptr) return FrameContent::banks;
  std::string known;
  for (const auto& [name, content] : kViews) {
    if (text == name) return content;
    known += fmt::format("{}, ", name);
  }
  for (const auto& [name, command] : kTabs)
    known += fmt::format("{}{}", name, name == std::rbegin(kTabs)->first ? "" : ", ");
  return fail("--view {}: expected one of {}", text, known);
}

tl::expected<shell::PictureRequest, ChoiceError> picture_request(const PictureOptions& picture) {
  const Result<shell::PixelSize> size = parse_size(picture.size);
  const Result<FrameContent> content = parse_view(picture.view);
  const Result<std::optional<drawing::Point>> mouse = parse_mouse(picture.mouse);
  if (!size) return tl::unexpected(ChoiceError{size.error().message, kBadUse});
  if (!content) return tl::unexpected(ChoiceError{content.error().message, kBadUse});
  if (!mouse) return tl::unexpected(ChoiceError{mouse.error().message, kBadUse});
  shell::PictureRequest request;
  request.size = *size;
  request.content = *content;
  request.mouse = *mouse;
  if (picture.step >= 0) request.step = static_cast<size_t>(picture.step);
  if (picture.wavefront >= 0) request.wavefront = picture.wavefront;
  request.warp = picture.all_warps ? scenes::kAllWarps : picture.warp;
  request.jump = picture.jump;
  if (const char* const tab = command_of_tab(picture.view))
    request.jump = request.jump.empty() ? tab : fmt::format("{},{}", tab, request.jump);
  request.counted = true;
  request.light = picture.light;
  request.language = language::language_named(picture.language);
  if (picture.benchmark) request.benchmark_frames = picture.frames;
  request.each_frame = picture.each_frame;
  return request;
}

// What the window opens with where the command line says nothing.
experiment::Experiment default_experiment() {
  const auto chosen = choose_experiment({});
  return chosen ? chosen->experiment : experiment::Experiment{};
}

// The recordings that ship with the program. One that cannot be read is reported; the others are still
// returned.
std::vector<experiment::Timings> shipped_recordings() {
  const experiment::Recordings read = experiment::read_recordings(experiment::recordings_folder());
  for (const Error& error : read.errors) print_error(error.message);
  std::vector<experiment::Timings> all;
  for (const experiment::RecordingFile& file : read.files)
    all.insert(all.end(), file.recording.begin(), file.recording.end());
  return all;
}

// Reads the scene of the command line; none where it names none.
Result<void> chosen_scene(const std::string& named, std::optional<session::SavedScene>& scene) {
  if (named.empty()) return {};
  auto read = session::read_scene(named);
  if (!read) return tl::unexpected(read.error());
  scene = *std::move(read);
  return {};
}

// Whoever asked for progress has gone, or has asked for the end.
bool input_is_closed() {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  if (poll(&input, 1, 0) <= 0) return false;
  char rest[64];
  return read(STDIN_FILENO, rest, sizeof rest) == 0;
}

// Passes each picture of the range on; `sequence` must outlive the request.
Result<void> ask_for_range(const PictureOptions& picture, shell::PictureRequest& request,
                           std::unique_ptr<shell::PictureSequence>& sequence) {
  if (picture.range.empty()) {
    if (shell::is_film(picture.output)) return fail("--output {}: a film needs --range.", picture.output);
    return {};
  }
  const Result<session::ExportRange> range = session::parse_range(picture.range);
  if (!range) return fail("--range {}", range.error().message);
  auto begun = shell::PictureSequence::create(picture.output, request.size, picture.frames_per_second);
  if (!begun) return tl::unexpected(begun.error());
  sequence = *std::move(begun);
  request.range = *range;
  request.each_picture = [&sequence, said = picture.progress](const shell::Image& image, int64_t number,
                                                              int64_t of) -> Result<void> {
    if (said && input_is_closed()) return fail("The export was cancelled.");
    if (Result<void> added = sequence->add(image); !added) return added;
    if (said) {
      fmt::print("{} of {}\n", number, of);
      std::fflush(stdout);
    }
    return {};
  };
  return {};
}

// As an SVG or a PNG, by the end of its name; a range is written already.
Result<void> write_result(const shell::PictureResult& result, const PictureOptions& picture,
                          shell::PictureSequence* sequence) {
  if (sequence != nullptr) return sequence->finish();
  if (!result.shapes) return shell::write_png(result.image, picture.output);
  const drawing::Size size = result.shapes->size;
  return shell::write_picture_file(drawing::svg_of(*result.shapes, {0, 0, size.width, size.height}),
                                   picture.output);
}

// Draws the picture and writes it, unless only the frame time is wanted.
tl::expected<shell::PictureResult, ChoiceError> take_picture(const ChosenExperiment& chosen,
                                                             const PictureOptions& picture) {
  auto request = picture_request(picture);
  if (!request) return tl::unexpected(request.error());
  request->vector = std::filesystem::path(picture.output).extension() == ".svg";
  std::unique_ptr<shell::PictureSequence> sequence;
  if (const auto asked = ask_for_range(picture, *request, sequence); !asked)
    return tl::unexpected(ChoiceError{asked.error().message, kBadUse});
  std::optional<session::SavedScene> scene;
  if (const auto read = chosen_scene(picture.scene, scene); !read)
    return tl::unexpected(ChoiceError{read.error().message, kBadUse});
  Result<shell::PictureResult> result = shell::render_picture(
      {chosen.experiment, chosen.kernel, shipped_recordings(), "", {}, true, scene, picture.lesson},
      *request);
  if (!result) return tl::unexpected(ChoiceError{result.error().message, kFailed});
  if (!picture.benchmark || picture.output_given)
    if (const Result<void> written = write_result(*result, picture, sequence.get()); !written)
      return tl::unexpected(ChoiceError{written.error().message, kFailed});
  return std::move(*result);
}

struct Executed {
  std::shared_ptr<const experiment::GridResult> grid;
  std::shared_ptr<const experiment::BlockResult> block;
};
tl::expected<Executed, experiment::Failure> execute(const CompiledPointer& compiled,
                                                    const experiment::Experiment& e) {
  auto block = experiment::run_block(compiled, e, nullptr);
  if (!block) return tl::unexpected(block.error());
  auto grid = experiment::run_whole_grid(compiled, e, {});
  if (!grid) return tl::unexpected(grid.error());
  return Executed{*grid, *block};
}

void print_report(const CompiledPointer& compiled, const experiment::Experiment& e,
                  const Executed& executed) {
  print_heading(*compiled, e);
  print_resources(*compiled);
  print_verification(executed.grid->verification);
  print_summary(executed.grid->summary);
  fmt::print("\nshared memory of block ({}, {}, {})\n", e.block[0], e.block[1], e.block[2]);
  print_bank_rows(executed.block->banks, *compiled);
  print_findings(mistakes_of(*executed.grid), *compiled);
}

nlohmann::json report_json(const CompiledPointer& compiled, const experiment::Experiment& e,
                           const Executed& executed) {
  nlohmann::json banks = nlohmann::json::array();
  for (const metrics::BankRow& row : executed.block->banks) banks.push_back(bank_row_json(row, *compiled));
  return {{"experiment", experiment_json(e)},
          {"resources", resources_json(compiled->resources)},
          {"verification", verification_json(executed.grid->verification)},
          {"counters", summary_json(executed.grid->summary)},
          {"banks", banks},
          {"findings", findings_json(mistakes_of(*executed.grid), *compiled)}};
}

}  // namespace

std::vector<std::string> view_names() {
  std::vector<std::string> names;
  for (const auto& [name, content] : kViews) names.emplace_back(name);
  for (const auto& [name, command] : kTabs) names.emplace_back(name);
  return names;
}

int render_view(const ExperimentOptions& options, const PictureOptions& picture) {
  const auto chosen = choose_experiment(options);
  if (!chosen) return print_error(chosen.error().message), chosen.error().exit_code;
  const auto result = take_picture(*chosen, picture);
  if (!result) return print_error(result.error().message), result.error().exit_code;
  const shell::FrameTimeSummary& times = result->frames;
  const shell::PixelSize size = result->image.size;
  if (options.json) {
    print_json({{"output", picture.output},
                {"width", size.width},
                {"height", size.height},
                {"renderer", result->renderer},
                {"frames", times.frames},
                {"p50_ms", times.p50_ms},
                {"p99_ms", times.p99_ms},
                {"max_ms", times.max_ms}});
  } else if (picture.benchmark) {
    fmt::print("{} frames of {}x{} with {}: median {:.1f} ms, 99th percentile {:.1f} ms, longest {:.1f} ms\n",
               times.frames, size.width, size.height, result->renderer, times.p50_ms, times.p99_ms,
               times.max_ms);
  } else {
    fmt::print("{}\n", picture.output);
  }
  return 0;
}

namespace {

std::optional<Language> chosen_language(const std::string& code) {
  return code.empty() ? std::nullopt : std::optional(language::language_named(code));
}

}  // namespace

int open_window(const ExperimentOptions& options, const WindowOptions& window) {
  std::optional<session::SavedScene> scene;
  if (const auto read = chosen_scene(window.scene, scene); !read)
    return print_error(read.error().message), kBadUse;
  auto chosen = choose_experiment(options);
  std::filesystem::path to_mend;
  // A file that says too little opens in the window, which has a form for the rest.
  if (!chosen && own_kernel::is_kernel_file(options.kernel) && own_kernel::fill_form(options.kernel, {})) {
    print_note(chosen.error().message);
    to_mend = options.kernel;
    ExperimentOptions without_file;
    without_file.arch = options.arch;
    without_file.m = options.m, without_file.n = options.n, without_file.k = options.k;
    without_file.alpha = options.alpha, without_file.beta = options.beta;
    chosen = choose_experiment(without_file);
  }
  if (!chosen) return print_error(chosen.error().message), chosen.error().exit_code;
  const bool given = !options.kernel.empty() || !(chosen->experiment == default_experiment());
  const Result<void> closed =
      shell::run_window({chosen->experiment, chosen->kernel, shipped_recordings(), window.gpu_runner, to_mend,
                         given, scene, window.lesson, chosen_language(window.language)});
  if (closed) return 0;
  constexpr const char* kFolder = "out";
  fmt::print("{} The report follows; pictures of all views are written to {}/.\n", closed.error().message,
             kFolder);
  return write_report(options, kFolder);
}

int write_report(const ExperimentOptions& options, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return print_error(fmt::format("the folder {} cannot be created: {}", folder, error.message()));
  return with_compiled(options, [&](const CompiledPointer& compiled, const ChosenExperiment& chosen) {
    const auto executed = execute(compiled, chosen.experiment);
    if (!executed) return print_failed_run(executed.error(), *compiled, chosen.experiment, options.json);
    nlohmann::json json = report_json(compiled, chosen.experiment, *executed);
    if (!options.json) print_report(compiled, chosen.experiment, *executed);
    for (const auto& [name, content] : kViews) {
      if (content == FrameContent::lattice) continue;  // it takes a minute
      PictureOptions picture;
      picture.view = name;
      picture.output = (std::filesystem::path(folder) / fmt::format("{}.png", name)).string();
      if (content == FrameContent::transport) picture.size = "1920x200";
      if (const auto taken = take_picture(chosen, picture); !taken)
        return print_error(taken.error().message), taken.error().exit_code;
      json["pictures"].push_back(picture.output);
      if (!options.json) fmt::print("{}\n", picture.output);
    }
    if (options.json) print_json(json);
    return executed->grid->verification.right() ? 0 : kFailed;
  });
}

}  // namespace gemmscope::cli
