// The Open panel: a field for a path with completions below it, and the files that were opened before. (Dear
// ImGui)
#pragma once

#include <string>
#include <vector>

struct ImGuiInputTextCallbackData;

namespace gemmscope::shell {

class OpenPanel {
 public:
  void open();
  bool is_open() const { return open_; }
  // The path that was chosen in this frame; empty for none.
  std::string draw();

 private:
  std::string draw_list();
  static int on_field_event(ImGuiInputTextCallbackData* data);
  void refresh();

  bool open_ = false, just_opened_ = false, to_end_ = false;
  int chosen_ = -1;  // −1: the typed path
  std::string typed_;
  std::vector<std::string> recent_, shown_;
};

}  // namespace gemmscope::shell
