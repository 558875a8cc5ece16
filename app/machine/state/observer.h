// What an execution reports to those who count or record. Without an observer none of it is computed.
#pragma once

#include <array>
#include <cstdint>

#include "machine/state/row_file.h"

namespace gemmscope::machine {

enum class Space : uint8_t { global, shared, local };
// An atomic returns the old value, a reduce does not; both read and write.
enum class Direction : uint8_t { load, store, atomic, reduce };
enum class Path : uint8_t {
  lanes,        // between a lane's registers and its address
  async_copy,   // LDGSTS: from global to shared memory, past the registers
  bypass_copy,  // LDGSTS.BYPASS: past L1 as well
  bulk_copy,    // UBLKCP and UTMALDG: a lane stands for 16 bytes
  matrix,       // LDSM or STSM: each address is that of a row of 16 bytes of an 8x8 matrix
};

// One warp instruction's access to memory. LDGSTS makes two: its global load and its shared store.
struct Access {
  uint32_t instruction = 0;  // index into the kernel's code
  Space space = Space::global;
  Direction direction = Direction::load;
  uint8_t width_bytes = 4;  // per lane
  uint32_t mask = 0;        // lanes that access memory, or that give an address
  // Byte addresses: global ones are absolute, shared and local ones count from the start of their window.
  // Those of lanes outside the mask have no meaning.
  const std::array<uint64_t, kWarpLanes>* addresses = nullptr;
  Path path = Path::lanes;
  // Set instead of `addresses`, only for an observer that takes distances: all lanes are active, lane 0
  // accesses `first`, and the others are so many bytes from it.
  const std::array<int32_t, kWarpLanes>* distances = nullptr;
  uint64_t first = 0;
  uint32_t version = 0;  // while it and the pointer `distances` stay the same, so do the distances
};

// What an instruction does to a barrier object in shared memory. A copy arrives once its bytes are there.
struct ObjectUse {
  enum class Kind : uint8_t { initialise, arrive, copy, wait };
  uint32_t instruction = 0;  // index into the kernel's code
  uint32_t address = 0;      // of the object, from the start of shared memory
  Kind kind = Kind::arrive;
  bool completes = false;  // the object's present phase ends; a wait found that the one before had
};

struct Issue {
  uint32_t instruction = 0;
  uint16_t warp = 0;
  uint32_t mask = 0;      // lanes of the warp that are at this instruction
  uint32_t executed = 0;  // those lanes of `mask` whose guard is true
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_access(const Access& access) = 0;
  // A warp waits for its asynchronous copies, or a block starts: earlier copies are no longer in flight.
  virtual void on_copies_awaited() {}
  // True if an access may come with distances, which cost less than addresses.
  virtual bool takes_distances() const { return false; }
  // True if the functions below are to be called.
  virtual bool takes_issues() const { return false; }
  // A warp issues `count` instructions in a row, of which `first` is the first; their accesses follow.
  virtual void on_issues(const Issue& /*first*/, uint32_t /*count*/) {}
  virtual void on_object(const ObjectUse& /*use*/) {}
  // The last lanes of a warp have exited; it has issued the EXIT.
  virtual void on_exit(uint32_t /*warp*/) {}
  // A barrier for all threads of the block releases these warps, a bit each.
  virtual void on_release(uint32_t /*warps*/) {}
};

}  // namespace gemmscope::machine
