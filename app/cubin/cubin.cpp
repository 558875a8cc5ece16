#include "cubin/cubin.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

#include "cubin/elf_file.h"
#include "cubin/kernel_info.h"
#include "cubin/line_table.h"

namespace gemmscope::cubin {
namespace {

constexpr uint8_t kEntryFlag = 0x10;  // st_other: a kernel, not a device function
constexpr uint64_t kInstructionBytes = 16;
constexpr uint32_t kHopperReservedBytes = 1024;
constexpr uint64_t kMostSharedBytes = 1u << 20;  // far more than any GPU has
// The most bytes of __device__ variables, so that a damaged size is not allocated.
constexpr uint64_t kMostGlobalBytes = 256u << 20;
constexpr int kMostRegisters = 255;
constexpr uint32_t kRelocation64 = 2, kRelocationGeneric64 = 4;

std::vector<std::byte> bytes_of(const ElfFile& elf, const std::string& name) {
  const auto bytes = elf.sections[elf.find(name)].bytes;
  return {bytes.begin(), bytes.end()};
}

uint64_t align_up(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

// The places of the two sections of __device__ variables in Cubin::global_image.
struct GlobalLayout {
  uint32_t initialized_section = 0, zero_section = 0;  // 0: absent
  uint64_t zero_offset = 0, size = 0;

  std::optional<uint64_t> offset_of(uint32_t section) const {
    if (section == 0) return {};
    if (section == initialized_section) return 0;
    if (section == zero_section) return zero_offset;
    return {};
  }
};

Result<GlobalLayout> lay_out_globals(const ElfFile& elf, std::string_view origin) {
  GlobalLayout layout{elf.find(".nv.global.init"), elf.find(".nv.global"), 0, 0};
  const uint64_t initialized = elf.sections[layout.initialized_section].bytes.size();
  const Section& zeroes = elf.sections[layout.zero_section];
  if (zeroes.size > kMostGlobalBytes || zeroes.alignment > kMostGlobalBytes || initialized > kMostGlobalBytes)
    return fail("{}: its __device__ variables take more than {} MiB, which is more than the program can hold",
                origin, kMostGlobalBytes >> 20);
  layout.zero_offset = align_up(initialized, zeroes.alignment);
  layout.size = layout.zero_section == 0 ? initialized : layout.zero_offset + zeroes.size;
  return layout;
}

void read_globals(const ElfFile& elf, const GlobalLayout& layout, Cubin& cubin) {
  cubin.global_image.resize(layout.size);
  const auto initialized = elf.sections[layout.initialized_section].bytes;
  std::copy(initialized.begin(), initialized.end(), cubin.global_image.begin());
  for (const Symbol& symbol : elf.symbols) {
    const auto base = layout.offset_of(symbol.section);
    if (!base || symbol.type != STT_OBJECT || symbol.value > layout.size - *base ||
        symbol.size > layout.size - *base - symbol.value)
      continue;  // damaged
    cubin.globals.push_back({std::string(symbol.name), *base + symbol.value, symbol.size});
  }
}

Result<AddressRelocation> resolve(const ElfFile& elf, const GlobalLayout& layout,
                                  const Relocation& relocation, std::string_view origin) {
  using Target = AddressRelocation::Target;
  const Symbol& symbol = elf.symbols[relocation.symbol];
  if (relocation.type != kRelocation64 && relocation.type != kRelocationGeneric64)
    return fail("{}: the address of {} is stored in an unknown form (relocation type {})", origin,
                symbol.name, relocation.type);
  AddressRelocation result;
  result.offset = relocation.offset;
  result.target_offset = symbol.value + static_cast<uint64_t>(relocation.addend);
  result.target_name = std::string(symbol.name);
  const std::string_view section = elf.sections[symbol.section].name;
  if (symbol.section == 0) {
    result.target = Target::external;
  } else if (const auto base = layout.offset_of(symbol.section)) {
    result.target = Target::global_image;
    result.target_offset += *base;
  } else if (section == ".nv.constant3") {
    result.target = Target::constant3;
  } else if (section.starts_with(".text.")) {
    result.target = Target::code;
    result.target_name = std::string(section.substr(strlen(".text.")));
  } else {
    return fail("{}: it uses the address of {} in section {}, which the program cannot place", origin,
                symbol.name, section);
  }
  return result;
}

Result<void> read_address_relocations(const ElfFile& elf, const GlobalLayout& layout, std::string_view origin,
                                      Cubin& cubin) {
  using Place = AddressRelocation::Place;
  const std::pair<uint32_t, Place> places[] = {{elf.find(".nv.constant3"), Place::constant3},
                                               {elf.find(".nv.constant4"), Place::constant4},
                                               {layout.initialized_section, Place::global_image}};
  for (const auto& [section, place] : places) {
    if (section == 0) continue;
    const auto relocations = read_relocations(elf, section, origin);
    if (!relocations) return tl::unexpected(relocations.error());
    for (const Relocation& relocation : *relocations) {
      auto resolved = resolve(elf, layout, relocation, origin);
      if (!resolved) return tl::unexpected(resolved.error());
      resolved->place = place;
      cubin.relocations.push_back(std::move(*resolved));
    }
  }
  return {};
}

Result<void> read_code(const ElfFile& elf, uint32_t section, std::string_view origin, KernelCode& kernel) {
  const auto code = elf.sections[section].bytes;
  if (code.empty() || code.size() % kInstructionBytes != 0)
    return fail("{}: the code of {} has {} bytes, which is not a whole number of instructions", origin,
                kernel.name, code.size());
  const auto relocations = read_relocations(elf, section, origin);
  if (!relocations) return tl::unexpected(relocations.error());
  if (!relocations->empty())
    return fail("{}: the code of {} is not linked ({} relocations)", origin, kernel.name,
                relocations->size());
  kernel.words.resize(code.size() / sizeof(uint64_t));
  std::memcpy(kernel.words.data(), code.data(), code.size());
  return {};
}

Result<void> read_shared_size(const ElfFile& elf, isa::Arch arch, std::string_view origin,
                              KernelCode& kernel) {
  const uint64_t size = elf.sections[elf.find(".nv.shared." + kernel.name)].size;
  kernel.reserved_shared_bytes = arch == isa::Arch::sm_90 ? kHopperReservedBytes : 0;
  if (size > kMostSharedBytes || (size != 0 && size < kernel.reserved_shared_bytes))
    return fail("{}: the shared memory of {} has an impossible size of {} bytes", origin, kernel.name, size);
  kernel.static_shared_bytes = size == 0 ? 0 : static_cast<uint32_t>(size) - kernel.reserved_shared_bytes;
  return {};
}

Result<KernelCode> read_kernel(const ElfFile& elf, const Symbol& symbol, const FunctionInfo& info,
                               isa::Arch arch, std::string_view origin) {
  KernelCode kernel;
  kernel.name = std::string(symbol.name);
  kernel.registers = info.registers;
  kernel.stack_bytes = info.frame_bytes;
  kernel.parameter_base = arch == isa::Arch::sm_90 ? 0x210 : 0x160;
  if (info.registers < 0 || info.registers > kMostRegisters)
    return fail("{}: {} uses {} registers; the limit is {}", origin, kernel.name, info.registers,
                kMostRegisters);
  if (symbol.value != 0)
    return fail("{}: the kernel {} does not begin at the start of its code section", origin, kernel.name);
  auto done = read_code(elf, symbol.section, origin, kernel);
  if (done) done = read_shared_size(elf, arch, origin, kernel);
  const Section& attributes = elf.sections[elf.find(".nv.info." + kernel.name)];
  if (done) done = read_kernel_info(attributes, origin, kernel);
  if (!done) return tl::unexpected(done.error());
  kernel.constant2 = bytes_of(elf, ".nv.constant2." + kernel.name);
  return kernel;
}

Result<void> read_kernels(const ElfFile& elf, LineTable& lines, std::string_view origin, Cubin& cubin) {
  const auto functions = read_function_info(elf, origin);
  if (!functions) return tl::unexpected(functions.error());
  for (uint32_t i = 0; i < elf.symbols.size(); ++i) {
    const Symbol& symbol = elf.symbols[i];
    if (symbol.type != STT_FUNC || (symbol.other & kEntryFlag) == 0) continue;
    if (elf.sections[symbol.section].name != ".text." + std::string(symbol.name))
      return fail("{}: there is no code for the kernel {}", origin, symbol.name);
    const auto info = functions->find(i);
    if (info == functions->end()) return fail("{}: .nv.info has no record of {}", origin, symbol.name);
    auto kernel = read_kernel(elf, symbol, info->second, cubin.arch, origin);
    if (!kernel) return tl::unexpected(kernel.error());
    kernel->lines = std::move(lines.rows_by_section[symbol.section]);
    kernel->calls = std::move(lines.calls_by_section[symbol.section]);
    if (cubin.find(kernel->name) != nullptr) return fail("{}: there are two kernels {}", origin, symbol.name);
    cubin.kernels.push_back(std::move(*kernel));
  }
  return {};
}

}  // namespace

const KernelCode* Cubin::find(std::string_view kernel_name) const {
  for (const KernelCode& kernel : kernels)
    if (kernel.name == kernel_name) return &kernel;
  return nullptr;
}

Result<Cubin> read_cubin(std::span<const std::byte> bytes, std::string_view origin) {
  const auto elf = read_elf(bytes, origin);
  if (!elf) return tl::unexpected(elf.error());
  const auto arch = isa::arch_from_number(elf->sm_number);
  if (!arch)
    return fail(
        "{} is machine code for sm_{}, which the program does not know; compile it for sm_75, 80, 86, 89 or "
        "90",
        origin, elf->sm_number);
  Cubin cubin;
  cubin.arch = *arch;
  auto lines = read_line_table(*elf, origin);
  if (!lines) return tl::unexpected(lines.error());
  cubin.files = std::move(lines->files);
  auto done = read_kernels(*elf, *lines, origin, cubin);
  const auto layout = lay_out_globals(*elf, origin);
  if (done && !layout) done = tl::unexpected(layout.error());
  if (done) read_globals(*elf, *layout, cubin);
  if (done) done = read_address_relocations(*elf, *layout, origin, cubin);
  if (!done) return tl::unexpected(done.error());
  cubin.constant3 = bytes_of(*elf, ".nv.constant3");
  cubin.constant4 = bytes_of(*elf, ".nv.constant4");
  return cubin;
}

const LineEntry* line_at(const KernelCode& kernel, uint32_t address) {
  const auto after =
      std::upper_bound(kernel.lines.begin(), kernel.lines.end(), address,
                       [](uint32_t wanted, const LineEntry& row) { return wanted < row.address; });
  if (after == kernel.lines.begin() || address >= kernel.code_bytes()) return nullptr;
  return &*std::prev(after);
}

std::vector<SourceLine> inline_chain(const KernelCode& kernel, uint32_t address) {
  const LineEntry* const line = line_at(kernel, address);
  if (line == nullptr) return {};
  std::vector<SourceLine> chain = {{line->file, line->line}};
  for (uint32_t call = line->call; call != kNoCall; call = kernel.calls[call].outer)
    chain.push_back({kernel.calls[call].file, kernel.calls[call].line});
  return chain;
}

}  // namespace gemmscope::cubin
