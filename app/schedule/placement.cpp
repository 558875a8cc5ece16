#include "schedule/placement.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <tuple>

#include "isa/opcode_table.h"
#include "isa/register_use.h"

namespace gemmscope::schedule {
namespace {

using isa::Instruction;

// How far ahead a product is looked for whose operands are there.
constexpr size_t kLookAhead = 24;
constexpr int64_t kEntry = -1, kEnd = std::numeric_limits<int64_t>::max();

// Until an instruction that waits in a queue has read its registers; who overwrites them sooner waits.
constexpr uint32_t kReadPlaces = 40;
bool reads_from_queue(const Instruction& instruction) {
  return instruction.row->pipe == isa::Pipe::lsu || instruction.row->pipe == isa::Pipe::async;
}

// Places by which an instruction follows one whose register or predicate it reads, where products can stand
// in between: then nothing stalls.
constexpr uint32_t kRegisterPlaces = 5, kPredicatePlaces = 13;

bool writes_predicate(const Instruction& instruction) {
  for (size_t k = 0; k < instruction.destination_count; ++k)
    if (instruction.operands[k].is(isa::OperandKind::predicate) &&
        instruction.operands[k].index != isa::kPredicateTrue)
      return true;
  return false;
}
bool reads_predicate(const Instruction& instruction) {
  if (!instruction.guard.always()) return true;
  for (size_t k = instruction.destination_count; k < instruction.operand_count; ++k)
    if (instruction.operands[k].is(isa::OperandKind::predicate) &&
        instruction.operands[k].index != isa::kPredicateTrue)
      return true;
  return false;
}

// R1. The first instruction of a kernel loads it, and where nobody reads it nothing waits for that.
constexpr int kStackPointer = 1;

// A register holds something after the issue at `from` up to the issue at `to`.
struct Interval {
  int64_t from = kEntry, to = kEnd;
  bool overlaps(const Interval& other) const { return from < other.to && other.from < to; }
};

class Emitter {
 public:
  Emitter(const std::vector<Instruction>& instructions, Range region, const RegionValues& values,
          const ProductOrder& wanted, const PlacementLimits& limits)
      : instructions_(instructions),
        region_(region),
        values_(values),
        wanted_(wanted),
        keep_registers_(limits.keep_registers),
        words_left_(limits.fragment_words),
        loads_ahead_(limits.loads_ahead),
        load_distance_(limits.load_distance),
        load_spacing_(limits.load_spacing) {
    before_.resize(region.size());
    position_.assign(region.size(), kNone);
    result_.fragment_register.resize(values.fragments.size());
    add_reads();
    add_register_order();
    if (keep_registers_) add_rewrites();
    for (uint32_t i = 0; i < region.size(); ++i)
      if (values.product_at[i] == kNone) others_.push_back(i);
    for (const Fragment& fragment : values.fragments) unread_.push_back(fragment.readers.size());
    free_.set();
    for (size_t reg = static_cast<size_t>(limits.register_budget); reg < free_.size(); ++reg)
      free_.reset(reg);
    free_.reset(isa::kRegisterZero);
    free_.reset(kStackPointer);
    for (const Pinned& pinned : values.pinned) free_.reset(pinned.reg);
    count_uses_of_registers(static_cast<size_t>(limits.register_budget));
    if (!limits.lend) return;
    find_sums_that_may_leave(static_cast<size_t>(limits.register_budget));
    find_unwritten_registers(static_cast<size_t>(limits.register_budget));
  }

  Result<Placement> run() {
    uint32_t other = 0;
    std::vector<uint32_t> products = wanted_.order;
    while (result_.order.size() < region_.size()) {
      const bool have_other = other < others_.size();
      const bool due = have_other && others_[other] <= result_.order.size() + loads_ahead_ &&
                       result_.order.size() >= earliest_place(others_[other]);
      if (due && emit_other(others_[other])) {
        ++other;
        continue;
      }
      if (emit_product(products, true)) continue;
      if (have_other && emit_other(others_[other])) {
        ++other;
        continue;
      }
      if (emit_product(products, false)) continue;
      return fail(
          "There are not enough registers to load the operands of the next step before the last one "
          "is done with its own.");
    }
    return std::move(result_);
  }
  const std::vector<uint32_t>& positions() const { return position_; }

 private:
  void add_before(uint32_t i, uint32_t earlier) {
    if (earlier != kNone && earlier != i) before_[i].push_back(earlier);
  }

