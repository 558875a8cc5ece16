// Buffers of global memory: zero at first, and no more memory than what is written.
#include "machine/state/global_memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace gemmscope::machine {
namespace {

// Of this process, resident.
size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  size_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

TEST(GlobalMemory, TakesNoMoreThanWhatIsWritten) {
  constexpr size_t kBytes = size_t{1} << 30, kWritten = 1 << 20;
  const size_t before = resident_bytes();
  GlobalMemory memory;
  memory.allocate("C", kBytes);
  memory.declare_uninitialised("C");
  std::ranges::fill(memory.bytes("C").subspan(kBytes / 2, kWritten), std::byte{7});
  EXPECT_LT(resident_bytes(), before + 64 * kWritten);
  EXPECT_EQ(memory.bytes("C")[kBytes / 2 - 1], std::byte{0});
  EXPECT_EQ(memory.bytes("C")[kBytes / 2 + kWritten], std::byte{0});
  EXPECT_EQ(memory.buffers()[0].initialised.size(), kBytes);
}

// Memory that was used before is zero again, and so is a copy of zeros.
TEST(GlobalMemory, IsZeroAtFirst) {
  for (const size_t bytes : {size_t{3}, size_t{5000}, size_t{300'000}})
    for (int round = 0; round < 3; ++round) {
      GlobalMemory memory;
      memory.allocate("A", bytes);
      memory.declare_uninitialised("A");
      const GlobalMemory copy = memory;
      for (const GlobalMemory* each : std::initializer_list<const GlobalMemory*>{&memory, &copy}) {
        const GlobalMemory::Buffer& buffer = each->buffers()[0];
        EXPECT_EQ(std::ranges::count(buffer.bytes, std::byte{0}), static_cast<std::ptrdiff_t>(bytes));
        EXPECT_EQ(std::ranges::count(buffer.initialised, 0),
                  static_cast<std::ptrdiff_t>((bytes + 3) / 4 * 4));
      }
      std::ranges::fill(memory.bytes("A"), std::byte{0xff});
      EXPECT_EQ(copy.buffers()[0].bytes.front(), std::byte{0}) << "a copy is another memory";
    }
}

}  // namespace
}  // namespace gemmscope::machine
