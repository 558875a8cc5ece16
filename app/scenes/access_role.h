// What an instruction does and with which matrix: "the store of A's tile". Unlike a line or an address, this
// is the same in kernels of different files.
#pragma once

#include <cstdint>
#include <string>

#include "experiment/results.h"
#include "isa/opcode.h"
#include "metrics/matrix_layout.h"

namespace gemmscope::scenes {

// Opcodes that do the same work are of one family: LDS and LDSM, FFMA and HMMA.
enum class OpcodeFamily : uint8_t {
  other,
  global_load,
  global_store,
  shared_load,
  shared_store,
  async_copy,  // LDGSTS
  atomic,
  local_load,
  local_store,
  multiply_add,
  barrier,
};
OpcodeFamily opcode_family(isa::Opcode opcode);
// Equal opcodes, or opcodes of one family other than `other`.
bool same_kind(isa::Opcode a, isa::Opcode b);

struct AccessRole {
  OpcodeFamily family = OpcodeFamily::other;
  uint8_t matrix = metrics::kNoMatrix;  // whose elements it moves, see BlockResult::matrices
  bool known() const { return family != OpcodeFamily::other; }
  friend bool operator==(const AccessRole&, const AccessRole&) = default;
};
AccessRole role_of(const experiment::BlockResult& block, uint32_t instruction);

// "The store of A's tile", "The load of B", "The multiply-add"; empty for a role that is not known.
std::string role_text(const experiment::BlockResult& block, const AccessRole& role);

}  // namespace gemmscope::scenes
