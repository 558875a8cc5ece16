#include "shell/text_box_file.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>

#include "drawing/text_boxes.h"

namespace gemmscope::shell {
namespace {

const char* file_name() {
  static const char* const name = std::getenv("GEMMSCOPE_TEXT_BOXES");
  return name;
}

std::string numbers(const drawing::Rect& r) {
  return fmt::format("{:.1f} {:.1f} {:.1f} {:.1f}", r.left, r.top, r.right, r.bottom);
}

// Renamed into its place, so that a reader finds a whole frame.
void write_file(const std::vector<drawing::TextBox>& boxes) {
  static std::string last;
  std::string text;
  for (const drawing::TextBox& box : boxes)
    text += fmt::format("{} {} {} {} {}\n", box.em_pixels, box.layer, numbers(box.ink), numbers(box.clip),
                        box.text);
  if (text == last) return;
  last = std::move(text);
  const std::string part = std::string(file_name()) + ".part";
  std::ofstream(part, std::ios::binary) << last;
  (void)std::rename(part.c_str(), file_name());
}

}  // namespace

void write_text_boxes_if_asked() {
  if (file_name() != nullptr) drawing::listen_to_text_boxes(write_file);
}

}  // namespace gemmscope::shell
