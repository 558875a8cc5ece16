// The order in which the products of a region should issue. The products of one step along K form an outer
// product: each value of one side meets each value of the other. In serpentine order one operand stays in the
// reuse cache over a row, and at the turn the other does, so each product reads two registers, its sum and
// one factor, and they come from different banks if the sum's register is chosen so.
#pragma once

#include <vector>

#include "schedule/values.h"

namespace gemmscope::schedule {

// Which side of the outer products stays in the reuse cache over a row; code_order: the products stay in the
// order of the code.
enum class Kept : uint8_t { first_factor, second_factor, code_order };

struct ProductOrder {
  std::vector<uint32_t> order;  // products
  std::vector<char> swap;       // by product: a and b must change places, so that each side keeps its slot
  std::vector<int> votes;  // by product: banks of the streamed factor, +1 for odd and −1 for even; 0: none
  uint32_t steps = 0;      // outer products
};

// Outer products stay in the order of the code. Products that belong to none keep their places among them.
ProductOrder order_products(const RegionValues& values, Kept kept);

}  // namespace gemmscope::schedule
