#include "experiment/pipeline.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <sstream>

#include "cubin/cubin_text.h"
#include "experiment/changed_code.h"
#include "experiment/compile_request.h"
#include "experiment/launch_parts.h"
#include "experiment/problem_data.h"
#include "experiment/verify.h"
#include "isa/disassemble.h"

namespace gemmscope::experiment {

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(std::move(line));
  return lines;
}
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

tl::unexpected<Failure> failed(std::string message) {
  return tl::unexpected(Failure{std::move(message), {}});
}

SourceFile read_source_file(const std::string& path) {
  SourceFile file{path, std::filesystem::path(path).filename().string(), {}};
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  file.lines = split_lines(text.str());
  return file;
}

// Files are matched by name, because a prebuilt cubin's line table holds paths of the computer that made it.
void locate_sources(CompiledKernel& result) {
  result.files.push_back({result.kernel.path.string(), result.kernel.path.filename().string(),
                          split_lines(std::string(cubin::shown_text(result.kernel.source)))});
  const std::filesystem::path includes = result.kernel.path.parent_path().parent_path() / "include";
  std::vector<int> file_of(result.cubin.files.size(), -1);
  for (size_t i = 0; i < result.cubin.files.size(); ++i) {
    const std::string name = std::filesystem::path(result.cubin.files[i]).filename().string();
    for (size_t k = 0; k < result.files.size() && file_of[i] < 0; ++k)
      if (result.files[k].name == name) file_of[i] = static_cast<int>(k);
    if (file_of[i] >= 0) continue;
    std::vector<std::filesystem::path> candidates = {result.kernel.path.parent_path() / name,
                                                     includes / name};
    // A user's cubin may come with a scene: its own paths must not choose which file of this computer is
    // read.
    if (!cubin::is_cubin_text(result.kernel.source))
      candidates.emplace(candidates.begin(), result.cubin.files[i]);
    for (const std::filesystem::path& candidate : candidates) {
      SourceFile file = read_source_file(candidate.string());
      if (file.lines.empty()) continue;
      file_of[i] = static_cast<int>(result.files.size());
      result.files.push_back(std::move(file));
      break;
    }
  }
  for (const isa::Instruction& instruction : result.instructions) {
    std::vector<CompiledKernel::Place> places;
    for (const cubin::SourceLine& line : cubin::inline_chain(result.code(), instruction.address))
      places.push_back({file_of[line.file], static_cast<int>(line.line)});
    result.places.push_back(places.empty() ? CompiledKernel::Place{} : places.front());
    result.calls.emplace_back(places.begin() + (places.empty() ? 0 : 1), places.end());
  }
}

uint32_t access_bytes(const isa::Instruction& instruction) {
  using isa::Modifier;
  if (instruction.has(Modifier::b128)) return 16;
  if (instruction.has(Modifier::b64)) return 8;
  if (instruction.has(Modifier::u8) || instruction.has(Modifier::s8)) return 1;
  return instruction.has(Modifier::u16) || instruction.has(Modifier::s16) ? 2 : 4;
}

void read_resources(CompiledKernel& result) {
  const cubin::KernelCode& code = result.code();
  Resources& r = result.resources;
  r.registers = code.registers;
  r.barriers = code.barriers;
  r.static_shared_bytes = code.static_shared_bytes;
  r.reserved_shared_bytes = code.reserved_shared_bytes;
  r.dynamic_shared_bytes = result.launch.dynamic_shared_bytes;
  r.stack_bytes = code.stack_bytes;
  // The cubin does not record spills, so the widths of the local stores and loads are summed.
  for (const isa::Instruction& instruction : result.instructions) {
    if (instruction.opcode == isa::Opcode::stl) r.spill_store_bytes += access_bytes(instruction);
    if (instruction.opcode == isa::Opcode::ldl) r.spill_load_bytes += access_bytes(instruction);
  }
}

Failure failure_of(const machine::Fault& fault, const CompiledKernel& compiled) {
  return {machine::describe_fault(fault, compiled.instructions, compiled.cubin, compiled.code()), {}, fault};
}

