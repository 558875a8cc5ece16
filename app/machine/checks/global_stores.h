// Which block of a grid stores what to global memory: finds words to which blocks store different values.
//
// Nothing orders the blocks of a grid, so the value that stays is a matter of luck on the hardware, and here
// of the threads of the CPU. Each of these has a GlobalStores of its own, so that recording needs no lock;
// what they find does not depend on how the blocks were spread. Blocks that store the same value are no
// mistake. Not seen: stores of a block after a fence or after an atomic operation that gave it a value, since
// it may have waited there until the other blocks were done; and loads of what another block stores.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "machine/checks/finding_list.h"
#include "machine/state/global_memory.h"
#include "machine/state/lane_words.h"
#include "machine/state/launch.h"

namespace gemmscope::machine {

class alignas(64) GlobalStores {  // a line of the cache of its own
 public:
  using Addresses = std::array<uint64_t, kWarpLanes>;

  explicit GlobalStores(const GlobalMemory& memory);
  ~GlobalStores();
  GlobalStores(GlobalStores&&) = default;
  // What follows is done by this block, numbered as for block_at; no block comes twice.
  void start(uint64_t block) { block_ = static_cast<uint32_t>(block), ordered_ = false; }
  // The block may have learnt that others are done.
  void may_be_ordered() { ordered_ = not_all_recorded_ = true; }
  // Something else than a recorded store changes memory.
  void other_change() { not_all_recorded_ = true; }
  // A store that is in bounds; `data` are its values, a row a word. Lanes outside the buffers are left out.
  void store(uint32_t pc, const Addresses& addresses, uint32_t active, uint32_t width, const uint32_t* data) {
    if (!ordered_) record(pc, addresses, active, width, data);
  }

  // Of all threads, once the grid is done: adds a finding for each instruction whose block comes last to a
  // place with several values. Where only recorded stores changed memory, that block's values stay in it, as
  // if the blocks had run one after another.
  static void compare(std::vector<GlobalStores>& threads, const std::array<uint32_t, 3>& grid,
                      GlobalMemory& memory, Findings& findings);

 private:
  static constexpr size_t kLineBytes = 64, kSlabLines = 1024;
  // What one block has stored to 64 bytes of memory, and where the last store to them stands.
  struct Line {
    uint64_t stored, changed;  // a bit a byte; changed: stored with different values, in `block` or before
    uint64_t shared;           // stored by several blocks of this thread, see tell_apart
    uint32_t block, pc;
    uint32_t before;  // the line of an earlier block of this thread; 0: none
    std::array<std::byte, kLineBytes> values;
  };
  using Slab = std::unique_ptr<Line[]>;
  // Keeps some for the next grid: the system takes longer to give new memory than a block to fill it.
  struct Spare;
  struct Piece {  // a buffer
    uint64_t address = 0, bytes = 0;
    std::vector<uint32_t> lines;  // the latest of each 64 bytes; 0: none. Empty until the first store
  };
  struct Conflict;

  void record(uint32_t pc, const Addresses& addresses, uint32_t active, uint32_t width, const uint32_t* data);
  void record_row(uint32_t pc, Piece& piece, uint64_t offset, const uint32_t* data);
  Piece* find(uint64_t address);
  Line& line(size_t index) { return slabs_[index / kSlabLines][index % kSlabLines]; }
  Line& touch(Piece& piece, uint64_t offset, uint32_t pc);
  uint32_t take_alike(Line& later);
  static void put(Line& line, size_t at, const std::byte* bytes, size_t count);
  static void tell_apart(const Line& earlier, Line& later);
  static void collect(std::vector<GlobalStores>& threads, size_t piece, size_t place,
                      std::vector<const Line*>& lines);

  std::vector<Piece> pieces_;
  std::vector<Slab> slabs_;
  size_t used_ = 0;  // lines; the first one stands for none
  uint32_t block_ = 0;
  bool meet_ = false;  // several blocks have stored to the same 64 bytes
  bool ordered_ = false, not_all_recorded_ = false;
};

}  // namespace gemmscope::machine