  // The products read what the code wrote before, wherever it is now.
  void add_reads() {
    for (const Product& product : values_.products)
      for (size_t k = 0; k < 3; ++k)
        if (product.is_register[k]) add_before(product.index, product.sources[k].writer);
    for (const Pinned& pinned : values_.pinned)
      for (const uint32_t reader : pinned.readers) add_before(reader, pinned.writer);
  }

  // One register's pinned contents come one after the other.
  void add_register_order() {
    std::map<uint8_t, const Pinned*> last;
    std::vector<const Pinned*> by_writer;
    for (const Pinned& pinned : values_.pinned) by_writer.push_back(&pinned);
    std::stable_sort(by_writer.begin(), by_writer.end(), [](const Pinned* a, const Pinned* b) {
      return (a->writer == kNone ? 0 : a->writer + 1) < (b->writer == kNone ? 0 : b->writer + 1);
    });
    for (const Pinned* pinned : by_writer) {
      if (const auto found = last.find(pinned->reg); found != last.end() && pinned->writer != kNone) {
        add_before(pinned->writer, found->second->writer);
        for (const uint32_t reader : found->second->readers) add_before(pinned->writer, reader);
      }
      last[pinned->reg] = pinned;
    }
  }

  // What writes a register comes behind those that read what it held, and behind who wrote that.
  void add_rewrites() {
    std::vector<std::vector<uint32_t>> uses(256);  // by register: since its last writer, with it
    for (uint32_t i = 0; i < region_.size(); ++i) {
      const isa::RegisterUse use = isa::register_use(instructions_[region_.first + i]);
      for (const auto& range : use.reads)
        for (int w = 0; w < range.words; ++w) uses[static_cast<size_t>(range.reg + w)].push_back(i);
      for (const auto& range : use.writes)
        for (int w = 0; w < range.words; ++w) {
          std::vector<uint32_t>& of_register = uses[static_cast<size_t>(range.reg + w)];
          for (const uint32_t earlier : of_register) add_before(i, earlier);
          of_register = {i};
        }
    }
  }

  // A register is free behind the last use of what the code keeps in it.
  void count_uses_of_registers(size_t register_budget) {
    uses_of_.resize(region_.size());
    for (const Pinned& pinned : values_.pinned) {
      if (pinned.reg >= register_budget || pinned.reg == kStackPointer) continue;
      if (pinned.needed_behind) ++uses_left_[pinned.reg];  // for ever
      uses_left_[pinned.reg] += static_cast<uint32_t>(pinned.readers.size());
      for (const uint32_t reader : pinned.readers) uses_of_[reader].push_back(pinned.reg);
      if (pinned.writer == kNone) continue;
      ++uses_left_[pinned.reg];
      uses_of_[pinned.writer].push_back(pinned.reg);
    }
  }

  // Registers that hold a sum at the entry and, perhaps, behind the region, and nothing else. In between the
  // sum can be elsewhere.
  void find_sums_that_may_leave(size_t register_budget) {
    std::map<uint8_t, std::vector<const Pinned*>> by_register;
    for (const Pinned& pinned : values_.pinned) by_register[pinned.reg].push_back(&pinned);
    for (const auto& [reg, list] : by_register) {
      if (reg == kStackPointer || reg >= register_budget) continue;
      uint32_t enters = kNone, leaves = kNone;
      bool other = false;
      for (const Pinned* pinned : list) {
        const bool of_head = pinned->writer == kNone && !pinned->needed_behind &&
                             pinned->readers.size() == 1 && is_end_of_chain(pinned->readers.front(), true);
        const bool by_tail = pinned->writer != kNone && is_end_of_chain(pinned->writer, false);
        if (of_head) enters = pinned->readers.front();
        if (by_tail) leaves = pinned->writer;
        other |= (!of_head && !by_tail) || (by_tail && leaves != pinned->writer);
      }
      if (other || enters == kNone) continue;
      may_leave_.set(reg);
      head_register_[enters] = reg;
      if (leaves != kNone) tail_register_[leaves] = reg;
    }
  }

