// A computer without NVRTC: the prebuilt pack serves, and what it does not have cannot be chosen.
#include <gtest/gtest.h>
#include <stdlib.h>

#include "catalog/packed_variants.h"
#include "experiment/pipeline.h"
#include "experiment/toggle_list.h"
#include "session/app_commands.h"
#include "workspace_driver.h"

namespace gemmscope::session {
namespace {

// Before the library is looked for, once in this process.
const int kSwitchedOff = setenv("GEMMSCOPE_NVRTC", "none", 1);

using experiment::CodeOffer;
using experiment::Experiment;
using experiment::ToggleGroup;
using experiment::ToggleRow;

const catalog::Catalog& kernels() {
  static const auto catalog = catalog::read_catalog(catalog::kernels_folder());
  return catalog;
}

Experiment experiment_of(const std::string& kernel, isa::Arch arch,
                         std::map<std::string, int64_t> toggles = {}) {
  Experiment e;
  e.kernel = kernel;
  e.arch = arch;
  e.toggles = std::move(toggles);
  return e;
}

std::vector<ToggleRow> rows_of(const catalog::Kernel& kernel, const Experiment& e, const CodeOffer* offer) {
  std::vector<ToggleRow> rows;
  for (const ToggleGroup& group : toggle_list(kernel, e, offer))
    rows.insert(rows.end(), group.rows.begin(), group.rows.end());
  return rows;
}

const ToggleRow& row_named(const std::vector<ToggleRow>& rows, const std::string& name) {
  return *std::ranges::find(rows, name, &ToggleRow::name);
}

TEST(WithoutNvrtc, EveryLegalValueOfEveryToggleCanBeChosenOnEveryArchitecture) {
  ASSERT_EQ(kSwitchedOff, 0);
  for (const catalog::Kernel& kernel : kernels().kernels)
    for (const isa::Arch arch : isa::kAllArchs) {
      if (isa::sm_number(arch) < kernel.architecture) continue;
      const Experiment e = experiment_of(kernel.id, arch);
      const auto offer = CodeOffer::of(kernel, e);
      ASSERT_NE(offer, nullptr);
      EXPECT_EQ(offer->why_not(arch, {}), "");
      const auto legal = rows_of(kernel, e, nullptr), offered = rows_of(kernel, e, offer.get());
      for (size_t i = 0; i < legal.size(); ++i)
        EXPECT_EQ(offered[i].why_not, legal[i].why_not)
            << kernel.id << " " << isa::arch_name(arch) << " " << legal[i].name;
    }
}

// The ladder and the labs, except the occupancy lab, have every combination.
TEST(WithoutNvrtc, SmallKernelsHaveEveryCombination) {
  const catalog::Kernel& kernel = *kernels().find("13_async_copy");
  const Experiment e =
      experiment_of(kernel.id, isa::Arch::sm_89, {{"STAGES", 3}, {"WARPS_N", 2}, {"BLOCK_K", 8}});
  const auto offer = CodeOffer::of(kernel, e);
  for (const ToggleRow& row : rows_of(kernel, e, offer.get()))
    for (const std::string& why : row.why_not) EXPECT_EQ(why, "") << row.name;
}

TEST(WithoutNvrtc, WhatCanBeChosenIsThere) {
  for (const catalog::Kernel& kernel : kernels().kernels) {
    Experiment e = experiment_of(kernel.id, experiment::arch_for(kernel, isa::Arch::sm_80));
    const auto offer = CodeOffer::of(kernel, e);
    for (const ToggleRow& row : rows_of(kernel, e, offer.get()))
      for (const size_t i : {size_t{0}, row.values.size() - 1}) {
        if (!row.why_not[i].empty()) continue;
        e.toggles = {{row.name, row.values[i]}};
        const auto compiled = experiment::compile_kernel(kernel, e);
        ASSERT_TRUE(compiled.has_value()) << kernel.id << ": " << compiled.error().message;
        EXPECT_EQ((*compiled)->origin, compile::CubinSource::prebuilt_pack);
      }
  }
}

TEST(WithoutNvrtc, WhatIsNotThereSaysWhyAndWouldFail) {
  const catalog::Kernel& workbench = *kernels().find("workbench");
  Experiment e = experiment_of("workbench", isa::Arch::sm_75, {{"BLOCK_K", 16}});
  const auto offer = CodeOffer::of(workbench, e);
  const auto rows = rows_of(workbench, e, offer.get());
  const ToggleRow& pad = row_named(rows, "PAD");
  const size_t other = pad.chosen == 0 ? 1 : 0;
  EXPECT_EQ(
      pad.why_not[other],
      fmt::format("The prebuilt machine code of workbench for sm_75 does not have BLOCK_K=16 with PAD={}; "
                  "install the CUDA Toolkit's NVRTC to compile this one.",
                  pad.values[other]));
  EXPECT_EQ(pad.why_not[pad.chosen], "") << "what is shown now stays";
  EXPECT_EQ(row_named(rows, "BLOCK_K").why_not, row_named(rows_of(workbench, e, nullptr), "BLOCK_K").why_not);
  e.toggles["PAD"] = pad.values[other];
  EXPECT_FALSE(experiment::compile_kernel(workbench, e).has_value());
  // Pairs are there for the lattice of the window's first architecture and of the H200.
  for (const isa::Arch arch : {isa::Arch::sm_86, isa::Arch::sm_90})
    EXPECT_EQ(offer->why_not(arch, e.toggles), "");
  for (const isa::Arch arch : {isa::Arch::sm_80, isa::Arch::sm_89})
    EXPECT_NE(offer->why_not(arch, e.toggles), "");
}

TEST(WithoutNvrtc, AnOfferIsOfOneKernelAndItsInputs) {
  const catalog::Kernel& lab = *kernels().find("bank_conflicts");
  Experiment e = experiment_of(lab.id, isa::Arch::sm_86);
  const auto offer = CodeOffer::of(lab, e);
  EXPECT_TRUE(offer->is_of(lab, e));
  EXPECT_FALSE(offer->is_of(*kernels().find("atomics"), e));
  e.inputs = {{"SWIZZLE", "column ^ row"}};
  EXPECT_FALSE(offer->is_of(lab, e));
  EXPECT_NE(CodeOffer::of(lab, e)->why_not(e.arch, {}), "") << "an expression of the user's needs a compiler";
}

TEST(WithoutNvrtc, KeysSkipWhatIsNotThere) {
  Experiment e = experiment_of("workbench", isa::Arch::sm_75, {{"BLOCK_K", 16}});
  e.problem = {128, 128, 32, 1, 0};
  WorkspaceDriver driver(e);
  AppFlags flags;
  const CommandTable commands = make_commands(driver.workspace(), flags);
  ASSERT_TRUE(driver.settle());
  ASSERT_NE(driver.state().offer, nullptr);
  EXPECT_FALSE(driver.state().failure.has_value()) << driver.state().failure->failure.message;
  driver.state().toggle = "PAD";
  ASSERT_TRUE(commands.run("toggles.next_value"));
  EXPECT_EQ(driver.state().experiment.toggles, e.toggles);
  driver.state().toggle = "BLOCK_K";
  ASSERT_TRUE(commands.run("toggles.next_value"));
  EXPECT_NE(driver.state().experiment.toggles, e.toggles);
  ASSERT_TRUE(driver.settle());
  EXPECT_FALSE(driver.state().failure.has_value()) << driver.state().failure->failure.message;
}

// The tour shows its conflict without a compiler too.
TEST(WithoutNvrtc, TheTourRunsToItsEnd) {
  WorkspaceDriver driver(small_experiment("07_register_tile", 64));
  AppFlags flags;
  const CommandTable commands = make_commands(driver.workspace(), flags);
  driver.state().commands = &commands;
  ASSERT_TRUE(driver.settle());
  ASSERT_TRUE(commands.run("tour.start"));
  while (flags.tour.running) {
    if (const std::string id = advance_tour(flags.tour, 0.25, false); !id.empty()) {
      EXPECT_TRUE(commands.run(id)) << id;
    }
    ASSERT_TRUE(driver.settle());
    EXPECT_FALSE(driver.state().failure) << driver.state().failure->failure.message;
  }
  EXPECT_EQ(driver.state().experiment.kernel, "bank_conflicts");
  EXPECT_EQ(scenes::wavefront_count(*driver.state().block, driver.state().cursor.record), 1);
}

}  // namespace
}  // namespace gemmscope::session
