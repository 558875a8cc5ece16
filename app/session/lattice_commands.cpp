#include "session/app_commands_parts.h"

namespace gemmscope::session {
namespace {

constexpr const char* kNeedsLattice = "show the lattice first.";

using experiment::LatticeColumn;

void show(ViewState& state, bool visible, bool wide) {
  state.lattice.visible = visible;
  state.lattice.wide = wide;
  if (visible) state.timings.visible = false;
  state.occupancy.wide = false;
}

void next_column(LatticeState& lattice, int by) {
  experiment::LatticeOrder& order = lattice.choice.order;
  constexpr int kCount = experiment::kLatticeColumns;
  order.column = static_cast<LatticeColumn>((static_cast<int>(order.column) + by + kCount) % kCount);
  lattice.choice.first_row = 0;
}

// Makes the best of the lattice the experiment.
void to_best(Workspace& w) {
  const LatticeState& lattice = w.state().lattice;
  if (lattice.lattice == nullptr) return;
  const auto* best = experiment::best_entry(*lattice.lattice);
  if (best != nullptr && why_not_at(w.state(), best->point).empty())
    w.set_experiment(experiment_at(w.state(), best->point));
}

}  // namespace

experiment::Experiment experiment_at(const ViewState& state, const experiment::LatticePoint& point) {
  experiment::Experiment next = state.experiment;
  next.toggles = point.toggles;
  if (!(next == state.experiment)) next.block = {0, 0, 0};
  return next;
}

std::string why_not_at(const ViewState& state, const experiment::LatticePoint& point) {
  const catalog::Kernel* kernel = state.catalog->find(state.experiment.kernel);
  const bool asks =
      kernel != nullptr && state.offer != nullptr && state.offer->is_of(*kernel, state.experiment);
  return asks ? state.offer->why_not(state.experiment.arch, point.toggles) : "";
}

void add_lattice_commands(CommandTable& table, Workspace& w) {
  const auto shown = [&w] { return w.state().lattice.visible; };
  add(table, {.id = "lattice.show",
              .title = "Ablation lattice in place of the code",
              .category = "Timings",
              .key = "L",
              .run = [&w] { show(w.state(), !w.state().lattice.visible, false); },
              .checked = shown,
              .description = "Models every other value of every toggle, and every pair of them."});
  add(table, {.id = "lattice.wide",
              .title = "Ablation lattice over everything but the experiment",
              .category = "Timings",
              .key = "Shift+L",
              .run =
                  [&w] {
                    const LatticeState& lattice = w.state().lattice;
                    show(w.state(), true, !(lattice.visible && lattice.wide));
                  },
              .checked = [&w] { return w.state().lattice.visible && w.state().lattice.wide; }});
  add(table, {.id = "lattice.tune",
              .title = "Tune: rank the variants by their modelled time",
              .category = "Timings",
              .run =
                  [&w] {
                    show(w.state(), true, true);
                    w.state().lattice.choice = {};
                  },
              .description = "The lattice, the fastest first. gemmscope tune looks further, and at a GPU."});
  add(table, {.id = "lattice.best",
              .title = "Choose the best variant of the lattice",
              .category = "Timings",
              .key = "Alt+B",
              .run = [&w] { to_best(w); },
              .enabled = shown,
              .needs = kNeedsLattice});
  add(table, {.id = "lattice.next_column",
              .title = "Sort the lattice by the next column",
              .category = "Timings",
              .key = "Alt+S",
              .run = [&w] { next_column(w.state().lattice, 1); },
              .enabled = shown,
              .needs = kNeedsLattice,
              .repeats = true});
  add(table, {.id = "lattice.reverse",
              .title = "Reverse the order of the lattice",
              .category = "Timings",
              .key = "Alt+Shift+S",
              .run =
                  [&w] {
                    bool& descending = w.state().lattice.choice.order.descending;
                    descending = !descending;
                  },
              .enabled = shown,
              .needs = kNeedsLattice,
              .checked = [&w] { return w.state().lattice.choice.order.descending; }});
  add(table, {.id = "lattice.map",
              .title = "Lattice as a heat map of the pairs",
              .category = "Timings",
              .key = "Alt+Shift+M",
              .run =
                  [&w] {
                    bool& map = w.state().lattice.choice.map;
                    map = !map;
                  },
              .enabled = shown,
              .needs = kNeedsLattice,
              .checked = [&w] { return w.state().lattice.choice.map; },
              .description = "A row and a column for each change; where they cross, both at once."});
  add(table, {.id = "lattice.singles",
              .title = "Only single changes in the lattice",
              .category = "Timings",
              .key = "Alt+N",
              .run =
                  [&w] {
                    bool& singles = w.state().lattice.choice.order.singles_only;
                    singles = !singles;
                    w.state().lattice.choice.first_row = 0;
                  },
              .enabled = shown,
              .needs = kNeedsLattice,
              .checked = [&w] { return w.state().lattice.choice.order.singles_only; }});
  add(table, {.id = "lattice.go_on",
              .title = "Compute more of the lattice",
              .category = "Timings",
              .key = "Alt+Shift+L",
              .run = [&w] { ++w.state().lattice.rounds; },
              .enabled =
                  [&w] {
                    const LatticeState& lattice = w.state().lattice;
                    return lattice.visible && !lattice.running && lattice.lattice != nullptr &&
                           lattice.lattice->computed() < lattice.lattice->entries.size();
                  },
              .needs = "no lattice is shown that misses points.",
              .description = "Spends another minute on the points that were not reached."});
}

}  // namespace gemmscope::session
