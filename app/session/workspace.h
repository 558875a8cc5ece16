// The state of the running program apart from its window: the experiment, its results, time, and what happens
// in a frame before and after drawing. It does not use Dear ImGui, so tests drive it.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>

#include "catalog/catalog.h"
#include "experiment/history.h"
#include "experiment/worker.h"
#include "scenes/access_anchor.h"
#include "schedule/edit.h"
#include "session/device_board.h"
#include "session/lattice_bench.h"
#include "session/lesson_desk.h"
#include "session/scene_file.h"
#include "session/timing_bench.h"
#include "session/view_state.h"

namespace gemmscope::session {

class Workspace {
 public:
  // `wake` is called from another thread when a result has arrived. `extra_kernel`: a file of the user's,
  // added to the catalogue.
  Workspace(std::function<void()> wake, experiment::Experiment first,
            const catalog::Kernel* extra_kernel = nullptr);

  // Takes results, advances time by `seconds`, and checks whether the kernel's file has changed.
  void begin_frame(double seconds);
  // Acts on what the views asked for. Leaves commands in requests() for the caller.
  void end_frame();

  // With `continues` this change and the one before are one step to undo.
  void set_experiment(experiment::Experiment next, bool continues = false);
  void undo();
  void redo();
  bool can_undo() const { return history_.can_undo(); }
  bool can_redo() const { return history_.can_redo(); }
  void choose_kernel(int offset);  // the next (+1) or previous one of the catalogue
  void run_whole_grid();
  // Ends everything that is being computed; what is there already stays. `run_whole_grid` and any change go
  // on.
  void cancel();
  bool computing() const;
  // Adds a CUDA file of the user's to the catalogue, in place of a kernel of its name, and shows it. If the
  // file is wrong, the experiment panel shows the failure and the picture stays.
  void open_file(const std::filesystem::path& path);

  // Opens the form of the launch of the user's file that is shown, or that could not be opened last
  // (workspace_form.cpp). What was typed for a file is kept until the program ends.
  void open_form();
  bool can_open_form() const { return !form_path().empty(); }

  // ---- lessons
  void show_me();  // runs what the kernel's description lists, from its default toggles on
  void stop_show_me() { state_.show_me.running = false; }
  void open_lesson(const std::string& kernel);  // with its defaults, at the default size, where it opens

  // (workspace_course.cpp)
  void read_lessons() { lessons_.open(state_.lesson); }  // unless they were read before
  void open_lessons();                                   // shows the list, or the page that was open
  void open_page(size_t lesson, size_t page);            // shows its experiment
  Result<void> open_page_named(
      const std::string& name);  // "10_memory_and_banks" or "10_memory_and_banks/column"
  void turn_page(int offset);    // beyond the last page: the next lesson
  void answer_page();            // gives the draft as the answer
  void reveal_page();            // without an answer
  void collect_for_class();      // adds the draft to the guesses of the class
  void ask_page_again();         // forgets what was guessed

  // With the machine code that it runs (device_choice.h).
  void choose_device(const std::string& id);

  // ---- scenes (workspace_scene.cpp)
  // Shows what was saved. What it has pinned is executed first, and the rest is shown once that is there.
  // Errors: a kernel, a lesson that is not there; a kernel's text that cannot be read.
  Result<void> open_scene(const SavedScene& scene);

  // ---- timings
  void set_recordings(std::vector<experiment::Timings> recordings);
  void allow_counting() { bench_.allow_counting(); }
  // Allows measuring where there is a GPU: see TimingBench::allow.
  void allow_measuring(TimingBench::MakeDevice make_device) { bench_.allow(std::move(make_device)); }
  // Measures with the runner of this command line from now on, and remembers it (session/settings.h).
  void use_gpu_runner(const std::string& command);

  // ---- time (workspace_cursor.cpp). What the user moves pauses the playback; a jump that finds nothing says
  // so in ViewState::note.
  void seek(scenes::Cursor cursor);
  void step(int count);  // of the followed warp
  void step_wavefront(int count);
  void to_start();
  void to_end();
  void to_event(scenes::Event event, bool forward);
  void play_or_pause();
  void change_speed(float factor);
  void follow(int warp);

  // ---- time on the modelled timeline (workspace_pipeline.cpp)
  void seek_cycle(double cycle);
  void to_step(scenes::StepId id);
  void to_stall(bool forward);  // of the followed warp
  void to_cause();              // what the step at the cursor waited for
  void to_effect();             // what waited for it
  void bookmark();              // sets one at the cursor, or removes it
  void to_bookmark(bool forward);
  std::optional<scenes::StepId> step_at_cursor() const;

  // ---- two experiments side by side (workspace_compare.cpp)
  void pin();          // what is shown, or unpins what is pinned
  void swap_pinned();  // makes the pinned experiment the live one, and the other way round; at once
  bool can_swap() const { return state_.compares(); }
  void seek_pinned(scenes::Cursor cursor);  // moves the live cursor to what this one of A shows
  void
  follow_pinned();  // moves A's cursor to what the live one shows; begin_frame and keys may have moved it

