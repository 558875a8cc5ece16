#include "metrics/banks.h"

#include <algorithm>

namespace gemmscope::metrics {
namespace {

// Lanes [0, 32) are split into consecutive groups of this many lanes.
int group_lanes(const SharedAccess& access) {
  if (access.op == SharedOp::matrix_load) return 8;
  const int unmerged = machine::kWarpLanes / access.words;
  if (access.op == SharedOp::store || access.words == 1) return unmerged;
  // Loads: groups double if all active pairs (l, l^1) read the same address, or all active pairs (l, l^2) do.
  for (const int distance : {1, 2}) {
    bool merges = true;
    for (int l = 0; l < machine::kWarpLanes && merges; ++l) {
      const int other = l ^ distance;
      const bool both = (access.mask >> l & 1u) != 0 && (access.mask >> other & 1u) != 0;
      merges =
          !both || access.addresses[static_cast<size_t>(l)] == access.addresses[static_cast<size_t>(other)];
    }
    if (merges) return 2 * unmerged;
  }
  return unmerged;
}

// In LDSM only the lanes that give row addresses take part, and each stands for a row of 16 bytes.
uint32_t taking_part(const SharedAccess& access) {
  if (access.op != SharedOp::matrix_load || access.words >= 4) return access.mask;
  return access.mask & ((1u << (8 * access.words)) - 1);
}
int words_per_lane(const SharedAccess& access) {
  return access.op == SharedOp::matrix_load ? 4 : access.words;
}

// The distinct words of one bank, in lane order. At most 32 lanes access up to 4 words each, of which at most
// one is in a given bank.
struct BankWords {
  int count = 0;
  std::array<uint64_t, machine::kWarpLanes> words{};
  std::array<uint32_t, machine::kWarpLanes> lanes{};

  void add(uint64_t word, int lane) {
    for (int i = 0; i < count; ++i) {
      if (words[static_cast<size_t>(i)] != word) continue;
      lanes[static_cast<size_t>(i)] |= 1u << lane;
      return;
    }
    words[static_cast<size_t>(count)] = word;
    lanes[static_cast<size_t>(count)] = 1u << lane;
    ++count;
  }
};
using BankTable = std::array<BankWords, kBanks>;

// Fills the table for lanes [first, last); false if none of them is active.
bool collect(const SharedAccess& access, int first, int last, BankTable& table) {
  for (BankWords& bank : table) bank.count = 0;
  const uint32_t mask = taking_part(access);
  bool any = false;
  for (int l = first; l < last; ++l) {
    if ((mask >> l & 1u) == 0) continue;
    any = true;
    const uint64_t word = access.addresses[static_cast<size_t>(l)] / kBankBytes;
    for (int w = 0; w < words_per_lane(access); ++w)
      table[(word + static_cast<uint64_t>(w)) % kBanks].add(word + static_cast<uint64_t>(w), l);
  }
  return any;
}

int most_words(const BankTable& table) {
  int most = 0;
  for (const BankWords& bank : table) most = std::max(most, bank.count);
  return most;
}

}  // namespace

BankCount count_wavefronts(const SharedAccess& access) {
  BankCount count;
  BankTable table;
  const int lanes = group_lanes(access);
  for (int first = 0; first < machine::kWarpLanes; first += lanes) {
    if (!collect(access, first, first + lanes, table)) continue;
    count.wavefronts += most_words(table);
    ++count.minimum;
  }
  return count;
}

std::vector<Wavefront> wavefronts(const SharedAccess& access) {
  std::vector<Wavefront> passes;
  BankTable table;
  const int lanes = group_lanes(access);
  for (int first = 0; first < machine::kWarpLanes; first += lanes) {
    if (!collect(access, first, first + lanes, table)) continue;
    const int pass_count = most_words(table);
    for (int pass = 0; pass < pass_count; ++pass) {
      Wavefront wavefront;
      wavefront.group = first / lanes;
      for (size_t b = 0; b < kBanks; ++b) {
        const bool busy = pass < table[b].count;
        wavefront.word[b] = busy ? static_cast<int64_t>(table[b].words[static_cast<size_t>(pass)]) : -1;
        wavefront.served[b] = busy ? table[b].lanes[static_cast<size_t>(pass)] : 0;
        wavefront.lanes |= wavefront.served[b];
      }
      passes.push_back(wavefront);
    }
  }
  return passes;
}

int conflict_degree(const SharedAccess& access) {
  int most = 0;
  BankTable table;
  const int lanes = group_lanes(access);
  for (int first = 0; first < machine::kWarpLanes; first += lanes)
    if (collect(access, first, first + lanes, table)) most = std::max(most, most_words(table));
  return most;
}

}  // namespace gemmscope::metrics
