#include "scenes/map_story.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <set>

#include "metrics/counters.h"
#include "metrics/mma_fragments.h"
#include "metrics/sectors.h"
#include "scenes/text.h"

namespace gemmscope::scenes {
namespace {

using metrics::Touch;
using metrics::TouchKind;

struct TouchCount {
  std::set<std::pair<uint8_t, int64_t>> elements;  // matrix, linear index
  uint32_t lanes = 0;
  uint8_t matrix = 0;
};
TouchCount count(const Playhead& playhead, TouchKind kind) {
  TouchCount result;
  for (const Touch& touch : playhead.touches()) {
    if (touch.kind != kind) continue;
    const int64_t columns = playhead.block().layout.buffers[touch.element.matrix].columns;
    result.elements.insert({touch.element.matrix, touch.element.row * columns + touch.element.column});
    result.lanes |= 1u << touch.lane;
    result.matrix = touch.element.matrix;
  }
  return result;
}

std::string elements_text(const Playhead& playhead, const TouchCount& c) {
  const size_t n = c.elements.size();
  return fmt::format("{} element{} of {}", n, n == 1 ? "" : "s",
                     playhead.block().layout.buffers[c.matrix].name);
}

std::string lanes_text(uint32_t lanes) {
  const int n = std::popcount(lanes);
  return n == 32 ? "32 lanes" : fmt::format("{} lane{}", n, n == 1 ? "" : "s");
}

// "32 lanes read", "1 lane reads"
std::string lanes_that(uint32_t lanes, const char* many, const char* one) {
  return lanes_text(lanes) + " " + (std::has_single_bit(lanes) ? one : many);
}

// "in 4 sectors, the fewest possible"
std::string sectors_text(const experiment::BlockResult& block, const machine::TraceRecord& record) {
  for (const machine::TraceAccess& access : block.trace.accesses_of(record)) {
    if (access.space != machine::Space::global) continue;
    const metrics::SectorCount sectors = metrics::sectors_of(access);
    if (sectors.excess() == 0)
      return fmt::format("in {} sector{}, the fewest possible", sectors.sectors,
                         sectors.sectors == 1 ? "" : "s");
    return fmt::format("in {} sectors, where {} would be enough", sectors.sectors, sectors.minimum);
  }
  return "";
}

std::string without_touches(const experiment::BlockResult& block, const machine::TraceRecord& record) {
  const isa::Instruction& instruction = block.compiled->instructions[record.instruction];
  if (record.executed == 0) return "No lane executes it: its guard is false for the whole warp.";
  switch (instruction.opcode) {
    case isa::Opcode::ffma:
    case isa::Opcode::hmma:
      if (block.footprints[metrics::kMatrixC].rows == 0) return without_c(block);
      return "Multiply-adds beyond the edge of C: the block's tile is larger than what is left of the "
             "matrices.";
    case isa::Opcode::bar:
      return "The warp waits here for the other warps of its block.";
    case isa::Opcode::bra:
      return "A branch: no data moves.";
    case isa::Opcode::exit:
      return "These lanes exit.";
    case isa::Opcode::s2r:
    case isa::Opcode::s2ur:
      return "The lanes read the indices of their thread and block.";
    case isa::Opcode::ldg:
      return "The lanes load from outside the matrices.";
    case isa::Opcode::ldl:
      return "The lanes load from local memory what had no room in registers.";
    case isa::Opcode::stl:
      return "The lanes store to local memory what has no room in registers.";
    default:
      return "Bookkeeping: addresses, counters and conditions.";
  }
}

// Describes a matrix instruction by its fragments of A, B and C, whichever of A and B is its first operand.
std::string matrix_product(const Playhead& playhead) {
  std::array<std::set<int64_t>, 3> rows, columns;
  for (const Touch& touch : playhead.touches()) {
    rows[touch.element.matrix].insert(touch.element.row);
    columns[touch.element.matrix].insert(touch.element.column);
  }
  const auto size = [&](uint8_t matrix) {
    return fmt::format("{} \u00d7 {}", rows[matrix].size(), columns[matrix].size());
  };
  std::string text =
      fmt::format("The warp multiplies {} elements of A by {} of B and adds the product to {} of C.",
                  size(metrics::kMatrixA), size(metrics::kMatrixB), size(metrics::kMatrixC));
  const auto first = std::find_if(playhead.touches().begin(), playhead.touches().end(),
                                  [](const Touch& t) { return t.kind == TouchKind::multiply; });
  const machine::TraceRecord& record = playhead.block().trace.records[playhead.record()];
  const std::optional<metrics::MmaShape> shape =
      metrics::mma_shape(playhead.block().compiled->instructions[record.instruction]);
  // The first factor of the instruction is the larger one. A kernel may give it B.
  if (shape && first != playhead.touches().end() && first->element.matrix == metrics::kMatrixB)
    text += fmt::format(" Transposed, {}\u00d7{} by {}\u00d7{}.", shape->m, shape->k, shape->k, shape->n);
  return text;
}

}  // namespace

std::string without_c(const experiment::BlockResult& block) {
  if (!block.trace.complete) return "The trace ends before this block stores its results.";
  const experiment::OtherStores& stores = block.other_stores;
  if (stores.parameter.empty()) return "This block writes no element of C.";
  const experiment::CompiledKernel& compiled = *block.compiled;
  const std::string numbers = grouped(stores.elements);
  if (compiled.shown_part + 1 >= compiled.parts.size())
    return fmt::format("This block writes no element of C: it stores {} numbers in {}.", numbers,
                       stores.parameter);
  const std::string& next = compiled.parts[compiled.shown_part + 1].title;
  // Only a block that multiplies has sums to store.
  const bool multiplies = metrics::summarize(block.counters, compiled.instructions).flops() > 0;
  return fmt::format("This block writes no element of C: it stores {} {} in {}, for the launch \"{}\".",
                     numbers, multiplies ? "partial sums" : "numbers", stores.parameter, next);
}

std::string headline_of(const experiment::BlockResult& block, size_t record, bool brief) {
  const machine::TraceRecord& r = block.trace.records[record];
  if (brief) return fmt::format("warp {}  \u00b7  pass {}", r.warp, r.k_tile + 1);
  uint16_t last = 0;
  const std::vector<uint32_t>& own = block.warp_records[r.warp];
  if (!own.empty()) last = block.trace.records[own.back()].k_tile;
  return fmt::format("warp {}  \u00b7  pass {} of {}", r.warp, r.k_tile + 1, last + 1);
}

std::string story_of(const Playhead& playhead) {
  const experiment::BlockResult& block = playhead.block();
  const machine::TraceRecord& record = block.trace.records[playhead.record()];
  if (const TouchCount c = count(playhead, TouchKind::read_global); c.lanes != 0)
    return fmt::format("{} {} from global memory {}.", lanes_that(c.lanes, "read", "reads"),
                       elements_text(playhead, c), sectors_text(block, record));
  if (const TouchCount c = count(playhead, TouchKind::write_global); c.lanes != 0)
    return fmt::format("{} {} to global memory {}.", lanes_that(c.lanes, "write", "writes"),
                       elements_text(playhead, c), sectors_text(block, record));
  if (const TouchCount c = count(playhead, TouchKind::read_shared); c.lanes != 0)
    return fmt::format("{} {} from shared memory into registers.", lanes_that(c.lanes, "load", "loads"),
                       elements_text(playhead, c));
  if (const TouchCount c = count(playhead, TouchKind::write_shared); c.lanes != 0)
    return fmt::format("{} {} in shared memory for the whole block.", lanes_that(c.lanes, "store", "stores"),
                       elements_text(playhead, c));
  const TouchCount factors = count(playhead, TouchKind::multiply),
                   sums = count(playhead, TouchKind::accumulate);
  const isa::Opcode opcode = block.compiled->instructions[record.instruction].opcode;
  if (factors.lanes != 0 && sums.lanes != 0 && opcode == isa::Opcode::hmma) return matrix_product(playhead);
  if (factors.lanes != 0 && sums.lanes != 0)
    return record.executed == 0 || (record.executed & (record.executed - 1)) != 0
               ? fmt::format(
                     "Each of {} multiplies an element of A by one of B and adds the product to its "
                     "element of C.",
                     lanes_text(record.executed))
               : "One lane multiplies an element of A by one of B and adds the product to its element of "
                 "C.";
  if (sums.lanes != 0)
    return fmt::format("{} {}.", lanes_that(sums.lanes, "finish", "finishes"), elements_text(playhead, sums));
  return without_touches(block, record);
}

}  // namespace gemmscope::scenes
