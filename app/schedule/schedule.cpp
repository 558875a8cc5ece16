#include "schedule/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "isa/encode.h"
#include "isa/opcode_table.h"
#include "isa/register_use.h"
#include "lint/latency.h"
#include "lint/lint.h"
#include "metrics/register_ports.h"
#include "schedule/control_fields.h"
#include "schedule/outer_product.h"
#include "schedule/placement.h"
#include "schedule/proof.h"
#include "schedule/values.h"

namespace gemmscope::schedule {
namespace {

using isa::Instruction;

// A cubin counts two registers more than its code names; with fewer an H200 reports an illegal instruction.
constexpr int kReservedRegisters = 2;
constexpr const char* kCancelled = "It was cancelled.";

constexpr const char* kNoBetterOrder =
    "No order was found that takes clearly fewer cycles than the code's own.";

// The whole kernel's code with some regions rewritten.
struct Code {
  std::vector<Instruction> instructions;
  std::vector<uint32_t> moved;
  std::vector<Range> regions;
};

struct Way {
  Kept kept = Kept::first_factor;
  PlacementLimits limits;
};

struct Candidate {
  Code code;
  RegionResult result;
  double cost = 0;  // of the loop, see cost_of
};

void exchange_factors(Instruction& product) {
  isa::Operand &a = product.operands[1], &b = product.operands[2];
  if (!a.is(isa::OperandKind::reg) || !b.is(isa::OperandKind::reg) || a.slot == isa::kNoSlot) return;
  std::swap(a.index, b.index);
  std::swap(a.negate, b.negate);
  std::swap(a.absolute, b.absolute);
}

uint8_t register_now(const RegionValues& values, const Placement& placement, const Source& source) {
  if (source.writer == kNone) return source.reg;
  if (const uint32_t f = values.fragment_at[source.writer]; f != kNone)
    return static_cast<uint8_t>(placement.fragment_register[f] + source.reg - values.fragments[f].reg);
  const uint32_t p = values.product_at[source.writer];
  return p == kNone || values.products[p].keeps_register ? source.reg : placement.sum_register[p];
}

void rename(Instruction& instruction, uint32_t index, const RegionValues& values, const ProductOrder& order,
            const Placement& placement) {
  if (const uint32_t f = values.fragment_at[index]; f != kNone)
    instruction.operands[0].index = placement.fragment_register[f];
  const uint32_t p = values.product_at[index];
  if (p == kNone) return;
  const Product& product = values.products[p];
  for (size_t k = 0; k < 3; ++k)
    if (product.is_register[k])
      instruction.operands[k + 1].index = register_now(values, placement, product.sources[k]);
  if (!product.keeps_register) instruction.operands[0].index = placement.sum_register[p];
  if (order.swap[p] != 0) exchange_factors(instruction);
}

bool has_fixed_latency(const Instruction& instruction) {
  const isa::Pipe pipe = instruction.row->pipe;
  return pipe == isa::Pipe::alu || pipe == isa::Pipe::fma || pipe == isa::Pipe::fma_heavy;
}

bool names_inside(const std::vector<uint32_t>& addresses, Range region) {
  return std::any_of(addresses.begin(), addresses.end(), [&](uint32_t address) {
    const uint32_t i = address / isa::kInstructionBytes;
    return i >= region.first && i < region.end;
  });
}

// What the search makes small. With three or more warps on a scheduler the others hide most of what one waits
// for. On an H200 the sum orders 72 placements of step 16's loop like their times (correlation 0.82), and its
// least was the fastest of them.
double cost_of(const LoopFigures& figures, const Options& options) {
  constexpr int kWarpsThatHide = 3;
  const double share = options.warps_per_scheduler >= kWarpsThatHide ? 0.05 : 0.5;
  return static_cast<double>(figures.cycles) +
         share * static_cast<double>(figures.wait_cycles + figures.crowding);
}

Result<Candidate> rewrite(Range region, const Way& way, const std::vector<Instruction>& before,
                          const RegionValues& values, const Code& code, const Options& options, Range body) {
  const ProductOrder order = order_products(values, way.kept);
  const Result<Placement> placement = place(before, region, values, order, way.limits);
  if (!placement) return tl::unexpected(placement.error());
  Candidate candidate{code, {region, way.kept, order.steps, placement->wrong_bank, 0}, 0};
  std::vector<Instruction>& now = candidate.code.instructions;
  Origin origin;
  for (uint32_t at = 0; at < region.size(); ++at) {
    const uint32_t index = placement->order[at];
    Instruction instruction = before[region.first + index];
    rename(instruction, index, values, order, *placement);
    instruction.address = (region.first + at) * isa::kInstructionBytes;
    // Others of fixed latency had stalls for what followed them then; the lint asks for what is needed now.
    if (is_free_product(instruction) || has_fixed_latency(instruction)) {
      instruction.control.stall_cycles = 1;
      instruction.control.yield = false;  // another warp in between would empty the reuse cache
    }
    now[region.first + at] = instruction;
    candidate.code.moved[region.first + at] = region.first + index;
    origin.index.push_back(index);
    origin.is_fragment.push_back(values.fragment_at[index] != kNone ? 1 : 0);
  }
  if (auto done = set_scoreboards(now, body, region, origin, before); !done)
    return tl::unexpected(done.error());
  set_reuse_flags(now, region);
  candidate.code.regions.push_back(region);
  candidate.cost = cost_of(loop_figures(now, body), options);
  return candidate;
}

constexpr int kAnyWords = 255;

std::vector<Way> ways(int register_budget) {
  std::vector<Way> list;
  for (const int words : {kAnyWords, 48, 32})
    for (const bool lend : {false, true})
      for (const uint32_t ahead : {0, 48, 96, 160})
        for (const uint32_t distance : {30, 80})
          for (const uint32_t spacing : {1, 8, 16}) {
            // Wide apart, loads are late enough where anything else limits them.
            if (spacing == 16 && (words != kAnyWords || lend)) continue;
            for (const Kept kept : {Kept::first_factor, Kept::second_factor})
              list.push_back({kept, {register_budget, lend, false, words, ahead, distance, spacing}});
          }
  return list;
}

std::vector<Way> ways_that_rename_nothing(int register_budget) {
  std::vector<Way> list;
  for (const uint32_t ahead : {0, 16, 48, 96, 160})
    for (const uint32_t distance : {20, 30, 80})
      for (const uint32_t spacing : {1, 8, 12, 16})
        for (const Kept kept : {Kept::code_order, Kept::first_factor, Kept::second_factor})
          list.push_back({kept, {register_budget, false, true, kAnyWords, ahead, distance, spacing}});
  return list;
}

// The ways to try, and by how much the cost must fall: it orders placements of one loop well, but not so well
// that a percent or two would say anything. Less changes where every value stays in its register, and there
// the cost may not fall at the price of cycles.
struct Search {
  std::vector<Way> ways;
  double least_gain = 0;
  bool cycles_may_rise = true;
};
std::vector<Search> searches(int register_budget) {
  return {{ways(register_budget), 0.02, true}, {ways_that_rename_nothing(register_budget), 0.01, false}};
}

// The best rewritten region that lint and proof accept, tried from the fastest on.
Result<Candidate> best_of(Range region, const Search& search, const std::vector<Instruction>& before,
                          const RegisterSet& live_behind, const Code& code, const Options& options,
                          Range body) {
  constexpr size_t kMostChecked = 12;  // waits that the lint adds decide among them
  if (names_inside(options.named_addresses, region))
    return fail("The file names an instruction here by its address, so none may move.");
  const RegionValues values = values_of(before, region, live_behind);
  std::vector<Candidate> candidates;  // the best, in order
  std::string why;                    // none could be made, or was accepted
  int tried = 0;
  const LoopFigures figures_before = loop_figures(code.instructions, body);
  for (const Way& way : search.ways) {
    if (options.cancelled != nullptr && *options.cancelled) return fail("{}", kCancelled);
    if (options.progress)
      options.progress(static_cast<double>(&way - search.ways.data()) /
                       static_cast<double>(search.ways.size()));
    Result<Candidate> candidate = rewrite(region, way, before, values, code, options, body);
    if (!candidate) {
      why = candidate.error().message;
      continue;
    }
    ++tried;
    const bool known = std::any_of(candidates.begin(), candidates.end(), [&](const Candidate& other) {
      return other.cost == candidate->cost && other.code.moved == candidate->code.moved;
    });
    if (known) continue;
    const auto place =
        std::upper_bound(candidates.begin(), candidates.end(), *candidate,
                         [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
    candidates.insert(place, std::move(*candidate));
    if (candidates.size() > kMostChecked) candidates.pop_back();
  }
  const double cost_before = (1 - search.least_gain) * cost_of(figures_before, options);
  if (!candidates.empty()) why.clear();
  std::vector<Candidate*> accepted;  // by the lint, with the waits that it added
  for (Candidate& candidate : candidates) {
    if (const auto done = satisfy_lint(candidate.code.instructions); !done) {
      why = done.error().message;
      continue;
    }
    candidate.cost = cost_of(loop_figures(candidate.code.instructions, body), options);
    accepted.push_back(&candidate);
  }
  std::stable_sort(accepted.begin(), accepted.end(),
                   [](const Candidate* a, const Candidate* b) { return a->cost < b->cost; });
  for (Candidate* candidate : accepted) {
    if (candidate->cost >= cost_before) break;
    const Code& now = candidate->code;
    if (!search.cycles_may_rise && loop_figures(now.instructions, body).cycles > figures_before.cycles)
      continue;
    if (const auto proved = prove_same(before, now.instructions, now.moved, now.regions); !proved) {
      why = proved.error().message;
      continue;
    }
    candidate->result.tried = tried;
    return std::move(*candidate);
  }
  return fail("{}", why.empty() ? kNoBetterOrder : why);
}

int registers_of(const std::vector<Instruction>& instructions, int registers_before) {
  int least = registers_before - kReservedRegisters;
  for (const Instruction& instruction : instructions) {
    const isa::RegisterUse use = isa::register_use(instruction);
    for (const auto& range : use.reads) least = std::max(least, range.reg + range.words);
    for (const auto& range : use.writes) least = std::max(least, range.reg + range.words);
  }
  return least + kReservedRegisters;
}

}  // namespace

namespace {

// Cycles that a warp waits for shared memory in a pass: for the registers that an instruction reads, and for
// all loads of the scoreboards in its wait mask. Also how closely loads follow each other.
class LoadWaits {
 public:
  uint64_t pass(const std::vector<Instruction>& instructions, Range body) {
    const uint64_t before = waited_;
    for (uint32_t i = body.first; i < body.end; ++i) issue(instructions[i]);
    return waited_ - before;
  }
  uint64_t crowding() const { return crowding_; }

 private:
  // 29 on an H200 where nothing else is loaded. Between two loads of a warp come those of the others: fitted
  // to the times of step 16's placements there, like the distance below which loads are crowded.
  static constexpr uint64_t kLoadCycles = 30, kBetweenLoads = 24, kClose = 20;

  void issue(const Instruction& instruction) {
    const isa::RegisterUse use = isa::register_use(instruction);
    uint64_t ready = now_;
    for (const auto& read : use.reads)
      for (int w = 0; w < read.words; ++w)
        ready = std::max(ready, register_there_[static_cast<size_t>(read.reg + w)]);
    for (size_t k = 0; k < scoreboard_clear_.size(); ++k)
      if ((instruction.control.wait_mask >> k & 1) != 0) ready = std::max(ready, scoreboard_clear_[k]);
    waited_ += ready - now_;
    now_ = ready;
    const bool loads = instruction.opcode == isa::Opcode::lds && use.writes.count != 0;
    if (loads) load(instruction.control.write_scoreboard);
    for (const auto& write : use.writes)
      for (int w = 0; w < write.words; ++w)
        register_there_[static_cast<size_t>(write.reg + w)] = loads ? loaded_ : 0;
    ++place_;
    now_ += static_cast<uint64_t>(lint::issue_cycles(instruction.control));
  }

  void load(uint8_t scoreboard) {
    loaded_ = std::max(now_ + kLoadCycles, loaded_ + kBetweenLoads);
    if (scoreboard < scoreboard_clear_.size())
      scoreboard_clear_[scoreboard] = std::max(scoreboard_clear_[scoreboard], loaded_);
    if (last_load_ != 0 && place_ - last_load_ < kClose) crowding_ += kClose - (place_ - last_load_);
    last_load_ = place_;
  }

  std::array<uint64_t, 256> register_there_{};
  std::array<uint64_t, 6> scoreboard_clear_{};
  uint64_t now_ = 0, waited_ = 0, loaded_ = 0;         // the last load is done
  uint64_t place_ = 1, last_load_ = 0, crowding_ = 0;  // in instructions
};

}  // namespace

LoopFigures loop_figures(const std::vector<Instruction>& instructions, Range body) {
  LoopFigures figures;
  std::vector<metrics::PortReads> reads;
  for (uint32_t i = body.first; i < body.end; ++i) {
    ++figures.instructions;
    if (is_free_product(instructions[i])) ++figures.products;
    reads.push_back(metrics::port_reads(instructions[i]));
  }
  figures.cycles = metrics::steady_cycles(reads);
  LoadWaits waits;
  waits.pass(instructions, body);
  const uint64_t crowding = waits.crowding();
  figures.wait_cycles = waits.pass(instructions, body);
  figures.crowding = waits.crowding() - crowding;
  return figures;
}

namespace {

// One search over all regions of the loop.
Scheduled rewrite_regions(const std::vector<Instruction>& instructions, const MainLoop& loop,
                          const Search& search, const std::vector<RegisterSet>& live, Options options) {
  Scheduled result;
  Code code{instructions, std::vector<uint32_t>(instructions.size()), {}};
  std::iota(code.moved.begin(), code.moved.end(), 0u);
  const auto progress = options.progress;
  for (const Range& region : loop.regions) {
    if (progress)
      options.progress = [&](double share) {
        progress((static_cast<double>(&region - loop.regions.data()) + share) /
                 static_cast<double>(loop.regions.size()));
      };
    Result<Candidate> best =
        best_of(region, search, instructions, live[region.end - 1], code, options, loop.body);
    if (!best) {
      result.refused.push_back(fmt::format("{:#06x} to {:#06x}: {}", instructions[region.first].address,
                                           instructions[region.end - 1].address, best.error().message));
      continue;
    }
    code = std::move(best->code);
    result.regions.push_back(best->result);
  }
  result.instructions = std::move(code.instructions);
  result.moved = std::move(code.moved);
  return result;
}

}  // namespace

Result<Scheduled> schedule_code(const std::vector<Instruction>& instructions, const Options& options) {
  const Result<MainLoop> loop = find_main_loop(instructions);
  if (!loop) return tl::unexpected(loop.error());
  if (const auto findings = lint::lint(instructions).findings; !findings.empty())
    return fail("The hazard lint already refuses the code at {:#06x}: {}",
                instructions[findings.front().dependence.consumer].address,
                lint::finding_text(findings.front(), instructions));
  const std::vector<RegisterSet> live = live_behind_each(instructions);
  std::vector<std::string> refused;  // by the first search
  const std::vector<Search> all_searches = searches(options.register_budget - kReservedRegisters);
  for (const Search& search : all_searches) {
    Options of_search = options;
    if (options.progress)
      of_search.progress = [&](double share) {
        options.progress((static_cast<double>(&search - all_searches.data()) + share) /
                         static_cast<double>(all_searches.size()));
      };
    Scheduled result = rewrite_regions(instructions, *loop, search, live, of_search);
    if (options.cancelled != nullptr && *options.cancelled) return fail("{}", kCancelled);
    if (refused.empty()) refused = result.refused;
    if (result.regions.empty()) continue;
    result.loop = *loop;
    result.before = loop_figures(instructions, loop->body);
    result.after = loop_figures(result.instructions, loop->body);
    result.registers = registers_of(result.instructions, options.registers);
    return result;
  }
  return fail("Nothing of the main loop is changed. {}", fmt::join(refused, " "));
}

Result<std::vector<uint64_t>> encode_code(const std::vector<Instruction>& instructions) {
  std::vector<uint64_t> words;
  words.reserve(2 * instructions.size());
  for (const Instruction& instruction : instructions) {
    const Result<isa::EncodedWord> word = isa::encode(instruction);
    if (!word) return tl::unexpected(word.error());
    words.push_back(word->lo);
    words.push_back(word->hi);
  }
  return words;
}

}  // namespace gemmscope::schedule
