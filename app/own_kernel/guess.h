// What a file without a description says between its lines: which kernel is meant, what its parameters are,
// how it is launched. Only what is unambiguous is guessed; the rest is left to the user.
#pragma once

#include "catalog/catalog.h"
#include "catalog/expression.h"
#include "cuda_text/source_outline.h"

namespace gemmscope::own_kernel {

// The kernel that `wanted` names ("sgemm", "gemm::sgemm", "sgemm<64, 64>"), or, if it is empty, the only one
// or the only one that is launched. Errors list the kernels.
struct ChosenEntry {
  const cuda_text::OutlineFunction* function = nullptr;  // null where the outline does not know it
  std::string name;                                      // with template arguments
  std::vector<std::string> template_arguments;
  // Why the template arguments are not known, a sentence without its point; then they stand for themselves.
  std::string unclear;
};
Result<ChosenEntry> choose_entry(const cuda_text::SourceOutline& outline, const std::string& wanted);

// Whether a parameter is neither a pointer nor a number.
bool passes_structure(const cuda_text::SourceOutline& outline, const ChosenEntry& entry);

struct GuessedParameters {
  std::vector<catalog::Parameter> parameters;
  bool square = false;  // one size stands for M, N and K
};
// By the names and types in the source. Errors name the parameter that is not understood.
Result<GuessedParameters> guess_parameters(const cuda_text::SourceOutline& outline, const ChosenEntry& entry,
                                           bool column_major);
// The same with what is not understood as a buffer or a scalar to be completed: an example to paste.
std::string example_parameters(const cuda_text::SourceOutline& outline, const ChosenEntry& entry);

// Of the template function that the launch stands in, its parameters as the first call launch<64, 64>(…)
// gives them.
std::map<std::string, std::string> given_by_the_caller(const cuda_text::SourceOutline& outline,
                                                       const cuda_text::LaunchSite& site);

struct UnclearLaunch {
  std::string place;          // of the launch, "line 3"; empty: there is none
  std::string text, unknown;  // what stands there, and the name in it whose value cannot be told
};
struct GuessedLaunch {
  std::array<std::string, 3> block, grid;
  std::string shared;
  std::string block_place, grid_place;  // of the launch, "line 3"; empty: not found
  UnclearLaunch unclear_block, unclear_grid, unclear_shared;
};
// From the places where the host launches the kernel; empty where there is none that can be read.
GuessedLaunch guess_launch(const cuda_text::SourceOutline& outline, const ChosenEntry& entry,
                           const catalog::Values& names, bool square);

// "M", "N" or "K" for a name that usually means it ("numARows", "wB", "n"); empty for others.
std::string size_symbol(const std::string& name);
// One name for the side of square matrices: "width", "size".
bool is_square_size(const std::string& name);
// "(N + BLOCK - 1) / BLOCK" as it stands at `at`, in terms of M, N, K and `names`; none where that cannot be
// said.
std::optional<std::string> resolve_expression(const cuda_text::SourceOutline& outline,
                                              const std::string& text, size_t at,
                                              const catalog::Values& names, bool square);

}  // namespace gemmscope::own_kernel
