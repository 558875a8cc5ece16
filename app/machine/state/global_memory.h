// The GPU's global memory as the machine sees it: named buffers at GPU-like addresses with a gap between
// them, so that an access past the end of one never lands in another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "machine/state/zeroed_allocator.h"

namespace gemmscope::machine {

class GlobalMemory {
 public:
  struct Buffer {
    std::string name;
    uint64_t address = 0;
    std::vector<std::byte, ZeroedAllocator<std::byte>> bytes;
    // Empty if the buffer holds values from the start. Otherwise one flag per byte, set once the byte is
    // written (see initialised.h); the size is rounded up to a multiple of four.
    std::vector<uint8_t, ZeroedAllocator<uint8_t>> initialised;
    uint64_t end() const { return address + bytes.size(); }
  };

  // Adds a zero-filled buffer, aligned to 512 bytes as cudaMalloc does. Returns its address.
  uint64_t allocate(std::string name, size_t bytes);
  // The current content of the buffer counts as garbage: reading it before it is written is a finding.
  void declare_uninitialised(std::string_view name);
  // The buffer that holds [address, address + size), or null.
  Buffer* find(uint64_t address, size_t size);
  const Buffer* find(uint64_t address, size_t size) const;
  const Buffer* nearest(uint64_t address) const;  // for messages; null only if there are no buffers
  std::span<std::byte> bytes(std::string_view name);
  const std::vector<Buffer>& buffers() const { return buffers_; }

 private:
  std::vector<Buffer> buffers_;  // by address
};

// "12 bytes past the end of C (262144 bytes at 0x7f5000000000)"
std::string describe_address(const GlobalMemory& memory, uint64_t address);

}  // namespace gemmscope::machine
