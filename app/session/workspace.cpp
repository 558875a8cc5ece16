#include "session/workspace.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiment/recording.h"
#include "own_kernel/open_kernel.h"
#include "session/command_table.h"
#include "session/device_choice.h"
#include "session/explorer_state.h"
#include "session/lesson_waiting.h"
#include "session/open_file.h"
#include "session/settings.h"

namespace gemmscope::session {

using experiment::BlockResult;
using experiment::Experiment;

namespace {

constexpr double kWatchSeconds = 0.5;
// Below this speed a shared access is shown wavefront by wavefront.
constexpr float kWavefrontSpeed = 20;

// Another kernel may need a later architecture: then says so.
std::string raise_architecture(const catalog::Catalog& catalog, const Experiment& now, Experiment& next) {
  const catalog::Kernel* const kernel = next.kernel == now.kernel ? nullptr : catalog.find(next.kernel);
  if (kernel == nullptr) return {};
  const isa::Arch before = std::exchange(next.arch, experiment::arch_for(*kernel, next.arch));
  if (next.arch == before) return {};
  return fmt::format("{} needs {}: it was chosen in place of {}.", next.kernel, isa::arch_name(next.arch),
                     isa::arch_name(before));
}

}  // namespace

Workspace::Workspace(std::function<void()> wake, Experiment first, const catalog::Kernel* extra_kernel)
    : catalog_(catalog::read_catalog(catalog::kernels_folder())),
      history_(std::move(first)),
      worker_(wake),
      bench_(wake),
      board_(wake),
      lattice_(wake),
      lessons_(std::move(wake)) {
  if (extra_kernel != nullptr && extra_kernel->opened) add_kernel(*extra_kernel);
  state_.catalog = &catalog_;
  state_.experiment = history_.current();
  submit(false);
}

void Workspace::set_recordings(std::vector<experiment::Timings> recordings) {
  (void)experiment::renumber_kernels(recordings, catalog_);
  state_.timings.recordings = std::move(recordings);
  ++state_.timings.version;
}

void Workspace::submit(bool whole_grid_anyway) {
  state_.experiment = history_.current();
  state_.failure.reset();
  state_.grid_skipped.reset();
  cancelled_ = false;
  const catalog::Kernel* kernel = catalog_.find(state_.experiment.kernel);
  if (kernel == nullptr) {
    std::string message =
        fmt::format("There is no kernel \"{}\" in the catalogue.", state_.experiment.kernel);
    if (const catalog::Kernel* renumbered = catalog_.find_renumbered(state_.experiment.kernel))
      message = fmt::format("{} is now {}.", state_.experiment.kernel, renumbered->id);
    for (const Error& error : catalog_.errors) message += "\n" + error.message;
    state_.failure = experiment::StageFailure{experiment::Stage::compile, {std::move(message), {}}};
    generation_ = 0;  // results on their way belong to another experiment
    state_.judged = true;
    return;
  }
  attend_to(*kernel);
  experiment::Job job{state_.experiment, *kernel, whole_grid_anyway, nullptr};
  // The machine code stays the same when only the block changes, or when the grid is run on request.
  if (state_.block != nullptr && state_.compiled == state_.block->compiled) {
    Experiment same = state_.block->experiment;
    same.block = state_.experiment.block;
    if (same == state_.experiment && state_.compiled->kernel.source == kernel->source)
      job.compiled = state_.compiled;
  }
  state_.judged = job.compiled != nullptr;
  device_ = chosen_device(state_);
  job.device = device_;
  generation_ = worker_.submit(std::move(job));
}

// The kernel's toggles are those that keys change, and its file is watched.
void Workspace::attend_to(const catalog::Kernel& kernel) {
  const bool has_toggle =
      std::ranges::find(kernel.toggles, state_.toggle, &catalog::Toggle::name) != kernel.toggles.end();
  if (!has_toggle) state_.toggle.clear();
  watched_path_ = kernel.path;
  std::error_code ignored;
  watched_time_ = std::filesystem::last_write_time(watched_path_, ignored);
}

void Workspace::begin_frame(double seconds) {
  state_.hover = requests_.hover;
  requests_ = {};
  watch_file(seconds);
  take_results();
  go_on_with_scene();
  complete_pinned();
  note_occupancy(state_);
  follow_kernel(state_);
  bench_.update(state_);
  board_.update(state_);
  lattice_.update(state_);
  note_numbers(state_);
  advance(seconds);
  follow_pinned();
  requests_.command = advance_show_me(state_, seconds, worker_.busy() || state_.progress.has_value());
  if (std::string id = advance_lesson(seconds); !id.empty()) requests_.command = std::move(id);
}

void Workspace::take_results() {
  const bool finished = !worker_.busy();  // asked first, so that its last updates are among those taken
  for (experiment::Update& update : worker_.take()) {
    if (take_pinned_result(update) || update.generation != generation_) continue;
    if (auto* progress = std::get_if<experiment::Progress>(&update.what)) state_.progress = *progress;
    if (auto* offer = std::get_if<experiment::Offer>(&update.what)) state_.offer = *offer;
    if (auto* compiled = std::get_if<std::shared_ptr<const experiment::CompiledKernel>>(&update.what)) {
      state_.judged = true;
      if (take_refused_code(**compiled)) continue;
      pin_original();
      select_after_change(**compiled);
      state_.compiled = *compiled;
      state_.hover = {};  // its instruction and line belong to the old code
      state_.code.mark = -1;
    }
    if (auto* bits = std::get_if<std::shared_ptr<const experiment::BitsCompared>>(&update.what))
      state_.code_edit.bits = *bits;
    if (auto* block = std::get_if<std::shared_ptr<const BlockResult>>(&update.what)) show_block(*block);
    if (auto* grid = std::get_if<std::shared_ptr<const experiment::GridResult>>(&update.what))
      state_.grid = *grid;
    if (auto* model = std::get_if<std::shared_ptr<const experiment::ModelResult>>(&update.what))
      show_model(*model);
    if (auto* time = std::get_if<std::shared_ptr<const experiment::ModelledTime>>(&update.what))
      state_.modelled_time = *time;
    if (auto* none = std::get_if<experiment::NotModelled>(&update.what)) drop_model(std::move(none->why));
    if (auto* skipped = std::get_if<experiment::GridSkipped>(&update.what)) state_.grid_skipped = *skipped;
    if (auto* failure = std::get_if<experiment::StageFailure>(&update.what)) {
      state_.judged = true;
      state_.failure = std::move(*failure);
      state_.code.mark = -1;
      if (state_.failure->failure.until_fault != nullptr) show_fault(state_.failure->failure);
    }
  }
  if (finished) state_.progress.reset();
}

void Workspace::advance(double seconds) {
  if (!state_.playback.playing || !state_.has_trace()) return;
  if (advance_cycles(seconds)) return;
  // A slow frame must not make the picture jump by more than a moment.
  owed_steps_ += std::min(seconds, 0.25) * state_.playback.steps_per_second;
  const auto whole = static_cast<int>(owed_steps_);
  owed_steps_ -= whole;
  if (whole > 0) {
    const size_t before = state_.cursor.record;
    move_by(whole);
    if (state_.cursor.record == before) state_.playback.playing = false;  // the end
  }
  const int passes = scenes::wavefront_count(*state_.block, state_.cursor.record);
  if (state_.playback.steps_per_second < kWavefrontSpeed && passes > 1)
    state_.cursor.wavefront = std::clamp(static_cast<int>(owed_steps_ * passes), 0, passes - 1);
}

void Workspace::watch_file(double seconds) {
  since_watched_ += seconds;
  if (since_watched_ < kWatchSeconds || watched_path_.empty()) return;
  since_watched_ = 0;
  std::error_code missing;
  const auto time = std::filesystem::last_write_time(watched_path_, missing);
  if (missing || time == watched_time_) return;
  watched_time_ = time;
  const catalog::Kernel* old = catalog_.find(state_.experiment.kernel);
  if (old == nullptr || old->path != watched_path_) return;
  Result<catalog::Kernel> kernel = own_kernel::reread_kernel(*old);
  if (!kernel) {
    state_.failure = experiment::StageFailure{experiment::Stage::compile, {kernel.error().message, {}}};
    return;
  }
  for (catalog::Kernel& known : catalog_.kernels)
    if (known.id == kernel->id) known = std::move(*kernel);
  ++state_.catalog_version;
  submit(false);
}

void Workspace::add_kernel(catalog::Kernel kernel) {
  ++state_.catalog_version;
  for (catalog::Kernel& known : catalog_.kernels)
    if (known.id == kernel.id) {
      known = std::move(kernel);
      return;
    }
  catalog_.kernels.push_back(std::move(kernel));
}

void Workspace::end_frame() {
  const Requests requests = std::exchange(requests_, {});
  requests_.hover = requests.hover;
  if (!requests.open_file.empty()) open_file(requests.open_file);
  if (requests.form) act_on_form(*requests.form);
  std::vector<std::string>& due = state_.lesson.commands;
  if (!due.empty() && requests.command == due.front()) due.erase(due.begin());  // the caller ran it
  if (requests.lesson) act_on_lesson(*requests.lesson);
  if (requests.experiment || requests.cursor || !requests.open_file.empty()) stop_show_me();
  if (requests.timing_choice) state_.timings.choice = *requests.timing_choice;
  state_.timings.roofline_shown = requests.roofline_shown;
  if (requests.experiment) set_experiment(*requests.experiment, requests.experiment_continues);
  if (requests.follow_warp) follow(*requests.follow_warp);
  if (requests.cycles_per_second) state_.playback.cycles_per_second = *requests.cycles_per_second;
  if (requests.steps_per_second) state_.playback.steps_per_second = *requests.steps_per_second;
  if (requests.cursor || requests.step || requests.cycle) pause();  // a jump
  if (requests.cursor && state_.has_trace()) seek(*requests.cursor);
  if (requests.pipeline) state_.pipeline = *requests.pipeline;
  if (requests.step) to_step(*requests.step);
  if (requests.cycle) seek_cycle(*requests.cycle);
  if (requests.run_whole_grid) run_whole_grid();
  if (requests.lattice) state_.lattice.choice = *requests.lattice;
  if (requests.code) state_.code = *requests.code;
  if (requests.map) state_.map.set(*requests.map);
  if (requests.compare) state_.pinned.choice = *requests.compare;
  if (requests.pinned_cursor) seek_pinned(*requests.pinned_cursor);
  if (requests.picture) {
    state_.picture = *requests.picture;
    state_.picture_of = state_.experiment.kernel;
    state_.pipeline.open = *requests.picture == catalog::Picture::pipeline;
    if (state_.pipeline.open) state_.picture = catalog::Picture::none;
  }
  if (requests.occupancy) {
    state_.occupancy.choice = *requests.occupancy;
    note_occupancy(state_, requests.occupancy_continues);
  }
  if (requests.explorer) act_on(state_, *requests.explorer);
  if (requests.board) state_.board.choice = *requests.board;
  if (requests.gpu_runner) use_gpu_runner(*requests.gpu_runner);
  if (generation_ != 0 && chosen_device(state_) != device_) submit(false);
}

void Workspace::choose_device(const std::string& id) {
  const auto& devices = runnable_devices();
  const auto device = std::ranges::find(devices, id, &RunnableDevice::id);
  if (device == devices.end()) return;
  state_.timings.choice.model_device = id;
  Experiment next = state_.experiment;
  next.arch = device->arch;
  set_experiment(std::move(next));
}

void Workspace::use_gpu_runner(const std::string& command) {
  TimingState& timings = state_.timings;
  timings.gpu_runner = command;
  timings.choice.measure = true;
  Settings settings = load_settings().value_or(Settings{});
  settings.gpu_runner = command;
  const Result<void> saved = save_settings(settings);
  timings.runner_note = saved ? "" : saved.error().message;
  bench_.try_again(timings);
}

void Workspace::set_experiment(Experiment next, bool continues) {
  if (std::string why = raise_architecture(catalog_, state_.experiment, next); !why.empty())
    late_note_ = std::move(why);
  if (next == history_.current() && !state_.failure) return;
  continues ? history_.replace(std::move(next)) : history_.push(std::move(next));
  submit(false);
}
void Workspace::undo() {
  history_.undo();
  submit(false);
}
void Workspace::redo() {
  history_.redo();
  submit(false);
}

void Workspace::choose_kernel(int offset) {
  const auto count = static_cast<int>(catalog_.kernels.size());
  for (int i = 0; i < count; ++i) {
    if (catalog_.kernels[static_cast<size_t>(i)].id != state_.experiment.kernel) continue;
    const catalog::Kernel& chosen =
        catalog_.kernels[static_cast<size_t>(std::clamp(i + offset, 0, count - 1))];
    return set_experiment(experiment::with_kernel(state_.experiment, chosen.id));
  }
}

void Workspace::run_whole_grid() { submit(true); }

bool Workspace::computing() const {
  return (worker_.busy() && !cancelled_) || state_.lattice.running || !state_.timings.counting.finished() ||
         state_.timings.modelling || board_.busy() || lessons_.busy();
}

void Workspace::cancel() {
  const char* goes_on = worker_.busy()           ? "experiment.whole_grid"
                        : state_.lattice.running ? "lattice.go_on"
                                                 : "";
  if (worker_.busy()) {
    generation_ = worker_.cancel();
    cancelled_ = true;
    state_.judged = true;
    state_.progress.reset();
    if (state_.model == nullptr) state_.no_model = "It was cancelled.";
  }
  lattice_.cancel(state_.lattice);
  bench_.cancel(state_.timings);
  board_.cancel();
  lessons_.cancel();
  stop_waiting(state_.lesson);
  const Command* const missing = state_.commands == nullptr ? nullptr : state_.commands->find(goes_on);
  state_.note = missing == nullptr
                    ? "Cancelled."
                    : fmt::format("Cancelled. \"{}\" computes what is missing.", missing->title);
}

bool Workspace::animating() const {
  return state_.playback.playing || state_.show_me.running || !state_.lesson.settled();
}

}  // namespace gemmscope::session
