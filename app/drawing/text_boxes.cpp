#include "drawing/text_boxes.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace gemmscope::drawing {
namespace {

constexpr float kTolerance = 1.5f;  // pixels: glyphs have a soft edge
constexpr int kMostSpaces = 2;      // within a text; more make two texts

TextBoxListener text_box_listener = nullptr;

struct Letter {
  const ImFontGlyph* glyph = nullptr;
  int font = 0;
};
// Letters by the place of their picture in the texture of the fonts.
using Letters = std::map<std::pair<float, float>, Letter>;

Letters letters_of(const ImFontAtlas& atlas) {
  Letters letters;
  for (int i = 0; i < atlas.Fonts.Size; ++i)
    for (const ImFontGlyph& glyph : atlas.Fonts[i]->Glyphs)
      if (glyph.Visible) letters.insert({{glyph.U0, glyph.V0}, {&glyph, i}});
  return letters;
}

Rect rect_of(const ImVec4& r) { return {r.x, r.y, r.z, r.w}; }

// Gathers the letters of one draw list into texts.
class Reader {
 public:
  Reader(const ImFontAtlas& atlas, const Letters& letters, std::vector<TextBox>& boxes)
      : atlas_(atlas), letters_(letters), boxes_(boxes) {}

  void read(const ImDrawList& list, int layer) {
    layer_ = layer;
    for (const ImDrawCmd& command : list.CmdBuffer) {
      if (command.UserCallback != nullptr || command.GetTexID() != atlas_.TexID) continue;
      clip_ = rect_of(command.ClipRect);
      for (unsigned i = 0; i + 6 <= command.ElemCount;) i += read_quad(list, command, i) ? 6 : 3;
    }
    finish();
  }

 private:
  // Letters are quads: two triangles over four vertices in a row.
  bool read_quad(const ImDrawList& list, const ImDrawCmd& command, unsigned at) {
    const ImDrawIdx* index = &list.IdxBuffer[static_cast<int>(command.IdxOffset + at)];
    const int first = index[0];
    if (index[1] != first + 1 || index[2] != first + 2 || index[3] != first || index[4] != first + 2 ||
        index[5] != first + 3)
      return false;
    const ImDrawVert* corners = &list.VtxBuffer[first + static_cast<int>(command.VtxOffset)];
    const auto letter = letters_.find({corners[0].uv.x, corners[0].uv.y});
    if (letter == letters_.end() || corners[2].uv.x != letter->second.glyph->U1) return false;
    add(letter->second, {corners[0].pos.x, corners[0].pos.y, corners[2].pos.x, corners[2].pos.y});
    return true;
  }

  void add(const Letter& letter, Rect place) {
    const ImFont& font = *atlas_.Fonts[letter.font];
    // Other fonts may share the picture of a letter, so the one whose letters have this size counts.
    const float line = place.top - letter.glyph->Y0, pen = place.left - letter.glyph->X0;
    const float space = font.GetCharAdvance(' ');
    if (!open_ || font_ != letter.font || std::abs(line - line_) > 0.5f || pen < pen_ - 0.75f ||
        pen > pen_ + kMostSpaces * space + 0.75f || box_.clip != clip_) {
      finish();
      open_ = true;
      font_ = letter.font;
      line_ = line;
      box_ = {};
      box_.clip = clip_;
      box_.ink = place;
      box_.layer = layer_;
    } else {
      for (float gap = pen - pen_; gap > 0.5f * space; gap -= space) box_.text += ' ';
    }
    char character[5] = "";
    box_.text += ImTextCharToUtf8(character, letter.glyph->Codepoint);
    box_.ink = {std::min(box_.ink.left, place.left), std::min(box_.ink.top, place.top),
                std::max(box_.ink.right, place.right), std::max(box_.ink.bottom, place.bottom)};
    pen_ = pen + letter.glyph->AdvanceX;
  }

  void finish() {
    if (!std::exchange(open_, false)) return;
    box_.font = font_ < kFontRoleCount ? static_cast<FontRole>(font_) : FontRole::body;
    box_.em_pixels = em_pixels(box_.font);
    boxes_.push_back(box_);
  }

  const ImFontAtlas& atlas_;
  const Letters& letters_;
  std::vector<TextBox>& boxes_;
  int layer_ = 0, font_ = 0;
  Rect clip_;
  bool open_ = false;
  float line_ = 0, pen_ = 0;
  TextBox box_;
};

}  // namespace

bool TextBox::cut_beside() const {
  return ink.left < clip.left - kTolerance || ink.right > clip.right + kTolerance;
}
bool TextBox::cut_above_below() const {
  return ink.top < clip.top - kTolerance || ink.bottom > clip.bottom + kTolerance;
}

std::vector<TextBox> read_text_boxes(const ImDrawData& frame) {
  std::vector<TextBox> boxes;
  const ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  const Letters letters = letters_of(atlas);
  Reader reader(atlas, letters, boxes);
  for (int i = 0; i < frame.CmdListsCount; ++i) reader.read(*frame.CmdLists[i], i);
  return boxes;
}

void listen_to_text_boxes(TextBoxListener listener) { text_box_listener = listener; }

void tell_text_boxes(const ImDrawData& frame) {
  if (text_box_listener != nullptr) text_box_listener(read_text_boxes(frame));
}

}  // namespace gemmscope::drawing
