// What differs between two experiments, A and B: their names, and a table of counters, conflicts, resources,
// times and stalls with factors. The window's table and `gemmscope compare` print the same rows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiment/model_result.h"
#include "scenes/key_numbers.h"

namespace gemmscope::scenes {

// The results of one experiment, as far as there are any.
struct ComparedSide {
  const experiment::BlockResult* block = nullptr;  // always
  const experiment::GridResult* grid = nullptr;
  // All of the model, or none; then the sentence says why.
  const experiment::TimingSample* sample = nullptr;
  const experiment::ModelledTime* modelled = nullptr;
  const sm::SmConfig* device = nullptr;
  std::string no_model;
  std::vector<KeyTime> timed;  // measured and recorded, the best first (key_times.h)
};

enum class CompareGroup : uint8_t { time, counters, conflicts, resources, stalls };
inline constexpr int kCompareGroups = 5;
const char* compare_group_name(CompareGroup group);

struct CompareRow {
  CompareGroup group = CompareGroup::counters;
  std::string id;    // of the JSON: "shared_wavefronts"
  std::string name;  // "Shared wavefronts"
  KeyChange change;  // from A (`before`) to B (`now`)
  std::string a, b;  // as text; "–": not known
  std::string factor;
  int verdict = 0;   // as verdict_of
  std::string note;  // where the figures come from, or what they are beside: "modelled, NVIDIA H200"
};

struct Comparison {
  std::string a, b;      // what each has that the other has not: "Floats in a row of the tile: 33"
  std::string headline;  // "B is 3.1 times as fast as A (modelled)"
  std::string reason;    // what the model says of the way from A to B, a sentence; empty: nothing
  std::string basis;     // what was counted: "whole grid, exact"
  std::string caution;   // why totals are not compared, a sentence; empty: they are
  std::vector<CompareRow> rows;
};
Comparison compare(const ComparedSide& a, const ComparedSide& b);

// The names alone. Experiments that are equal have equal names.
std::pair<std::string, std::string> compared_names(const experiment::BlockResult& a,
                                                   const experiment::BlockResult& b);

}  // namespace gemmscope::scenes
