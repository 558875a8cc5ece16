// Atomic operations of a block. The lanes of a warp come one after another, lowest first, and warps come in
// the order in which they run. Blocks run on several threads, so each element is updated by a
// compare-and-swap of the CPU. Sums of integers are exact. The order between blocks may differ from run to
// run, as on the hardware, and with it the last bits of a float sum and the returned old values. Memory order
// and scope are not modelled: all threads see every access at once.
#include <atomic>
#include <bit>
#include <cstring>
#include <mutex>

#include "machine/execute/block.h"
#include "machine/lanes/atomic_operation.h"

namespace gemmscope::machine {
namespace {

struct Element {
  AtomicKind kind;
  AtomicType type;
};

// Returns the old value.
template <typename Word>
Word update(Element element, std::byte* place, Word operand, Word compare) {
  const std::atomic_ref<Word> word(*reinterpret_cast<Word*>(place));
  Word old = word.load();
  while (!word.compare_exchange_weak(
      old, static_cast<Word>(apply_atomic(element.kind, element.type, old, operand, compare)))) {
  }
  return old;
}

// Exchanges, or compares and swaps, 16 bytes under one lock for all of memory. Returns whether it stored.
bool update_16_bytes(AtomicKind kind, std::byte* place, const uint32_t* operand, const uint32_t* compare,
                     uint32_t* old) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  std::memcpy(old, place, 16);
  const bool store = kind == AtomicKind::exchange || std::memcmp(old, compare, 16) == 0;
  if (store) std::memcpy(place, operand, 16);
  return store;
}

// A lane's operand or result: up to four words.
struct LaneValue {
  uint32_t words[4] = {};
  void read(const uint32_t* row, uint32_t lane, uint32_t count) {
    for (uint32_t w = 0; w < count; ++w) words[w] = row[w * kWarpLanes + lane];
  }
  uint64_t pair() const { return static_cast<uint64_t>(words[1]) << 32 | words[0]; }
};

// Updates all elements of one lane. For a compare-and-swap, returns whether it stored.
bool update_lane(Element element, std::byte* place, uint32_t width, const LaneValue& operand,
                 const LaneValue& compare, LaneValue& old) {
  switch (element_bytes(element.type)) {
    case 16:
      return update_16_bytes(element.kind, place, operand.words, compare.words, old.words);
    case 8: {
      const auto before = update<uint64_t>(element, place, operand.pair(), compare.pair());
      old.words[0] = static_cast<uint32_t>(before);
      old.words[1] = static_cast<uint32_t>(before >> 32);
      return before == compare.pair();
    }
    default:
      for (uint32_t w = 0; w < width / 4; ++w)
        old.words[w] = update<uint32_t>(element, place + 4 * w, operand.words[w], compare.words[w]);
      return old.words[0] == compare.words[0];
  }
}

}  // namespace

bool Block::atomic(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t active) {
  const bool shared = op.action == Action::atomic_shared;
  const Space space = shared ? Space::shared : Space::global;
  const uint32_t width = op.width_bytes, words = (width + 3) / 4;
  const Direction direction = (op.flags & kRight) != 0 ? Direction::reduce : Direction::atomic;
  Addresses addresses;
  LanePointers pointers;
  access_addresses(warp, op, space, addresses);
  // Pu of a generic atomic says for which lanes it was done: those whose address is in global memory. The
  // compiler adds code for the other lanes.
  if (op.predicate_out[0] != kTrashPredicate) {
    uint32_t in_global = 0;
    for (uint32_t l = 0; l < kWarpLanes; ++l)
      in_global |= static_cast<uint32_t>(space_of(addresses[l]) == Space::global) << l;
    uint32_t& done = warp.predicates[op.predicate_out[0]];
    done = (done & ~active) | (in_global & active);
    active &= in_global;
    if (active == 0) return true;
  }
  if (!resolve(warp, pc, space, addresses, active, width, direction, pointers)) return false;
  observe(pc, space, direction, width, active, addresses);
  if (!shared && stores_ != nullptr)
    direction == Direction::atomic ? stores_->may_be_ordered() : stores_->other_change();
  const Element element{static_cast<AtomicKind>(op.mode), static_cast<AtomicType>(op.combine)};
  const bool swap = element.kind == AtomicKind::compare_swap;
  uint32_t* const d = warp.row(op.destination);
  for (uint32_t left = active; left != 0; left &= left - 1) {
    const auto l = static_cast<uint32_t>(std::countr_zero(left));
    LaneValue operand, compare, old;
    operand.read(warp.row(op.source[swap ? 3 : 2]), l, words);
    if (swap) compare.read(warp.row(op.source[2]), l, words);
    const bool stored = update_lane(element, pointers[l], width, operand, compare, old);
    if (direction == Direction::reduce || op.destination == kTrashRow) continue;
    if ((op.flags & kHigh) != 0)
      old = LaneValue{{stored ? 1u : 0u}};  // CAST returns success instead of the old value
    for (uint32_t w = 0; w < words; ++w) d[w * kWarpLanes + l] = old.words[w];
  }
  return true;
}

}  // namespace gemmscope::machine
