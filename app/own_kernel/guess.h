// Guesses what a file without a description leaves open: which kernel is meant, what its parameters are, how
// it is launched. Only what is unambiguous is guessed; the rest is left to the user.
#pragma once

#include "catalog/catalog.h"
#include "catalog/expression.h"
#include "cuda_text/source_outline.h"

namespace gemmscope::own_kernel {

// The kernel that `wanted` names ("sgemm", "gemm::sgemm", "sgemm<64, 64>"). If `wanted` is empty, it is the
// only kernel or the only one launched. Errors list the kernels.
struct ChosenEntry {
  const cuda_text::OutlineFunction* function = nullptr;  // null if the outline does not have it
  std::string name;                                      // with template arguments
  std::vector<std::string> template_arguments;
  // Why the template arguments are not known, a sentence without its full stop. Then `template_arguments` has
  // the parameters' names, or float for types.
  std::string unclear;
};
Result<ChosenEntry> choose_entry(const cuda_text::SourceOutline& outline, const std::string& wanted);
// The values of the template's parameters that are numbers.
std::map<std::string, int64_t> template_numbers(const ChosenEntry& entry);

// True if a parameter is neither a pointer nor a number.
bool passes_structure(const cuda_text::SourceOutline& outline, const ChosenEntry& entry);

struct GuessedParameters {
  std::vector<catalog::Parameter> parameters;
  bool square = false;  // one size gives M, N and K
};
// Guesses by the names and types in the source. Errors name the parameter that is not understood.
Result<GuessedParameters> guess_parameters(const cuda_text::SourceOutline& outline, const ChosenEntry& entry,
                                           bool column_major);
// Suggests what each parameter is, also where guess_parameters fails: a pointer that is not understood is a
// buffer, a scalar that is not has no value. `entry.function` must be known.
std::vector<catalog::Parameter> suggested_parameters(const cuda_text::SourceOutline& outline,
                                                     const ChosenEntry& entry);
// Writes an example to paste. A parameter that is not understood becomes a buffer or a scalar to complete.
std::string example_parameters(const cuda_text::SourceOutline& outline, const ChosenEntry& entry);

// If the launch is in a template function, returns that function's parameters with the values that its first
// call launch<64, 64>(…) gives them.
std::map<std::string, std::string> given_by_the_caller(const cuda_text::SourceOutline& outline,
                                                       const cuda_text::LaunchSite& site);

struct UnclearLaunch {
  std::string place;          // the launch's, "line 3"; empty: there is no launch
  std::string text, unknown;  // the text there, and the name in it whose value is not known
};
struct GuessedLaunch {
  std::array<std::string, 3> block, grid;
  std::string shared;
  std::string block_place, grid_place;  // the launch's, "line 3"; empty: not found
  UnclearLaunch unclear_block, unclear_grid, unclear_shared;
};
// Guesses from the host's launches of the kernel. The result is empty if none can be read.
GuessedLaunch guess_launch(const cuda_text::SourceOutline& outline, const ChosenEntry& entry,
                           const catalog::Values& names, bool square);

// Returns "M", "N" or "K" for a name that usually means it ("numARows", "wB", "n"); empty for others.
std::string size_symbol(const std::string& name);
// True for a name of the side of square matrices: "width", "size".
bool is_square_size(const std::string& name);
// Rewrites the text at `at`, such as "(N + BLOCK - 1) / BLOCK", in terms of M, N, K and `names`. Returns
// nothing if that is not possible.
std::optional<std::string> resolve_expression(const cuda_text::SourceOutline& outline,
                                              const std::string& text, size_t at,
                                              const catalog::Values& names, bool square);

}  // namespace gemmscope::own_kernel
