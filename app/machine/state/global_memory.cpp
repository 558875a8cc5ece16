#include "machine/state/global_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "machine/state/bytes_text.h"

namespace gemmscope::machine {
namespace {
constexpr uint64_t kFirstAddress = 0x7f50'0000'0000, kAlignment = 512, kGap = 64 * 1024;
}

uint64_t GlobalMemory::allocate(std::string name, size_t bytes) {
  const uint64_t after = buffers_.empty() ? kFirstAddress : buffers_.back().end() + kGap;
  Buffer buffer;
  buffer.name = std::move(name);
  buffer.address = (after + kAlignment - 1) / kAlignment * kAlignment;
  buffer.bytes = decltype(buffer.bytes)(bytes);
  buffers_.push_back(std::move(buffer));
  return buffers_.back().address;
}

void GlobalMemory::declare_uninitialised(std::string_view name) {
  for (Buffer& buffer : buffers_)
    if (buffer.name == name)
      buffer.initialised = decltype(buffer.initialised)((buffer.bytes.size() + 3) / 4 * 4);
}

const GlobalMemory::Buffer* GlobalMemory::find(uint64_t address, size_t size) const {
  auto after = std::upper_bound(buffers_.begin(), buffers_.end(), address,
                                [](uint64_t a, const Buffer& buffer) { return a < buffer.address; });
  if (after == buffers_.begin()) return nullptr;
  const Buffer& buffer = *std::prev(after);
  const uint64_t offset = address - buffer.address;
  return offset <= buffer.bytes.size() && size <= buffer.bytes.size() - offset ? &buffer : nullptr;
}

GlobalMemory::Buffer* GlobalMemory::find(uint64_t address, size_t size) {
  return const_cast<Buffer*>(std::as_const(*this).find(address, size));
}

const GlobalMemory::Buffer* GlobalMemory::nearest(uint64_t address) const {
  const auto distance = [address](const Buffer& b) {
    return address < b.address ? b.address - address : address >= b.end() ? address - b.end() + 1 : 0;
  };
  const auto nearest =
      std::min_element(buffers_.begin(), buffers_.end(),
                       [&](const Buffer& a, const Buffer& b) { return distance(a) < distance(b); });
  return nearest == buffers_.end() ? nullptr : &*nearest;
}

std::span<std::byte> GlobalMemory::bytes(std::string_view name) {
  for (Buffer& buffer : buffers_)
    if (buffer.name == name) return buffer.bytes;
  return {};
}

std::string describe_address(const GlobalMemory& memory, uint64_t address) {
  const GlobalMemory::Buffer* buffer = memory.nearest(address);
  if (buffer == nullptr) return "no buffer is allocated";
  const std::string where =
      fmt::format("{} ({} at {:#x})", buffer->name, bytes_text(buffer->bytes.size()), buffer->address);
  if (address < buffer->address)
    return fmt::format("{} before the start of {}", bytes_text(buffer->address - address), where);
  if (address >= buffer->end())
    return fmt::format("{} past the end of {}", bytes_text(address - buffer->end()), where);
  return fmt::format("{} into {}", bytes_text(address - buffer->address), where);
}

}  // namespace gemmscope::machine
