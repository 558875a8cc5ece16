// What the user chose in the map.
#pragma once

#include "scenes/map_scene.h"

namespace gemmscope::session {

struct MapState {
  scenes::MapZoom zoom = scenes::MapZoom::block;
};

}  // namespace gemmscope::session
