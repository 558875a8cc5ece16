// The parts of a cubin's ELF file that the program reads: sections, symbols, relocations. libelf reads the
// headers; every offset and size is checked against the file before a byte is read.
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
  std::span<const std::byte> bytes;  // empty for SHT_NOBITS
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
  int64_t addend = 0;   // from the entry (RELA) or from the bytes that it changes (REL)
};

// The views point into the bytes given to read_elf.
struct ElfFile {
  int sm_number = 0;
  std::vector<Section> sections;
  std::vector<Symbol> symbols;
  std::unordered_map<std::string_view, uint32_t> section_indexes;  // by name; the first section of each name

  // Returns the index of the section, or 0 (the null section) if there is none.
  uint32_t find(std::string_view name) const;
};

// Errors: not ELF, not 64-bit CUDA, not linked, truncated, sections that overlap or lie outside the file.
Result<ElfFile> read_elf(std::span<const std::byte> bytes, std::string_view origin);

// Reads the relocations of section `target`. Errors: entries that are truncated, name no symbol, or change
// bytes outside the section.
Result<std::vector<Relocation>> read_relocations(const ElfFile& elf, uint32_t target,
                                                 std::string_view origin);

}  // namespace gemmscope::cubin
