#include "scenes/code_counts.h"

#include <algorithm>
#include <cmath>

#include "scenes/source_lines.h"

namespace gemmscope::scenes {

const ColumnName& column_name(CodeColumn column) {
  static constexpr ColumnName kNames[kCodeColumns] = {
      {"warps", "executed", "Executions: how often a warp issued the instruction."},
      {"shared", "wavefronts", "Wavefronts: passes through shared memory that its accesses took."},
      {"shared", "excess",
       "Excess wavefronts: wavefronts beyond those that the bytes need; bank conflicts cause them."},
      {"global", "sectors", "Sectors: 32-byte segments of global or local memory that its accesses touched."},
      {"global", "excess",
       "Excess sectors: sectors beyond those that the bytes fill; uncoalesced accesses cause them."},
      {"modelled", "exposed",
       "Exposed latency (modelled): cycles in which a warp waits for the result and has nothing else to "
       "issue. Sum over a warp's life in one wave, mean of all warps."},
      {"modelled", "stalled",
       "Stalls (modelled): the share of a warp's life in which it waits to issue the instruction, for "
       "whatever reason."},
      {"ports", "A B C",
       "Register ports: a square for each operand slot, in the colour of its bank; hollow where the reuse "
       "cache serves it. Of a line: the registers that its instructions read from the banks."},
      {"ports", "lost",
       "Cycles lost to register ports: the instruction waits, since a bank gives one register a cycle and "
       "has "
       "to give more than fit into three cycles. Nsight Compute samples such cycles as stall_dispatch."},
  };
  return kNames[static_cast<size_t>(column)];
}

bool CodeCount::applies(CodeColumn column) const {
  switch (column) {
    case CodeColumn::executions:
      return instructions > 0;
    case CodeColumn::wavefronts:
    case CodeColumn::excess_wavefronts:
      return shared;
    case CodeColumn::sectors:
    case CodeColumn::excess_sectors:
      return global;
    case CodeColumn::exposed:
      return has_result;
    case CodeColumn::stalled:
      return modelled;
    case CodeColumn::ports:
    case CodeColumn::lost_ports:
      return reads_ports;
  }
  return false;
}

void CodeCount::add(const CodeCount& other) {
  for (size_t i = 0; i < values.size(); ++i) values[i] += other.values[i];
  instructions += other.instructions;
  shared = shared || other.shared;
  global = global || other.global;
  copies = copies || other.copies;
  modelled = modelled || other.modelled;
  has_result = has_result || other.has_result;
  reads_ports = reads_ports || other.reads_ports;
}

namespace {

CodeCount count_instruction(const metrics::Counters& counters, size_t i) {
  CodeCount count;
  count.instructions = 1;
  const metrics::InstructionTraffic& parts = counters.traffic[i];
  for (const metrics::TrafficKind& kind : metrics::kTrafficKinds)
    if ((parts.*kind.member).requests > 0) (kind.shared ? count.shared : count.global) = true;
  count.copies = parts.async_shared.requests > 0;
  const metrics::Traffic traffic = parts.total();
  count.values = {counters.executed.warps[i], traffic.wavefronts, traffic.excess_wavefronts(),
                  traffic.sectors, traffic.excess_sectors()};
  return count;
}

void add_ports(CodeCount& count, const metrics::InstructionPorts& ports) {
  if (!ports.one_cycle) return;
  count.reads_ports = true;
  count.values[static_cast<size_t>(CodeColumn::ports)] =
      static_cast<uint64_t>(ports.banks.count[0]) + ports.banks.count[1];
  count.values[static_cast<size_t>(CodeColumn::lost_ports)] = ports.lost_cycles;
  for (int k = 0; k < ports.operands.count; ++k) {
    const metrics::PortRead& read = ports.operands.reads[static_cast<size_t>(k)];
    const bool cached = (((ports.banks.hits | ports.banks.doubles) >> k) & 1) != 0;
    const bool odd = metrics::bank_of(read.reg) == 1;
    count.slots[read.slot] =
        cached ? (odd ? SlotMark::cached1 : SlotMark::cached0) : (odd ? SlotMark::bank1 : SlotMark::bank0);
  }
}

double mean_life(const sm::Timeline& timeline) {
  double cycles = 0;
  for (const sm::WarpTimeline& warp : timeline.warps)
    if (!warp.steps.empty()) cycles += warp.steps.back().issued + 1.0 - warp.start;
  return timeline.warps.empty() ? 0 : cycles / static_cast<double>(timeline.warps.size());
}

void add_modelled(CodeCount& count, const experiment::ModelResult& model, size_t i) {
  const sm::InstructionStalls stalls{static_cast<uint32_t>(i), model.index.stalls_by_instruction()[i]};
  const sm::ExposedLatency& exposed = model.index.exposed()[i];
  const auto warps = static_cast<double>(model.timeline.warps.size());
  const auto per_warp = [&](double cycles) { return static_cast<uint64_t>(std::llround(cycles / warps)); };
  count.modelled = stalls.cycles[static_cast<size_t>(sm::Stall::selected)] > 0;
  count.has_result = exposed.executions > 0 || exposed.warp > 0;
  count.values[static_cast<size_t>(CodeColumn::exposed)] = per_warp(exposed.warp);
  count.values[static_cast<size_t>(CodeColumn::stalled)] = per_warp(stalls.stalled());
}

void raise(CodeCount& most, const CodeCount& count) {
  for (size_t i = 0; i < most.values.size(); ++i) most.values[i] = std::max(most.values[i], count.values[i]);
}

}  // namespace

CodeCounts count_code(const experiment::CompiledKernel& compiled, const metrics::Counters& counters,
                      const experiment::ModelResult* model) {
  CodeCounts result;
  const bool fits = model != nullptr && model->compiled.get() == &compiled;
  if (fits) result.warp_cycles = mean_life(model->timeline);
  if (!compiled.files.empty()) result.lines.resize(compiled.files[0].lines.size());
  result.instructions.reserve(compiled.instructions.size());
  for (size_t i = 0; i < compiled.instructions.size(); ++i) {
    CodeCount count = count_instruction(counters, i);
    if (fits) add_modelled(count, *model, i);
    if (i < compiled.ports.instructions.size()) add_ports(count, compiled.ports.instructions[i]);
    result.instructions.push_back(count);
    result.total.add(count);
    raise(result.most_of_instructions, count);
    for (const int line : own_lines(compiled, i))
      if (line >= 1 && static_cast<size_t>(line) <= result.lines.size())
        result.lines[static_cast<size_t>(line) - 1].add(count);
  }
  for (const CodeCount& line : result.lines) raise(result.most_of_lines, line);
  return result;
}

double stall_share(const CodeCounts& counts, const CodeCount& count) {
  return counts.warp_cycles <= 0 ? 0 : static_cast<double>(count[CodeColumn::stalled]) / counts.warp_cycles;
}

CountSource choose_counts(CountScope wanted, const experiment::CompiledKernel* compiled,
                          const experiment::BlockResult* block, const experiment::GridResult* grid) {
  const auto fits = [&](const auto* result) {
    return compiled != nullptr && result != nullptr && result->compiled.get() == compiled &&
           result->counters.traffic.size() == compiled->instructions.size();
  };
  if (wanted != CountScope::block && fits(grid)) return {&grid->counters, CountScope::grid};
  if (fits(block)) return {&block->counters, CountScope::block};
  return {};
}

std::vector<uint32_t> worst_first(const CodeCounts& counts, CodeColumn column) {
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < counts.instructions.size(); ++i)
    if (counts.instructions[i][column] > 0) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return counts.instructions[a][column] > counts.instructions[b][column];
  });
  return order;
}

std::optional<uint32_t> next_worst(const CodeCounts& counts, CodeColumn column, std::optional<uint32_t> from,
                                   bool forward) {
  const std::vector<uint32_t> order = worst_first(counts, column);
  if (order.empty()) return std::nullopt;
  const auto at = from ? std::find(order.begin(), order.end(), *from) : order.end();
  if (at == order.end()) return order.front();
  const size_t step = forward ? 1 : order.size() - 1;
  return order[(static_cast<size_t>(at - order.begin()) + step) % order.size()];
}

}  // namespace gemmscope::scenes
