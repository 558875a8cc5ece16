// Each reader of foreign bytes has a function here. It takes any bytes and returns; it must not crash, hang,
// read out of bounds, allocate absurd amounts of memory, or violate a condition that `require` states.
// libfuzzer_main.cpp passes the functions to libFuzzer, corpus_test.cpp runs them in every build.
#pragma once

#include <array>
#include <cstddef>
#include <ostream>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gemmscope::fuzz {

using Bytes = std::span<const std::byte>;

void cubin(Bytes bytes);        // a cubin: its sections, its line table, every instruction, its disassembly
void launch(Bytes bytes);       // a cubin that is then translated and executed
void machine(Bytes bytes);      // a header of 8 bytes and machine code, translated and executed
void instruction(Bytes bytes);  // instruction words of 16 bytes, decoded for every architecture
void vectors(Bytes bytes);      // rows of `gemmscope disasm --vectors` and `gemmscope banks --patterns`
void description(Bytes bytes);  // a .cu file with its description, and its launch
void outline(Bytes bytes);  // the source of a .cu file: kernels, launches, constants, what is guessed of them
void parameter(Bytes bytes);   // --parameter of the command line
void expression(Bytes bytes);  // an expression of a description
void entry(Bytes bytes);       // a .gsc file of the pack or the cache, its checksum made right
void protocol(Bytes bytes);    // a line to the GPU runner or from it

struct Target {
  std::string_view name;
  void (*run)(Bytes);
  size_t longest;  // longest useful input, in bytes
};
inline void PrintTo(const Target& target, std::ostream* out) { *out << target.name; }
inline constexpr std::array kTargets = {
    Target{"cubin", cubin, 1 << 16},          Target{"launch", launch, 1 << 16},
    Target{"machine", machine, 8 + 64 * 16},  Target{"instruction", instruction, 16 * 16},
    Target{"vectors", vectors, 1 << 12},      Target{"description", description, 1 << 13},
    Target{"outline", outline, 1 << 13},      Target{"parameter", parameter, 1 << 9},
    Target{"expression", expression, 1 << 9}, Target{"entry", entry, 1 << 14},
    Target{"protocol", protocol, 1 << 12}};

inline void require(bool holds, const std::string& promise) {
  if (!holds) throw std::logic_error("broken promise: " + promise);
}

inline std::string_view text_of(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace gemmscope::fuzz
