#include "cubin/elf_file.h"

#include <gelf.h>

#include <cstring>
#include <memory>

#include "cubin/byte_reader.h"

namespace gemmscope::cubin {
namespace {

constexpr uint16_t kMachineCuda = 190;  // EM_CUDA
// A value of e_ident[EI_ABIVERSION]. Earlier ABIs keep the SM number in the lowest byte of e_flags.
constexpr uint8_t kAbiWithSmInSecondByte = 8;

struct ElfCloser {
  void operator()(Elf* elf) const { elf_end(elf); }
};
using ElfHandle = std::unique_ptr<Elf, ElfCloser>;

Result<GElf_Ehdr> read_header(Elf* elf, std::string_view origin) {
  GElf_Ehdr header;
  if (elf_kind(elf) != ELF_K_ELF || gelf_getehdr(elf, &header) == nullptr)
    return fail("{} is not an ELF file, so it is not a cubin", origin);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
    return fail("{} is not a 64-bit little-endian ELF file, so it is not a cubin", origin);
  if (header.e_machine != kMachineCuda)
    return fail("{} is an ELF file for machine {}, not for CUDA ({})", origin, header.e_machine,
                kMachineCuda);
  if (header.e_type != ET_EXEC)
    return fail("{} is a cubin that is not linked (ELF type {}); compile it without relocatable device code",
                origin, header.e_type);
  return header;
}

// The string at `offset` of a string table; empty if the table is too short.
std::string_view string_at(const Section& table, uint64_t offset) {
  if (offset >= table.bytes.size()) return {};
  return ByteReader(table.bytes, offset).c_string();
}

Result<std::vector<Section>> read_sections(Elf* elf, std::span<const std::byte> bytes,
                                           std::string_view origin) {
  size_t count = 0, name_table = 0;
  if (elf_getshdrnum(elf, &count) != 0 || elf_getshdrstrndx(elf, &name_table) != 0 || count == 0 ||
      name_table >= count || count > bytes.size() / sizeof(Elf64_Shdr))
    return fail(
        "{} has no section table, or one that lies outside the file: the file is truncated or damaged",
        origin);
  std::vector<Section> sections(count);
  std::vector<uint64_t> name_offsets(count);
  uint64_t bytes_in_sections = 0;
  for (size_t i = 1; i < count; ++i) {
    GElf_Shdr header;
    if (gelf_getshdr(elf_getscn(elf, i), &header) == nullptr)
      return fail("{}: the header of section {} cannot be read: {}", origin, i, elf_errmsg(-1));
    Section& section = sections[i];
    section.type = header.sh_type;
    section.link = header.sh_link;
    section.info = header.sh_info;
    section.size = header.sh_size;
    section.alignment = header.sh_addralign == 0 ? 1 : header.sh_addralign;
    name_offsets[i] = header.sh_name;
    if (header.sh_type == SHT_NOBITS || header.sh_type == SHT_NULL) continue;
    if (header.sh_offset > bytes.size() || header.sh_size > bytes.size() - header.sh_offset)
      return fail("{}: section {} lies outside the file ({} bytes): the file is truncated", origin, i,
                  bytes.size());
    section.bytes = bytes.subspan(header.sh_offset, header.sh_size);
    bytes_in_sections += header.sh_size;
  }
  // Overlapping sections would let a small file demand any amount of memory.
  if (bytes_in_sections > bytes.size()) return fail("{}: its sections overlap; the file is damaged", origin);
  for (size_t i = 1; i < count; ++i) sections[i].name = string_at(sections[name_table], name_offsets[i]);
  return sections;
}

Result<std::vector<Symbol>> read_symbols(const std::vector<Section>& sections, std::string_view origin) {
  std::vector<Symbol> symbols;
  for (const Section& section : sections) {
    if (section.type != SHT_SYMTAB) continue;
    if (section.link >= sections.size() || section.bytes.size() % sizeof(Elf64_Sym) != 0 || !symbols.empty())
      return fail("{}: the symbol table is damaged", origin);
    ByteReader reader(section.bytes);
    while (!reader.at_end()) {
      const auto raw = reader.read<Elf64_Sym>();
      const bool defined = raw.st_shndx != SHN_UNDEF && raw.st_shndx < SHN_LORESERVE;
      if (defined && raw.st_shndx >= sections.size())
        return fail("{}: symbol {} names section {}, which does not exist", origin, symbols.size(),
                    raw.st_shndx);
      symbols.push_back({string_at(sections[section.link], raw.st_name),
                         static_cast<uint8_t>(ELF64_ST_TYPE(raw.st_info)), raw.st_other,
                         defined ? raw.st_shndx : uint16_t{0}, raw.st_value, raw.st_size});
    }
  }
  return symbols;
}

// REL entries keep their addend in the 8 bytes that they change.
int64_t addend_in_place(const Section& section, uint64_t offset) {
  return ByteReader(section.bytes, offset).read<int64_t>();
}

}  // namespace

uint32_t ElfFile::find(std::string_view name) const {
  const auto found = section_indexes.find(name);
  return found == section_indexes.end() ? 0 : found->second;
}

Result<ElfFile> read_elf(std::span<const std::byte> bytes, std::string_view origin) {
  if (elf_version(EV_CURRENT) == EV_NONE) return fail("libelf is too old to read {}", origin);
  // libelf asks for a mutable pointer but writes only on elf_update, which is never called.
  auto* image = const_cast<char*>(reinterpret_cast<const char*>(bytes.data()));
  if (bytes.size() < sizeof(Elf64_Ehdr))
    return fail("{} is too short ({} bytes) for a cubin", origin, bytes.size());
  const ElfHandle handle(elf_memory(image, bytes.size()));
  if (!handle) return fail("{} cannot be read as an ELF file: {}", origin, elf_errmsg(-1));
  const auto header = read_header(handle.get(), origin);
  if (!header) return tl::unexpected(header.error());
  ElfFile elf;
  elf.sm_number = header->e_ident[EI_ABIVERSION] >= kAbiWithSmInSecondByte ? header->e_flags >> 8 & 0xff
                                                                           : header->e_flags & 0xff;
  auto sections = read_sections(handle.get(), bytes, origin);
  if (!sections) return tl::unexpected(sections.error());
  elf.sections = std::move(*sections);
  for (uint32_t i = 1; i < elf.sections.size(); ++i) elf.section_indexes.try_emplace(elf.sections[i].name, i);
  auto symbols = read_symbols(elf.sections, origin);
  if (!symbols) return tl::unexpected(symbols.error());
  elf.symbols = std::move(*symbols);
  return elf;
}

Result<std::vector<Relocation>> read_relocations(const ElfFile& elf, uint32_t target,
                                                 std::string_view origin) {
  std::vector<Relocation> relocations;
  const Section& changed = elf.sections[target];
  for (const Section& section : elf.sections) {
    const bool with_addend = section.type == SHT_RELA;
    if ((!with_addend && section.type != SHT_REL) || section.info != target) continue;
    ByteReader reader(section.bytes);
    while (!reader.at_end()) {
      const auto place = reader.read<Elf64_Rel>();
      Relocation relocation{place.r_offset, static_cast<uint32_t>(ELF64_R_TYPE(place.r_info)),
                            static_cast<uint32_t>(ELF64_R_SYM(place.r_info)), 0};
      relocation.addend = with_addend ? reader.read<int64_t>() : addend_in_place(changed, relocation.offset);
      const bool inside = changed.bytes.size() >= 8 && relocation.offset <= changed.bytes.size() - 8;
      if (reader.failed() || !inside || relocation.symbol >= elf.symbols.size())
        return fail("{}: a relocation of section {} is damaged", origin, changed.name);
      relocations.push_back(relocation);
    }
  }
  return relocations;
}

}  // namespace gemmscope::cubin
