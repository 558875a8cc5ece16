// The parts of a cubin's ELF file that the program reads: sections, symbols, relocations. libelf reads the
// headers; every offset and size is checked here against the file before a byte behind it is touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/error.h"

namespace gemmscope::cubin {

struct Section {
  std::string_view name;
  uint32_t type = 0, link = 0, info = 0;
  uint64_t size = 0, alignment = 1;
  std::span<const std::byte> bytes;  // none for SHT_NOBITS
};

struct Symbol {
  std::string_view name;
  uint8_t type = 0, other = 0;  // STT_…; NVIDIA's flags in `other`
  uint16_t section = 0;         // 0: not defined in this file
  uint64_t value = 0, size = 0;
};

struct Relocation {
  uint64_t offset = 0;  // in the section that it changes
  uint32_t type = 0;
  uint32_t symbol = 0;  // index into ElfFile::symbols
  int64_t addend = 0;   // from the entry (RELA) or from the place itself (REL)
};

// Views point into the bytes that were given to read_elf.
struct ElfFile {
  int sm_number = 0;
  std::vector<Section> sections;
  std::vector<Symbol> symbols;
  std::unordered_map<std::string_view, uint32_t> section_indexes;  // by name, the first of each

  // Index of the section, or 0 (the null section) where there is none.
  uint32_t find(std::string_view name) const;
};

// Errors: not ELF, not 64-bit CUDA, not linked, truncated, sections out of the file or overlapping.
Result<ElfFile> read_elf(std::span<const std::byte> bytes, std::string_view origin);

// The relocations of section `target`. Errors: entries that are cut off, or that name no symbol or a place
// outside.
Result<std::vector<Relocation>> read_relocations(const ElfFile& elf, uint32_t target,
                                                 std::string_view origin);

}  // namespace gemmscope::cubin
