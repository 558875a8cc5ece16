// The ladder's traces equal those of warps that issue in turns.
#include "../machine/same_trace.h"
#include "ladder_run.h"
#include "machine/record/trace_recorder.h"
#include "machine/translate/translate.h"

namespace gemmscope::experiment {
namespace {

class LadderTraceOrder : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Ladder, LadderTraceOrder, testing::ValuesIn(ladder_ids()),
                         [](const auto& test) { return "k" + test.param; });

// This also holds for the last block, most of which lies outside the matrices.
TEST_P(LadderTraceOrder, EqualsThatOfWarpsInTurns) {
  const catalog::Kernel& kernel = *ladder().find(GetParam());
  for (const isa::Arch arch : {isa::Arch::sm_75, isa::Arch::sm_90}) {
    const auto problem = fitted_for(kernel, arch, {147, 139, 41});
    if (!problem) continue;
    const auto compiled = compile_ladder(experiment_on(kernel.id, arch, *problem));
    ASSERT_NE(compiled, nullptr);
    const auto trace_of = [&](bool in_turns, std::array<uint32_t, 3> block, machine::Trace& trace) {
      auto data = make_problem_data(compiled->kernel, *problem, {});
      const Result<machine::Program> program =
          machine::translate(compiled->cubin, compiled->code(),
                             {compiled->launch.grid, compiled->launch.block,
                              compiled->launch.dynamic_shared_bytes, data->arguments},
                             data->memory);
      EXPECT_EQ(turns_matter(*program), kernel.architecture == 90) << "waits at barrier objects";
      const machine::Traced traced{*program, data->memory};
      const machine::TraceLimits limits{kTraceRecordLimit};
      const auto fault = in_turns ? trace_in_turns(traced, block, limits, trace)
                                  : trace_until_fault([&] { return traced; }, block, limits, trace);
      EXPECT_FALSE(fault.has_value());
    };
    const std::array<uint32_t, 3>& grid = compiled->launch.grid;
    for (const std::array<uint32_t, 3> block :
         {std::array<uint32_t, 3>{}, {grid[0] - 1, grid[1] - 1, grid[2] - 1}}) {
      machine::Trace trace, turns;
      trace_of(false, block, trace);
      trace_of(true, block, turns);
      ASSERT_FALSE(turns.records.empty());
      machine::expect_prefix(trace, turns, kTraceRecordLimit);
    }
  }
}

}  // namespace
}  // namespace gemmscope::experiment
