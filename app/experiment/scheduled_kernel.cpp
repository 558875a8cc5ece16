#include "experiment/scheduled_kernel.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <deque>
#include <mutex>

#include "cubin/write_cubin.h"
#include "isa/disassemble.h"
#include "metrics/occupancy.h"

namespace gemmscope::experiment {
namespace {

tl::unexpected<Failure> failed(std::string message) {
  return tl::unexpected(Failure{std::move(message), {}});
}

std::vector<isa::Instruction> decode_code(const cubin::KernelCode& code, isa::Arch arch) {
  std::vector<isa::Instruction> instructions;
  instructions.reserve(code.instruction_count());
  for (uint32_t i = 0; i < code.instruction_count(); ++i)
    instructions.push_back(
        isa::decode(code.words[2 * i], code.words[2 * i + 1], i * isa::kInstructionBytes, arch));
  return instructions;
}

metrics::BlockNeeds needs_of(const CompiledKernel& compiled) {
  const Resources& r = compiled.resources;
  const auto& block = compiled.launch.block;
  return {static_cast<int>(block[0] * block[1] * block[2]), r.registers,
          static_cast<int>(r.static_shared_bytes + r.dynamic_shared_bytes), r.barriers};
}

int warps_per_scheduler(const CompiledKernel& compiled) {
  constexpr int kSchedulers = 4;
  const metrics::SmLimits* const sm = metrics::sm_limits(isa::sm_number(compiled.cubin.arch));
  return sm == nullptr ? 0 : metrics::occupancy(*sm, needs_of(compiled)).warps / kSchedulers;
}

}  // namespace

int register_budget(const CompiledKernel& compiled) {
  constexpr int kMost = 255;
  const metrics::SmLimits* const sm = metrics::sm_limits(isa::sm_number(compiled.cubin.arch));
  if (sm == nullptr) return compiled.resources.registers;
  metrics::BlockNeeds needs = needs_of(compiled);
  const int blocks = metrics::occupancy(*sm, needs).blocks;
  int budget = needs.registers;
  for (; needs.registers <= kMost && metrics::occupancy(*sm, needs).blocks >= blocks; ++needs.registers)
    budget = needs.registers;
  return budget;
}

Result<std::shared_ptr<const CompiledKernel>> with_code(const CompiledKernel& original,
                                                        const std::vector<isa::Instruction>& instructions,
                                                        int registers, const std::vector<uint32_t>& moved) {
  const auto words = schedule::encode_code(instructions);
  if (!words) return tl::unexpected(words.error());
  auto binary =
      cubin::write_cubin(original.binary, {original.code().name, *words, registers}, original.kernel.id);
  if (!binary) return tl::unexpected(binary.error());
  auto cubin = cubin::read_cubin(*binary, original.kernel.id);
  if (!cubin) return tl::unexpected(cubin.error());
  auto result = std::make_shared<CompiledKernel>(original);
  result->binary = std::move(*binary);
  result->cubin = std::move(*cubin);
  for (LaunchPart& part : result->parts)
    part.instructions = decode_code(result->cubin.kernels[part.code_index], result->cubin.arch);
  result->instructions = result->parts[result->shown_part].instructions;
  result->text.clear();
  for (const isa::Instruction& instruction : result->instructions)
    result->text.push_back(isa::disassemble(instruction));
  result->hazards = lint::lint(result->instructions).findings;
  result->ports = metrics::count_ports(result->instructions);
  result->resources.registers = result->code().registers;
  for (size_t i = 0; i < moved.size() && i < result->places.size(); ++i) {
    result->places[i] = original.places[moved[i]];
    result->calls[i] = original.calls[moved[i]];
  }
  return result;
}

Result<void> check_written_back(const cubin::KernelCode& code, const std::vector<isa::Instruction>& decoded) {
  const auto words = schedule::encode_code(decoded);
  if (!words) return tl::unexpected(words.error());
  const auto [there, here] = std::ranges::mismatch(code.words, *words);
  if (there == code.words.end() && here == words->end()) return {};
  return fail("The instruction at {:#06x} of {} cannot be written back exactly, so nothing is changed.",
              (there - code.words.begin()) / 2 * isa::kInstructionBytes, code.name);
}

namespace {

// The pass takes seconds, and a size, an edit or the timing model asks for the same code again.
class ScheduleMemory {
 public:
  Result<schedule::Scheduled> schedule(const std::vector<isa::Instruction>& code,
                                       const schedule::Options& options) {
    const std::string key =
        fmt::format("{} {} {} {} {}", schedule::fingerprint(code), options.registers, options.register_budget,
                    options.warps_per_scheduler, fmt::join(options.named_addresses, ","));
    {
      const std::lock_guard lock(mutex_);
      for (const auto& [known, result] : results_)
        if (known == key) return result;
    }
    Result<schedule::Scheduled> result = schedule::schedule_code(code, options);
    if (options.cancelled != nullptr && *options.cancelled) return result;
    const std::lock_guard lock(mutex_);
    results_.emplace_back(key, result);
    if (results_.size() > kMost) results_.pop_front();
    return result;
  }

