// LDSM and STSM move 8x8 matrices of 16-bit elements between shared memory and registers. Lane 8 i + r gives
// the address of row r of matrix i. Register i of lane l holds elements 2 (l % 4) and 2 (l % 4) + 1 of row
// l / 4, or of column l / 4 if the matrix is transposed (PTX ISA, "ldmatrix").
//
// Inaccuracy: a lane that is not active gives its address too, which the PTX ISA leaves undefined.
#include <cstring>

#include "machine/execute/block.h"

namespace gemmscope::machine {
namespace {

constexpr uint32_t kRowBytes = 16, kRows = 8;

uint32_t address_lanes(const MicroOp& op) { return op.mode >= 4 ? kAllLanes : (1u << (kRows * op.mode)) - 1; }
// Where a half of a lane's register is in shared memory.
std::byte* half_of(const LanePointers& rows, uint32_t matrix, uint32_t lane, uint32_t half, bool transposed) {
  const uint32_t line = lane / 4, place = lane % 4 * 2 + half;
  return transposed ? rows[matrix * kRows + place] + 2 * line : rows[matrix * kRows + line] + 2 * place;
}

}  // namespace

bool Block::load_matrix(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t active) {
  Addresses addresses;
  LanePointers rows;
  const uint32_t giving = address_lanes(op);
  const bool transposed = (op.flags & kHigh) != 0;
  shared_addresses(warp, op, addresses);
  if (!resolve(warp, pc, Space::shared, addresses, giving, kRowBytes, Direction::load, rows)) return false;
  observe(pc, Space::shared, Direction::load, kRowBytes, giving, addresses, Path::matrix);
  for (uint32_t matrix = 0; matrix < op.mode; ++matrix) {
    uint32_t* const d = warp.row(op.destination) + static_cast<size_t>(matrix) * kWarpLanes;
    for (uint32_t l = 0; l < kWarpLanes; ++l) {
      if ((active >> l & 1u) == 0) continue;
      if (!transposed) {
        std::memcpy(d + l, half_of(rows, matrix, l, 0, false), sizeof *d);
        continue;
      }
      uint16_t low = 0, high = 0;
      std::memcpy(&low, half_of(rows, matrix, l, 0, true), sizeof low);
      std::memcpy(&high, half_of(rows, matrix, l, 1, true), sizeof high);
      d[l] = static_cast<uint32_t>(high) << 16 | low;
    }
  }
  return true;
}

bool Block::store_matrix(Warp& warp, const MicroOp& op, uint32_t pc) {
  Addresses addresses;
  LanePointers rows;
  const uint32_t giving = address_lanes(op);
  shared_addresses(warp, op, addresses);
  if (!resolve(warp, pc, Space::shared, addresses, giving, kRowBytes, Direction::store, rows)) return false;
  observe(pc, Space::shared, Direction::store, kRowBytes, giving, addresses, Path::matrix);
  for (uint32_t matrix = 0; matrix < op.mode; ++matrix) {
    const uint32_t* const data = warp.row(op.source[2]) + static_cast<size_t>(matrix) * kWarpLanes;
    for (uint32_t l = 0; l < kWarpLanes; ++l)
      for (uint32_t half = 0; half < 2; ++half) {
        const auto value = static_cast<uint16_t>(data[l] >> (16 * half));
        std::memcpy(half_of(rows, matrix, l, half, (op.flags & kHigh) != 0), &value, sizeof value);
      }
  }
  return true;
}

}  // namespace gemmscope::machine
