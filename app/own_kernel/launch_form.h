// The launch of a user's kernel as fields of text, filled with what the file gives and with suggestions for
// the rest. A person mends what is wrong; each field says what is wrong with its text.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/expression.h"

namespace gemmscope::own_kernel {

struct FormField {
  std::string text;
  std::string found;   // the text that opening the file gives without help; empty: it gives none
  std::string origin;  // where the first text came from: "as launched on line 96"
  std::string error;   // a sentence; empty: the text is right
};

// What one parameter is given. The text is
//   A, B or C                     a matrix, row-major; "C, column" is column-major
//   buffer M * N                  elements with contents of their own; "buffer N, fill=zero"
//   M, alpha, 16 * K, 0.5         a number
// and may end in further keys of kernels/README.md: "A, leading_dimension=K + 4".
struct FormParameter {
  std::string declared;  // "const float* A"
  std::string name, type;
  bool pointer = false;
  FormField field;
};

struct LaunchForm {
  std::filesystem::path path;
  std::string source;                // the file's text when the form was filled
  std::vector<std::string> kernels;  // all of the file, to choose from
  std::string entry;                 // the chosen one, without template arguments
  std::vector<std::string> template_parameters;
  size_t least_arguments = 0;  // those without a default value
  FormField arguments, block, grid, shared;
  std::vector<FormParameter> parameters;
  std::string error;  // of the whole: what opening or compiling with this form said

  catalog::Values names;  // that expressions may use, without the template's parameters
};

// Fills a form for the file; what `given` has comes first. Errors: the file cannot be read, its description
// is wrong, it has no kernel, or a parameter is passed by value as a structure.
Result<LaunchForm> fill_form(const std::filesystem::path& path, const catalog::Overrides& given);

// Writes the error of each field.
void check_form(LaunchForm& form);
bool is_right(const LaunchForm& form);

// What the form says beyond that which opening the file finds by itself. The form must be right.
catalog::Overrides overrides_of(const LaunchForm& form);

}  // namespace gemmscope::own_kernel
