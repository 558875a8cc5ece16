// What an execution tells those who count or record. Without an observer nothing of this is computed.
#pragma once

#include <array>
#include <cstdint>

#include "machine/state/row_file.h"

namespace gemmscope::machine {

enum class Space : uint8_t { global, shared, local };
// atomic: reads and writes, and gives the old value back; reduce: the same without giving it back.
enum class Direction : uint8_t { load, store, atomic, reduce };
// How the bytes travel: between a lane's registers and its address; by LDGSTS, past the registers, and by
// LDGSTS.BYPASS past L1, too; by LDSM or STSM, where each address is that of a row of 16 bytes of an 8x8
// matrix.
enum class Path : uint8_t { lanes, async_copy, bypass_copy, matrix };

// One warp instruction's access to memory. LDGSTS gives two: its global load and its shared store.
struct Access {
  uint32_t instruction = 0;  // index into the kernel's code
  Space space = Space::global;
  Direction direction = Direction::load;
  uint8_t width_bytes = 4;  // a lane
  uint32_t mask = 0;        // lanes that access, or that give an address
  // Byte addresses; global ones absolute, shared and local ones from the start of their window. Lanes outside
  // the mask hold no meaning.
  const std::array<uint64_t, kWarpLanes>* addresses = nullptr;
  Path path = Path::lanes;
  // Only for an observer that takes them, and then instead of `addresses`: all lanes are active and lie so
  // many bytes from lane 0, which is at `first`.
  const std::array<int32_t, kWarpLanes>* distances = nullptr;
  uint64_t first = 0;
  uint32_t version = 0;  // distances at the same place in memory are the same ones while this is
};

struct Issue {
  uint32_t instruction = 0;
  uint16_t warp = 0;
  uint32_t mask = 0;      // lanes of the warp that are at this instruction
  uint32_t executed = 0;  // those of them whose guard holds
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_access(const Access& access) = 0;
  // A warp waits for its asynchronous copies, or a block starts: those before are no longer on their way.
  virtual void on_copies_awaited() {}
  // True: an access may come with distances, which cost less than addresses.
  virtual bool takes_distances() const { return false; }
  // True: wants to know what follows.
  virtual bool takes_issues() const { return false; }
  // A warp issues `count` instructions in a row, of which the first is told; their accesses come next.
  virtual void on_issues(const Issue& /*first*/, uint32_t /*count*/) {}
  // The last lanes of a warp have exited; it has issued the EXIT.
  virtual void on_exit(uint32_t /*warp*/) {}
  // These warps, a bit each, waited at a barrier for all threads of the block, and may go on.
  virtual void on_release(uint32_t /*warps*/) {}
};

}  // namespace gemmscope::machine
