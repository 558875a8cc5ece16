#include "metrics/loop_ports.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <compare>

#include "isa/control_flow.h"
#include "isa/opcode_table.h"
#include "metrics/matrix_products.h"

namespace gemmscope::metrics {
namespace {

using isa::Instruction;

bool is_math(const Instruction& instruction) {
  if (instruction.row == nullptr) return false;
  switch (instruction.row->pipe) {
    case isa::Pipe::alu:
    case isa::Pipe::fma:
    case isa::Pipe::fma_heavy:
    case isa::Pipe::fp16:
      return true;
    default:
      return false;
  }
}

bool one_word_a_slot(const PortReads& reads) {
  std::array<int, kOperandSlots> words{};
  for (const PortRead& read : reads.list()) ++words[read.slot];
  return std::ranges::all_of(words, [](int count) { return count <= 1; });
}

std::vector<LoopPorts> find_loops(const std::vector<Instruction>& instructions) {
  std::vector<LoopPorts> loops;
  for (const isa::Loop& loop : isa::loops_of(instructions)) {
    if (std::ranges::none_of(loop.body, [&](uint32_t i) { return is_math(instructions[i]); })) continue;
    const auto same = std::ranges::find(loops, loop.head, &LoopPorts::first);
    if (same != loops.end())  // several branches back to one place are one loop
      same->last = loop.back_edge;
    else
      loops.push_back({.first = loop.head, .last = loop.back_edge});
  }
  std::ranges::sort(loops, [](const LoopPorts& a, const LoopPorts& b) {
    return a.first != b.first ? a.first < b.first : a.last > b.last;
  });
  for (LoopPorts& loop : loops)
    loop.innermost = std::ranges::none_of(loops, [&](const LoopPorts& other) {
      return &other != &loop && other.first >= loop.first && other.last <= loop.last;
    });
  return loops;
}

// Walks over instructions and writes down what each does to the ports.
class Walk {
 public:
  Walk(const std::vector<Instruction>& code, std::vector<InstructionPorts>& results)
      : code_(code), results_(results) {}

  void step(uint32_t i) {
    InstructionPorts& ports = results_[i];
    const PortReads reads = port_reads(code_[i]);
    ports.operands = reads.count != 0 ? reads : operand_reads(code_[i]);
    ports.at_issue = reads.count != 0;
    ports.before = stream_.cache();
    ports.missed = missed(reads);
    ports.one_cycle = ports.at_issue && is_math(code_[i]) && one_word_a_slot(reads);
    const PortStream::Step step = stream_.issue(ports.one_cycle ? reads.list() : std::span<const PortRead>{});
    ports.banks = step.banks;
    ports.lost_cycles = static_cast<uint16_t>(std::min<uint32_t>(step.lost_cycles, 0xffff));
    ports.port_cycles = ports.one_cycle ? static_cast<uint8_t>(step.banks.port_cycles()) : 0;
  }
  void pass(uint32_t first, uint32_t last) {
    for (uint32_t i = first; i <= last; ++i) step(i);
  }

 private:
  // Registers that the last read of their slot and bank was of, but did not leave in the cache.
  uint16_t missed(const PortReads& reads) {
    uint16_t result = 0;
    for (int k = 0; k < reads.count; ++k) {
      const PortRead& read = reads.reads[static_cast<size_t>(k)];
      uint8_t& last = last_[read.slot][static_cast<size_t>(bank_of(read.reg))];
      const bool kept =
          stream_.cache().entries[read.slot][static_cast<size_t>(bank_of(read.reg))].holds(0, read.reg);
      if (last == read.reg && !kept) result = static_cast<uint16_t>(result | (1u << k));
      last = read.reg;
    }
    return result;
  }

