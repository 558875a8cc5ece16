#include "cli/experiment_options.h"

#include <CLI/CLI.hpp>
#include <charconv>

#include "catalog/by_size.h"
#include "catalog/expression.h"
#include "cli/cli.h"
#include "cli/output.h"
#include "cuda_text/source_text.h"
#include "experiment/launch_parts.h"
#include "own_kernel/open_kernel.h"

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

Result<std::pair<std::string, int64_t>> parse_number(const char* option, const std::string& text) {
  const size_t equals = text.find('=');
  int64_t value = 0;
  if (equals == std::string::npos || equals == 0) return fail("{} {}: expected NAME=VALUE", option, text);
  const char* const first = text.data() + equals + 1;
  const char* const last = text.data() + text.size();
  if (const auto [end, error] = std::from_chars(first, last, value); error != std::errc{} || end != last)
    return fail("{} {}: \"{}\" is not a whole number", option, text, text.substr(equals + 1));
  return std::pair(text.substr(0, equals), value);
}

Result<catalog::Overrides> overrides_of(const ExperimentOptions& options) {
  catalog::Overrides given;
  given.entry = options.entry;
  given.shared = options.shared;
  given.column_major = options.column_major;
  given.block = cuda_text::split_arguments(options.block_dim);
  given.grid = cuda_text::split_arguments(options.grid_dim);
  for (const auto& [option, list] :
       {std::pair("--block-dim", &given.block), std::pair("--grid-dim", &given.grid)})
    if (list->size() > 3) return fail("{}: expected one to three expressions, x,y,z", option);
  for (const std::string& text : options.defines) {
    const auto define = parse_number("--define", text);
    if (!define) return tl::unexpected(define.error());
    if (!catalog::is_name(define->first)) return fail("--define {}: the name is not a C identifier", text);
    given.defines.insert(*define);
  }
  for (const std::string& text : options.parameters) {
    const auto parameter = catalog::parse_parameter(text);
    if (!parameter) return fail("--parameter {}: {}", text, parameter.error().message);
    given.parameters.push_back(*parameter);
  }
  return given;
}

bool is_empty(const catalog::Overrides& given) {
  return given.entry.empty() && given.block.empty() && given.grid.empty() && given.shared.empty() &&
         given.defines.empty() && given.parameters.empty() && !given.column_major;
}

tl::expected<catalog::Kernel, ChoiceError> find_kernel(const std::string& name,
                                                       const catalog::Overrides& given) {
  if (own_kernel::is_kernel_file(name) || name.find('/') != std::string::npos) {
    Result<catalog::Kernel> kernel = own_kernel::open_kernel(name, given);
    if (!kernel) return bad_file(kernel.error());
    return std::move(*kernel);
  }
  if (!is_empty(given))
    return bad_use({fmt::format(
        "--entry, --block-dim, --grid-dim, --shared, --define, --parameter and --column-major describe a .cu "
        "file of your own, but {} is a kernel of the catalogue",
        name)});
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  const catalog::Kernel* kernel = catalog.find(name);
  if (kernel != nullptr) return *kernel;
  if (const catalog::Kernel* renumbered = catalog.find_renumbered(name)) {
    print_note(fmt::format("{} is now {}", name, renumbered->id));
    return *renumbered;
  }
  for (const Error& error : catalog.errors)
    if (error.message.find(name) != std::string::npos) return bad_file(error);
  return bad_use(
      {fmt::format("there is no kernel \"{}\"; the catalogue has {} (or give the path of a .cu file)", name,
                   known_kernels(catalog))});
}

// Fails for sizes, toggles or a block that the kernel cannot be launched with.
std::optional<Error> check_launch(const ChosenExperiment& chosen) {
  const experiment::Experiment& e = chosen.experiment;
  const auto launches = catalog::launches_for(chosen.kernel, e.problem, e.toggles, isa::sm_number(e.arch));
  if (!launches) return launches.error();
  if (e.launch >= launches->size())
    return Error{fmt::format("--launch {}: kernel {} has {} launch{} with these toggles", e.launch + 1,
                             e.kernel, launches->size(), launches->size() == 1 ? "" : "es")};
  const catalog::Launch* launch = &(*launches)[e.launch].launch;
  if (const auto inputs = experiment::checked_inputs(chosen.kernel, e.inputs); !inputs)
    return Error{"--input " + inputs.error().message};
  for (size_t i = 0; i < 3; ++i)
    if (e.block[i] >= launch->grid[i])
      return Error{fmt::format("--block {} {} {}: the grid has {} x {} x {} blocks", e.block[0], e.block[1],
                               e.block[2], launch->grid[0], launch->grid[1], launch->grid[2])};
  return std::nullopt;
}

}  // namespace

