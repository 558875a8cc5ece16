// The device board: variants on two devices as bars of their speed, the fastest first, with a line from each
// variant's place on one to its place on the other; below, the devices' numbers side by side.
#pragma once

#include <string>
#include <vector>

#include "drawing/geometry.h"
#include "experiment/board.h"
#include "experiment/live_model.h"
#include "scenes/scene_metrics.h"

namespace gemmscope::scenes {

struct BoardColumn {
  std::string name;  // of the device
  bool changed = false;
  const experiment::BoardDevice* device = nullptr;
  const std::vector<experiment::ModelledVariant>* variants = nullptr;
  size_t fresh = 0;  // the first so many variants are of this device; the others of an earlier one
};

struct BoardBar {
  size_t variant = 0;  // index into the column's variants
  drawing::Rect row, label, track, bar, figure;
  std::string label_text, figure_text;  // "03 Tiles in shared memory"; "0.2787 ms, 1.58x"
  bool stale = false, current = false;
};
struct BoardLink {  // from a place on the left to the place on the right
  drawing::Point from, to;
  bool crosses = false;  // the order of some pair is another
  bool current = false;
};
struct BoardFact {
  drawing::Rect name, left, right;
  std::string name_text, left_text, right_text;
  std::string left_source, right_source;  // where the numbers are from; empty: not known
  bool differs = false;
};
// How many times as fast one kernel is as another on a device: as published, and as modelled.
struct BoardClaim {
  std::string device;
  double recorded = 0, modelled = 0;  // 0: not known
  bool changed = false;               // knobs are turned, so that the two are no longer of one device
};
struct BoardGain {
  drawing::Rect name, recorded, modelled, recorded_figure, modelled_figure, gap;
  std::string name_text, recorded_text, modelled_text, gap_text;  // "2.35x recorded"; "model +101 %"
  bool other_winner = false;
};
struct BoardScene {
  struct Title {
    drawing::Rect rect;
    std::string text;
  };
  std::vector<Title> titles;          // of the columns
  std::vector<BoardBar> left, right;  // the fastest first; those without a time last
  std::vector<BoardLink> links;
  Title order;                   // "2 of 3 pairs change places"
  std::vector<BoardFact> facts;  // the data sheets
  std::vector<Title> remarks;
  Title verdict;  // whether the model shows what was published
  Title gains_title;
  std::vector<BoardGain> gains;
  drawing::Rect even;  // the line at 1x, where both kernels are as fast
  int hidden = 0;      // variants without room
};
// "On …, 2.35x recorded and 4.73x modelled (+101 %): the same winner." Empty: nothing was recorded.
std::string claim_text(const BoardClaim& claim);

// "The model does not reproduce this: on …"; empty while a claim is not modelled yet, or of a changed device.
std::string verdict_text(const std::vector<BoardClaim>& claims);

// What is said below the variants: the lesson's claims, if there are any, and sentences.
struct BoardTexts {
  std::string gains_title;
  std::vector<BoardClaim> claims;
  std::vector<std::string> remarks;
};
// `current`: the user's variant.
BoardScene layout_board(const BoardColumn& left, const BoardColumn& right,
                        const experiment::VariantKey& current, const BoardTexts& texts, drawing::Rect area,
                        const SceneMetrics& metrics);

// Variants by time, the fastest first; those without a time keep their order at the end.
std::vector<size_t> by_time(const std::vector<experiment::ModelledVariant>& variants);
// Of the pairs with times on both sides: how many there are, and how many have another order.
struct ChangedPairs {
  int pairs = 0, changed = 0;
};
ChangedPairs changed_pairs(const std::vector<experiment::ModelledVariant>& left,
                           const std::vector<experiment::ModelledVariant>& right);

}  // namespace gemmscope::scenes
