// Draws CUDA source and machine code with what each line did (scenes/code_scene.h). The cursor's instruction,
// its line, the lines that called it and every mistake are marked in both.
#pragma once

#include <map>
#include <span>

#include "drawing/canvas.h"
#include "scenes/code_scene.h"
#include "session/view_state.h"
#include "views/edit_menu.h"

namespace gemmscope::views {

// The code choice that the user asks for in this frame; later requests of the frame change it further.
inline scenes::CodeChoice& asked_code(const session::ViewState& state, session::Requests& requests) {
  if (!requests.code) requests.code = state.code;
  return *requests.code;
}

class CodeView {
 public:
  void draw(const session::ViewState& state, session::Requests& requests);  // into the current panel

 private:
  // A list of rows that scrolls by itself to keep the marked row visible.
  struct Pane {
    float scroll = 0;       // pixels, as the wheel moves it
    float drawn_from = 0;   // `scroll` rounded to a whole row
    int marked = -1;        // the row that was marked last
    drawing::Size shape;    // of the last frame: a row's height and all rows' place's
    bool in_sight = false;  // the marked row was, in the last frame
    int sideways = 0;       // characters that are hidden at the left
    int longest = 0;        // characters of the longest line
    // Scrolls and returns the first row to draw. `reveal`: a row to show now, or −1.
    int begin(drawing::Canvas& canvas, const scenes::CodePane& place, int rows, int mark, int reveal);
  };
  enum class Grip : uint8_t { none, splitter, source_bar, sass_bar, source_side, sass_side };

  // The results that the rows and counts were derived from.
  struct Derived {
    std::shared_ptr<const experiment::CompiledKernel> compiled;
    std::shared_ptr<const experiment::BlockResult> block;
    std::shared_ptr<const experiment::GridResult> grid;
    std::shared_ptr<const experiment::ModelResult> model;
    const metrics::Counters* counters = nullptr;
    std::string failure;
    scenes::CodeColumn rank_by = scenes::CodeColumn::executions;
    bool sorted = false, hidden = false;  // hidden: until a question is answered
    size_t source_lines = 0;
    int source_characters = 0, sass_characters = 0;
    friend bool operator==(const Derived&, const Derived&) = default;
  };

  void draw_toolbar(const session::ViewState& state, session::Requests& requests);
  void derive_counts(const session::ViewState& state);
  void derive_rows(const session::ViewState& state, const scenes::CodeLayout& layout, float character);
  void drag(const session::ViewState& state, session::Requests& requests, const scenes::CodeLayout& layout,
            drawing::Canvas& canvas);
  void scroll_to(Pane& pane, const scenes::CodePane& place, float y, size_t rows);

  void draw_source(const session::ViewState& state, session::Requests& requests, scenes::CodePane place,
                   drawing::Canvas& canvas);
  void draw_sass(const session::ViewState& state, session::Requests& requests, const scenes::CodePane& place,
                 drawing::Canvas& canvas);
  void draw_frames_beside(const session::ViewState& state, scenes::CodePane& place, drawing::Canvas& canvas);
  void draw_heads(const session::ViewState& state, session::Requests& requests, const scenes::CodePane& place,
                  drawing::Canvas& canvas, const std::string& title, const std::string& short_title,
                  bool error);
  void draw_cells(drawing::Canvas& canvas, const scenes::CodePane& place, drawing::Rect row,
                  const scenes::CodeCount& count, const scenes::CodeCount& most) const;
  // Marks the warps that are at the instruction or line of a row.
  void draw_warps(drawing::Canvas& canvas, const scenes::CodePane& place, drawing::Rect row,
                  std::span<const int> warps) const;
  std::span<const int> warps_at_instruction(uint32_t instruction) const;
  std::span<const int> warps_at_line(int line) const;
  void derive_warps(const session::ViewState& state);
  void draw_sentence(const session::ViewState& state, session::Requests& requests, drawing::Canvas& canvas,
                     const scenes::CodePane& place, drawing::Rect row, const scenes::CodeRows& rows,
                     const scenes::CodeRow& line);
  void draw_scrollbars(drawing::Canvas& canvas, const scenes::CodePane& place, Pane& pane,
                       const scenes::CodeRows& rows);

  const std::vector<std::string>& source_lines(const session::ViewState& state);
  bool is_broken(const session::ViewState& state) const;
  int marked_line(const session::ViewState& state, const std::vector<std::string>& lines) const;

  Pane source_, sass_;
  EditMenu menu_;
  Grip grip_ = Grip::none;
  int warp_count_ = 0;  // 0: warps are not marked
  std::map<uint32_t, std::vector<int>> warps_of_instruction_;
  std::map<int, std::vector<int>> warps_of_line_;
  Derived counts_of_, rows_of_;
  bool has_counts_ = false;
  scenes::CodeCounts counts_;
  std::vector<scenes::CodeMark> marks_;
  scenes::CodeRows source_rows_, sass_rows_;
  uint32_t reveals_ = 0;       // reveals that were followed
  bool revealing_ = false;     // in this frame
  std::string broken_source_;  // the source that does not compile, while there is one
  std::vector<std::string> broken_lines_;
};

}  // namespace gemmscope::views
