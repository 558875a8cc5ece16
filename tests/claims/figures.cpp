#include "figures.h"

#include <stdexcept>
#include <tuple>

#include "experiment/grid_sampling.h"
#include "experiment/pipeline.h"

namespace gemmscope::claims {
namespace {

constexpr double kMostInstructions = 2e6;  // more: the grid's totals are sums over classes of blocks

const catalog::Kernel& kernel_of(const Setup& setup) {
  static const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  const catalog::Kernel* kernel = catalog.find(setup.kernel);
  if (kernel == nullptr) throw std::runtime_error("there is no kernel " + setup.kernel);
  return *kernel;
}

experiment::Experiment experiment_of(const Setup& setup) {
  experiment::Experiment e;
  e.kernel = setup.kernel;
  e.toggles = setup.toggles;
  e.problem.m = setup.m, e.problem.n = setup.n, e.problem.k = setup.k;
  e.arch = setup.arch;
  e.launch = setup.launch;
  e.inputs = setup.inputs;
  e.block = setup.block;
  return e;
}

template <typename T>
std::shared_ptr<const T> value_of(const Setup& setup, const experiment::Outcome<T>& outcome) {
  if (!outcome) throw std::runtime_error(setup.kernel + ": " + outcome.error().message);
  return *outcome;
}

Figures compute(const Setup& setup) {
  const experiment::Experiment e = experiment_of(setup);
  Figures result;
  result.kernel = kernel_of(setup);
  result.compiled = value_of(setup, experiment::compile_kernel(result.kernel, e));
  result.block = value_of(setup, experiment::run_block(result.compiled, e, nullptr));
  result.totals = value_of(setup, experiment::count_grid(result.compiled, e, {}, kMostInstructions))->summary;
  return result;
}

}  // namespace

uint64_t Figures::opcode(const std::string& mnemonic) const {
  const auto found = totals.by_opcode.find(mnemonic);
  return found == totals.by_opcode.end() ? 0 : found->second;
}

std::vector<machine::TraceAccess> Figures::accesses(machine::Space space,
                                                    machine::Direction direction) const {
  std::vector<machine::TraceAccess> found;
  for (const machine::TraceAccess& access : block->trace.accesses)
    if (access.space == space && access.direction == direction) found.push_back(access);
  return found;
}

std::string Figures::code() const {
  std::string code;
  for (const std::string& line : compiled->text) code += line + "\n";
  return code;
}

int Figures::count_in_code(std::string_view word) const {
  const std::string text = code();
  int count = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

int64_t Figures::warps() const {
  const auto& block_shape = compiled->launch.block;
  return (int64_t{block_shape[0]} * block_shape[1] * block_shape[2] + 31) / 32;
}

int64_t Figures::blocks() const {
  const auto& grid = compiled->launch.grid;
  return int64_t{grid[0]} * grid[1] * grid[2];
}

const Figures& figures(const Setup& setup) {
  using Key = std::tuple<std::string, std::map<std::string, int64_t>, int64_t, int64_t, int64_t, isa::Arch,
                         uint32_t, std::map<std::string, std::string>, std::array<uint32_t, 3>>;
  static std::map<Key, Figures> known;
  const Key key(setup.kernel, setup.toggles, setup.m, setup.n, setup.k, setup.arch, setup.launch,
                setup.inputs, setup.block);
  const auto found = known.find(key);
  return found != known.end() ? found->second : known.emplace(key, compute(setup)).first->second;
}

double largest_error(const Setup& setup) {
  const experiment::Experiment e = experiment_of(setup);
  const auto compiled = value_of(setup, experiment::compile_kernel(kernel_of(setup), e));
  return value_of(setup, experiment::run_whole_grid(compiled, e, {}))->verification.largest_error;
}

}  // namespace gemmscope::claims
