#include "machine/checks/finding_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "isa/disassemble.h"

namespace gemmscope::machine {
namespace {

std::string line_text(const cubin::SourceLine& line, const cubin::Cubin& cubin) {
  return fmt::format("{}:{}", std::filesystem::path(cubin.files[line.file]).filename().string(), line.line);
}

// "07_register_tile.cu:57"; in an inlined function "matrix.cuh:15 (called from 07_register_tile.cu:57)";
// empty if the line table has no entry.
std::string source_place(const isa::Instruction& instruction, const cubin::Cubin& cubin,
                         const cubin::KernelCode& kernel) {
  const std::vector<cubin::SourceLine> chain = cubin::inline_chain(kernel, instruction.address);
  if (chain.empty()) return {};
  const std::string place = line_text(chain.front(), cubin);
  return chain.size() == 1 ? place
                           : fmt::format("{} (called from {})", place, line_text(chain.back(), cubin));
}

// The disassembly without its closing semicolon, since the sentence goes on.
std::string text_of(const isa::Instruction& instruction) {
  std::string text = isa::disassemble(instruction);
  while (text.ends_with(';') || text.ends_with(' ')) text.pop_back();
  return text;
}

std::string thread_text(int warp, int lane) {
  std::string text;
  if (warp >= 0) text += fmt::format("warp {}", warp);
  if (lane >= 0) text += fmt::format("{}lane {}", text.empty() ? "" : ", ", lane);
  return text;
}

// "block (0, 1, 0), warp 3, lane 7"
std::string who_text(const std::array<uint32_t, 3>& block, int warp, int lane) {
  const std::string thread = thread_text(warp, lane);
  return fmt::format("block ({}, {}, {}){}{}", block[0], block[1], block[2], thread.empty() ? "" : ", ",
                     thread);
}

// "07_register_tile.cu:108: LDS.128 R4, [R2] at 0xa30: "
std::string instruction_text(const isa::Instruction& instruction, const cubin::Cubin& cubin,
                             const cubin::KernelCode& kernel) {
  const std::string place = source_place(instruction, cubin, kernel);
  return fmt::format("{}{}{} at {:#x}: ", place, place.empty() ? "" : ": ", text_of(instruction),
                     instruction.address);
}

}  // namespace

bool same_mistake(const Finding& a, const Finding& b) {
  if (a.kind != b.kind) return false;
  const auto first = static_cast<int>(a.instruction), second = static_cast<int>(b.instruction);
  return (first == second && a.other_instruction == b.other_instruction) ||
         (first == b.other_instruction && second == a.other_instruction);
}

void Findings::add(Finding finding) {
  const auto same = std::find_if(list_.begin(), list_.end(),
                                 [&](const Finding& known) { return same_mistake(known, finding); });
  if (same != list_.end()) {
    same->times += finding.times;
  } else if (list_.size() < kLimit) {
    list_.push_back(std::move(finding));
  }
}

void Findings::add(const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) add(finding);
}

std::string describe_fault(const Fault& fault, std::span<const isa::Instruction> instructions,
                           const cubin::Cubin& cubin, const cubin::KernelCode& kernel) {
  const bool placed = fault.warp >= 0 && fault.instruction < instructions.size();
  const std::string text = placed ? instruction_text(instructions[fault.instruction], cubin, kernel) : "";
  return fmt::format("{}{} ({})", text, fault.what, who_text(fault.block, fault.warp, fault.lane));
}

std::string describe_finding(const Finding& finding, std::span<const isa::Instruction> instructions,
                             const cubin::Cubin& cubin, const cubin::KernelCode& kernel) {
  std::string text;
  if (finding.instruction < instructions.size())
    text = instruction_text(instructions[finding.instruction], cubin, kernel);
  text += finding.what;
  if (finding.other_instruction >= 0 &&
      static_cast<size_t>(finding.other_instruction) < instructions.size()) {
    const isa::Instruction& other = instructions[static_cast<size_t>(finding.other_instruction)];
    const std::string place = source_place(other, cubin, kernel);
    text += fmt::format("; the other is {}{} at {:#x}", place.empty() ? "" : place + ": ", text_of(other),
                        other.address);
    const std::string thread = thread_text(finding.other_warp, finding.other_lane);
    if (!thread.empty()) text += fmt::format(" of {}", thread);
  }
  std::string who = who_text(finding.block, finding.warp, finding.lane);
  if (finding.times > 1) who += fmt::format("; {} times", finding.times);
  return fmt::format("{} ({})", text, who);
}

}  // namespace gemmscope::machine
