// The ablation lattice as a heat map: a row and a column for each single change, and where they cross the
// pair of both. On the diagonal are the single changes. Pure layout; views/lattice_view.h draws it.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "drawing/geometry.h"
#include "experiment/lattice.h"
#include "scenes/scene_metrics.h"

namespace gemmscope::scenes {

struct LatticeMapCell {
  drawing::Rect rect;
  size_t entry = 0;    // in Lattice::entries
  bool known = false;  // it has a modelled time
  bool computed = false;
  // −1: half of the chosen variant's time or less, 0: the same time, 1: twice its time or more.
  float change = 0;
  bool best = false, single = false;
};

struct LatticeMapLabel {
  drawing::Rect rect;
  std::string text;
  bool toggle = false;  // names a toggle; else one of its values
};

struct LatticeMap {
  std::vector<LatticeMapCell> cells;
  std::vector<LatticeMapLabel> labels;
  drawing::Rect plot, legend;
};

// `kernel` is that of the lattice.
LatticeMap layout_lattice_map(const experiment::Lattice& lattice, const catalog::Kernel& kernel,
                              drawing::Rect area, const SceneMetrics& metrics);

// The entry of the cell under a point; nothing between cells, and where no variant is.
const LatticeMapCell* lattice_cell_at(const LatticeMap& map, drawing::Point point);

}  // namespace gemmscope::scenes
