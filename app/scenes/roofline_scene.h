// The roofline chart: attainable and reached FLOP/s over arithmetic intensity, both logarithmic, with a point
// for every variant. Each level of memory has its slanted roof; the intensity counts the bytes of one level,
// whose roof is the one that bounds the points (metrics/roofline.h).
#pragma once

#include <array>
#include <optional>

#include "drawing/geometry.h"
#include "experiment/memory_rates.h"
#include "scenes/chart_axis.h"
#include "scenes/contest.h"
#include "scenes/label_room.h"
#include "scenes/scene_metrics.h"

namespace gemmscope::scenes {

// The exact FLOP per byte of L1 and shared memory of a variant's executed machine code, at the timings'
// problem.
struct CountedIntensity {
  experiment::VariantKey key;
  double flop_per_byte = 0;  // 0: could not be counted
};

struct WorkDone {  // "5 of 13"
  int done = 0, all = 0;
  bool finished() const { return done >= all; }
};

struct RooflineInput {
  experiment::MemoryLevel level = experiment::MemoryLevel::l1;  // whose bytes are on the axis
  experiment::MemoryRates rates;
  std::vector<CountedIntensity> counted;
  WorkDone counting, modelling;
};

struct Roofing {  // one grade's roof: level, from where the slanted roof of the axis' memory meets it
  experiment::Grade grade = experiment::Grade::fp32;
  drawing::Point ridge, level_end;
  drawing::Rect label;
  std::string text;  // "FP32 peak 66.9"
};
struct SlantedRoof {  // of a level of memory, up to the highest level roof
  experiment::MemoryLevel level = experiment::MemoryLevel::dram;
  drawing::Point from, to;
  drawing::Rect label;
  std::string text;     // "L2 12.6 TB/s, modelled"
  bool bounds = false;  // the points: their bytes are this memory's
};
struct RoofPoint {
  int contender = 0;
  drawing::Point at;
  bool least_bytes = false;  // the intensity is the highest possible, that of moving A, B and C once
  bool modelled = false;     // the TFLOP/s are the model's, beside points that are not
  bool above = false;        // it stands above its roof; `note` says why
  double flop_per_byte = 0, tflops = 0;
  LabelPlace label;
  std::string text;
};
// The library's rate where its bytes are not known: a dashed line over the whole plot.
struct RoofRate {
  int contender = 0;
  float y = 0;
  drawing::Rect label;
  std::string text;  // "cuBLAS FP32: bytes not known"
};
// The intensity of moving A, B and C once: a dashed line.
struct RoofIntensity {
  float x = 0;
  drawing::Rect label;
  std::string text;  // "A, B, C once: 683"
};
struct RooflineScene {
  bool empty = true;
  std::string empty_text;
  drawing::Rect title, plot, x_title, note;
  std::string title_text, x_text, note_text;
  bool working = false;  // the note says how far the counting is
  bool trouble = false;  // the note says why points are above their roof
  std::array<drawing::Rect, experiment::kMemoryLevels> switches;  // by level; empty: no room
  std::vector<Tick> x_ticks, y_ticks;
  std::vector<drawing::Rect> x_labels, y_labels;
  std::vector<SlantedRoof> slants;
  std::vector<Roofing> roofs;
  std::vector<RoofRate> rates;
  std::vector<RoofIntensity> intensities;
  std::vector<RoofPoint> points;  // the focused one last
};
RooflineScene layout_roofline(const experiment::Timings& timings, const Contest& contest, int focus,
                              const RooflineInput& input, drawing::Rect area, const SceneMetrics& metrics);
int point_at(const RooflineScene& scene, drawing::Point point, float reach);  // contender, or -1

}  // namespace gemmscope::scenes