  // ---- code
  void to_instruction(uint32_t instruction);
  // Goes to the next (previous) instruction in the ranking by `column`; without a column, in the last ranking
  // used.
  void to_worst(std::optional<scenes::CodeColumn> column, bool forward);
  void to_most(scenes::KeyNumber number);  // the instruction that contributes most to it
  void sort_instructions();                // worst first; called again: in the order of the code
  void to_mark(bool forward);              // goes to the next (previous) mistake and wraps around

  // ---- changes of the machine code (workspace_edit.cpp)
  void schedule_loop();       // by the pass over the main loop; called again: the compiler's code
  void use_compilers_code();  // without any change
  void edit_code(schedule::EditKind kind, int value);  // of edited_instruction; says why where it cannot

  bool animating() const;  // something moves without input
  bool waiting() const { return worker_.busy() || board_.busy() || after_pin_.has_value(); }
  ViewState& state() { return state_; }
  const ViewState& state() const { return state_; }
  Requests& requests() { return requests_; }
  const catalog::Catalog& catalog() const { return catalog_; }

 private:
  void submit(bool whole_grid_anyway);
  void take_results();
  bool take_pinned_result(const experiment::Update& update);
  void complete_pinned();
  void show_kept(ViewState& side);
  void submit_kept(const ViewState& side);
  void attend_to(const catalog::Kernel& kernel);
  void show_block(std::shared_ptr<const experiment::BlockResult> block);
  Result<bool> add_saved_kernel(SavedExperiment& saved);
  Result<void> show_scene(SavedScene scene, bool continues);
  void show_saved(const SavedExperiment& saved, bool new_text, bool continues);
  void go_on_with_scene();
  void restore_place();
  void anchor_cursor(const experiment::BlockResult& next);
  void place_cursor(bool same_kernel, bool both_products);
  void move_by(int steps);  // of the followed warp, without a pause
  void pause();
  void show_fault(const experiment::Failure& failure);
  bool take_refused_code(const experiment::CompiledKernel& compiled);
  void pin_original();
  void select_after_change(const experiment::CompiledKernel& next);
  void show_model(std::shared_ptr<const experiment::ModelResult> model);
  void drop_model(std::string why);
  void cycle_of_cursor();
  bool advance_cycles(double seconds);  // false where time does not move in cycles
  void advance(double seconds);
  void watch_file(double seconds);
  void add_kernel(catalog::Kernel kernel);
  void show_file(catalog::Kernel kernel);
  std::filesystem::path form_path() const;
  void offer_form(const std::filesystem::path& path);
  void act_on_form(FormRequest request);
  void act_on_lesson(const LessonRequest& request);
  void show_page_experiment(const experiment::Experiment& experiment,
                            const std::vector<std::string>& commands);
  void show_revealed();
  bool asked_for_point();
  bool show_instead();
  std::string advance_lesson(double seconds);  // id of the command that is due; empty: none
  void use_form(own_kernel::LaunchForm form);

  catalog::Catalog catalog_;
  experiment::History history_;
  experiment::Worker worker_;
  uint64_t generation_ = 0, pinned_generation_ = 0;  // 0: nothing was asked for
  std::string device_;                               // that was asked for with it (chosen_device)
  bool cancelled_ = false;                           // the user ended the work on the current experiment
  struct Followed {                                  // what A's cursor was placed by
    const experiment::BlockResult *live = nullptr, *pinned = nullptr;
    scenes::Cursor cursor;
    int warp = 0;
    scenes::Pairing pairing = scenes::Pairing::access;
    double cycle = 0;
    friend bool operator==(const Followed&, const Followed&) = default;
  } followed_;
  ViewState state_;
  Requests requests_;
  TimingBench bench_;
  DeviceBoard board_;
  LatticeBench lattice_;
  LessonDesk lessons_;
  struct CursorPlace {
    scenes::Cursor cursor;
    int followed = 0;
    friend bool operator==(const CursorPlace&, const CursorPlace&) = default;
  };
  std::optional<scenes::AccessAnchor>
      anchor_;          // what the cursor shows; none: where its kernel's picture opens
  CursorPlace placed_;  // where the last block put the cursor
  std::optional<scenes::Anchored> same_instruction_;  // in the next block, if only its machine code changed
  std::string late_note_;                             // the note once the next block is there
  std::optional<SavedPlace> saved_place_;             // of a scene, until its block is there
  std::optional<SavedScene> after_pin_;  // the scene, until the block of what it has pinned is there
  std::shared_ptr<const experiment::BlockResult> before_pin_;  // what was shown before that
  bool opened_ = false;      // the cursor is where its kernel's picture opened
  bool opens_anew_ = false;  // so will be the next block's, whatever the cursor shows
  double owed_steps_ = 0;    // steps of playback that are due, with fractions
  double since_watched_ = 0;
  std::filesystem::file_time_type watched_time_{};
  std::filesystem::path watched_path_;
  // ---- what was typed for the user's files, by absolute path
  std::map<std::filesystem::path, catalog::Overrides> given_;
  std::map<std::filesystem::path, own_kernel::LaunchForm> unfinished_;  // closed without being used
  std::filesystem::path refused_;  // the file that could not be opened last
};

}  // namespace gemmscope::session
