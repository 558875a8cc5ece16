// A program that runs beside the test.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace gemmscope::window {

class Program {
 public:
  explicit Program(std::vector<std::string> command);
  ~Program();  // kills it if it still runs
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  int pid() const { return pid_; }
  bool running() { return !exit_code() && pid_ > 0; }
  // Returns nothing while it runs, then the exit code, or 128 + the number of the signal that ended it.
  std::optional<int> exit_code();
  std::optional<int> wait(double seconds);
  void ask_to_end();           // sends SIGTERM
  double cpu_seconds() const;  // used so far
  // Threads that compute or wait for a core or a disk, without those that draw for OpenGL.
  int busy_threads() const;

 private:
  int pid_ = -1;
  std::optional<int> exit_code_;
};

// Runs a program to its end.
int run_program(std::vector<std::string> command);

}  // namespace gemmscope::window
