// No cache outgrows its limit of bytes, and what is asked for again is still there.
#include "base/byte_cache.h"

#include <gtest/gtest.h>

#include "experiment/devices.h"
#include "experiment/kept_bytes.h"
#include "experiment/lattice_run.h"
#include "experiment/model_memory.h"
#include "experiment/pipeline.h"

namespace gemmscope::experiment {
namespace {

TEST(ByteCache, TheOldestLeavesFirstAndTheNewestStays) {
  ByteCache<int> cache(3000);
  for (int i = 0; i < 3; ++i) cache.add(std::to_string(i), i, 800);
  ASSERT_NE(cache.find("0"), nullptr);  // used, so that "1" is the oldest
  cache.add("3", 3, 800);
  EXPECT_EQ(cache.find("1"), nullptr);
  ASSERT_NE(cache.find("0"), nullptr);
  EXPECT_EQ(*cache.find("3"), 3);
  EXPECT_LE(cache.bytes(), cache.most_bytes());
  EXPECT_EQ(cache.add("large", 4, 5000), 4) << "it stays until the next one, though it is beyond the limit";
  EXPECT_EQ(cache.size(), 1u);
  cache.add("small", 5, 1);
  EXPECT_EQ(cache.find("large"), nullptr);
  EXPECT_LE(cache.bytes(), cache.most_bytes());
}

TEST(ByteCache, CountsAnEntryOnceAndItsKey) {
  ByteCache<int> cache(10'000);
  cache.add("key", 1, 100);
  const size_t once = cache.bytes();
  cache.add("key", 2, 100);
  EXPECT_EQ(cache.bytes(), once);
  EXPECT_EQ(*cache.find("key"), 2);
  cache.add(std::string(1000, 'k'), 3, 100);
  EXPECT_GE(cache.bytes(), 2 * once + 900);
  cache.clear();
  EXPECT_EQ(cache.bytes(), 0u);
  EXPECT_EQ(cache.find("key"), nullptr);
}

const catalog::Catalog& kernels() {
  static const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  return catalog;
}

TEST(ByteBudget, OfModelledVariants) {
  const std::atomic<bool> never{false};
  constexpr size_t kMost = 10'000'000, kMostResults = 6000;
  ModelMemory memory(kMost, kMostResults), large;
  size_t largest = 0;
  for (const char* id : {"03_shared_tile", "07_register_tile", "08_transposed_tile", "06_thread_tile"}) {
    const catalog::Kernel* kernel = kernels().find(id);
    if (kernel == nullptr) continue;
    const ModelRequest request = model_request({{*kernel, {}}}, {128, 128, 128, 1, 0}, *find_device("h200"));
    const ModelledVariant modelled = memory.model(request.variants[0], request, never);
    EXPECT_GT(modelled.milliseconds, 0) << id;
    EXPECT_LE(memory.execution_bytes(), kMost) << id;
    EXPECT_EQ(memory.model(request.variants[0], request, never).milliseconds, modelled.milliseconds);
    largest = std::max(largest, large.execution_bytes());
    (void)large.model(request.variants[0], request, never);
    EXPECT_GT(large.execution_bytes(), largest) << "what is executed counts";
  }
  EXPECT_GT(large.execution_bytes(), memory.execution_bytes()) << "the small one has forgotten some";
  EXPECT_LT(memory.modelled_bytes(), large.modelled_bytes());
  EXPECT_LE(large.execution_bytes(), kMostExecutionBytes);
}

TEST(ByteBudget, OfTheLattice) {
  LatticeRequest request;
  request.kernel = *kernels().find("07_register_tile");
  request.around.kernel = request.kernel.id;
  request.around.problem = {128, 128, 128, 1, 0};
  request.device = *find_device("h200");
  request.around.arch = arch_of(request.device);
  request.with_pairs = false;
  constexpr size_t kMost = 120'000;
  LatticeMemory memory(kMost), large;
  const Lattice small = run_lattice(request, memory), whole = run_lattice(request, large);
  ASSERT_GT(whole.computed(), 3u);
  EXPECT_EQ(small.computed(), whole.computed());
  EXPECT_LE(memory.bytes(), kMost);
  EXPECT_GT(large.bytes(), kMost) << "the limit was reached";
  EXPECT_LE(large.bytes(), LatticeMemory::kMostBytes);
  for (size_t i = 0; i < small.entries.size(); ++i)
    EXPECT_EQ(small.entries[i].milliseconds, whole.entries[i].milliseconds);
}

TEST(ByteBudget, ACompiledKernelCountsWhatItHolds) {
  Experiment e;
  e.kernel = "03_shared_tile";
  const auto compiled = compile_kernel(*kernels().find(e.kernel), e);
  ASSERT_TRUE(compiled);
  const CompiledKernel& kernel = **compiled;
  EXPECT_GT(kept_bytes(kernel),
            2 * kernel.binary.size() + kernel.instructions.size() * sizeof(isa::Instruction));
  EXPECT_LT(kept_bytes(kernel), 4u << 20);
}

}  // namespace
}  // namespace gemmscope::experiment
