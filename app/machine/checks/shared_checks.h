// Watches a block's shared memory while it runs at full speed, and says at the end whether anything looks
// like a race or like a read of unwritten bytes. It does not say who did it: the block is then run again
// under a RaceRecorder, which checks exactly.
//
// How it works: each warp has a stamp for each word that it read, the number of the interval between two
// barriers of the whole block. Each word has flags and the thread that wrote it. When a barrier releases the
// block, the words that were both written and read in the interval that ends are checked. This costs one
// small store per lane and load.
//
// Inaccuracies: it errs towards suspicion. Two warps that write different bytes of a word, or a warp that
// uses an atomic and then reads the word, are cleared only by the recorder. It knows only barriers of the
// whole block and stores of whole words: other programs use the recorder from the start, see needs_recorder.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "machine/state/finding.h"
#include "machine/state/lane_memory.h"
#include "machine/state/observer.h"
#include "machine/state/program.h"

namespace gemmscope::machine {

bool needs_recorder(const Program& program);

class SharedChecks {
 public:
  // Addresses count from the start of the window and are in bounds, those of inactive lanes too.
  using Addresses = std::array<uint64_t, kWarpLanes>;

  struct Suspicion {
    FindingKind kind = FindingKind::shared_race;
    uint32_t instruction = 0;
    uint64_t address = 0;
    int warp = -1;
  };

  explicit SharedChecks(const Program& program);
  void start();
  // What first looked wrong, or null. Call finish() first, when the block has ended.
  const Suspicion* suspicion() const { return suspicious_ ? &suspicion_ : nullptr; }

  void load(uint32_t warp, const Addresses& addresses, uint32_t width) {
    uint8_t* const map = map_of(warp);
    const uint32_t stamps = stamp_ * 0x01010101u;
    switch (width) {
      case 16:
        for (const uint64_t a : addresses) std::memcpy(map + (a >> 2), &stamps, 4);
        break;
      case 8:
        for (const uint64_t a : addresses) std::memcpy(map + (a >> 2), &stamps, 2);
        break;
      default:
        for (const uint64_t a : addresses) map[a >> 2] = static_cast<uint8_t>(stamp_);
    }
  }
  // For a load of all lanes of a warp, LaneMemory::stamp takes these two.
  uint8_t* map_of(uint32_t warp) { return reads_.data() + static_cast<size_t>(warp) * words_; }
  uint8_t stamp() const { return static_cast<uint8_t>(stamp_); }
  // Returns true if two active lanes write to one word. Inactive ones must hold an active one's address.
  bool store(uint32_t warp, uint32_t pc, const Addresses& addresses, uint32_t active, uint32_t width);
  // For a store of all lanes of a warp, each to a place of its own.
  void store(uint32_t warp, uint32_t pc, const LanePlaces& places, uint32_t width);
  void atomic(uint32_t warp, uint32_t pc, const Addresses& addresses, uint32_t width);
  // An asynchronous copy, the end of a group of them, and the wait until at most `left` groups are in flight.
  void copy(uint32_t warp, uint32_t pc, const Addresses& addresses, uint32_t active, uint32_t width);
  void commit(uint32_t warp) { ++copies_[warp].groups; }
  void wait(uint32_t warp, uint32_t pc, uint32_t left);
  // A barrier at `pc` releases all threads of the block.
  void release(uint32_t pc);
  void finish();

 private:
  struct Copy {
    uint32_t first_word, words, group;
  };
  struct Copies {
    std::vector<Copy> pending;  // in order of issue
    uint32_t groups = 0;        // committed

    void add(uint32_t first_word, uint32_t words);
  };
  static constexpr size_t kChunk = 64;  // words that are checked together

  // Flags of a word. kWritten: since the last barrier; kCopying: an asynchronous copy is in flight.
  static constexpr uint8_t kUninitialised = 1, kWritten = 2, kCopying = 4;

  template <typename Places>
  bool store_fast(uint32_t warp, const Places& places, uint32_t width);
  template <typename Flags, typename Writers, typename Places>
  bool store_words(uint32_t warp, const Places& places);
  template <typename Places>
  void store_lanes(uint32_t warp, uint32_t pc, const Places& places, uint32_t active, uint32_t width);
  bool store_row(uint32_t warp, size_t first_word);
  template <typename F>
  static void for_chunks(size_t first, size_t end, F f);
  void copy_piece(uint32_t warp, uint32_t pc, size_t first, size_t end);
  void copy_word(uint16_t writer, uint32_t pc, size_t word);
  bool end_copy(uint32_t warp, const Copy& copy);
  void end_copy_of_words(uint32_t warp, uint32_t pc, const Copy& copy);
  void suspect(FindingKind kind, uint32_t pc, size_t word, int warp);
  void write_word(uint16_t writer, uint32_t pc, size_t word, int warp);
  void check_chunk(size_t chunk, uint32_t pc);
  void check_words(size_t first, uint32_t pc);
  void check_never_written();
  bool any_read(size_t word) const;

  uint32_t warps_ = 0;
  size_t words_ = 0;  // of shared memory, rounded up to whole chunks
  uint32_t stamp_ = 1;
  std::vector<uint8_t> reads_;     // by warp and word: the stamp of the last read
  std::vector<uint8_t> flags_;     // by word
  std::vector<uint16_t> writers_;  // by word: warp * 32 + lane, or kAtomics
  std::vector<uint8_t> dirty_;     // by chunk: 1 if it has words with kWritten
  std::vector<uint32_t> copying_;  // by chunk: how many words have kCopying
  std::vector<Copies> copies_;     // by warp
  bool suspicious_ = false;
  Suspicion suspicion_;
};

}  // namespace gemmscope::machine
