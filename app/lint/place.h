// One register or predicate, of any register file, as an index.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "isa/register_use.h"

namespace gemmscope::lint {

enum class File : uint8_t { vector, uniform, predicate, uniform_predicate };

using Place = uint16_t;
inline constexpr Place kUniform = 256, kPredicates = kUniform + 64, kUniformPredicates = kPredicates + 8,
                       kPlaces = kUniformPredicates + 8;

constexpr File file_of(Place place) {
  if (place >= kUniformPredicates) return File::uniform_predicate;
  if (place >= kPredicates) return File::predicate;
  return place >= kUniform ? File::uniform : File::vector;
}
std::string place_text(Place place);  // "R4", "UR5", "P0", "UP1"

// The predicate of a guard; nothing if the guard always holds.
std::optional<Place> guard_place(const isa::Guard& guard);

template <typename Visit>
void for_predicates(isa::PredicateSet set, Place first, Visit visit) {
  for (Place k = 0; k < isa::kPredicateTrue; ++k)
    if ((set >> k & 1) != 0) visit(static_cast<Place>(first + k), uint8_t{0}, uint8_t{1});
}
template <typename List, typename Visit>
void for_ranges(const List& ranges, Place first, Visit visit) {
  for (const auto& range : ranges)
    for (uint8_t word = 0; word < range.words; ++word)
      visit(static_cast<Place>(first + range.reg + word), word, range.words);
}
// Calls visit(place, word, words) for each place that the instruction reads, its guard's predicate left out:
// register `word` of the `words` of one operand.
template <typename Visit>
void for_reads(const isa::RegisterUse& use, Visit visit) {
  for_ranges(use.reads, 0, visit);
  for_ranges(use.uniform_reads, kUniform, visit);
  for_predicates(use.predicate_reads, kPredicates, visit);
  for_predicates(use.uniform_predicate_reads, kUniformPredicates, visit);
}
// The same for each place that it writes.
template <typename Visit>
void for_writes(const isa::RegisterUse& use, Visit visit) {
  for_ranges(use.writes, 0, visit);
  for_ranges(use.uniform_writes, kUniform, visit);
  for_predicates(use.predicate_writes, kPredicates, visit);
  for_predicates(use.uniform_predicate_writes, kUniformPredicates, visit);
}

}  // namespace gemmscope::lint
