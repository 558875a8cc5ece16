// Special registers: what S2R, S2UR and CS2R read.
#pragma once

#include <cstdint>
#include <string>

#include "isa/arch.h"

namespace gemmscope::isa {

// The registers that can influence a program's result.
// clang-format off
enum class SpecialRegister : uint8_t {
  lane_id = 0x00,
  virtual_id = 0x03,
  thread_id = 0x20,  // packed
  thread_id_x = 0x21, thread_id_y = 0x22, thread_id_z = 0x23,
  block_id_x = 0x25, block_id_y = 0x26, block_id_z = 0x27,
  block_size = 0x28,  // packed
  local_window_high = 0x2e,
  shared_window_high = 0x2f, shared_window_low = 0x30, shared_window_size = 0x31,
  shared_memory_size = 0x32,
  local_window_low = 0x34, local_window_size = 0x35,
  lane_mask_eq = 0x38, lane_mask_lt = 0x39, lane_mask_le = 0x3a, lane_mask_gt = 0x3b, lane_mask_ge = 0x3c,
  virtual_sm_id = 0x43,
  clock_low = 0x50, clock_high = 0x51,
  global_timer_low = 0x52, global_timer_high = 0x53,
  cluster_block_id = 0x88,  // sm_90
  zero = 0xff,
};
// clang-format on

// Returns "SR_TID.X", or "SR200" for a number without a name.
std::string special_register_name(uint8_t number, Arch arch);

}  // namespace gemmscope::isa
