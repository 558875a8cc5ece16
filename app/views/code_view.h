// CUDA source and machine code side by side; the cursor's instruction and its line are marked in both.
#pragma once

#include "drawing/canvas.h"
#include "views/view_state.h"

namespace gemmscope::views {

class CodeView {
 public:
  void draw(ViewState& state);  // into the current panel

 private:
  // A list of lines that scrolls by itself to keep the marked one in sight.
  struct Pane {
    float scroll = 0;      // pixels, as the wheel moves it
    float drawn_from = 0;  // the same at a whole row
    int marked = -1;       // the row that was marked last
    // Scrolls; returns the first row to draw.
    int begin(drawing::Canvas& canvas, drawing::Rect area, int rows, float row_height, int mark);
  };
  void draw_source(ViewState& state, drawing::Rect area, drawing::Canvas& canvas);
  void draw_included_line(const ViewState& state, drawing::Rect& area, drawing::Canvas& canvas);
  const std::vector<std::string>& source_lines(const ViewState& state);
  int marked_row(const ViewState& state, const std::vector<std::string>& lines) const;
  void draw_sass(ViewState& state, drawing::Rect area, drawing::Canvas& canvas);

  Pane source_, sass_;
  std::string broken_source_;  // that does not compile, while there is one
  std::vector<std::string> broken_lines_;
};

}  // namespace gemmscope::views
