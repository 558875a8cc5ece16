#include "schedule/outer_product.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace gemmscope::schedule {
namespace {

using Row = std::vector<uint32_t>;  // products

// Values and the products that join them. `side[v]`: 0 or 1, so that each product joins both sides.
class Graph {
 public:
  explicit Graph(const RegionValues& values) {
    nodes_of_.resize(values.products.size(), {kNone, kNone});
    for (uint32_t p = 0; p < values.products.size(); ++p) {
      const Product& product = values.products[p];
      if (!product.is_register[0] || !product.is_register[1]) continue;
      nodes_of_[p] = {node(product.sources[0]), node(product.sources[1])};
      edges_[nodes_of_[p][0]].push_back(p);
      edges_[nodes_of_[p][1]].push_back(p);
    }
    step_.assign(edges_.size(), kNone);
    side_.assign(edges_.size(), 0);
    for (uint32_t p = 0; p < values.products.size(); ++p)
      if (nodes_of_[p][0] != kNone && step_[nodes_of_[p][0]] == kNone) color(p);
  }

  uint32_t steps() const { return static_cast<uint32_t>(two_sided_.size()); }
  uint32_t step_of(uint32_t product) const {
    const uint32_t a = nodes_of_[product][0];
    return a == kNone ? kNone : step_[a];
  }
  bool two_sided(uint32_t step) const { return two_sided_[step] != 0; }
  // The node of a product on one side, and the operand (0 or 1) that reads it.
  int operand_on(uint32_t product, int side) const { return side_[nodes_of_[product][0]] == side ? 0 : 1; }
  uint32_t node_on(uint32_t product, int side) const {
    return nodes_of_[product][static_cast<size_t>(operand_on(product, side))];
  }
  const Source& source(uint32_t node) const { return sources_[node]; }
  void flip(uint32_t step) {
    for (uint32_t n = 0; n < step_.size(); ++n)
      if (step_[n] == step) side_[n] ^= 1;
  }

 private:
  uint32_t node(const Source& source) {
    const auto [at, added] = node_of_.try_emplace(source, static_cast<uint32_t>(sources_.size()));
    if (added) sources_.push_back(source), edges_.emplace_back();
    return at->second;
  }

  void color(uint32_t first) {
    const uint32_t step = steps();
    two_sided_.push_back(1);
    std::vector<uint32_t> work = {nodes_of_[first][0]};
    step_[work.front()] = step;
    while (!work.empty()) {
      const uint32_t from = work.back();
      work.pop_back();
      for (const uint32_t p : edges_[from]) {
        const uint32_t to = nodes_of_[p][0] == from ? nodes_of_[p][1] : nodes_of_[p][0];
        if (step_[to] == kNone) {
          step_[to] = step;
          side_[to] = side_[from] ^ 1;
          work.push_back(to);
        }
        if (side_[to] == side_[from]) two_sided_[step] = 0;
      }
    }
  }

