#include "shell/run.h"

#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "catalog/folders.h"
#include "drawing/draw_data_shapes.h"
#include "drawing/focus.h"
#include "drawing/font_files.h"
#include "drawing/fonts.h"
#include "drawing/instanced_bars.h"
#include "drawing/screen_language.h"
#include "drawing/session.h"
#include "experiment/devices.h"
#include "experiment/gpu_timing_device.h"
#include "language/current_language.h"
#include "session/autosave.h"
#include "session/documents_folder.h"
#include "session/export_range.h"
#include "session/foreign_commands.h"
#include "session/key_codes.h"
#include "shell/exporter.h"
#include "shell/film.h"
#include "shell/memory.h"
#include "shell/offscreen.h"
#include "shell/text_box_file.h"
#include "shell/window.h"

namespace gemmscope::shell {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

// The workspace, its commands and its frame, drawn to one target.
class App {
 public:
  App(RenderTarget& target, const Start& start)
      : target_(target),
        workspace_([&target] { target.wake(); }, start.experiment, &start.kernel),
        commands_(session::make_commands(workspace_, flags_)),
        own_kernel_(start.kernel.opened) {
    drawing::set_shader_folder(catalog::shaders_folder());
    workspace_.set_recordings(start.recordings);
    workspace_.state().timings.gpu_runner = start.gpu_runner;
    workspace_.state().commands = &commands_;
    workspace_.state().timings.runner_given = !start.gpu_runner.empty();
  }

  // Call it between begin_frame and end_frame of the target.
  void frame(FrameContent content, double seconds, bool typing) {
    workspace_.begin_frame(seconds);
    commands_.set_mode(flags_.present.on ? session::KeyMode::presenting : session::KeyMode::working);
    let_time_pass(seconds);
    if (content == FrameContent::timings) workspace_.state().timings.visible = true;
    if (content == FrameContent::lattice) workspace_.state().lattice.visible = true;
    if (content == FrameContent::pipeline) workspace_.state().pipeline.open = true;
    handle_keys(typing);
    for (const std::string& path : target_.take_dropped()) workspace_.open_file(path);
    workspace_.follow_pinned();  // keys moved the cursor
    follow_language();
    frame_.draw(workspace_, commands_, flags_, content,
                {static_cast<float>(target_.size().width), static_cast<float>(target_.size().height)},
                times_);
    if (const std::function<void()> then = std::exchange(flags_.then, {})) then();
    const session::Requests& requests = workspace_.requests();
    if (requests.experiment || requests.cursor || !requests.open_file.empty())
      flags_.tour.paused = flags_.tour.running;
    if (const std::string id = requests.command; !id.empty()) run(id);
    const bool keys_wait = requests.keys_wait;
    workspace_.end_frame();
    follow_focus();
    if (!flags_.clipboard.empty()) target_.copy(std::exchange(flags_.clipboard, {}));
    target_.set_zoom(flags_.present.on ? presenting_zoom() : flags_.zoom);
    const bool held = awaits_field() || keys_wait;
    target_.hold_input(held);
    target_.set_animating(workspace_.animating() || held || !waiting_keys_.empty() || flags_.tour.running ||
                          flags_.present.key_seconds > 0 || flags_.exports.wish || is_filming() ||
                          workspace_.state().flash.running() ||
                          workspace_.state().hover != workspace_.requests().hover);
  }

  // The kernel is a file of the user's.
  bool has_own_kernel() const { return own_kernel_; }

  session::Workspace& workspace() { return workspace_; }
  session::CommandTable& commands() { return commands_; }
  session::AppFlags& flags() { return flags_; }
  FrameTimes& times() { return times_; }

 private:
  // Keys that come together with a click wait for the next frame: what was clicked may be a text field.
  void handle_keys(bool typing) {
    std::vector<session::KeyEvent> events = std::exchange(waiting_keys_, {});
    for (const session::KeyEvent& event : target_.take_keys()) events.push_back(event);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
      waiting_keys_ = std::move(events);
      return;
    }
    for (const session::KeyEvent& event : events) {
      if (session::types_text(event.chord) && frame_.takes_keys(flags_)) continue;
      if (!typing && is_of_focus(event.chord)) continue;
      handle(event, typing);
    }
  }