void add_experiment_options(CLI::App& command, ExperimentOptions& options, const std::string& kernel_name) {
  if (!kernel_name.empty())
    command.add_option(
        kernel_name, options.kernel,
        "Kernel of the catalogue, by_size for the fastest FP32 variant of the sizes, or the path of "
        "a .cu file or a .cubin of yours (default: 07_register_tile)");
  command.add_option("--arch", options.arch, "sm_75, sm_80, sm_86, sm_89 or sm_90")
      ->capture_default_str()
      ->each([&options](const std::string&) { options.arch_given = true; });
  command.add_option("-m,--m", options.m, "Rows of A and C")->capture_default_str();
  command.add_option("-n,--n", options.n, "Columns of B and C")->capture_default_str();
  command.add_option("-k,--k", options.k, "Columns of A, rows of B")->capture_default_str();
  command.add_option("--alpha", options.alpha, "C = alpha A B + beta C")->capture_default_str();
  command.add_option("--beta", options.beta, "C = alpha A B + beta C")->capture_default_str();
  command.add_option("--block", options.block, "blockIdx of the block to trace: x, or x y, or x y z")
      ->expected(1, 3);
  command.add_option("--toggle", options.toggles, "NAME=VALUE, a toggle of the kernel; may be repeated");
  command
      .add_option(
          "--input", options.inputs,
          "NAME=EXPRESSION, an expression of the kernel, such as \"SWIZZLE=column ^ row\"; may be repeated")
      ->expected(1)
      ->take_all();
  command
      .add_option("--launch", options.launch,
                  "The launch to trace and show, from 1, of a kernel that has several")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  const std::string own = "For your own file: ";
  command.add_option("--entry", options.entry, own + "the kernel, such as sgemm or \"sgemm<64, 64>\"");
  command
      .add_option("--block-dim", options.block_dim,
                  own + "threads of a block, such as 16,16; expressions may name the template's parameters")
      ->expected(1);
  command
      .add_option("--grid-dim", options.grid_dim,
                  own + "blocks of the grid, such as \"ceil_div(N,16),ceil_div(M,16)\"")
      ->expected(1);
  command.add_option("--shared", options.shared, own + "bytes of dynamic shared memory, an expression");
  command.add_option("--define", options.defines, own + "NAME=VALUE, a macro; may be repeated")
      ->expected(1)
      ->take_all();
  command
      .add_option(
          "--parameter", options.parameters,
          own + "one parameter, such as name=A,matrix=A,type=float16 (kernels/README.md); repeated, in order")
      ->expected(1)
      ->take_all();
  command.add_flag("--column-major", options.column_major, own + "assume that A, B and C are column-major");
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
  const Result<catalog::Overrides> given = overrides_of(options);
  if (!given) return bad_use(given.error());
  if (e.kernel == catalog::kBySize) {
    Result<catalog::SizedVariant> fastest =
        catalog::fastest_by_size({options.m, options.n, options.k, options.alpha, options.beta});
    if (!fastest) return bad_use(fastest.error());
    e.kernel = fastest->kernel;
    e.toggles = std::move(fastest->toggles);
  }
  tl::expected<catalog::Kernel, ChoiceError> kernel = find_kernel(e.kernel, *given);
  if (!kernel) return tl::unexpected(kernel.error());
  chosen.kernel = std::move(*kernel);
  e.kernel = chosen.kernel.id;
  if (const auto only = own_kernel::only_architecture(chosen.kernel)) {
    if (e.arch != *only && options.arch_given)
      return bad_use(
          {fmt::format("--arch {}: {} holds machine code for {}, which no other architecture executes",
                       options.arch, chosen.kernel.path.string(), isa::arch_name(*only))});
    e.arch = *only;
  }
  if (!options.arch_given) e.arch = experiment::arch_for(chosen.kernel, e.arch);
  e.problem = {options.m, options.n, options.k, options.alpha, options.beta};
  for (size_t i = 0; i < options.block.size(); ++i) e.block[i] = options.block[i];
  for (const std::string& text : options.toggles) {
    Result<std::pair<std::string, int64_t>> toggle = parse_number("--toggle", text);
    if (!toggle) return bad_use(toggle.error());
    e.toggles.insert_or_assign(toggle->first, toggle->second);
  }
  for (const std::string& text : options.inputs) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      return bad_use({fmt::format("--input {}: expected NAME=EXPRESSION", text)});
    e.inputs.insert_or_assign(text.substr(0, equals), text.substr(equals + 1));
  }
  e.launch = options.launch - 1;
  if (const std::optional<Error> error = check_launch(chosen)) return bad_use(*error);
  return chosen;
}

}  // namespace gemmscope::cli
