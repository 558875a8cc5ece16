// gemmscope-pack: builds the prebuilt machine code of the program's own kernels, at their default toggles,
// into assets/pack/.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <set>

#include "catalog/catalog.h"
#include "compile/file_io.h"
#include "compile/pack.h"

namespace {

using namespace gemmscope;

compile::CompileRequest request_for(const catalog::Kernel& kernel,
                                    const std::filesystem::path& include_folder, isa::Arch arch) {
  compile::CompileRequest request;
  request.source = kernel.source;
  request.source_path = kernel.path;
  request.include_folders = {include_folder};
  request.arch = arch;
  for (const catalog::Toggle& toggle : kernel.toggles)
    request.macros[toggle.name] = std::to_string(toggle.default_value);
  for (const catalog::Input& input : kernel.inputs)
    request.macros[input.name] = catalog::checked_input(input, input.default_value).value_or("");
  return request;
}

Result<std::filesystem::path> write_entry(const compile::CompileRequest& request,
                                          const compile::NvrtcLibrary& library,
                                          const std::filesystem::path& pack_folder) {
  const auto entry = compile::make_pack_entry(request, library);
  if (!entry) return fail("{}", entry.error().message);
  const auto path = compile::pack_path(pack_folder, request.source_path, request.arch);
  const auto written = compile::write_file_atomically(path, compile::encode_entry(*entry));
  if (!written) return tl::unexpected(written.error());
  fmt::print("{}: {} bytes of machine code\n", path.filename().string(), entry->cubin.size());
  return path;
}

// Removes the entries of kernels that no longer exist.
void remove_others(const std::filesystem::path& pack_folder, const std::set<std::filesystem::path>& kept) {
  for (const auto& place : std::filesystem::directory_iterator(pack_folder)) {
    if (place.path().extension() != ".gsc" || kept.contains(place.path())) continue;
    fmt::print("{}: removed, because its kernel no longer exists\n", place.path().filename().string());
    std::filesystem::remove(place.path());
  }
}

Result<void> build_pack(const std::filesystem::path& kernels_folder,
                        const std::filesystem::path& pack_folder) {
  const auto& library = compile::nvrtc_library();
  if (!library) return tl::unexpected(library.error());
  const auto catalog = catalog::read_catalog(kernels_folder);
  if (!catalog.errors.empty()) return tl::unexpected(catalog.errors.front());
  std::filesystem::create_directories(pack_folder);
  std::filesystem::current_path("/");  // see make_pack_entry
  std::set<std::filesystem::path> written;
  for (const catalog::Kernel& kernel : catalog.kernels)
    for (const isa::Arch arch : compile::kPackArchs) {
      const auto path =
          write_entry(request_for(kernel, kernels_folder / "include", arch), *library, pack_folder);
      if (!path) return tl::unexpected(path.error());
      written.insert(*path);
    }
  remove_others(pack_folder, written);
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  std::filesystem::path kernels_folder = catalog::kernels_folder(),
                        pack_folder = catalog::assets_folder() / "pack";
  CLI::App app("Compiles the program's own kernels into the prebuilt pack of machine code");
  app.add_option("--kernels", kernels_folder, "folder that holds ladder/, labs/ and include/")
      ->capture_default_str();
  app.add_option("--output", pack_folder,
                 "folder of the pack; entries of kernels that no longer exist are removed")
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    const auto built =
        build_pack(std::filesystem::absolute(kernels_folder), std::filesystem::absolute(pack_folder));
    if (built) return 0;
    fmt::print(stderr, "gemmscope-pack: {}\n", built.error().message);
  } catch (const std::filesystem::filesystem_error& error) {
    fmt::print(stderr, "gemmscope-pack: {}\n", error.what());
  }
  return 1;
}
