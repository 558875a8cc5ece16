// Two experiments side by side: their pictures, what changed as a table, their code as an aligned diff. A is
// the pinned one, B the live one.
#pragma once

#include <map>

#include "scenes/code_diff.h"
#include "scenes/code_marks.h"
#include "scenes/comparison.h"
#include "session/view_state.h"
#include "views/edit_menu.h"
#include "views/map_view.h"
#include "views/picture_view.h"

namespace gemmscope::views {

// The results of both sides, to see when they change.
struct ComparedResults {
  const void *block_a = nullptr, *block_b = nullptr, *grid_a = nullptr, *grid_b = nullptr;
  const void *time_a = nullptr, *time_b = nullptr, *live = nullptr;
  friend bool operator==(const ComparedResults&, const ComparedResults&) = default;
};
ComparedResults results_of(const session::ViewState& state);

// Each draws into the current panel. state.compares() holds.
class ComparePictures {
 public:
  void draw(const session::ViewState& state, session::Requests& requests, PictureView& pictures);

 private:
  MapView map_a_, map_b_;
};

class CompareTable {
 public:
  void draw(const session::ViewState& state);

 private:
  ComparedResults of_;
  scenes::Comparison comparison_;
};

class CompareCode {
 public:
  void draw(const session::ViewState& state, session::Requests& requests);

 private:
  void derive(const session::ViewState& state);
  void draw_toolbar(const session::ViewState& state, session::Requests& requests);
  void draw_rows(const session::ViewState& state, session::Requests& requests, drawing::Rect area,
                 drawing::Canvas& canvas);
  const scenes::CodeDiff& shown() const { return sass_shown_ ? sass_ : source_; }

  ComparedResults of_;
  scenes::CodeDiff source_, sass_;
  std::vector<scenes::CodeMark> marks_;  // of B's machine code
  EditMenu menu_;
  bool sass_shown_ = false;
  float scroll_ = 0;   // pixels
  int marked_ = -1;    // the row of the cursor when it was last made visible
  bool first_ = true;  // nothing was shown of this diff yet
};

}  // namespace gemmscope::views