  // Registers that hold nothing at the entry: free until the first instruction that writes them, which waits
  // for whoever has them then.
  void find_unwritten_registers(size_t register_budget) {
    std::map<uint8_t, uint32_t> first_writer;  // kNone: it holds something at the entry
    for (const Pinned& pinned : values_.pinned) {
      const auto [at, added] = first_writer.try_emplace(pinned.reg, pinned.writer);
      if (!added && at->second != kNone)
        at->second = pinned.writer == kNone ? kNone : std::min(at->second, pinned.writer);
    }
    for (const auto& [reg, writer] : first_writer) {
      if (writer == kNone || reg == kStackPointer || reg >= register_budget) continue;
      may_leave_.set(reg);
      left_.set(reg);
      first_write_[writer].push_back(reg);
    }
  }
  bool is_end_of_chain(uint32_t index, bool head) const {
    const uint32_t p = values_.product_at[index];
    if (p == kNone) return false;
    const Product& product = values_.products[p];
    return head ? product.before == kNone && product.after != kNone
                : product.after == kNone && product.before != kNone;
  }
  bool read_by_a_tail(uint32_t f) const {
    return std::any_of(values_.fragments[f].readers.begin(), values_.fragments[f].readers.end(),
                       [&](uint32_t p) { return values_.products[p].after == kNone; });
  }

  bool ready(uint32_t i) const {
    if (const auto tail = tail_register_.find(i); tail != tail_register_.end() && lent_[tail->second])
      return false;
    if (const auto first = first_write_.find(i); first != first_write_.end())
      for (const uint8_t reg : first->second)
        if (lent_[reg]) return false;
    return std::all_of(before_[i].begin(), before_[i].end(),
                       [&](uint32_t earlier) { return position_[earlier] != kNone; });
  }
  bool operands_are_there(uint32_t i) const {
    return std::all_of(before_[i].begin(), before_[i].end(), [&](uint32_t earlier) {
      const bool loads = instructions_[region_.first + earlier].row->pipe == isa::Pipe::lsu;
      return !loads || position_[earlier] + load_distance_ <= result_.order.size();
    });
  }

  // Where an instruction that is no product needs no stall and is not too close to the load before.
  uint32_t earliest_place(uint32_t i) const {
    uint32_t place = values_.fragment_at[i] != kNone ? next_load_ : 0;
    for (const uint32_t earlier : before_[i])
      if (position_[earlier] != kNone) place = std::max(place, position_[earlier] + kRegisterPlaces);
    if (reads_predicate(instructions_[region_.first + i])) place = std::max(place, predicate_there_);
    return place;
  }

  void emit(uint32_t i) {
    if (writes_predicate(instructions_[region_.first + i]))
      predicate_there_ = static_cast<uint32_t>(result_.order.size()) + kPredicatePlaces;
    position_[i] = static_cast<uint32_t>(result_.order.size());
    result_.order.push_back(i);
    for (const uint8_t reg : uses_of_[i]) {
      if (--uses_left_[reg] == 0) free_.set(reg);
      if (reads_from_queue(instructions_[region_.first + i])) read_until_[reg] = position_[i] + kReadPlaces;
    }
    if (const auto head = head_register_.find(i); head != head_register_.end()) left_.set(head->second);
    if (const auto tail = tail_register_.find(i); tail != tail_register_.end()) left_.reset(tail->second);
    if (const auto first = first_write_.find(i); first != first_write_.end())
      for (const uint8_t reg : first->second) left_.reset(reg), may_leave_.reset(reg);
  }

  bool emit_other(uint32_t i) {
    if (!ready(i)) return false;
    const uint32_t f = values_.fragment_at[i];
    if (f != kNone && !allocate(f)) return false;
    emit(i);
    if (f != kNone) next_load_ = static_cast<uint32_t>(result_.order.size()) - 1 + load_spacing_;
    return true;
  }

  bool allocate(uint32_t f) {
    if (keep_registers_) {
      result_.fragment_register[f] = values_.fragments[f].reg;
      return true;
    }
    return words_left_ >= values_.fragments[f].words &&
           (allocate_in(f, free_) || (!read_by_a_tail(f) && allocate_in(f, free_ | left_)));
  }

  bool allocate_in(uint32_t f, const RegisterSet& free) {
    const size_t words = values_.fragments[f].words;
    for (size_t reg = 0; reg + words < kRegisters; reg += words) {
      bool all = true;
      for (size_t w = 0; w < words; ++w) all &= free[reg + w] && read_until_[reg + w] <= result_.order.size();
      if (!all) continue;
      for (size_t w = 0; w < words; ++w) {
        free_.reset(reg + w);
        if (may_leave_[reg + w]) left_.reset(reg + w), lent_.set(reg + w);
      }
      result_.fragment_register[f] = static_cast<uint8_t>(reg);
      words_left_ -= static_cast<int>(words);
      return true;
    }
    return false;
  }

  bool emit_product(std::vector<uint32_t>& products, bool operands_there) {
    for (size_t k = 0; k < std::min(products.size(), operands_there ? kLookAhead : products.size()); ++k) {
      const uint32_t i = values_.products[products[k]].index;
      if (!ready(i) || (operands_there && !operands_are_there(i))) continue;
      emit(i);
      release(products[k]);
      products.erase(products.begin() + static_cast<std::ptrdiff_t>(k));
      return true;
    }
    return false;
  }

