// A cubin: the ELF file that NVRTC produces (cubin/README.md, Sections).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "isa/arch.h"

namespace gemmscope::cubin {

// A kernel parameter: bytes [offset, offset + size) from the start of the parameter space.
struct Parameter {
  uint32_t ordinal = 0, offset = 0, size = 0;
};

inline constexpr uint32_t kNoCall = 0xffffffff;

// The instructions from `address` up to the next entry come from `file`:`line`.
struct LineEntry {
  uint32_t address = 0;
  uint32_t file = 0;        // index into Cubin::files
  uint32_t line = 0;        // 1-based
  uint32_t call = kNoCall;  // index into KernelCode::calls: the call that was inlined there
};

// A call at `file`:`line` that was inlined.
struct InlinedCall {
  uint32_t file = 0, line = 0;
  uint32_t outer = kNoCall;  // the call around it, a smaller index into KernelCode::calls
};
inline constexpr int kMostInlinedCalls = 64;  // around one instruction

struct KernelCode {
  std::string name;
  std::vector<uint64_t> words;         // low and high word of each instruction
  int registers = 0;                   // per thread
  uint32_t static_shared_bytes = 0;    // as declared, without the reserved bytes
  uint32_t reserved_shared_bytes = 0;  // 1,024 on sm_90 at the start of the window, else 0
  uint32_t stack_bytes = 0;            // local-memory frame per thread
  int barriers = 0;                    // named CTA barriers in use
  uint32_t parameter_base = 0;         // offset in constant bank 0: 0x160, or 0x210 on sm_90
  uint32_t parameter_bytes = 0;
  std::vector<Parameter> parameters;      // by ordinal
  std::array<uint32_t, 3> max_threads{};  // launch bounds; 0: not given
  std::vector<std::byte> constant2;       // the kernel's own literals
  std::vector<LineEntry> lines;           // by address
  std::vector<InlinedCall> calls;         // each once

  uint32_t instruction_count() const { return static_cast<uint32_t>(words.size() / 2); }
  uint32_t code_bytes() const { return static_cast<uint32_t>(words.size() * 8); }
};

// A __device__ variable, in .nv.global or .nv.global.init.
struct GlobalVariable {
  std::string name;
  uint64_t offset = 0, size = 0;  // in Cubin::global_image
};
// 8 bytes at `offset` of constant bank 3 or 4 (or of the global image) hold the address of a variable or of a
// function. An external target is a function of the driver, such as vprintf, whose code is not here.
struct AddressRelocation {
  enum class Place : uint8_t { constant3, constant4, global_image } place = Place::constant4;
  uint64_t offset = 0;
  enum class Target : uint8_t { global_image, constant3, code, external } target = Target::global_image;
  uint64_t target_offset = 0;  // in the global image, in constant bank 3, or in the kernel's code
  std::string target_name;     // for messages; with Target::code the kernel's name
};

struct Cubin {
  isa::Arch arch = isa::Arch::sm_90;
  std::vector<KernelCode> kernels;
  std::vector<std::string> files;       // source files of the line table
  std::vector<std::byte> constant3;     // __constant__ variables
  std::vector<std::byte> constant4;     // addresses, before relocation
  std::vector<std::byte> global_image;  // .nv.global.init followed by the zeroes of .nv.global
  std::vector<GlobalVariable> globals;
  std::vector<AddressRelocation> relocations;

  const KernelCode* find(std::string_view kernel_name) const;
};

// Errors: not an ELF file, not a cubin, truncated, an architecture that the program does not know,
// inconsistent sections. `origin` names the file or the compilation in messages.
Result<Cubin> read_cubin(std::span<const std::byte> bytes, std::string_view origin);

// Finds the source line of the instruction at `address`, or null.
const LineEntry* line_at(const KernelCode& kernel, uint32_t address);

struct SourceLine {
  uint32_t file = 0, line = 0;
  friend bool operator==(const SourceLine&, const SourceLine&) = default;
};

// Returns where the instruction at `address` was written, then the inlined calls around it, the nearest
// first. Empty if the line table has no entry. The last one is in the kernel's own function, unless the
// compiler names no call, as for an instruction that serves several. A call in between may be missing.
std::vector<SourceLine> inline_chain(const KernelCode& kernel, uint32_t address);

}  // namespace gemmscope::cubin
