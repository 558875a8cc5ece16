// The picture of the bank explorer: how many wavefronts the chosen access takes, the tile coloured by bank,
// lanes and banks, and what the fixes cost.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawing/geometry.h"
#include "experiment/bank_question.h"
#include "metrics/occupancy.h"
#include "scenes/bank_scene.h"
#include "scenes/scene_metrics.h"
#include "scenes/selection.h"

namespace gemmscope::scenes {

struct ExplorerPicture {
  bool misfit = false;  // no instruction makes this access: there are no wavefronts to draw
  drawing::Rect plate, headline, sentence;
  std::string plate_text;     // "32 wavefronts"
  std::string headline_text;  // "where 1 would do: 31 bank conflicts"
  std::string sentence_text;
  int excess = 0;
  BankScene banks;
  drawing::Rect padding;  // the columns of padding in the tile; empty: none is shown
};
// The width of a text in pixels, in the font of titles.
using MeasureTitle = std::function<float(std::string_view text)>;
ExplorerPicture layout_explorer(const experiment::BankAnswer& answer, size_t chosen, int wavefront,
                                const Selection& selection, drawing::Rect area, const SceneMetrics& metrics,
                                const MeasureTitle& measure);

// The tile as the picture of banks draws an array; none where its rows are no whole words.
experiment::SharedArrays tile_array(const experiment::BankTile& tile);

// What a fix changes and what it costs.
struct FixText {
  std::string title;  // "Padding 1: [32][33]", "column ^ row"
  std::string cost;   // "128 bytes more (3 %), no instruction"
};
// `needs`: of the kernel that the tile belongs to, as it is now; with it the cost names the blocks on an SM.
FixText padding_text(const experiment::BankAnswer& answer, int padding, int64_t bytes,
                     const std::optional<metrics::OccupancyPoint>& needs);
FixText swizzle_text(const experiment::BankAnswer& answer, const metrics::XorSwizzle& swizzle);
// Why the list lacks paddings or swizzles, a sentence each.
std::vector<std::string> missing_fixes(const experiment::BankAnswer& answer,
                                       const metrics::LayoutFixes& fixes);

}  // namespace gemmscope::scenes
