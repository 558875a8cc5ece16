// Rows of the recorded instructions in tests/data/isa.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

#include "isa/arch.h"

namespace gemmscope::isa {

struct Vector {
  Arch arch = Arch::sm_90;
  uint32_t address = 0;
  uint64_t lo = 0, hi = 0;
  std::string text;
};

inline std::string take_field(std::string& line) {
  const std::size_t comma = line.find(',');
  std::string field = line.substr(0, comma);
  line.erase(0, comma + 1);
  return field;
}

inline uint64_t hex(const std::string& digits) { return std::strtoull(digits.c_str(), nullptr, 16); }

// A row is: architecture,address,lo,hi,"text".
inline Vector parse_row(std::string line) {
  Vector vector;
  vector.arch = arch_from_name(take_field(line)).value();
  vector.address = static_cast<uint32_t>(hex(take_field(line)));
  vector.lo = hex(take_field(line));
  vector.hi = hex(take_field(line));
  while (!line.empty() && (line.back() == '\r' || line.back() == '"')) line.pop_back();
  vector.text = line.starts_with('"') ? line.substr(1) : line;
  return vector;
}

}  // namespace gemmscope::isa
