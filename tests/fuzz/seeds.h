// Valid inputs of each fuzz target, made from what the repository holds: mutations start there.
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

// Inputs that once broke something, minimised: tests/data/fuzz/<target>/.
std::vector<Input> stored_inputs(std::string_view target);

}  // namespace gemmscope::fuzz
