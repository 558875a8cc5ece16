#include "catalog/catalog.h"

#include <algorithm>
#include <tuple>

namespace gemmscope::catalog {
namespace {

namespace fs = std::filesystem;

// Puts the ladder first and the labs last.
int folder_rank(const fs::path& file) {
  const fs::path folder = file.parent_path().filename();
  return folder == "workbench" ? 1 : folder == "labs" ? 2 : 0;
}

Result<std::vector<fs::path>> kernel_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, error);
  while (!error && entry != fs::recursive_directory_iterator()) {
    if (entry->path().extension() == ".cu") files.push_back(entry->path());
    entry.increment(error);
  }
  if (error) {
    return fail(
        "The folder of kernels {} cannot be read: {}. Set GEMMSCOPE_DATA to the folder that holds kernels/.",
        folder.string(), error.message());
  }
  std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
    return std::tuple(folder_rank(a), a.filename(), a) < std::tuple(folder_rank(b), b.filename(), b);
  });
  return files;
}

// "register_tile" of "07_register_tile"; empty where no number leads.
std::string_view name_behind_number(std::string_view id) {
  const size_t digits = std::min(id.find_first_not_of("0123456789"), id.size());
  return digits > 0 && digits < id.size() && id[digits] == '_' ? id.substr(digits + 1) : std::string_view{};
}

}  // namespace

const Kernel* Catalog::find(std::string_view id) const {
  const auto found =
      std::find_if(kernels.begin(), kernels.end(), [&](const Kernel& k) { return k.id == id; });
  return found == kernels.end() ? nullptr : &*found;
}

const Kernel* Catalog::find_renumbered(std::string_view id) const {
  const std::string_view name = name_behind_number(id);
  if (name.empty()) return nullptr;
  const Kernel* found = nullptr;
  for (const Kernel& kernel : kernels) {
    if (kernel.id == id || name_behind_number(kernel.id) != name) continue;
    if (found != nullptr) return nullptr;
    found = &kernel;
  }
  return found;
}

Grade declared_grade(const Kernel& kernel) {
  if (kernel.tf32) return Grade::tf32;
  for (const Parameter& p : kernel.parameters)
    if (p.role == 'A' && is_float(p.type) && size_of(p.type) == 2) return Grade::bf16;
  return Grade::fp32;
}

Catalog read_catalog(const fs::path& folder) {
  Catalog catalog;
  const Result<std::vector<fs::path>> files = kernel_files(folder);
  if (!files) {
    catalog.errors.push_back(files.error());
    return catalog;
  }
  for (const fs::path& file : *files) {
    Result<Kernel> kernel = read_kernel(file);
    if (!kernel) {
      catalog.errors.push_back(kernel.error());
    } else if (const Kernel* other = catalog.find(kernel->id)) {
      catalog.errors.push_back({fmt::format("{}: {} has the same file name; rename one of the two.",
                                            file.string(), other->path.string())});
    } else {
      catalog.kernels.push_back(*std::move(kernel));
    }
  }
  return catalog;
}

}  // namespace gemmscope::catalog