  std::map<Source, uint32_t> node_of_;
  std::vector<Source> sources_;
  std::vector<std::vector<uint32_t>> edges_;  // by node: products
  std::vector<std::array<uint32_t, 2>> nodes_of_;
  std::vector<uint32_t> step_;
  std::vector<int> side_;
  std::vector<char> two_sided_;
};

// The sides have no names of their own: two products whose sums follow those of one row of the step before
// are in one row again.
void align_sides(Graph& graph, const RegionValues& values, const std::vector<Row>& steps) {
  for (const Row& step : steps) {
    const uint32_t x = step.front();
    const uint32_t before = values.products[x].before;
    if (before == kNone || graph.step_of(before) == kNone || !graph.two_sided(graph.step_of(x))) continue;
    for (const uint32_t other : step) {
      const uint32_t other_before = values.products[other].before;
      if (other == x || other_before == kNone || graph.step_of(other_before) != graph.step_of(before))
        continue;
      const bool same_row_before = graph.node_on(before, 0) == graph.node_on(other_before, 0);
      const bool same_row = graph.node_on(x, 0) == graph.node_on(other, 0);
      const bool same_column = graph.node_on(x, 1) == graph.node_on(other, 1);
      if (!same_row_before || same_row == same_column) continue;
      if (same_column) graph.flip(graph.step_of(x));
      break;
    }
  }
}

// Nodes as the code loads them: those at the entry first, then by the load and by the register.
bool loaded_before(const Source& a, const Source& b) {
  const auto key = [](const Source& s) {
    return std::pair(s.writer == kNone ? -1 : int64_t{s.writer}, s.reg);
  };
  return key(a) < key(b);
}

Row serpentine(const Graph& graph, const Row& step, int kept_side) {
  std::map<uint32_t, Row> rows;
  for (const uint32_t p : step) rows[graph.node_on(p, kept_side)].push_back(p);
  std::vector<uint32_t> heads;
  for (auto& [head, row] : rows) {
    heads.push_back(head);
    std::stable_sort(row.begin(), row.end(), [&](uint32_t a, uint32_t b) {
      return loaded_before(graph.source(graph.node_on(a, 1 - kept_side)),
                           graph.source(graph.node_on(b, 1 - kept_side)));
    });
  }
  std::stable_sort(heads.begin(), heads.end(),
                   [&](uint32_t a, uint32_t b) { return loaded_before(graph.source(a), graph.source(b)); });
  Row order;
  bool backwards = false;
  for (const uint32_t head : heads) {
    Row& row = rows[head];
    if (backwards) std::reverse(row.begin(), row.end());
    order.insert(order.end(), row.begin(), row.end());
    backwards = !backwards;
  }
  return order;
}

uint32_t first_of_chain(const RegionValues& values, uint32_t product) {
  while (values.products[product].before != kNone) product = values.products[product].before;
  return product;
}

// The last step runs backwards through the sums: what left its register first comes back last, so that sums
// can change places in between with one spare register.
void mirror_last(const RegionValues& values, const Row& first, Row& last) {
  std::map<uint32_t, uint32_t> place;
  for (uint32_t i = 0; i < first.size(); ++i) place[first_of_chain(values, first[i])] = i;
  for (const uint32_t p : last)
    if (!place.contains(first_of_chain(values, p))) return;
  std::stable_sort(last.begin(), last.end(), [&](uint32_t a, uint32_t b) {
    return place[first_of_chain(values, a)] > place[first_of_chain(values, b)];
  });
}

}  // namespace

ProductOrder order_products(const RegionValues& values, Kept kept) {
  Graph graph(values);
  std::vector<Row> steps(graph.steps());
  ProductOrder result;
  result.steps = graph.steps();
  result.swap.assign(values.products.size(), 0);
  result.votes.assign(values.products.size(), 0);
  if (kept == Kept::code_order) {
    result.order.resize(values.products.size());
    std::iota(result.order.begin(), result.order.end(), 0u);
    return result;
  }
  for (uint32_t p = 0; p < values.products.size(); ++p)
    if (graph.step_of(p) != kNone) steps[graph.step_of(p)].push_back(p);
  align_sides(graph, values, steps);
  const int kept_side = kept == Kept::first_factor ? 0 : 1;
  for (Row& step : steps) {
    if (!graph.two_sided(graph.step_of(step.front()))) continue;
    step = serpentine(graph, step, kept_side);
  }
  if (steps.size() > 1 && graph.two_sided(0) && graph.two_sided(graph.steps() - 1))
    mirror_last(values, steps.front(), steps.back());
  for (const Row& step : steps)
    for (const uint32_t p : step) {
      if (!graph.two_sided(graph.step_of(p))) continue;
      result.swap[p] = graph.operand_on(p, kept_side) == 0 ? 1 : 0;  // the kept factor goes to slot 1
      const Source& streamed = graph.source(graph.node_on(p, 1 - kept_side));
      result.votes[p] = streamed.reg % 2 != 0 ? 1 : -1;
    }
  std::vector<char> placed(steps.size());
  for (uint32_t p = 0; p < values.products.size(); ++p) {
    const uint32_t step = graph.step_of(p);
    if (step == kNone) {
      result.order.push_back(p);
    } else if (placed[step] == 0) {
      placed[step] = 1;
      result.order.insert(result.order.end(), steps[step].begin(), steps[step].end());
    }
  }
  return result;
}

}  // namespace gemmscope::schedule
