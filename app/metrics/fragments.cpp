#include "metrics/fragments.h"

#include <bit>

namespace gemmscope::metrics {
void for_matrix_words(const machine::TraceAccess& access, bool transposed,
                      const std::function<void(const MatrixWord&)>& visit) {
  const auto matrices = static_cast<uint32_t>(std::popcount(access.mask)) / 8;
  for (uint32_t word = 0; word < matrices; ++word)
    for (uint32_t lane = 0; lane < machine::kWarpLanes; ++lane) {
      const uint32_t line = lane / 4, place = lane % 4 * 2;
      const auto address = [&](uint32_t row, uint32_t column) {
        return access.addresses[8 * word + row] + 2 * column;
      };
      if (transposed) {
        visit({lane, word, address(place, line), address(place + 1, line)});
      } else {
        visit({lane, word, address(line, place), address(line, place + 1)});
      }
    }
}

}  // namespace gemmscope::metrics
