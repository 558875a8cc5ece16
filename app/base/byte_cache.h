// Keeps what was computed before, by a text that names it, up to a number of bytes. What was used longest ago
// leaves first.
#pragma once

#include <cstddef>
#include <iterator>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace gemmscope {

// Not for several threads at once.
template <typename Value>
class ByteCache {
 public:
  explicit ByteCache(size_t most_bytes) : most_bytes_(most_bytes) {}

  // Null: there is none. The pointer is valid until the next `add` or `clear`.
  const Value* find(std::string_view key) {
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found->second);
    return &entries_.front().value;
  }

  // `bytes`: what the value takes; the key is counted here. The newest entry stays even where it alone is
  // beyond the limit, so the reference is valid until the next `add` or `clear`.
  const Value& add(std::string key, Value value, size_t bytes) {
    if (const auto known = by_key_.find(key); known != by_key_.end()) remove(known->second);
    const size_t whole = bytes + key.size() + sizeof(Entry);
    entries_.push_front({std::move(key), std::move(value), whole});
    by_key_.emplace(entries_.front().key, entries_.begin());
    bytes_ += whole;
    while (bytes_ > most_bytes_ && entries_.size() > 1) remove(std::prev(entries_.end()));
    return entries_.front().value;
  }

  void clear() {
    by_key_.clear();
    entries_.clear();
    bytes_ = 0;
  }

  size_t bytes() const { return bytes_; }
  size_t most_bytes() const { return most_bytes_; }
  size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::string key;
    Value value;
    size_t bytes = 0;
  };
  using Place = typename std::list<Entry>::iterator;

  void remove(Place place) {
    by_key_.erase(place->key);
    bytes_ -= place->bytes;
    entries_.erase(place);
  }

  size_t most_bytes_, bytes_ = 0;
  std::list<Entry> entries_;                            // the most recent first
  std::unordered_map<std::string_view, Place> by_key_;  // the keys are those of the entries
};

}  // namespace gemmscope
