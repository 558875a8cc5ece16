// schedule: rewrites the main loop of a kernel's machine code.
#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/timing_table.h"
#include "cli/with_compiled.h"
#include "compile/file_io.h"
#include "cubin/cubin_text.h"
#include "cubin/write_cubin.h"
#include "experiment/devices.h"
#include "experiment/gpu_timing_device.h"
#include "experiment/modelled_time.h"
#include "experiment/scheduled_kernel.h"
#include "experiment/timing_run.h"
#include "isa/instruction.h"
#include "metrics/sample_statistics.h"
#include "schedule/schedule.h"

namespace gemmscope::cli {
namespace {

using experiment::ScheduledKernel;
using nlohmann::json;

constexpr const char* kScheduledSuffix = " scheduled";  // of the rewritten kernel's name beside the other

Result<void> write_file(const std::string& path, std::span<const std::byte> bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) return fail("-o {}: the file cannot be written", path);
  return {};
}

json figures_json(const schedule::LoopFigures& figures) {
  return {{"instructions", figures.instructions},
          {"ffma", figures.products},
          {"cycles", figures.cycles},
          {"load_wait_cycles", figures.wait_cycles},
          {"lost_port_cycles_per_ffma", figures.lost_cycles_per_product()}};
}

const char* kept_name(schedule::Kept kept) {
  switch (kept) {
    case schedule::Kept::first_factor:
      return "first factor";
    case schedule::Kept::second_factor:
      return "second factor";
    case schedule::Kept::code_order:
      break;
  }
  return "code's order";
}

std::string order_text(const schedule::RegionResult& region) {
  if (region.kept == schedule::Kept::code_order) return "multiply-adds in the code's order, loads elsewhere";
  return fmt::format("{} outer products in serpentine order, the {} kept over a row", region.steps,
                     kept_name(region.kept));
}

json schedule_json(const schedule::Scheduled& scheduled, int registers_before) {
  uint32_t moved = 0;
  for (uint32_t i = 0; i < scheduled.moved.size(); ++i) moved += scheduled.moved[i] != i ? 1 : 0;
  json regions = json::array();
  for (const schedule::RegionResult& region : scheduled.regions)
    regions.push_back({{"first", region.range.first * isa::kInstructionBytes},
                       {"last", (region.range.end - 1) * isa::kInstructionBytes},
                       {"kept", kept_name(region.kept)},
                       {"outer_products", region.steps},
                       {"sums_in_the_wrong_bank", region.wrong_bank},
                       {"tried", region.tried}});
  return {{"loop",
           {{"first", scheduled.loop.body.first * isa::kInstructionBytes},
            {"last", (scheduled.loop.body.end - 1) * isa::kInstructionBytes},
            {"regions", regions}}},
          {"before", figures_json(scheduled.before)},
          {"after", figures_json(scheduled.after)},
          {"registers", {{"before", registers_before}, {"after", scheduled.registers}}},
          {"moved_instructions", moved},
          {"refused", scheduled.refused}};
}

void print_schedule(const schedule::Scheduled& scheduled, int registers_before) {
  const auto address = [](uint32_t i) { return i * isa::kInstructionBytes; };
  const schedule::LoopFigures &before = scheduled.before, &after = scheduled.after;
  fmt::print("main loop     {:#06x} to {:#06x}: {} instructions, {} FFMA\n",
             address(scheduled.loop.body.first), address(scheduled.loop.body.end - 1), before.instructions,
             before.products);
  for (const schedule::RegionResult& region : scheduled.regions)
    fmt::print("rewritten     {:#06x} to {:#06x}: {}\n", address(region.range.first),
               address(region.range.end - 1), order_text(region));
  fmt::print("registers     {} -> {}\n", registers_before, scheduled.registers);
  fmt::print("loop          {} -> {} cycles of issue slots and ports in a pass (modelled)\n", before.cycles,
             after.cycles);
  fmt::print("lost to ports {} -> {} of them: {:.3f} -> {:.3f} a FFMA\n", before.lost_cycles(),
             after.lost_cycles(), before.lost_cycles_per_product(), after.lost_cycles_per_product());
  fmt::print("load waits    {} -> {} cycles in a pass of one warp alone (modelled)\n", before.wait_cycles,
             after.wait_cycles);
  for (const std::string& sentence : scheduled.refused) fmt::print("refused       {}\n", sentence);
}

// Milliseconds of both on the device of the architecture; the errors are printed as notes, since a kernel may
// have no modelled time.
std::optional<std::pair<double, double>> modelled_times(const ScheduledKernel& kernel,
                                                        const experiment::Experiment& experiment,
                                                        std::string& device_name) {
  const auto device = experiment::choose_device(experiment::shipped_devices(), experiment.arch);
  if (!device) return print_note(device.error().message), std::nullopt;
  device_name = device->name;
  // A large K is modelled from smaller ones, at which the kernel is compiled, and changed, anew.
  experiment::Experiment changed = experiment;
  changed.changes.scheduled = true;
  const auto milliseconds = [&](const experiment::CompiledKernel& compiled,
                                const experiment::Experiment& of) -> std::optional<double> {
    const auto sample = experiment::sample_timing(compiled, of, *device);
    if (!sample) return print_note(sample.error().message), std::nullopt;
    const auto time = experiment::model_time(**sample, *device);
    if (!time) return print_note(time.error().message), std::nullopt;
    return (*time)->milliseconds;
  };
  const auto before = milliseconds(*kernel.original, experiment);
  const auto after = before ? milliseconds(*kernel.scheduled, changed) : std::nullopt;
  if (!after) return std::nullopt;
  return std::pair(*before, *after);
}

// The pass counts cycles of the loop; a launch that waits for something else may become slower.
void print_modelled(const std::pair<double, double>& milliseconds, const std::string& device) {
  constexpr double kClearly = 1.005;
  const auto [before, after] = milliseconds;
  fmt::print("time          {:.4f} -> {:.4f} ms on {} (modelled){}\n", before, after, device,
             after > before * kClearly ? ": slower at this size, though its loop takes fewer cycles" : "");
}

// " at 1024 x 1024 x 1024, where …", or nothing where it is the size that was asked for.
std::string smaller_size_text(const catalog::Problem& at, const catalog::Problem& asked) {
  if (at.m == asked.m && at.n == asked.n && at.k == asked.k) return "";
  return fmt::format(" at {} x {} x {}, where the machine code is the same", at.m, at.n, at.k);
}

// Times both in turn on the GPU; the runner checks each against float64 first.
Result<experiment::Timings> measure(const ChosenExperiment& chosen, const ScheduleOptions& options) {
  auto device = experiment::make_gpu_timing_device(options.runner);
  if (!device) return tl::unexpected(device.error());
  experiment::TimingJob job;
  catalog::Kernel rewritten = chosen.kernel;
  rewritten.id += kScheduledSuffix;
  job.variants = {{chosen.kernel, chosen.experiment.toggles}, {rewritten, chosen.experiment.toggles}};
  job.problem = chosen.experiment.problem;
  job.options.samples_wanted = static_cast<size_t>(options.samples);
  const auto compile =
      [&](const catalog::Kernel& wanted,
          const experiment::Experiment& experiment) -> experiment::Outcome<experiment::CompiledKernel> {
    const auto compiled = experiment::compile_kernel(chosen.kernel, experiment);
    if (!compiled || wanted.id == chosen.kernel.id) return compiled;
    const auto scheduled = experiment::schedule_kernel(*compiled);
    if (!scheduled) return tl::unexpected(scheduled.error());
    return (*scheduled)->scheduled;
  };
  experiment::TimingRun run(**device, compile, std::move(job));
  const std::atomic<bool> cancelled{false};
  while (run.step(cancelled)) {
  }
  return run.timings();
}

json measured_json(const experiment::Timings& timings) {
  json variants = json::array();
  for (const experiment::TimedVariant& variant : timings.variants) {
    const auto samples = experiment::milliseconds(variant);
    variants.push_back({{"id", variant.id}, {"samples_ms", samples}});
    if (!samples.empty()) variants.back()["median_ms"] = metrics::summarize_samples(samples).median;
    if (!variant.trouble.empty()) variants.back()["trouble"] = variant.trouble;
  }
  json result = {{"device", timings.device.name}, {"variants", std::move(variants)}};
  if (!timings.trouble.empty()) result["trouble"] = timings.trouble;
  return result;
}

// Prints why a time is missing; the exit status.
int print_troubles(const experiment::Timings& timings) {
  if (!timings.trouble.empty()) return print_error(timings.trouble);
  for (const experiment::TimedVariant& variant : timings.variants)
    if (!variant.trouble.empty()) return print_error(fmt::format("{}: {}", variant.id, variant.trouble));
  return 0;
}

int report(const std::shared_ptr<const ScheduledKernel>& kernel, const ChosenExperiment& chosen,
           const ScheduleOptions& options, bool as_json) {
  const int registers_before = kernel->original->code().registers;
  json result = schedule_json(kernel->schedule, registers_before);
  if (!as_json) {
    print_heading(*kernel->original, chosen.experiment);
    print_schedule(kernel->schedule, registers_before);
  }
  std::string device;
  if (const auto times = modelled_times(*kernel, chosen.experiment, device)) {
    result["modelled_ms"] = {{"device", device}, {"before", times->first}, {"after", times->second}};
    if (!as_json) print_modelled(*times, device);
  }
  const auto bits = experiment::compare_bits(*kernel, chosen.experiment);
  if (!bits) return print_failure(bits.error());
  const char* const elements = bits->of_buffers ? "words of its buffers" : "elements of C";
  const catalog::Problem& at = bits->problem;
  result["executed"] = {{"m", at.m},
                        {"n", at.n},
                        {"k", at.k},
                        {"elements", bits->elements},
                        {"of", elements},
                        {"blocks", bits->blocks},
                        {"different", bits->different},
                        {"verification", verification_json(bits->verification)}};
  if (bits->different != 0)
    return print_error(
        fmt::format("{} of {} {} have other bits than the kernel's own code gives, so it is refused and "
                    "nothing is written",
                    bits->different, bits->elements, elements));
  if (!as_json)
    fmt::print(
        "accepted      every value proved to come from where it came from; no finding of the hazard lint; "
        "{} blocks executed on the CPU{}, {} {} equal bit for bit\n",
        bits->blocks, smaller_size_text(at, chosen.experiment.problem), bits->elements, elements);
  if (!options.output.empty()) {
    if (auto written = write_file(options.output, kernel->scheduled->binary); !written)
      return print_error(written.error().message);
    if (!as_json) fmt::print("written to {}\n", options.output);
    result["output"] = options.output;
  }
  int status = 0;
  if (options.measure) {
    const auto timings = measure(chosen, options);
    if (!timings) return print_error(timings.error().message);
    result["measured"] = measured_json(*timings);
    if (!as_json) fmt::print("{}\n", timing_table(*timings));
    status = print_troubles(*timings);
  }
  if (as_json) print_json(result);
  return status;
}

int schedule_kernel_text(const ExperimentOptions& experiment_options, const ScheduleOptions& options) {
  return with_compiled(experiment_options,
                       [&](const CompiledPointer& compiled, const ChosenExperiment& chosen) {
                         const auto kernel = experiment::schedule_kernel(compiled);
                         if (!kernel) return print_failure(kernel.error());
                         return report(*kernel, chosen, options, experiment_options.json);
                       });
}

// A cubin does not say how it is launched, so nothing is executed; with --block-dim and --grid-dim it is a
// kernel as any other.
int schedule_cubin(const std::string& path, std::span<const std::byte> bytes,
                   const ExperimentOptions& experiment_options, const ScheduleOptions& options) {
  const auto cubin = cubin::read_cubin(bytes, path);
  if (!cubin) return print_error(cubin.error().message);
  std::vector<std::byte> file(bytes.begin(), bytes.end());
  json kernels = json::array();
  int changed = 0;
  for (const cubin::KernelCode& kernel : cubin->kernels) {
    if (!experiment_options.entry.empty() && kernel.name != experiment_options.entry) continue;
    std::vector<isa::Instruction> code;
    for (uint32_t i = 0; i < kernel.instruction_count(); ++i)
      code.push_back(
          isa::decode(kernel.words[2 * i], kernel.words[2 * i + 1], i * isa::kInstructionBytes, cubin->arch));
    constexpr int kRegisterUnit = 8;  // registers are given to warps in multiples of this
    const int budget = std::min(255, (kernel.registers + kRegisterUnit - 1) / kRegisterUnit * kRegisterUnit);
    const auto named = cubin::named_addresses(bytes, kernel.name, path);
    if (!named) return print_error(named.error().message);
    if (const auto same = experiment::check_written_back(kernel, code); !same) {
      print_error(fmt::format("{}: {}", path, same.error().message));
      continue;
    }
    const auto scheduled = schedule::schedule_code(code, {kernel.registers, budget, 0, *named});
    if (!scheduled) {
      print_error(fmt::format("{}: {}: {}", path, kernel.name, scheduled.error().message));
      continue;
    }
    const auto words = schedule::encode_code(scheduled->instructions);
    if (!words) return print_error(words.error().message);
    auto written = cubin::write_cubin(file, {kernel.name, *words, scheduled->registers}, path);
    if (!written) return print_error(written.error().message);
    file = std::move(*written);
    ++changed;
    kernels.push_back(schedule_json(*scheduled, kernel.registers));
    kernels.back()["kernel"] = kernel.name;
    if (experiment_options.json) continue;
    fmt::print("{}: {}\n", path, kernel.name);
    print_schedule(*scheduled, kernel.registers);
    fmt::print(
        "accepted      every value proved to come from where it came from; no finding of the hazard lint; "
        "not executed, because a cubin does not say how it is launched\n");
  }
  if (changed == 0) return kFailed;
  if (!options.output.empty()) {
    if (auto done = write_file(options.output, file); !done) return print_error(done.error().message);
    if (!experiment_options.json) fmt::print("written to {}\n", options.output);
  }
  if (experiment_options.json) print_json({{"file", path}, {"kernels", kernels}});
  return 0;
}

}  // namespace

int schedule_code(const ExperimentOptions& experiment_options, const ScheduleOptions& options) {
  const bool launched = !experiment_options.block_dim.empty() || !experiment_options.grid_dim.empty();
  if (const auto text = compile::read_file(experiment_options.kernel);
      text && cubin::is_elf(*text) && !launched)
    return schedule_cubin(experiment_options.kernel, compile::as_bytes(*text), experiment_options, options);
  return schedule_kernel_text(experiment_options, options);
}

}  // namespace gemmscope::cli
