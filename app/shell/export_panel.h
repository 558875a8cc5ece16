// The dialog in which one chooses what is exported, and as what. (Dear ImGui)
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/export_state.h"
#include "session/view_state.h"

namespace gemmscope::shell {

class ExportPanel {
 public:
  bool is_open() const { return open_; }
  void open(const session::ViewState& state);
  // What was chosen in this frame.
  std::optional<session::ExportWish> draw(const session::ViewState& state);

 private:
  void draw_what();
  void draw_kind();
  void draw_range(const session::ViewState& state);
  std::string why_not(const session::ViewState& state) const;

  bool open_ = false;
  session::ExportWish wish_;
  std::vector<std::string> panels_;  // ids; the first, "", is the window
  std::string no_film_;              // why films cannot be made; empty: they can
};

}  // namespace gemmscope::shell
