#include "drawing/draw_data_shapes.h"

#include <glad/gl.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "drawing/fonts.h"
#include "drawing/instanced_bars.h"
#include "drawing/palette.h"
#include "drawing/solid_fill.h"

namespace gemmscope::drawing {
namespace {

// Lines of Inter and JetBrains Mono, from ascender to descender, in font sizes.
constexpr float kInterLine = 1.2102f, kMonoLine = 1.32f;
constexpr int kMostSpaces = 2;  // between words of one text; what lies further apart is another

Point to_point(ImVec2 v) { return {v.x, v.y}; }
Color to_color(ImU32 c) {
  return {static_cast<uint8_t>(c), static_cast<uint8_t>(c >> 8), static_cast<uint8_t>(c >> 16),
          static_cast<uint8_t>(c >> 24)};
}

struct FoundGlyph {
  const ImFont* font = nullptr;
  const ImFontGlyph* glyph = nullptr;
  int role = 0;
};

// Glyphs by the corner of their picture in the atlas.
class GlyphTable {
 public:
  explicit GlyphTable(const ImFontAtlas& atlas) {
    for (int i = 0; i < atlas.Fonts.Size; ++i)
      for (const ImFontGlyph& glyph : atlas.Fonts[i]->Glyphs)
        if (glyph.Visible)
          by_corner_.emplace(std::pair(glyph.U0, glyph.V0), FoundGlyph{atlas.Fonts[i], &glyph, i});
  }
  const FoundGlyph* find(ImVec2 uv) const {
    const auto found = by_corner_.find({uv.x, uv.y});
    return found == by_corner_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::pair<float, float>, FoundGlyph> by_corner_;
};

std::string utf8_of(unsigned character) {
  char text[5] = "";
  return ImTextCharToUtf8(text, character);
}

// Glyphs that follow each other on a line, as one text.
class TextRun {
 public:
  bool empty() const { return text_.text.empty(); }

  // False where the glyph does not continue the text.
  bool add(const FoundGlyph& found, Point corner, Color color) {
    const Point pen{corner.x - found.glyph->X0, corner.y - found.glyph->Y0};
    if (empty()) {
      begin(found, pen, color);
    } else {
      if (found.font != font_ || !(color == text_.color) || std::abs(pen.y - top_) > 0.6f) return false;
      const float space = font_->GetCharAdvance(' ');
      const float gap = pen.x - pen_, spaces = space > 0 ? std::round(gap / space) : 0;
      if (spaces < 0 || spaces > kMostSpaces || std::abs(gap - spaces * space) > 0.6f) return false;
      text_.text.append(static_cast<size_t>(spaces), ' ');
    }
    text_.text += utf8_of(found.glyph->Codepoint);
    pen_ = pen.x + found.glyph->AdvanceX;
    text_.width = pen_ - text_.baseline.x;
    return true;
  }
  VectorText take() { return std::exchange(text_, {}); }

 private:
  void begin(const FoundGlyph& found, Point pen, Color color) {
    const auto role = static_cast<FontRole>(found.role);
    font_ = found.font;
    top_ = pen.y;
    text_.mono = role == FontRole::mono || role == FontRole::mono_small || role == FontRole::mono_strong;
    text_.strong = role == FontRole::body_strong || role == FontRole::title || role == FontRole::display ||
                   role == FontRole::mono_strong;
    text_.em = std::round(found.font->FontSize / (text_.mono ? kMonoLine : kInterLine));
    text_.baseline = {pen.x, pen.y + std::round(found.font->Ascent)};
    text_.color = color;
  }

  VectorText text_;
  const ImFont* font_ = nullptr;
  float top_ = 0, pen_ = 0;
};

struct Texture {
  int columns = 0, rows = 0;
  std::vector<Color> cells;
};

// Null where it is none.
std::optional<Texture> read_texture(GLuint name) {
  if (glIsTexture(name) == GL_FALSE) return std::nullopt;
  Texture texture;
  glBindTexture(GL_TEXTURE_2D, name);
  glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_WIDTH, &texture.columns);
  glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_HEIGHT, &texture.rows);
  texture.cells.resize(static_cast<size_t>(texture.columns) * static_cast<size_t>(texture.rows));
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, texture.cells.data());
  glBindTexture(GL_TEXTURE_2D, 0);
  return texture;
}

