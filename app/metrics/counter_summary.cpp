#include "isa/disassemble.h"
#include "isa/opcode_table.h"
#include "metrics/counters.h"

namespace gemmscope::metrics {
namespace {

using isa::Opcode;

// The hardware counter of warp instructions that an opcode belongs to, if any.
uint64_t CounterSummary::Executed::*executed_class(Opcode opcode) {
  using Executed = CounterSummary::Executed;
  switch (opcode) {
    case Opcode::red:
      return &Executed::global_reduce;
    case Opcode::atoms:
    case Opcode::atoms_cas:
    case Opcode::atoms_arrive:
      return &Executed::shared_atomic;
    case Opcode::stl:
      return &Executed::local_store;
    default:
      return nullptr;
  }
}

// The counter of thread instructions that an opcode belongs to, if any.
uint64_t CounterSummary::*arithmetic_class(Opcode opcode) {
  switch (opcode) {
    case Opcode::ffma:
      return &CounterSummary::ffma;
    case Opcode::fadd:
      return &CounterSummary::fadd;
    case Opcode::fmul:
      return &CounterSummary::fmul;
    case Opcode::dfma:
      return &CounterSummary::dfma;
    case Opcode::dadd:
      return &CounterSummary::dadd;
    case Opcode::dmul:
      return &CounterSummary::dmul;
    case Opcode::hfma2:
    case Opcode::hfma2_mma:
      return &CounterSummary::hfma;
    case Opcode::hadd2:
      return &CounterSummary::hadd;
    case Opcode::hmul2:
      return &CounterSummary::hmul;
    default:
      return nullptr;
  }
}

// Requests of one execution.
uint64_t local_requests(const isa::Instruction& instruction) {
  return instruction.has(isa::Modifier::b128) ? 4 : instruction.has(isa::Modifier::b64) ? 2 : 1;
}

// 2 m n k for a matrix instruction with floating-point factors; 0 for any other.
uint64_t matrix_flops(const isa::Instruction& instruction) {
  if (instruction.opcode != Opcode::hmma || instruction.has(isa::Modifier::sp)) return 0;
  for (const auto& [shape, depth] :
       {std::pair(isa::Modifier::mma_1684, 4), std::pair(isa::Modifier::mma_1688, 8),
        std::pair(isa::Modifier::mma_16816, 16)})
    if (instruction.has(shape)) return 2 * 16 * 8 * static_cast<uint64_t>(depth);
  return 0;
}

}  // namespace

void CounterSummary::add(const CounterSummary& other) {
  using Figure = uint64_t CounterSummary::*;
  for (const Figure figure :
       {&CounterSummary::warp_instructions, &CounterSummary::thread_instructions, &CounterSummary::ffma,
        &CounterSummary::fadd, &CounterSummary::fmul, &CounterSummary::dfma, &CounterSummary::dadd,
        &CounterSummary::dmul, &CounterSummary::hfma, &CounterSummary::hadd, &CounterSummary::hmul,
        &CounterSummary::tensor_flops})
    this->*figure += other.*figure;
  for (const auto figure : {&Executed::global_reduce, &Executed::shared_atomic, &Executed::local_store,
                            &Executed::local_load, &Executed::tensor, &Executed::tensor_hmma})
    executed.*figure += other.executed.*figure;
  for (const auto& [opcode, count] : other.by_opcode) by_opcode[opcode] += count;
  for (size_t kind = 0; kind < mix.size(); ++kind) mix[kind] += other.mix[kind];
  traffic.add(other.traffic);
  async_bypass.add(other.async_bypass);
}

CounterSummary summarize(const Counters& counters, const std::vector<isa::Instruction>& instructions) {
  CounterSummary summary;
  for (size_t i = 0; i < instructions.size(); ++i) {
    const isa::Instruction& instruction = instructions[i];
    const uint64_t warps = counters.executed.warps[i], threads = counters.executed.threads[i];
    if (warps == 0) continue;
    summary.warp_instructions += warps;
    summary.thread_instructions += threads;
    const std::string mnemonic = isa::mnemonic_text(instruction);
    summary.by_opcode[mnemonic.substr(0, mnemonic.find('.'))] += warps;
    summary.mix[static_cast<size_t>(instruction_kind(instruction.opcode))] += warps;
    if (auto kind = executed_class(instruction.opcode)) summary.executed.*kind += warps;
    if (auto kind = arithmetic_class(instruction.opcode)) summary.*kind += threads;
    const bool hmma = instruction.opcode == Opcode::hmma || instruction.opcode == Opcode::hfma2_mma;
    if (hmma) summary.executed.tensor_hmma += warps;
    summary.tensor_flops += warps * matrix_flops(instruction);
    if (hmma || (instruction.row != nullptr && instruction.row->pipe == isa::Pipe::tensor))
      summary.executed.tensor += warps;
    summary.executed.local_load += counters.traffic[i].local_load.requests / local_requests(instruction);
    summary.traffic.add(counters.traffic[i]);
    if (instruction.has(isa::Modifier::bypass)) summary.async_bypass.add(counters.traffic[i].async_global);
  }
  return summary;
}

}  // namespace gemmscope::metrics
