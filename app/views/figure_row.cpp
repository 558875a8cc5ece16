#include "views/figure_row.h"

#include <vector>

namespace gemmscope::views {

using drawing::AlignX;
using drawing::AlignY;
using drawing::color;
using drawing::FontRole;
using drawing::Rect;
using drawing::Role;

namespace {

float width_of(const drawing::Canvas& canvas, const Figure& figure) {
  return canvas.text_width(figure.value, FontRole::title) + canvas.text_width(figure.label, FontRole::small) +
         canvas.px(26);
}

float width_of(const drawing::Canvas& canvas, std::span<const Figure> figures) {
  float sum = 0;
  for (const Figure& figure : figures) sum += width_of(canvas, figure);
  return sum;
}

// Returns the figures that leave room for the title, keeping the first and the last as long as possible.
std::vector<Figure> fitting(const drawing::Canvas& canvas, std::span<const Figure> figures, float room) {
  std::vector<Figure> shown(figures.begin(), figures.end());
  while (shown.size() > 2 && width_of(canvas, shown) > room) shown.erase(shown.begin() + 1);
  if (shown.size() > 1 && width_of(canvas, shown) > room)
    shown.erase(shown.begin() + (shown.back().last_to_go ? 0 : 1));
  return shown;
}

// "@P0 LDG.E" of "@P0 LDG.E R2, [R4.64]".
std::string_view without_operands(std::string_view instruction) {
  const size_t guard = instruction.starts_with('@') ? instruction.find(' ') + 1 : 0;
  return instruction.substr(0, instruction.find(' ', guard));
}

struct TitleFonts {
  FontRole wide, narrow;
  bool code = false;  // of an instruction the mnemonic is enough where the figures need the room
};

void draw_row(drawing::Canvas& canvas, Rect row, std::string_view title, TitleFonts fonts, bool dim,
              std::string_view remark, std::span<const Figure> all) {
  std::vector<Figure> figures = fitting(canvas, all, row.width() - canvas.text_width(title, fonts.narrow));
  if (fonts.code && figures.size() == 1 && all.size() > 1) {
    const std::string_view mnemonic = without_operands(title);
    const std::vector<Figure> more =
        fitting(canvas, all, row.width() - canvas.text_width(mnemonic, fonts.narrow));
    if (more.size() > 1) figures = more, title = mnemonic;
  }
  for (size_t i = figures.size(); i-- > 0;) {
    const Figure& figure = figures[i];
    const float width = canvas.text_width(figure.value, FontRole::title),
                label_width = canvas.text_width(figure.label, FontRole::small);
    Rect place = row.cut_right(width + label_width + canvas.px(26));
    place.left += canvas.px(16);
    canvas.text(place.cut_left(width + canvas.px(2)), figure.value, drawing::word_color(figure.role),
                {FontRole::title, AlignX::left, AlignY::center});
    place.left += canvas.px(5);
    canvas.text(place, figure.label, color(Role::text_dim), {FontRole::small, AlignX::left, AlignY::center});
  }
  const FontRole face = canvas.text_width(title, fonts.wide) <= row.width() ? fonts.wide : fonts.narrow;
  const float title_width = canvas.text_width(title, face);
  canvas.text(row, title, color(dim ? Role::text_dim : Role::text_strong),
              {face, AlignX::left, AlignY::center});
  row.left += title_width + canvas.px(12);
  if (row.width() > canvas.text_width(remark, FontRole::small))
    canvas.text(row, remark, color(Role::text_dim), {FontRole::small, AlignX::left, AlignY::center});
}

}  // namespace

void draw_figure_row(drawing::Canvas& canvas, Rect row, std::string_view title, std::string_view remark,
                     bool dim, std::span<const Figure> figures) {
  draw_row(canvas, row, title, {FontRole::mono, FontRole::mono_small, true}, dim, remark, figures);
}

void draw_worded_figure_row(drawing::Canvas& canvas, Rect row, std::string_view title,
                            std::string_view remark, std::span<const Figure> figures) {
  draw_row(canvas, row, title, {FontRole::body, FontRole::small}, false, remark, figures);
}

void draw_figure_row(drawing::Canvas& canvas, Rect row, const scenes::AccessHeading& heading,
                     std::span<const Figure> figures) {
  const bool earlier = !heading.remark.empty();
  draw_figure_row(canvas, row, heading.title, earlier ? heading.remark : heading.place, earlier, figures);
}

}  // namespace gemmscope::views
