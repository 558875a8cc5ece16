#include <algorithm>

#include "experiment/size_sweep.h"
#include "session/app_commands_parts.h"

namespace gemmscope::session {
namespace {

using experiment::MemoryLevel;
using experiment::Race;

void add_races(CommandTable& table, Workspace& w) {
  struct Choice {
    const char *id, *title, *key;
    Race race;
  };
  const Choice choices[] = {
      {"timing.race_before", "Race: this variant and the one before", "Alt+1", Race::before},
      {"timing.race_recent", "Race: the variants of this session", "Alt+2", Race::recent},
      {"timing.race_ladder", "Race: the whole ladder", "Alt+3", Race::ladder},
      {"timing.race_chosen", "Race: the ticked kernels", "Alt+4", Race::chosen}};
  for (const Choice& choice : choices)
    add(table, {.id = choice.id,
                .title = choice.title,
                .category = "Timings",
                .key = choice.key,
                .run = [&w, choice] { w.state().timings.choice.race = choice.race; },
                .checked = [&w, choice] { return w.state().timings.choice.race == choice.race; }});
  add(table, {.id = "timing.next_race",
              .title = "Next choice of variants",
              .category = "Timings",
              .key = "R",
              .run = [&w] {
                Race& race = w.state().timings.choice.race;
                race = static_cast<Race>((static_cast<int>(race) + 1) % experiment::kRaces);
              }});
  add(table,
      {.id = "timing.tick",
       .title = "Tick or untick this kernel",
       .category = "Timings",
       .key = "Alt+T",
       .run =
           [&w] {
             std::set<std::string>& ticked = w.state().timings.choice.ticked;
             const std::string& kernel = w.state().experiment.kernel;
             if (ticked.erase(kernel) == 0) ticked.insert(kernel);
           },
       .checked = [&w] { return w.state().timings.choice.ticked.count(w.state().experiment.kernel) > 0; }});
}

void add_recordings(CommandTable& table, Workspace& w) {
  const auto any = [&w] { return !w.state().timings.recordings.empty(); };
  const auto choose_next = [&w](int by) {
    TimingState& t = w.state().timings;
    // −1, which stands for measured or nearest, is one of the choices.
    std::vector<int> choices = experiment::choosable_recordings(t.recordings);
    choices.insert(choices.begin(), -1);
    const auto count = static_cast<std::ptrdiff_t>(choices.size());
    const auto now = std::ranges::find(choices, t.choice.recording);
    const std::ptrdiff_t at = now == choices.end() ? 0 : now - choices.begin();
    t.choice.recording = choices[static_cast<size_t>((at + by + count) % count)];
    t.choice.modelled = false;
  };
  add(table, {.id = "timing.next_recording",
              .title = "Next recording",
              .category = "Timings",
              .key = "Alt+R",
              .run = [choose_next] { choose_next(1); },
              .enabled = any,
              .needs = "there are no recordings.",
              .repeats = true});
  add(table, {.id = "timing.previous_recording",
              .title = "Previous recording",
              .category = "Timings",
              .key = "Alt+Shift+R",
              .run = [choose_next] { choose_next(-1); },
              .enabled = any,
              .needs = "there are no recordings.",
              .repeats = true});
  add(table, {.id = "timing.nearest_recording",
              .title = "Measured times, or the nearest recording",
              .category = "Timings",
              .key = "Alt+0",
              .run = [&w] {
                w.state().timings.choice.recording = -1;
                w.state().timings.choice.modelled = false;
              }});
  const auto first_sweep = [&w] {
    const auto& recordings = w.state().timings.recordings;
    const auto found = std::ranges::find_if(recordings, &experiment::Timings::of_sweep);
    return found == recordings.end() ? -1 : static_cast<int>(found - recordings.begin());
  };
  add(table, {.id = "timing.by_size",
              .title = "Timings by size: the fastest FP32 kernel against cuBLAS",
              .category = "Timings",
              .run =
                  [&w, first_sweep] {
                    TimingState& t = w.state().timings;
                    t.choice.recording = first_sweep();
                    t.choice.modelled = false;
                    t.visible = true;
                    w.state().lattice.visible = w.state().occupancy.wide = w.state().board.wide = false;
                  },
              .enabled = [first_sweep] { return first_sweep() >= 0; },
              .needs = "there is no recording of many sizes."});
  add(table, {.id = "timing.modelled",
              .title = "Modelled times of this experiment",
              .category = "Timings",
              .key = "Alt+M",
              .run =
                  [&w] {
                    bool& modelled = w.state().timings.choice.modelled;
                    modelled = !modelled;
                  },
              .checked = [&w] { return w.state().timings.choice.modelled; }});
}

// The level of memory whose bytes are on the roofline's axis.
void add_roofs(CommandTable& table, Workspace& w) {
  struct Choice {
    const char *id, *title;
    MemoryLevel level;
  };
  const Choice choices[] = {
      {"timing.roof_shared", "Roofline: bytes of L1 and shared memory", MemoryLevel::l1},
      {"timing.roof_cache", "Roofline: bytes of L2", MemoryLevel::l2},
      {"timing.roof_dram", "Roofline: bytes of DRAM (A, B and C moved once)", MemoryLevel::dram}};
  for (const Choice& choice : choices)
    add(table, {.id = choice.id,
                .title = choice.title,
                .category = "Timings",
                .run = [&w, choice] { w.state().timings.choice.roof = choice.level; },
                .checked = [&w, choice] { return w.state().timings.choice.roof == choice.level; }});
  add(table, {.id = "timing.next_roof",
              .title = "Roofline: the next level of memory",
              .category = "Timings",
              .key = "Shift+R",
              .run =
                  [&w] {
                    MemoryLevel& level = w.state().timings.choice.roof;
                    level =
                        static_cast<MemoryLevel>((static_cast<int>(level) + 1) % experiment::kMemoryLevels);
                  },
              .repeats = true});
}

}  // namespace

void add_timing_commands(CommandTable& table, Workspace& w, AppFlags& flags) {
  add(table, {.id = "timing.show",
              .title = "Timings in place of the code",
              .category = "Timings",
              .key = "T",
              .run =
                  [&w] {
                    TimingState& t = w.state().timings;
                    t.visible = !t.visible;
                    w.state().occupancy.wide = false;
                    w.state().board.wide = false;
                    w.state().lattice.visible = false;
                  },
              .checked = [&w] { return w.state().timings.visible; }});
  add(table, {.id = "timing.wide",
              .title = "Timings over everything but the experiment",
              .category = "Timings",
              .key = "Shift+T",
              .run =
                  [&w] {
                    TimingState& t = w.state().timings;
                    t.wide = !(t.visible && t.wide);
                    t.visible = true;
                    w.state().occupancy.wide = false;
                    w.state().board.wide = false;
                    w.state().lattice.visible = false;
                  },
              .checked = [&w] { return w.state().timings.visible && w.state().timings.wide; }});
  add(table, {.id = "timing.measure",
              .title = "Measure on the GPU",
              .category = "Timings",
              .key = "M",
              .run =
                  [&w] {
                    bool& measure = w.state().timings.choice.measure;
                    measure = !measure;
                  },
              .checked = [&w] { return w.state().timings.choice.measure; },
              .description = "Once the timings are open, measures variants in turn until switched off."});
  add(table, {.id = "timing.gpu_runner",
              .title = "The GPU runner\u2026",
              .category = "Timings",
              .key = "Shift+M",
              .run = [&flags] { flags.show_runner = true; },
              .description = "Sets its command line: for this computer's GPU, another's or a cluster's."});
  add(table, {.id = "timing.flush_cache",
              .title = "Flush the L2 cache before each launch",
              .category = "Timings",
              .key = "Alt+L",
              .run =
                  [&w] {
                    bool& flush = w.state().timings.choice.flush_l2;
                    flush = !flush;
                  },
              .checked = [&w] { return w.state().timings.choice.flush_l2; }});
  add(table, {.id = "timing.next_chart",
              .title = "Next chart, where only one fits",
              .category = "Timings",
              .key = "Alt+V",
              .run =
                  [&w] {
                    experiment::TimingChart& chart = w.state().timings.choice.chart;
                    chart = static_cast<experiment::TimingChart>((static_cast<int>(chart) + 1) %
                                                                 experiment::kTimingCharts);
                  },
              .repeats = true});
  add_races(table, w);
  add_recordings(table, w);
  add_roofs(table, w);
}

}  // namespace gemmscope::session
