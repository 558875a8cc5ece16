#include "sm/write_ports.h"

#include "hand_made.h"
#include "isa/instruction.h"
#include "sm/timed_code.h"

namespace gemmscope::sm {
namespace {

constexpr uint8_t kEven = 1, kOdd = 2;

// FFMA RZ, even, odd: its reads take no cycle from others.
TimedInstruction ffma_to(uint8_t banks) {
  TimedInstruction i;
  i.unit = Unit::fma;
  i.control.stall_cycles = 1;
  i.reads = 2;
  i.read[0] = {2, 1, false};
  i.read[1] = {3, 2, false};
  i.written_banks = banks;
  return i;
}

TimedInstruction load_to(uint8_t first, int words) {
  TimedInstruction i = shared_load(0, words);
  i.first_written = first;
  i.written_banks = words > 1 ? kEven | kOdd : static_cast<uint8_t>(1 << first % 2);
  return i;
}

constexpr size_t kSlots = 64;

// 64 slots: `first`, then FFMAs to the banks in turn or to `to`, with an instruction that writes nothing in
// some slots.
std::vector<TimedInstruction> stream(const TimedInstruction& first, const std::vector<size_t>& free,
                                     uint8_t to = 0) {
  std::vector<TimedInstruction> code;
  for (size_t slot = 0; slot < kSlots; ++slot)
    code.push_back(ffma_to(to != 0 ? to : slot % 2 == 0 ? kEven : kOdd));
  code[0] = first;
  for (const size_t slot : free) code[slot] = plain();
  return code;
}

double cycles_of(const std::vector<TimedInstruction>& code, int warps, SmConfig config, uint16_t wavefronts) {
  config.branch_cycles = config.near_branch_cycles = 1;
  constexpr int kShort = 20, kLong = 120;
  double cycles[2] = {};
  for (const int times : {kShort, kLong}) {
    LaunchTrace launch = launch_of(code, warps, times);
    launch.shapes.back().shared_wavefronts = wavefronts;
    cycles[times == kLong] = run_launch(launch, config).run.cycles;
  }
  return (cycles[1] - cycles[0]) / (kLong - kShort);
}

// The cycles that a load costs, beyond those of an instruction that only takes its slot.
double cost(int words, uint16_t wavefronts, const std::vector<size_t>& free, uint8_t to = 0,
            uint8_t first = 8) {
  const SmConfig config = plain_device();
  return cycles_of(stream(load_to(first, words), free, to), 1, config, wavefronts) -
         cycles_of(stream(plain(), free, to), 1, config, wavefronts);
}

// What an H200 takes: tests/calibration/microbench/results, hole.txt and free_slots.txt.
TEST(WritePorts, TwoWordsAtOnceStopIssueUnlessASlotIsFree) {
  EXPECT_NEAR(cost(2, 1, {}), 3, 0.1);
  EXPECT_NEAR(cost(2, 1, {22}), 0, 0.1) << "a slot that writes nothing, while the words wait";
  EXPECT_NEAR(cost(2, 1, {8}), 3, 0.1) << "before they are there";
  EXPECT_NEAR(cost(2, 1, {50}), 3, 0.1) << "too late";
  EXPECT_NEAR(cost(2, 2, {}), 0, 0.1) << "one after the other each finds a cycle of its bank";
}

TEST(WritePorts, FourWordsInPairsNeedTwoSlots) {
  EXPECT_NEAR(cost(4, 2, {}), 3, 0.1) << "one stop lets both pairs in";
  EXPECT_NEAR(cost(4, 2, {26}), 3, 0.1);
  EXPECT_NEAR(cost(4, 2, {24, 30}), 0, 0.1);
  EXPECT_NEAR(cost(4, 4, {}), 0, 0.1);
}

TEST(WritePorts, ABankThatIsWrittenEachCycleKeepsAWordWaiting) {
  EXPECT_NEAR(cost(1, 1, {}, kEven, 8), 3, 0.1);
  EXPECT_NEAR(cost(1, 1, {}, kEven, 9), 0, 0.1) << "to the other bank";
  EXPECT_NEAR(cost(1, 1, {22}, kEven, 8), 0, 0.1);
}

TEST(WritePorts, TheStopIsADispatchStall) {
  SmConfig config = plain_device();
  const auto stalled = [&] {
    LaunchTrace launch = launch_of(stream(load_to(8, 2), {}), 1, 20);
    double cycles = 0;
    for (const StallCycles& of : run_launch(launch, config).run.counters.stalls)
      cycles += of[static_cast<size_t>(Stall::dispatch_stall)];
    return cycles;
  };
  EXPECT_NEAR(stalled(), 3 * 20, 6);
  config.write_wait_cycles = 0;
  EXPECT_EQ(stalled(), 0);
}

// pipes.txt and writes.txt: alone 4.00 cycles; one in eight among FFMAs takes 2 more than its slot, and 3
// where it reads two registers of a bank.
TEST(WideProducts, TakeFourCyclesAndThreeSlots) {
  const SmConfig config = plain_device();
  TimedInstruction wide = ffma_to(kEven | kOdd);
  wide.unit = Unit::fma_heavy;
  wide.wide_imad = true;
  EXPECT_NEAR(cycles_of({wide}, 4, config, 1), 4, 0.05);
  std::vector<TimedInstruction> code(8, ffma_to(kEven));
  code[0] = wide;
  EXPECT_NEAR(cycles_of(code, 4, config, 1), 10, 0.1);
  code[0].reads = 3;
  code[0].read[2] = {4, 2, false};
  EXPECT_NEAR(cycles_of(code, 4, config, 1), 11, 0.1);
}

TEST(WideProducts, AreRecognised) {
  // IMAD.WIDE.U32 R38, R39, 0x4, R24 and IMAD R31, R41, R42, R42.
  const auto code =
      timed_code({isa::decode(0x0000'0004'2726'7825, 0x002f'c800'078e'0018, 0, isa::Arch::sm_90),
                  isa::decode(0x0000'002a'291f'7224, 0x0000'0000'078e'022a, 16, isa::Arch::sm_90)});
  ASSERT_TRUE(code.has_value()) << code.error().message;
  EXPECT_TRUE((*code)[0].wide_imad);
  EXPECT_EQ((*code)[0].written_banks, kEven | kOdd);
  EXPECT_FALSE((*code)[1].wide_imad);
  EXPECT_EQ((*code)[1].written_banks, kOdd);
}

// pipes.txt: 8.00 cycles in each of four sub-cores, 2 in one alone.
TEST(ConstantLoads, ShareTheSm) {
  const SmConfig config = plain_device();
  TimedInstruction load = plain();
  load.unit = Unit::constant;
  EXPECT_NEAR(cycles_of({load}, 4, config, 1), 8, 0.1);
  EXPECT_NEAR(cycles_of({load}, 1, config, 1), 2, 0.1);
}

}  // namespace
}  // namespace gemmscope::sm
