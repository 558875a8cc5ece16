// Finds figures among the letters of a drawn frame.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "drawn_frame.h"

namespace gemmscope::shell {

using drawing::TextBox;

class ViewFigures : public DrawnFrame {
 protected:
  const TextBox* find(const std::string& beginning, size_t n = 0) const {
    for (const TextBox& box : boxes_)
      if (box.text.starts_with(beginning) && n-- == 0) return &box;
    return nullptr;
  }
  // The nearest text on the left of a label in its row; empty: there is no such label.
  std::string before(std::initializer_list<const char*> labels) const {
    for (const TextBox& label : boxes_) {
      if (std::ranges::find(labels, label.text) == labels.end()) continue;
      if (const TextBox* nearest = left_of(label)) return nearest->text;
    }
    return "";
  }
  // The nearest text on the left in the row; null: there is none.
  const TextBox* left_of(const TextBox& label) const {
    const TextBox* nearest = nullptr;
    for (const TextBox& box : boxes_)
      if (in_one_row(box, label) && box.ink.right <= label.ink.left + 2 &&
          (nearest == nullptr || box.ink.right > nearest->ink.right))
        nearest = &box;
    return nearest;
  }
  static bool in_one_row(const TextBox& a, const TextBox& b) {
    return std::abs(a.ink.top + a.ink.bottom - b.ink.top - b.ink.bottom) / 2 < 9;
  }
  // The words on the right of a text in its row.
  std::vector<std::string> words_after(const TextBox& row) const {
    std::map<float, std::string> parts;
    for (const TextBox& box : boxes_)
      if (in_one_row(box, row) && box.ink.left > row.ink.right) parts[box.ink.left] = box.text;
    std::vector<std::string> words;
    for (const auto& [left, text] : parts) {
      std::istringstream of_text(text);
      for (std::string word; of_text >> word;) words.push_back(word);
    }
    return words;
  }
  // The nearest text on the right of a label in its row; none: there is no such label. Labels left of `from`
  // are others.
  std::optional<std::string> after(const std::string& label, float from = 0) const {
    const auto row = std::ranges::find_if(
        boxes_, [&](const TextBox& box) { return box.text == label && box.ink.left >= from; });
    if (row == boxes_.end()) return std::nullopt;
    const TextBox* nearest = nullptr;
    for (const TextBox& box : boxes_)
      if (in_one_row(box, *row) && box.ink.left > row->ink.right &&
          (nearest == nullptr || box.ink.left < nearest->ink.left))
        nearest = &box;
    return nearest == nullptr ? std::nullopt : std::optional(nearest->text);
  }
  // What stands in the row of `row` under `head`, whose right ends meet.
  std::optional<std::string> in_column(const TextBox& row, const TextBox& head) const {
    for (const TextBox& box : boxes_)
      if (&box != &row && in_one_row(box, row) && std::abs(box.ink.right - head.ink.right) < 8)
        return box.text;
    return std::nullopt;
  }
};

// The text is the value, rounded to the digits that it has.
inline void expect_rounded(const std::string& text, double value, const std::string& what) {
  ASSERT_FALSE(text.empty()) << what;
  std::string digits = text.substr(0, text.find(' '));
  std::erase(digits, ',');
  const size_t point = digits.find('.');
  const size_t decimals = point == std::string::npos ? 0 : digits.size() - point - 1;
  EXPECT_NEAR(std::stod(digits), value, 0.5001 * std::pow(10.0, -static_cast<double>(decimals))) << what;
}

}  // namespace gemmscope::shell
