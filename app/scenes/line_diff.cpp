#include "scenes/line_diff.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace gemmscope::scenes {
namespace {

using Lines = std::span<const uint32_t>;
struct Place {
  int a = 0, b = 0;
};

// Searches from both ends at once for a place that a longest common subsequence goes through. A diagonal k
// holds the places with a - b = k; each round lets every diagonal go on by one differing line.
class MiddleSearch {
 public:
  MiddleSearch(Lines a, Lines b)
      : a_(a),
        b_(b),
        n_(static_cast<int>(a.size())),
        m_(static_cast<int>(b.size())),
        forward_(a.size() + b.size() + 3, kNowhere),
        backward_(forward_) {}

  Place find(int most_cost) {
    const int delta = n_ - m_;
    for (int cost = 0;; ++cost) {
      for (int k = first(cost); k <= last(cost); k += 2) {
        const int x = advance(k, cost);
        const bool meets = delta % 2 != 0 && x != kNowhere && within(delta - k, cost - 1);
        if (meets && at(backward_, delta - k) != kNowhere && x + at(backward_, delta - k) >= n_)
          return {x, x - k};
      }
      for (int k = first(cost); k <= last(cost); k += 2) {
        const int x = retreat(k, cost);
        const bool meets = delta % 2 == 0 && x != kNowhere && within(delta - k, cost);
        if (meets && at(forward_, delta - k) != kNowhere && x + at(forward_, delta - k) >= n_)
          return {n_ - x, m_ - (x - k)};
      }
      if (cost >= most_cost) return furthest(cost);
    }
  }

 private:
  static constexpr int kNowhere = -1;

  // The diagonals of a round: every other one, as far as they cross the rectangle.
  int first(int cost) const { return cost <= m_ ? -cost : -m_ + (cost - m_) % 2; }
  int last(int cost) const { return cost <= n_ ? cost : n_ - (cost - n_) % 2; }
  bool within(int k, int cost) const { return cost >= 0 && k >= first(cost) && k <= last(cost); }
  int& at(std::vector<int>& row, int k) const { return row[static_cast<size_t>(k + m_ + 1)]; }
  bool same(int x, int y) const { return a_[static_cast<size_t>(x)] == b_[static_cast<size_t>(y)]; }

  // Where a diagonal stands after one more differing line, of a (from k - 1) or of b (from k + 1).
  int start(std::vector<int>& row, int k, int cost) const {
    if (cost == 0) return 0;
    const int of_a = at(row, k - 1), of_b = at(row, k + 1);
    int x = kNowhere;
    if (of_a != kNowhere && of_a < n_) x = of_a + 1;
    if (of_b != kNowhere && of_b - k <= m_) x = std::max(x, of_b);
    return x;
  }
  int advance(int k, int cost) {
    int x = start(forward_, k, cost);
    while (x != kNowhere && x < n_ && x - k < m_ && same(x, x - k)) ++x;
    return at(forward_, k) = x;
  }
  // The same from the ends, from which x and x - k are counted.
  int retreat(int k, int cost) {
    int x = start(backward_, k, cost);
    while (x != kNowhere && x < n_ && x - k < m_ && same(n_ - 1 - x, m_ - 1 - (x - k))) ++x;
    return at(backward_, k) = x;
  }
  Place furthest(int cost) {
    Place best;
    for (int k = first(cost); k <= last(cost); k += 2) {
      const int x = at(forward_, k);
      if (x != kNowhere && 2 * x - k > best.a + best.b) best = {x, x - k};
    }
    return best;
  }

  Lines a_, b_;
  int n_, m_;
  std::vector<int> forward_, backward_;  // by diagonal, from -m - 1 on: the furthest place
};

class Differ {
 public:
  explicit Differ(int most_cost) : most_cost_(most_cost) {}

  void align(Lines a, Lines b, uint32_t first_a, uint32_t first_b) {
    size_t start = 0, end = 0;
    const size_t shorter = std::min(a.size(), b.size());
    while (start < shorter && a[start] == b[start]) ++start;
    while (end < shorter - start && a[a.size() - 1 - end] == b[b.size() - 1 - end]) ++end;
    add_equal(first_a, first_b, start);
    const auto skipped = static_cast<uint32_t>(start);
    between(a.subspan(start, a.size() - start - end), b.subspan(start, b.size() - start - end),
            first_a + skipped, first_b + skipped);
    add_equal(first_a + static_cast<uint32_t>(a.size() - end),
              first_b + static_cast<uint32_t>(b.size() - end), end);
  }
  std::vector<std::pair<uint32_t, uint32_t>> pairs;

 private:
  void add_equal(uint32_t a, uint32_t b, size_t count) {
    for (uint32_t i = 0; i < count; ++i) pairs.emplace_back(a + i, b + i);
  }
  void between(Lines a, Lines b, uint32_t first_a, uint32_t first_b) {
    if (a.empty() || b.empty()) return;
    const Place middle = MiddleSearch(a, b).find(most_cost_);
    const auto x = static_cast<size_t>(middle.a), y = static_cast<size_t>(middle.b);
    // A corner splits nothing: the parts have no line in common.
    if ((x == 0 && y == 0) || (x == a.size() && y == b.size())) return;
    align(a.first(x), b.first(y), first_a, first_b);
    align(a.subspan(x), b.subspan(y), first_a + static_cast<uint32_t>(x), first_b + static_cast<uint32_t>(y));
  }
  int most_cost_;
};

}  // namespace

NumberedLines number_lines(std::span<const std::string> a, std::span<const std::string> b) {
  std::unordered_map<std::string_view, uint32_t> numbers;
  const auto numbered = [&](std::span<const std::string> lines) {
    std::vector<uint32_t> result;
    for (const std::string& line : lines)
      result.push_back(numbers.try_emplace(line, static_cast<uint32_t>(numbers.size())).first->second);
    return result;
  };
  NumberedLines result;
  result.a = numbered(a);
  result.b = numbered(b);
  return result;
}

std::vector<std::pair<uint32_t, uint32_t>> common_lines(Lines a, Lines b, int most_cost) {
  Differ differ(std::max(1, most_cost));
  differ.align(a, b, 0, 0);
  return std::move(differ.pairs);
}

}  // namespace gemmscope::scenes
