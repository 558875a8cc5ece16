#include <algorithm>

#include "session/app_commands_parts.h"
#include "session/explorer_state.h"

namespace gemmscope::session {
namespace {

constexpr const char* kNeedsBoard = "open the device board first.";

void choose_device(ViewState& state, std::string BoardChoice::*which, int by) {
  BoardState& board = state.board;
  const std::vector<ModelDevice>& devices = state.timings.devices;
  if (devices.empty()) return;
  const std::string& now = (which == &BoardChoice::device ? board.first : board.right.device).config.id;
  const auto found = std::ranges::find(devices, now, &ModelDevice::id);
  const auto count = static_cast<int>(devices.size());
  const int at = found == devices.end() ? 0 : static_cast<int>(found - devices.begin());
  board.choice.*which = devices[static_cast<size_t>((at + by + count) % count)].id;
  board.choice.lesson = false;
}

}  // namespace

void add_board_commands(CommandTable& table, Workspace& w) {
  add(table,
      {.id = "board.show",
       .title = "Device board",
       .category = "View",
       .key = "Shift+D",
       .run =
           [&w] {
             w.state().board.wide = !w.state().board.wide;
             w.state().occupancy.wide = false;
             show_explorer(w.state(), false);
           },
       .checked = [&w] { return w.state().board.wide; },
       .description = "What if the GPU had more SMs, bandwidth or registers? Two devices side by side."});
  add(table, {.id = "board.next_device",
              .title = "Next device on the board",
              .category = "View",
              .key = "Alt+D",
              .run = [&w] { choose_device(w.state(), &BoardChoice::device, 1); },
              .enabled = [&w] { return w.state().board.wide; },
              .needs = kNeedsBoard,
              .repeats = true});
  add(table, {.id = "board.next_other_device",
              .title = "Next device beside it",
              .category = "View",
              .key = "Alt+Shift+D",
              .run = [&w] { choose_device(w.state(), &BoardChoice::other, 1); },
              .enabled = [&w] { return w.state().board.wide; },
              .needs = kNeedsBoard,
              .repeats = true});
  add(table, {.id = "board.reset",
              .title = "The board's device as it is",
              .category = "View",
              .run = [&w] { w.state().board.choice.factors = experiment::unchanged_knobs(); },
              .enabled = [&w] { return w.state().board.wide; },
              .needs = kNeedsBoard});
  add(table, {.id = "board.lesson",
              .title = "A tile that wins on one GPU and loses on another",
              .category = "View",
              .run =
                  [&w] {
                    w.state().board.wide = true;
                    w.state().occupancy.wide = false;
                    show_explorer(w.state(), false);
                    w.state().board.choice = lesson_choice();
                  },
              .description = "A naive and a tiled kernel on an MX330 and on an RTX A4000."});
}

}  // namespace gemmscope::session
