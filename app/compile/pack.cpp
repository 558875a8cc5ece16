#include "compile/pack.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "compile/compile_steps.h"
#include "compile/file_io.h"
#include "compile/includes.h"

namespace gemmscope::compile {
namespace {

constexpr std::string_view kRemedy = "install the CUDA Toolkit's NVRTC to compile this one";

// "the prebuilt machine code of 01_naive_rows for sm_86"
std::string title_of(const CompileRequest& request) {
  return fmt::format("the prebuilt machine code of {} for {}", request.source_path.stem().string(),
                     isa::arch_name(request.arch));
}

Error missing(const CompileRequest& request) {
  std::string others;
  std::error_code error;
  for (const isa::Arch arch : isa::kAllArchs)
    if (std::filesystem::exists(pack_path(request.pack_folder, request.source_path, arch), error))
      others += (others.empty() ? "" : ", ") + isa::arch_name(arch);
  const std::string hint = others.empty() ? "" : fmt::format(" (there is code for {})", others);
  return Error{fmt::format("there is no prebuilt machine code of {} for {}{}; {}",
                           request.source_path.stem().string(), isa::arch_name(request.arch), hint, kRemedy)};
}

std::string join(const std::vector<std::string>& options) {
  std::string text;
  for (const std::string& option : options) text += (text.empty() ? "" : " ") + option;
  return text.empty() ? "no options" : text;
}

// A file is opened once and then kept: it remembers what it has unpacked.
class OpenFiles {
 public:
  Result<std::shared_ptr<const PackFile>> open(const std::filesystem::path& path) {
    const std::lock_guard lock(mutex_);
    const auto known = std::ranges::find(files_, path, &Open::path);
    if (known != files_.end() && known->file->is_current()) {
      std::rotate(files_.begin(), known, known + 1);
      return files_.front().file;
    }
    if (known != files_.end()) files_.erase(known);
    auto file = PackFile::open(path);
    if (!file) return file;
    files_.insert(files_.begin(), {path, *file});
    if (files_.size() > kMostOpen) files_.pop_back();
    return file;
  }

 private:
  static constexpr size_t kMostOpen = 5;  // those of one kernel
  struct Open {
    std::filesystem::path path;
    std::shared_ptr<const PackFile> file;
  };
  std::mutex mutex_;         // guards the next
  std::vector<Open> files_;  // the one that was used last is the first
};

Result<void> check(const PackHead& head, const CompileRequest& request, const std::string& hash) {
  if (head.arch != isa::arch_name(request.arch))
    return fail("{} holds code for {} instead; build the pack again", title_of(request), head.arch);
  if (head.key != hash)
    return fail("{} was made from another version of the source; {}", title_of(request), kRemedy);
  if (head.options != request.options)
    return fail("{} was made with {}, not with {}; {}", title_of(request), join(head.options),
                join(request.options), kRemedy);
  return {};
}

// The includes by their names as written, as NVRTC looks them up.
tl::expected<std::vector<std::pair<std::string, std::string>>, CompileFailure> headers_of(
    const Includes& includes, const CompileRequest& request) {
  std::map<std::string, const IncludedFile*> by_name;
  for (const IncludedFile& file : includes.files) {
    const auto [place, added] = by_name.try_emplace(file.written, &file);
    if (!added && place->second->path != file.path)
      return tl::unexpected(CompileFailure{
          fmt::format("{} includes two files as \"{}\": {} and {}; rename one", request.source_path.string(),
                      file.written, place->second->path.string(), file.path.string()),
          {}});
  }
  std::vector<std::pair<std::string, std::string>> headers;
  for (const auto& [name, file] : by_name) headers.emplace_back(name, file->text);
  return headers;
}

}  // namespace

std::filesystem::path pack_path(const std::filesystem::path& folder, const std::filesystem::path& source_path,
                                isa::Arch arch) {
  return folder / fmt::format("{}.{}.pack", source_path.stem().string(), isa::arch_name(arch));
}

Result<PackOffer> PackOffer::find(const CompileRequest& request,
                                  const std::vector<std::filesystem::path>& include_folders) {
  static OpenFiles open_files;
  const auto path = pack_path(request.pack_folder, request.source_path, request.arch);
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return tl::unexpected(missing(request));
  auto file = open_files.open(path);
  if (!file) return fail("{}; get the file again or {}", file.error().message, kRemedy);
  const Includes includes = find_includes(request.source, request.source_path, include_folders);
  if (const auto checked = check((*file)->head(), request, source_hash(request.source, includes)); !checked)
    return tl::unexpected(checked.error());
  return PackOffer(*std::move(file), title_of(request));
}

Result<MacroValues> PackOffer::changes_of(const MacroValues& macros) const {
  MacroValues changes;
  for (const auto& [name, value] : macros) {
    const auto usual = file_->head().macros.find(name);
    if (usual == file_->head().macros.end())
      return fail("{} was made without {}={}; {}", title_, name, value, kRemedy);
    if (usual->second != value) changes.emplace(name, value);
  }
  return changes;
}

Result<void> PackOffer::serves(const MacroValues& macros) const {
  const auto changes = changes_of(macros);
  if (!changes) return tl::unexpected(changes.error());
  if (file_->has(*changes)) return {};
  std::string text;
  for (const auto& [name, value] : *changes)
    text += fmt::format("{}{}={}", text.empty() ? "" : " with ", name, value);
  return fail("{} does not have {}; {}", title_, text.empty() ? "the defaults" : text, kRemedy);
}

Result<Entry> PackOffer::entry(const MacroValues& macros) const {
  if (const auto served = serves(macros); !served) return tl::unexpected(served.error());
  auto entry = file_->find(*changes_of(macros));
  if (!entry) return fail("{}; get the file again or {}", entry.error().message, kRemedy);
  return entry;
}

tl::expected<Entry, CompileFailure> make_pack_entry(const CompileRequest& request,
                                                    const NvrtcLibrary& library) {
  const Includes includes = find_includes(request.source, request.source_path, include_folders(request));
  if (!includes.complete)
    return tl::unexpected(
        CompileFailure{fmt::format("{} includes a file through a macro; the pack cannot know which",
                                   request.source_path.string()),
                       {}});
  auto headers = headers_of(includes, request);
  if (!headers) return tl::unexpected(std::move(headers.error()));
  CompileRequest without_folders = request;
  without_folders.include_folders.clear();
  const auto name = "/" / request.source_path.parent_path().filename() / request.source_path.filename();
  const NvrtcProgram program{request.source, name.string(), std::move(*headers),
                             nvrtc_options(without_folders, library)};
  const auto output = run_nvrtc(library, program, request);
  if (!output) return tl::unexpected(output.error());
  return Entry{source_hash(request.source, includes),
               isa::arch_name(request.arch),
               "NVRTC " + library.version(),
               request.macros,
               request.options,
               output->cubin,
               output->log};
}

}  // namespace gemmscope::compile
