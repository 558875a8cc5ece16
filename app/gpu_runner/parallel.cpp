#include "gpu_runner/parallel.h"

#include <algorithm>
#include <system_error>
#include <thread>
#include <vector>

namespace gemmscope::gpu {

void in_parallel(int64_t count, int64_t least, const std::function<void(int64_t, int64_t)>& work) {
  const int64_t cores = std::max(1u, std::thread::hardware_concurrency());
  const int64_t parts = std::clamp<int64_t>(count / std::max<int64_t>(least, 1), 1, cores);
  std::vector<std::jthread> threads;
  threads.reserve(static_cast<size_t>(parts));
  for (int64_t part = 1; part < parts; ++part) {
    const int64_t begin = count * part / parts, end = count * (part + 1) / parts;
    try {
      threads.emplace_back([&work, begin, end] { work(begin, end); });
    } catch (const std::system_error&) {  // no thread could be started
      work(begin, end);
    }
  }
  work(0, count / parts);
}

}  // namespace gemmscope::gpu
