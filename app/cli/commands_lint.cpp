// lint: checks the scheduling of machine code, in cubins, in the pack's files and in kernels.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/with_compiled.h"
#include "compile/entry.h"
#include "compile/file_io.h"
#include "compile/pack_file.h"
#include "cubin/cubin.h"
#include "isa/disassemble.h"
#include "lint/lint.h"

namespace gemmscope::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view kElf =
                               "\x7f"
                               "ELF",
                           kEntry = "GSCUBIN\n", kPack = "GSCPACK\n";

struct Report {
  json findings = json::array(), errors = json::array();
  size_t cubins = 0, kernels = 0, instructions = 0, dependences = 0;
  bool as_json = false;

  void add_error(const std::string& message) {
    errors.push_back(message);
    print_error(message);
  }
};

std::string at(const isa::Instruction& instruction) {
  return fmt::format("0x{:04x}  {}", instruction.address, isa::disassemble(instruction));
}

void print_finding(const std::string& origin, const lint::LintedKernel& kernel,
                   const lint::Finding& finding) {
  const isa::Instruction& producer = kernel.instructions[finding.dependence.producer];
  const isa::Instruction& consumer = kernel.instructions[finding.dependence.consumer];
  fmt::print("{}: {}: {}\n", origin, kernel.name, lint::missing_text(finding));
  if (producer.address != consumer.address) fmt::print("  {}\n", at(producer));
  fmt::print("  {}\n    {}\n", at(consumer), lint::finding_text(finding, kernel.instructions));
}

json finding_json(const std::string& origin, const lint::LintedKernel& kernel, const lint::Finding& finding) {
  const lint::Dependence& d = finding.dependence;
  const isa::Instruction& producer = kernel.instructions[d.producer];
  const isa::Instruction& consumer = kernel.instructions[d.consumer];
  json result = {{"file", origin},
                 {"kernel", kernel.name},
                 {"missing", lint::missing_text(finding)},
                 {"text", lint::finding_text(finding, kernel.instructions)},
                 {"address", consumer.address},
                 {"instruction", isa::disassemble(consumer)}};
  if (d.producer == d.consumer) return result;
  result["producer_address"] = producer.address;
  result["producer"] = isa::disassemble(producer);
  result["register"] = lint::place_text(d.place);
  return result;
}

void lint_cubin(const std::string& origin, const cubin::Cubin& cubin, Report& report) {
  ++report.cubins;
  for (const lint::LintedKernel& kernel : lint::lint_cubin(cubin)) {
    ++report.kernels;
    report.instructions += kernel.result.instructions;
    report.dependences += kernel.result.dependences;
    for (const lint::Finding& finding : kernel.result.findings) {
      if (!report.as_json) print_finding(origin, kernel, finding);
      report.findings.push_back(finding_json(origin, kernel, finding));
    }
  }
}

void lint_bytes(const std::string& origin, std::span<const std::byte> bytes, Report& report) {
  const Result<cubin::Cubin> cubin = cubin::read_cubin(bytes, origin);
  if (!cubin) return report.add_error(cubin.error().message);
  lint_cubin(origin, *cubin, report);
}

// "06_thread_tile.sm_86.pack THREAD_M=4 WIDTH_A=1"
std::string origin_of(const fs::path& path, const compile::MacroValues& changes) {
  std::string origin = path.string();
  for (const auto& [name, value] : changes) origin += fmt::format(" {}={}", name, value);
  return origin;
}

void lint_pack(const fs::path& path, Report& report) {
  const auto file = compile::PackFile::open(path);
  if (!file) return report.add_error(file.error().message);
  for (const compile::MacroValues& changes : (*file)->variants()) {
    const auto entry = (*file)->find(changes);
    if (!entry) return report.add_error(entry.error().message);
    lint_bytes(origin_of(path, changes), entry->cubin, report);
  }
}

void lint_file(const fs::path& path, const std::string& text, Report& report) {
  const std::string origin = path.string();
  if (text.starts_with(kPack)) return lint_pack(path, report);
  if (text.starts_with(kElf)) return lint_bytes(origin, compile::as_bytes(text), report);
  const Result<compile::Entry> entry = compile::decode_entry(compile::as_bytes(text), origin);
  if (!entry) return report.add_error(entry.error().message);
  lint_bytes(origin, entry->cubin, report);
}

bool holds_machine_code(const std::string& text) {
  return text.starts_with(kElf) || text.starts_with(kEntry) || text.starts_with(kPack);
}

// Every cubin, every entry of the cache and every file of the pack below the folder; other files are left
// alone.
void lint_folder(const fs::path& folder, Report& report) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->is_regular_file(error)) files.push_back(at->path());
  if (error) return report.add_error(fmt::format("{}: {}", folder.string(), error.message()));
  std::sort(files.begin(), files.end());
  const size_t before = report.cubins + report.errors.size();
  for (const fs::path& file : files)
    if (const auto text = compile::read_file(file); text && holds_machine_code(*text))
      lint_file(file, *text, report);
  if (report.cubins + report.errors.size() == before)
    report.add_error(fmt::format("{} holds no cubin and no file of the pack", folder.string()));
}

// Returns the exit code of a kernel that cannot be compiled, else 0.
int lint_kernel(const std::string& name, ExperimentOptions options, Report& report) {
  options.kernel = name;
  return with_compiled(options, [&](const CompiledPointer& compiled, const ChosenExperiment& chosen) {
    lint_cubin(fmt::format("{} on {}", name, isa::arch_name(chosen.experiment.arch)), compiled->cubin,
               report);
    return 0;
  });
}

int lint_named(const std::string& name, const ExperimentOptions& options, Report& report) {
  std::error_code error;
  if (fs::is_directory(name, error)) return lint_folder(name, report), 0;
  if (const auto text = compile::read_file(name); text && holds_machine_code(*text))
    return lint_file(name, *text, report), 0;
  return lint_kernel(name, options, report);
}

std::string count_text(size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

int lint_code(const std::vector<std::string>& names, const ExperimentOptions& options) {
  Report report{.as_json = options.json};
  int code = 0;
  for (const std::string& name : names) code = std::max(code, lint_named(name, options, report));
  if (options.json)
    print_json({{"findings", report.findings},
                {"errors", report.errors},
                {"cubins", report.cubins},
                {"kernels", report.kernels},
                {"instructions", report.instructions},
                {"dependences", report.dependences}});
  else if (report.cubins != 0)
    fmt::print("{}, {}, {}, {}: {}\n", count_text(report.cubins, "cubin"),
               count_text(report.kernels, "kernel"), count_text(report.instructions, "instruction"),
               count_text(report.dependences, "dependence"),
               report.findings.empty() ? "no findings" : count_text(report.findings.size(), "finding"));
  if (code != 0) return code;
  if (!report.errors.empty()) return kFailed;
  return report.findings.empty() ? 0 : kFoundMistakes;
}

}  // namespace gemmscope::cli
