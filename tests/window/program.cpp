#include "program.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

extern char** environ;  // NOLINT(readability-redundant-declaration): posix_spawn's

namespace gemmscope::window {

Program::Program(std::vector<std::string> command) {
  std::vector<char*> argv;
  argv.reserve(command.size() + 1);
  for (std::string& word : command) argv.push_back(word.data());
  argv.push_back(nullptr);
#ifdef __SANITIZE_ADDRESS__
  // The X and OpenGL libraries that GLFW loads leak 5 kB. They are unloaded before the check for leaks, so no
  // suppression can name them. render_test checks everything else that the window does for leaks.
  setenv("ASAN_OPTIONS", "detect_leaks=0", 0);
#endif
  if (posix_spawnp(&pid_, argv[0], nullptr, nullptr, argv.data(), environ) != 0) {
    pid_ = -1;
    exit_code_ = 127;
  }
}

Program::~Program() {
  if (!running()) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

std::optional<int> Program::exit_code() {
  int status = 0;
  if (!exit_code_ && waitpid(pid_, &status, WNOHANG) == pid_)
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return exit_code_;
}

std::optional<int> Program::wait(double seconds) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!exit_code() && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return exit_code_;
}

void Program::ask_to_end() {
  if (running()) kill(pid_, SIGTERM);
}

// Fields 14 and 15 of /proc/PID/stat (proc(5)); the name in field 2 has no space here.
double Program::cpu_seconds() const {
  std::ifstream file("/proc/" + std::to_string(pid_) + "/stat");
  std::string word;
  double ticks = 0;
  for (int field = 1; field <= 15 && file >> word; ++field)
    if (field >= 14) ticks += std::stod(word);
  return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

// Field 3 of /proc/PID/task/TID/stat; the name before it may have spaces and ends with the last bracket.
int Program::busy_threads() const {
  int busy = 0;
  std::error_code ended;
  for (const auto& task :
       std::filesystem::directory_iterator("/proc/" + std::to_string(pid_) + "/task", ended)) {
    std::string line;
    std::getline(std::ifstream(task.path() / "stat") >> std::ws, line);
    const size_t name_end = line.rfind(')');
    if (name_end == std::string::npos || name_end + 2 >= line.size()) continue;
    const char state = line[name_end + 2];
    busy += (state == 'R' || state == 'D') && line.find("(llvmpipe") == std::string::npos;
  }
  return busy;
}

int run_program(std::vector<std::string> command) {
  Program program(std::move(command));
  return program.wait(60).value_or(-1);
}

}  // namespace gemmscope::window
