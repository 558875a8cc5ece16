// The arrays that a kernel declares in shared memory lie where its accesses are.
#include "experiment/shared_arrays.h"

#include <fmt/format.h>

#include "ladder_run.h"
#include "own_kernel/open_kernel.h"

namespace gemmscope::experiment {
namespace {

std::shared_ptr<const BlockResult> block_of(const std::string& kernel,
                                            const std::map<std::string, int64_t>& toggles = {}) {
  Experiment e = experiment_on(kernel, isa::Arch::sm_86, {128, 128, 64});
  e.toggles = toggles;
  const auto compiled = compile_ladder(e);
  if (compiled == nullptr) return nullptr;
  const Outcome<BlockResult> block = run_block(compiled, e, nullptr);
  EXPECT_TRUE(block.has_value()) << kernel;
  return block.value_or(nullptr);
}

// Every word that is accessed lies in an array: offsets, padding and copies are right.
TEST(SharedArrays, EveryAccessLiesInADeclaredArray) {
  for (const char* kernel :
       {"03_shared_tile", "04_thread_coarsening", "07_register_tile", "08_transposed_tile",
        "09_conflict_free", "11_prefetch", "12_warp_tiling", "13_async_copy"}) {
    const auto block = block_of(kernel);
    ASSERT_NE(block, nullptr) << kernel;
    ASSERT_EQ(block->shared_arrays.why_none, "") << kernel;
    std::set<std::string> used;
    for (const machine::TraceAccess& access : block->trace.accesses) {
      if (access.space != machine::Space::shared) continue;
      for (size_t lane = 0; lane < 32; ++lane) {
        if ((access.mask >> lane & 1u) == 0) continue;
        const SharedArray* array = block->shared_arrays.at(access.addresses[lane]);
        ASSERT_NE(array, nullptr) << kernel << ", address " << access.addresses[lane];
        used.insert(array->name);
      }
    }
    EXPECT_EQ(used.size(), block->shared_arrays.arrays.size()) << kernel;
  }
}

// In 03 the sources' lines tell the two tiles apart: that of A holds elements of A.
TEST(SharedArrays, TwoTilesAreToldApart) {
  const auto block = block_of("03_shared_tile");
  ASSERT_NE(block, nullptr);
  metrics::DataflowReplay replay(block->trace, block->compiled->instructions, block->layout);
  replay.seek(block->trace.records.size() - 1);
  for (const SharedArray& array : block->shared_arrays.arrays) {
    const metrics::Tag tag = replay.shared_tag(array.address / 4);
    ASSERT_NE(tag, metrics::kNoTag);
    EXPECT_EQ(metrics::element_of(block->layout, tag).matrix, array.name == "tile_a" ? 0 : 1);
  }
}

// Where the source declares bytes or one dimension, the tiles are those that the stored elements show: every
// word that a load reads lies in one, and a row holds elements of one row, or column, of its matrix.
TEST(SharedArrays, TilesAreReadFromTheirContents) {
  struct Case {
    const char* kernel;
    std::map<std::string, int64_t> toggles;
    int64_t padding_of_a, padding_of_b;  // words a row
    bool swizzled;
  };
  const Case cases[] = {{"14_tensor_tf32", {{"LAYOUT", 0}}, 0, 0, false},
                        {"14_tensor_tf32", {{"LAYOUT", 1}}, 4, 8, false},
                        {"15_tensor_bf16", {{"LAYOUT", 2}}, 0, 0, true},
                        {"workbench", {}, 4, 0, false}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.kernel);
    const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
    Experiment e = experiment_on(c.kernel, isa::Arch::sm_90, {256, 256, 64});
    e.toggles = c.toggles;
    const auto outcome = compile_kernel(*catalog.find(c.kernel), e);
    ASSERT_TRUE(outcome.has_value());
    const std::shared_ptr<const CompiledKernel> compiled = *outcome;
    const auto block = run_block(compiled, e, nullptr);
    ASSERT_TRUE(block.has_value());
    const SharedArrays& arrays = (*block)->shared_arrays;
    ASSERT_EQ(arrays.why_none, "");
    bool swizzled = false;
    for (const SharedArray& array : arrays.arrays) swizzled |= array.is_swizzled();
    EXPECT_EQ(swizzled, c.swizzled);
    metrics::DataflowReplay replay((*block)->trace, compiled->instructions, (*block)->layout);
    replay.seek((*block)->trace.records.size() - 1);
    for (const SharedArray& array : arrays.arrays) {
      int64_t empty = 0;
      for (int64_t row = 0; row < array.rows; ++row) {
        std::set<int64_t> rows, columns;
        for (int64_t word = 0; word < array.row_words(); ++word) {
          const metrics::Tag tag =
              replay.shared_tag(array.address / 4 + static_cast<uint64_t>(row * array.row_words() + word));
          if (tag == metrics::kNoTag) {
            ++empty;
            continue;
          }
          const metrics::Element element = metrics::element_of((*block)->layout, tag);
          EXPECT_EQ(array.name.back(), "AB"[element.matrix]);
          rows.insert(element.row), columns.insert(element.column);
        }
        EXPECT_TRUE(rows.size() == 1 || columns.size() == 1) << array.name << ", row " << row;
      }
      EXPECT_EQ(empty, (array.name.back() == 'A' ? c.padding_of_a : c.padding_of_b) * array.rows)
          << array.name;
    }
    for (const machine::TraceAccess& access : (*block)->trace.accesses) {
      if (access.space != machine::Space::shared) continue;
      for (size_t lane = 0; lane < 32; ++lane) {
        if ((access.mask >> lane & 1u) == 0) continue;
        ASSERT_NE(arrays.at(access.addresses[lane]), nullptr) << access.addresses[lane];
      }
    }
  }
}

// A template's dimensions are not read in the source: the stored elements show them, whatever the arguments.
TEST(SharedArrays, DimensionsOfATemplateAreReadFromTheContents) {
  if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC: the prebuilt pack knows no other kernels";
  struct Case {
    int64_t rows, columns, depth, per_thread;
  };
  const Case cases[] = {{32, 32, 8, 4}, {64, 32, 16, 8}, {16, 64, 4, 4}};
  for (const Case& c : cases) {
    catalog::Overrides given;
    given.entry = fmt::format("gemm_tiles<float, {}, {}, {}, {}>", c.rows, c.columns, c.depth, c.per_thread);
    SCOPED_TRACE(given.entry);
    given.block = {fmt::format("{}", c.rows * c.columns / c.per_thread)};
    given.grid = {fmt::format("ceil_div(N, {})", c.columns), fmt::format("ceil_div(M, {})", c.rows)};
    const auto kernel = own_kernel::open_kernel(
        std::filesystem::path(GEMMSCOPE_TEST_DATA) / "kernels" / "template_tiles.cu", given);
    ASSERT_TRUE(kernel) << kernel.error().message;
    const Experiment e = experiment_on(kernel->id, isa::Arch::sm_86, {128, 128, 64});
    const auto compiled = compile_kernel(*kernel, e);
    ASSERT_TRUE(compiled) << compiled.error().message;
    const auto block = run_block(*compiled, e, nullptr);
    ASSERT_TRUE(block) << block.error().message;
    const SharedArrays& arrays = (*block)->shared_arrays;
    ASSERT_EQ(arrays.why_none, "");
    ASSERT_EQ(arrays.arrays.size(), 2u);
    for (const SharedArray& array : arrays.arrays) {
      const bool is_a = array.name.back() == 'A';
      EXPECT_EQ(array.rows, is_a ? c.rows : c.depth) << array.name;
      EXPECT_EQ(array.columns, is_a ? c.depth : c.columns) << array.name;
      EXPECT_FALSE(array.is_swizzled()) << array.name;
    }
    for (const machine::TraceAccess& access : (*block)->trace.accesses) {
      if (access.space != machine::Space::shared) continue;
      for (size_t lane = 0; lane < 32; ++lane) {
        if ((access.mask >> lane & 1u) == 0) continue;
        ASSERT_NE(arrays.at(access.addresses[lane]), nullptr) << access.addresses[lane];
      }
    }
  }
}

TEST(SharedArrays, OnlyASwizzleMovesContents) {
  for (const int layout : {0, 1, 2}) {
    const auto block = block_of("09_conflict_free", {{"LAYOUT", layout}});
    ASSERT_NE(block, nullptr);
    for (const SharedArray& array : block->shared_arrays.arrays) {
      EXPECT_EQ(array.is_swizzled(), layout == 2 && array.name == "tiles.a") << array.name << ", " << layout;
      EXPECT_EQ(array.columns, array.name == "tiles.a" && layout == 1 ? 132 : 128);
    }
  }
}

}  // namespace
}  // namespace gemmscope::experiment
