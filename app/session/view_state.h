// The state that views share: the results they draw, the cursor they follow and what the mouse points at. A
// view reads it and writes what the user asks for into Requests: draw(const ViewState&, Requests&).
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "catalog/catalog.h"
#include "experiment/results.h"
#include "experiment/worker.h"
#include "own_kernel/launch_form.h"
#include "scenes/code_choice.h"
#include "scenes/cursor.h"
#include "scenes/playhead.h"
#include "scenes/selection.h"
#include "session/board_state.h"
#include "session/code_edit_state.h"
#include "session/flash_state.h"
#include "session/lattice_state.h"
#include "session/lesson_state.h"
#include "session/map_state.h"
#include "session/number_state.h"
#include "session/occupancy_state.h"
#include "session/pinned.h"
#include "session/pipeline_state.h"
#include "session/show_me.h"
#include "session/timing_state.h"

namespace gemmscope::session {

class CommandTable;
struct Explorer;         // session/explorer_state.h
struct ExplorerRequest;  // there, too

inline constexpr float kSlowestPlay = 1, kFastestPlay = 10'000;  // steps, or cycles, a second

struct Playback {
  bool playing = false;
  float steps_per_second = 8;
  float cycles_per_second = 200;  // while the pipeline is shown
  int warp = 0;  // whose steps are followed; scenes::kAllWarps: all, in the order of the trace
};

// What the user does with the form of a file's launch.
struct FormRequest {
  enum class Action : unsigned char { edit, choose_entry, use, close } action = Action::edit;
  own_kernel::LaunchForm form;
};

// What the user asked for in this frame. The shell acts on it after drawing.
struct Requests {
  scenes::Selection hover;  // what the mouse points at
  std::optional<experiment::Experiment> experiment;
  std::optional<scenes::Cursor> cursor;
  std::optional<int> follow_warp;
  std::optional<float> steps_per_second;
  std::optional<float> cycles_per_second;
  std::optional<double> cycle;         // the cursor, on the timeline
  std::optional<scenes::StepId> step;  // of the timeline, to follow
  std::optional<PipelineState> pipeline;
  std::string command;    // id of a command to run
  std::string open_file;  // path of a CUDA file
  std::optional<FormRequest> form;
  std::optional<LessonRequest> lesson;
  std::optional<experiment::TimingChoice> timing_choice;
  std::optional<scenes::CodeChoice> code;
  std::optional<scenes::MapView> map;
  std::optional<catalog::Picture> picture;  // under the map, for the kernel that is shown
  std::optional<BoardChoice> board;
  std::optional<LatticeChoice> lattice;
  std::optional<CompareChoice> compare;
  std::optional<scenes::Cursor> pinned_cursor;  // in the pinned experiment: the live one goes there, too
  std::optional<OccupancyChoice> occupancy;
  std::shared_ptr<const ExplorerRequest> explorer;
  std::optional<std::string> gpu_runner;  // new command line; empty: the runner beside the program
  // The change continues the one before it, as while a slider is dragged: all of it is one step to undo.
  bool experiment_continues = false, occupancy_continues = false;
  bool run_whole_grid = false;
  bool keys_wait = false;       // until it is known which field takes them
  bool roofline_shown = false;  // in this frame
};

struct ViewState {
  // ---- results; null while there is none
  std::shared_ptr<const experiment::CompiledKernel> compiled;
  std::shared_ptr<const experiment::BlockResult> block;
  std::shared_ptr<const experiment::GridResult> grid;
  std::optional<experiment::StageFailure> failure;  // of the current experiment; older results stay visible
  bool judged = true;                               // the current experiment has machine code, or has failed
  std::optional<experiment::GridSkipped> grid_skipped;
  std::optional<experiment::Progress> progress;  // while something runs
  uint64_t block_version = 0;                    // changes with `block`
  experiment::Offer offer;  // what can be chosen without NVRTC, of a kernel that was shown; null: anything
  const catalog::Catalog* catalog = nullptr;
  uint64_t catalog_version = 0;       // changes when a kernel of it changes
  experiment::Experiment experiment;  // as chosen; results may still belong to the one before

  // The model's results; null while there are none, and then why, if it is known.
  std::shared_ptr<const experiment::ModelResult> model;
  std::shared_ptr<const experiment::ModelledTime> modelled_time;
  std::string no_model;
  uint64_t model_version = 0;  // changes with `model`

  // ---- time
  std::unique_ptr<scenes::Playhead> playhead;      // of `block`
  std::unique_ptr<scenes::PipelinePlaces> places;  // of `block` and `model`; null without a model
  PipelineState pipeline;
  scenes::Cursor cursor;
  Playback playback;
  std::string
      note;  // what the last jump, or the last change, did not find: a sentence, until something moves

  scenes::Selection hover;  // what was pointed at in the last frame

  // What could not be read at the start (settings, fonts, a device's file), a sentence each, until dismissed.
  std::vector<std::string> notices;

  scenes::CodeChoice code;  // how the code is shown
  CodeEditState code_edit;  // and how it is changed
  TimingState timings;
  OccupancyState occupancy;
  std::shared_ptr<Explorer> explorer;  // the bank explorer; null until it is opened
  BoardState board;
  LatticeState lattice;
  LessonState lesson;
  NumberState numbers;
  ShowMeState show_me;
  MapState map;
  FlashState flash;
  PinnedState pinned;

  // The picture under the map that the user chose for the kernel `picture_of`; none: the picture that suits
  // the cursor.
  catalog::Picture picture = catalog::Picture::none;
  std::string picture_of;
  std::string toggle;                          // name of the toggle that keys change; empty: none
  std::optional<own_kernel::LaunchForm> form;  // of the launch of a file of the user's, while it is open

  const CommandTable* commands = nullptr;  // for the keys and titles that views show

  // The pipeline is shown and time moves in cycles.
  bool pipeline_is_open() const { return pipeline.open && model != nullptr && places != nullptr; }
  // Where the warps of the block are while time moves in cycles; else nothing.
  std::vector<scenes::WarpPlace> warp_places() const {
    return pipeline_is_open() ? places->warps_at(pipeline.block, pipeline.cycle)
                              : std::vector<scenes::WarpPlace>{};
  }
  bool compares() const { return pinned.side != nullptr && has_trace(); }
  bool has_trace() const { return block != nullptr && playhead != nullptr && !block->trace.records.empty(); }
  const machine::TraceRecord& record() const { return block->trace.records[cursor.record]; }
};

// The experiment with the toggles of a point of its lattice.
experiment::Experiment experiment_at(const ViewState& state, const experiment::LatticePoint& point);
// Why that experiment cannot be shown without NVRTC, a sentence; empty: it can.
std::string why_not_at(const ViewState& state, const experiment::LatticePoint& point);

}  // namespace gemmscope::session
