// A slow, plain model of the bank rule of compute capability 5.0 and later, written from
// app/metrics/README.md alone. app/metrics/banks.cpp must agree with it.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "metrics/banks.h"

namespace gemmscope::metrics {

struct BankModel {
  int wavefronts = 0, groups = 0, most_words_in_a_bank = 0;
};

inline bool is_active(const SharedAccess& access, int lane) { return (access.mask >> lane & 1u) != 0; }

// True if every pair of active lanes (l, l ^ distance) reads one address.
inline bool pairs_read_the_same(const SharedAccess& access, int distance) {
  for (int l = 0; l < 32; ++l)
    for (int other = 0; other < 32; ++other)
      if (other == (l ^ distance) && is_active(access, l) && is_active(access, other) &&
          access.addresses[static_cast<size_t>(l)] != access.addresses[static_cast<size_t>(other)])
        return false;
  return true;
}

inline std::vector<std::vector<int>> lane_groups(const SharedAccess& access) {
  std::vector<std::vector<int>> groups;
  const auto add_groups_of = [&](int lanes, int count) {
    for (int g = 0; g < count; ++g) {
      groups.emplace_back();
      for (int l = 0; l < lanes; ++l) groups.back().push_back(g * lanes + l);
    }
  };
  if (access.op == SharedOp::matrix_load) {
    add_groups_of(8, access.words);
    return groups;
  }
  int group_count = access.words == 1 ? 1 : access.words == 2 ? 2 : 4;
  const bool merges =
      access.op == SharedOp::load && (pairs_read_the_same(access, 1) || pairs_read_the_same(access, 2));
  if (merges && group_count > 1) group_count /= 2;
  add_groups_of(32 / group_count, group_count);
  return groups;
}

// Returns the words that a lane touches, as multiples of 4 bytes.
inline std::vector<uint64_t> words_of_lane(const SharedAccess& access, int lane) {
  const int count = access.op == SharedOp::matrix_load ? 4 : access.words;
  std::vector<uint64_t> words;
  for (int w = 0; w < count; ++w)
    words.push_back(access.addresses[static_cast<size_t>(lane)] / 4 + static_cast<uint64_t>(w));
  return words;
}

inline BankModel model_banks(const SharedAccess& access) {
  BankModel model;
  for (const std::vector<int>& group : lane_groups(access)) {
    std::map<uint64_t, std::set<uint64_t>> words_of_bank;
    for (const int lane : group)
      if (is_active(access, lane))
        for (const uint64_t word : words_of_lane(access, lane)) words_of_bank[word % 32].insert(word);
    if (words_of_bank.empty()) continue;
    int most = 0;
    for (const auto& [bank, words] : words_of_bank) most = std::max(most, static_cast<int>(words.size()));
    model.wavefronts += most;
    model.most_words_in_a_bank = std::max(model.most_words_in_a_bank, most);
    ++model.groups;
  }
  return model;
}

}  // namespace gemmscope::metrics
