#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "catalog/catalog.h"
#include "catalog/expression.h"
#include "targets.h"

namespace gemmscope::fuzz {
namespace {

// A folder of this process with one file in it, which each input overwrites.
class KernelFile {
 public:
  KernelFile()
      : folder_(std::filesystem::temp_directory_path() / ("gemmscope-fuzz-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~KernelFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  KernelFile(const KernelFile&) = delete;
  KernelFile& operator=(const KernelFile&) = delete;

  std::filesystem::path write(std::string_view text) const {
    const std::filesystem::path path = folder_ / "kernel.cu";
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

 private:
  std::filesystem::path folder_;
};

void launch_it(const catalog::Kernel& kernel) {
  for (const int64_t size : {int64_t{1}, int64_t{130}, int64_t{46340}, int64_t{1} << 62}) {
    const auto launch = catalog::launch_for(kernel, {size, size, size}, {});
    if (!launch) continue;
    require(launch->block[0] * launch->block[1] * launch->block[2] <= 1024,
            "a block has at most 1,024 threads");
    require(launch->grid[0] > 0 && launch->grid[1] > 0 && launch->grid[2] > 0, "a grid has blocks");
  }
}

}  // namespace

void description(Bytes bytes) {
  static const KernelFile file;
  const auto kernel = catalog::read_kernel(file.write(text_of(bytes)));
  if (!kernel) return require(!kernel.error().message.empty(), "a refusal says why");
  require(kernel->source == text_of(bytes), "a kernel keeps its source");
  launch_it(*kernel);
}

void expression(Bytes bytes) {
  const std::string_view text = text_of(bytes);
  const catalog::Values values = {{"M", 256}, {"N", INT64_MAX}, {"K", INT64_MIN}, {"Z", 0}, {"W", -1}};
  const auto checked = catalog::check_expression(text, values);
  const auto value = catalog::evaluate(text, values);
  require(checked || !value, "what is computed has the right syntax");
}

}  // namespace gemmscope::fuzz
