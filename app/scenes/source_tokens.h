// Splits a line of CUDA C++ into coloured tokens, with only as much syntax as a reader needs.
#pragma once

#include <string_view>
#include <vector>

#include "drawing/palette.h"

namespace gemmscope::scenes {

struct Token {
  std::string_view text;
  drawing::Role role = drawing::Role::text;
};

std::vector<Token> tokens_of_source(std::string_view line);
// Splits a line of disassembly into guard, mnemonic and operands.
std::vector<Token> tokens_of_sass(std::string_view text, drawing::Role mnemonic_role);

}  // namespace gemmscope::scenes
