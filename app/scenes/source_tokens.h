// A line of CUDA C++ cut into coloured pieces; only as much syntax as a reader's eye needs.
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
// A line of disassembly: guard, mnemonic, operands.
std::vector<Token> tokens_of_sass(std::string_view text, drawing::Role mnemonic_role);

}  // namespace gemmscope::scenes