  static bool is_of_focus(session::KeyChord chord) {
    namespace key = session::key;
    constexpr int kKeys[] = {key::kEnter, key::kSpace, key::kLeft,  key::kRight,
                             key::kUp,    key::kDown,  key::kEscape};
    return chord.modifiers == session::Modifiers::none && drawing::control_has_focus() &&
           std::ranges::find(kKeys, chord.key) != std::end(kKeys);
  }

  // A language whose font or table is not there is refused with a sentence.
  void follow_language() {
    if (flags_.language == language::current_language()) return;
    if (const Result<void> shown = drawing::show_language(flags_.language, catalog::assets_folder());
        !shown) {
      workspace_.state().note = shown.error().message;
      flags_.language = language::current_language();
    }
  }

  // Where the window has no room for the experiment, its fields need it alone.
  void follow_focus() {
    drawing::move_focus(std::exchange(flags_.focus_move, 0));
    if (flags_.focus_field.empty()) return;
    if (target_.size().width <= drawing::px(772)) flags_.enlarged = session::Panel::experiment;
    if (flags_.enlarged != session::Panel::experiment) flags_.enlarged = session::Panel::none;
    // The panel is drawn once before its fields can be found.
    if (++focus_frames_ < 3) return;
    focus_frames_ = 0;
    drawing::focus_named(std::exchange(flags_.focus_field, {}));
  }

  // A field that a command has opened becomes active within a few frames; letters wait for it, but not for
  // one that never comes.
  bool awaits_field() {
    constexpr int kMostFrames = 8;
    const bool asked = !flags_.focus_field.empty() || drawing::field_is_coming() ||
                       (frame_.opens_field(flags_) && !ImGui::IsAnyItemActive());
    waited_frames_ = asked ? waited_frames_ + 1 : 0;
    return asked && waited_frames_ <= kMostFrames;
  }

  // On top of the target's own scale, which a monitor with small pixels may have made large already.
  float presenting_zoom() const {
    const float own = target_.ui_scale() / target_.zoom();
    const float wall = drawing::ui_scale_on_a_wall(target_.size().width, target_.size().height);
    return std::max(flags_.present.zoom * wall / own, flags_.zoom);
  }

  // Of what is shown for a while.
  void let_time_pass(double seconds) {
    session::ViewState& state = workspace_.state();
    state.flash.advance(seconds);
    flags_.present.key_seconds = std::max(0.0, flags_.present.key_seconds - seconds);
    const bool waiting = workspace_.waiting() || state.progress.has_value();
    if (const std::string id = session::advance_tour(flags_.tour, seconds, waiting); !id.empty()) run(id);
  }

  // Of a menu, a button, a lesson's page, "Show me" or the tour.
  void run(const std::string& id) {
    forget_refusal();
    // What a page sets up is not what the teacher pressed.
    const std::vector<std::string>& of_page = workspace_.state().lesson.commands;
    const bool shows = of_page.empty() || of_page.front() != id;
    if (const Result<void> ran = commands_.run(id); !ran)
      refuse(ran.error().message);
    else if (shows)
      show_key(*commands_.find(id));
    else
      workspace_.state().note.clear();  // nobody asked for what it would say
  }

  // A refusal stands until the next command.
  void refuse(std::string why) { workspace_.state().note = refusal_ = std::move(why); }
  void forget_refusal() {
    std::string& note = workspace_.state().note;
    if (!refusal_.empty() && note == refusal_) note.clear();
    refusal_.clear();
  }

  // A class sees which key did it.
  void show_key(const session::Command& command) {
    if (flags_.present.on) flags_.present.show_key(commands_.key_text(command.id), command.title);
  }

