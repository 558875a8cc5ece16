#include "figures.h"

#include <gtest/gtest.h>

#include <tuple>

#include "experiment/grid_sampling.h"
#include "experiment/pipeline.h"
#include "isa/disassemble.h"

namespace gemmscope::claims {
namespace {

constexpr double kMostInstructions = 2e6;  // more: the grid's totals are sums over classes of blocks

Figures compute(const Setup& setup) {
  Figures result;
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  const catalog::Kernel* kernel = catalog.find(setup.kernel);
  if (kernel == nullptr) {
    ADD_FAILURE() << "there is no kernel " << setup.kernel;
    return result;
  }
  result.kernel = *kernel;
  experiment::Experiment e;
  e.kernel = setup.kernel;
  e.toggles = setup.toggles;
  e.problem.m = setup.m, e.problem.n = setup.n, e.problem.k = setup.k;
  e.arch = setup.arch;
  e.launch = setup.launch;
  const auto compiled = experiment::compile_kernel(*kernel, e);
  if (!compiled) {
    ADD_FAILURE() << compiled.error().message;
    return result;
  }
  result.compiled = *compiled;
  const auto block = experiment::run_block(*compiled, e, nullptr);
  if (!block) {
    ADD_FAILURE() << block.error().message;
    return result;
  }
  result.block = *block;
  const auto grid = experiment::count_grid(*compiled, e, {}, kMostInstructions);
  if (!grid) {
    ADD_FAILURE() << grid.error().message;
    return result;
  }
  result.totals = (*grid)->summary;
  return result;
}

}  // namespace

uint64_t Figures::opcode(const std::string& mnemonic) const {
  const auto found = totals.by_opcode.find(mnemonic);
  return found == totals.by_opcode.end() ? 0 : found->second;
}

int Figures::worst_wavefronts(const std::string& mnemonic) const {
  int worst = 0;
  if (block == nullptr) return worst;
  for (const machine::TraceRecord& record : block->trace.records) {
    const std::string text = isa::disassemble(compiled->instructions[record.instruction]);
    if (text.find(mnemonic) == std::string::npos) continue;
    for (const machine::TraceAccess& access : block->trace.accesses_of(record))
      if (access.space == machine::Space::shared)
        worst = std::max(worst, metrics::count_wavefronts(metrics::shared_access(access)).wavefronts);
  }
  return worst;
}

int64_t Figures::blocks() const {
  if (compiled == nullptr) return 0;
  const auto& grid = compiled->launch.grid;
  return int64_t{grid[0]} * grid[1] * grid[2];
}

const Figures& figures(const Setup& setup) {
  using Key = std::tuple<std::string, std::map<std::string, int64_t>, int64_t, int64_t, int64_t, isa::Arch, uint32_t>;
  static std::map<Key, Figures> known;
  const Key key(setup.kernel, setup.toggles, setup.m, setup.n, setup.k, setup.arch, setup.launch);
  const auto found = known.find(key);
  return found != known.end() ? found->second : known.emplace(key, compute(setup)).first->second;
}

}  // namespace gemmscope::claims
