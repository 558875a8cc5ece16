// Runs kernels on a GPU through the runner, a separate process: a kernel that faults or hangs ends the runner
// and never this program. The first request starts the runner, and so does the first one after its end.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/protocol.h"

namespace gemmscope::gpu {

class Connection;

struct ClientSettings {
  // See runner_command(). {"ssh", "lab-gpu", "gemmscope-gpu-runner"} reaches a remote GPU.
  std::vector<std::string> command;
  // Time from the start to the answer to hello. A job behind srun may wait in a queue: allow for it.
  std::chrono::milliseconds start_timeout{30'000};
  // Time that a request may take in addition to the kernel's own time and the transfer.
  std::chrono::milliseconds reply_timeout{15'000};
  double slowest_bytes_per_second = 1e6;  // transfer rate
  size_t max_request_bytes = kMaxLineBytes;
  // If set, it receives every line: '>' to the runner, '<' from it.
  std::function<void(char direction, std::string_view line)> log;
};

// Only one thread at a time may use a client. Every call returns within its timeouts. An error says what
// happened, and the next call starts a new runner.
class Client {
 public:
  explicit Client(ClientSettings settings);
  ~Client();  // ends the runner, within about three seconds
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Starts the runner if none runs.
  Outcome<DeviceFacts> hello(const std::atomic<bool>* cancelled = nullptr);
  // The reply holds as many bytes for each returned buffer as the request gave. While waiting, the client
  // checks *cancelled every 20 ms and stops the runner once it is true.
  Outcome<RunReply> run(const RunRequest& request, const std::atomic<bool>* cancelled = nullptr);

  // The handle is valid until the runner ends; afterwards time() answers not_prepared. The runner ends after
  // an error that ends_runner() names and after every error kind of the client. A kernel whose C is wrong is
  // prepared too: check Prepared::verification before showing its time.
  Outcome<Prepared> prepare(const PrepareRequest& request, const std::atomic<bool>* cancelled = nullptr);
  Outcome<Prepared> prepare(const PrepareLibraryRequest& request,
                            const std::atomic<bool>* cancelled = nullptr);
  Outcome<TimeReply> time(const TimeRequest& request, const std::atomic<bool>* cancelled = nullptr);
  // Releasing a handle that is already gone is not an error.
  Outcome<void> release(const ReleaseRequest& request, const std::atomic<bool>* cancelled = nullptr);

 private:
  struct Patience {
    std::chrono::milliseconds time;
    size_t reply_bytes;
    const std::atomic<bool>* cancelled;
  };
  Outcome<void> start(const std::atomic<bool>* cancelled);
  template <typename Question>
  Outcome<Prepared> prepare_within(const Question& question, std::chrono::milliseconds time,
                                   const std::atomic<bool>* cancelled);
  bool holds(uint64_t handle);
  Outcome<void> check_length(const std::string& kernel, size_t bytes) const;
  std::chrono::milliseconds transfer_time(size_t bytes) const;
  template <typename Answer, typename Question>
  Outcome<Answer> ask(const Question& question, const Patience& patience);
  Outcome<Reply> exchange(std::string line, uint64_t id, const Patience& patience);
  void stop();

  ClientSettings settings_;
  std::unique_ptr<Connection> connection_;  // null while no runner runs
  DeviceFacts facts_;                       // the current runner's GPU
  std::set<uint64_t> handles_;              // the current runner's, not yet released
  uint64_t last_id_ = 0;
};

}  // namespace gemmscope::gpu