  // A command by key stops what "Show me" does and closes the cards, unless it began them.
  void handle(const session::KeyEvent& event, bool typing) {
    const bool showed = workspace_.state().show_me.running, cards = flags_.show_start;
    // Who presses Escape wants to leave something; where nothing is left there is nothing to say.
    const bool leaves = event.chord.key == session::key::kEscape;
    if (std::string why = commands_.refusal(event, typing); !why.empty() && !leaves) refuse(std::move(why));
    const session::Command* const command = commands_.find(event.chord);
    const bool black = flags_.present.black;
    if (!commands_.handle(event, typing)) return;
    forget_refusal();
    if (black) flags_.present.black = false;
    if (cards) flags_.show_start = false;
    show_key(*command);
    if (!command->interrupts) return;
    if (showed) workspace_.stop_show_me();
    flags_.tour.paused = flags_.tour.running;
  }

  RenderTarget& target_;
  session::Workspace workspace_;
  session::AppFlags flags_;
  session::CommandTable commands_;
  Frame frame_;
  FrameTimes times_;
  std::vector<session::KeyEvent> waiting_keys_;
  std::string refusal_;   // what refuse() said last
  int focus_frames_ = 0;  // since a field was asked for
  int waited_frames_ = 0;
  bool own_kernel_;
};

// A frame whose picture nobody wants.
Result<void> lay_out_frame(App& app, Offscreen& target, FrameContent content) {
  if (!target.begin_frame()) return fail("the picture was cancelled");
  app.frame(content, 0, false);
  target.lay_out_frame();
  return {};
}

