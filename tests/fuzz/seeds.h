// Makes valid inputs of each fuzz target from the repository's files. Mutations start from them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gemmscope::fuzz {

struct Input {
  std::string name, bytes;
};

// Errors: std::runtime_error for a file that is missing.
std::vector<Input> seeds_of(std::string_view target);

// Returns minimised inputs that once broke something, from tests/data/fuzz/<target>/.
std::vector<Input> stored_inputs(std::string_view target);

}  // namespace gemmscope::fuzz
