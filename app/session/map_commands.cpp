// Commands of the map and of the fragments under it.
#include <algorithm>

#include "scenes/fragment_scene.h"
#include "session/app_commands_parts.h"

namespace gemmscope::session {
namespace {

using scenes::MapZoom;

bool has_map(const Workspace& w) { return w.state().has_trace() && w.state().block->layout.is_gemm(); }

void add_zoom(CommandTable& table, Workspace& w, const char* id, const char* title, const char* key, int by,
              const char* needs) {
  const auto wanted = [&w, by] { return static_cast<int>(w.state().map.zoom) + by; };
  add(table, {.id = id,
              .title = title,
              .category = "View",
              .key = key,
              .run = [&w, wanted] { w.state().map.set(static_cast<MapZoom>(wanted())); },
              .enabled =
                  [&w, wanted] {
                    return has_map(w) && wanted() >= 0 && wanted() <= static_cast<int>(MapZoom::thread);
                  },
              .needs = needs});
}

// A quarter of what is shown.
scenes::MapView panned(const ViewState& state, int down, int right) {
  const scenes::MapView view = state.map.view();
  const scenes::Region shown = scenes::shown_region(*state.block, state.cursor.record, view);
  const auto step = [](int length) { return std::max(1, length / 4); };
  return scenes::moved(*state.block, state.cursor.record, view, down * step(shown.rows),
                       right * step(shown.columns));
}

void add_pan(CommandTable& table, Workspace& w, const char* id, const char* title, const char* key, int down,
             int right) {
  add(table,
      {.id = id,
       .title = title,
       .category = "View",
       .key = key,
       .run = [&w, down, right] { w.state().map.set(panned(w.state(), down, right)); },
       .enabled = [&w, down,
                   right] { return has_map(w) && panned(w.state(), down, right) != w.state().map.view(); },
       .needs = "the map shows the edge of the block, or all of it: zoom in first."});
}

}  // namespace

void add_map_commands(CommandTable& table, Workspace& workspace) {
  add_zoom(table, workspace, "map.zoom_in", "Zoom into the map: block, warp, thread", "Z", 1,
           "the map shows one thread, or there is none.");
  add_zoom(table, workspace, "map.zoom_out", "Zoom out of the map", "Shift+Z", -1,
           "the map shows all of the block, or there is none.");
  add_pan(table, workspace, "map.pan_right", "Move the map to the right", "Ctrl+Shift+Right", 0, 1);
  add_pan(table, workspace, "map.pan_left", "Move the map to the left", "Ctrl+Shift+Left", 0, -1);
  add_pan(table, workspace, "map.pan_down", "Move the map down", "Ctrl+Shift+Down", 1, 0);
  add_pan(table, workspace, "map.pan_up", "Move the map up", "Ctrl+Shift+Up", -1, 0);
  add(table, {.id = "picture.fragments",
              .title = "Show the fragments of matrix instructions",
              .category = "View",
              .key = "Shift+F",
              .run =
                  [&workspace] {
                    ViewState& state = workspace.state();
                    state.picture = catalog::Picture::fragments;
                    state.picture_of = state.experiment.kernel;
                    state.pipeline.open = false;
                  },
              .enabled =
                  [&workspace] {
                    const ViewState& state = workspace.state();
                    return state.compiled != nullptr && scenes::has_fragments(*state.compiled);
                  },
              .needs = "this kernel has no matrix instructions; 14 and 15 of the ladder do."});
}

}  // namespace gemmscope::session