  const std::vector<Instruction>& code_;
  std::vector<InstructionPorts>& results_;
  PortStream stream_;
  std::array<std::array<uint8_t, kRegisterBanks>, kOperandSlots> last_ = {
      {{isa::kRegisterZero, isa::kRegisterZero},
       {isa::kRegisterZero, isa::kRegisterZero},
       {isa::kRegisterZero, isa::kRegisterZero}}};
};

void sum_up(LoopPorts& loop, const std::vector<Instruction>& code,
            const std::vector<InstructionPorts>& results) {
  loop.instructions = loop.last - loop.first + 1;
  for (uint32_t i = loop.first; i <= loop.last; ++i) {
    const InstructionPorts& ports = results[i];
    loop.lost_cycles += ports.lost_cycles;
    if (ports.one_cycle) {
      ++loop.math;
      loop.math_port_cycles += ports.port_cycles;
    }
    if (code[i].opcode != isa::Opcode::ffma) continue;
    ++loop.ffma;
    loop.ffma_port_cycles += std::max<uint32_t>(1, ports.port_cycles);
    loop.operands += ports.operands.count;
    loop.hits += static_cast<uint32_t>(std::popcount(ports.banks.hits));
    loop.reads += static_cast<uint32_t>(ports.banks.count[0] + ports.banks.count[1]);
  }
}

// What stands in a loop itself and not in a smaller one inside it.
struct OwnWork {
  uint32_t matrix_products = 0, ffma = 0, math = 0;
  friend auto operator<=>(const OwnWork&, const OwnWork&) = default;
};

// A product's loop may hold loops that copy its tiles, and they may count more than they multiply.
std::optional<size_t> main_loop_of(const KernelPorts& kernel, const std::vector<Instruction>& code) {
  std::vector<OwnWork> work(kernel.loops.size());
  for (uint32_t i = 0; i < code.size(); ++i) {
    std::optional<size_t> smallest;
    for (size_t k = 0; k < kernel.loops.size(); ++k) {
      const LoopPorts& loop = kernel.loops[k];
      if (loop.first > i || loop.last < i) continue;
      if (!smallest || loop.last - loop.first < kernel.loops[*smallest].last - kernel.loops[*smallest].first)
        smallest = k;
    }
    if (!smallest) continue;
    work[*smallest].matrix_products += is_matrix_product(code[i]) ? 1 : 0;
    work[*smallest].ffma += code[i].opcode == isa::Opcode::ffma ? 1 : 0;
    work[*smallest].math += kernel.instructions[i].one_cycle ? 1 : 0;
  }
  if (work.empty()) return std::nullopt;
  return static_cast<size_t>(std::ranges::max_element(work) - work.begin());
}

constexpr char slot_letter(uint8_t slot) { return static_cast<char>('A' + slot); }

}  // namespace

double LoopPorts::port_cycles_per_ffma() const {
  if (ffma != 0) return static_cast<double>(ffma_port_cycles) / ffma;
  return math == 0 ? 0 : static_cast<double>(math_port_cycles) / math;
}

KernelPorts count_ports(const std::vector<Instruction>& instructions) {
  KernelPorts kernel;
  kernel.instructions.resize(instructions.size());
  if (instructions.empty()) return kernel;
  Walk(instructions, kernel.instructions).pass(0, static_cast<uint32_t>(instructions.size()) - 1);
  kernel.loops = find_loops(instructions);
  // Inner loops come later and overwrite what the outer ones wrote, which are summed up before.
  for (LoopPorts& loop : kernel.loops) {
    Walk walk(instructions, kernel.instructions);
    walk.pass(loop.first, loop.last);
    walk.pass(loop.first, loop.last);
    sum_up(loop, instructions, kernel.instructions);
  }
  kernel.main = main_loop_of(kernel, instructions);
  return kernel;
}

std::string port_conflict_text(const InstructionPorts& ports) {
  if (ports.port_cycles < 2) return "";
  const int bank = ports.banks.count[0] >= ports.banks.count[1] ? 0 : 1;
  std::string names, missed;
  int named = 0;
  for (int k = 0; k < ports.operands.count; ++k) {
    const PortRead& read = ports.operands.reads[static_cast<size_t>(k)];
    if (bank_of(read.reg) != bank || (((ports.banks.hits | ports.banks.doubles) >> k) & 1) != 0) continue;
    if (named++ != 0) names += ", ";
    names += fmt::format("R{} ({})", read.reg, slot_letter(read.slot));
    if (missed.empty() && ((ports.missed >> k) & 1) != 0)
      missed = fmt::format(" Slot {} read R{} before, but without .reuse.", slot_letter(read.slot), read.reg);
  }
  return fmt::format("Bank {} has to give {}, one a cycle: {} cycles.{}", bank, names, ports.port_cycles,
                     missed);
}

}  // namespace gemmscope::metrics