// Lays out frames until there is a block (or an error). Pictures are drawn after that.
Result<void> wait_for_picture(App& app, Offscreen& target, FrameContent content) {
  while (app.workspace().state().block == nullptr) {
    if (const auto& failure = app.workspace().state().failure) return fail("{}", failure->failure.message);
    if (Result<void> laid_out = lay_out_frame(app, target, content); !laid_out) return laid_out;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  // The picture includes the whole grid's counters where they are computed automatically.
  while (app.workspace().waiting() || app.workspace().state().progress) {
    app.workspace().begin_frame(0);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  // A run that ended in a fault can be drawn: the trace up to the fault, and the mark at its place.
  if (const auto& failure = app.workspace().state().failure; failure && !failure->failure.fault)
    return fail("{}", failure->failure.message);
  return {};
}

// Lets the commands of the open page run, one a frame, until its figures are there.
Result<void> wait_for_page(App& app, Offscreen& target, FrameContent content) {
  const session::LessonState& lesson = app.workspace().state().lesson;
  if (lesson.open_page() == nullptr) return {};
  while (!lesson.settled() || lesson.values == nullptr) {
    if (Result<void> ready = wait_for_picture(app, target, content); !ready) return ready;
    if (Result<void> laid_out = lay_out_frame(app, target, content); !laid_out) return laid_out;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return wait_for_picture(app, target, content);
}

Result<void> open_page(App& app, Offscreen& target, const std::string& name, FrameContent content) {
  if (Result<void> opened = app.workspace().open_page_named(name); !opened) return opened;
  return wait_for_page(app, target, content);
}

// A lattice that is shown is computed to its end, which takes up to a minute.
void wait_for_lattice(App& app) {
  const session::LatticeState& lattice = app.workspace().state().lattice;
  const auto waits = [&] {
    return lattice.visible && lattice.none.empty() && (lattice.lattice == nullptr || lattice.running);
  };
  while (waits()) {
    app.workspace().begin_frame(0);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

// The bytes of the roofline's points are counted and modelled, which takes some seconds.
Result<void> wait_for_roofline(App& app, Offscreen& target, FrameContent content) {
  constexpr double kMostSeconds = 600;
  const session::TimingState& timings = app.workspace().state().timings;
  const Clock::time_point start = Clock::now();
  const auto waits = [&] {
    return !timings.counting.finished() || !timings.modelled_count.finished() || timings.modelling;
  };
  // What is to be counted is known after the first frames. Nothing is drawn afterwards: that would take the
  // time of the counting.
  constexpr int kFirstFrames = 3;
  for (int i = 0; timings.visible && i < kFirstFrames; ++i) {
    if (Result<void> laid_out = lay_out_frame(app, target, content); !laid_out) return laid_out;
  }
  while (timings.visible && waits() && seconds_between(start, Clock::now()) < kMostSeconds) {
    app.workspace().begin_frame(0);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return {};
}

// The comma-separated words of a list.
std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> words;
  for (size_t begin = 0; begin < list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    words.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

// Plays, or runs one of the commands in each frame. A command that is not enabled changes nothing.
FrameTimeSummary play_and_measure(App& app, Offscreen& target, FrameContent content, int frames,
                                  const std::vector<std::string>& commands) {
  constexpr int kWarmUpFrames = 10;
  std::vector<float> milliseconds;
  app.workspace().state().playback.steps_per_second = 60;
  if (commands.empty()) app.workspace().play_or_pause();
  for (int i = 0; i < frames + kWarmUpFrames; ++i) {
    const Clock::time_point start = Clock::now();
    if (!commands.empty()) (void)app.commands().run(commands[static_cast<size_t>(i) % commands.size()]);
    if (!target.begin_frame()) break;
    app.frame(content, 1.0 / 60, false);
    target.end_frame();
    target.finish();
    if (i >= kWarmUpFrames)
      milliseconds.push_back(static_cast<float>(seconds_between(start, Clock::now()) * 1e3));
  }
  return summarize(milliseconds);
}

// What could not be read, as the command line says it.
void note_troubles(App& app, const Window& window) {
  std::vector<std::string>& notices = app.workspace().state().notices;
  for (const std::string& warning : window.warnings()) notices.push_back(warning);
  for (const Error& error : experiment::shipped_devices().errors) notices.push_back(error.message);
}

// The experiment that is remembered, where the command line names none.
Start start_remembered(Start start, const Memory& memory) {
  if (start.experiment_given || memory.settings().kernel.empty()) return start;
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  start.experiment = memory.experiment(start.experiment, catalog);
  if (const catalog::Kernel* kernel = catalog.find(start.experiment.kernel)) start.kernel = *kernel;
  return start;
}

// Offers what a window left that was not closed.
void offer_left(App& app, session::Autosave& autosave) {
  std::optional<session::LeftScene> left = autosave.find_left();
  if (!left) return;
  const std::string sentence =
      fmt::format("The last window was not closed properly. It can be restored: {}, as of {}.",
                  left->scene.experiment.kernel, left->saved_at);
  app.flags().left = {sentence, [&app, &autosave, left = *std::move(left)](bool restore) {
                        if (restore)
                          if (Result<void> opened = app.workspace().open_scene(left.scene); !opened)
                            app.workspace().state().note = opened.error().message;
                        autosave.answer_left(left, restore);
                      }};
}

WindowOptions window_options(const session::Settings& settings) {
  WindowOptions options;
  if (settings.window_width > 0 && settings.window_height > 0)
    options.size = {settings.window_width, settings.window_height};
  options.zoom = settings.zoom;
  return options;
}

}  // namespace

Result<void> run_window(const Start& start) {
  Memory memory = Memory::load();
  drawing::add_font_folder(catalog::fonts_folder());
  Result<std::unique_ptr<Window>> window = Window::open(window_options(memory.settings()));
  if (!window) return tl::unexpected(window.error());
  write_text_boxes_if_asked();
  App app(**window, start_remembered(start, memory));
  memory.restore(app.workspace(), app.flags(), start.experiment_given);
  if (start.language) app.flags().language = *start.language;
  note_troubles(app, **window);
  // Nothing plays by itself: the cards say where to start.
  app.flags().show_start =
      !app.has_own_kernel() && start.open_file.empty() && start.lesson.empty() && !start.scene;
  if (!start.open_file.empty()) app.workspace().open_file(start.open_file);
  if (start.scene)
    if (Result<void> opened = app.workspace().open_scene(*start.scene); !opened)
      app.workspace().state().notices.push_back(opened.error().message);
  if (!start.lesson.empty())
    if (Result<void> opened = app.workspace().open_page_named(start.lesson); !opened)
      app.workspace().state().notices.push_back(opened.error().message);
  session::Autosave autosave(session::autosave_folder(), [&window] { (*window)->wake(); });
  offer_left(app, autosave);
  Exporter exporter(app.workspace(), app.flags(), session::documents_folder(),
                    [&window] { (*window)->wake(); });
  bool measuring_allowed = false;
  Clock::time_point last = Clock::now();
  for (;;) {
    exporter.before_frame();
    if (!(*window)->begin_frame()) break;
    const Clock::time_point now = Clock::now();
    const double seconds = seconds_between(last, now);
    last = now;
    app.frame(FrameContent::all, seconds, ImGui::GetIO().WantTextInput);
    const Clock::time_point drawn = Clock::now();
    Image image;
    (*window)->end_frame(exporter.wants_image() ? &image : nullptr, exporter.shows_frame());
    exporter.after_frame(image);
    autosave.update(app.workspace().state());
    for (std::string& notice : autosave.take_notices())
      app.workspace().state().notices.push_back(std::move(notice));
    app.times().add(seconds_between(now, drawn) * 1e3);
    if (!measuring_allowed)  // the first picture is there
      app.workspace().allow_measuring(
          [](const std::string& runner) { return experiment::make_gpu_timing_device(runner); });
    measuring_allowed = true;
    (*window)->set_fullscreen(app.flags().full_screen);
    memory.update(app.workspace(), app.flags(), (*window)->windowed_size(), seconds);
    if (app.flags().quit) (*window)->close();
  }
  memory.update(app.workspace(), app.flags(), (*window)->windowed_size(), 0, true);
  app.flags().left.reset();
  autosave.finish();
  return {};
}

namespace {

// Where no time passes, "Show me" is its commands.
std::vector<std::string> jumps_of(App& app, const std::string& list) {
  std::vector<std::string> commands;
  for (const std::string& command : words_of(list)) {
    const catalog::Kernel* kernel = app.workspace().catalog().find(app.workspace().state().experiment.kernel);
    if (command == "lesson.show_me" && kernel != nullptr) {
      std::vector<std::string> shown = kernel->show_me;
      (void)session::take_out_foreign(shown, kernel->id);
      commands.insert(commands.end(), shown.begin(), shown.end());
    } else
      commands.push_back(command);
  }
  return commands;
}

// Runs the commands one after the other, as a user would: after each there is a frame, and the picture that
// it asked for.
Result<void> run_commands(App& app, Offscreen& target, const PictureRequest& request) {
  for (const std::string& command : jumps_of(app, request.jump)) {
    if (Result<void> ran = app.commands().run(command); !ran) return ran;
    if (Result<void> laid_out = lay_out_frame(app, target, request.content); !laid_out) return laid_out;
    if (Result<void> ready = wait_for_picture(app, target, request.content); !ready) return ready;
  }
  return {};
}

// The first frames compute the layout; the last one becomes the image, if one is wanted.
Result<void> draw_frames(App& app, Offscreen& target, FrameContent content, int frames, Image* image) {
  for (int i = image == nullptr ? 0 : 1; i < frames; ++i)
    if (Result<void> laid_out = lay_out_frame(app, target, content); !laid_out) return laid_out;
  if (image == nullptr) return {};
  if (!target.begin_frame()) return fail("the picture was cancelled");
  app.frame(content, 0, false);
  target.end_frame(image);
  return {};
}

Result<void> draw_range(App& app, Offscreen& target, const PictureRequest& request) {
  const session::ExportRange& range = *request.range;
  if (range.unit == session::RangeUnit::cycles) app.workspace().state().pipeline.open = true;
  if (const std::string why = session::why_no_range(app.workspace().state(), range); !why.empty())
    return fail("--range {}: {}", session::range_text(range), why);
  for (int64_t i = 0; i < range.count(); ++i) {
    session::seek_in_range(app.workspace(), range.unit, range.first + i * range.every);
    Image image;
    if (Result<void> drawn = draw_frames(app, target, request.content, 2, &image); !drawn) return drawn;
    if (Result<void> taken = request.each_picture(image, i + 1, range.count()); !taken) return taken;
  }
  return {};
}

}  // namespace

Result<PictureResult> render_picture(const Start& start, const PictureRequest& request) {
  drawing::add_font_folder(catalog::fonts_folder());
  Result<std::unique_ptr<Offscreen>> target = Offscreen::create({request.size, std::nullopt, 1});
  if (!target) return tl::unexpected(target.error());
  drawing::set_current_theme(request.light ? drawing::Theme::light : drawing::Theme::dark);
  if (Result<void> shown = drawing::show_language(request.language, catalog::assets_folder()); !shown)
    return tl::unexpected(shown.error());
  App app(**target, start);
  app.flags().language = request.language;
  if (request.counted) app.workspace().allow_counting();
  app.workspace().state().board.wide = request.content == FrameContent::board;
  Result<void> ready = wait_for_picture(app, **target, request.content);
  if (ready && start.scene) ready = app.workspace().open_scene(*start.scene);
  if (ready && start.scene) ready = wait_for_picture(app, **target, request.content);
  if (ready && !start.lesson.empty()) ready = open_page(app, **target, start.lesson, request.content);
  if (!ready) return tl::unexpected(ready.error());
  session::Workspace& workspace = app.workspace();
  const auto warps = static_cast<int>(workspace.state().block->trace.warp_count);
  if (request.warp >= warps) return fail("--warp {}: the block has {} warps", request.warp, warps);
  workspace.follow(request.warp);
  if (request.step) {
    const size_t steps = scenes::step_count(*workspace.state().block, request.warp);
    if (*request.step >= steps) return fail("--step {}: there are {} steps", *request.step, steps);
    workspace.seek(
        {scenes::record_at(*workspace.state().block, request.warp, *request.step), scenes::kAllWavefronts});
  }
  if (Result<void> ran = run_commands(app, **target, request); !ran) return tl::unexpected(ran.error());
  if (ready = wait_for_page(app, **target, request.content); !ready) return tl::unexpected(ready.error());
  wait_for_lattice(app);
  if (request.counted) ready = wait_for_roofline(app, **target, request.content);
  if (!ready) return tl::unexpected(ready.error());
  if (request.wavefront) workspace.step_wavefront(*request.wavefront + 1);
  PictureResult result;
  result.renderer = (*target)->renderer();
  if (request.benchmark_frames > 0)
    result.frames = play_and_measure(app, **target, request.content, request.benchmark_frames,
                                     words_of(request.each_frame));
  // The first frame computes the layout that later frames need; the mouse takes one more frame, until its
  // tooltip is there.
  SimulatedInput input;
  input.mouse = request.mouse;
  (*target)->set_input(input);
  constexpr int kFrames = 4;
  Image* const image = request.drawn ? &result.image : nullptr;
  if (ready = draw_frames(app, **target, request.content, kFrames, image); !ready)
    return tl::unexpected(ready.error());
  if (request.range)
    if (Result<void> drawn = draw_range(app, **target, request); !drawn) return tl::unexpected(drawn.error());
  if (request.vector) {
    const drawing::PlainEdges plain;
    if (ready = lay_out_frame(app, **target, request.content); !ready) return tl::unexpected(ready.error());
    result.shapes = drawing::vector_picture(*ImGui::GetDrawData());
  }
  for (const drawing::Point point : request.then_mouse) {
    input.mouse = point;
    (*target)->set_input(input);
    if (ready = lay_out_frame(app, **target, request.content); !ready) return tl::unexpected(ready.error());
  }
  return result;
}

}  // namespace gemmscope::shell