  void release(uint32_t product) {
    if (keep_registers_) return;
    for (size_t k = 0; k < 3; ++k) {
      const Source& source = values_.products[product].sources[k];
      if (!values_.products[product].is_register[k] || source.writer == kNone) continue;
      const uint32_t f = values_.fragment_at[source.writer];
      if (f == kNone || --unread_[f] != 0) continue;
      words_left_ += values_.fragments[f].words;
      for (size_t w = 0; w < values_.fragments[f].words; ++w) {
        const size_t reg = result_.fragment_register[f] + w;
        (may_leave_[reg] ? left_ : free_).set(reg);
        lent_.reset(reg);
      }
    }
  }

  const std::vector<Instruction>& instructions_;
  Range region_;
  const RegionValues& values_;
  const ProductOrder& wanted_;
  std::vector<std::vector<uint32_t>> before_;  // by index: what must issue earlier
  std::vector<uint32_t> position_, others_;
  bool keep_registers_;
  std::vector<size_t> unread_;  // by fragment
  int words_left_;              // that fragments may still take
  uint32_t loads_ahead_, load_distance_, load_spacing_;
  uint32_t next_load_ = 0;                     // the place at which the next fragment may be loaded
  uint32_t predicate_there_ = 0;               // the place at which the last predicate written can be read
  RegisterSet free_;                           // for fragments
  std::array<uint32_t, 256> uses_left_{};      // by register: uses of what is pinned to it
  std::vector<std::vector<uint8_t>> uses_of_;  // by index: registers
  std::array<uint32_t, 256> read_until_{};  // by register: the place up to which an instruction may read it
  // Registers of sums: those that a sum may leave, those that it has left and nothing is in, and those that a
  // fragment has meanwhile. By the index of the product that takes the sum away, or brings it back.
  RegisterSet may_leave_, left_, lent_;
  std::map<uint32_t, uint8_t> head_register_, tail_register_;
  std::map<uint32_t, std::vector<uint8_t>>
      first_write_;  // registers that hold nothing before, by who writes them
  Placement result_;
};

// A sum: its products in order. The first takes it from where the code has it, the last writes it where the
// code expects it, and in between it is in registers that are chosen here.
struct Chain {
  std::vector<uint32_t> products;
  int64_t from = 0, to = 0;  // issues of the first and of the last
  int votes = 0;             // see ProductOrder
};

class Sums {
 public:
  Sums(const std::vector<Instruction>& instructions, Range region, const RegionValues& values,
       const ProductOrder& wanted, const std::vector<uint32_t>& positions, int register_budget,
       Placement& placement)
      : values_(values), positions_(positions), budget_(register_budget), placement_(placement) {
    held_.resize(256);
    for (uint32_t i = 0; i < region.size(); ++i)
      from_queue_.push_back(reads_from_queue(instructions[region.first + i]) ? 1 : 0);
    for (const Pinned& pinned : values.pinned) hold(pinned.reg, interval_of(pinned));
    for (uint32_t f = 0; f < values.fragments.size(); ++f) hold_fragment(f);
    for (uint32_t p = 0; p < values.products.size(); ++p)
      if (values.products[p].before == kNone && values.products[p].after != kNone)
        chains_.push_back(chain_from(p, wanted));
    // The first to leave its register is the last to come back, so it may not find the place of another.
    std::stable_sort(chains_.begin(), chains_.end(),
                     [](const Chain& a, const Chain& b) { return a.from < b.from; });
  }

  Result<void> run() {
    placement_.sum_register.assign(values_.products.size(), 0);
    for (const Chain& chain : chains_)
      if (!hold_chain(chain)) return fail("There are not enough registers to hold the sums.");
    return {};
  }

 private:
  int64_t position(uint32_t index) const { return positions_[index]; }
  int64_t issue_of(uint32_t product) const { return position(values_.products[product].index); }
  void hold(uint8_t reg, Interval interval) { held_[reg].push_back(interval); }

  Interval interval_of(const Pinned& pinned) const {
    Interval interval;
    if (pinned.writer != kNone) interval.from = position(pinned.writer);
    interval.to = interval.from + 1;
    for (const uint32_t reader : pinned.readers)
      interval.to = std::max(interval.to, position(reader) + (from_queue_[reader] != 0 ? kReadPlaces : 0));
    if (pinned.needed_behind) interval.to = kEnd;
    return interval;
  }

