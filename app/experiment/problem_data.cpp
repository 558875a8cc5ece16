#include "experiment/problem_data.h"

#include <bit>
#include <limits>

namespace gemmscope::experiment {
namespace {

// SplitMix64's finalizer (Steele, Lea, Flood 2014): a counter becomes 64 well-mixed bits.
uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

void add_matrix(ProblemData& data, const char* name, int which, int64_t rows, int64_t columns, bool poison,
                Contents contents) {
  const auto count = static_cast<size_t>(rows * columns);
  metrics::MatrixBuffer buffer{name, data.memory.allocate(name, count * sizeof(float)), rows, columns,
                               sizeof(float)};
  auto* const elements = reinterpret_cast<float*>(data.memory.bytes(name).data());
  for (size_t i = 0; contents == Contents::random && i < count; ++i)
    elements[i] = poison ? std::numeric_limits<float>::quiet_NaN() : random_element(which, i);
  data.arguments.push_back(machine::argument(buffer.address));
  data.layout.buffers.push_back(std::move(buffer));
}

}  // namespace

float random_element(int which, uint64_t i) {
  const uint64_t bits = mix(i * 3 + static_cast<uint64_t>(which) + 0x5eed);
  return static_cast<float>(static_cast<int64_t>(bits >> 40) - (1 << 23)) / static_cast<float>(1 << 23);
}

ProblemData make_problem_data(const catalog::Problem& problem, Contents contents) {
  ProblemData data;
  add_matrix(data, "A", 0, problem.m, problem.k, false, contents);
  add_matrix(data, "B", 1, problem.k, problem.n, false, contents);
  add_matrix(data, "C", 2, problem.m, problem.n, problem.beta == 0, contents);
  data.arguments.push_back(machine::argument(problem.alpha));
  data.arguments.push_back(machine::argument(problem.beta));
  for (int64_t size : {problem.m, problem.n, problem.k})
    data.arguments.push_back(machine::argument(static_cast<int32_t>(size)));
  return data;
}

std::span<const float> as_floats(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float)};
}

}  // namespace gemmscope::experiment
