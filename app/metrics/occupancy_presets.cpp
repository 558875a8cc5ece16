#include "metrics/occupancy_presets.h"

#include <algorithm>

namespace gemmscope::metrics {
namespace {

constexpr std::string_view kSlots = "Thread slots and block slots";
constexpr std::string_view kCliff = "The performance cliff";
constexpr std::string_view kExercise = "Exercise: do the kernels reach full occupancy?";
constexpr std::string_view kArticles = "From books and articles on SGEMM";

// 0 registers and no shared memory: these questions are about the slots alone.
constexpr OccupancyPreset kPresets[] = {
    {"c2050_32",
     kSlots,
     "C2050 (2.0), 32 threads",
     "Blocks of one warp: the block slots are full long before the thread slots. How many threads fill both?",
     {20, {32, 0, 0}}},
    {"c2050_192",
     kSlots,
     "C2050 (2.0), 192 threads",
     "1,536 threads in 8 blocks: 192 threads, or 6 warps, fill both the thread slots and the block slots.",
     {20, {192, 0, 0}}},
    {"k20c_32",
     kSlots,
     "K20C (3.5), 32 threads",
     "2,048 thread slots would hold 64 such blocks, and there are 16 block slots.",
     {35, {32, 0, 0}}},
    {"k20c_128",
     kSlots,
     "K20C (3.5), 128 threads",
     "2,048 threads in 16 blocks: 128 threads, or 4 warps, fill both kinds of slots.",
     {35, {128, 0, 0}}},
    {"p100_32",
     kSlots,
     "P100 (6.0), 32 threads",
     "32 block slots, twice as many as the K20C, still leave half of the thread slots empty.",
     {60, {32, 0, 0}}},
    {"p100_64",
     kSlots,
     "P100 (6.0), 64 threads",
     "2,048 threads in 32 blocks: 64 threads, or 2 warps, fill both kinds of slots.",
     {60, {64, 0, 0}}},
    {"cc11_32",
     kSlots,
     "GeForce 9400M (1.1), 32 threads",
     "The exercise: the same question for compute capability 1.1, with 768 thread slots and 8 block slots.",
     {11, {32, 0, 0}}},
    {"cc11_96",
     kSlots,
     "GeForce 9400M (1.1), 96 threads",
     "Its answer: 768 threads in 8 blocks are 96 threads, or 3 warps, a block.",
     {11, {96, 0, 0}}},
    {"c2050_21",
     kCliff,
     "C2050: 16 × 16 threads, 21 registers",
     "By plain division 5,376 registers a block let 6 blocks in, and all 1,536 threads run. The chip "
     "allocates 22 registers where 21 are asked for.",
     {20, {256, 21, 0}}},
    {"c2050_22",
     kCliff,
     "C2050: 16 × 16 threads, 22 registers",
     "One register more: by plain division 5 blocks and 1,280 threads are left, 17 % less parallelism.",
     {20, {256, 22, 0}}},
    {"kernel_a",
     kExercise,
     "Kernel A: 64 threads, 27 registers, 4 KB",
     "Does it reach full occupancy, and if not, what limits it? The SM has 2,048 threads, 32 blocks, 64 K "
     "registers and 96 KB, as 5.2 has.",
     {52, {64, 27, 4096}}},
    {"kernel_b",
     kExercise,
     "Kernel B: 256 threads, 31 registers, 8 KB",
     "Does it reach full occupancy, and if not, what limits it? The SM has 2,048 threads, 32 blocks, 64 K "
     "registers and 96 KB, as 5.2 has.",
     {52, {256, 31, 8192}}},
    {"sgemm_128",
     kArticles,
     "SGEMM with 128 registers (8.6)",
     "256 threads with 128 registers. The next preset saves 17 of them: does one more block fit?",
     {86, {256, 128, 0}}},
    {"sgemm_111",
     kArticles,
     "SGEMM with 111 registers (8.6)",
     "A book saw the achieved occupancy rise by 1.3 % from 128 to 111 registers. As many blocks are "
     "resident: "
     "no boundary lies between.",
     {86, {256, 111, 0}}},
    {"registers_96",
     kArticles,
     "At a boundary: 96 registers (8.6)",
     "128 threads with 96 registers. One register more drops a block; 64 and 128 are such boundaries, too.",
     {86, {128, 96, 0}}},
    {"a4000_64",
     kArticles,
     "RTX A4000 (8.6), 64 threads",
     "Blocks of 64 threads never fill this SM: it has 16 block slots, not the 32 that the article names.",
     {86, {64, 32, 0}}},
};

}  // namespace

std::span<const OccupancyPreset> occupancy_presets() { return kPresets; }

const OccupancyPreset* find_occupancy_preset(std::string_view id) {
  const auto found = std::find_if(std::begin(kPresets), std::end(kPresets),
                                  [&](const OccupancyPreset& preset) { return preset.id == id; });
  return found == std::end(kPresets) ? nullptr : found;
}

}  // namespace gemmscope::metrics