// Derives everything that follows from a block's trace.
void read_trace(BlockResult& result) {
  result.findings = std::move(result.trace.findings);
  const std::vector<isa::Instruction>& instructions = result.compiled->instructions;
  result.counters = metrics::count_trace(result.trace, instructions);
  result.banks = metrics::bank_report(result.trace);
  result.accumulators = metrics::Accumulators(result.trace, instructions, result.layout);
  metrics::WorkedElements worked = metrics::worked_elements(result.trace, instructions, result.layout);
  result.depths = std::move(worked.depths);
  result.matrices = std::move(worked.matrices);
  result.owners = metrics::owners_of_c(result.trace, result.layout);
  result.owned.resize(static_cast<size_t>(result.trace.warp_count) * machine::kWarpLanes);
  for (const auto& [tag, thread] : result.owners) result.owned[thread].push_back(tag);
  result.footprints = metrics::footprints(result.trace, result.layout);
  result.warp_records.resize(result.trace.warp_count);
  for (size_t i = 0; i < result.trace.records.size(); ++i)
    result.warp_records[result.trace.records[i].warp].push_back(static_cast<uint32_t>(i));
  metrics::DistanceCounts ffma, loads;
  for (const std::vector<uint32_t>& records : result.warp_records) {
    const metrics::TracedWarp warp{result.trace, instructions, records};
    ffma.add(metrics::ffma_dependencies(warp));
    loads.add(metrics::load_waits(warp));
  }
  result.ffma_distances = ffma.summary();
  result.load_distances = loads.summary();
}

}  // namespace

namespace {

// Checks the architecture against what the kernel requires. `shared`: bytes per block, static and dynamic.
Result<void> check_architecture(const catalog::Kernel& kernel, isa::Arch arch, uint64_t shared) {
  const int number = isa::sm_number(arch);
  if (number < kernel.architecture)
    return fail("Kernel {} needs sm_{} or later, but {} is chosen; choose a later architecture.", kernel.id,
                kernel.architecture, isa::arch_name(arch));
  const uint32_t most = isa::most_shared_bytes(arch);
  if (shared > most)
    return fail(
        "Kernel {} needs {:.1f} KB of shared memory per block, but {} has at most {} KB; choose other "
        "toggles or another architecture.",
        kernel.id, static_cast<double>(shared) / 1024, isa::arch_name(arch), most / 1024);
  return {};
}

// The machine code of a user's cubin: nothing is compiled.
compile::CompileResult own_cubin(const catalog::Kernel& kernel, isa::Arch arch) {
  const auto refused = [](std::string why) {
    return tl::unexpected(compile::CompileFailure{std::move(why), {}});
  };
  if (isa::sm_number(arch) != kernel.architecture)
    return refused(
        fmt::format("{} holds machine code for sm_{}, which no other architecture executes; choose sm_{}.",
                    kernel.path.filename().string(), kernel.architecture, kernel.architecture));
  auto bytes = cubin::bytes_of_cubin_text(kernel.source, kernel.path.string());
  if (!bytes) return refused(bytes.error().message);
  compile::CompiledCubin result;
  result.bytes = *std::move(bytes);
  return result;
}

compile::CompileResult machine_code_of(const catalog::Kernel& kernel, const Experiment& experiment,
                                       bool prefer_pack) {
  if (cubin::is_cubin_text(kernel.source)) return own_cubin(kernel, experiment.arch);
  auto request = compile_request(kernel, experiment);
  if (!request) return tl::unexpected(compile::CompileFailure{request.error().message, {}});
  request->prefer_pack = prefer_pack;
  return compile::compile_cubin(*request);
}

Outcome<CompiledKernel> compile(const catalog::Kernel& kernel, const Experiment& experiment, bool prefer_pack,
                                const ScheduleWatch& watch) {
  const auto start = std::chrono::steady_clock::now();
  const auto launches =
      catalog::launches_for(kernel, experiment.problem, experiment.toggles, isa::sm_number(experiment.arch));
  if (!launches) return failed(launches.error().message);
  for (const catalog::ActiveLaunch& active : *launches)
    if (auto fit = check_architecture(kernel, experiment.arch, active.launch.dynamic_shared_bytes); !fit)
      return failed(fit.error().message);
  compile::CompileResult binary = machine_code_of(kernel, experiment, prefer_pack);
  if (!binary) return tl::unexpected(Failure{binary.error().message, binary.error().diagnostics});
  auto result = std::make_shared<CompiledKernel>();
  result->kernel = kernel;
  result->origin = binary->source;
  result->compiler = binary->compiler;
  result->warnings = binary->warnings;
  Result<cubin::Cubin> cubin = cubin::read_cubin(binary->bytes, kernel.id);
  if (!cubin) return failed(cubin.error().message);
  result->binary = std::move(binary->bytes);
  result->cubin = std::move(*cubin);
  auto parts = launch_parts(*result, *launches, binary->symbol);
  if (!parts) return failed(parts.error().message);
  result->parts = *std::move(parts);
  for (const LaunchPart& part : result->parts) {
    const uint64_t shared = uint64_t{result->cubin.kernels[part.code_index].static_shared_bytes} +
                            part.launch.dynamic_shared_bytes;
    if (auto fit = check_architecture(kernel, experiment.arch, shared); !fit)
      return failed(fit.error().message);
  }
  result->shown_part = std::min<size_t>(experiment.launch, result->parts.size() - 1);
  const LaunchPart& shown = result->parts[result->shown_part];
  result->launch = shown.launch;
  result->code_index = shown.code_index;
  result->instructions = shown.instructions;
  for (const isa::Instruction& instruction : result->instructions)
    result->text.push_back(isa::disassemble(instruction));
  result->hazards = lint::lint(result->instructions).findings;
  result->ports = metrics::count_ports(result->instructions);
  locate_sources(*result);
  read_resources(*result);
  result->compile_ms = seconds_since(start) * 1e3;
  if (experiment.changes.any()) return change_code(std::move(result), experiment.changes, watch);
  return result;
}

}  // namespace

