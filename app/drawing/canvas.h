// A drawing surface inside the current Dear ImGui window. Coordinates are pixels from the canvas' top left
// corner, so a scene lays out in (0,0)–size() and never sees the screen. Nothing is retained between frames.
//
// Kept cheap for software OpenGL: rectangles and axis-aligned lines are plain quads without anti-aliasing;
// only slanted lines, rounded corners, arrows and icons are anti-aliased. Draw many cells with a CellTexture,
// many rectangles with fill_rects.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "drawing/cell_grid.h"
#include "drawing/cell_texture.h"
#include "drawing/colored_rect.h"
#include "drawing/fonts.h"
#include "drawing/geometry.h"
#include "drawing/palette.h"

struct ImDrawList;
struct ImVec2;

namespace gemmscope::drawing {

// Of a line of Canvas::text_wrapped, and of the whole text at this width, in pixels.
float wrapped_line_height(FontRole font);
float text_wrapped_height(std::string_view text, FontRole font, float width);

struct TextStyle {
  FontRole font = FontRole::body;
  AlignX align_x = AlignX::left;
  AlignY align_y = AlignY::center;
  bool verbatim = false;  // not translated: a key, a name, or what is translated already
};

// Called with each text that Canvas::text truncates or leaves out, so that tests see what is lost. Null means
// no listener.
using TruncatedTextListener = void (*)(std::string_view text);
void listen_to_truncated_text(TruncatedTextListener listener);

class Canvas {
 public:
  // Adds an item at the cursor of the current window; a size ≤ 0 takes the remaining space. The item reacts
  // to the mouse (hover, drag, wheel) like any other.
  explicit Canvas(const char* id, Size size = {});
  // Draws over `screen_area` of the current window without being an item.
  explicit Canvas(Rect screen_area);

  Size size() const { return screen_.size(); }
  Rect area() const { return {0, 0, screen_.width(), screen_.height()}; }
  Rect screen_area() const { return screen_; }
  float scale() const { return scale_; }
  float px(float points) const;  // as drawing::px

  // ---- input
  bool hovered() const { return hovered_; }
  Point mouse() const;
  bool clicked() const;  // left button went down on it in this frame
  bool held() const { return held_; }
  float wheel() const;  // notches, and Dear ImGui does not scroll with it
  // A part of the canvas that is a button: a click presses it or, as Tab stops there, Enter or Space. Call it
  // after the button was drawn. The name is the only one of its kind in the window.
  struct SpotUse {
    bool hovered = false, pressed = false;
  };
  SpotUse spot(Rect place, std::string_view name, bool enabled = true);

  // ---- shapes
  void fill_rect(Rect rect, Color color);
  void fill_rects(std::span<const ColoredRect> rects);
  void fill_rects(std::span<const Rect> rects, Color color);
  void stroke_rect(Rect rect, Color color, float thickness = 1);  // drawn inside rect
  void fill_round_rect(Rect rect, Color color, float radius);
  void stroke_round_rect(Rect rect, Color color, float radius, float thickness = 1);
  void fill_circle(Point center, float radius, Color color);
  void stroke_circle(Point center, float radius, Color color, float thickness = 1);
  void fill_triangle(Point a, Point b, Point c, Color color);
  void line(Point from, Point to, Color color, float thickness = 1);
  void polyline(std::span<const Point> points, Color color, float thickness = 1);
  void curve(Point from, Point from_control, Point to_control, Point to, Color color, float thickness = 1);
  // Fills rect with lines that rise to the right, `spacing` points apart: a mark that a grey print keeps.
  void hatch(Rect rect, Color color, float spacing = 6, float thickness = 1);
  void arrow(Point from, Point to, Color color, float thickness = 1, float head = 6);

  // ---- text, drawn and measured in the language of the screen (drawing::shown_text)
  // Draws one line inside rect, never outside. Text that is too wide ends in "…"; a line that is taller than
  // rect allows is left out. Returns true when the text was drawn whole.
  bool text(Rect rect, std::string_view text, Color color, TextStyle style = {});
  // Wraps the text between words, from the top of rect down; text that does not fit ends in "…".
  void text_wrapped(Rect rect, std::string_view text, Color color, FontRole font = FontRole::body);
  // Draws without clipping, for labels whose space the caller has measured.
  void text_at(Point top_left, std::string_view text, Color color, FontRole font = FontRole::body,
               bool verbatim = false);
  float text_width(std::string_view text, FontRole font = FontRole::body) const;
  float line_height(FontRole font = FontRole::body) const;

  // ---- matrices
  // Draws the texture as one quad with nearest filtering. Cells of at least 6 × scale pixels get grid lines,
  // strong ones every `strong_every` cells (0: none).
  void cells(const CellTexture& texture, Rect rect, const CellView& view, int strong_every = 0);
  void cells(const CellTexture& texture, Rect rect, int strong_every = 0);

  // ---- clipping
  void push_clip(Rect rect);
  void pop_clip();

  ImDrawList& draw_list() { return *list_; }
  ImVec2 to_screen(Point p) const;

 private:
  void grid_lines(Rect rect, const CellView& view, int strong_every);

  ImDrawList* list_;
  Rect screen_;
  float scale_;
  bool hovered_ = false, held_ = false, clicked_ = false;
};

class ScopedClip {
 public:
  ScopedClip(Canvas& canvas, Rect rect) : canvas_(canvas) { canvas_.push_clip(rect); }
  ~ScopedClip() { canvas_.pop_clip(); }
  ScopedClip(const ScopedClip&) = delete;
  ScopedClip& operator=(const ScopedClip&) = delete;

 private:
  Canvas& canvas_;
};

}  // namespace gemmscope::drawing
