// The ablation lattice as a table: a row a variant, the best and the chosen one marked. Pure layout;
// views/lattice_view.h draws it.
#pragma once

#include <string>
#include <vector>

#include "drawing/geometry.h"
#include "experiment/lattice.h"
#include "scenes/scene_metrics.h"

namespace gemmscope::scenes {

struct LatticeHead {
  drawing::Rect rect;
  std::string text;  // with an arrow where the rows are sorted by it
  std::string hint;  // what the column holds, a sentence
  experiment::LatticeColumn column;
  bool sorted = false;
  drawing::AlignX align = drawing::AlignX::right;
};

struct LatticeRow {
  size_t entry = 0;  // in Lattice::entries
  drawing::Rect rect;
  drawing::Rect name_rect;
  drawing::Rect bar;  // as long as its time, of the longest that is shown; empty: no time
  std::string name;
  std::vector<drawing::Rect> cells;  // parallel to LatticeScene::heads without the first
  std::vector<std::string> figures;
  std::string trouble;  // in place of the figures
  bool chosen = false, best = false, timed_measured = false;
};

struct LatticeScene {
  drawing::Rect badge, title, sentence, coverage, progress;
  std::string title_text;     // "Best: BLOCK_M=64, 0.0194 ms, 0.61x of the chosen variant's time"
  std::string sentence_text;  // why
  std::string coverage_text;
  double done = 0;     // 0 to 1, of the points
  drawing::Rect body;  // below the heading
  std::vector<LatticeHead> heads;
  std::vector<LatticeRow> rows;
  int first_row = 0, all_rows = 0;
  drawing::Rect more;
  std::string more_text;
};

// `first_row`: the first of the sorted rows to show; moved where it would leave room empty.
LatticeScene layout_lattice(const experiment::Lattice& lattice, const experiment::LatticeOrder& order,
                            int first_row, drawing::Rect area, const SceneMetrics& metrics);

// The index in LatticeScene::rows of the row under a point, or -1.
int lattice_row_at(const LatticeScene& scene, drawing::Point point);

// What is known of a point, for its tooltip: each change in the description's words, its bound, its troubles.
std::string describe_point(const catalog::Kernel& kernel, const experiment::Lattice& lattice, size_t entry);

// The order after a click on a column's head: by this column, or reversed if it was sorted by it.
experiment::LatticeOrder order_after_click(experiment::LatticeOrder order, experiment::LatticeColumn column);

}  // namespace gemmscope::scenes
