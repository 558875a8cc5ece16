// Exchanges lines with a runner's process. Everything has a limit: a process that dies, hangs or never stops
// sending gives an error.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <string_view>

#include "gpu/process.h"
#include "gpu/protocol.h"

namespace gemmscope::gpu {

class Connection {
 public:
  explicit Connection(Process process) : process_(std::move(process)) {}

  struct Limits {
    std::chrono::steady_clock::time_point deadline;
    size_t reply_bytes = 0;                        // the longest reply accepted
    const std::atomic<bool>* cancelled = nullptr;  // checked every 20 ms
  };
  // Sends `line`, which ends with a newline, and returns the reply without its newline. After an error the
  // process is killed, because a late reply would look like the answer to the next request.
  Outcome<std::string> exchange(std::string_view line, const Limits& limits);

  bool running() { return process_.running(); }
  // Call this after a reply that ends the process. Kills it if it has not ended in time.
  void wait_for_end(std::chrono::milliseconds longest);

 private:
  Outcome<std::string> transfer(std::string_view line, const Limits& limits);
  void send_some(std::string_view& unsent);
  void keep_errors();
  std::string last_words();

  Process process_;
  std::string received_;        // stdout, without the lines already returned
  std::string errors_;          // the end of stderr
  size_t without_newline_ = 0;  // leading bytes of received_ known to hold no newline
};

}  // namespace gemmscope::gpu
