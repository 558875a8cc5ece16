// Checks every sentence with a number in the descriptions of kernels/ladder.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "claims.h"
#include "compile/compiler.h"
#include "experiment/problem_data.h"
#include "experiment/recording.h"
#include "figures.h"
#include "kernel_texts.h"
#include "metrics/occupancy.h"
#include "metrics/sample_statistics.h"

namespace gemmscope::claims {
namespace {

using machine::Direction;
using machine::Space;
using metrics::InstructionTraffic;
using Toggles = std::map<std::string, int64_t>;

constexpr uint64_t kM = 256, kN = 256, kK = 256;       // Setup's
constexpr uint64_t kMultiplyAdds = kM * kN * kK / 32;  // of warps

const Figures& at(const std::string& kernel, const Toggles& toggles = {}, isa::Arch arch = isa::Arch::sm_86) {
  return figures({.kernel = kernel, .toggles = toggles, .arch = arch});
}
uint64_t loads(const Figures& f) { return f.traffic().global_load.requests; }
uint64_t load_sectors(const Figures& f) { return f.traffic().global_load.sectors; }
uint64_t barriers_a_warp(const Figures& f) {
  return f.opcode("BAR") / static_cast<uint64_t>(f.blocks() * f.warps());
}
uint64_t tiles(const Figures& f) { return kK / static_cast<uint64_t>(f.tile().block_k); }
std::string percent_fewer(uint64_t now, uint64_t before) {
  return fmt::format("{:.1f} %", 100 * (1 - static_cast<double>(now) / static_cast<double>(before)));
}
double ratio(uint64_t a, uint64_t b) { return static_cast<double>(a) / static_cast<double>(b); }

// Returns the sector counts that occur among accesses of the traced block.
std::set<int> sectors_of_one(const Figures& f, Direction direction) {
  std::set<int> found;
  for (const auto& access : f.accesses(Space::global, direction))
    found.insert(metrics::sectors_of(access).sectors);
  return found;
}
// Returns the numbers of different addresses per access that occur.
std::set<size_t> places_of_one_load(const Figures& f) {
  std::set<size_t> found;
  for (const auto& access : f.accesses(Space::global, Direction::load)) {
    std::set<uint64_t> places;
    for (size_t lane = 0; lane < 32; ++lane) places.insert(access.addresses[lane]);
    found.insert(places.size());
  }
  return found;
}
// Returns the wavefront counts that occur among the traced block's stores of single floats to shared memory.
std::set<int> wavefronts_of_scalar_stores(const Figures& f) {
  std::set<int> found;
  for (const auto& access : f.accesses(Space::shared, Direction::store))
    if (access.width_bytes == 4)
      found.insert(metrics::count_wavefronts(metrics::shared_access(access)).wavefronts);
  return found;
}
// Counts the traced block's stores to shared memory of one width.
size_t shared_stores(const Figures& f, int width_bytes) {
  size_t count = 0;
  for (const auto& access : f.accesses(Space::shared, Direction::store))
    count += access.width_bytes == width_bytes;
  return count;
}
void expect_thread_tile(const Figures& f, int64_t m, int64_t n) {
  EXPECT_EQ(f.tile().thread_m, m);
  EXPECT_EQ(f.tile().thread_n, n);
  // Each thread also writes as many elements.
  for (const auto& owned : f.block->owned) ASSERT_EQ(owned.size(), static_cast<size_t>(m * n));
}

Claims first_steps() {
  return {
      {"The lanes of a warp stand in 16 rows, so 16 sectors of 8 floats travel for 16 useful floats.",
       [] {
         const Figures& f = at("01_naive_rows");
         EXPECT_EQ(f.tile().warp_m, 16);
         EXPECT_EQ(sectors_of_one(f, Direction::load), (std::set<int>{1, 16}));  // of B and A
         EXPECT_EQ(places_of_one_load(f), (std::set<size_t>{2, 16}));
         EXPECT_EQ(metrics::kSectorBytes / sizeof(float), 8u);
         EXPECT_EQ(2 * load_sectors(f), 17 * loads(f));
       }},
      {"A store of C touches 16 sectors as well.",
       [] { EXPECT_EQ(sectors_of_one(at("01_naive_rows"), Direction::store), std::set<int>{16}); }},
      {"A warp now reads 2 rows of A instead of 16, and 16 neighbouring columns of B.",
       [] {
         EXPECT_EQ(at("02_naive_coalesced").tile().warp_m, 2);
         EXPECT_EQ(at("02_naive_coalesced").tile().warp_n, 16);
         EXPECT_EQ(at("01_naive_rows").tile().warp_m, 16);
         EXPECT_EQ(places_of_one_load(at("02_naive_coalesced")), (std::set<size_t>{2, 16}));
       }},
      {"One k takes 2 + 2 sectors instead of 16 + 1.",
       [] {
         EXPECT_EQ(sectors_of_one(at("02_naive_coalesced"), Direction::load), std::set<int>{2});
         EXPECT_EQ(sectors_of_one(at("01_naive_rows"), Direction::load), (std::set<int>{1, 16}));
         EXPECT_EQ(load_sectors(at("02_naive_coalesced")), kMultiplyAdds * (2 + 2));
         EXPECT_EQ(load_sectors(at("01_naive_rows")), kMultiplyAdds * (16 + 1));
       }},
      {"Each float is loaded from global memory once a block instead of 16 times.",
       [] {
         const Figures& f = at("03_shared_tile");
         EXPECT_EQ(loads(f) * 32, static_cast<uint64_t>(f.blocks()) * (16 + 16) * kK);
         EXPECT_EQ(loads(at("02_naive_coalesced")), 16 * loads(f));
       }},
      {"The price is two barriers a tile.",
       [] { EXPECT_EQ(barriers_a_warp(at("03_shared_tile")), 2 * tiles(at("03_shared_tile"))); }},
      {"The global loads against step 2: a sixteenth of the requests and an eighth of the sectors.",
       [] {
         EXPECT_EQ(loads(at("02_naive_coalesced")), 16 * loads(at("03_shared_tile")));
         EXPECT_EQ(load_sectors(at("02_naive_coalesced")), 8 * load_sectors(at("03_shared_tile")));
       }},
      {"Then watch a warp wait at the two barriers of each tile.",
       [] { EXPECT_EQ(barriers_a_warp(at("03_shared_tile")), 2 * tiles(at("03_shared_tile"))); }},
      {"A's tile is loaded and stored once for several tiles of C instead of once for each.",
       [] {
         const Figures& each = at("04_thread_coarsening", {{"COARSENING", 1}});
         const Figures& several = at("04_thread_coarsening", {{"COARSENING", 4}});
         // Half of the loads are of A, the other half are of B.
         EXPECT_EQ(loads(several) * 2 * 4, loads(each) * (1 + 4));
         EXPECT_EQ(several.opcode("STS") * 2 * 4, each.opcode("STS") * (1 + 4));
       }},
      {"The global sectors with 1, 2, 4 and 8 tiles of B: they fall, and the barriers stay as many.",
       [] {
         const Figures* before = nullptr;
         for (const int64_t coarsening : {1, 2, 4, 8}) {
           const Figures& f = at("04_thread_coarsening", {{"COARSENING", coarsening}});
           if (before != nullptr) {
             EXPECT_LT(load_sectors(f), load_sectors(*before));
             EXPECT_EQ(f.opcode("BAR"), before->opcode("BAR"));
           }
           before = &f;
         }
       }},
  };
}

Claims register_steps() {
  return {
      {"Without shared memory, each thread computes 4x4 elements of C from float4 loads of A and B.",
       [] {
         const Figures& f = at("05_vector_loads");
         expect_thread_tile(f, 4, 4);
         EXPECT_EQ(f.resources().static_shared_bytes + f.resources().dynamic_shared_bytes, 0u);
         for (const auto& access : f.accesses(Space::global, Direction::load))
           ASSERT_EQ(access.width_bytes, 16);
       }},
      {"For four k, 8 loads feed 64 multiply-adds.",
       [] {
         const Figures& f = at("05_vector_loads");
         EXPECT_EQ(loads(f) * 64, 8 * kMultiplyAdds);
         EXPECT_EQ(loads(f), static_cast<uint64_t>(f.blocks() * f.warps()) * 8 * (kK / 4));
       }},
      {"In step 2, 8 loads fed 4.",
       [] { EXPECT_EQ(loads(at("02_naive_coalesced")) * 4, 8 * kMultiplyAdds); }},
      {"LDG in the counters: 93.8 % fewer than in step 2.",
       [] {
         EXPECT_EQ(percent_fewer(loads(at("05_vector_loads")), loads(at("02_naive_coalesced"))), "93.8 %");
       }},
      {"The book loads A one float at a time and B as float4, which saves 84.4 %.",
       [] {
         EXPECT_EQ(
             percent_fewer(loads(at("05_vector_loads", {{"WIDTH_A", 1}})), loads(at("02_naive_coalesced"))),
             "84.4 %");
       }},
      {"The thread tile grows from 4x4 to 8x8.",
       [] {
         expect_thread_tile(at("05_vector_loads"), 4, 4);
         expect_thread_tile(at("06_thread_tile"), 8, 8);
       }},
      {"An m x n tile does 2mn operations for m + n floats.",
       [] {
         for (const int64_t m : {4, 8})
           for (const int64_t n : {4, 8}) {
             const Figures& f = at("06_thread_tile", {{"THREAD_M", m}, {"THREAD_N", n}});
             const double floats = static_cast<double>(loads(f)) * 128;
             EXPECT_DOUBLE_EQ(2.0 * kM * kN * kK / floats, 2.0 * m * n / (m + n)) << m << " x " << n;
           }
       }},
      {"8x8 gets 8 operations out of each float, 4x4 gets 4.",
       [] {
         EXPECT_EQ(2 * kM * kN * kK, 8 * 128 * loads(at("06_thread_tile")));
         EXPECT_EQ(2 * kM * kN * kK,
                   4 * 128 * loads(at("06_thread_tile", {{"THREAD_M", 4}, {"THREAD_N", 4}})));
       }},
      {"FFMA for each LDG in the counters: 16, and 8 in the step before.",
       [] {
         // The counters include the FFMA that write C.
         EXPECT_NEAR(ratio(at("06_thread_tile").opcode("FFMA"), loads(at("06_thread_tile"))), 16, 0.2);
         EXPECT_NEAR(ratio(at("05_vector_loads").opcode("FFMA"), loads(at("05_vector_loads"))), 8, 0.1);
       }},
      {"The price is registers: 128 a thread, and a few floats are spilled.",
       [] {
         for (const isa::Arch arch : {isa::Arch::sm_86, isa::Arch::sm_90}) {
           const Figures& f = at("06_thread_tile", {}, arch);
           EXPECT_EQ(f.registers(), 128);
           EXPECT_GT(f.resources().spill_store_bytes, 0u);
           EXPECT_LT(f.resources().spill_store_bytes, 200u);
         }
       }},
      {"Then make the tile 4x8 or 4x4 again.",
       [] {
         expect_thread_tile(at("06_thread_tile", {{"THREAD_M", 4}, {"THREAD_N", 8}}), 4, 8);
         expect_thread_tile(at("06_thread_tile", {{"THREAD_M", 4}, {"THREAD_N", 4}}), 4, 4);
       }},
      {"A block copies tiles of A and B into shared memory, and each thread loads from there what its 8x8 "
       "tile needs.",
       [] { expect_thread_tile(at("07_register_tile"), 8, 8); }},
      {"A float in shared memory is used 128 times, one in a register 8 times.",
       [] {
         const Figures& f = at("07_register_tile");
         EXPECT_EQ(f.tile().block_m, 128);
         EXPECT_EQ(f.tile().block_n, 128);
         expect_thread_tile(f, 8, 8);
         // Each multiply-add uses two factors that were stored.
         const uint64_t stored = loads(f) * 128;
         EXPECT_EQ(2 * kM * kN * kK, 128 * stored);
       }},
      {"A sixteenth of the global loads is left.",
       [] { EXPECT_EQ(loads(at("06_thread_tile")), 16 * loads(at("07_register_tile"))); }},
      {"LDG in the counters: 97.9 % fewer than in step 6 with scalar loads, the book's form.",
       [] {
         EXPECT_EQ(
             percent_fewer(loads(at("07_register_tile")), loads(at("06_thread_tile", {{"WIDTH_A", 1}}))),
             "97.9 %");
       }},
  };
}

Claims bank_steps() {
  return {
      {"A's tile is transposed in shared memory, so a thread's 8 rows at one k are two float4.",
       [] {
         const Figures& f = at("08_transposed_tile");
         EXPECT_EQ(f.tile().thread_m, 8);
         // The 8 columns of B take two more.
         EXPECT_EQ(f.traffic().shared_load.requests,
                   static_cast<uint64_t>(f.blocks() * f.warps()) * kK * (2 + 2));
         for (const auto& access : f.accesses(Space::shared, Direction::load))
           ASSERT_EQ(access.width_bytes, 16);
       }},
      {"A thread holds 8 floats of A at one k, no longer those of four k: 109 registers instead of 128 on "
       "sm_86.",
       [] {
         EXPECT_EQ(at("08_transposed_tile").tile().thread_m, 8);
         EXPECT_EQ(at("08_transposed_tile").registers(), 109);
         EXPECT_EQ(at("07_register_tile").registers(), 128);
       }},
      {"The price: each quad of A is stored as four single floats.",
       [] {
         // There are as many quads of A as of B, which are still stored with one instruction.
         EXPECT_EQ(shared_stores(at("08_transposed_tile"), 4),
                   4 * shared_stores(at("08_transposed_tile"), 16));
         EXPECT_EQ(2 * shared_stores(at("08_transposed_tile"), 16),
                   shared_stores(at("07_register_tile"), 16));
       }},
      {"STS in the counters: 2.5 times as many.",
       [] {
         EXPECT_EQ(2 * at("08_transposed_tile").opcode("STS"), 5 * at("07_register_tile").opcode("STS"));
         EXPECT_GT(at("07_register_tile").opcode("STS"), 0u);
       }},
      {"Then the banks of the stores to A's tile: four lanes meet in each, and the stores are served one "
       "after the other.",
       [] { EXPECT_EQ(wavefronts_of_scalar_stores(at("08_transposed_tile")), std::set<int>{4}); }},
      {"A store whose lanes lie in 32 different banks takes one wavefront.",
       [] { EXPECT_EQ(wavefronts_of_scalar_stores(at("09_conflict_free")), std::set<int>{1}); }},
      {"Where four lanes meet in a bank it takes four.",
       [] {
         EXPECT_EQ(wavefronts_of_scalar_stores(at("09_conflict_free", {{"LAYOUT", 0}})), std::set<int>{4});
       }},
      {"The banks of the stores to A's tile with each layout: four lanes in a bank as it is, two with "
       "padding, one with the swizzle.",
       [] {
         EXPECT_EQ(wavefronts_of_scalar_stores(at("09_conflict_free", {{"LAYOUT", 0}})), std::set<int>{4});
         EXPECT_EQ(wavefronts_of_scalar_stores(at("09_conflict_free", {{"LAYOUT", 1}})), std::set<int>{2});
         EXPECT_EQ(wavefronts_of_scalar_stores(at("09_conflict_free", {{"LAYOUT", 2}})), std::set<int>{1});
       }},
      {"64 multiply-adds between the load and its use hide them.",
       [] {
         // Returns the multiply-adds of one k.
         const Figures& f = at("10_register_double_buffer");
         expect_thread_tile(f, 8, 8);
         EXPECT_EQ(kMultiplyAdds, static_cast<uint64_t>(f.blocks() * f.warps()) * kK * 64);
       }},
  };
}

Claims pipeline_steps() {
  return {
      {"BAR in the counters: one barrier a tile instead of two.",
       [] {
         EXPECT_EQ(barriers_a_warp(at("11_prefetch")), tiles(at("11_prefetch")));
         EXPECT_EQ(barriers_a_warp(at("10_register_double_buffer")),
                   2 * tiles(at("10_register_double_buffer")));
       }},
      {"The block tile grows to 128x256, and each of its eight warps computes a 64x64 warp tile with 8x16 "
       "elements a thread.",
       [] {
         const Figures& f = at("12_warp_tiling");
         EXPECT_EQ(f.tile().block_m, 128);
         EXPECT_EQ(f.tile().block_n, 256);
         EXPECT_EQ(f.warps(), 8);
         EXPECT_EQ(f.tile().warp_m, 64);
         EXPECT_EQ(f.tile().warp_n, 64);
         expect_thread_tile(f, 8, 16);
       }},
      {"A 64x64 warp tile reads 64 + 64 floats for 4096 multiply-adds, where 16x128 read 16 + 128 for 2048.",
       [] {
         const Figures& now = at("12_warp_tiling");
         const Figures& before = at("11_prefetch");
         EXPECT_EQ(now.tile().warp_m, 64);
         EXPECT_EQ(now.tile().warp_n, 64);
         EXPECT_EQ(before.tile().warp_m, 16);
         EXPECT_EQ(before.tile().warp_n, 128);
         EXPECT_EQ(kMultiplyAdds * 32, static_cast<uint64_t>(now.blocks() * now.warps()) * kK * 4096);
         EXPECT_EQ(kMultiplyAdds * 32, static_cast<uint64_t>(before.blocks() * before.warps()) * kK * 2048);
       }},
      {"The counters: a quarter fewer LDS with half the wavefronts, a quarter fewer LDG.",
       [] {
         const InstructionTraffic& now = at("12_warp_tiling").traffic();
         const InstructionTraffic& before = at("11_prefetch").traffic();
         EXPECT_EQ(4 * now.shared_load.requests, 3 * before.shared_load.requests);
         EXPECT_EQ(2 * now.shared_load.wavefronts, before.shared_load.wavefronts);
         EXPECT_EQ(4 * now.global_load.requests, 3 * before.global_load.requests);
       }},
      {"Then the registers against the step before, although the tile is 16 deep again, and two stages "
       "against four.",
       [] {
         for (const isa::Arch arch : {isa::Arch::sm_86, isa::Arch::sm_90}) {
           EXPECT_LT(at("13_async_copy", {}, arch).registers(), at("12_warp_tiling", {}, arch).registers());
           EXPECT_EQ(at("13_async_copy", {}, arch).tile().block_k, 16);
         }
         EXPECT_EQ(at("12_warp_tiling").tile().block_k, 8);
         EXPECT_EQ(at("11_prefetch").tile().block_k, 16);
         EXPECT_EQ(2 * at("13_async_copy", {{"STAGES", 2}}).resources().dynamic_shared_bytes,
                   at("13_async_copy", {{"STAGES", 4}}).resources().dynamic_shared_bytes);
       }},
  };
}

// Returns a variant's times in the shipped recording, by problem size.
std::vector<std::vector<double>> recorded_times(const std::string& kernel, const Toggles& toggles) {
  const auto recording = experiment::read_recording(experiment::recordings_folder() / "h200.json");
  std::vector<std::vector<double>> times;
  if (!recording) return times;
  for (const experiment::Timings& run : *recording)
    for (const experiment::TimedVariant& variant : run.variants)
      if (variant.id == kernel && variant.toggles == toggles)
        times.push_back(experiment::milliseconds(variant));
  return times;
}

Claims tensor_steps() {
  return {
      {"mma.sync multiplies a 16x8 by an 8x8 matrix in one instruction of a warp, with 10 bits of each "
       "float's fraction (TF32).",
       [] {
         const Figures& f = at("14_tensor_tf32");
         EXPECT_GT(f.count_in_code("HMMA.1688.F32.TF32"), 0);
         EXPECT_EQ(f.count_in_code("HMMA.1688.F32.TF32"), f.count_in_code("HMMA"));
         EXPECT_EQ(f.totals.tensor_flops, f.opcode("HMMA") * 2 * 16 * 8 * 8);
         const auto data = experiment::make_problem_data(f.kernel, {kM, kN, kK}, {});
         ASSERT_TRUE(data);
         EXPECT_EQ(data->factor_error, std::ldexp(1, -10));
       }},
      {"One HMMA does 1024 multiply-adds, one FFMA of a warp 32.",
       [] {
         EXPECT_EQ(at("14_tensor_tf32").opcode("HMMA") * 1024, kM * kN * kK);
         const Figures& before = at("13_async_copy");
         EXPECT_EQ(before.totals.ffma, before.opcode("FFMA") * 32);
       }},
      {"Where shared memory allows, take four stages.",
       [] {
         const auto two = recorded_times("14_tensor_tf32", {});
         const auto four = recorded_times("14_tensor_tf32", {{"STAGES", 4}});
         ASSERT_FALSE(two.empty());
         ASSERT_EQ(two.size(), four.size());
         for (size_t i = 0; i < two.size(); ++i)
           EXPECT_EQ(metrics::compare_samples(metrics::summarize_samples(four[i]),
                                              metrics::summarize_samples(two[i])),
                     metrics::Comparison::faster);
         const auto stages = [](int64_t count) {
           return at("14_tensor_tf32", {{"STAGES", count}}, isa::Arch::sm_90)
               .resources()
               .dynamic_shared_bytes;
         };
         EXPECT_LE(stages(4), isa::most_shared_bytes(isa::Arch::sm_90));
         EXPECT_GT(stages(4), isa::most_shared_bytes(isa::Arch::sm_86));
         EXPECT_LE(stages(2), isa::most_shared_bytes(isa::Arch::sm_86));
       }},
      {"Rounding the factors more than halves the largest error.",
       [] {
         const double truncated = largest_error({.kernel = "14_tensor_tf32", .toggles = {{"ROUND", 0}}});
         const double rounded = largest_error({.kernel = "14_tensor_tf32", .toggles = {{"ROUND", 1}}});
         EXPECT_GT(rounded, 0);
         EXPECT_LT(2 * rounded, truncated);
       }},
      {"A and B hold bfloat16, two to a register, and each mma.sync covers 16 k instead of 8.",
       [] {
         const Figures& f = at("15_tensor_bf16");
         EXPECT_EQ(f.block->layout.buffers.at(metrics::kMatrixA).element_bytes * 2, sizeof(uint32_t));
         EXPECT_EQ(f.block->layout.buffers.at(metrics::kMatrixB).element_bytes * 2, sizeof(uint32_t));
         EXPECT_GT(f.count_in_code("HMMA.16816.F32.BF16"), 0);
         EXPECT_EQ(f.count_in_code("HMMA.16816.F32.BF16"), f.count_in_code("HMMA"));
         EXPECT_GT(at("14_tensor_tf32").count_in_code("HMMA.1688.F32.TF32"), 0);
       }},
      {"Half as many HMMA do the same multiply-adds.",
       [] {
         EXPECT_EQ(2 * at("15_tensor_bf16").opcode("HMMA"), at("14_tensor_tf32").opcode("HMMA"));
         EXPECT_EQ(at("15_tensor_bf16").totals.tensor_flops, at("14_tensor_tf32").totals.tensor_flops);
       }},
      {"Every byte of bandwidth, from memory to registers, carries twice the elements.",
       [] {
         const InstructionTraffic& now = at("15_tensor_bf16").traffic();
         const InstructionTraffic& before = at("14_tensor_tf32").traffic();
         EXPECT_EQ(2 * now.async_global.sectors, before.async_global.sectors);
         EXPECT_EQ(2 * (now.shared_load.wavefronts + now.matrix_load.wavefronts),
                   before.shared_load.wavefronts + before.matrix_load.wavefronts);
       }},
      {"HMMA in the counters, half as many as in the step before.",
       [] { EXPECT_EQ(2 * at("15_tensor_bf16").opcode("HMMA"), at("14_tensor_tf32").opcode("HMMA")); }},
  };
}

TEST(LadderClaims, EachIsTrue) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << compile::nvrtc_version().error().message;
  Claims claims;
  for (const Claims& part : {first_steps(), register_steps(), bank_steps(), pipeline_steps(), tensor_steps()})
    claims.insert(part.begin(), part.end());
  check_claims(kernel_texts("ladder"), claims);
}

}  // namespace
}  // namespace gemmscope::claims
