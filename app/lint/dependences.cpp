#include "lint/dependences.h"

#include <algorithm>
#include <map>

#include "isa/control_flow.h"
#include "isa/opcode_table.h"
#include "lint/latency.h"
#include "lint/pending.h"

namespace gemmscope::lint {

namespace {

using isa::ControlFlow;
using isa::Instruction;

// Instructions [first, end) that only the first one is entered and only the last one is left by.
struct Block {
  uint32_t first = 0, end = 0;
};

// Every return may go to every call. Where that makes more ways than this, which no compiler's code does,
// what is behind calls is analysed as if nothing were pending.
constexpr size_t kMostReturns = 1 << 16;

class Analysis {
 public:
  explicit Analysis(const std::vector<Instruction>& instructions);
  void run();
  void visit_all(const std::function<void(const Dependence&)>& visit);

 private:
  void find_blocks();
  bool follows_returns() const { return returns_.size() * flow_.return_sites().size() <= kMostReturns; }
  void enter(uint32_t block, const PendingList& state);
  void leave(uint32_t block);
  void again(uint32_t block);
  PendingList behind_call(uint32_t call, const PendingList& returned);
  const std::vector<char>& callee_of(uint32_t call);
  template <typename Visit>
  void step(uint32_t i, Visit visit);
  template <typename Visit>
  void check(const Dependence& use, bool writes, Visit visit) const;
  void apply_waits(const Instruction& instruction);
  void add_effects(uint32_t i);
  uint32_t block_of(uint32_t instruction) const { return block_of_[instruction]; }

