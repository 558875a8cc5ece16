// Checks every sentence with a number in the help and the refusals of kernels/workbench.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "claims.h"
#include "compile/compiler.h"
#include "experiment/pipeline.h"
#include "figures.h"
#include "kernel_texts.h"
#include "metrics/occupancy.h"

namespace gemmscope::claims {
namespace {

using Toggles = std::map<std::string, int64_t>;

const Figures& bench(const Toggles& toggles = {}) {
  return figures({.kernel = "workbench", .toggles = toggles});
}
// Returns the source without white space, because clang-format may wrap it anywhere.
std::string squeezed_source() {
  std::string source = bench().kernel.source;
  std::erase_if(source, [](char c) { return c == ' ' || c == '\n'; });
  return source;
}
void expect_in_source(const std::string& text) {
  std::string squeezed = text;
  std::erase(squeezed, ' ');
  EXPECT_NE(squeezed_source().find(squeezed), std::string::npos) << text;
}
// Returns the sentence that refuses these toggles; empty if they are legal.
std::string refusal(const Toggles& toggles, int sm = 86) {
  const auto why = catalog::why_illegal(bench().kernel, {}, toggles, sm);
  return why ? why->value_or("") : why.error().message;
}
const metrics::SmLimits& limits(isa::Arch arch) { return *metrics::sm_limits(isa::sm_number(arch)); }

struct Tile {
  int64_t row = 0, column = 0;
  bool operator==(const Tile&) const = default;
};
// Returns the tile of C that each of the first blocks computes, in the order of their numbers.
std::vector<Tile> tiles_in_order(int64_t order, uint32_t count) {
  const Toggles small = {
      {"BLOCK_M", 32}, {"BLOCK_N", 32}, {"THREAD_M", 4}, {"THREAD_N", 4}, {"BLOCK_ORDER", order}};
  const Figures& f = figures({.kernel = "workbench", .toggles = small, .m = 512, .n = 512, .k = 8});
  std::vector<Tile> tiles;
  for (uint32_t i = 0; i < count; ++i) {
    experiment::Experiment e = f.block->experiment;
    e.block = {i % f.compiled->launch.grid[0], i / f.compiled->launch.grid[0], 0};
    const auto block = experiment::run_block(f.compiled, e, nullptr);
    if (!block) throw std::runtime_error(block.error().message);
    const metrics::Element first = metrics::element_of((*block)->layout, (*block)->owners.begin()->first);
    tiles.push_back({first.row / 32, first.column / 32});
  }
  return tiles;
}

Claims help_claims() {
  return {
      {"How a warp's 32 threads lie on C; times the thread's tile that is the warp's tile.",
       [] {
         for (const int64_t lanes : {2, 4, 8, 16}) {
           const catalog::TileShape& tile = bench({{"LANES_M", lanes}}).tile();
           EXPECT_EQ(tile.warp_m, lanes * tile.thread_m);
           EXPECT_EQ(tile.warp_n, 32 / lanes * tile.thread_n);
         }
       }},
      {"Asynchronous copies past the registers into a ring of this many tiles; 0: the tiles go through "
       "registers.",
       [] {
         const Figures& registers = bench({{"STAGES", 0}});
         EXPECT_EQ(registers.opcode("LDGSTS"), 0u);
         EXPECT_GT(registers.opcode("STS"), 0u);
         const Figures& two = bench({{"STAGES", 2}});
         const Figures& three = bench({{"STAGES", 3}});
         EXPECT_GT(two.opcode("LDGSTS"), 0u);
         EXPECT_EQ(two.opcode("STS"), 0u);
         EXPECT_EQ(3 * two.resources().dynamic_shared_bytes, 2 * three.resources().dynamic_shared_bytes);
       }},
      {"for (n = 0; n < count; ++n), or for (s = thread; s < end; s += threads).",
       [] {
         expect_in_source("for (int n = 0; n < kCount; ++n)");
         expect_in_source("for (int s = thread; s < kVectors; s += kThreads)");
         EXPECT_NE(bench({{"PREFETCH", 0}, {"LOOP_START", 0}}).code(),
                   bench({{"PREFETCH", 0}, {"LOOP_START", 1}}).code());
       }},
      {"One loop over all elements with / and %, or two nested loops over rows and columns.",
       [] {
         expect_in_source("copy(n, s / kInRow, s % kInRow * kWidth)");
         expect_in_source(
             "for (int row = first_row; row < kRows; row += kDown) for (int i = first; i < kInRow; i += "
             "kAcross)");
       }},
      {"Where the tiles go through registers and the loops start from 0, the compiler makes the same code of "
       "both.",
       [] {
         for (const int64_t prefetch : {0, 1, 2}) {
           const std::string serial = bench({{"PREFETCH", prefetch}, {"SERIAL_COPY", 1}}).code();
           EXPECT_EQ(bench({{"PREFETCH", prefetch}, {"SERIAL_COPY", 0}}).code(), serial) << prefetch;
         }
       }},
      {"On: the compiler divides the two constants.",
       [] {
         expect_in_source("STATIC_DIVISION ? i * (kWhole / kParts) : i * kWhole / kParts");
         EXPECT_LT(bench({{"STATIC_DIVISION", 1}}).totals.warp_instructions,
                   bench({{"STATIC_DIVISION", 0}}).totals.warp_instructions);
       }},
      {"Three ways to write where a vector of a matrix lies: (i0 + i1 + (j0 + j1) * n) / 4, (i0 + i1) / 4 + "
       "(j0 + j1) * (n / 4), i0 / 4 + i1 / 4 + (j0 + j1) * (n / 4).",
       [] {
         expect_in_source("const unsigned j = row.start + row.inside;");
         expect_in_source("(column.start + column.inside + j * length) / VECTOR;");
         expect_in_source("(column.start + column.inside) / VECTOR + j * (length / VECTOR);");
         expect_in_source("column.start / VECTOR + column.inside / VECTOR + j * (length / VECTOR);");
         std::set<std::string> codes;
         for (const int64_t index : {0, 1, 2})
           codes.insert(bench({{"VECTOR_INDEX", index}, {"VECTOR", 4}}).code());
         EXPECT_EQ(codes.size(), 3u);
       }},
      {"Which tiles of C are computed at the same time: row by row, in groups of 8 rows, or along Hilbert "
       "curves in squares of 8 x 8.",
       [] {
         constexpr int64_t kColumns = 512 / 32;
         const std::vector<Tile> rows = tiles_in_order(0, 20), groups = tiles_in_order(1, 130),
                                 curve = tiles_in_order(2, 128);
         for (int64_t i = 0; i < 20; ++i)
           EXPECT_EQ(rows[static_cast<size_t>(i)], (Tile{i / kColumns, i % kColumns})) << i;
         for (int64_t i = 0; i < 130; ++i)  // two of the next group
           EXPECT_EQ(groups[static_cast<size_t>(i)], (Tile{i / (8 * kColumns) * 8 + i % 8, i / 8 % kColumns}))
               << i;
         for (size_t i = 0; i < 128; ++i) {
           EXPECT_EQ(curve[i].row / 8, 0) << i;
           EXPECT_EQ(curve[i].column / 8, static_cast<int64_t>(i / 64)) << i;
           if (i % 64 == 0) continue;
           EXPECT_EQ(
               std::abs(curve[i].row - curve[i - 1].row) + std::abs(curve[i].column - curve[i - 1].column), 1)
               << i;
           EXPECT_EQ(std::count(curve.begin(), curve.end(), curve[i]), 1) << i;
         }
       }},
  };
}

Claims refusal_claims() {
  return {
      {"A block has at most 1024 threads: take a smaller block tile or a larger thread tile.",
       [] {
         for (const isa::Arch arch : isa::kAllArchs) EXPECT_EQ(limits(arch).threads_per_block, 1024);
         EXPECT_EQ(refusal({{"BLOCK_M", 256}, {"BLOCK_N", 256}, {"THREAD_M", 4}, {"THREAD_N", 4}}),
                   "A block has at most 1024 threads: take a smaller block tile or a larger thread tile.");
         EXPECT_EQ(refusal({{"BLOCK_M", 256}, {"BLOCK_N", 256}, {"MIN_BLOCKS", 1}}), "");  // 32 x 32
       }},
      {"A thread would keep more than 128 sums; with what they are multiplied by they do not fit its 255 "
       "registers.",
       [] {
         for (const isa::Arch arch : isa::kAllArchs) EXPECT_EQ(limits(arch).registers_per_thread, 255);
         const Toggles most = {{"THREAD_N", 16}, {"BLOCK_N", 256}, {"LANES_M", 4}, {"MIN_BLOCKS", 1}};
         EXPECT_EQ(refusal(most), "");
         Toggles more = most;
         more["COARSENING"] = 2;
         EXPECT_EQ(refusal(more),
                   "A thread would keep more than 128 sums; with what they are multiplied by they do not fit "
                   "its 255 registers.");
         EXPECT_GE(8 * 16 * 2, 255);
       }},
      {"Registers have no run-time index: to take one buffer and the other in turn the k loop must be "
       "unrolled by 2 at least.",
       [] {
         EXPECT_NE(refusal({{"UNROLL", 1}}).find("unrolled by 2 at least"), std::string::npos);
         EXPECT_EQ(refusal({{"UNROLL", 2}}), "");
         EXPECT_EQ(refusal({{"UNROLL", 1}, {"REGISTER_BUFFERS", 0}}), "");
       }},
      {"A prefetch keeps its vectors in registers, and those have no run-time index: with more than one "
       "vector a thread the copy's loop must start from 0, or use cp.async.",
       [] {
         const Toggles two_vectors = {{"LOOP_START", 1}, {"BLOCK_K", 16}};
         EXPECT_NE(refusal(two_vectors).find("must start from 0, or use cp.async"), std::string::npos);
         EXPECT_EQ(refusal({{"LOOP_START", 0}, {"BLOCK_K", 16}}), "");
         EXPECT_EQ(refusal({{"LOOP_START", 1}, {"BLOCK_K", 16}, {"STAGES", 2}}), "");
       }},
      {"The tiles of all buffers do not fit the shared memory of a block, 99 KiB (64 KiB on sm_75): take "
       "smaller tiles, fewer stages or less padding.",
       [] {
         uint32_t least = UINT32_MAX;
         for (const isa::Arch arch : isa::kAllArchs)
           if (arch != isa::Arch::sm_75) least = std::min(least, isa::most_shared_bytes(arch));
         EXPECT_EQ(least, 99u * 1024);
         EXPECT_EQ(isa::most_shared_bytes(isa::Arch::sm_75), 64u * 1024);
         // Two buffers of 16 KiB for A, without padding, and two for B take 64 KiB.
         const Toggles fits = {{"BLOCK_K", 32}, {"PAD", 0}};
         EXPECT_EQ(refusal(fits, 75), "");
         const Toggles padded = {{"BLOCK_K", 32}, {"PAD", 4}};
         EXPECT_NE(refusal(padded, 75).find("99 KiB (64 KiB on sm_75)"), std::string::npos);
         EXPECT_EQ(refusal(padded, 86), "");
         EXPECT_NE(refusal({{"BLOCK_K", 32}, {"STAGES", 4}}, 86).find("99 KiB"), std::string::npos);
       }},
      {"An SM does not have the threads for so many blocks: 1024 on sm_75, 1536 on sm_86 and sm_89, 2048 on "
       "sm_80 and sm_90.",
       [] {
         EXPECT_EQ(limits(isa::Arch::sm_75).threads, 1024);
         EXPECT_EQ(limits(isa::Arch::sm_86).threads, 1536);
         EXPECT_EQ(limits(isa::Arch::sm_89).threads, 1536);
         EXPECT_EQ(limits(isa::Arch::sm_80).threads, 2048);
         EXPECT_EQ(limits(isa::Arch::sm_90).threads, 2048);
         const Toggles many = {{"THREAD_M", 4}, {"MIN_BLOCKS", 4}};  // 512 threads a block
         EXPECT_NE(refusal(many, 86).find("An SM does not have the threads"), std::string::npos);
         EXPECT_EQ(refusal(many, 80), "");
       }},
  };
}

TEST(WorkbenchClaims, EachIsTrue) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << compile::nvrtc_version().error().message;
  Claims claims;
  for (const Claims& part : {help_claims(), refusal_claims()}) claims.insert(part.begin(), part.end());
  check_claims(kernel_texts("workbench"), claims);
}

}  // namespace
}  // namespace gemmscope::claims