  void hold_fragment(uint32_t f) {
    Interval interval{position(values_.fragments[f].index), 0};
    interval.to = interval.from + 1;
    for (const uint32_t reader : values_.fragments[f].readers)
      interval.to = std::max(interval.to, issue_of(reader));
    for (uint8_t w = 0; w < values_.fragments[f].words; ++w)
      hold(static_cast<uint8_t>(placement_.fragment_register[f] + w), interval);
  }

  Chain chain_from(uint32_t head, const ProductOrder& wanted) const {
    Chain chain;
    for (uint32_t p = head; p != kNone; p = values_.products[p].after) {
      chain.products.push_back(p);
      chain.votes += wanted.votes[p];
    }
    chain.from = issue_of(head);
    chain.to = issue_of(chain.products.back());
    return chain;
  }

  // The issue up to which the register is free from `from` on; `from` if it is taken.
  int64_t free_until(int reg, int64_t from) const {
    if (reg < 0 || reg == kStackPointer || reg >= budget_ || reg >= kRegisters) return from;
    int64_t until = kEnd;
    for (const Interval& other : held_[static_cast<size_t>(reg)])
      if (other.to > from) until = std::min(until, std::max(other.from, from));
    return until;
  }

  // The streamed factors of most of its products are in the other bank.
  static bool suits(int reg, const Chain& chain) {
    return chain.votes == 0 || (reg % 2 != 0) == (chain.votes < 0);
  }

  // The register that holds the sum longest, up to `chain.to`; among equals one of the right bank, then where
  // the code has it at the entry.
  int choose(const Chain& chain, int64_t from, int64_t at_least) const {
    const Product& head = values_.products[chain.products.front()];
    const int entry = head.is_register[2] ? head.sources[2].reg : -1;
    int best = -1;
    std::tuple<bool, bool, int64_t, bool> best_score;
    for (int reg = 0; reg < budget_; ++reg) {
      const int64_t until = std::min(free_until(reg, from), chain.to);
      if (until < at_least) continue;
      const std::tuple score(until == chain.to && suits(reg, chain), until == chain.to, until, reg == entry);
      if (best >= 0 && score <= best_score) continue;
      best = reg;
      best_score = score;
    }
    return best;
  }

  bool hold_chain(const Chain& chain) {
    size_t next = 0;  // the product whose result needs a register
    while (next + 1 < chain.products.size()) {
      const int64_t from = issue_of(chain.products[next]);
      const int reg = choose(chain, from, issue_of(chain.products[next + 1]));
      if (reg < 0) return false;
      const int64_t until = std::min(free_until(reg, from), chain.to);
      if (!suits(reg, chain)) ++placement_.wrong_bank;
      int64_t last_read = from;
      while (next + 1 < chain.products.size() && issue_of(chain.products[next + 1]) <= until) {
        placement_.sum_register[chain.products[next]] = static_cast<uint8_t>(reg);
        last_read = issue_of(chain.products[++next]);
      }
      hold(static_cast<uint8_t>(reg), {from, last_read});
    }
    return true;
  }

  const RegionValues& values_;
  const std::vector<uint32_t>& positions_;
  int budget_;
  Placement& placement_;
  std::vector<char> from_queue_;             // by index: it reads its registers late
  std::vector<std::vector<Interval>> held_;  // by register
  std::vector<Chain> chains_;
};

void keep_sums(const std::vector<Instruction>& instructions, Range region, const RegionValues& values,
               const ProductOrder& wanted, Placement& placement) {
  for (uint32_t p = 0; p < values.products.size(); ++p) {
    const Product& product = values.products[p];
    const uint8_t reg = instructions[region.first + product.index].operands[0].index;
    placement.sum_register.push_back(reg);
    if (!product.keeps_register && wanted.votes[p] != 0 && (reg % 2 != 0) == (wanted.votes[p] > 0))
      ++placement.wrong_bank;
  }
}

}  // namespace

Result<Placement> place(const std::vector<Instruction>& instructions, Range region,
                        const RegionValues& values, const ProductOrder& wanted,
                        const PlacementLimits& limits) {
  Emitter emitter(instructions, region, values, wanted, limits);
  Result<Placement> placement = emitter.run();
  if (!placement) return placement;
  if (limits.keep_registers) {
    keep_sums(instructions, region, values, wanted, *placement);
    return placement;
  }
  Sums sums(instructions, region, values, wanted, emitter.positions(), limits.register_budget, *placement);
  if (auto done = sums.run(); !done) return tl::unexpected(done.error());
  return placement;
}

}  // namespace gemmscope::schedule
