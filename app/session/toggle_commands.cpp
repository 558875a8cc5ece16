// Commands for the toggles. Keys change one selected toggle.
#include "experiment/toggle_list.h"
#include "session/app_commands_parts.h"

namespace gemmscope::session {
namespace {

const catalog::Kernel* kernel_of(Workspace& w) { return w.catalog().find(w.state().experiment.kernel); }

std::vector<experiment::ToggleGroup> toggles_of(Workspace& w) {
  const catalog::Kernel* kernel = kernel_of(w);
  return kernel == nullptr ? std::vector<experiment::ToggleGroup>()
                           : experiment::toggle_list(*kernel, w.state().experiment, w.state().offer.get());
}

void go_to_toggle(Workspace& w, bool forward) {
  const auto groups = toggles_of(w);
  if (const experiment::ToggleRow* row = experiment::neighbour(groups, w.state().toggle, forward))
    w.state().toggle = row->name;
}

// With no toggle selected, only selects one: the first press shows which toggle would change.
void change_toggle(Workspace& w, bool forward) {
  const auto groups = toggles_of(w);
  const experiment::ToggleRow* row = experiment::find_toggle(groups, w.state().toggle);
  if (row == nullptr) return go_to_toggle(w, true);
  const size_t index = experiment::next_choice(*row, forward);
  if (index != row->chosen)
    w.set_experiment(experiment::with_toggle(*kernel_of(w), w.state().experiment, *row, index));
}

}  // namespace

void add_toggle_commands(CommandTable& table, Workspace& w) {
  const auto any = [&w] {
    const catalog::Kernel* kernel = kernel_of(w);
    return kernel != nullptr && !kernel->toggles.empty();
  };
  struct Step {
    const char *id, *title, *key;
    void (*run)(Workspace&, bool);
    bool forward;
  };
  const Step steps[] = {
      {"toggles.next", "Go to the next toggle", "Q", go_to_toggle, true},
      {"toggles.previous", "Go to the previous toggle", "Shift+Q", go_to_toggle, false},
      {"toggles.next_value", "Next value of the toggle", "V", change_toggle, true},
      {"toggles.previous_value", "Previous value of the toggle", "Shift+V", change_toggle, false},
  };
  for (const Step& step : steps)
    add(table, {.id = step.id,
                .title = step.title,
                .category = "Toggles",
                .key = step.key,
                .run = [&w, step] { step.run(w, step.forward); },
                .enabled = any,
                .needs = "this kernel has no toggles.",
                .repeats = true});
  add(table, {.id = "toggles.reset",
              .title = "All toggles back to their defaults",
              .category = "Toggles",
              .key = "Alt+Q",
              .run =
                  [&w] {
                    experiment::Experiment next = w.state().experiment;
                    next.toggles.clear();
                    next.block = {0, 0, 0};
                    w.set_experiment(std::move(next));
                  },
              .enabled = [&w] { return !w.state().experiment.toggles.empty(); },
              .needs = "all toggles are at their defaults."});
}

}  // namespace gemmscope::session
