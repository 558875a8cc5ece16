// What is wrong with the texts of a drawn frame.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "drawing/text_boxes.h"

namespace gemmscope::window {

inline drawing::Rect visible(const drawing::TextBox& box) {
  return {std::max(box.ink.left, box.clip.left), std::max(box.ink.top, box.clip.top),
          std::min(box.ink.right, box.clip.right), std::min(box.ink.bottom, box.clip.bottom)};
}

// By more than the soft edges of letters.
inline bool lie_over(const drawing::TextBox& a, const drawing::TextBox& b) {
  constexpr float kEdge = 2;
  if (a.layer != b.layer) return false;
  const drawing::Rect p = visible(a), q = visible(b);
  return std::min(p.right, q.right) - std::max(p.left, q.left) > kEdge &&
         std::min(p.bottom, q.bottom) - std::max(p.top, q.top) > kEdge;
}

inline std::string place(const drawing::Rect& r) {
  return fmt::format("({:.0f}, {:.0f})-({:.0f}, {:.0f})", r.left, r.top, r.right, r.bottom);
}

// "1 blocks". What stands before the 1 must not be what it names, as in "warp 1 waits", nor a part of a
// number.
inline bool counts_one_as_many(const std::string& text) {
  static const std::regex many(
      R"((^|[,:;(] ?|\b(of|on|in|by|with|to|takes|gives|after) )1 )"
      R"((?!(is|has|was|its|this|as|plus|less|fits|gets|waits|needs|\w*ss)\b)[a-z]+s\b)",
      std::regex::optimize);
  return text.find("1 ") != std::string::npos && std::regex_search(text, many);
}

// What is wrong with a frame, a line each. What scrolls may be cut above and below.
inline std::set<std::string> faults_of(const std::vector<drawing::TextBox>& boxes) {
  std::set<std::string> faults;
  for (size_t i = 0; i < boxes.size(); ++i) {
    const drawing::TextBox& box = boxes[i];
    if (box.em_pixels < 12)
      faults.insert(fmt::format("\"{}\" has letters of {} pixels", box.text, box.em_pixels));
    if (counts_one_as_many(box.text)) faults.insert(fmt::format("\"{}\" counts one as many", box.text));
    if (box.cut_beside())
      faults.insert(fmt::format("\"{}\" {} is cut by {}", box.text, place(box.ink), place(box.clip)));
    for (size_t j = i + 1; j < boxes.size(); ++j)
      if (lie_over(box, boxes[j]))
        faults.insert(fmt::format("\"{}\" {} and \"{}\" {} lie over each other", box.text, place(box.ink),
                                  boxes[j].text, place(boxes[j].ink)));
  }
  return faults;
}

}  // namespace gemmscope::window
