#include "experiment/launch_parts.h"

#include <algorithm>
#include <mutex>

#include "base/compare_elements.h"
#include "machine/translate/translate.h"

namespace gemmscope::experiment {
namespace {

std::string file_name(const catalog::Kernel& kernel) { return kernel.path.filename().string(); }

// Compares the declared parameters with those of the machine code.
Result<void> check_signature(const catalog::Kernel& kernel, const std::string& entry,
                             const cubin::KernelCode& code) {
  const std::vector<catalog::Parameter>& declared = kernel.parameters;
  if (declared.empty()) return {};
  if (declared.size() != code.parameters.size())
    return fail("{}: {} has {} parameters, but {} are declared; declare each in order with [[parameters]]",
                file_name(kernel), entry, code.parameters.size(), declared.size());
  for (size_t i = 0; i < declared.size(); ++i)
    if (declared[i].argument_bytes() != code.parameters[i].size)
      return fail(
          "{}: parameter {} of {} ({}) takes {} bytes, but is declared as one of {}; correct its type",
          file_name(kernel), i + 1, entry, declared[i].name, code.parameters[i].size,
          declared[i].argument_bytes());
  return {};
}

Result<LaunchPart> part_of(const CompiledKernel& compiled, const catalog::ActiveLaunch& launch,
                           const std::string& symbol) {
  const cubin::KernelCode* code = compiled.cubin.find(symbol);
  if (code == nullptr)
    return fail(
        "{}: the entry \"{}\" named in its header is not in the machine code; declare it extern \"C\"",
        file_name(compiled.kernel), launch.entry);
  if (auto fit = check_signature(compiled.kernel, launch.entry, *code); !fit)
    return tl::unexpected(fit.error());
  LaunchPart part{launch.title, launch.launch, static_cast<size_t>(code - compiled.cubin.kernels.data()), {}};
  for (uint32_t i = 0; i < code->instruction_count(); ++i)
    part.instructions.push_back(isa::decode(code->words[2 * i], code->words[2 * i + 1],
                                            i * isa::kInstructionBytes, compiled.cubin.arch));
  return part;
}

std::string in_launch(const LaunchPart& part, const std::string& sentence) {
  return fmt::format("in the launch \"{}\": {}", part.title, sentence);
}

// The line of the kernel's own file where the instruction was written, or else that of the nearest call of an
// included function; 0 if there is none.
int line_in_kernel(const CompiledKernel& compiled, const LaunchPart& part, uint32_t instruction) {
  if (instruction >= part.instructions.size()) return 0;
  for (const cubin::SourceLine& line :
       cubin::inline_chain(compiled.cubin.kernels[part.code_index], part.instructions[instruction].address)) {
    const std::filesystem::path file = compiled.cubin.files[line.file];
    if (file.filename() == compiled.kernel.path.filename()) return static_cast<int>(line.line);
  }
  return 0;
}

Failure fault_of(machine::FaultedRun run, const CompiledKernel& compiled, const LaunchPart& part) {
  std::string message = machine::describe_fault(run, part.instructions, compiled.cubin,
                                                compiled.cubin.kernels[part.code_index]);
  if (part.code_index == compiled.code_index)
    return {std::move(message), {}, run, {}, std::move(run.findings)};
  Failure failure{in_launch(part, message), {}};
  failure.other_findings = other_findings(compiled, part, std::move(run.findings));
  return failure;
}

// The buffer's name in GlobalMemory, as problem_data.cpp assigns it.
std::string buffer_name(const std::string& parameter) { return "parameter " + parameter; }

}  // namespace

Result<std::map<std::string, std::string>> checked_inputs(const catalog::Kernel& kernel,
                                                          const std::map<std::string, std::string>& typed) {
  std::map<std::string, std::string> macros;
  for (const auto& [name, text] : typed)
    if (std::none_of(kernel.inputs.begin(), kernel.inputs.end(),
                     [&wanted = name](const catalog::Input& input) { return input.name == wanted; }))
      return fail("Kernel {} has no input {}.", kernel.id, name);
  for (const catalog::Input& input : kernel.inputs) {
    const auto found = typed.find(input.name);
    const auto checked =
        catalog::checked_input(input, found == typed.end() ? input.default_value : found->second);
    if (!checked) return tl::unexpected(checked.error());
    macros[input.name] = *checked;
  }
  return macros;
}

Result<std::vector<LaunchPart>> launch_parts(const CompiledKernel& compiled,
                                             const std::vector<catalog::ActiveLaunch>& launches,
                                             const std::string& symbol) {
  std::vector<LaunchPart> parts;
  for (const catalog::ActiveLaunch& launch : launches) {
    Result<LaunchPart> part = part_of(compiled, launch, symbol.empty() ? launch.entry : symbol);
    if (!part) return tl::unexpected(part.error());
    parts.push_back(*std::move(part));
  }
  return parts;
}

Result<machine::Program> translate_part(const CompiledKernel& compiled, const LaunchPart& part,
                                        ProblemData& data) {
  const machine::LaunchConfig config{part.launch.grid, part.launch.block, part.launch.dynamic_shared_bytes,
                                     data.arguments};
  return machine::translate(compiled.cubin, compiled.cubin.kernels[part.code_index], config, data.memory);
}

tl::expected<machine::GridRun, Failure> run_part(const CompiledKernel& compiled, const LaunchPart& part,
                                                 ProblemData& data, const machine::GridOptions& options) {
  const Result<machine::Program> program = translate_part(compiled, part, data);
  if (!program) return tl::unexpected(Failure{program.error().message, {}});
  auto run = machine::run_grid(*program, data.memory, options);
  if (!run) return tl::unexpected(fault_of(std::move(run.error()), compiled, part));
  return *std::move(run);
}

tl::expected<PartResult, Failure> count_part(const CompiledKernel& compiled, const LaunchPart& part,
                                             ProblemData& data, const GridRunOptions& options) {
  std::mutex mutex;
  std::vector<std::unique_ptr<metrics::TrafficCollector>> collectors;
  machine::GridOptions grid;
  grid.threads = options.threads;
  grid.limits.cancelled = options.cancelled;
  grid.progress = options.progress;
  grid.observer_for_thread = [&](int) -> machine::Observer* {
    const std::lock_guard lock(mutex);
    collectors.push_back(std::make_unique<metrics::TrafficCollector>(part.instructions.size()));
    return collectors.back().get();
  };
  auto run = run_part(compiled, part, data, grid);
  if (!run) return tl::unexpected(std::move(run.error()));
  PartResult result;
  result.counters = metrics::Counters(part.instructions.size());
  result.counters.executed = std::move(run->counts);
  for (const auto& collector : collectors) {
    metrics::Counters traffic(part.instructions.size());
    traffic.traffic = collector->traffic();
    result.counters.add(traffic);
  }
  result.findings = std::move(run->findings);
  const std::array<uint32_t, 3>& blocks = part.launch.grid;
  result.blocks = uint64_t{blocks[0]} * blocks[1] * blocks[2];
  return result;
}

std::vector<OtherFinding> other_findings(const CompiledKernel& compiled, const LaunchPart& part,
                                         std::vector<machine::Finding> findings) {
  std::vector<OtherFinding> others;
  for (machine::Finding& finding : findings) {
    std::string sentence =
        in_launch(part, machine::describe_finding(finding, part.instructions, compiled.cubin,
                                                  compiled.cubin.kernels[part.code_index]));
    const int line = line_in_kernel(compiled, part, finding.instruction);
    others.push_back({part.title, line, std::move(sentence), std::move(finding)});
  }
  return others;
}

Result<LaunchPart> reference_part(const CompiledKernel& compiled, const Experiment& experiment) {
  const std::string& entry = compiled.kernel.check.entry;
  const auto launch = catalog::check_launch_for(compiled.kernel, experiment.problem, experiment.toggles);
  if (!launch) return tl::unexpected(launch.error());
  return part_of(compiled, {"the reference", entry, *launch}, entry);
}

tl::expected<Verification, Failure> verify_by_reference(const CompiledKernel& compiled,
                                                        const Experiment& experiment,
                                                        machine::GlobalMemory& result,
                                                        const GridRunOptions& options) {
  const catalog::Check& check = compiled.kernel.check;
  const auto failed = [](const Error& error) { return tl::unexpected(Failure{error.message, {}}); };
  const auto part = reference_part(compiled, experiment);
  if (!part) return failed(part.error());
  auto data = make_problem_data(compiled.kernel, experiment.problem, experiment.toggles);
  if (!data) return failed(data.error());
  machine::GridOptions grid;
  grid.threads = options.threads;
  grid.limits.cancelled = options.cancelled;
  if (auto run = run_part(compiled, *part, *data, grid); !run) return tl::unexpected(std::move(run.error()));
  Deviation deviation;
  for (const std::string& name : check.compare) {
    const auto parameter = std::find_if(data->parameters.begin(), data->parameters.end(),
                                        [&](const catalog::Parameter& p) { return p.name == name; });
    compare_elements(result.bytes(buffer_name(name)), data->memory.bytes(buffer_name(name)), parameter->type,
                     check.tolerance, deviation);
  }
  Verification verification;
  verification.reference = check.entry;
  verification.largest_error = deviation.largest_error;
  verification.largest_ratio = deviation.largest_ratio;
  verification.wrong_elements = deviation.wrong_elements;
  return verification;
}

}  // namespace gemmscope::experiment
