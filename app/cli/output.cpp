#include "cli/output.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/cli.h"
#include "experiment/grid_sampling.h"

namespace gemmscope::cli {

using nlohmann::json;

int print_error(const std::string& message) {
  fmt::print(stderr, "gemmscope: {}\n", message);
  return kFailed;
}

void print_note(const std::string& message) { fmt::print(stderr, "gemmscope: {}\n", message); }

int print_failure(const experiment::Failure& failure) {
  print_error(failure.message);
  for (const compile::Diagnostic& d : failure.diagnostics)
    fmt::print(stderr, "  {}:{}:{}: {}\n", d.file, d.line, d.column, d.message);
  return kFailed;
}

void print_json(const json& value) { fmt::print("{}\n", value.dump(2)); }

json experiment_json(const experiment::Experiment& e) {
  return {{"kernel", e.kernel},     {"arch", isa::arch_name(e.arch)},
          {"m", e.problem.m},       {"n", e.problem.n},
          {"k", e.problem.k},       {"alpha", e.problem.alpha},
          {"beta", e.problem.beta}, {"block", e.block},
          {"toggles", e.toggles},   {"inputs", e.inputs}};
}

json resources_json(const experiment::Resources& r) {
  return {{"registers", r.registers},
          {"barriers", r.barriers},
          {"static_shared_bytes", r.static_shared_bytes},
          {"dynamic_shared_bytes", r.dynamic_shared_bytes},
          {"reserved_shared_bytes", r.reserved_shared_bytes},
          {"spill_store_bytes", r.spill_store_bytes},
          {"spill_load_bytes", r.spill_load_bytes},
          {"stack_bytes", r.stack_bytes}};
}

json coverage_json(const experiment::GridCoverage& c) {
  json result = {{"text", coverage_text(c)},
                 {"blocks", c.blocks},
                 {"executed_blocks", c.executed},
                 {"classes", c.classes}};
  if (!c.why_whole.empty()) result["why_all_blocks"] = c.why_whole;
  return result;
}

json verification_json(const experiment::Verification& v) {
  return {{"checked", v.checked()},
          {"right", v.right()},
          {"wrong_elements", v.wrong_elements},
          {"largest_error", v.largest_error},
          {"largest_error_over_bound", v.largest_ratio},
          {"reference", v.reference.empty() ? "float64" : v.reference}};
}

namespace {

const char* origin_text(compile::CubinSource origin) {
  switch (origin) {
    case compile::CubinSource::compiled:
      return "compiled now";
    case compile::CubinSource::disk_cache:
      return "from the compile cache";
    case compile::CubinSource::prebuilt_pack:
      return "prebuilt";
  }
  return "";
}

}  // namespace

void print_heading(const experiment::CompiledKernel& compiled, const experiment::Experiment& e) {
  const catalog::Launch& l = compiled.launch;
  fmt::print("{} ({}), {}: M {} N {} K {}, alpha {} beta {}\n", compiled.kernel.id, compiled.kernel.title,
             isa::arch_name(e.arch), e.problem.m, e.problem.n, e.problem.k, e.problem.alpha, e.problem.beta);
  const std::string origin = compiled.compiler.empty()
                                 ? "of your cubin"
                                 : fmt::format("{} ({})", origin_text(compiled.origin), compiled.compiler);
  fmt::print("grid {} x {} x {} blocks of {} x {} x {} threads; machine code {}\n", l.grid[0], l.grid[1],
             l.grid[2], l.block[0], l.block[1], l.block[2], origin);
  if (compiled.changed != nullptr && compiled.changed->refused.empty())
    fmt::print("not the compiler's order: {}\n", experiment::changes_text(compiled.changed->changes));
  if (compiled.changed != nullptr && !compiled.changed->refused.empty())
    fmt::print("the machine code is the compiler's: {}\n", compiled.changed->refused);
  if (compiled.parts.size() > 1)
    fmt::print("launch {} of {} is shown: {}\n", compiled.shown_part + 1, compiled.parts.size(),
               compiled.parts[compiled.shown_part].title);
  for (const std::string& guess : compiled.kernel.guesses) fmt::print("guessed: {}\n", guess);
}

void print_resources(const experiment::CompiledKernel& compiled) {
  const experiment::Resources& r = compiled.resources;
  fmt::print(
      "{} registers a thread, {} bytes of shared memory a block, {} barrier{}, spills {} bytes stored and {} "
      "loaded\n",
      r.registers, r.static_shared_bytes + r.dynamic_shared_bytes, r.barriers, r.barriers == 1 ? "" : "s",
      r.spill_store_bytes, r.spill_load_bytes);
}

void print_verification(const experiment::Verification& v) {
  if (!v.checked()) return fmt::print("the result is not verified: {}\n", v.unchecked);
  if (!v.reference.empty()) {
    if (v.right())
      return fmt::print(
          "the result is right: equal to that of {}, {}\n", v.reference,
          v.largest_error > 0
              ? fmt::format("except for errors up to {:.3g}, within the tolerance", v.largest_error)
              : "bit for bit");
    return fmt::print("the result is WRONG: {} elements differ from those of {}\n", v.wrong_elements,
                      v.reference);
  }
  if (v.right()) {
    fmt::print("C is right: largest error against float64 {:.3g}, {:.2f} of the rounding bound\n",
               v.largest_error, v.largest_ratio);
  } else {
    fmt::print(
        "C is WRONG: {} elements are beyond the rounding bound, largest error against float64 {:.3g}\n",
        v.wrong_elements, v.largest_error);
    if (!v.hint.empty()) fmt::print("but {}\n", v.hint);
  }
}

}  // namespace gemmscope::cli