Outcome<CompiledKernel> compile_kernel(const catalog::Kernel& kernel, const Experiment& experiment) {
  return compile(kernel, experiment, false, {});
}

Outcome<CompiledKernel> compile_kernel_watched(const catalog::Kernel& kernel, const Experiment& experiment,
                                               const ScheduleWatch& watch) {
  return compile(kernel, experiment, false, watch);
}

Outcome<CompiledKernel> take_or_compile_kernel(const catalog::Kernel& kernel, const Experiment& experiment) {
  return compile(kernel, experiment, true, {});
}

namespace {

// The state in which the shown launch starts.
struct Start {
  ProblemData data;  // as the launches before it leave it
  machine::Program program;
};

tl::expected<Start, Failure> make_start(const CompiledKernel& compiled, const Experiment& experiment,
                                        const machine::BlockLimits& limits) {
  Result<ProblemData> data = make_problem_data(compiled.kernel, experiment.problem, experiment.toggles);
  if (!data) return failed(data.error().message);
  for (size_t i = 0; i < compiled.shown_part; ++i) {
    machine::GridOptions whole;
    whole.limits = limits;
    if (auto ran = run_part(compiled, compiled.parts[i], *data, whole); !ran)
      return tl::unexpected(std::move(ran.error()));
  }
  Result<machine::Program> program = translate_part(compiled, compiled.parts[compiled.shown_part], *data);
  if (!program) return failed(program.error().message);
  return Start{std::move(*data), std::move(*program)};
}

}  // namespace

namespace {

// The parameter whose buffer holds the address, or null.
const catalog::Parameter* parameter_at(const ProblemData& data, uint64_t address) {
  const machine::GlobalMemory::Buffer* const buffer = data.memory.find(address, 1);
  for (size_t i = 0; buffer != nullptr && i < data.parameters.size(); ++i) {
    uint64_t pointer = 0;
    if (data.parameters[i].kind == catalog::Parameter::Kind::scalar) continue;
    std::memcpy(&pointer, data.arguments[i].data(), sizeof pointer);
    if (pointer == buffer->address) return &data.parameters[i];
  }
  return nullptr;
}

OtherStores other_stores(const BlockResult& block, const ProblemData& data) {
  uint64_t bytes = 0, address = 0;
  for (const machine::TraceAccess& access : block.trace.accesses) {
    if (access.space != machine::Space::global || access.direction != machine::Direction::store) continue;
    for (size_t lane = 0; lane < machine::kWarpLanes; ++lane) {
      if ((access.mask >> lane & 1u) == 0 || block.layout.element_at(access.addresses[lane])) continue;
      bytes += access.width_bytes;
      address = access.addresses[lane];
    }
  }
  const catalog::Parameter* const target = bytes == 0 ? nullptr : parameter_at(data, address);
  if (target == nullptr) return {};
  return {bytes / catalog::size_of(target->type), target->name};
}

}  // namespace

Outcome<BlockResult> run_block(std::shared_ptr<const CompiledKernel> compiled, const Experiment& experiment,
                               const std::atomic<bool>* cancelled, size_t record_limit) {
  const std::array<uint32_t, 3>& grid = compiled->launch.grid;
  for (size_t i = 0; i < 3; ++i)
    if (experiment.block[i] >= grid[i])
      return failed(fmt::format("block ({}, {}, {}) is outside the grid of {} x {} x {} blocks",
                                experiment.block[0], experiment.block[1], experiment.block[2], grid[0],
                                grid[1], grid[2]));
  const auto begin = std::chrono::steady_clock::now();
  auto result = std::make_shared<BlockResult>();
  result->compiled = compiled;
  result->experiment = experiment;
  machine::TraceLimits limits{record_limit, {}};
  limits.block.cancelled = cancelled;
  tl::expected<Start, Failure> start = make_start(*compiled, experiment, limits.block);
  if (!start) return tl::unexpected(std::move(start.error()));
  bool used = false;
  const auto unused_start = [&] {
    // It was made once before, so it fails here only if the run is cancelled; that is handled below.
    if (std::exchange(used, true))
      if (auto again = make_start(*compiled, experiment, limits.block)) start = std::move(again);
    return machine::Traced{start->program, start->data.memory};
  };
  const std::optional<machine::Fault> fault =
      machine::trace_until_fault(unused_start, experiment.block, limits, result->trace);
  result->layout = std::move(start->data.layout);
  if (fault && fault->kind == machine::FaultKind::cancelled)
    return tl::unexpected(failure_of(*fault, *compiled));
  read_trace(*result);
  if (result->layout.is_gemm() && result->footprints[metrics::kMatrixC].rows == 0)
    result->other_stores = other_stores(*result, start->data);
  result->shared_arrays = shared_arrays_of(*result, start->data.memory);
  result->execute_ms = seconds_since(begin) * 1e3;
  if (fault) {
    Failure failure = failure_of(*fault, *compiled);
    failure.findings = result->findings;
    failure.until_fault = std::move(result);
    return tl::unexpected(std::move(failure));
  }
  return result;
}

