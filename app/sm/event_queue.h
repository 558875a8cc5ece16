// Events by cycle. Nearly all lie less than a few thousand cycles ahead, so a ring of lists holds them; the
// rest wait in a heap.
#pragma once

#include <algorithm>
#include <vector>

#include "sm/state.h"

namespace gemmscope::sm {

class EventQueue {
 public:
  EventQueue() : heads_(kCycles, kNone) {}

  bool empty() const { return count_ == 0; }

  void push(const Event& event) {
    ++count_;
    if (event.cycle < now_ + kCycles) {
      link(event);
    } else {
      far_.push_back(event);
      std::push_heap(far_.begin(), far_.end(), later);
    }
  }

  // Calls `handle` with each event of cycle `now`; no cycle with events may be passed over.
  template <typename Handle>
  void take(uint64_t now, Handle&& handle) {
    now_ = now;
    while (!far_.empty() && far_.front().cycle < now_ + kCycles) {
      std::pop_heap(far_.begin(), far_.end(), later);
      link(far_.back());
      far_.pop_back();
    }
    uint32_t node = std::exchange(heads_[now % kCycles], kNone);
    while (node != kNone) {
      const Node taken = nodes_[node];
      nodes_[node].next = free_;
      free_ = node;
      --count_;
      handle(taken.event);
      node = taken.next;
    }
  }

  // The first cycle from `from` on, and before `end`, that has an event; else `end`. `end` lies within the
  // ring.
  uint64_t next(uint64_t from, uint64_t end) const {
    while (from < end && heads_[from % kCycles] == kNone) ++from;
    return from;
  }
  uint64_t horizon() const { return now_ + kCycles - 1; }

 private:
  static constexpr uint64_t kCycles = 4096;
  struct Node {
    Event event;
    uint32_t next = kNone;
  };
  static bool later(const Event& a, const Event& b) { return a.cycle > b.cycle; }

  void link(const Event& event) {
    uint32_t node = free_;
    if (node == kNone) {
      node = static_cast<uint32_t>(nodes_.size());
      nodes_.emplace_back();
    } else {
      free_ = nodes_[node].next;
    }
    uint32_t& head = heads_[event.cycle % kCycles];
    nodes_[node] = {event, head};
    head = node;
  }

  uint64_t now_ = 0;
  size_t count_ = 0;
  std::vector<uint32_t> heads_;
  std::vector<Node> nodes_;
  uint32_t free_ = kNone;
  std::vector<Event> far_;
};

}  // namespace gemmscope::sm
