// Shared-memory banks: how many wavefronts a warp instruction takes, by the exact rule of compute
// capability 5.0 and later (metrics/README.md, Shared-memory banks). The rule reproduces an H200's counters
// of every recorded launch.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "machine/state/row_file.h"

namespace gemmscope::metrics {

inline constexpr int kBanks = 32, kBankBytes = 4;

enum class SharedOp : uint8_t { load, store, matrix_load };  // LDS, STS, LDSM

struct SharedAccess {
  SharedOp op = SharedOp::load;
  int words =
      1;  // a lane's access in 4-byte words: 1, 2 or 4 (a narrower one counts as 1); LDSM: matrices 1, 2 or 4
  uint32_t mask = 0;                                      // active lanes
  std::array<uint64_t, machine::kWarpLanes> addresses{};  // bytes; LDSM: the row address that the lane gives
};

struct BankCount {
  int wavefronts = 0;
  int minimum = 0;  // groups with an active lane: the wavefronts of the access without conflicts
  int excess() const { return wavefronts - minimum; }  // "bank conflicts"
};

BankCount count_wavefronts(const SharedAccess& access);

// One pass through the banks. The split into groups and the number of passes are the hardware's. It is not
// documented which of several words a bank serves first; here it is the order of the lanes.
struct Wavefront {
  int group = 0;                       // which part of the warp it serves
  uint32_t lanes = 0;                  // lanes that read or write at least one word in this pass
  std::array<int64_t, kBanks> word{};  // word index (address / 4) of each bank, −1 where the bank is idle
  std::array<uint32_t, kBanks> served{};  // lanes that share the bank's word: two or more is a broadcast
};
std::vector<Wavefront> wavefronts(const SharedAccess& access);

// The most distinct words that one group accesses in one bank: 1 is free of conflicts, 2 is a two-way
// conflict, and so on.
int conflict_degree(const SharedAccess& access);

}  // namespace gemmscope::metrics
