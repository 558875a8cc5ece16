#include "sm/cache.h"

#include <algorithm>

namespace gemmscope::sm {
namespace {

constexpr uint32_t kWays = 16, kLineBytes = 128;

uint64_t carve_out_kib(uint64_t shared_bytes, double most_kib) {
  for (const uint64_t kib : {0, 8, 16, 32, 64, 100, 132, 164, 196, 228})
    if (kib * 1024 >= shared_bytes) return kib;
  return static_cast<uint64_t>(most_kib);
}

}  // namespace

uint32_t mixed(uint32_t value) {
  value ^= value >> 16;
  value *= 0x7feb352du;
  value ^= value >> 15;
  value *= 0x846ca68bu;
  return value ^ (value >> 16);
}

CacheState make_l1(const SmConfig& config, uint64_t shared_bytes) {
  const auto l1_kib = static_cast<uint64_t>(config.l1_kib);
  const uint64_t shared_kib = std::min(carve_out_kib(shared_bytes, config.l1_kib), l1_kib - 1);
  CacheState cache;
  cache.ways = kWays;
  cache.sets =
      std::max<uint32_t>(1, static_cast<uint32_t>((l1_kib - shared_kib) * 1024 / kLineBytes / kWays));
  cache.lines.resize(size_t{cache.sets} * cache.ways);
  return cache;
}

FoundLine find_line(CacheState& cache, uint32_t tag) {
  CacheLine* const first = &cache.lines[size_t{mixed(tag) % cache.sets} * cache.ways];
  CacheLine* const last = first + cache.ways;
  CacheLine* line = std::find_if(first, last, [&](const CacheLine& l) { return l.tag == tag; });
  bool evicted_dirty = false;
  if (line == last) {
    line =
        std::min_element(first, last, [](const CacheLine& a, const CacheLine& b) { return a.used < b.used; });
    evicted_dirty = line->dirty;
    *line = {.tag = tag};
  }
  line->used = ++cache.clock;
  return {*line, evicted_dirty};
}

}  // namespace gemmscope::sm
