#include "machine/record/trace.h"

#include <algorithm>
#include <utility>

#include "machine/execute/block.h"
#include "machine/record/trace_recorder.h"

namespace gemmscope::machine {
namespace {

struct Loop {
  uint32_t head, back_edge;
  bool arithmetic;
};

bool multiplies_matrices(isa::Opcode opcode) {
  switch (opcode) {
    case isa::Opcode::ffma:
    case isa::Opcode::dfma:
    case isa::Opcode::hfma2:
    case isa::Opcode::hmma:
    case isa::Opcode::imma:
    case isa::Opcode::dmma:
      return true;
    default:
      return false;
  }
}

struct TracedRun {
  std::optional<Fault> fault;
  bool clean = true;  // no fault, no findings and no suspicion
};

TracedRun record(const Traced& traced, std::array<uint32_t, 3> index, const TraceLimits& limits,
                 TraceRecorder::Order order, Trace& trace) {
  const bool in_turns = order == TraceRecorder::Order::in_turns;
  const Program& program = traced.program;
  trace = {};
  trace.block = index;
  trace.block_shape = program.launch.block;
  trace.warp_count = (program.launch.threads_per_block() + kWarpLanes - 1) / kWarpLanes;
  InstructionCounts counts(program.ops.size());
  TraceRecorder recorder(program, trace, limits.records, order);
  Block block(program, traced.memory, counts, limits.block, in_turns ? CheckMode::exact : CheckMode::suspect);
  TracedRun run;
  run.fault = block.run(index, in_turns ? Schedule::round_robin : Schedule::run_until_blocked, &recorder);
  trace.findings = block.take_findings();
  run.clean = !run.fault && trace.findings.empty() && block.checks().suspicion() == nullptr;
  if (in_turns || run.clean) recorder.finish();
  return run;
}

}  // namespace

std::array<uint64_t, kWarpLanes> TraceAddresses::all() const {
  std::array<uint64_t, kWarpLanes> addresses;
  for (size_t l = 0; l < kWarpLanes; ++l) addresses[l] = (*this)[l];
  return addresses;
}

std::vector<uint32_t> main_loop_heads(const std::vector<isa::Instruction>& instructions) {
  std::vector<Loop> loops;
  for (uint32_t i = 0; i < instructions.size(); ++i) {
    if (instructions[i].opcode != isa::Opcode::bra) continue;
    for (int k = 0; k < instructions[i].operand_count; ++k) {
      const isa::Operand& operand = instructions[i].operands[static_cast<size_t>(k)];
      if (!operand.is(isa::OperandKind::target) && !operand.is(isa::OperandKind::integer)) continue;
      const auto head = static_cast<uint32_t>(operand.value / isa::kInstructionBytes);
      if (operand.value < 0 || head >= i) continue;  // forward, or the padding's branch to itself
      const bool arithmetic =
          std::any_of(instructions.begin() + head, instructions.begin() + i,
                      [](const isa::Instruction& ins) { return multiplies_matrices(ins.opcode); });
      loops.push_back({head, i, arithmetic});
    }
  }
  std::vector<uint32_t> heads;
  for (const Loop& loop : loops) {
    const bool inner = std::any_of(loops.begin(), loops.end(), [&](const Loop& other) {
      return (other.head < loop.head && other.back_edge >= loop.back_edge) ||
             (other.head <= loop.head && other.back_edge > loop.back_edge);
    });
    if (loop.arithmetic && !inner) heads.push_back(loop.head);
  }
  std::sort(heads.begin(), heads.end());
  heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
  return heads;
}

std::optional<Fault> trace_in_turns(const Traced& traced, std::array<uint32_t, 3> index,
                                    const TraceLimits& limits, Trace& trace) {
  return record(traced, index, limits, TraceRecorder::Order::in_turns, trace).fault;
}

std::optional<Fault> trace_until_fault(const std::function<Traced()>& make, std::array<uint32_t, 3> index,
                                       const TraceLimits& limits, Trace& trace) {
  {
    const Traced traced = make();
    if (turns_matter(traced.program)) return trace_in_turns(traced, index, limits, trace);
    TracedRun run = record(traced, index, limits, TraceRecorder::Order::by_warp, trace);
    if (run.clean || (run.fault && run.fault->kind == FaultKind::cancelled)) return run.fault;
  }
  return trace_in_turns(make(), index, limits, trace);
}

tl::expected<Trace, FaultedRun> trace_block(const Program& program, GlobalMemory& memory,
                                            std::array<uint32_t, 3> index, const TraceLimits& limits) {
  const GlobalMemory before = memory;
  bool written = false;
  const auto make = [&] {
    if (std::exchange(written, true)) memory = before;
    return Traced{program, memory};
  };
  Trace trace;
  if (std::optional<Fault> fault = trace_until_fault(make, index, limits, trace))
    return tl::unexpected(FaultedRun{std::move(*fault), std::move(trace.findings)});
  return trace;
}

}  // namespace gemmscope::machine