 private:
  static constexpr size_t kMost = 8;
  std::mutex mutex_;
  std::deque<std::pair<std::string, Result<schedule::Scheduled>>> results_;
};

}  // namespace

Outcome<ScheduledKernel> schedule_kernel(std::shared_ptr<const CompiledKernel> compiled,
                                         const ScheduleWatch& watch) {
  static ScheduleMemory memory;
  const cubin::KernelCode& code = compiled->code();
  const auto named = cubin::named_addresses(compiled->binary, code.name, compiled->kernel.id);
  if (!named) return failed(named.error().message);
  if (const auto same = check_written_back(code, compiled->instructions); !same)
    return failed(same.error().message);
  auto scheduled = memory.schedule(
      compiled->instructions, {code.registers, register_budget(*compiled), warps_per_scheduler(*compiled),
                               *named, watch.cancelled, watch.progress});
  if (!scheduled) return failed(scheduled.error().message);
  auto kernel = with_code(*compiled, scheduled->instructions, scheduled->registers, scheduled->moved);
  if (!kernel) return failed(kernel.error().message);
  if (!(*kernel)->hazards.empty())
    return failed("The hazard lint has findings in the code as it was written, so nothing is changed.");
  return std::make_shared<const ScheduledKernel>(
      ScheduledKernel{std::move(compiled), std::move(*kernel), std::move(*scheduled)});
}

uint64_t different_bits(const std::vector<float>& a, const std::vector<float>& b) {
  uint64_t different = 0;
  for (size_t i = 0; i < a.size(); ++i)
    if (std::bit_cast<uint32_t>(a[i]) != std::bit_cast<uint32_t>(b[i])) ++different;
  return different;
}

std::optional<QuickGrid> quick_grid(const std::shared_ptr<const CompiledKernel>& compiled,
                                    const Experiment& experiment, double instructions) {
  if (instructions <= kComparedInstructions) return QuickGrid{experiment, compiled};
  const auto volume = [](const catalog::Problem& p) {
    return static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k);
  };
  for (const int64_t side : {1024, 512, 256}) {
    Experiment small = experiment;
    for (int64_t* size : {&small.problem.m, &small.problem.n, &small.problem.k})
      *size = std::min<int64_t>(*size, side);
    small.block = {0, 0, 0};
    if (instructions * volume(small.problem) > kComparedInstructions * volume(experiment.problem)) continue;
    auto same = compile_kernel(compiled->kernel, small);
    if (same && (*same)->binary == compiled->binary) return QuickGrid{small, *same};
  }
  return std::nullopt;
}

tl::expected<BitComparison, Failure> compare_bits(const ScheduledKernel& kernel,
                                                  const Experiment& experiment) {
  Experiment first = experiment;
  first.block = {0, 0, 0};
  const auto block = run_block(kernel.original, first, nullptr);
  if (!block) return tl::unexpected(block.error());
  const QuickGrid grid = quick_grid(kernel.original, experiment, estimate_grid_instructions(**block))
                             .value_or(QuickGrid{experiment, kernel.original});
  const schedule::Scheduled& schedule = kernel.schedule;
  const auto scheduled = with_code(*grid.compiled, schedule.instructions, schedule.registers, schedule.moved);
  if (!scheduled) return failed(scheduled.error().message);
  std::vector<float> before, after;
  const auto ran = run_whole_grid(grid.compiled, grid.experiment, {}, &before);
  if (!ran) return tl::unexpected(ran.error());
  const auto ran_after = run_whole_grid(*scheduled, grid.experiment, {}, &after);
  if (!ran_after) return tl::unexpected(ran_after.error());
  if (before.empty() || before.size() != after.size())
    return failed("The kernel has neither a matrix C nor a buffer whose bits could be compared.");
  const BitComparison comparison{.problem = grid.experiment.problem,
                                 .elements = before.size(),
                                 .of_buffers = !has_c(*grid.compiled),
                                 .blocks = (*ran_after)->coverage.blocks,
                                 .different = different_bits(before, after),
                                 .verification = (*ran_after)->verification};
  return comparison;
}

}  // namespace gemmscope::experiment
