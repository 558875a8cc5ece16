#include <algorithm>

#include "metrics/occupancy_presets.h"
#include "session/app_commands_parts.h"
#include "session/explorer_state.h"

namespace gemmscope::session {
namespace {

void choose_preset(ViewState& state, int by) {
  const auto presets = metrics::occupancy_presets();
  const auto count = static_cast<int>(presets.size());
  const auto found = std::find_if(presets.begin(), presets.end(), [&](const metrics::OccupancyPreset& p) {
    return state.occupancy.choice.by_hand && p.id == state.occupancy.choice.preset;
  });
  const auto at = static_cast<int>(found - presets.begin());
  const int next = at == count ? (by > 0 ? 0 : count - 1) : (at + by + count) % count;
  const metrics::OccupancyPreset& preset = presets[static_cast<size_t>(next)];
  state.occupancy.choice = {true, preset.point, std::string(preset.id)};
  note_occupancy(state);
}

void change_registers(ViewState& state, int by) {
  OccupancyChoice choice = occupancy_by_hand(state);
  int& registers = choice.point.needs.registers;
  const metrics::SmLimits* sm = metrics::sm_limits(choice.point.compute_capability);
  registers = std::clamp(registers + by, 1, sm == nullptr ? 255 : sm->registers_per_thread);
  choice.preset.clear();
  state.occupancy.choice = choice;
  note_occupancy(state);
}

}  // namespace

void add_occupancy_commands(CommandTable& table, Workspace& w) {
  add(table, {.id = "occupancy.calculator",
              .title = "Occupancy calculator",
              .category = "View",
              .key = "Shift+O",
              .run =
                  [&w] {
                    w.state().occupancy.wide = !w.state().occupancy.wide;
                    w.state().board.wide = false;
                    show_explorer(w.state(), false);
                  },
              .checked = [&w] { return w.state().occupancy.wide; },
              .description = "Shows it over everything but the experiment: any GPU, any block."});
  add(table, {.id = "occupancy.by_hand",
              .title = "Occupancy of needs set by hand",
              .category = "View",
              .key = "Alt+O",
              .run =
                  [&w] {
                    OccupancyChoice& choice = w.state().occupancy.choice;
                    if (choice.by_hand)
                      choice.by_hand = false;
                    else
                      choice = occupancy_by_hand(w.state());
                    note_occupancy(w.state());
                  },
              .checked = [&w] { return w.state().occupancy.choice.by_hand; }});
  struct Step {
    const char *id, *title, *key;
    void (*act)(ViewState&, int);
    int by;
  };
  const Step steps[] = {
      {"occupancy.next_preset", "Next example of occupancy", "Alt+P", choose_preset, 1},
      {"occupancy.previous_preset", "Previous example of occupancy", "Alt+Shift+P", choose_preset, -1},
      {"occupancy.more_registers", "Occupancy with one register more", "Alt+]", change_registers, 1},
      {"occupancy.fewer_registers", "Occupancy with one register less", "Alt+[", change_registers, -1}};
  for (const Step& step : steps)
    add(table, {.id = step.id,
                .title = step.title,
                .category = "View",
                .key = step.key,
                .run = [&w, step] { step.act(w.state(), step.by); },
                .repeats = true});
}

}  // namespace gemmscope::session
