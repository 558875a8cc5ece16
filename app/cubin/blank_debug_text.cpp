#include "cubin/blank_debug_text.h"

#include <algorithm>

#include "cubin/elf_file.h"

namespace gemmscope::cubin {

Result<void> blank_debug_text(std::span<std::byte> cubin, std::string_view origin) {
  const auto elf = read_elf(cubin, origin);
  if (!elf) return tl::unexpected(elf.error());
  for (const char* name : {".nv_debug_ptx_txt", ".nv_debug_line_sass"}) {
    const uint32_t section = elf->find(name);
    if (section == 0) continue;
    const std::span<const std::byte> bytes = elf->sections[section].bytes;
    const auto offset = static_cast<size_t>(bytes.data() - cubin.data());
    std::ranges::fill(cubin.subspan(offset, bytes.size()), std::byte{0});
  }
  return {};
}

}  // namespace gemmscope::cubin
