#include "experiment/changed_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>

#include "cubin/write_cubin.h"

namespace gemmscope::experiment {
namespace {

Result<std::vector<uint32_t>> named_addresses(const CompiledKernel& compiled) {
  return cubin::named_addresses(compiled.binary, compiled.code().name, compiled.kernel.id);
}

// The code while it is changed.
struct Changing {
  std::shared_ptr<const CompiledKernel> now;
  ChangedCode changed;
};

Result<void> edit(Changing& code) {
  const CodeChanges& changes = code.changed.changes;
  if (schedule::fingerprint(code.now->instructions) != changes.edited)
    return fail("The edits by hand were made on other machine code than this, so they are left out.");
  const auto named = named_addresses(*code.now);
  if (!named) return tl::unexpected(named.error());
  if (const auto same = check_written_back(code.now->code(), code.now->instructions); !same) return same;
  const auto edited = schedule::apply_edits(code.now->instructions, changes.edits, *named);
  if (!edited) return tl::unexpected(edited.error());
  code.changed.broken = schedule::what_breaks(code.now->instructions, *edited);
  auto kernel = with_code(*code.now, edited->instructions, code.now->code().registers, edited->moved);
  if (!kernel) return tl::unexpected(kernel.error());
  const std::vector<uint32_t> before = code.changed.moved;
  for (size_t i = 0; i < before.size(); ++i) code.changed.moved[i] = before[edited->moved[i]];
  code.changed.by_hand = edited->by_hand;
  code.now = std::move(*kernel);
  return {};
}

ChangedCode unchanged(std::shared_ptr<const CompiledKernel> original, const CodeChanges& changes) {
  ChangedCode changed{changes, std::move(original), {}, {}, {}, {}};
  changed.moved.resize(changed.original->instructions.size());
  std::iota(changed.moved.begin(), changed.moved.end(), 0u);
  changed.by_hand.resize(changed.moved.size());
  return changed;
}

std::shared_ptr<const CompiledKernel> with(const CompiledKernel& code, ChangedCode changed) {
  auto result = std::make_shared<CompiledKernel>(code);
  result->changed = std::make_shared<const ChangedCode>(std::move(changed));
  return result;
}

}  // namespace

Outcome<CompiledKernel> change_code(std::shared_ptr<const CompiledKernel> original,
                                    const CodeChanges& changes, const ScheduleWatch& watch) {
  Changing code{original, unchanged(original, changes)};
  const auto refused = [&](std::string why) {
    ChangedCode none = unchanged(original, changes);
    none.refused = std::move(why);
    return with(*original, std::move(none));
  };
  if (changes.scheduled) {
    const auto scheduled = schedule_kernel(original, watch);
    if (!scheduled && watch.is_cancelled()) return tl::unexpected(scheduled.error());
    if (!scheduled) return refused(scheduled.error().message);
    code.now = (*scheduled)->scheduled;
    code.changed.moved = (*scheduled)->schedule.moved;
  }
  if (!changes.edits.empty())
    if (const auto edited = edit(code); !edited) return refused(edited.error().message);
  return with(*code.now, std::move(code.changed));
}

namespace {

Result<schedule::EditedCode> with_edit(const CompiledKernel& compiled, const schedule::Edit& edit) {
  const auto named = named_addresses(compiled);
  if (!named) return tl::unexpected(named.error());
  return schedule::apply_edits(compiled.instructions, {&edit, 1}, *named);
}

std::string hazard_text(const lint::Finding& finding, const std::vector<isa::Instruction>& instructions) {
  return fmt::format("{:#06x}: {}.", finding.dependence.consumer * isa::kInstructionBytes,
                     lint::finding_text(finding, instructions));
}

std::string breakage_text(const schedule::Breakage& breakage) {
  return fmt::format("{:#06x}: {}", breakage.instruction * isa::kInstructionBytes, breakage.sentence);
}

uint32_t lost_cycles(const metrics::KernelPorts& ports) {
  const metrics::LoopPorts* const loop = ports.main_loop();
  return loop == nullptr ? 0 : loop->lost_cycles;
}

}  // namespace

EditPreview preview_edit(const CompiledKernel& compiled, const schedule::Edit& edit) {
  EditPreview preview;
  const auto edited = with_edit(compiled, edit);
  if (!edited) {
    preview.why_not = edited.error().message;
    return preview;
  }
  preview.lost_cycles_before = lost_cycles(compiled.ports);
  preview.lost_cycles = lost_cycles(metrics::count_ports(edited->instructions));
  const auto broken = schedule::what_breaks(compiled.instructions, *edited);
  const auto hazards = lint::lint(edited->instructions).findings;
  if (!broken.empty())
    preview.breaks = breakage_text(broken.front());
  else if (hazards.size() > compiled.hazards.size())
    preview.breaks = hazard_text(hazards.front(), edited->instructions);
  return preview;
}

Result<uint32_t> place_after(const CompiledKernel& compiled, const schedule::Edit& edit) {
  const auto edited = with_edit(compiled, edit);
  if (!edited) return tl::unexpected(edited.error());
  const uint32_t at = edit.address / isa::kInstructionBytes;
  return static_cast<uint32_t>(std::ranges::find(edited->moved, at) - edited->moved.begin());
}

std::optional<uint32_t> place_in(const CompiledKernel& to, const CompiledKernel& from, uint32_t instruction) {
  if (from.changed == nullptr && to.changed == nullptr) return std::nullopt;
  const CompiledKernel &a = original_of(from), &b = original_of(to);
  if (&a != &b && a.binary != b.binary) return std::nullopt;
  const uint32_t original = original_place(from, instruction);
  if (to.changed == nullptr) return original;
  const auto found = std::ranges::find(to.changed->moved, original);
  return static_cast<uint32_t>(found - to.changed->moved.begin());
}

std::string first_mistake(const CompiledKernel& compiled) {
  if (compiled.changed == nullptr) return "";
  if (!compiled.changed->broken.empty()) return breakage_text(compiled.changed->broken.front());
  if (compiled.hazards.empty() || !compiled.changed->refused.empty()) return "";
  return hazard_text(compiled.hazards.front(), compiled.instructions);
}

std::shared_ptr<const BitsCompared> compare_with_original(std::shared_ptr<const CompiledKernel> changed,
                                                          const Experiment& experiment, double instructions,
                                                          const GridRunOptions& options) {
  auto result = std::make_shared<BitsCompared>();
  result->compiled = changed;
  result->problem = experiment.problem;
  const auto grid = quick_grid(changed, experiment, instructions);
  if (!grid) {
    result->why_not = "The grid is too large to be executed for it; choose a smaller size.";
    return result;
  }
  result->problem = grid->experiment.problem;
  std::vector<float> now, before;
  const auto execute = [&](const std::shared_ptr<const CompiledKernel>& kernel, std::vector<float>& words) {
    const auto ran = run_whole_grid(kernel, grid->experiment, options, &words);
    if (!ran) result->why_not = ran.error().message;
    return ran.has_value();
  };
  const bool ran = execute(grid->compiled->changed->original, before) && execute(grid->compiled, now);
  if (options.cancelled != nullptr && *options.cancelled) return nullptr;
  if (ran && (before.empty() || before.size() != now.size()))
    result->why_not = "The kernel has neither a matrix C nor a buffer whose bits could be compared.";
  if (!result->why_not.empty()) return result;
  result->of_buffers = !has_c(*result->compiled);
  result->elements = before.size();
  result->different = different_bits(before, now);
  return result;
}

std::string why_not_on_gpu(const std::shared_ptr<const CompiledKernel>& compiled,
                           const Experiment& experiment, const std::atomic<bool>* cancelled) {
  if (compiled->changed == nullptr) return "";
  if (!compiled->changed->refused.empty()) return compiled->changed->refused;
  if (const std::string mistake = first_mistake(*compiled); !mistake.empty())
    return "It is not run on a GPU, because the changed machine code is broken. " + mistake;
  static std::mutex mutex;
  static std::map<std::string, std::string> known;
  const std::string key =
      fmt::format("{} {} {} {} {}", schedule::fingerprint(compiled->instructions), compiled->kernel.id,
                  experiment.problem.m, experiment.problem.n, experiment.problem.k);
  {
    const std::lock_guard lock(mutex);
    if (const auto found = known.find(key); found != known.end()) return found->second;
  }
  Experiment first = experiment;
  first.block = {0, 0, 0};
  const auto block = run_block(compiled, first, cancelled);
  if (!block) return block.error().message;
  GridRunOptions options;
  options.cancelled = cancelled;
  const auto bits = compare_with_original(compiled, first, estimate_grid_instructions(**block), options);
  if (bits == nullptr) return "It was cancelled.";
  std::string why;
  if (!bits->why_not.empty())
    why = "It is not run on a GPU, because its bits were not compared. " + bits->why_not;
  else if (bits->different != 0)
    why = fmt::format(
        "It is not run on a GPU: {} of {} elements of C have other bits than the compiler's code gives.",
        bits->different, bits->elements);
  const std::lock_guard lock(mutex);
  return known[key] = why;
}

}  // namespace gemmscope::experiment
