#include "compile/compiler.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>

#include "compile/compile_steps.h"
#include "compile/compiler_log.h"
#include "compile/host_headers.h"
#include "compile/pack.h"
#include "compile/sha256.h"

namespace gemmscope::compile {
namespace {

constexpr uint64_t kMostCacheBytes = 256u << 20;  // some thousand kernels
constexpr std::string_view kVerbosePtxas = "--ptxas-options=-v";

tl::unexpected<CompileFailure> failure(Error error) {
  return tl::unexpected(CompileFailure{std::move(error.message), {}});
}

bool any_starts_with(const std::vector<std::string>& options, std::string_view first,
                     std::string_view second) {
  return std::any_of(options.begin(), options.end(), [&](const std::string& option) {
    return option.starts_with(first) || option.starts_with(second);
  });
}

// Covers everything that determines the result, and the path, because the line table names it.
std::string cache_key(const NvrtcLibrary& library, const NvrtcProgram& program, const Includes& includes) {
  Sha256 hash;
  hash.add_field("GEMMscope cache 1");
  hash.add_field(library.identity());
  hash.add_field(program.name);
  hash.add_field(program.source);
  for (const std::string& option : program.options) hash.add_field(option);
  if (!program.name_expression.empty()) hash.add_field("entry " + program.name_expression);
  for (const auto& [name, text] : program.headers) {
    hash.add_field("stand-in " + name);
    hash.add_field(text);
  }
  for (const IncludedFile& file : includes.files) {
    hash.add_field("include");
    hash.add_field(file.path.string());
    hash.add_field(file.text);
  }
  return hex(hash.finish());
}

CompiledCubin to_result(Entry entry, CubinSource source) {
  CompiledCubin result;
  result.bytes = std::move(entry.cubin);
  result.ptxas = parse_ptxas_info(entry.log);
  for (Diagnostic& diagnostic : parse_diagnostics(entry.log))
    if (diagnostic.severity != Severity::error) result.warnings.push_back(std::move(diagnostic));
  result.source = source;
  result.compiler = std::move(entry.compiler);
  result.symbol = std::move(entry.symbol);
  return result;
}

CompileFailure describe_failure(const CompileRequest& request, std::string_view log) {
  CompileFailure result;
  result.diagnostics = parse_diagnostics(log);
  const std::string what =
      fmt::format("{} does not compile for {}", request.source_path.string(), isa::arch_name(request.arch));
  const auto is_error = [](const Diagnostic& diagnostic) { return diagnostic.severity == Severity::error; };
  auto first = std::find_if(result.diagnostics.begin(), result.diagnostics.end(), is_error);
  const auto errors = std::count_if(result.diagnostics.begin(), result.diagnostics.end(), is_error);
  if (first == result.diagnostics.end()) {
    result.message = fmt::format("{}; the compiler gave no reason: {}", what, log);
    return result;
  }
  if (const std::string advice = header_advice(first->message); !advice.empty()) first->message += advice;
  const std::string place = first->line == 0 ? "" : fmt::format("line {}: ", first->line);
  const std::string more = errors == 1 ? "" : fmt::format(" (and {} more)", errors - 1);
  result.message = fmt::format("{}: {}{}{}", what, place, first->message, more);
  return result;
}

std::string target_option(const std::string& arch) { return "--gpu-architecture=" + arch; }

// Instructions that no later architecture has, such as wgmma, are compiled for sm_90a only.
bool needs_exact_target(std::string_view log, const std::string& arch) {
  return log.find(fmt::format("not supported on .target '{}'", arch)) != std::string_view::npos;
}

// Trims once per process, which is often enough to keep the folder small.
void trim_once(const DiskCache& cache) {
  static std::once_flag trimmed;
  std::call_once(trimmed, [&] { cache.trim(kMostCacheBytes); });
}

CompileResult compile_or_recall(const CompileRequest& request, const NvrtcLibrary& library,
                                const DiskCache& cache) {
  const Includes includes = find_includes(request.source, request.source_path, include_folders(request));
  std::vector<std::pair<std::string, std::string>> headers = stand_ins(includes.missing);
  headers.insert(headers.end(), request.headers.begin(), request.headers.end());
  const NvrtcProgram program{request.source, request.source_path.string(), std::move(headers),
                             nvrtc_options(request, library), request.entry};
  const std::string key = cache_key(library, program, includes);
  if (includes.complete)
    if (auto cached = cache.find(key)) return to_result(std::move(*cached), CubinSource::disk_cache);
  auto output = run_nvrtc(library, program, request);
  if (!output) return tl::unexpected(std::move(output.error()));
  Entry entry{key,
              isa::arch_name(request.arch),
              "NVRTC " + library.version(),
              request.macros,
              request.options,
              output->cubin,
              output->log,
              output->symbol};
  if (includes.complete) {
    cache.store(entry);
    trim_once(cache);
  }
  return to_result(std::move(entry), CubinSource::compiled);
}

CompileResult take_from_pack(const CompileRequest& request, const Error& why_not_compiled) {
  if (request.pack_folder.empty()) return failure(why_not_compiled);
  auto entry = PackOffer::find(request, include_folders(request)).and_then([&](const PackOffer& offer) {
    return offer.entry(request.macros);
  });
  if (!entry) return failure(entry.error());
  return to_result(std::move(*entry), CubinSource::prebuilt_pack);
}

// What NVRTC would make of the request, if the pack has it. Another version of NVRTC makes something else.
std::optional<CompiledCubin> prebuilt_equal(const CompileRequest& request, const NvrtcLibrary& library) {
  if (!request.prefer_pack || request.pack_folder.empty()) return {};
  const auto offer = PackOffer::find(request, include_folders(request));
  if (!offer || offer->compiler() != "NVRTC " + library.version()) return {};
  auto entry = offer->entry(request.macros);
  if (!entry) return {};
  return to_result(std::move(*entry), CubinSource::prebuilt_pack);
}

CompileResult with_library(const CompileRequest& request, const NvrtcLibrary& library,
                           const DiskCache& cache) {
  if (auto prebuilt = prebuilt_equal(request, library)) return *std::move(prebuilt);
  return compile_or_recall(request, library, cache);
}

}  // namespace

std::vector<std::filesystem::path> include_folders(const CompileRequest& request) {
  auto folders = request.include_folders;
  for (const std::string& option : request.options)
    for (const std::string_view prefix : {"-I", "--include-path="})
      if (option.starts_with(prefix)) folders.emplace_back(option.substr(prefix.size()));
  return folders;
}

std::vector<std::string> nvrtc_options(const CompileRequest& request, const NvrtcLibrary& library) {
  std::vector<std::string> options = {target_option(isa::arch_name(request.arch)), "-lineinfo",
                                      std::string(kVerbosePtxas), "-default-device"};
  if (!any_starts_with(request.options, "--std", "-std")) options.emplace_back("--std=c++17");
  options.insert(options.end(), request.options.begin(), request.options.end());
  for (const auto& [name, value] : request.macros) options.push_back("-D" + name + "=" + value);
  for (const auto& folder : request.include_folders) options.push_back("--include-path=" + folder.string());
  for (const auto& folder : library.include_folders()) options.push_back("--include-path=" + folder.string());
  return options;
}

tl::expected<NvrtcOutput, CompileFailure> run_nvrtc(const NvrtcLibrary& library, const NvrtcProgram& program,
                                                    const CompileRequest& request) {
  auto output = library.compile(program);
  if (!output) return failure(output.error());
  if (output->compiled) return std::move(*output);
  if (const std::string arch = isa::arch_name(request.arch); needs_exact_target(output->log, arch)) {
    NvrtcProgram exact = program;
    std::ranges::replace(exact.options, target_option(arch), target_option(arch + "a"));
    output = library.compile(exact);
    if (!output) return failure(output.error());
    if (output->compiled) return std::move(*output);
  }
  CompileFailure described = describe_failure(request, output->log);
  const bool has_reason = std::any_of(described.diagnostics.begin(), described.diagnostics.end(),
                                      [](const Diagnostic& d) { return d.severity == Severity::error; });
  if (has_reason) return tl::unexpected(std::move(described));
  // With -v, ptxas omits some of its errors, such as too much shared memory; without -v it prints them.
  NvrtcProgram quiet = program;
  std::erase(quiet.options, std::string(kVerbosePtxas));
  if (const auto second = library.compile(quiet); second && !second->compiled)
    described = describe_failure(request, second->log);
  return tl::unexpected(std::move(described));
}

CompileResult compile_with(const CompileRequest& request, const Result<NvrtcLibrary>& library,
                           const DiskCache& cache) {
  const auto start = std::chrono::steady_clock::now();
  auto result = library ? with_library(request, *library, cache) : take_from_pack(request, library.error());
  if (result)
    result->compile_ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return result;
}

CompileResult compile_cubin(const CompileRequest& request) {
  return compile_with(request, nvrtc_library(), DiskCache(cache_folder()));
}

Result<std::string> nvrtc_version() {
  return nvrtc_library().map([](const NvrtcLibrary& library) { return library.version(); });
}

}  // namespace gemmscope::compile
