// Checks every sentence with a number in the descriptions of kernels/labs.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "claims.h"
#include "compile/compiler.h"
#include "experiment/devices.h"
#include "figures.h"
#include "kernel_texts.h"
#include "scenes/load_scene.h"

namespace gemmscope::claims {
namespace {

using machine::Direction;
using machine::Space;
using Toggles = std::map<std::string, int64_t>;

constexpr uint64_t kElements = 64 * 64;

const Figures& lab(const std::string& kernel, const Toggles& toggles = {}, uint32_t launch = 0) {
  return figures({.kernel = kernel, .toggles = toggles, .m = 64, .n = 64, .k = 1, .launch = launch});
}
const Figures& swizzled(const std::string& swizzle) {
  return figures({.kernel = "bank_conflicts", .m = 64, .n = 64, .k = 1, .inputs = {{"SWIZZLE", swizzle}}});
}

std::vector<machine::TraceAccess> shared_loads(const Figures& f) {
  return f.accesses(Space::shared, Direction::load);
}
std::set<int> wavefronts_of_one_load(const Figures& f) {
  std::set<int> found;
  for (const auto& access : shared_loads(f))
    found.insert(metrics::count_wavefronts(metrics::shared_access(access)).wavefronts);
  return found;
}
std::set<int> sectors_of_one_load(const Figures& f) {
  std::set<int> found;
  for (const auto& access : f.accesses(Space::global, Direction::load))
    found.insert(metrics::sectors_of(access).sectors);
  return found;
}
uint64_t bank_of(uint64_t address) { return address / metrics::kBankBytes % metrics::kBanks; }
std::set<uint64_t> banks_of(const machine::TraceAccess& access) {
  std::set<uint64_t> banks;
  for (size_t lane = 0; lane < 32; ++lane) banks.insert(bank_of(access.addresses[lane]));
  return banks;
}
// Each lane reads the next row of one column, which must be in the next bank.
void expect_each_row_one_bank_on(const Figures& f) {
  ASSERT_FALSE(shared_loads(f).empty());
  for (const auto& access : shared_loads(f))
    for (size_t lane = 1; lane < 32; ++lane)
      ASSERT_EQ(bank_of(access.addresses[lane]), (bank_of(access.addresses[lane - 1]) + 1) % 32);
}
void expect_wavefronts_by_pitch(int64_t pitch, int wavefronts) {
  EXPECT_EQ(wavefronts_of_one_load(lab("bank_conflicts", {{"PITCH", pitch}})), std::set<int>{wavefronts})
      << pitch;
}
void expect_wavefronts_by_stride(int64_t stride, int64_t floats, int wavefronts) {
  EXPECT_EQ(wavefronts_of_one_load(lab("bank_strides", {{"STRIDE", stride}, {"WIDTH", floats}})),
            std::set<int>{wavefronts})
      << stride << ", " << floats;
}
const std::vector<int64_t>& values_of(const Figures& f, const std::string& toggle) {
  for (const catalog::Toggle& candidate : f.kernel.toggles)
    if (candidate.name == toggle) return candidate.values;
  throw std::runtime_error("there is no toggle " + toggle);
}
// Returns the number of groups in which a load is served, without regard to banks.
std::set<int> parts_of_load(const Figures& f) {
  std::set<int> parts;
  for (const auto& access : shared_loads(f))
    for (const metrics::Wavefront& wavefront : metrics::wavefronts(metrics::shared_access(access)))
      parts.insert(wavefront.group);
  return parts;
}

Claims bank_labs() {
  return {
      {"A block copies a 32 x 32 tile through shared memory: written by rows, read by rows or by columns.",
       [] {
         const Figures& f = lab("bank_conflicts");
         EXPECT_EQ(f.blocks() * 32 * 32, static_cast<int64_t>(kElements));
         EXPECT_EQ(shared_loads(f).size(), 32u);
         EXPECT_EQ(f.resources().static_shared_bytes, 32u * 32 * 4);
         EXPECT_EQ(values_of(f, "BY_COLUMNS"), (std::vector<int64_t>{0, 1}));
       }},
      {"Word w lies in bank w mod 32.",
       [] {
         // Two lanes meet in a bank exactly if their words are a multiple of 32 apart.
         for (uint64_t apart = 1; apart <= 128; ++apart) {
           metrics::SharedAccess access;
           access.mask = 0b11;
           access.addresses[1] = 4 * apart;
           EXPECT_EQ(metrics::count_wavefronts(access).wavefronts, apart % 32 == 0 ? 2 : 1) << apart;
         }
       }},
      {"A column of [32][32] lies in one bank, so 32 lanes wait for it one after the other.",
       [] {
         for (const auto& access : shared_loads(lab("bank_conflicts")))
           ASSERT_EQ(banks_of(access).size(), 1u);
         expect_wavefronts_by_pitch(32, 32);
       }},
      {"One float more in each row, [32][33], or a swizzle moves each row on by one bank.",
       [] {
         expect_each_row_one_bank_on(lab("bank_conflicts", {{"PITCH", 33}}));
         expect_each_row_one_bank_on(swizzled("column + row"));
       }},
      {"The wavefronts of one load: 32 for a column of [32][32], 1 for [32][33], 2 for [32][34], 4 for "
       "[32][36].",
       [] {
         expect_wavefronts_by_pitch(32, 32);
         expect_wavefronts_by_pitch(33, 1);
         expect_wavefronts_by_pitch(34, 2);
         expect_wavefronts_by_pitch(36, 4);
       }},
      {"Then set the row back to 32 and type column ^ row.",
       [] {
         EXPECT_EQ(values_of(lab("bank_conflicts"), "PITCH").front(), 32);
         EXPECT_EQ(wavefronts_of_one_load(swizzled("column ^ row")), std::set<int>{1});
       }},
      {"A warp reads shared memory with a stride between its lanes, 32, 64 or 128 bits a lane.",
       [] {
         for (const int64_t floats : {1, 2, 4})
           for (const auto& access : shared_loads(lab("bank_strides", {{"WIDTH", floats}})))
             EXPECT_EQ(access.width_bytes * 8, 32 * floats);
         EXPECT_EQ(values_of(lab("bank_strides"), "WIDTH"), (std::vector<int64_t>{1, 2, 4}));
       }},
      {"With a stride of s words the lanes meet 32 / gcd(s, 32) banks, so odd strides are free.",
       [] {
         for (const int64_t stride : values_of(lab("bank_strides"), "STRIDE")) {
           const Figures& f = lab("bank_strides", {{"STRIDE", stride}});
           for (const auto& access : shared_loads(f))
             EXPECT_EQ(banks_of(access).size(), static_cast<size_t>(32 / std::gcd(stride, 32))) << stride;
           if (stride % 2 == 1) {
             EXPECT_EQ(f.traffic().shared_load.excess_wavefronts(), 0u) << stride;
           }
         }
       }},
      {"A wide access is served in parts: half-warps for 64 bits, quarter-warps for 128, each part on its "
       "own.",
       [] {
         EXPECT_EQ(parts_of_load(lab("bank_strides", {{"WIDTH", 1}})).size(), 1u);
         EXPECT_EQ(parts_of_load(lab("bank_strides", {{"WIDTH", 2}})).size(), 2u);
         EXPECT_EQ(parts_of_load(lab("bank_strides", {{"WIDTH", 4}})).size(), 4u);
       }},
      {"The wavefronts at 32 bits: stride 2 takes 2, 8 takes 8, 3 takes 1.",
       [] {
         expect_wavefronts_by_stride(2, 1, 2);
         expect_wavefronts_by_stride(8, 1, 8);
         expect_wavefronts_by_stride(3, 1, 1);
       }},
      {"At 128 bits stride 1 takes 4 and has no conflict: 512 bytes do not go through 32 banks in fewer.",
       [] {
         expect_wavefronts_by_stride(1, 4, 4);
         EXPECT_EQ(
             lab("bank_strides", {{"STRIDE", 1}, {"WIDTH", 4}}).traffic().shared_load.excess_wavefronts(),
             0u);
         EXPECT_EQ(metrics::kBanks, 32);
         EXPECT_EQ(4 * metrics::kBanks * metrics::kBankBytes, 512);
       }},
  };
}

uint64_t bytes_moved(const metrics::InstructionTraffic& traffic) {
  return (traffic.global_load.sectors + traffic.global_store.sectors) * metrics::kSectorBytes;
}
// Returns the floats that a thread of the traced block moves.
uint64_t floats_a_thread(const Figures& f) {
  const auto traffic = metrics::summarize(f.block->counters, f.compiled->instructions).traffic;
  return bytes_moved(traffic) / sizeof(float) / static_cast<uint64_t>(f.warps() * 32);
}

Claims memory_labs() {
  return {
      {"Memory comes in sectors of 32 bytes.",
       [] {
         EXPECT_EQ(metrics::kSectorBytes, 32);
         for (uint64_t start = 0; start < 64; start += 4) {
           metrics::GlobalAccess access;
           access.mask = 0b11;
           access.addresses[1] = start;
           EXPECT_EQ(metrics::count_sectors(access).sectors, start < 32 ? 1 : 2) << start;
         }
       }},
      {"Lanes side by side share sectors, and use all of each; with a stride of 8 floats every lane fetches "
       "a sector of its own and uses an eighth of it.",
       [] {
         EXPECT_EQ(lab("coalescing").traffic().global_load.excess_sectors(), 0u);
         const metrics::Traffic& load = lab("coalescing", {{"STRIDE", 8}}).traffic().global_load;
         EXPECT_EQ(load.sectors, kElements);
         EXPECT_EQ(load.sectors * metrics::kSectorBytes, 8 * kElements * sizeof(float));
       }},
      {"The sectors of the load: 4 for 32 floats side by side, 5 with an offset of 1, 8 with stride 2, 32 "
       "from stride 8 on.",
       [] {
         EXPECT_EQ(sectors_of_one_load(lab("coalescing")), std::set<int>{4});
         EXPECT_EQ(sectors_of_one_load(lab("coalescing", {{"OFFSET", 1}})), std::set<int>{5});
         EXPECT_EQ(sectors_of_one_load(lab("coalescing", {{"STRIDE", 2}})), std::set<int>{8});
         for (const int64_t stride : values_of(lab("coalescing"), "STRIDE")) {
           const auto sectors = sectors_of_one_load(lab("coalescing", {{"STRIDE", stride}}));
           EXPECT_EQ(sectors == std::set<int>{32}, stride >= 8) << stride;
         }
       }},
      {"With 4 floats a lane: 16 sectors, all used, for a quarter of the instructions.",
       [] {
         const Figures& f = lab("coalescing", {{"WIDTH", 4}});
         EXPECT_EQ(sectors_of_one_load(f), std::set<int>{16});
         EXPECT_EQ(f.traffic().global_load.excess_sectors(), 0u);
         EXPECT_EQ(4 * f.traffic().global_load.requests, lab("coalescing").traffic().global_load.requests);
         EXPECT_EQ(4 * f.totals.warp_instructions, lab("coalescing").totals.warp_instructions);
       }},
      {"out = alpha * x + y, by two kernels with the product in memory between them, or by one.",
       [] {
         EXPECT_EQ(lab("fusion").compiled->parts.size(), 2u);
         EXPECT_EQ(lab("fusion", {{"FUSED", 1}}).compiled->parts.size(), 1u);
       }},
      {"In one kernel it stays in a register: three arrays pass the memory instead of five, and one launch "
       "is saved.",
       [] {
         EXPECT_EQ(bytes_moved(lab("fusion", {{"FUSED", 1}}).traffic()), 3 * kElements * sizeof(float));
         EXPECT_EQ(bytes_moved(lab("fusion").traffic()), 5 * kElements * sizeof(float));
         EXPECT_EQ(
             lab("fusion").compiled->parts.size() - lab("fusion", {{"FUSED", 1}}).compiled->parts.size(), 1u);
       }},
      {"The bytes that each kernel moves: 2 + 3 floats an element in two kernels, 3 in one.",
       [] {
         EXPECT_EQ(floats_a_thread(lab("fusion", {}, 0)), 2u);
         EXPECT_EQ(floats_a_thread(lab("fusion", {}, 1)), 3u);
         EXPECT_EQ(floats_a_thread(lab("fusion", {{"FUSED", 1}})), 3u);
       }},
      {"And the compiler makes the warp's vote of a plain atomicAdd(matches, 1): compare the second method "
       "with the third.",
       [] {
         const Figures& written = lab("atomics", {{"METHOD", 1}});
         EXPECT_GT(written.count_in_code("VOTE"), 0);
         EXPECT_GT(written.count_in_code("POPC"), 0);
         EXPECT_EQ(written.traffic().global_reduce.requests,
                   lab("atomics", {{"METHOD", 2}}).traffic().global_reduce.requests);
         EXPECT_EQ(written.traffic().global_reduce.sectors,
                   lab("atomics", {{"METHOD", 2}}).traffic().global_reduce.sectors);
         EXPECT_LT(written.traffic().global_reduce.sectors, lab("atomics").traffic().global_reduce.sectors);
       }},
  };
}

scenes::LoadScene loads_in_flight(int64_t ahead) {
  return scenes::layout_loads(*lab("prefetch", {{"AHEAD", ahead}}).block, {}, {0, 0, 800, 400}, {});
}

Claims latency_labs() {
  return {
      {"Each thread follows a chain of 8 loads, each of which needs the one before.",
       [] {
         // The loop also has one load of a value at its end.
         const Figures& f = lab("occupancy", {{"HELD", 0}});
         EXPECT_EQ(f.traffic().global_load.requests, static_cast<uint64_t>(f.blocks() * f.warps()) * (8 + 1));
       }},
      {"A thread walks down a column of 32 elements and works on each.",
       [] {
         const Figures& f = lab("prefetch");
         EXPECT_EQ(f.traffic().global_load.requests, static_cast<uint64_t>(f.blocks() * f.warps()) * 32);
       }},
      {"With 0 there is next to nothing.",
       [] {
         EXPECT_LT(loads_in_flight(0).mean, 5);
         EXPECT_GT(loads_in_flight(1).mean, 3 * loads_in_flight(0).mean);
       }},
  };
}

Claims speed_labs() {
  return {
      {"An RTX A4000 has 48 SMs, an H200 has 132.",
       [] {
         for (const auto& [id, sms] : {std::pair("rtxa4000", 48), std::pair("h200", 132)}) {
           const auto device = experiment::find_device(id);
           ASSERT_TRUE(device) << device.error().message;
           EXPECT_EQ(device->sms, sms);
           const auto& values = values_of(lab("blocks_and_sms"), "BLOCKS");
           EXPECT_TRUE(std::ranges::count(values, sms) == 1 && std::ranges::count(values, sms + 1) == 1);
         }
       }},
  };
}

TEST(LabClaims, EachIsTrue) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << compile::nvrtc_version().error().message;
  Claims claims;
  for (const Claims& part : {bank_labs(), memory_labs(), latency_labs(), speed_labs()})
    claims.insert(part.begin(), part.end());
  check_claims(kernel_texts("labs"), claims);
}

}  // namespace
}  // namespace gemmscope::claims
