// A child process with pipes to its stdin, stdout and stderr. It has a process group of its own, so that a
// wrapper (ssh, sh -c) ends together with what it started.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "base/error.h"

namespace gemmscope::gpu {

// An open file descriptor, closed at the end.
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
  // The program is looked for in PATH unless its name has a slash. Errors: an empty command, a program that
  // cannot be started; one that a wrapper cannot start shows only by its end.
  static Result<Process> start(const std::vector<std::string>& command);
  Process(Process&& other) noexcept;
  Process& operator=(Process&&) = delete;
  ~Process();  // kills it if it still runs

  // Non-blocking. `in` is a socket: send() can say MSG_NOSIGNAL, a pipe whose reader is gone would kill this
  // program.
  Descriptor in, out, err;

  bool running();                                // asks the system; once it has ended, its group ends too
  bool wait(std::chrono::milliseconds longest);  // true once it has ended
  void kill();                                   // with all of its group
  // "ended with exit code 3", "was killed by signal 11 (Segmentation fault)", "is still running"
  std::string end_text() const;

 private:
  Process() = default;

  pid_t pid_ = -1;
  bool ended_ = false;
  int status_ = 0;  // of waitpid
};

}  // namespace gemmscope::gpu
