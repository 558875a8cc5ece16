// Which instruction issues when, and which registers hold fragments and sums then.
#pragma once

#include <vector>

#include "base/error.h"
#include "schedule/outer_product.h"
#include "schedule/values.h"

namespace gemmscope::schedule {

struct Placement {
  std::vector<uint32_t> order;             // indices in the region, in the new order
  std::vector<uint8_t> fragment_register;  // by fragment: the first of its registers
  std::vector<uint8_t> sum_register;       // by product: where its result is if keeps_register is false
  uint32_t wrong_bank = 0;                 // sums in the bank of the factor that is streamed
};

struct PlacementLimits {
  int register_budget = 0;  // the registers below it may be used
  // Fragments may use registers that sums have left for a while, and those that hold nothing until a later
  // instruction writes them.
  bool lend = false;
  // Every value stays in its register, so none needs to be free, and what writes a register waits for those
  // that read it before.
  bool keep_registers = false;
  int fragment_words = 255;  // that loads may fill ahead at most
  uint32_t loads_ahead = 0;  // places by which a load and what stands before it may come earlier than before
  uint32_t load_distance =
      30;                     // instructions between a load and a product that needs it, where there are any
  uint32_t load_spacing = 1;  // places from one load of a fragment to the next at least, where products wait
};

// Everything but the free products keeps its order; a product issues as early in `wanted` as what it reads is
// there. Errors: not enough registers.
Result<Placement> place(const std::vector<isa::Instruction>& instructions, Range region,
                        const RegionValues& values, const ProductOrder& wanted,
                        const PlacementLimits& limits);

}  // namespace gemmscope::schedule
