#include "scenes/paragraph_scene.h"

#include <algorithm>
#include <cstdint>

namespace gemmscope::scenes {
namespace {

// What stays on one line: pieces of one or more parts without a place to break.
struct Word {
  std::vector<std::pair<size_t, std::string>> pieces;  // part, text
  bool space_before = false, new_paragraph = false;
  size_t space_part = 0;
};

uint32_t code_point(std::string_view text, size_t at, size_t& bytes) {
  const auto lead = static_cast<unsigned char>(text[at]);
  bytes = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  bytes = std::min(bytes, text.size() - at);
  uint32_t value = bytes == 1 ? lead : lead & (0xffu >> (bytes + 1));
  for (size_t i = 1; i < bytes; ++i) value = value << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3fu);
  return value;
}

bool is_ideograph(uint32_t c) {
  return (c >= 0x2e80 && c < 0x3000) || (c >= 0x3040 && c < 0xa4d0) || (c >= 0xf900 && c < 0xfb00);
}
// Chinese punctuation that never begins a line.
bool closes(uint32_t c) {
  return c == 0x3001 || c == 0x3002 || c == 0xff0c || c == 0xff1a || c == 0xff1b || c == 0xff1f ||
         c == 0xff01 || c == 0xff09 || c == 0x300d || c == 0x201d;
}

class WordSplitter {
 public:
  std::vector<Word> split(std::span<const std::string> parts) {
    for (size_t part = 0; part < parts.size(); ++part) {
      const std::string& text = parts[part];
      for (size_t at = 0, bytes = 0; at < text.size(); at += bytes) {
        const uint32_t c = code_point(text, at, bytes);
        take(c, text.substr(at, bytes), part);
      }
    }
    end_word();
    return std::move(words_);
  }

 private:
  void take(uint32_t c, const std::string& text, size_t part) {
    if (c == ' ' || c == '\n') {
      end_word();
      word_.space_before = c == ' ' || word_.space_before;
      word_.space_part = part;
      word_.new_paragraph = c == '\n' || word_.new_paragraph;
      return;
    }
    if (is_ideograph(c) || (after_ideograph_ && !closes(c))) end_word();
    if (word_.pieces.empty() || word_.pieces.back().first != part) word_.pieces.emplace_back(part, "");
    word_.pieces.back().second += text;
    after_ideograph_ = is_ideograph(c) || closes(c);
  }
  void end_word() {
    if (!word_.pieces.empty()) words_.push_back(std::exchange(word_, {}));
    after_ideograph_ = false;
  }

  std::vector<Word> words_;
  Word word_;
  bool after_ideograph_ = false;
};

// How many bytes of a word that is too wide fit into `room`: up to an underscore where there is one, and at
// least one character in a line of its own.
size_t fitting(std::string_view text, size_t part, float room,
               const std::function<float(size_t part, std::string_view text)>& measure) {
  if (measure(part, text) <= room) return text.size();
  size_t fits = 0, underscore = 0;
  for (size_t at = 0, bytes = 0; at < text.size(); at += bytes) {
    (void)code_point(text, at, bytes);
    if (measure(part, text.substr(0, at + bytes)) > room) break;
    fits = at + bytes;
    if (text[at] == '_') underscore = fits;
  }
  return underscore > 0 ? underscore : fits;
}

}  // namespace

Paragraph layout_paragraph(std::span<const std::string> parts, float width, float line_height,
                           const std::function<float(size_t part, std::string_view text)>& measure) {
  Paragraph result;
  float x = 0, y = 0;
  for (const Word& word : WordSplitter().split(parts)) {
    float wide = 0;
    for (const auto& [part, text] : word.pieces) wide += measure(part, text);
    const float space = word.space_before && x > 0 ? measure(word.space_part, " ") : 0;
    if (word.new_paragraph && !result.runs.empty()) {
      x = 0;
      y += line_height * 1.5f;
    } else if (x > 0 && x + space + wide > width) {
      x = 0;
      y += line_height;
    } else {
      x += space;
    }
    for (const auto& [part, text] : word.pieces) {
      std::string_view rest = text;
      // A word that is wider than the line, such as the name of a metric, goes on in the next one.
      for (size_t fits = 0; wide > width && (fits = fitting(rest, part, width - x, measure)) < rest.size();) {
        if (fits == 0 && x == 0) break;  // not even a character fits
        if (fits > 0)
          result.runs.push_back({{x, y, x + measure(part, rest.substr(0, fits)), y + line_height},
                                 std::string(rest.substr(0, fits)),
                                 part});
        rest.remove_prefix(fits);
        x = 0;
        y += line_height;
      }
      const float piece = measure(part, rest);
      result.runs.push_back({{x, y, x + piece, y + line_height}, std::string(rest), part});
      x += piece;
    }
  }
  result.height = result.runs.empty() ? 0 : y + line_height;
  return result;
}

}  // namespace gemmscope::scenes
