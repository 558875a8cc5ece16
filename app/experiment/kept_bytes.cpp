#include "experiment/kept_bytes.h"

namespace gemmscope::experiment {
namespace {

template <typename T>
size_t bytes_of(const std::vector<T>& values) {
  return values.capacity() * sizeof(T);
}

size_t bytes_of(const std::vector<std::string>& lines) {
  size_t bytes = lines.capacity() * sizeof(std::string);
  for (const std::string& line : lines) bytes += line.capacity();
  return bytes;
}

size_t bytes_of(const sm::LaunchTrace& trace) {
  size_t bytes = bytes_of(trace.code) + bytes_of(trace.shapes) + bytes_of(trace.lines);
  for (const sm::BlockTrace& block : trace.blocks)
    for (const auto& warp : block.warps) bytes += sizeof(warp) + bytes_of(warp);
  return bytes;
}

}  // namespace

size_t kept_bytes(const CompiledKernel& compiled) {
  // The parsed cubin holds a copy of what the binary holds.
  size_t bytes = sizeof(CompiledKernel) + 2 * bytes_of(compiled.binary) + compiled.kernel.source.capacity();
  bytes += bytes_of(compiled.instructions) + bytes_of(compiled.text) + bytes_of(compiled.places);
  for (const auto& calls : compiled.calls) bytes += sizeof(calls) + bytes_of(calls);
  for (const SourceFile& file : compiled.files) bytes += sizeof(file) + bytes_of(file.lines);
  for (const LaunchPart& part : compiled.parts) bytes += sizeof(part) + bytes_of(part.instructions);
  return bytes;
}

size_t kept_bytes(const TimingSample& sample) {
  size_t bytes = sizeof(TimingSample);
  for (const sm::SampledLaunch& launch : sample.launches)
    bytes += sizeof(launch) + bytes_of(launch.deep) + bytes_of(launch.shallow);
  return bytes;
}

}  // namespace gemmscope::experiment
