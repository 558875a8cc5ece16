// Commands of the map and of the fragments under it.
#include "scenes/fragment_scene.h"
#include "session/app_commands_parts.h"

namespace gemmscope::session {
namespace {

using scenes::MapZoom;

bool has_map(const Workspace& w) { return w.state().has_trace() && w.state().block->layout.is_gemm(); }

void add_zoom(CommandTable& table, Workspace& w, const char* id, const char* title, const char* key, int by) {
  const auto wanted = [&w, by] { return static_cast<int>(w.state().map.zoom) + by; };
  add(table, {.id = id,
              .title = title,
              .category = "View",
              .key = key,
              .run = [&w, wanted] { w.state().map.zoom = static_cast<MapZoom>(wanted()); },
              .enabled =
                  [&w, wanted] {
                    return has_map(w) && wanted() >= 0 && wanted() <= static_cast<int>(MapZoom::thread);
                  },
              .needs = "the map is as near, or as far, as it gets, or this kernel has none."});
}

}  // namespace

void add_map_commands(CommandTable& table, Workspace& workspace) {
  add_zoom(table, workspace, "map.zoom_in", "Zoom into the map: block, warp, thread", "Z", 1);
  add_zoom(table, workspace, "map.zoom_out", "Zoom out of the map", "Shift+Z", -1);
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
