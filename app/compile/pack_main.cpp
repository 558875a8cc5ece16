// gemmscope-pack: builds the prebuilt machine code of the program's own kernels into assets/pack/. A file
// that is as it would be made now stays; the others are made by several processes, because NVRTC compiles one
// program at a time.
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <new>
#include <optional>
#include <set>
#include <thread>

#include "catalog/packed_variants.h"
#include "compile/file_io.h"
#include "compile/includes.h"
#include "compile/pack.h"
#include "cubin/blank_debug_text.h"

namespace {

using namespace gemmscope;

// One file of the pack.
struct Task {
  const catalog::Kernel* kernel;
  isa::Arch arch;
  std::filesystem::path path;
  std::vector<catalog::ToggleValues> variants;
};

struct Options {
  std::filesystem::path kernels = catalog::kernels_folder(), output = catalog::assets_folder() / "pack";
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  std::string only;  // part of the names of the files to make; empty: all
  bool all = false;
};

compile::MacroValues text_of(const catalog::ToggleValues& toggles) {
  compile::MacroValues macros;
  for (const auto& [name, value] : toggles) macros[name] = std::to_string(value);
  return macros;
}

// With the default toggles.
compile::CompileRequest request_for(const Task& task, const Options& options) {
  compile::CompileRequest request;
  request.source = task.kernel->source;
  request.source_path = task.kernel->path;
  request.include_folders = {options.kernels / "include"};
  request.arch = task.arch;
  for (const catalog::Toggle& toggle : task.kernel->toggles)
    request.macros[toggle.name] = std::to_string(toggle.default_value);
  for (const catalog::Input& input : task.kernel->inputs)
    request.macros[input.name] = catalog::checked_input(input, input.default_value).value_or("");
  return request;
}

bool is_current(const Task& task, const compile::CompileRequest& request,
                const compile::NvrtcLibrary& library) {
  const auto file = compile::PackFile::open(task.path);
  if (!file) return false;
  const compile::PackHead& head = (*file)->head();
  const auto includes = compile::find_includes(request.source, request.source_path, request.include_folders);
  std::vector<compile::MacroValues> variants;
  for (const catalog::ToggleValues& toggles : task.variants) variants.push_back(text_of(toggles));
  std::ranges::sort(variants);
  return head.key == compile::source_hash(request.source, includes) &&
         head.compiler == "NVRTC " + library.version() && head.arch == isa::arch_name(task.arch) &&
         head.macros == request.macros && head.options == request.options && (*file)->variants() == variants;
}

Result<compile::Entry> compile_variant(compile::CompileRequest request, const catalog::ToggleValues& toggles,
                                       const compile::NvrtcLibrary& library) {
  std::string name = request.source_path.filename().string() + " for " + isa::arch_name(request.arch);
  for (const auto& [macro, value] : text_of(toggles)) {
    request.macros[macro] = value;
    name += fmt::format(" {}={}", macro, value);
  }
  auto entry = compile::make_pack_entry(request, library);
  if (!entry) return fail("{}: {}", name, entry.error().message);
  if (const auto done = cubin::blank_debug_text(entry->cubin, name); !done)
    return tl::unexpected(done.error());
  return *std::move(entry);
}

Result<void> make_file(const Task& task, const Options& options, const compile::NvrtcLibrary& library) {
  const compile::CompileRequest request = request_for(task, options);
  const std::string name = task.path.filename().string();
  if (!options.all && is_current(task, request, library)) return {};
  std::optional<compile::PackWriter> writer;
  for (const catalog::ToggleValues& toggles : task.variants) {
    auto entry = compile_variant(request, toggles, library);
    if (!entry) return tl::unexpected(entry.error());
    if (!writer)
      writer.emplace(
          compile::PackHead{entry->key, entry->arch, entry->compiler, entry->options, request.macros});
    writer->add(text_of(toggles), std::move(entry->cubin), std::move(entry->log));
  }
  const std::vector<std::byte> bytes = writer->finish();
  fmt::print("{}: {} variants, {} bytes\n", name, task.variants.size(), bytes.size());
  std::fflush(stdout);
  return compile::write_file_atomically(task.path, bytes);
}

// The longest first, so that no process is left with one at the end.
std::vector<Task> tasks_of(const catalog::Catalog& catalog, const Options& options) {
  std::vector<Task> tasks;
  for (const catalog::Kernel& kernel : catalog.kernels)
    for (const isa::Arch arch : isa::kAllArchs) {
      auto variants = catalog::packed_variants(kernel, isa::sm_number(arch));
      const auto path = compile::pack_path(options.output, kernel.path, arch);
      if (variants.empty() || path.filename().string().find(options.only) == std::string::npos) continue;
      tasks.push_back({&kernel, arch, path, std::move(variants)});
    }
  std::ranges::stable_sort(tasks, std::greater<>(), [](const Task& task) { return task.variants.size(); });
  return tasks;
}

// Removes the files of kernels that no longer exist.
void remove_others(const std::vector<Task>& tasks, const Options& options) {
  std::set<std::filesystem::path> kept;
  for (const Task& task : tasks) kept.insert(task.path);
  for (const auto& place : std::filesystem::directory_iterator(options.output)) {
    const auto extension = place.path().extension();
    if ((extension != ".pack" && extension != ".gsc") || kept.contains(place.path())) continue;
    fmt::print("{}: removed, because its kernel no longer exists\n", place.path().filename().string());
    std::filesystem::remove(place.path());
  }
}

// Takes tasks until none is left. `next` is shared by all processes.
bool work(const std::vector<Task>& tasks, const Options& options, std::atomic<size_t>& next) {
  const auto& library = compile::nvrtc_library();
  bool all_made = library.has_value();
  if (!library) fmt::print(stderr, "gemmscope-pack: {}\n", library.error().message);
  while (library) {
    const size_t index = next++;
    if (index >= tasks.size()) break;
    const auto made = make_file(tasks[index], options, *library);
    if (made) continue;
    fmt::print(stderr, "gemmscope-pack: {}\n", made.error().message);
    all_made = false;
  }
  return all_made;
}

bool work_in_processes(const std::vector<Task>& tasks, const Options& options) {
  void* shared =
      mmap(nullptr, sizeof(std::atomic<size_t>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) {
    std::atomic<size_t> next = 0;
    return work(tasks, options, next);
  }
  auto& next = *new (shared) std::atomic<size_t>(0);
  std::vector<pid_t> processes;
  for (unsigned i = 1; i < options.jobs; ++i) {
    const pid_t process = fork();
    if (process == 0) _exit(work(tasks, options, next) ? 0 : 1);
    if (process > 0) processes.push_back(process);
  }
  bool all_made = work(tasks, options, next);
  for (const pid_t process : processes) {
    int status = 0;
    all_made = waitpid(process, &status, 0) == process && status == 0 && all_made;
  }
  return all_made;
}

Result<bool> build_pack(const Options& options) {
  const auto catalog = catalog::read_catalog(options.kernels);
  if (!catalog.errors.empty()) return tl::unexpected(catalog.errors.front());
  std::filesystem::create_directories(options.output);
  std::filesystem::current_path("/");  // see make_pack_entry
  const std::vector<Task> tasks = tasks_of(catalog, options);
  const bool all_made = work_in_processes(tasks, options);
  if (all_made && options.only.empty()) remove_others(tasks, options);
  return all_made;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Compiles the program's own kernels into the prebuilt pack of machine code");
  app.add_option("--kernels", options.kernels, "folder that holds ladder/, labs/ and include/")
      ->capture_default_str();
  app.add_option("--output", options.output,
                 "folder of the pack; files of kernels that no longer exist are removed")
      ->capture_default_str();
  app.add_option("--jobs", options.jobs, "processes that compile at once")->capture_default_str();
  app.add_option("--only", options.only, "part of the names of the files to make, such as 07_ or sm_90");
  app.add_flag("--all", options.all, "make also the files that are as they would be made now");
  CLI11_PARSE(app, argc, argv);
  options.kernels = std::filesystem::absolute(options.kernels);
  options.output = std::filesystem::absolute(options.output);
  try {
    const auto built = build_pack(options);
    if (built) return *built ? 0 : 1;
    fmt::print(stderr, "gemmscope-pack: {}\n", built.error().message);
  } catch (const std::filesystem::filesystem_error& error) {
    fmt::print(stderr, "gemmscope-pack: {}\n", error.what());
  }
  return 1;
}
