// Lines to and from a runner's process, with a limit on everything: a process that dies, hangs or never stops
// talking ends as an error.
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
    size_t reply_bytes = 0;                        // the longest reply
    const std::atomic<bool>* cancelled = nullptr;  // looked at every 20 ms
  };
  // Sends `line`, which ends with a newline, and returns the one that comes back, without. After an error the
  // process is killed: nothing that it says later could be told from an answer to the next request.
  Outcome<std::string> exchange(std::string_view line, const Limits& limits);

  bool running() { return process_.running(); }
  // After a reply that the process ends with. Kills it if it does not.
  void wait_for_end(std::chrono::milliseconds longest);

 private:
  Outcome<std::string> transfer(std::string_view line, const Limits& limits);
  void send_some(std::string_view& unsent);
  void keep_errors();
  std::string last_words();

  Process process_;
  std::string received_;        // of stdout, without the lines that were returned
  std::string errors_;          // the last of stderr
  size_t without_newline_ = 0;  // the first bytes of received_ that hold none
};

}  // namespace gemmscope::gpu
