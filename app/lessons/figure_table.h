// All figures of an experiment as rows of a table, each with its name in lessons and where it comes from.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiment/model_report.h"
#include "experiment/results.h"
#include "scenes/key_numbers.h"

namespace gemmscope::lessons {

struct FigureRow {
  std::string group;   // "code", "launch", "occupancy", "block", "grid", "nsight", "model", "time"
  std::string figure;  // "shared_load.wavefronts", or a metric of Nsight Compute
  double value = 0;
  std::string origin;  // "exact", "modelled", "measured", "recorded"
  std::string source;  // the device, and the date of a recording; empty: the machine code
};

// What is null or empty has no rows.
struct FigureInput {
  std::shared_ptr<const experiment::CompiledKernel> compiled;  // always
  std::shared_ptr<const experiment::BlockResult> block;
  std::shared_ptr<const experiment::GridResult> grid;
  std::shared_ptr<const experiment::ModelReport> model;
  std::vector<scenes::KeyTime> timed;
};
std::vector<FigureRow> figure_rows(const FigureInput& input);

// A line of names, then a line for each row; by RFC 4180.
std::string figures_csv(const std::vector<FigureRow>& rows);
std::string figures_json(const std::vector<FigureRow>& rows, const experiment::Experiment& experiment);

}  // namespace gemmscope::lessons