  const std::vector<Instruction>& instructions_;
  ControlFlow flow_;
  std::vector<isa::RegisterUse> uses_;
  std::vector<Block> blocks_;
  std::vector<uint32_t> block_of_;
  std::vector<PendingList> entry_;
  std::vector<char> reached_, waiting_;
  std::vector<uint32_t> work_, returns_;
  std::map<uint32_t, PendingList> at_call_;
  std::map<uint32_t, std::vector<char>> callees_;
  PendingTable table_;
};

Analysis::Analysis(const std::vector<Instruction>& instructions)
    : instructions_(instructions), flow_(instructions) {
  uses_.reserve(instructions.size());
  for (const Instruction& instruction : instructions) uses_.push_back(register_use(instruction));
  find_blocks();
}

void Analysis::find_blocks() {
  const auto count = static_cast<uint32_t>(instructions_.size());
  std::vector<char> leads(count + 1);
  leads[0] = 1;
  for (uint32_t i = 0; i < count; ++i) {
    const auto next = flow_.successors(i);
    const bool plain = next.size() == 1 && next[0] == i + 1 && !isa::ends_block(instructions_[i]);
    if (plain) continue;
    leads[i + 1] = 1;
    for (const uint32_t n : next) leads[n] = 1;
  }
  block_of_.resize(count);
  for (uint32_t i = 0; i < count; ++i) {
    if (leads[i] != 0) blocks_.push_back({i, i});
    blocks_.back().end = i + 1;
    block_of_[i] = static_cast<uint32_t>(blocks_.size()) - 1;
  }
  entry_.resize(blocks_.size());
  reached_.resize(blocks_.size());
  waiting_.resize(blocks_.size());
  for (uint32_t b = 0; b < blocks_.size(); ++b)
    if (isa::is_return(instructions_[blocks_[b].end - 1])) returns_.push_back(b);
}

void Analysis::enter(uint32_t block, const PendingList& state) {
  const bool changed = join(entry_[block], state);
  if (reached_[block] != 0 && !changed) return;
  reached_[block] = 1;
  if (waiting_[block] == 0) work_.push_back(block);
  waiting_[block] = 1;
}

void Analysis::leave(uint32_t block) {
  const PendingList state = table_.take(instructions_);
  const uint32_t last = blocks_[block].end - 1;
  for (const uint32_t next : flow_.successors(last)) enter(block_of(next), state);
  if (isa::is_return(instructions_[last]) && follows_returns())
    for (const uint32_t site : flow_.return_sites()) enter(block_of(site), behind_call(site - 1, state));
  if (!isa::is_call(instructions_[last]) || !follows_returns()) return;
  at_call_[last] = state;
  for (const uint32_t block_that_returns : returns_) again(block_that_returns);
}

// Returns know all callers. What returns to one of them is pending since the called function ran, or it was
// pending at this call.
PendingList Analysis::behind_call(uint32_t call, const PendingList& returned) {
  const auto at_call = at_call_.find(call);
  PendingList kept;
  if (at_call == at_call_.end()) return kept;
  const std::vector<char>& callee = callee_of(call);
  for (const Pending& entry : returned) {
    const bool since = callee[entry.instruction] != 0;
    if (since || std::binary_search(at_call->second.begin(), at_call->second.end(), entry, before))
      kept.push_back(entry);
  }
  return kept;
}

// The instructions that may execute between the call and its return.
const std::vector<char>& Analysis::callee_of(uint32_t call) {
  std::vector<char>& inside = callees_[call];
  if (!inside.empty()) return inside;
  inside.resize(instructions_.size());
  std::vector<uint32_t> work;
  const auto reach = [&](uint32_t i) {
    if (inside[i] == 0) work.push_back(i);
    inside[i] = 1;
  };
  for (const uint32_t next : flow_.successors(call))
    if (next != call + 1) reach(next);
  while (!work.empty()) {
    const uint32_t i = work.back();
    work.pop_back();
    for (const uint32_t next : flow_.successors(i)) reach(next);
    if (isa::is_call(instructions_[i]) && i + 1 < instructions_.size()) reach(i + 1);
  }
  return inside;
}

void Analysis::again(uint32_t block) {
  if (reached_[block] == 0 || waiting_[block] != 0) return;
  work_.push_back(block);
  waiting_[block] = 1;
}

void Analysis::apply_waits(const Instruction& instruction) {
  table_.wait(instruction.control.wait_mask);
  if (instruction.opcode != isa::Opcode::depbar) return;
  int most = 0;
  for (int k = 0; k < instruction.operand_count; ++k) {
    const isa::Operand& operand = instruction.operands[static_cast<size_t>(k)];
    if (operand.is(isa::OperandKind::scoreboard_set))
      table_.wait(static_cast<uint8_t>(operand.value), kDepbarCycles);
    if (operand.is(isa::OperandKind::integer)) most = static_cast<int>(operand.value);
  }
  for (int k = 0; k < instruction.operand_count; ++k) {
    const isa::Operand& operand = instruction.operands[static_cast<size_t>(k)];
    if (operand.is(isa::OperandKind::scoreboard)) table_.wait_for_all_but(operand.index, most, instructions_);
  }
}

// `use`: the consumer and its place. Visits it with each producer.
template <typename Visit>
void Analysis::check(const Dependence& use, bool writes, Visit visit) const {
  const uint8_t guard = guard_code(instructions_[use.consumer].guard);
  table_.for_pending(use.place, instructions_, [&](const Pending& entry, bool waited) {
    if ((entry.reads && !writes) || exclude_each_other(entry.guard, guard)) return;
    Dependence found = use;
    found.kind = !writes       ? DependenceKind::read_after_write
                 : entry.reads ? DependenceKind::write_after_read
                               : DependenceKind::write_after_write;
    found.producer = entry.instruction;
    found.word = entry.word;
    found.cycles = entry.cycles;
    found.waited = waited;
    visit(found);
  });
}

template <typename Visit>
void Analysis::step(uint32_t i, Visit visit) {
  const Instruction& instruction = instructions_[i];
  apply_waits(instruction);
  if (const auto place = guard_place(instruction.guard))
    check({.place = *place, .is_guard = true, .consumer = i}, false, visit);
  const auto use = [&](Place place, uint8_t word, uint8_t words) {
    return Dependence{.place = place, .consumer_word = word, .consumer_words = words, .consumer = i};
  };
  for_reads(uses_[i],
            [&](Place place, uint8_t word, uint8_t words) { check(use(place, word, words), false, visit); });
  for_writes(uses_[i],
             [&](Place place, uint8_t word, uint8_t words) { check(use(place, word, words), true, visit); });
  add_effects(i);
  table_.advance(issue_cycles(instruction.control));
}

void Analysis::add_effects(uint32_t i) {
  const Instruction& instruction = instructions_[i];
  const uint8_t guard = guard_code(instruction.guard);
  table_.set_scoreboards(instruction);
  if (is_variable(instruction))
    for_reads(uses_[i], [&](Place place, uint8_t word, uint8_t) {
      table_.add({.place = place, .reads = true, .word = word, .guard = guard, .instruction = i},
                 instruction);
    });
  for_writes(uses_[i], [&](Place place, uint8_t word, uint8_t) {
    if (guard == 0) table_.clear(place);
    if (place >= kPredicates) table_.predicate_changed(place);
    table_.add({.place = place, .word = word, .guard = guard, .instruction = i}, instruction);
  });
  if (blocks_until_sources_are_read(instruction)) table_.sources_are_read(OrderedUnit::memory_sources);
}

void Analysis::run() {
  if (blocks_.empty()) return;
  enter(0, {});
  uint32_t next_unreached = 0;
  while (true) {
    while (!work_.empty()) {
      const uint32_t block = work_.back();
      work_.pop_back();
      waiting_[block] = 0;
      table_.load(entry_[block]);
      for (uint32_t i = blocks_[block].first; i < blocks_[block].end; ++i) step(i, [](const Dependence&) {});
      leave(block);
    }
    // What only an indirect branch reaches is analysed as if nothing were pending.
    while (next_unreached < blocks_.size() && reached_[next_unreached] != 0) ++next_unreached;
    if (next_unreached == blocks_.size()) return;
    enter(next_unreached, {});
  }
}

void Analysis::visit_all(const std::function<void(const Dependence&)>& visit) {
  for (uint32_t block = 0; block < blocks_.size(); ++block) {
    table_.load(entry_[block]);
    for (uint32_t i = blocks_[block].first; i < blocks_[block].end; ++i) step(i, visit);
  }
}

}  // namespace

void for_dependences(const std::vector<Instruction>& instructions,
                     const std::function<void(const Dependence&)>& visit) {
  Analysis analysis(instructions);
  analysis.run();
  analysis.visit_all(visit);
}

}  // namespace gemmscope::lint
