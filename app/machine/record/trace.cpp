#include "machine/record/trace.h"

#include <algorithm>
#include <utility>

#include "isa/control_flow.h"
#include "machine/execute/block.h"
#include "machine/record/trace_recorder.h"

namespace gemmscope::machine {
namespace {

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
  std::vector<isa::Loop> loops = isa::loops_of(instructions);
  std::erase_if(loops, [&](const isa::Loop& loop) {
    return std::ranges::none_of(loop.body,
                                [&](uint32_t i) { return multiplies_matrices(instructions[i].opcode); });
  });
  std::vector<uint32_t> heads;
  for (const isa::Loop& loop : loops) {
    const bool inner = std::ranges::any_of(loops, [&](const isa::Loop& other) {
      return other.head != loop.head && other.has(loop.head) && other.has(loop.back_edge);
    });
    if (!inner) heads.push_back(loop.head);
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
