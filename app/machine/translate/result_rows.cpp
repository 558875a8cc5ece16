#include "machine/translate/result_rows.h"

#include <fmt/format.h>

#include "isa/instruction.h"
#include "machine/lanes/lane_ops.h"

namespace gemmscope::machine {
namespace {

FloatFormat format_at(const MicroOp& op, int bit) {
  return static_cast<FloatFormat>(op.immediate >> bit & 15);
}

uint32_t lane_result_rows(const MicroOp& op) {
  const auto is = [&](LaneOp lane_op) { return op.lane == lane_ops()[lane_op]; };
  const auto rows_of = [](bool pair) { return pair ? 2u : 1u; };
  const bool wide = (op.flags & kWide) != 0;
  if (is(LaneOp::dmma)) return wide ? 8 : 4;
  if (is(LaneOp::hmma) || is(LaneOp::imma)) return wide ? 4 : 2;
  for (const LaneOp pair :
       {LaneOp::imad_wide, LaneOp::iadd3_wide, LaneOp::cs2r, LaneOp::dadd, LaneOp::dmul, LaneOp::dfma})
    if (is(pair)) return 2;
  if (is(LaneOp::f2f) || is(LaneOp::i2f))
    return rows_of(format_at(op, kConvertTargetBits) == FloatFormat::f64);
  if (is(LaneOp::frnd)) return rows_of(format_at(op, kConvertSourceBits) == FloatFormat::f64);
  if (is(LaneOp::f2i)) return rows_of((op.immediate & 0xff) == 64);
  return 1;
}

}  // namespace

uint32_t result_rows(const MicroOp& op) {
  switch (op.action) {
    case Action::lanes:
      return lane_result_rows(op);
    case Action::load_global:
    case Action::load_shared:
    case Action::load_local:
    case Action::load_constant:
    case Action::atomic_global:
    case Action::atomic_shared:
      return (op.width_bytes + 3u) / 4;
    case Action::load_matrix:
      return op.mode;
    case Action::code_address:
    case Action::object_exchange:
    case Action::object_arrive:
      return 2;
    case Action::clock:
      return (op.flags & kWide) != 0 ? 2 : 1;
    default:
      return 1;
  }
}

std::string too_wide_text(const MicroOp& op) {
  const bool uniform = op.destination >= kUniformRow;
  const Row first = uniform ? kUniformRow : Row{0};
  const Row zero = static_cast<Row>(first + (uniform ? isa::kUniformZero : isa::kRegisterZero));
  const uint32_t rows = result_rows(op);
  if (op.destination >= zero || op.destination + rows <= zero) return {};
  return fmt::format(
      "it writes {} registers from {}{} on, but the last one is {}{}: no GPU has such an "
      "instruction, so recompile the kernel",
      rows, uniform ? "UR" : "R", op.destination - first, uniform ? "UR" : "R", zero - first - 1);
}

}  // namespace gemmscope::machine
