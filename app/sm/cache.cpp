#include "sm/cache.h"

#include <algorithm>
#include <array>
#include <span>

namespace gemmscope::sm {
namespace {

constexpr uint32_t kWays = 16, kLineBytes = 128;

// The sizes of shared memory that the driver chooses from, by compute capability (CUDA C++ Programming Guide,
// "Shared Memory" of each compute capability). Up to 6.2 shared memory is a memory of its own: L1 keeps all
// of its space.
std::span<const uint64_t> carve_outs_kib(int compute_capability) {
  static constexpr std::array<uint64_t, 1> kApart = {0};
  static constexpr std::array<uint64_t, 6> kVolta = {0, 8, 16, 32, 64, 96};
  static constexpr std::array<uint64_t, 2> kTuring = {32, 64};
  static constexpr std::array<uint64_t, 8> kA100 = {0, 8, 16, 32, 64, 100, 132, 164};
  static constexpr std::array<uint64_t, 6> kGa10xAndAda = {0, 8, 16, 32, 64, 100};
  static constexpr std::array<uint64_t, 10> kHopper = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
  if (compute_capability < 70) return kApart;
  if (compute_capability < 75) return kVolta;
  switch (compute_capability) {
    case 75:
      return kTuring;
    case 80:
    case 87:
      return kA100;
    case 86:
    case 89:
    case 120:
    case 121:
      return kGa10xAndAda;
    default:
      return kHopper;
  }
}

}  // namespace

uint32_t mixed(uint32_t value) {
  value ^= value >> 16;
  value *= 0x7feb352du;
  value ^= value >> 15;
  value *= 0x846ca68bu;
  return value ^ (value >> 16);
}

uint64_t shared_carve_out_kib(int compute_capability, uint64_t shared_bytes) {
  const std::span<const uint64_t> sizes = carve_outs_kib(compute_capability);
  const auto found = std::ranges::find_if(sizes, [&](uint64_t kib) { return kib * 1024 >= shared_bytes; });
  return found == sizes.end() ? sizes.back() : *found;
}

CacheState make_l1(const SmConfig& config, uint64_t shared_bytes) {
  const auto l1_kib = std::max<uint64_t>(1, static_cast<uint64_t>(config.l1_kib));
  const uint64_t shared_kib =
      std::min(shared_carve_out_kib(config.compute_capability, shared_bytes), l1_kib - 1);
  CacheState cache;
  cache.ways = kWays;
  cache.lru = config.l1_lru != 0;
  cache.sets =
      std::max<uint32_t>(1, static_cast<uint32_t>((l1_kib - shared_kib) * 1024 / kLineBytes / kWays));
  cache.lines.resize(size_t{cache.sets} * cache.ways);
  cache.tags.resize(cache.lines.size(), kNone);
  return cache;
}

namespace {
bool older(const CacheLine& a, const CacheLine& b) { return a.used < b.used; }

// An empty line, or else any.
CacheLine* any_line(CacheLine* first, CacheLine* last, uint64_t clock) {
  CacheLine* const empty = std::find_if(first, last, [](const CacheLine& l) { return l.used == 0; });
  return empty != last ? empty : first + mixed(static_cast<uint32_t>(clock)) % (last - first);
}
}  // namespace

FoundLine find_line(CacheState& cache, uint32_t tag) {
  const size_t set = size_t{mixed(tag) % cache.sets} * cache.ways;
  const auto tags = std::span(cache.tags).subspan(set, cache.ways);
  CacheLine* const first = &cache.lines[set];
  CacheLine* const last = first + cache.ways;
  CacheLine* line = first + (std::ranges::find(tags, tag) - tags.begin());
  bool evicted_dirty = false;
  if (line == last) {
    line = cache.lru ? std::min_element(first, last, older) : any_line(first, last, cache.clock);
    evicted_dirty = line->dirty;
    *line = {};
    tags[static_cast<size_t>(line - first)] = tag;
  }
  line->used = ++cache.clock;
  return {*line, evicted_dirty};
}

}  // namespace gemmscope::sm
