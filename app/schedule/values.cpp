#include "schedule/values.h"

#include <algorithm>

#include "isa/control_flow.h"
#include "lint/place.h"

namespace gemmscope::schedule {
namespace {

using isa::Instruction;
using isa::Opcode;

struct Use {
  RegisterSet reads, writes;
};

Use use_of(const Instruction& instruction) {
  Use use;
  const isa::RegisterUse registers = register_use(instruction);
  for (const auto& range : registers.reads)
    for (int w = 0; w < range.words; ++w) use.reads.set(static_cast<size_t>(range.reg + w));
  for (const auto& range : registers.writes)
    for (int w = 0; w < range.words; ++w) use.writes.set(static_cast<size_t>(range.reg + w));
  return use;
}

// What one definition of one register is read by.
struct Definition {
  uint32_t writer = kNone;
  uint8_t reg = 0;
  std::vector<uint32_t> readers;
  bool needed_behind = false;
};

class Reader {
 public:
  Reader(const std::vector<Instruction>& instructions, Range region, const RegisterSet& live_behind)
      : code_(instructions.begin() + region.first, instructions.begin() + region.end) {
    last_.fill(kNone);
    values_.product_at.assign(code_.size(), kNone);
    values_.fragment_at.assign(code_.size(), kNone);
    for (uint32_t i = 0; i < code_.size(); ++i) read(i);
    for (size_t reg = 0; reg < kRegisters; ++reg)
      if (live_behind[reg]) definitions_[definition_of(static_cast<uint8_t>(reg))].needed_behind = true;
    link_sums();
    find_fragments();
    pin_the_rest();
  }
  RegionValues take() { return std::move(values_); }

 private:
  uint32_t definition_of(uint8_t reg) {
    if (last_[reg] == kNone) {
      last_[reg] = static_cast<uint32_t>(definitions_.size());
      definitions_.push_back({kNone, reg, {}, false});
    }
    return last_[reg];
  }

  void read(uint32_t i) {
    const isa::RegisterUse use = register_use(code_[i]);
    for (const auto& range : use.reads)
      for (int w = 0; w < range.words; ++w)
        definitions_[definition_of(static_cast<uint8_t>(range.reg + w))].readers.push_back(i);
    if (is_free_product(code_[i])) add_product(i);
    for (const auto& range : use.writes)
      for (int w = 0; w < range.words; ++w) write(i, static_cast<uint8_t>(range.reg + w));
  }

  // Under a guard the old value may stay, so the writer reads it.
  void write(uint32_t i, uint8_t reg) {
    const bool always = code_[i].guard.always();
    if (!always) definitions_[definition_of(reg)].readers.push_back(i), guarded_.set(reg);
    last_[reg] = static_cast<uint32_t>(definitions_.size());
    definitions_.push_back({i, reg, {}, false});
  }

  void add_product(uint32_t i) {
    Product product;
    product.index = i;
    for (size_t k = 0; k < 3; ++k) {
      const isa::Operand& operand = code_[i].operands[k + 1];
      product.is_register[k] = operand.is(isa::OperandKind::reg) && operand.index != isa::kRegisterZero;
      if (product.is_register[k])
        product.sources[k] = {definitions_[definition_of(operand.index)].writer, operand.index};
    }
    values_.product_at[i] = static_cast<uint32_t>(values_.products.size());
    values_.products.push_back(product);
  }

  bool only_as_sum(uint32_t writer, uint8_t reg, uint32_t reader) const {
    const Product& next = values_.products[values_.product_at[reader]];
    const Source source{writer, reg};
    return next.is_register[2] && next.sources[2] == source &&
           !(next.is_register[0] && next.sources[0] == source) &&
           !(next.is_register[1] && next.sources[1] == source);
  }

  void link_sums() {
    for (const Definition& value : definitions_) {
      if (value.writer == kNone || values_.product_at[value.writer] == kNone) continue;
      Product& product = values_.products[values_.product_at[value.writer]];
      if (value.needed_behind || value.readers.size() != 1) continue;
      const uint32_t reader = value.readers.front();
      if (values_.product_at[reader] == kNone || !only_as_sum(value.writer, value.reg, reader)) continue;
      product.keeps_register = false;
      product.after = values_.product_at[reader];
      values_.products[product.after].before = values_.product_at[value.writer];
    }
  }

  void find_fragments() {
    for (uint32_t i = 0; i < code_.size(); ++i) {
      if (code_[i].opcode != Opcode::lds || !code_[i].guard.always()) continue;
      const isa::RegisterUse use = register_use(code_[i]);
      if (use.writes.count != 1) continue;
      Fragment fragment{i, use.writes.items[0].reg, use.writes.items[0].words, {}};
      bool only_products = true;
      for (const Definition& value : definitions_) {
        if (value.writer != i) continue;
        only_products &= !value.needed_behind;
        for (const uint32_t reader : value.readers) {
          only_products &= values_.product_at[reader] != kNone;
          if (values_.product_at[reader] != kNone) fragment.readers.push_back(values_.product_at[reader]);
        }
      }
      if (!only_products || fragment.readers.empty()) continue;
      values_.fragment_at[i] = static_cast<uint32_t>(values_.fragments.size());
      values_.fragments.push_back(std::move(fragment));
    }
  }

  void pin_the_rest() {
    for (Definition& value : definitions_) {
      if (value.writer != kNone) {
        if (values_.fragment_at[value.writer] != kNone) continue;
        const uint32_t product = values_.product_at[value.writer];
        if (product != kNone && !values_.products[product].keeps_register) continue;
      }
      values_.pinned.push_back({value.reg, value.writer, std::move(value.readers), value.needed_behind});
    }
  }

  std::vector<Instruction> code_;
  std::array<uint32_t, 256> last_{};  // by register: its newest definition
  std::vector<Definition> definitions_;
  RegisterSet guarded_;
  RegionValues values_;
};

}  // namespace

RegionValues values_of(const std::vector<Instruction>& instructions, Range region,
                       const RegisterSet& live_behind) {
  return Reader(instructions, region, live_behind).take();
}

std::vector<RegisterSet> live_behind_each(const std::vector<Instruction>& instructions) {
  const isa::ControlFlow flow(instructions);
  const auto count = static_cast<uint32_t>(instructions.size());
  std::vector<Use> uses;
  uses.reserve(count);
  for (const Instruction& instruction : instructions) uses.push_back(use_of(instruction));
  std::vector<RegisterSet> before(count), behind(count);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = count; i-- > 0;) {
      RegisterSet out;
      for (const uint32_t next : flow.successors(i)) out |= before[next];
      if (isa::is_return(instructions[i]))
        for (const uint32_t site : flow.return_sites()) out |= before[site];
      RegisterSet in = out;
      if (instructions[i].guard.always()) in &= ~uses[i].writes;
      in |= uses[i].reads;
      changed |= in != before[i] || out != behind[i];
      before[i] = in;
      behind[i] = out;
    }
  }
  return behind;
}

}  // namespace gemmscope::schedule
