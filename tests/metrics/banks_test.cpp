#include "metrics/banks.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <functional>
#include <random>
#include <set>

#include "bank_model.h"

namespace gemmscope::metrics {
namespace {

constexpr uint32_t kAll = 0xffffffffu;

SharedAccess access_of(SharedOp op, int words, uint32_t mask,
                       const std::function<uint64_t(int)>& word_of_lane) {
  SharedAccess access{op, words, mask, {}};
  for (int l = 0; l < 32; ++l) access.addresses[static_cast<size_t>(l)] = 4 * word_of_lane(l);
  return access;
}

// ---- cases from the literature

TEST(BankGolden, ColumnOfAnUnpaddedTileIsA32WayConflict) {
  const SharedAccess column = access_of(SharedOp::load, 1, kAll, [](int l) { return 32 * l; });
  EXPECT_EQ(count_wavefronts(column).wavefronts, 32);
  EXPECT_EQ(count_wavefronts(column).minimum, 1);
  EXPECT_EQ(count_wavefronts(column).excess(), 31);
  EXPECT_EQ(conflict_degree(column), 32);
}

TEST(BankGolden, ColumnOfATilePaddedTo33HasNone) {
  const SharedAccess column = access_of(SharedOp::load, 1, kAll, [](int l) { return 33 * l; });
  EXPECT_EQ(count_wavefronts(column).wavefronts, 1);
  EXPECT_EQ(count_wavefronts(column).excess(), 0);
  EXPECT_EQ(conflict_degree(column), 1);
}

TEST(BankGolden, StrideIsTheGreatestCommonDivisorWith32) {
  for (int stride = 1; stride <= 64; ++stride) {
    const int degree = std::gcd(stride, 32);
    for (const SharedOp op : {SharedOp::load, SharedOp::store})
      EXPECT_EQ(count_wavefronts(access_of(op, 1, kAll, [=](int l) { return stride * l; })).wavefronts,
                degree)
          << "stride " << stride;
  }
}

TEST(BankGolden, BroadcastIsOneWavefront) {
  const SharedAccess same = access_of(SharedOp::load, 1, kAll, [](int) { return 5; });
  EXPECT_EQ(count_wavefronts(same).wavefronts, 1);
  ASSERT_EQ(wavefronts(same).size(), 1u);
  EXPECT_EQ(wavefronts(same)[0].served[5], kAll);
}

TEST(BankGolden, WritersOfOneWordDoNotConflict) {
  EXPECT_EQ(count_wavefronts(access_of(SharedOp::store, 1, kAll, [](int l) { return l / 8; })).wavefronts, 1);
}

TEST(BankGolden, FullWidthAccessesTakeTheirMinimum) {
  const auto rows = [](int words) {
    return access_of(SharedOp::load, words, kAll, [=](int l) { return words * l; });
  };
  EXPECT_EQ(count_wavefronts(rows(2)).wavefronts, 2);
  EXPECT_EQ(count_wavefronts(rows(2)).excess(), 0);
  EXPECT_EQ(count_wavefronts(rows(4)).wavefronts, 4);
  EXPECT_EQ(count_wavefronts(rows(4)).excess(), 0);
  EXPECT_EQ(conflict_degree(rows(4)), 1);
}

// If lanes 2i and 2i+1, or l and l+2, read one address, a 128-bit load takes 2 wavefronts instead of 4. The
// fragments of 12_warp_tiling are laid out for this.
TEST(BankGolden, LoadsMergeWhereNeighboursReadTheSame) {
  const auto by_1 = [](int l) { return 4 * (l >> 1); };
  const auto by_2 = [](int l) { return 4 * ((l & 1) | (l >> 2) << 1); };
  for (const std::function<uint64_t(int)>& pattern :
       {std::function<uint64_t(int)>(by_1), std::function<uint64_t(int)>(by_2)}) {
    EXPECT_EQ(count_wavefronts(access_of(SharedOp::load, 4, kAll, pattern)).wavefronts, 2);
    EXPECT_EQ(count_wavefronts(access_of(SharedOp::load, 4, kAll, pattern)).minimum, 2);
    EXPECT_EQ(count_wavefronts(access_of(SharedOp::store, 4, kAll, pattern)).wavefronts, 4)
        << "stores never merge";
  }
}

TEST(BankGolden, OnePairThatDiffersBothWaysKeepsTheWholeWarpFromMerging) {
  SharedAccess access = access_of(SharedOp::load, 4, kAll, [](int l) { return 4 * (l >> 2); });
  EXPECT_EQ(count_wavefronts(access).minimum, 2);
  access.addresses[31] = 4 * 4 * 20;  // differs from lane 30 and from lane 29
  EXPECT_EQ(count_wavefronts(access).minimum, 4);
  access.mask = 0x7fffffff;  // inactive, it forms no pair
  EXPECT_EQ(count_wavefronts(access).minimum, 2);
}

TEST(BankGolden, NoActiveLaneTakesNothing) {
  for (const SharedOp op : {SharedOp::load, SharedOp::store, SharedOp::matrix_load}) {
    const SharedAccess none = access_of(op, 4, 0, [](int l) { return l; });
    EXPECT_EQ(count_wavefronts(none).wavefronts, 0);
    EXPECT_EQ(count_wavefronts(none).minimum, 0);
    EXPECT_TRUE(wavefronts(none).empty());
    EXPECT_EQ(conflict_degree(none), 0);
  }
}

TEST(BankGolden, MatrixLoadsOfPaddedAndUnpaddedRows) {
  for (const int matrices : {1, 2, 4}) {
    const auto load = [&](int row_words) {
      return count_wavefronts(
          access_of(SharedOp::matrix_load, matrices, kAll, [=](int l) { return row_words * l; }));
    };
    EXPECT_EQ(load(4).wavefronts, matrices);       // 8 rows of 16 bytes, one after the other
    EXPECT_EQ(load(32).wavefronts, 8 * matrices);  // rows 128 bytes apart: all in the same four banks
    EXPECT_EQ(load(36).wavefronts, matrices);      // padded by 16 bytes
    EXPECT_EQ(load(32).minimum, matrices);
  }
}

// ---- every kind of pattern, compared with the model

class Patterns {
 public:
  explicit Patterns(uint32_t seed) : random_(seed) {}

