#include "metrics/register_ports.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>

#include "port_model.h"

namespace gemmscope::metrics {
namespace {

constexpr uint8_t kZero = isa::kRegisterZero;

PortReads reads_of(std::initializer_list<int> registers, int flags = 0) {
  PortReads reads;
  uint8_t slot = 0;
  for (const int reg : registers) {
    if (reg >= 0 && reg != kZero)
      reads.reads[reads.count++] = {static_cast<uint8_t>(reg), slot, ((flags >> slot) & 1) != 0};
    ++slot;
  }
  return reads;
}

double cycles_each(const std::function<PortReads(int)>& at, int length = 240) {
  std::vector<PortReads> body;
  for (int i = 0; i < length; ++i) body.push_back(at(i));
  return static_cast<double>(steady_cycles(body)) / length;
}

// ---- the rule, case by case

TEST(RegisterPorts, ABankGivesARegisterACycle) {
  ReuseCache cache;
  EXPECT_EQ(read_banks(cache, reads_of({2, 3, kZero}).list()).port_cycles(), 1);
  EXPECT_EQ(read_banks(cache, reads_of({2, 4, 3}).list()).port_cycles(), 2);
  EXPECT_EQ(read_banks(cache, reads_of({2, 4, 6}).list()).port_cycles(), 3);
  EXPECT_EQ(read_banks(cache, {}).port_cycles(), 1) << "an issue slot";
}

TEST(RegisterPorts, ARegisterNamedTwiceIsReadOnce) {
  ReuseCache cache;
  const BankReads twice = read_banks(cache, reads_of({2, 2, 4}).list());
  EXPECT_EQ(twice.count[0], 2);
  EXPECT_EQ(twice.doubles, 0b010);
}

TEST(RegisterPorts, AnEntryLivesUntilTheNextReadOfItsSlotAndBank) {
  ReuseCache cache;
  read_banks(cache, reads_of({2, 5, kZero}, 0b001).list());
  EXPECT_EQ(read_banks(cache, reads_of({3, 5, kZero}).list()).hits, 0) << "slot A of the other bank";
  EXPECT_EQ(read_banks(cache, reads_of({2, 5, kZero}).list()).hits, 0b001) << "R2 is still there";
  EXPECT_EQ(read_banks(cache, reads_of({2, 5, kZero}).list()).hits, 0) << "a hit without the flag ends it";
}

TEST(RegisterPorts, AnEntryServesItsSlotAndItsWarpOnly) {
  ReuseCache cache;
  read_banks(cache, reads_of({2, kZero, kZero}, 0b001).list(), 7);
  ReuseCache other = cache;
  EXPECT_EQ(read_banks(other, reads_of({kZero, 2, kZero}).list(), 7).hits, 0);
  other = cache;
  EXPECT_EQ(read_banks(other, reads_of({2, kZero, kZero}).list(), 8).hits, 0);
  EXPECT_EQ(read_banks(cache, reads_of({2, kZero, kZero}).list(), 7).hits, 0b001);
}

TEST(RegisterPorts, OperandsComeFromTheirSlots) {
  // FFMA R6, R2.reuse, R5, R4 and LDS.128 R8, [R2] of sm_90.
  const auto ffma = isa::decode(0x0000000502067223, 0x040fe20000000004, 0, isa::Arch::sm_90);
  const PortReads reads = port_reads(ffma);
  ASSERT_EQ(reads.count, 3);
  EXPECT_EQ(reads.reads[0], (PortRead{2, 0, true}));
  EXPECT_EQ(reads.reads[1], (PortRead{5, 1, false}));
  EXPECT_EQ(reads.reads[2], (PortRead{4, 2, false}));
  const auto load = isa::decode(0x0000000002087984, 0x000e280000000c00, 0, isa::Arch::sm_90);
  EXPECT_EQ(operand_reads(load).count, 1);
  EXPECT_EQ(port_reads(load).count, 0) << "a load leaves the reuse cache alone";
  EXPECT_EQ(port_reads(isa::decode(~0ull, ~0ull, 0, isa::Arch::sm_90)).count, 0) << "unknown";
}

// ---- against the plain model

TEST(RegisterPortProperty, EqualsThePlainModel) {
  std::mt19937 random(1);
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 400; ++round) {
    const int pool = 2 + pick(20), silent = pick(4), flags = pick(8);
    PortStream stream;
    PlainPorts plain;
    uint64_t lost = 0;
    for (int i = 0; i < 120; ++i) {
      PortReads reads;
      const int most = pick(12) == 0 ? 9 : 3;  // wide operands now and then
      for (int k = 0; k < most; ++k)
        if (pick(4) >= silent)
          reads.reads[reads.count++] = {static_cast<uint8_t>(pick(pool)), static_cast<uint8_t>(k % 3),
                                        pick(8) < flags};
      const PortStream::Step step = stream.issue(reads.list());
      const PlainPorts::Step expected = plain.issue(reads.list());
      lost += step.lost_cycles;
      const auto at = [&](int bank) {
        const auto found = expected.reads.find(bank);
        return found == expected.reads.end() ? 0 : found->second;
      };
      ASSERT_EQ(step.banks.count[0], at(0)) << round << ' ' << i;
      ASSERT_EQ(step.banks.count[1], at(1)) << round << ' ' << i;
      for (int k = 0; k < reads.count; ++k)
        ASSERT_EQ((step.banks.hits >> k) & 1, expected.hits.count(k)) << round << ' ' << i;
      ASSERT_EQ(stream.cycles(), static_cast<uint64_t>(expected.begin) + 1) << round << ' ' << i;
      ASSERT_EQ(lost, stream.cycles() - static_cast<uint64_t>(i) - 1);
    }
  }
}

// ---- against an H200 (tests/calibration/microbench)

std::vector<std::string> recorded(const char* file) {
  std::ifstream in(std::filesystem::path(GEMMSCOPE_SOURCE_DIR) / "tests/calibration/microbench/results" /
                   file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  EXPECT_FALSE(lines.empty()) << file;
  return lines;
}

// The cycles of one warp a sub-core in the line "ports: NAME: 1w 1.500 2w …".
double recorded_cycles(const std::vector<std::string>& lines, const std::string& name) {
  const std::string begin = "ports: " + name + ": 1w ";
  for (const std::string& line : lines)
    if (line.starts_with(begin)) return std::stod(line.substr(begin.size()));
  ADD_FAILURE() << "ports.txt has no " << name;
  return 0;
}

// The streams of run_streams.py: e(i) and o(i) are ten even and ten odd registers.
int e(int i) { return 24 + 2 * (i % 10); }
int o(int i) { return 25 + 2 * (i % 10); }
PortReads reused(int i, int length, bool flag) {
  return reads_of({e(i / length), e(i / length + 1 + i % length % 8), o(i + 7)},
                  flag && (i + 1) % length != 0 ? 1 : 0);
}

TEST(RegisterPortsOnAnH200, RecordedStreams) {
  const auto lines = recorded("ports.txt");
  const auto expect = [&](const std::string& name, const std::function<PortReads(int)>& at) {
    EXPECT_NEAR(cycles_each(at), recorded_cycles(lines, name), 0.01) << name;
  };
  expect("RZ,e,o", [](int i) { return reads_of({kZero, e(i + 3), o(i + 7)}); });
  expect("e,e,o", [](int i) { return reads_of({e(i), e(i + 3), o(i + 7)}); });
  expect("e,e,o / o,o,e alternating", [](int i) {
    return i % 2 != 0 ? reads_of({o(i), o(i + 3), e(i + 7)}) : reads_of({e(i), e(i + 3), o(i + 7)});
  });
  expect("e,e,e", [](int i) { return reads_of({e(i), e(i + 3), e(i + 6)}); });
  expect("immediate", [](int i) { return reads_of({e(i), -1, o(i + 7)}); });
  expect("outer product, A reused in eights", [](int i) {
    const int sum = i % 2 != 0 ? 1 + 2 * (i / 2 % 12) : 2 * (i / 2 % 12);
    return reads_of({e(i / 8), i % 2 != 0 ? e(i % 8) : o(i % 8), sum}, i % 8 == 7 ? 0 : 1);
  });
  expect("A even reused in eights, e, o", [](int i) { return reused(i, 8, true); });
  expect("the same without flags", [](int i) { return reused(i, 8, false); });
  expect("A even reused in pairs, e, o", [](int i) { return reused(i, 2, true); });
  expect("A even reused in fours, e, o", [](int i) { return reused(i, 4, true); });
}

// Groups of eight FFMAs that share an even A, with another instruction behind the fourth; that one has its
// flag
// ("kept") or has none ("dropped"). Where that makes a difference, the other did not end the entry.
TEST(RegisterPortsOnAnH200, WhatEndsAnEntryOfTheReuseCache) {
  const auto lines = recorded("beside.txt");
  const auto survived = [&](const std::string& name) {
    const std::string begin = "beside: " + name + ": 1w kept ";
    const auto line = std::find_if(lines.begin(), lines.end(),
                                   [&](const std::string& text) { return text.starts_with(begin); });
    if (line == lines.end()) {
      ADD_FAILURE() << name;
      return false;
    }
    std::istringstream words(line->substr(begin.size()));
    double kept = 0, dropped = 0;
    std::string word;
    words >> kept >> word >> dropped;
    return dropped - kept > 0.5;
  };
  const auto survives = [](const PortReads& other) {
    ReuseCache cache;
    read_banks(cache, reads_of({e(0), e(1), o(7)}, 1).list());
    read_banks(cache, other.list());
    return read_banks(cache, reads_of({e(0), e(2), o(8)}).list()).hits == 1;
  };
  const auto expect = [&](const std::string& name, const PortReads& other, bool does) {
    EXPECT_EQ(survived(name), does) << name << ", recorded";
    EXPECT_EQ(survives(other), does) << name << ", by the rule";
  };
  expect("LOP3, even in slot A", reads_of({e(5)}), false);
  expect("LOP3, even in slot B", reads_of({-1, e(5)}), true);
  expect("LOP3, even in slot C", reads_of({-1, -1, e(5)}), true);
  expect("IADD3, even in slot A", reads_of({e(5)}), false);
  expect("IMAD, even in slot A", reads_of({e(5)}), false);
  expect("shift, even in slot A", reads_of({e(5)}), false);
  // LDS.64 R8, [R30]: an even register in slot A.
  const auto load = isa::decode(0x000000001e087984, 0x000e280000000a00, 0, isa::Arch::sm_90);
  ASSERT_EQ(operand_reads(load).count, 1);
  EXPECT_EQ(operand_reads(load).reads[0], (PortRead{30, 0, false}));
  expect("LDS.64", port_reads(load), true);
}

// Orders of an outer product: "orders: NAME: 1w 1.0000".
TEST(RegisterPortsOnAnH200, OrdersOfAnOuterProduct) {
  const auto lines = recorded("orders.txt");
  const auto factor = [](int i) { return i % 2 != 0 ? o(i / 2) : e(i / 2); };
  const auto sum = [](int i, int parity) { return 2 * (i / 2 % 12) + parity; };
  const auto columns = [&](int rows, bool turn, bool opposite) {
    return [=](int i) {
      const int j = i / rows, q = i % rows, k = turn && j % 2 != 0 ? rows - 1 - q : q;
      const bool last = q == rows - 1;
      return reads_of({factor(k), factor(rows + j % 4), sum(i, (k + (opposite ? 1 : 0)) % 2)},
                      (last ? 0 : 2) | (turn && last ? 1 : 0));
    };
  };
  const auto measured = [&](const std::string& name) {
    const std::string begin = "orders: " + name + ": 1w ";
    const auto line = std::find_if(lines.begin(), lines.end(),
                                   [&](const std::string& text) { return text.starts_with(begin); });
    if (line != lines.end()) return std::stod(line->substr(begin.size()));
    ADD_FAILURE() << name;
    return 0.0;
  };
  const auto expect = [&](const std::string& name, const std::function<PortReads(int)>& at) {
    EXPECT_NEAR(cycles_each(at, 768), measured(name), 0.01) << name;
  };
  expect("columns of 8", columns(8, false, true));
  expect("serpentine of 8", columns(8, true, true));
  // Of this one, like of random streams, the rule is a lower bound.
  const std::string same_bank = "serpentine of 8, sums in a's bank";
  EXPECT_LE(cycles_each(columns(8, true, false), 768), measured(same_bank) + 0.01);
  expect("serpentine of 16", columns(16, true, true));
}

// A line of random.txt: cycles an instruction, then kind, registers and flags of each: "F4.Z.7/5".
struct RandomStream {
  double cycles = 0;
  std::vector<PortReads> body;
};
RandomStream read_stream(const std::string& line) {
  std::istringstream words(line);
  RandomStream stream;
  std::string word;
  words >> word >> stream.cycles;
  while (words >> word) {
    const bool immediate = word[0] == 'I';
    const int flags = std::stoi(word.substr(word.find('/') + 1));
    std::istringstream registers(word.substr(1, word.find('/') - 1));
    std::array<int, 3> slots{};
    for (int& slot : slots) {
      std::getline(registers, word, '.');
      slot = word == "Z" ? -1 : std::stoi(word);
    }
    if (immediate) slots[1] = -1;
    stream.body.push_back(reads_of({slots[0], slots[1], slots[2]}, flags));
  }
  return stream;
}

// 600 streams of random FFMAs. The rule is a lower bound: nearly exact without flags, and with random flags
// some hits cost what it does not know.
TEST(RegisterPortsOnAnH200, RandomStreams) {
  constexpr int kStyles = 6;
  constexpr std::array<const char*, kStyles> kNames = {
      "distinct registers", "with RZ", "a register twice", "with flags", "all of that", "other kinds"};
  constexpr std::array<double, kStyles> kMeanError = {0.005, 0.010, 0.020, 0.070, 0.060, 0.080};
  std::array<double, kStyles> error{};
  std::array<int, kStyles> streams{}, longer{};
  const auto lines = recorded("random.txt");
  for (size_t seed = 0; seed < lines.size(); ++seed) {
    const RandomStream stream = read_stream(lines[seed]);
    ASSERT_FALSE(stream.body.empty()) << lines[seed];
    const size_t style = seed % kStyles;
    // Four passes, so that the windows of one pass and the next are in step.
    std::vector<PortReads> body;
    for (int pass = 0; pass < 4; ++pass) body.insert(body.end(), stream.body.begin(), stream.body.end());
    const double cycles = static_cast<double>(steady_cycles(body)) / static_cast<double>(body.size());
    error[style] += std::abs(cycles - stream.cycles) / stream.cycles;
    ++streams[style];
    if (cycles > stream.cycles * 1.01) ++longer[style];
  }
  for (size_t style = 0; style < kStyles; ++style) {
    EXPECT_EQ(streams[style], 100);
    EXPECT_LT(error[style] / streams[style], kMeanError[style]) << kNames[style];
    EXPECT_LE(longer[style], 1) << kNames[style];
    RecordProperty(kNames[style], std::to_string(error[style] / streams[style]));
  }
}

}  // namespace
}  // namespace gemmscope::metrics
