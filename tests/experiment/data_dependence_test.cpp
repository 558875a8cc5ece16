// Checks which kernels have the same counts whatever is in memory: those in which no loaded value reaches an
// address or a condition.
#include "metrics/data_dependence.h"

#include "ladder_run.h"

namespace gemmscope::metrics {
namespace {

using experiment::experiment_on, experiment::fitted_for, experiment::has_nvrtc, experiment::ladder;

constexpr auto kArchs = isa::kAllArchs;

void expect_none(const catalog::Kernel& kernel, isa::Arch arch,
                 const std::map<std::string, int64_t>& toggles) {
  experiment::Experiment e = experiment_on(kernel.id, arch, {});
  e.toggles = toggles;
  const auto compiled = experiment::compile_ladder(e);
  ASSERT_NE(compiled, nullptr);
  const auto dependence = find_data_dependence(compiled->instructions);
  if (experiment::counts_by_data(kernel.id, toggles)) {
    EXPECT_TRUE(dependence.has_value()) << kernel.id;
    return;
  }
  EXPECT_FALSE(dependence.has_value()) << kernel.id << " on " << isa::arch_name(arch) << ": "
                                       << compiled->text[dependence->instruction] << ": " << dependence->what;
}

class LadderDependence : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Ladder, LadderDependence, testing::ValuesIn(experiment::ladder_ids()),
                         [](const auto& test) { return "k" + test.param; });

// This holds even where addresses are spilled to local memory beside sums. The toggles' other values run on
// the first and the last architecture that has them.
TEST_P(LadderDependence, CountsDoNotDependOnData) {
  const catalog::Kernel& kernel = *ladder().find(GetParam());
  for (const isa::Arch arch : kArchs)
    if (fitted_for(kernel, arch, {})) expect_none(kernel, arch, {});
  if (!has_nvrtc()) return;
  for (const catalog::Toggle& toggle : kernel.toggles)
    for (const int64_t value : toggle.values)
      for (const isa::Arch arch : {kArchs.front(), kArchs.back()})
        if (value != toggle.default_value && fitted_for(kernel, arch, {}, {{toggle.name, value}}))
          expect_none(kernel, arch, {{toggle.name, value}});
}

// Returns 01_naive_rows with `body` as the loop's body; its other lines stay.
struct Found {
  std::string what, text;
};
std::optional<Found> dependence_of(const std::string& body, isa::Arch arch) {
  catalog::Kernel kernel = *ladder().find("01_naive_rows");
  const std::string line = "sum += a[k] * b[(size_t)k * N];";
  const size_t at = kernel.source.find(line);
  EXPECT_NE(at, std::string::npos);
  if (at == std::string::npos) return std::nullopt;
  kernel.source.replace(at, line.size(), body);
  const auto compiled = experiment::compile_kernel(kernel, experiment_on(kernel.id, arch, {}));
  EXPECT_TRUE(compiled.has_value()) << compiled.error().message;
  if (!compiled) return std::nullopt;
  const auto dependence = find_data_dependence((*compiled)->instructions);
  if (!dependence) return std::nullopt;
  return Found{dependence->what, (*compiled)->text[dependence->instruction]};
}

struct Case {
  const char* body;
  const char* what;  // null: none
};
const Case kCases[] = {
    // arithmetic on loaded values reaches no address or condition
    {"sum += a[k] * b[(size_t)k * N];", nullptr},
    {"sum = fmaxf(sum, a[k]) + __shfl_xor_sync(0xffffffff, a[k], 1);", nullptr},
    {"sum += (float)((double)a[k] * b[k]);", nullptr},
    // a gather
    {"sum += b[(int)a[k]];", "its address depends on values in memory"},
    {"sum += b[__float_as_int(a[k]) & 63];", "its address depends on values in memory"},
    // through a 64-bit multiply-add, a shuffle, a minimum
    {"sum += b[(size_t)N * (unsigned)a[k]];", "its address depends on values in memory"},
    {"sum += b[__shfl_sync(0xffffffff, (int)a[k], 0)];", "its address depends on values in memory"},
    // a choice that the compiler makes with a guard: the data decide how many threads execute it
    {"sum += a[k] > 0.5f ? a[k] : 2 * a[k] + 1;", "its guard depends on values in memory"},
    // a loop whose length is data
    {"for (int i = 0; i < (int)a[k]; ++i) sum = sum * sum + 1;", nullptr /* any */},
    // a store that depends on the data
    {"if (a[k] > 0.5f) C[k] = 1;", nullptr /* any */},
    // the return value of an atomic
    {"sum += b[atomicAdd((int*)C, 1)];", "its address depends on values in memory"},
    // a clock
    {"sum += b[clock() & 15];", "its address depends on values in memory"},
};

TEST(DataDependence, ValuesThatReachNoConditionAreNone) {
  if (!has_nvrtc()) GTEST_SKIP() << compile::nvrtc_version().error().message;
  for (const isa::Arch arch : kArchs)
    for (size_t i = 0; i < 3; ++i) {
      const std::optional<Found> found = dependence_of(kCases[i].body, arch);
      EXPECT_FALSE(found.has_value())
          << kCases[i].body << " on " << isa::arch_name(arch) << ": " << found->text << ": " << found->what;
    }
}

TEST(DataDependence, ValuesThatReachAConditionAreFound) {
  if (!has_nvrtc()) GTEST_SKIP() << compile::nvrtc_version().error().message;
  for (const isa::Arch arch : kArchs)
    for (size_t i = 3; i < std::size(kCases); ++i) {
      const std::optional<Found> found = dependence_of(kCases[i].body, arch);
      ASSERT_TRUE(found.has_value()) << kCases[i].body << " on " << isa::arch_name(arch);
      if (kCases[i].what != nullptr) {
        EXPECT_EQ(found->what, kCases[i].what) << kCases[i].body << ": " << found->text;
      }
    }
}

}  // namespace
}  // namespace gemmscope::metrics