  SharedAccess next() {
    SharedAccess access;
    access.op = pick({SharedOp::load, SharedOp::store, SharedOp::matrix_load});
    access.words = pick({1, 2, 4});
    access.mask = mask();
    const uint64_t unit = access.op == SharedOp::matrix_load ? 4 : static_cast<uint64_t>(access.words);
    fill(access, unit);
    if (below(4) == 0) break_one_lane(access, unit);
    return access;
  }

 private:
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  template <typename T>
  T pick(std::initializer_list<T> values) {
    return values.begin()[below(static_cast<uint32_t>(values.size()))];
  }

  uint32_t mask() {
    switch (below(8)) {
      case 0:
        return 0;
      case 1:
        return 1u << below(32);
      case 2:
        return static_cast<uint32_t>(random_());
      case 3:
        return static_cast<uint32_t>(random_() & random_());
      case 4:
        return pick({0x55555555u, 0xaaaaaaaau, 0x33333333u, 0x0000ffffu, 0xff00ff00u, 0x7fffffffu, 1u});
      default:
        return kAll;
    }
  }
  // Returns word addresses that are multiples of `unit`.
  void fill(SharedAccess& access, uint64_t unit) {
    const uint64_t stride = pick<uint64_t>({0, 1, 2, 3, 4, 5, 8, 16, 31, 32, 33, 36, 64, below(200)}) * unit;
    const uint64_t range = pick<uint64_t>({1, 2, 4, 8, 16, 32, 64, 256}), base = unit * below(64),
                   turn = below(32);
    const uint32_t kind = below(7);
    for (uint64_t l = 0; l < 32; ++l) {
      uint64_t word = 0;
      switch (kind) {
        case 0:
          word = stride * l;
          break;
        case 1:
          word = unit * below(static_cast<uint32_t>(range));
          break;
        case 2:
          word = stride * (l >> 1);
          break;  // pairs (l, l^1) the same
        case 3:
          word = stride * ((l & 1) | (l >> 2) << 1);
          break;  // pairs (l, l^2) the same
        case 4:
          word = unit * (l ^ turn);
          break;  // an xor swizzle
        case 5:
          word = stride * (l % 8) + unit * (l / 8);
          break;  // a tile's corner, column first
        default:
          word = unit * ((l * 7 + turn) % 32) * 32 / range;
          break;
      }
      access.addresses[l] = 4 * (base + word / unit * unit);
    }
  }
  void break_one_lane(SharedAccess& access, uint64_t unit) {
    access.addresses[below(32)] = 4 * unit * below(300);
  }

