// One instruction that must come after another because of a register or predicate.
#pragma once

#include <cstdint>

#include "lint/place.h"

namespace gemmscope::lint {

enum class DependenceKind : uint8_t { read_after_write, write_after_write, write_after_read };

struct Dependence {
  DependenceKind kind = DependenceKind::read_after_write;
  Place place = 0;
  uint8_t word = 0;                     // which register of the producer's operand it is, from 0
  uint8_t consumer_word = 0;            // which register of the consumer's operand,
  uint8_t consumer_words = 1;           // and how many that operand has
  bool is_guard = false;                // the consumer reads it as its guard
  bool waited = false;                  // on every path something waits for the producer's scoreboard
  uint32_t producer = 0, consumer = 0;  // indices of the instructions
  int cycles = 0;  // from issue to issue, the fewest on any path; at most kLongestFixedLatency counts
};

}  // namespace gemmscope::lint