class Reader {
 public:
  Reader(VectorPicture& picture, const ImFontAtlas& atlas)
      : picture_(picture), glyphs_(atlas), font_texture_(atlas.TexID) {}

  void read(const ImDrawList& list) {
    for (const ImDrawCmd& command : list.CmdBuffer) {
      clip_ = {command.ClipRect.x, command.ClipRect.y, command.ClipRect.z, command.ClipRect.w};
      if (command.UserCallback != nullptr)
        read_callback(list, command);
      else
        read_triangles(list, command);
      end_text();
    }
  }

 private:
  template <typename Shape>
  void put(Shape shape) {
    VectorItem& item = picture_.items.emplace_back();
    item.clip = clip_;
    item.what = std::move(shape);
  }
  void end_text() {
    if (!run_.empty()) put(run_.take());
  }
  void put_rect(Rect r, Color color) {
    put(VectorPolygon{{r.top_left(), {r.right, r.top}, r.bottom_right(), {r.left, r.bottom}}, color});
  }

  void read_callback(const ImDrawList&, const ImDrawCmd& command) {
    if (const std::optional<Color> fill = solid_color(command)) return put_rect(clip_, *fill);
    for (const ColoredRect& bar : InstancedBars::drawn_by(command)) put_rect(bar.rect, bar.color);
  }

  // A convex shape is a fan of triangles around its first corner.
  void read_triangles(const ImDrawList& list, const ImDrawCmd& command) {
    const std::span<const ImDrawIdx> indices(list.IdxBuffer.Data + command.IdxOffset, command.ElemCount);
    const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
    for (size_t i = 0; i + 3 <= indices.size();) {
      std::vector<ImDrawVert> fan = {vertices[indices[i]], vertices[indices[i + 1]],
                                     vertices[indices[i + 2]]};
      ImDrawIdx last = indices[i + 2];
      const ImDrawIdx first = indices[i];
      for (i += 3; i + 3 <= indices.size() && indices[i] == first && indices[i + 1] == last; i += 3) {
        last = indices[i + 2];
        fan.push_back(vertices[last]);
      }
      read_fan(fan, command.TextureId);
    }
  }

  void read_fan(const std::vector<ImDrawVert>& fan, ImTextureID texture) {
    if (texture != font_texture_) return end_text(), read_image(fan, texture);
    const FoundGlyph* glyph = fan.size() == 4 ? glyphs_.find(fan[0].uv) : nullptr;
    if (glyph != nullptr) {
      const Color color = to_color(fan[0].col);
      if (run_.add(*glyph, to_point(fan[0].pos), color)) return;
      end_text();
      run_.add(*glyph, to_point(fan[0].pos), color);
      return;
    }
    end_text();
    VectorPolygon polygon;
    polygon.color = mean_color(fan);
    for (const ImDrawVert& vertex : fan) polygon.points.push_back(to_point(vertex.pos));
    put(std::move(polygon));
  }

  static Color mean_color(const std::vector<ImDrawVert>& fan) {
    unsigned sums[4] = {};
    for (const ImDrawVert& vertex : fan)
      for (int i = 0; i < 4; ++i) sums[i] += vertex.col >> (8 * i) & 0xFF;
    const auto mean = [&](int i) { return static_cast<uint8_t>(sums[i] / fan.size()); };
    return {mean(0), mean(1), mean(2), mean(3)};
  }