  std::mt19937_64 random_;
};

std::string describe(const SharedAccess& access) {
  return fmt::format("op {}, {} words, mask {:#x}, addresses {}", static_cast<int>(access.op), access.words,
                     access.mask, fmt::join(access.addresses, " "));
}

// Each wavefront serves one group, one word a bank; together they serve every word of every active lane
// exactly once.
void expect_each_word_served_once(const SharedAccess& access, const std::vector<Wavefront>& passes) {
  const std::vector<std::vector<int>> groups = lane_groups(access);
  std::multiset<std::pair<int, uint64_t>> served, wanted;
  for (const Wavefront& pass : passes) {
    ASSERT_LT(static_cast<size_t>(pass.group), groups.size());
    uint32_t group_mask = 0, lanes = 0;
    for (const int lane : groups[static_cast<size_t>(pass.group)]) group_mask |= 1u << lane;
    for (size_t bank = 0; bank < 32; ++bank) {
      lanes |= pass.served[bank];
      EXPECT_EQ(pass.word[bank] < 0, pass.served[bank] == 0);
      if (pass.word[bank] < 0) continue;
      EXPECT_EQ(static_cast<size_t>(pass.word[bank]) % 32, bank);
      for (int lane = 0; lane < 32; ++lane)
        if ((pass.served[bank] >> lane & 1u) != 0)
          served.emplace(lane, static_cast<uint64_t>(pass.word[bank]));
    }
    EXPECT_EQ(pass.lanes, lanes);
    EXPECT_NE(lanes, 0u);
    EXPECT_EQ(lanes & ~group_mask, 0u);
  }
  for (const std::vector<int>& group : groups)
    for (const int lane : group)
      if (is_active(access, lane))
        for (const uint64_t word : words_of_lane(access, lane)) wanted.emplace(lane, word);
  EXPECT_EQ(served, wanted);
}

TEST(BankProperty, EqualsTheModelOnRandomAndAdversarialPatterns) {
  Patterns patterns(20240817);
  int conflicts = 0, merges = 0;
  for (int i = 0; i < 30000 && !testing::Test::HasFailure(); ++i) {
    const SharedAccess access = patterns.next();
    SCOPED_TRACE(describe(access));
    const BankModel model = model_banks(access);
    const BankCount count = count_wavefronts(access);
    EXPECT_EQ(count.wavefronts, model.wavefronts);
    EXPECT_EQ(count.minimum, model.groups);
    EXPECT_EQ(count.excess(), model.wavefronts - model.groups);
    EXPECT_EQ(conflict_degree(access), model.most_words_in_a_bank);
    const std::vector<Wavefront> passes = wavefronts(access);
    EXPECT_EQ(static_cast<int>(passes.size()), model.wavefronts);
    expect_each_word_served_once(access, passes);
    conflicts += model.wavefronts > model.groups ? 1 : 0;
    merges += access.op == SharedOp::load && access.words > 1 &&
                      static_cast<int>(lane_groups(access).size()) < access.words
                  ? 1
                  : 0;
  }
  EXPECT_GT(conflicts, 5000) << "too few patterns have conflicts";
  EXPECT_GT(merges, 1000) << "too few patterns merge";
}

// ---- ldmatrix, from the words of the PTX manual alone

// "Threads 0-7, 8-15, 16-23 and 24-31 give the addresses of the rows of the first, second, third and fourth
// matrix"; a row is eight elements of 16 bits, and thread T receives elements 2 (T % 4) and 2 (T % 4) + 1 of
// row T / 4. So each matrix is one read of 4 bytes a thread, and the banks serve it as they serve such a
// load: every distinct word of a bank takes a turn.
struct MatrixRead {
  std::array<uint64_t, 32> words{};  // by thread

