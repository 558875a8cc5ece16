#include "cli/experiment_options.h"

#include <charconv>

#include "cli/cli.h"

namespace gemmscope::cli {
namespace {

std::string known_kernels(const catalog::Catalog& catalog) {
  std::string names;
  for (const catalog::Kernel& kernel : catalog.kernels) names += (names.empty() ? "" : ", ") + kernel.id;
  return names;
}

tl::unexpected<ChoiceError> bad_use(const Error& error) {
  return tl::unexpected(ChoiceError{error.message, kBadUse});
}
tl::unexpected<ChoiceError> bad_file(const Error& error) {
  return tl::unexpected(ChoiceError{error.message, kFailed});
}

tl::expected<catalog::Kernel, ChoiceError> find_kernel(const std::string& name) {
  if (name.ends_with(".cu")) {
    Result<catalog::Kernel> kernel = catalog::read_kernel(name);
    if (!kernel) return bad_file(kernel.error());
    return std::move(*kernel);
  }
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder() / "ladder");
  const catalog::Kernel* kernel = catalog.find(name);
  if (kernel != nullptr) return *kernel;
  for (const Error& error : catalog.errors)
    if (error.message.find(name) != std::string::npos) return bad_file(error);
  return bad_use(
      {fmt::format("there is no kernel \"{}\"; the catalogue has {} (or give the path of a .cu file)", name,
                   known_kernels(catalog))});
}

Result<std::pair<std::string, int64_t>> parse_toggle(const std::string& text) {
  const size_t equals = text.find('=');
  int64_t value = 0;
  if (equals == std::string::npos || equals == 0) return fail("--toggle {}: expected NAME=VALUE", text);
  const char* const first = text.data() + equals + 1;
  const char* const last = text.data() + text.size();
  if (const auto [end, error] = std::from_chars(first, last, value); error != std::errc{} || end != last)
    return fail("--toggle {}: \"{}\" is not a whole number", text, text.substr(equals + 1));
  return std::pair(text.substr(0, equals), value);
}

// Sizes, toggles and the block that the kernel cannot be launched with.
std::optional<Error> check_launch(const ChosenExperiment& chosen) {
  const experiment::Experiment& e = chosen.experiment;
  const Result<catalog::Launch> launch = catalog::launch_for(chosen.kernel, e.problem, e.toggles);
  if (!launch) return launch.error();
  for (size_t i = 0; i < 3; ++i)
    if (e.block[i] >= launch->grid[i])
      return Error{fmt::format("--block {} {} {}: the grid has {} x {} x {} blocks", e.block[0], e.block[1],
                               e.block[2], launch->grid[0], launch->grid[1], launch->grid[2])};
  return std::nullopt;
}

}  // namespace

void add_experiment_options(CLI::App& command, ExperimentOptions& options, const std::string& kernel_name) {
  command.add_option(kernel_name, options.kernel,
                     "Kernel of the catalogue, or the path of a .cu file (default: 02_shared_tile)");
  command.add_option("--arch", options.arch, "sm_75, sm_80, sm_86, sm_89 or sm_90")->capture_default_str();
  command.add_option("--m", options.m, "Rows of A and C")->capture_default_str();
  command.add_option("--n", options.n, "Columns of B and C")->capture_default_str();
  command.add_option("--k", options.k, "Columns of A, rows of B")->capture_default_str();
  command.add_option("--alpha", options.alpha, "C = alpha A B + beta C")->capture_default_str();
  command.add_option("--beta", options.beta, "C = alpha A B + beta C")->capture_default_str();
  command.add_option("--block", options.block, "blockIdx of the block that is traced: x, or x y, or x y z")
      ->expected(1, 3);
  command.add_option("--toggle", options.toggles, "NAME=VALUE, a toggle of the kernel; may be repeated");
  command.add_flag("--json", options.json, "Print JSON");
}

tl::expected<ChosenExperiment, ChoiceError> choose_experiment(const ExperimentOptions& options) {
  ChosenExperiment chosen;
  experiment::Experiment& e = chosen.experiment;
  if (!options.kernel.empty()) e.kernel = options.kernel;
  const std::optional<isa::Arch> arch = isa::arch_from_name(options.arch);
  if (!arch)
    return bad_use({fmt::format("--arch {}: expected sm_75, sm_80, sm_86, sm_89 or sm_90", options.arch)});
  e.arch = *arch;
  tl::expected<catalog::Kernel, ChoiceError> kernel = find_kernel(e.kernel);
  if (!kernel) return tl::unexpected(kernel.error());
  chosen.kernel = std::move(*kernel);
  e.kernel = chosen.kernel.id;
  e.problem = {options.m, options.n, options.k, options.alpha, options.beta};
  for (size_t i = 0; i < options.block.size(); ++i) e.block[i] = options.block[i];
  for (const std::string& text : options.toggles) {
    Result<std::pair<std::string, int64_t>> toggle = parse_toggle(text);
    if (!toggle) return bad_use(toggle.error());
    e.toggles.insert_or_assign(toggle->first, toggle->second);
  }
  if (const std::optional<Error> error = check_launch(chosen)) return bad_use(*error);
  return chosen;
}

}  // namespace gemmscope::cli