Outcome<GridResult> run_whole_grid(std::shared_ptr<const CompiledKernel> compiled,
                                   const Experiment& experiment, const GridRunOptions& options) {
  return run_whole_grid(std::move(compiled), experiment, options, nullptr);
}

namespace {

std::vector<float> results_of(const machine::GlobalMemory& memory, bool of_c) {
  std::vector<float> words;
  for (const machine::GlobalMemory::Buffer& buffer : memory.buffers()) {
    if (of_c && buffer.name != "C") continue;
    const std::span<const float> values = as_floats(buffer.bytes);
    words.insert(words.end(), values.begin(), values.end());
  }
  return words;
}

}  // namespace

bool has_c(const CompiledKernel& compiled) {
  const auto& parameters = compiled.kernel.parameters;
  return parameters.empty() || std::ranges::any_of(parameters, [](const catalog::Parameter& parameter) {
           return parameter.kind == catalog::Parameter::Kind::matrix && parameter.role == 'C';
         });
}

Outcome<GridResult> run_whole_grid(std::shared_ptr<const CompiledKernel> compiled,
                                   const Experiment& experiment, const GridRunOptions& options,
                                   std::vector<float>* results) {
  const auto make_data = [&] {
    return make_problem_data(compiled->kernel, experiment.problem, experiment.toggles);
  };
  Result<ProblemData> made = make_data();
  if (!made) return failed(made.error().message);
  ProblemData& data = *made;
  auto result = std::make_shared<GridResult>();
  result->compiled = compiled;
  const auto start = std::chrono::steady_clock::now();
  for (size_t i = 0; i < compiled->parts.size(); ++i) {
    const LaunchPart& part = compiled->parts[i];
    auto counted = count_part(*compiled, part, data, options);
    if (!counted) {
      Failure failure = std::move(counted.error());
      failure.findings.insert(failure.findings.begin(), result->findings.begin(), result->findings.end());
      failure.other_findings.insert(failure.other_findings.begin(), result->other_findings.begin(),
                                    result->other_findings.end());
      return tl::unexpected(std::move(failure));
    }
    result->summaries.push_back(metrics::summarize(counted->counters, part.instructions));
    result->summary.add(result->summaries.back());
    result->coverage.blocks += counted->blocks;
    if (i == compiled->shown_part) {
      result->counters = std::move(counted->counters);
      result->findings = std::move(counted->findings);
    } else {
      std::ranges::move(other_findings(*compiled, part, std::move(counted->findings)),
                        std::back_inserter(result->other_findings));
    }
  }
  result->coverage.executed = result->coverage.blocks;
  result->execute_seconds = seconds_since(start);
  if (results != nullptr) *results = results_of(data.memory, has_c(*compiled));
  if (compiled->kernel.check.given()) {
    auto verified = verify_by_reference(*compiled, experiment, data.memory, options);
    if (!verified) return tl::unexpected(std::move(verified.error()));
    result->verification = *std::move(verified);
  } else {
    // Of the matrices after the launch only C is kept: a large problem would be in memory twice.
    const std::span<const std::byte> after = data.memory.bytes("C");
    const std::vector<std::byte> kept(after.begin(), after.end());
    data = {};
    result->verification = verify_data(experiment.problem, *make_data(), kept);
  }
  return result;
}

const size_t kMostFindings = machine::Findings::kLimit;

std::string finding_text(const machine::Finding& finding, const CompiledKernel& compiled) {
  return machine::describe_finding(finding, compiled.instructions, compiled.cubin, compiled.code());
}

double estimate_grid_instructions(const BlockResult& block) {
  double instructions = 0;
  for (uint64_t warps : block.counters.executed.warps) instructions += static_cast<double>(warps);
  const std::array<uint32_t, 3>& grid = block.compiled->launch.grid;
  return instructions * grid[0] * grid[1] * grid[2];
}

}  // namespace gemmscope::experiment