  MatrixRead(const std::array<uint64_t, 32>& rows, size_t matrix) {
    for (size_t thread = 0; thread < 32; ++thread)
      words[thread] = (rows[8 * matrix + thread / 4] + 2 * (2 * (thread % 4))) / 4;
  }
  int turns() const {
    int most = 0;
    for (uint64_t bank = 0; bank < 32; ++bank) {
      std::set<uint64_t> distinct;
      for (const uint64_t word : words)
        if (word % 32 == bank) distinct.insert(word);
      most = std::max(most, static_cast<int>(distinct.size()));
    }
    return most;
  }
};

// Rows as kernels lay them out: a pitch, a padding, a swizzle of 16-byte pieces; some at random, some the
// same.
std::array<uint64_t, 32> random_rows(std::mt19937_64& random) {
  constexpr uint64_t kPiece = 16;
  const uint64_t pitches[] = {1, 2, 3, 4, 5, 8, 9, 16, 17};
  const uint64_t pitch = pitches[random() % std::size(pitches)], kind = random() % 4, start = random() % 64;
  const uint64_t few = 1 + random() % 24;
  std::array<uint64_t, 32> rows{};
  for (uint64_t l = 0; l < 32; ++l) {
    const uint64_t piece = kind == 0   ? pitch * l
                           : kind == 1 ? 8 * l + (l % 8 ^ random() % 2)
                           : kind == 2 ? pitch * (l % 16) + l / 16
                                       : random() % few * pitch;
    rows[l] = kPiece * (start + piece);
  }
  return rows;
}

TEST(BankProperty, MatrixLoadsTakeTheTurnsOfTheManualsThreads) {
  std::mt19937_64 random(8);
  std::set<int> seen;
  for (int i = 0; i < 20000 && !testing::Test::HasFailure(); ++i) {
    SharedAccess access{SharedOp::matrix_load, 1 << random() % 3, kAll, random_rows(random)};
    SCOPED_TRACE(describe(access));
    int turns = 0, most = 0;
    for (size_t matrix = 0; matrix < static_cast<size_t>(access.words); ++matrix) {
      const int of_matrix = MatrixRead(access.addresses, matrix).turns();
      turns += of_matrix;
      most = std::max(most, of_matrix);
    }
    EXPECT_EQ(count_wavefronts(access).wavefronts, turns);
    EXPECT_EQ(count_wavefronts(access).minimum, access.words);
    EXPECT_EQ(conflict_degree(access), most);
    seen.insert(turns);
    // Threads beyond the matrices give addresses that count for nothing.
    for (size_t l = 8 * static_cast<size_t>(access.words); l < 32; ++l)
      access.addresses[l] = 16 * (random() % 999);
    EXPECT_EQ(count_wavefronts(access).wavefronts, turns);
  }
  EXPECT_GE(seen.size(), 20u) << "too few kinds of conflicts";
}

}  // namespace
}  // namespace gemmscope::metrics