  // The cells that the quad shows; those that its edges cut are whole, and clipped.
  void read_image(const std::vector<ImDrawVert>& fan, ImTextureID id) {
    const auto name = static_cast<GLuint>(reinterpret_cast<std::uintptr_t>(id));
    auto found = textures_.find(name);
    if (found == textures_.end()) found = textures_.emplace(name, read_texture(name)).first;
    if (!found->second || fan.size() != 4) return;
    const Texture& texture = *found->second;
    const Rect quad{fan[0].pos.x, fan[0].pos.y, fan[2].pos.x, fan[2].pos.y};
    const auto [left, right] = edges(fan[0].uv.x, fan[2].uv.x, texture.columns);
    const auto [top, bottom] = edges(fan[0].uv.y, fan[2].uv.y, texture.rows);
    if (quad.empty() || right <= left || bottom <= top) return;
    const float u = fan[2].uv.x - fan[0].uv.x, v = fan[2].uv.y - fan[0].uv.y;
    const float cell_width = quad.width() / (u * static_cast<float>(texture.columns));
    const float cell_height = quad.height() / (v * static_cast<float>(texture.rows));
    const float x =
        quad.left +
        (static_cast<float>(left) - fan[0].uv.x * static_cast<float>(texture.columns)) * cell_width;
    const float y =
        quad.top + (static_cast<float>(top) - fan[0].uv.y * static_cast<float>(texture.rows)) * cell_height;
    // Where cells are smaller than pixels, one stands for those around it.
    const int step_x = std::max(1, static_cast<int>(1 / std::max(cell_width, 1e-4f)));
    const int step_y = std::max(1, static_cast<int>(1 / std::max(cell_height, 1e-4f)));
    VectorCells cells;
    cells.columns = (right - left + step_x - 1) / step_x;
    cells.rows = (bottom - top + step_y - 1) / step_y;
    cells.rect = Rect::at({x, y}, {cell_width * static_cast<float>(cells.columns * step_x),
                                   cell_height * static_cast<float>(cells.rows * step_y)});
    for (int row = top; row < bottom; row += step_y)
      for (int column = left; column < right; column += step_x)
        cells.cells.push_back(texture.cells[static_cast<size_t>(row) * static_cast<size_t>(texture.columns) +
                                            static_cast<size_t>(column)]);
    const Rect before = std::exchange(clip_, clip_.intersected(quad));
    put(std::move(cells));
    clip_ = before;
  }
  static std::pair<int, int> edges(float from, float to, int count) {
    const auto cells = static_cast<float>(count);
    return {std::clamp(static_cast<int>(std::floor(from * cells + 1e-3f)), 0, count),
            std::clamp(static_cast<int>(std::ceil(to * cells - 1e-3f)), 0, count)};
  }

  VectorPicture& picture_;
  GlyphTable glyphs_;
  ImTextureID font_texture_;
  Rect clip_;
  TextRun run_;
  std::map<GLuint, std::optional<Texture>> textures_;
};

}  // namespace

PlainEdges::PlainEdges()
    : lines_(ImGui::GetStyle().AntiAliasedLines),
      lines_by_texture_(ImGui::GetStyle().AntiAliasedLinesUseTex),
      fill_(ImGui::GetStyle().AntiAliasedFill) {
  ImGuiStyle& style = ImGui::GetStyle();
  style.AntiAliasedLines = style.AntiAliasedLinesUseTex = style.AntiAliasedFill = false;
}

PlainEdges::~PlainEdges() {
  ImGuiStyle& style = ImGui::GetStyle();
  style.AntiAliasedLines = lines_;
  style.AntiAliasedLinesUseTex = lines_by_texture_;
  style.AntiAliasedFill = fill_;
}

VectorPicture vector_picture(const ImDrawData& data) {
  VectorPicture picture;
  picture.size = {data.DisplaySize.x, data.DisplaySize.y};
  picture.background = color(Role::background);
  Reader reader(picture, *ImGui::GetIO().Fonts);
  for (int i = 0; i < data.CmdListsCount; ++i) reader.read(*data.CmdLists[i]);
  return picture;
}

}  // namespace gemmscope::drawing
