// Checks packed integers, dot products and the warp-wide match, redux and elect against plain code.
#include <algorithm>
#include <functional>
#include <set>

#include "lane_bench.h"

namespace gemmscope::machine {
namespace {

bool flag(const MicroOp& op, uint8_t bit) { return (op.flags & bit) != 0; }

// Runs an operation on random values with all tables; `look` gets the state before and after.
using Look =
    std::function<void(const MicroOp&, uint32_t mask, const LaneState& before, const LaneState& after)>;
void run(LaneOp lane_op, const Look& look) {
  for (const LaneOps* table : usable_lane_ops()) {
    LaneRandom random(11);
    for (int i = 0; i < 2000 && !testing::Test::HasFailure(); ++i) {
      MicroOp op = random.operands();
      choose_variant(lane_op, op, random);
      const uint32_t mask = random.mask();
      LaneState before = random.state();
      if (random.coin())  // few different values, so that lanes agree now and then
        for (uint32_t& x : before.rows) x &= random.coin() ? 1u : 0x80000000u;
      for (size_t l = 0; l < kWarpLanes; ++l) before.rows[kTestZero * kWarpLanes + l] = 0;
      LaneState after = before;
      after.execute(*table, lane_op, op, mask);
      SCOPED_TRACE(testing::Message() << table->name << " " << name_of(lane_op) << " case " << i << " mode "
                                      << int{op.mode} << " flags " << int{op.flags});
      look(op, mask, before, after);
    }
  }
}

using Model = std::function<uint32_t(const MicroOp&, uint32_t a, uint32_t b, uint32_t c, bool p)>;
void check(LaneOp lane_op, const Model& model) {
  run(lane_op, [&](const MicroOp& op, uint32_t mask, const LaneState& before, const LaneState& after) {
    for (int l = 0; l < kWarpLanes; ++l) {
      if ((mask >> l & 1u) == 0) continue;
      const uint32_t a = source_of(before, op, 0, l), b = source_of(before, op, 1, l),
                     c = source_of(before, op, 2, l);
      ASSERT_EQ(after.at(op.destination, l), model(op, a, b, c, predicate_of(before, op, 0, l)))
          << "lane " << l << std::hex << " a " << a << " b " << b << " c " << c;
    }
  });
}

// Splits a word into numbers, and packs numbers into a word.
std::vector<int64_t> parts(uint32_t x, int bits, bool is_signed) {
  std::vector<int64_t> result;
  for (int at = 0; at < 32; at += bits) {
    int64_t value = x >> at & ((uint64_t{1} << bits) - 1);
    if (is_signed && value >> (bits - 1) != 0) value -= int64_t{1} << bits;
    result.push_back(value);
  }
  return result;
}
uint32_t whole(const std::vector<int64_t>& values) {
  uint32_t x = 0;
  const size_t bits = 32 / values.size();
  for (size_t i = 0; i < values.size(); ++i)
    x |= static_cast<uint32_t>(static_cast<uint64_t>(values[i]) & ((uint64_t{1} << bits) - 1)) << (bits * i);
  return x;
}

TEST(LanePacked, SumsOfHalves) {
  check(LaneOp::vadd2, [](const MicroOp& op, uint32_t a, uint32_t b, uint32_t, bool) {
    auto x = parts(a, 16, false);
    const auto y = parts(b, 16, false);
    for (size_t i = 0; i < 2; ++i) x[i] += flag(op, kRight) ? -y[i] : y[i];
    return whole(x);
  });
}

TEST(LanePacked, MinimaAndMaxima) {
  check(LaneOp::vminmax, [](const MicroOp& op, uint32_t a, uint32_t b, uint32_t c, bool p) {
    const bool is_signed = (op.mode & 1) != 0;
    const int bits = op.mode >= 2 ? 16 : 32;
    const auto pick = [p](int64_t x, int64_t y) { return p ? std::min(x, y) : std::max(x, y); };
    auto x = parts(a, bits, is_signed), y = parts(b, bits, is_signed);
    const auto z = parts(c, bits, is_signed);
    for (size_t i = 0; i < x.size(); ++i) {
      if (flag(op, kHigh)) {
        std::vector<int64_t> sums(x.size());  // wrapped to the width
        sums[i] = flag(op, kRight) ? x[i] - y[i] : x[i] + y[i];
        x[i] = parts(whole(sums), bits, is_signed)[i];
        y[i] = z[i];
      }
      x[i] = pick(x[i], y[i]);
      if (flag(op, kWide)) x[i] = pick(x[i], z[i]);
      if (flag(op, kSaturate)) x[i] = std::max<int64_t>(x[i], 0);
    }
    return whole(x);
  });
}

TEST(LanePacked, AbsoluteDifferences) {
  check(LaneOp::vabsdiff, [](const MicroOp& op, uint32_t a, uint32_t b, uint32_t c, bool) {
    const auto x = parts(a, 32, flag(op, kSigned)), y = parts(b, 32, flag(op, kSigned));
    return static_cast<uint32_t>(std::abs(x[0] - y[0]) + c);
  });
  check(LaneOp::vabsdiff4, [](const MicroOp& op, uint32_t a, uint32_t b, uint32_t c, bool) {
    auto x = parts(a, 8, flag(op, kSigned));
    const auto y = parts(b, 8, flag(op, kSigned));
    int64_t sum = c;
    for (size_t i = 0; i < 4; ++i) x[i] = std::abs(x[i] - y[i]), sum += x[i];
    return flag(op, kWide) ? static_cast<uint32_t>(sum) : whole(x);
  });
}

TEST(LanePacked, DotProducts) {
  for (const LaneOp lane_op : {LaneOp::idp4a, LaneOp::idp2a})
    check(lane_op, [lane_op](const MicroOp& op, uint32_t a, uint32_t b, uint32_t c, bool) {
      const bool halves = lane_op == LaneOp::idp2a;
      const auto x = parts(a, halves ? 16 : 8, (op.mode & 1) != 0), y = parts(b, 8, (op.mode & 2) != 0);
      int64_t sum = c;
      for (size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i + (halves && flag(op, kHigh) ? 2 : 0)];
      return static_cast<uint32_t>(sum);
    });
}

TEST(LanePacked, LogicOfSigns) {
  run(LaneOp::plop3_sign, [](const MicroOp& op, uint32_t mask, const LaneState& before,
                             const LaneState& after) {
    for (int l = 0; l < kWarpLanes; ++l) {
      if ((mask >> l & 1u) == 0) continue;
      uint32_t row = 0;
      for (size_t i = 0; i < 3; ++i) row = row * 2 + (source_of(before, op, i, l) >> 31);
      const uint32_t tables[] = {op.mode, op.immediate};
      for (size_t i = 0; i < 2; ++i)
        if (op.predicate_out[i] != kTrashPredicate) {
          ASSERT_EQ(after.predicates[op.predicate_out[i]] >> l & 1u, tables[i] >> row & 1u) << "lane " << l;
        }
    }
  });
}

TEST(LaneWarp, Match) {
  run(LaneOp::match, [](const MicroOp& op, uint32_t mask, const LaneState& before, const LaneState& after) {
    const auto value = [&](int l) {
      const uint64_t high = flag(op, kWide) ? source_of(before, op, 1, l) : 0;
      return high << 32 | source_of(before, op, 0, l);
    };
    std::set<uint64_t> different;
    for (int l = 0; l < kWarpLanes; ++l)
      if ((mask >> l & 1u) != 0) different.insert(value(l));
    for (int l = 0; l < kWarpLanes; ++l) {
      if ((mask >> l & 1u) == 0) continue;
      uint32_t same = 0;
      for (int other = 0; other < kWarpLanes; ++other)
        if ((mask >> other & 1u) != 0 && value(other) == value(l)) same |= 1u << other;
      const uint32_t all = different.size() == 1 ? mask : 0;
      ASSERT_EQ(after.at(op.destination, l), flag(op, kHigh) ? all : same) << "lane " << l;
      if (flag(op, kHigh) && op.predicate_out[0] != kTrashPredicate) {
        ASSERT_EQ((after.predicates[op.predicate_out[0]] >> l & 1u) != 0, different.size() == 1);
      }
    }
  });
}

TEST(LaneWarp, Redux) {
  run(LaneOp::redux, [](const MicroOp& op, uint32_t mask, const LaneState& before, const LaneState& after) {
    std::vector<uint32_t> values;
    for (int l = 0; l < kWarpLanes; ++l)
      if ((mask >> l & 1u) != 0) values.push_back(source_of(before, op, 0, l));
    const auto less = [&](uint32_t a, uint32_t b) {
      return flag(op, kSigned) ? static_cast<int32_t>(a) < static_cast<int32_t>(b) : a < b;
    };
    uint32_t wanted = values[0];
    if (op.mode == 4) wanted = *std::min_element(values.begin(), values.end(), less);
    if (op.mode == 5) wanted = *std::max_element(values.begin(), values.end(), less);
    for (size_t i = 1; i < values.size(); ++i) {
      if (op.mode == 0) wanted &= values[i];
      if (op.mode == 1) wanted |= values[i];
      if (op.mode == 2) wanted ^= values[i];
      if (op.mode == 3) wanted += values[i];
    }
    for (int l = 0; l < kWarpLanes; ++l) ASSERT_EQ(after.at(op.destination, l), wanted) << "lane " << l;
  });
}

TEST(LaneWarp, Elect) {
  run(LaneOp::elect, [](const MicroOp& op, uint32_t mask, const LaneState& before, const LaneState& after) {
    int leader = -1;
    for (int l = kWarpLanes - 1; l >= 0; --l)
      if ((mask >> l & 1u) != 0 && predicate_of(before, op, 0, l)) leader = l;
    if (leader >= 0) {
      ASSERT_EQ(after.at(op.destination, 5), static_cast<uint32_t>(leader));
    }
    if (op.predicate_out[0] == kTrashPredicate) return;
    for (int l = 0; l < kWarpLanes; ++l)
      if ((mask >> l & 1u) != 0) {
        ASSERT_EQ((after.predicates[op.predicate_out[0]] >> l & 1u) != 0, l == leader);
      }
  });
}

}  // namespace
}  // namespace gemmscope::machine
