#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <tuple>

#include "drawing/vector_picture.h"

namespace gemmscope::drawing {
namespace {

constexpr const char* kProportional =
    "Inter, 'Noto Sans', 'DejaVu Sans', 'WenQuanYi Zen Hei', 'Noto Sans CJK SC', sans-serif";
constexpr const char* kMonospaced = "'JetBrains Mono', 'DejaVu Sans Mono', 'Noto Sans Mono', monospace";

// What XML 1.0 does not allow in a text is left out.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (static_cast<unsigned char>(c) >= 0x20)
      result += c;
  }
  return result;
}

// Pixels with at most two digits behind the point: "12", "12.5".
std::string number(float value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string paint(Color color) {
  std::string text = fmt::format("fill=\"#{:02x}{:02x}{:02x}\"", color.r, color.g, color.b);
  if (color.a < 255) text += fmt::format(" fill-opacity=\"{}\"", number(static_cast<float>(color.a) / 255));
  return text;
}

Rect bounds_of(const std::vector<Point>& points) {
  Rect box{points[0].x, points[0].y, points[0].x, points[0].y};
  for (const Point p : points)
    box = {std::min(box.left, p.x), std::min(box.top, p.y), std::max(box.right, p.x),
           std::max(box.bottom, p.y)};
  return box;
}

bool is_upright_rect(const std::vector<Point>& p) {
  return p.size() == 4 && ((p[0].x == p[3].x && p[1].x == p[2].x && p[0].y == p[1].y && p[2].y == p[3].y) ||
                           (p[0].x == p[1].x && p[2].x == p[3].x && p[1].y == p[2].y && p[3].y == p[0].y));
}

bool lies_in(Rect inner, Rect outer) {
  return inner.left >= outer.left && inner.top >= outer.top && inner.right <= outer.right &&
         inner.bottom <= outer.bottom;
}

class SvgWriter {
 public:
  SvgWriter(const VectorPicture& picture, Rect part) : picture_(picture), part_(part) {}

  std::string write() {
    for (const VectorItem& item : picture_.items) {
      clip_ = item.clip.intersected(part_);
      if (clip_.empty()) continue;
      std::visit([&](const auto& what) { add(what); }, item.what);
    }
    clip_to(part_);
    const std::string w = number(part_.width()), h = number(part_.height());
    return fmt::format(
               "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"{}\" height=\"{}\" "
               "viewBox=\"{} {} {} {}\" shape-rendering=\"geometricPrecision\">\n",
               w, h, number(part_.left), number(part_.top), w, h) +
           "<style>text{white-space:pre} .m{font-family:" + kMonospaced +
           "} .p{font-family:" + kProportional + "} .b{font-weight:600}</style>\n" + definitions() +
           rect(part_, picture_.background) + body_ + "</svg>\n";
  }

 private:
  std::string definitions() const {
    std::string text;
    for (const auto& [edges, id] : clips_)
      text += fmt::format(
          "<clipPath id=\"c{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n", id,
          number(std::get<0>(edges)), number(std::get<1>(edges)),
          number(std::get<2>(edges) - std::get<0>(edges)), number(std::get<3>(edges) - std::get<1>(edges)));
    return text.empty() ? "" : "<defs>\n" + text + "</defs>\n";
  }
  static std::string rect(Rect r, Color color) {
    return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}/>\n", number(r.left),
                       number(r.top), number(r.width()), number(r.height()), paint(color));
  }

  // What follows is clipped to `clip`.
  void clip_to(Rect clip) {
    if (clip == group_) return;
    if (!(group_ == part_)) body_ += "</g>\n";
    group_ = clip;
    if (clip == part_) return;
    const auto key = std::tuple(clip.left, clip.top, clip.right, clip.bottom);
    const auto id = clips_.emplace(key, clips_.size()).first->second;
    body_ += fmt::format("<g clip-path=\"url(#c{})\">\n", id);
  }
  // A group is not left for what lies wholly within it.
  void clip_for(Rect box) { clip_to(lies_in(box, clip_) ? part_ : clip_); }

  void add(const VectorPolygon& polygon) {
    if (polygon.points.size() < 3 || polygon.color.a == 0) return;
    const Rect box = bounds_of(polygon.points);
    if (box.intersected(clip_).empty()) return;
    if (is_upright_rect(polygon.points)) {
      clip_to(part_);
      body_ += rect(box.intersected(clip_), polygon.color);
      return;
    }
    clip_for(box);
    std::string points;
    for (const Point p : polygon.points)
      points += (points.empty() ? "" : " ") + number(p.x) + "," + number(p.y);
    body_ += fmt::format("<polygon points=\"{}\" {}/>\n", points, paint(polygon.color));
  }

  void add(const VectorText& text) {
    const Rect box{text.baseline.x, text.baseline.y - text.em, text.baseline.x + text.width,
                   text.baseline.y + text.em * 0.35f};
    if (text.text.empty() || text.color.a == 0 || box.intersected(clip_).empty()) return;
    clip_for(box);
    body_ += fmt::format(
        "<text x=\"{}\" y=\"{}\" class=\"{}{}\" font-size=\"{}\" textLength=\"{}\" "
        "lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\" {}>{}</text>\n",
        number(text.baseline.x), number(text.baseline.y), text.mono ? "m" : "p", text.strong ? " b" : "",
        number(text.em), number(text.width), paint(text.color), escaped(text.text));
  }

  // Equal cells side by side become one rectangle.
  void add(const VectorCells& cells) {
    clip_for(cells.rect);
    const float width = cells.rect.width() / static_cast<float>(cells.columns);
    const float height = cells.rect.height() / static_cast<float>(cells.rows);
    body_ += "<g shape-rendering=\"crispEdges\">\n";
    for (int row = 0; row < cells.rows; ++row)
      for (int column = 0; column < cells.columns;) {
        const auto* line = &cells.cells[static_cast<size_t>(row) * static_cast<size_t>(cells.columns)];
        int end = column + 1;
        while (end < cells.columns && line[end] == line[column]) ++end;
        const Rect run{cells.rect.left + static_cast<float>(column) * width,
                       cells.rect.top + static_cast<float>(row) * height,
                       cells.rect.left + static_cast<float>(end) * width,
                       cells.rect.top + static_cast<float>(row + 1) * height};
        if (line[column].a > 0 && !run.intersected(clip_).empty()) body_ += rect(run, line[column]);
        column = end;
      }
    body_ += "</g>\n";
  }

  const VectorPicture& picture_;
  Rect part_, clip_, group_ = part_;
  std::string body_;
  std::map<std::tuple<float, float, float, float>, size_t> clips_;
};

}  // namespace

std::string svg_of(const VectorPicture& picture, Rect part) {
  return SvgWriter(picture, part.intersected({0, 0, picture.size.width, picture.size.height})).write();
}

}  // namespace gemmscope::drawing
