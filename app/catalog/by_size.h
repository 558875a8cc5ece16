// Which variant of a product is fastest for given sizes: a small data file says what each would cost.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/expression.h"

namespace gemmscope::catalog {

// On the command line this stands for the kernel and the toggles that the file chooses.
inline constexpr const char* kBySize = "by_size";

// kernels/by_size.toml, whose comments say what its keys mean.
struct SizeTable {
  std::string kernel;                // an id of the catalogue
  std::string device;                // on which the costs were measured
  std::vector<std::string> toggles;  // names of the choices that are toggles of the kernel
  std::vector<std::vector<Values>> choices;
  std::vector<std::pair<std::string, std::string>> names;  // a name and its expression, in order
  std::string possible, cost;                              // expressions
};

struct SizedVariant {
  std::string kernel;
  std::map<std::string, int64_t> toggles;
  double cost_us = 0;  // modelled, on the table's device
};

std::filesystem::path size_table_path();
// Errors name the file, and the key that is missing or wrong.
Result<SizeTable> read_size_table(const std::filesystem::path& path);
// All candidates that are possible, the cheapest first; at least one. Errors quote the expression that has no
// value for these sizes, or say that nothing is possible.
Result<std::vector<SizedVariant>> variants_by_size(const SizeTable& table, const Problem& problem);
// The cheapest of the program's own table.
Result<SizedVariant> fastest_by_size(const Problem& problem);

}  // namespace gemmscope::catalog
