// The overlays of the current instruction on the panes of the map: marks of its elements, the frame around a
// thread's elements of C, and the lines from A and B to where they meet.
#pragma once

#include "scenes/map_scene.h"

namespace gemmscope::scenes {

// The panes must be placed first. place_owned and place_guides also need the focus lane and thread.
void place_marks(MapScene& scene, const Playhead& playhead, const Selection& selection,
                 const SceneMetrics& metrics);
// The numbers of lanes, in cells that have room for them.
void place_lane_labels(MapScene& scene, const Playhead& playhead, const SceneMetrics& metrics);
void place_owned(MapScene& scene, const experiment::BlockResult& block);
// The elements of A, B and C in global memory that the other warps access, those of C that they add to, and
// those that a thread of each owns. Factors in registers and shared memory are not followed: that would need
// the elements in the registers of every warp at its own time.
void place_warps(MapScene& scene, const experiment::BlockResult& block, std::span<const WarpPlace> warps,
                 const SceneMetrics& metrics);
void place_guides(MapScene& scene, const Playhead& playhead, const SceneMetrics& metrics);

}  // namespace gemmscope::scenes
