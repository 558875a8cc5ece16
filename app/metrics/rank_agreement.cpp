#include "metrics/rank_agreement.h"

#include <cmath>
#include <cstddef>

namespace gemmscope::metrics {

std::optional<double> kendall_tau(std::span<const double> a, std::span<const double> b) {
  double agreement = 0, untied_a = 0, untied_b = 0;
  const auto order = [](double x, double y) { return (x > y) - (x < y); };
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t j = i + 1; j < a.size(); ++j) {
      const int in_a = order(a[i], a[j]), in_b = order(b[i], b[j]);
      agreement += in_a * in_b;
      untied_a += in_a != 0 ? 1 : 0;
      untied_b += in_b != 0 ? 1 : 0;
    }
  if (untied_a == 0 || untied_b == 0) return std::nullopt;
  return agreement / std::sqrt(untied_a * untied_b);
}

}  // namespace gemmscope::metrics
