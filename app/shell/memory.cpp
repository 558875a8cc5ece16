#include "shell/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "drawing/palette.h"
#include "language/current_language.h"
#include "session/guess_store.h"

namespace gemmscope::shell {
namespace {

using session::Settings;

constexpr double kSettleSeconds = 1;

// The toggles that the kernel still has, with values that it still has.
std::map<std::string, int64_t> known_toggles(const catalog::Kernel& kernel,
                                             const std::map<std::string, int64_t>& toggles) {
  std::map<std::string, int64_t> known;
  for (const catalog::Toggle& toggle : kernel.toggles)
    if (const auto found = toggles.find(toggle.name); found != toggles.end())
      if (std::ranges::find(toggle.values, found->second) != toggle.values.end()) known.insert(*found);
  return known;
}

// The inputs that the kernel still has.
std::map<std::string, std::string> known_inputs(const catalog::Kernel& kernel,
                                                const std::map<std::string, std::string>& inputs) {
  std::map<std::string, std::string> known;
  for (const catalog::Input& input : kernel.inputs)
    if (const auto found = inputs.find(input.name); found != inputs.end()) known.insert(*found);
  return known;
}

Settings collect(Settings settings, const session::Workspace& workspace, const session::AppFlags& flags,
                 PixelSize window) {
  const session::ViewState& state = workspace.state();
  const experiment::Experiment& e = state.experiment;
  settings.light = !drawing::is_dark(drawing::current_theme());
  settings.language = language::language_code(flags.language);
  settings.zoom = flags.zoom;
  settings.presenting_zoom = flags.present.zoom;
  settings.recently_found = flags.recently_found;
  settings.window_width = window.width;
  settings.window_height = window.height;
  settings.panels = flags.panels;
  const catalog::Kernel* kernel = workspace.catalog().find(e.kernel);
  settings.file = kernel != nullptr && kernel->opened ? kernel->path.string() : "";
  settings.kernel = e.kernel;
  const catalog::Problem& p = e.problem;
  settings.sizes = {p.m, p.n, p.k};
  if (std::isfinite(p.alpha)) settings.alpha = p.alpha;  // JSON knows no infinity
  if (std::isfinite(p.beta)) settings.beta = p.beta;
  settings.toggles = e.toggles;
  settings.inputs = e.inputs;
  settings.arch = isa::sm_number(e.arch);
  settings.steps_per_second = state.playback.steps_per_second;
  settings.cycles_per_second = state.playback.cycles_per_second;
  return settings;
}

}  // namespace

Memory Memory::load() {
  Memory memory;
  Result<Settings> settings = session::load_settings();
  if (settings) {
    memory.settings_ = memory.latest_ = *std::move(settings);
    return memory;
  }
  const Result<std::filesystem::path> aside = session::set_settings_aside();
  // What happened comes first: a menu has room for a few words.
  memory.notice_ = aside ? fmt::format("The settings start anew; the unreadable file was set aside as {}. {}",
                                       aside->string(), settings.error().message)
                         : settings.error().message + " " + aside.error().message;
  return memory;
}

experiment::Experiment Memory::experiment(experiment::Experiment experiment,
                                          const catalog::Catalog& catalog) const {
  const catalog::Kernel* kernel = catalog.find(settings_.kernel);
  if (kernel == nullptr) return experiment;
  experiment = experiment::with_kernel(std::move(experiment), kernel->id);
  const auto [m, n, k] = settings_.sizes;
  experiment.problem = {m, n, k, settings_.alpha, settings_.beta};
  experiment.toggles = known_toggles(*kernel, settings_.toggles);
  experiment.inputs = known_inputs(*kernel, settings_.inputs);
  for (const isa::Arch arch : isa::kAllArchs)
    if (isa::sm_number(arch) == settings_.arch) experiment.arch = arch;
  return experiment;
}

void Memory::restore(session::Workspace& workspace, session::AppFlags& flags, bool experiment_given) const {
  drawing::set_current_theme(settings_.light ? drawing::Theme::light : drawing::Theme::dark);
  flags.language = settings_.language.empty() ? language::language_of_environment()
                                              : language::language_named(settings_.language);
  flags.zoom = settings_.zoom;
  flags.present.zoom = settings_.presenting_zoom;
  flags.recently_found = settings_.recently_found;
  flags.panels = settings_.panels;
  session::ViewState& state = workspace.state();
  state.playback.steps_per_second = settings_.steps_per_second;
  state.playback.cycles_per_second = settings_.cycles_per_second;
  if (!state.timings.runner_given) state.timings.gpu_runner = settings_.gpu_runner;
  if (!notice_.empty()) state.notices.push_back(notice_);
  std::string no_guesses;
  state.lesson.answers = session::load_guesses_or_set_aside(no_guesses);
  if (!no_guesses.empty()) state.notices.push_back(no_guesses);
  std::error_code error;
  if (!experiment_given && !settings_.file.empty() && std::filesystem::is_regular_file(settings_.file, error))
    workspace.open_file(settings_.file);
}

void Memory::keep_guesses(session::Workspace& workspace) {
  session::LessonState& lesson = workspace.state().lesson;
  if (lesson.answers_version == guesses_version_) return;
  guesses_version_ = lesson.answers_version;
  const Result<void> saved = session::save_guesses(lesson.answers);
  if (!saved) lesson.trouble = saved.error().message;
}

void Memory::update(session::Workspace& workspace, const session::AppFlags& flags, PixelSize window,
                    double seconds, bool now) {
  keep_guesses(workspace);
  Settings settings = collect(settings_, workspace, flags, window);
  unchanged_seconds_ = settings == latest_ ? unchanged_seconds_ + seconds : 0;
  latest_ = settings;
  if (settings == settings_ || failed_ || (!now && unchanged_seconds_ < kSettleSeconds)) return;
  // The runner's command line is written when it is typed (Workspace::use_gpu_runner).
  settings.gpu_runner = session::load_settings().value_or(settings_).gpu_runner;
  failed_ = !session::save_settings(settings);
  settings_ = latest_ = settings;
}

}  // namespace gemmscope::shell
