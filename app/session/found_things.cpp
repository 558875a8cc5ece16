#include "session/found_things.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/language.h"
#include "experiment/size_sweep.h"
#include "experiment/toggle_list.h"
#include "scenes/figure_names.h"
#include "session/device_choice.h"

namespace gemmscope::session {
namespace {

using Things = std::vector<FoundThing>;

struct Source {
  Workspace& workspace;
  AppFlags& flags;
  const CommandTable& commands;
};

bool starts_with(std::string_view text, std::string_view begin) {
  return text.substr(0, begin.size()) == begin;
}

ThingKind kind_of(const Command& command) {
  if (starts_with(command.id, "kernel.")) return ThingKind::kernel;
  return starts_with(command.id, "picture.") ? ThingKind::picture : ThingKind::command;
}

// The id finds it too: "time.step_forward", "09_conflict_free".
std::string other_words(const Command& command) {
  return fmt::format("{} {} {}", command.category, command.id, command.description);
}

void add_commands(const Source& from, Things& things) {
  for (const Command& command : from.commands.all()) {
    if (!command.in_palette) continue;
    const bool enabled = from.commands.is_enabled(command);
    things.push_back({.id = "command:" + command.id,
                      .kind = kind_of(command),
                      .title = command.title,
                      .also = other_words(command),
                      .key = from.commands.key_text(command.id),
                      .needs = enabled ? "" : command.needs,
                      .choose = [&w = from.workspace, id = command.id] { w.requests().command = id; }});
  }
}

// A file of the user's has no command.
void add_own_kernels(const Source& from, Things& things) {
  for (const catalog::Kernel& kernel : from.workspace.catalog().kernels) {
    if (!kernel.opened) continue;
    things.push_back({.id = "kernel:" + kernel.id,
                      .kind = ThingKind::kernel,
                      .title = kernel.title,
                      .also = kernel.path.string(),
                      .key = {},
                      .needs = {},
                      .choose = [&w = from.workspace, id = kernel.id] {
                        w.set_experiment(experiment::with_kernel(w.state().experiment, id));
                      }});
  }
}

std::vector<experiment::ToggleGroup> toggles_of(const Workspace& w) {
  const catalog::Kernel* kernel = w.catalog().find(w.state().experiment.kernel);
  return kernel == nullptr ? std::vector<experiment::ToggleGroup>()
                           : experiment::toggle_list(*kernel, w.state().experiment, w.state().offer.get());
}

// The row is looked up anew: other toggles may have changed since the palette was opened.
void choose_value(Workspace& w, const std::string& toggle, size_t value) {
  const auto groups = toggles_of(w);
  const experiment::ToggleRow* row = experiment::find_toggle(groups, toggle);
  const catalog::Kernel* kernel = w.catalog().find(w.state().experiment.kernel);
  if (row == nullptr || kernel == nullptr || value >= row->values.size()) return;
  w.state().toggle = toggle;
  w.set_experiment(experiment::with_toggle(*kernel, w.state().experiment, *row, value));
}

void add_toggle_values(const Source& from, Things& things) {
  for (const experiment::ToggleGroup& group : toggles_of(from.workspace))
    for (const experiment::ToggleRow& row : group.rows)
      for (size_t i = 0; i < row.values.size(); ++i) {
        if (i == row.chosen) continue;
        const std::string label = row.on_off ? (row.values[i] == 0 ? "off" : "on") : row.labels[i];
        things.push_back({.id = fmt::format("toggle:{}={}", row.name, row.values[i]),
                          .kind = ThingKind::toggle,
                          .title = fmt::format("{}: {}", row.title, label),
                          .also = fmt::format("{}={} {}", row.name, row.values[i], group.title),
                          .key = {},
                          .needs = row.why_not[i],
                          .choose = [&w = from.workspace, name = row.name, i] { choose_value(w, name, i); }});
      }
}

// Shows the figure's place, and marks it there for a moment.
void show_figure(Workspace& w, AppFlags& flags, const scenes::FigureName& figure) {
  ViewState& state = w.state();
  if (figure.place == scenes::FigurePlace::code_column) {
    state.timings.visible = state.lattice.visible = state.occupancy.wide = state.board.wide = false;
    flags.enlarged = flags.present.on || flags.enlarged == Panel::code ? Panel::code : Panel::none;
  } else if (figure.place == scenes::FigurePlace::report) {
    const bool alone = flags.present.on || flags.enlarged == Panel::experiment;
    flags.enlarged = alone ? Panel::experiment : Panel::none;
  }
  state.flash.show(figure.id);
}

void add_figures(const Source& from, Things& things) {
  for (const scenes::FigureName& figure : scenes::figure_names())
    things.push_back(
        {.id = "figure:" + figure.id,
         .kind = ThingKind::figure,
         .title = figure.title,
         .also = figure.nsight,
         .key = {},
         .needs = {},
         .choose = [&w = from.workspace, &flags = from.flags, &figure] { show_figure(w, flags, figure); }});
}

void show_recording(Workspace& w, int index) {
  ViewState& state = w.state();
  state.timings.choice.recording = index;
  state.timings.choice.modelled = false;
  state.timings.visible = true;
  state.lattice.visible = state.occupancy.wide = state.board.wide = false;
}

std::string title_of(const std::vector<experiment::Timings>& recordings, size_t index) {
  const experiment::Timings& recording = recordings[index];
  return fmt::format("{}{}{}", experiment::recording_title(recordings, index),
                     recording.l2_flushed ? ", L2 flushed" : "",
                     recording.date.empty() ? "" : ", " + recording.date);
}

void add_recordings(const Source& from, Things& things) {
  const auto& recordings = from.workspace.state().timings.recordings;
  for (const int i : experiment::choosable_recordings(recordings)) {
    const experiment::Timings& recording = recordings[static_cast<size_t>(i)];
    things.push_back({.id = fmt::format("recording:{}", i),
                      .kind = ThingKind::recording,
                      .title = title_of(recordings, static_cast<size_t>(i)),
                      .also = recording.source,
                      .key = {},
                      .needs = {},
                      .choose = [&w = from.workspace, i] { show_recording(w, i); }});
  }
}

// The GPUs whose time can be modelled.
void add_devices(const Source& from, Things& things) {
  for (const RunnableDevice& device : runnable_devices())
    things.push_back({.id = "device:" + device.id,
                      .kind = ThingKind::device,
                      .title = device.name,
                      .also = fmt::format("{} {}", device.id, isa::arch_name(device.arch)),
                      .key = {},
                      .needs = why_not(from.workspace.state(), device.arch),
                      .choose = [&w = from.workspace, id = device.id] { w.choose_device(id); }});
}

// Each page of each lesson, in the language of the screen; the English finds it, too.
void add_lessons(const Source& from, Things& things) {
  Workspace& w = from.workspace;
  w.read_lessons();
  if (w.state().lesson.lessons == nullptr) return;
  const auto& lessons = w.state().lesson.lessons->lessons;
  for (size_t lesson = 0; lesson < lessons.size(); ++lesson)
    for (size_t page = 0; page < lessons[lesson].pages.size(); ++page) {
      const lessons::Page& one = lessons[lesson].pages[page];
      things.push_back({.id = fmt::format("lesson:{}/{}", lessons[lesson].id, one.id),
                        .kind = ThingKind::lesson,
                        .title = one.title.in(from.flags.language),
                        .also = fmt::format("{} {} {}", lessons[lesson].title.in(from.flags.language),
                                            one.title.english, lessons[lesson].title.english),
                        .key = {},
                        .needs = {},
                        .choose = [&w, lesson, page] { w.open_page(lesson, page); }});
    }
}

// A new kind of thing gets its provider here.
using Provider = void (*)(const Source&, Things&);
constexpr Provider kProviders[] = {add_commands,   add_own_kernels, add_toggle_values, add_figures,
                                   add_recordings, add_lessons,     add_devices};

// ---- search

constexpr size_t kMostRecent = 12;
constexpr int kBeginsWithQuery = 100'000, kOtherWords = -1'000;

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

// Each word of the query is somewhere in the text.
bool has_words(const std::string& text, const std::string& query) {
  for (size_t begin = 0; begin < query.size();) {
    const size_t end = std::min(query.find(' ', begin), query.size());
    if (text.find(query.substr(begin, end - begin)) == std::string::npos) return false;
    begin = end + 1;
  }
  return !query.empty();
}

struct Ranked {
  ThingMatch match;
  int score = 0;
  bool possible = true;
};

std::optional<Ranked> rank(const FoundThing& thing, size_t index, const std::string& query) {
  Ranked ranked{{index, {}}, 0, thing.needs.empty()};
  if (thing.id == "command:" + query) {
    ranked.score = kBeginsWithQuery;
    return ranked;
  }
  const std::optional<FuzzyMatch> title = fuzzy_match(query, thing.title);
  if (title) {
    // Of two equal matches the shorter title is the likelier one.
    ranked.score = title->score - static_cast<int>(thing.title.size()) / 4;
    ranked.match.positions = title->positions;
    if (starts_with(lower(thing.title), query)) ranked.score += kBeginsWithQuery;
    return ranked;
  }
  const std::string words = lower(fmt::format("{} {} {}", kind_name(thing.kind), thing.title, thing.also));
  if (!has_words(words, query)) return std::nullopt;
  ranked.score = kOtherWords;
  return ranked;
}

void add_misspelt(std::span<const FoundThing> things, const std::string& query, std::vector<Ranked>& ranked) {
  for (size_t i = 0; i < things.size(); ++i)
    if (std::optional<FuzzyMatch> match = misspelt_match(query, things[i].title))
      ranked.push_back({{i, std::move(match->positions)}, match->score, things[i].needs.empty()});
}

}  // namespace

const char* kind_name(ThingKind kind) {
  constexpr const char* kNames[] = {"Command", "Kernel",    "Toggle", "Figure",
                                    "Picture", "Recording", "Lesson", "Device"};
  return kNames[static_cast<size_t>(kind)];
}

std::vector<FoundThing> things_to_find(Workspace& workspace, AppFlags& flags, const CommandTable& commands) {
  Things things;
  for (const Provider provider : kProviders) provider({workspace, flags, commands}, things);
  return things;
}

std::vector<ThingMatch> search_things(std::span<const FoundThing> things, std::string_view query,
                                      std::span<const std::string> recent) {
  const size_t first = query.find_first_not_of(' '), last = query.find_last_not_of(' ');
  const std::string wanted =
      first == std::string_view::npos ? "" : lower(query.substr(first, last - first + 1));
  std::vector<Ranked> ranked;
  for (size_t i = 0; i < things.size(); ++i) {
    std::optional<Ranked> one =
        wanted.empty() ? Ranked{{i, {}}, 0, things[i].needs.empty()} : rank(things[i], i, wanted);
    if (!one) continue;
    if (const auto used = std::ranges::find(recent, things[i].id); wanted.empty() && used != recent.end())
      one->score = static_cast<int>(recent.end() - used);
    ranked.push_back(*std::move(one));
  }
  if (ranked.empty()) add_misspelt(things, wanted, ranked);
  std::ranges::stable_sort(ranked, [](const Ranked& a, const Ranked& b) {
    return a.possible != b.possible ? a.possible : a.score > b.score;
  });
  std::vector<ThingMatch> matches;
  matches.reserve(ranked.size());
  for (Ranked& one : ranked) matches.push_back(std::move(one.match));
  return matches;
}

void note_found(std::vector<std::string>& recent, const std::string& id) {
  std::erase(recent, id);
  recent.insert(recent.begin(), id);
  if (recent.size() > kMostRecent) recent.resize(kMostRecent);
}

}  // namespace gemmscope::session
