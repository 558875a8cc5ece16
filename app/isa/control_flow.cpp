#include "isa/control_flow.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

namespace gemmscope::isa {

namespace {

const Operand* target_of(const Instruction& instruction) {
  for (int i = 0; i < instruction.operand_count; ++i) {
    const Operand& operand = instruction.operands[static_cast<size_t>(i)];
    if (operand.is(OperandKind::target)) return &operand;
  }
  return nullptr;
}

// A branch may depend on a second predicate, on a mask, or on whether the warp has diverged.
bool is_conditional(const Instruction& instruction) {
  if (!instruction.guard.always() || instruction.has(Modifier::div) || instruction.has(Modifier::conv))
    return true;
  return std::any_of(instruction.operands.begin(), instruction.operands.begin() + instruction.operand_count,
                     [](const Operand& operand) {
                       return operand.is(OperandKind::predicate) ||
                              operand.is(OperandKind::uniform_predicate) ||
                              operand.is(OperandKind::uniform_reg);
                     });
}

void add_successors(const std::vector<Instruction>& instructions, uint32_t i,
                    std::vector<uint32_t>& successors) {
  const Instruction& instruction = instructions[i];
  const Operand* const target = target_of(instruction);
  if (target != nullptr && (instruction.opcode == Opcode::bra || is_call(instruction))) {
    const auto index = static_cast<uint64_t>(target->value) / kInstructionBytes;
    if (index < instructions.size()) successors.push_back(static_cast<uint32_t>(index));
  }
  if ((!ends_block(instruction) || is_conditional(instruction)) && i + 1 < instructions.size())
    successors.push_back(i + 1);
}

std::unordered_set<uint64_t> integers_in(const std::vector<Instruction>& instructions) {
  std::unordered_set<uint64_t> values;
  for (const Instruction& instruction : instructions)
    for (const Operand& operand : std::span(instruction.operands).first(instruction.operand_count))
      if (operand.is(OperandKind::integer)) values.insert(static_cast<uint64_t>(operand.value));
  return values;
}

}  // namespace

bool is_call(const Instruction& instruction) {
  return instruction.opcode == Opcode::call_rel && target_of(instruction) != nullptr;
}

bool is_return(const Instruction& instruction) {
  return instruction.opcode == Opcode::ret ||
         (instruction.opcode == Opcode::call_rel && !is_call(instruction));
}

bool ends_block(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::bra:
    case Opcode::brx:
    case Opcode::brxu:
    case Opcode::call_rel:
    case Opcode::call_abs:
    case Opcode::ret:
    case Opcode::exit:
      return true;
    default:
      return false;
  }
}

ControlFlow::ControlFlow(const std::vector<Instruction>& instructions) {
  // ptxas also writes a jump out of a loop as a guarded call. Such a call's place is in no register,
  // so nothing returns to it.
  const std::unordered_set<uint64_t> integers = integers_in(instructions);
  for (uint32_t i = 0; i + 1 < instructions.size(); ++i) {
    const uint64_t behind = uint64_t{i + 1} * kInstructionBytes;
    if (is_call(instructions[i]) && (instructions[i].guard.always() || integers.contains(behind)))
      return_sites_.push_back(i + 1);
  }
  first_.reserve(instructions.size() + 1);
  successors_.reserve(instructions.size());
  for (uint32_t i = 0; i < instructions.size(); ++i) {
    first_.push_back(static_cast<uint32_t>(successors_.size()));
    add_successors(instructions, i, successors_);
  }
  first_.push_back(static_cast<uint32_t>(successors_.size()));
}

namespace {

std::optional<uint32_t> branch_back(const Instruction& instruction, uint32_t i) {
  if (instruction.opcode != Opcode::bra) return std::nullopt;
  for (const Operand& operand : std::span(instruction.operands).first(instruction.operand_count)) {
    if (!operand.is(OperandKind::target) && !operand.is(OperandKind::integer)) continue;
    const int64_t head = operand.value / kInstructionBytes;
    if (operand.value >= 0 && head < i) return static_cast<uint32_t>(head);
  }
  return std::nullopt;
}

// Marks what can be reached from `start` by `next` without leaving [first, last].
template <typename Next>
std::vector<bool> reached_within(uint32_t first, uint32_t last, uint32_t start, Next next) {
  std::vector<bool> reached(last - first + 1);
  std::vector<uint32_t> open = {start};
  reached[start - first] = true;
  while (!open.empty()) {
    const uint32_t i = open.back();
    open.pop_back();
    for (const uint32_t to : next(i))
      if (to >= first && to <= last && !reached[to - first]) reached[to - first] = true, open.push_back(to);
  }
  return reached;
}

}  // namespace

bool Loop::has(uint32_t i) const { return std::ranges::binary_search(body, i); }

std::vector<Loop> loops_of(const std::vector<Instruction>& instructions) {
  std::vector<Loop> loops;
  for (uint32_t i = 0; i < instructions.size(); ++i)
    if (const auto head = branch_back(instructions[i], i)) loops.push_back({*head, i, {}});
  if (loops.empty()) return loops;
  const ControlFlow flow(instructions);
  std::vector<std::vector<uint32_t>> predecessors(instructions.size());
  for (uint32_t i = 0; i < instructions.size(); ++i)
    for (const uint32_t next : flow.successors(i)) predecessors[next].push_back(i);
  for (Loop& loop : loops) {
    const auto from_head =
        reached_within(loop.head, loop.back_edge, loop.head, [&](uint32_t i) { return flow.successors(i); });
    const auto to_branch =
        reached_within(loop.head, loop.back_edge, loop.back_edge,
                       [&](uint32_t i) -> const std::vector<uint32_t>& { return predecessors[i]; });
    for (uint32_t i = 0; i < from_head.size(); ++i)
      if (from_head[i] && to_branch[i]) loop.body.push_back(loop.head + i);
  }
  std::erase_if(loops, [](const Loop& loop) { return loop.body.empty(); });
  return loops;
}

}  // namespace gemmscope::isa
