// The cursor's place in time and its movements, as pure functions of a traced block.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "experiment/results.h"

namespace gemmscope::scenes {

inline constexpr int kAllWarps = -1;
inline constexpr int kAllWavefronts = -1;  // the bank picture shows all of an access at once

struct Cursor {
  size_t record = 0;               // into Trace::records
  int wavefront = kAllWavefronts;  // of the record's shared access, for the bank picture
  friend bool operator==(const Cursor&, const Cursor&) = default;
};

// Steps of one warp, or of all warps in trace order (kAllWarps). Positions count the records of that warp.
size_t step_count(const experiment::BlockResult& block, int warp);
// The position of the last step at or before `record`.
size_t position_of(const experiment::BlockResult& block, int warp, size_t record);
size_t record_at(const experiment::BlockResult& block, int warp, size_t position);  // clamped

enum class Event : unsigned char {
  bank_conflict,  // a shared access with more wavefronts than it needs
  uncoalesced,    // a global access with more sectors than its bytes fill
  barrier,        // BAR
  shared_access,
  k_tile,  // the first record of another pass of the main loop
};
bool is_event(const experiment::BlockResult& block, size_t record, Event event);
// The nearest record of the warp after (before) `record` where the event happens.
std::optional<size_t> next_event(const experiment::BlockResult& block, int warp, size_t record, Event event);
std::optional<size_t> previous_event(const experiment::BlockResult& block, int warp, size_t record,
                                     Event event);

// Why next_event (previous_event) found nothing: "No further bank conflict after this step of warp 0."
std::string nothing_found_text(const experiment::BlockResult& block, int warp, size_t record, Event event,
                               bool forward);

// Wavefronts of the record's access to shared memory; 0 without one.
int wavefront_count(const experiment::BlockResult& block, size_t record);

// The shared access that the bank picture shows: the record's own, else the warp's last one before it.
struct ShownAccess {
  size_t record = 0;
  const machine::TraceAccess* access = nullptr;
  bool current = true;  // false: it is an earlier access of the warp
};
std::optional<ShownAccess> shown_shared_access(const experiment::BlockResult& block, size_t record);
// The access that the sector picture shows: loads, stores, copies and atomics on global memory.
std::optional<ShownAccess> shown_global_access(const experiment::BlockResult& block, size_t record);
// The access that the atomics picture shows: atomics and reductions on global or shared memory.
std::optional<ShownAccess> shown_atomic_access(const experiment::BlockResult& block, size_t record);

}  // namespace gemmscope::scenes
