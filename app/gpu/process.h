// A child process with pipes to its stdin, stdout and stderr. It has its own process group, so that a wrapper
// (ssh, sh -c) and its children are killed together.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "base/error.h"

namespace gemmscope::gpu {

// Owns an open file descriptor and closes it.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor() { close(); }
  void close();
  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }

 private:
  int fd_;
};

class Process {
 public:
  // Searches PATH for the program unless its name has a slash. Errors: an empty command, a program that
  // cannot be started. If a wrapper cannot start its program, only the end of the wrapper shows it.
  static Result<Process> start(const std::vector<std::string>& command);
  Process(Process&& other) noexcept;
  Process& operator=(Process&&) = delete;
  ~Process();  // kills it if it still runs

  // All are non-blocking. `in` is a socket because send() takes MSG_NOSIGNAL: writing to a pipe without a
  // reader would kill this program.
  Descriptor in, out, err;

  bool running();                                // asks the system; kills the group of an ended process
  bool wait(std::chrono::milliseconds longest);  // true once it has ended
  void kill();                                   // kills the whole group
  // "ended with exit code 3", "was killed by signal 11 (Segmentation fault)", "is still running"
  std::string end_text() const;

 private:
  Process() = default;

  pid_t pid_ = -1;
  bool ended_ = false;
  int status_ = 0;  // from waitpid
};

}  // namespace gemmscope::gpu
