// The figures on the screen: where they stand, and what Nsight Compute calls them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "metrics/counters.h"
#include "scenes/code_counts.h"
#include "scenes/key_numbers.h"

namespace gemmscope::scenes {

enum class FigurePlace : uint8_t {
  numbers,     // the strip under the menus
  report,      // the lists below the experiment
  code_column  // beside the code
};

struct FigureName {
  std::string id;     // "numbers.registers", "report.global_load", "code.executions"
  std::string title;  // as searched for
  FigurePlace place = FigurePlace::numbers;
  // The metrics of Nsight Compute that are the same figure, or whose sum it is ("a + b"); empty: there is
  // none. Those of counters are compared with recordings (metrics/ncu_metrics.h).
  std::string nsight;
};

// All of them, place by place.
std::span<const FigureName> figure_names();
const FigureName& figure_name(KeyNumber number);
const FigureName& figure_name(CodeColumn column);
const FigureName& figure_name(const metrics::TrafficKind& kind);  // one of metrics::kTrafficKinds
const FigureName* find_figure(std::string_view id);               // or null

// A line for a tooltip: "Nsight Compute: smsp__inst_executed.sum", or that there is no name.
std::string nsight_line(const FigureName& figure);

}  // namespace gemmscope::scenes
