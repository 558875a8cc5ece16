// Whether a load is a broadcast: each word that it reads goes to several lanes at once.
#pragma once

#include <string>

#include "metrics/counters.h"

namespace gemmscope::scenes {

struct Broadcast {
  int fewest = 0, most = 0;  // lanes that share a word
  int words = 0;             // distinct words of 4 bytes
  // Of a plain load where every word goes to two lanes or more. Such an access cannot use whole sectors or
  // all banks, and needs no more of them.
  bool is_one() const { return fewest > 1; }
};
Broadcast broadcast_of(const machine::TraceAccess& access);
std::string broadcast_text(const Broadcast& broadcast);  // "16 lanes a word", "2–16 lanes a word"

}  // namespace gemmscope::scenes
