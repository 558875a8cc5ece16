#include "lint/place.h"

namespace gemmscope::lint {

std::string place_text(Place place) {
  switch (file_of(place)) {
    case File::vector:
      return "R" + std::to_string(place);
    case File::uniform:
      return "UR" + std::to_string(place - kUniform);
    case File::predicate:
      return "P" + std::to_string(place - kPredicates);
    case File::uniform_predicate:
      return "UP" + std::to_string(place - kUniformPredicates);
  }
  return {};
}

std::optional<Place> guard_place(const isa::Guard& guard) {
  if (guard.index == isa::kPredicateTrue) return std::nullopt;
  return static_cast<Place>((guard.uniform ? kUniformPredicates : kPredicates) + guard.index);
}

}  // namespace gemmscope::lint
