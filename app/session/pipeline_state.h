// What the user chose in the pipeline view: the range of time, the step that is followed, marks. Small enough
// to copy; a view asks for a change with a changed copy (Requests::pipeline).
#pragma once

#include <optional>
#include <vector>

#include "experiment/model_result.h"
#include "scenes/pipeline_place.h"

namespace gemmscope::session {

struct PipelineState {
  bool open = false;                          // the picture under the map
  bool wide = false;                          // shown over everything but the experiment
  scenes::CycleRange visible;                 // empty: not chosen yet
  double cycle = 0;                           // the cursor
  uint32_t block = 0;                         // of the timeline, whose stages are drawn
  std::optional<scenes::StepId> selected;     // whose cause and effects are shown
  std::optional<scenes::CycleRange> measure;  // dragged with the mouse
  std::vector<double> bookmarks;              // cycles, ascending
  bool align_at_pass = false;  // the pinned timeline starts with the block, or with the shown pass
  bool one_pass = false;       // the pass at the cursor is compared with the mean
};

}  // namespace gemmscope::session
