#include "cubin/write_cubin.h"

#include <elf.h>

#include <algorithm>
#include <cstring>

#include "cubin/byte_reader.h"
#include "cubin/cubin.h"
#include "cubin/elf_file.h"

namespace gemmscope::cubin {
namespace {

constexpr int kMostRegisters = 255;
constexpr uint8_t kFormatSized = 4, kRegcount = 0x2f;
constexpr uint32_t kInstructionBytes = 16;
// Up to sm_89 the section header of the code repeats the register count in its highest byte.
constexpr int kRegistersShift = 24;

// Attributes of .nv.info.<kernel> whose payload holds addresses of instructions.
bool names_addresses(uint8_t attribute) {
  constexpr uint8_t kExits = 0x1c, kCooperativeGroups = 0x28, kWarpWide = 0x31, kBranchTargets = 0x34,
                    kMbarriers = 0x39;
  return attribute == kExits || attribute == kCooperativeGroups || attribute == kWarpWide ||
         attribute == kBranchTargets || attribute == kMbarriers;
}

struct Place {
  size_t offset = 0, size = 0;  // in the file
};

Place place_of(const Section& section, std::span<const std::byte> file) {
  if (section.bytes.empty()) return {};
  return {static_cast<size_t>(section.bytes.data() - file.data()), section.bytes.size()};
}

template <typename T>
void put(std::vector<std::byte>& file, size_t offset, T value) {
  std::memcpy(file.data() + offset, &value, sizeof value);
}

// Visits each record of an attribute section: visit(attribute, payload, its offset in the section).
template <typename Visit>
void for_records(const Section& section, Visit visit) {
  size_t offset = 0;
  while (offset + 4 <= section.bytes.size()) {
    ByteReader reader(section.bytes, offset);
    const auto format = reader.read<uint8_t>();
    const auto attribute = reader.read<uint8_t>();
    const auto value = reader.read<uint16_t>();
    offset += 4;
    if (format != kFormatSized) continue;
    const size_t size = std::min<size_t>(value, section.bytes.size() - offset);
    visit(attribute, section.bytes.subspan(offset, size), offset);
    offset += size;
  }
}

uint32_t word_at(std::span<const std::byte> bytes, size_t offset) {
  return ByteReader(bytes, offset).read<uint32_t>();
}

uint32_t symbol_of(const ElfFile& elf, std::string_view kernel) {
  for (uint32_t i = 0; i < elf.symbols.size(); ++i)
    if (elf.symbols[i].type == STT_FUNC && elf.symbols[i].name == kernel) return i;
  return 0;
}

void write_registers(const ElfFile& elf, std::span<const std::byte> bytes, const CodeChange& change,
                     std::vector<std::byte>& file) {
  const Section& info = elf.sections[elf.find(".nv.info")];
  const size_t at = place_of(info, bytes).offset;
  const uint32_t symbol = symbol_of(elf, change.kernel);
  for_records(info, [&](uint8_t attribute, std::span<const std::byte> payload, size_t offset) {
    if (attribute == kRegcount && payload.size() >= 8 && word_at(payload, 0) == symbol)
      put(file, at + offset + 4, static_cast<uint32_t>(change.registers));
  });
  const uint32_t section = elf.find(".text." + change.kernel);
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  const size_t place = header.e_shoff + size_t{section} * header.e_shentsize + offsetof(Elf64_Shdr, sh_info);
  const uint32_t before = elf.sections[section].info;
  if (before >> kRegistersShift != 0)
    put(file, place,
        (before & ((1u << kRegistersShift) - 1)) | static_cast<uint32_t>(change.registers)
                                                       << kRegistersShift);
}

std::vector<uint32_t> addresses_in(const ElfFile& elf, std::string_view kernel, size_t code_bytes) {
  std::vector<uint32_t> addresses;
  const Section& info = elf.sections[elf.find(".nv.info." + std::string(kernel))];
  for_records(info, [&](uint8_t attribute, std::span<const std::byte> payload, size_t) {
    if (!names_addresses(attribute)) return;
    for (size_t i = 0; i + 4 <= payload.size(); i += 4)
      if (const uint32_t address = word_at(payload, i);
          address < code_bytes && address % kInstructionBytes == 0)
        addresses.push_back(address);
  });
  std::sort(addresses.begin(), addresses.end());
  addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
  return addresses;
}

}  // namespace

Result<std::vector<uint32_t>> named_addresses(std::span<const std::byte> bytes, std::string_view kernel,
                                              std::string_view origin) {
  const auto elf = read_elf(bytes, origin);
  if (!elf) return tl::unexpected(elf.error());
  return addresses_in(*elf, kernel, elf->sections[elf->find(".text." + std::string(kernel))].bytes.size());
}

Result<std::vector<std::byte>> write_cubin(std::span<const std::byte> bytes, const CodeChange& change,
                                           std::string_view origin) {
  const auto cubin = read_cubin(bytes, origin);
  if (!cubin) return tl::unexpected(cubin.error());
  const KernelCode* const kernel = cubin->find(change.kernel);
  if (kernel == nullptr) return fail("{} has no kernel {}", origin, change.kernel);
  if (change.words.size() != kernel->words.size())
    return fail(
        "{}: the new code of {} has {} instructions in place of {}; only code of the same length can "
        "be written",
        origin, change.kernel, change.words.size() / 2, kernel->instruction_count());
  if (change.registers < 0 || change.registers > kMostRegisters)
    return fail("{}: {} cannot have {} registers; the limit is {}", origin, change.kernel, change.registers,
                kMostRegisters);
  const auto elf = read_elf(bytes, origin);
  if (!elf) return tl::unexpected(elf.error());
  constexpr uint64_t kOpcodeAndForm = 0xfff;
  for (const uint32_t address : addresses_in(*elf, change.kernel, kernel->code_bytes()))
    if ((kernel->words[address / 8] ^ change.words[address / 8]) & kOpcodeAndForm)
      return fail("{}: the instruction at {:#06x} of {} is named in the file and cannot be moved", origin,
                  address, change.kernel);
  std::vector<std::byte> file(bytes.begin(), bytes.end());
  const Place code = place_of(elf->sections[elf->find(".text." + change.kernel)], bytes);
  std::memcpy(file.data() + code.offset, change.words.data(), code.size);
  if (change.registers != 0 && change.registers != kernel->registers)
    write_registers(*elf, bytes, change, file);
  return file;
}

}  // namespace gemmscope::cubin
