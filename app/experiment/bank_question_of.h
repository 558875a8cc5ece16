// Between a kernel and the bank explorer: the question that an access of a traced block asks, and the toggles
// of the kernel that make the layout which was found.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "experiment/bank_question.h"
#include "experiment/results.h"
#include "experiment/toggle_list.h"

namespace gemmscope::experiment {

// Where a question came from.
struct BankSource {
  std::string kernel;  // id
  std::string array;   // as shared_arrays.h names it; empty: the source declares none there
  int64_t rows = 0, columns = 0;
  std::string place;        // "bank_conflicts.cu:79"
  std::string instruction;  // "LDS R0, [R0]"
};
struct FoundQuestion {
  BankQuestion question;
  BankSource source;
};
// The access of a record of the trace comes first, then what else its warp accesses in the same array, at
// most kMostBankAccesses in all. Executions that differ by whole rows and columns are one access with a loop
// variable. Addresses become index expressions of lane where such fit, else a table. Nothing for a record
// without an access to shared memory, and for atomics.
std::optional<FoundQuestion> question_of(const BlockResult& block, size_t record);

// Whether there is one; much quicker.
bool has_question(const BlockResult& block, size_t record);

// An expression of lane with these values in the active lanes: affine, or an exclusive or, of the lane's
// bits. Nothing unless the active lanes are the first ones and one fits.
std::optional<std::string> lane_expression(const std::array<int64_t, machine::kWarpLanes>& values,
                                           uint32_t mask);

// A change of the kernel that gives the array this layout.
struct LayoutChoice {
  std::string title;    // "PAD = 4"
  std::string why_not;  // a sentence; empty: it can be chosen
  std::string note;     // what is uncertain about it; empty: nothing
  Experiment next;
};
struct WantedLayout {
  int padding = 0;  // elements more than the source's array has in a row
  std::string swizzle = "column";
};
// Toggles whose value declares the array so, or, where the source declares none, that are called a padding of
// this value; toggles that are called a swizzle; and a typed input of row and column. `symbol`: of the kernel
// in the cubin.
std::vector<LayoutChoice> layout_choices(const catalog::Kernel& kernel, const Experiment& now,
                                         const std::string& symbol, const BankSource& source,
                                         const WantedLayout& wanted, const CodeOffer* offer = nullptr);

}  // namespace gemmscope::experiment
