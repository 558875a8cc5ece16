// A scene: all that brings a picture back, in a small JSON file or in one line of text. It holds the
// experiment, the text of a user's kernel, where the cursor is and what is shown. A scene from elsewhere can
// only choose what is computed and drawn: it names no command of the system and no file.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "catalog/catalog.h"
#include "session/pinned.h"
#include "session/view_state.h"

namespace gemmscope::session {

// Where the cursor is, in terms that another compiler's machine code has, too.
struct SavedPlace {
  int warp = 0;
  int followed = 0;       // the warp whose steps are followed; scenes::kAllWarps: all
  int line = 0;           // of the kernel's own file; 0: elsewhere
  std::string opcode;     // "LDS"
  size_t occurrence = 0;  // executions by the warp of that line and opcode before it
  double fraction = 0;    // of the warp's records, where the line is not found
  int wavefront = -1;
};

struct SavedExperiment {
  experiment::Experiment experiment;
  std::string device;            // chosen in place of the architecture's: its id; empty: none
  std::string source;            // of a user's file; empty: a kernel of the catalogue
  catalog::Overrides overrides;  // given for that file
};

// A of two experiments side by side. Its cursor follows B's.
struct SavedPin : SavedExperiment {
  CompareChoice choice;
};

struct SavedScene : SavedExperiment {
  std::optional<SavedPin> pinned;
  std::optional<SavedPlace> place;
  catalog::Picture picture = catalog::Picture::none;
  bool pipeline = false, timings = false, lattice = false;  // shown
  std::string lesson;                                       // "10_memory_and_banks/column"; empty: none
};

inline constexpr size_t kMostSceneBytes = 8u << 20;  // of a scene's text

SavedScene scene_of(const ViewState& state);
std::string scene_text(const SavedScene& scene);
// Errors name `name` and the member: what is not JSON, a wrong type, a value beyond its limits, a later
// version.
Result<SavedScene> parse_scene(std::string_view text, std::string_view name);

// The scene as one line, "gemmscope:…", for a chat or a slide.
std::string scene_link(const SavedScene& scene);
bool is_scene_link(std::string_view text);
Result<SavedScene> parse_scene_link(std::string_view link);

// The cursor of that place in a block; the nearest where the code differs.
scenes::Cursor find_place(const SavedPlace& place, const experiment::BlockResult& block);
SavedPlace place_of(const experiment::BlockResult& block, scenes::Cursor cursor, int followed);

}  // namespace gemmscope::session
