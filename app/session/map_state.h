// What the user chose in the map.
#pragma once

#include <cstdint>

#include "scenes/map_scene.h"

namespace gemmscope::session {

struct MapState {
  scenes::MapZoom zoom = scenes::MapZoom::block;
  int64_t rows = 0, columns = 0;  // by which the part that is shown was moved, in elements of C

  scenes::MapView view() const { return {zoom, rows, columns}; }
  void set(const scenes::MapView& view) {
    zoom = view.zoom;
    rows = view.rows;
    columns = view.columns;
  }
};

}  // namespace gemmscope::session
