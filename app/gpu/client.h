// Runs kernels on a GPU through a runner, a process of its own: a kernel that faults or hangs ends the runner
// and never this program. The runner starts with the first request and again after its end.
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
  // See runner_command(); {"ssh", "lab-gpu", "gemmscope-gpu-runner"} is a remote GPU.
  std::vector<std::string> command;
  // From the start to the answer to hello. Behind srun the job may wait in a queue: give it as long.
  std::chrono::milliseconds start_timeout{30'000};
  // What a request may take beside the kernel's own time and the transfer.
  std::chrono::milliseconds reply_timeout{15'000};
  double slowest_bytes_per_second = 1e6;  // of a transfer
  size_t max_request_bytes = kMaxLineBytes;
  // If set, gets every line of the conversation: '>' to the runner, '<' from it.
  std::function<void(char direction, std::string_view line)> log;
};

// One thread at a time. Every call returns within its timeouts; an error says what happened, and the next
// call starts a new runner.
class Client {
 public:
  explicit Client(ClientSettings settings);
  ~Client();  // ends the runner, within about three seconds
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Starts the runner if none runs.
  Outcome<DeviceFacts> hello(const std::atomic<bool>* cancelled = nullptr);
  // The reply holds as many bytes for each returned buffer as the request gave. While it waits, *cancelled is
  // looked at every 20 ms; once true, the runner is stopped.
  Outcome<RunReply> run(const RunRequest& request, const std::atomic<bool>* cancelled = nullptr);

  // The handle is good until the runner ends, as after any error of a kind that ends_runner() names or that
  // comes from the client; then time() answers not_prepared. A kernel whose C is wrong is prepared all the
  // same: see Prepared::verification before showing a time of it.
  Outcome<Prepared> prepare(const PrepareRequest& request, const std::atomic<bool>* cancelled = nullptr);
  Outcome<Prepared> prepare(const PrepareLibraryRequest& request,
                            const std::atomic<bool>* cancelled = nullptr);
  Outcome<TimeReply> time(const TimeRequest& request, const std::atomic<bool>* cancelled = nullptr);
  // A handle that is gone already is no error.
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
  DeviceFacts facts_;                       // of the runner that runs
  std::set<uint64_t> handles_;              // that it has given and not released
  uint64_t last_id_ = 0;
};

}  // namespace gemmscope::gpu
