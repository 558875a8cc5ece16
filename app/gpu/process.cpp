#include "gpu/process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

namespace gemmscope::gpu {
namespace {

using std::chrono::milliseconds;

struct Ends {
  Descriptor parent, child;
};

// Makes a pipe to the parent if `parent_reads`, else a socket from the parent.
bool make_ends(Ends& ends, bool parent_reads) {
  int fds[2];
  if ((parent_reads ? pipe2(fds, O_CLOEXEC) : socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds)) != 0)
    return false;
  ends.parent = Descriptor(fds[0]);
  ends.child = Descriptor(fds[1]);
  return fcntl(fds[0], F_SETFL, O_NONBLOCK) == 0;
}

// What the child starts with: its descriptors, signals and process group.
class SpawnPlan {
 public:
  SpawnPlan() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  pid_t start(const std::vector<std::string>& command, int in, int out, int err, int& error) {
    posix_spawn_file_actions_adddup2(&actions_, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, err, STDERR_FILENO);
    posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &defaults);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    pid_t pid = -1;
    error = posix_spawnp(&pid, arguments[0], &actions_, &attributes_, arguments.data(), environ);
    return pid;
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

std::string error_text(int error) {
  return strerrordesc_np(error) == nullptr ? "unknown error" : strerrordesc_np(error);
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

void Descriptor::close() {
  if (open()) ::close(std::exchange(fd_, -1));
}

Result<Process> Process::start(const std::vector<std::string>& command) {
  if (command.empty() || command[0].empty()) return fail("the command of the GPU runner is empty");
  Ends in, out, err;
  if (!make_ends(in, false) || !make_ends(out, true) || !make_ends(err, true))
    return fail("{} cannot be started: no pipe could be made ({})", command[0], error_text(errno));
  int error = 0;
  Process process;
  process.pid_ = SpawnPlan().start(command, in.child.get(), out.child.get(), err.child.get(), error);
  if (error != 0) {
    process.pid_ = -1;
    return fail("{} cannot be started: {}", command[0], error_text(error));
  }
  process.in = std::move(in.parent);
  process.out = std::move(out.parent);
  process.err = std::move(err.parent);
  return process;
}

Process::Process(Process&& other) noexcept
    : in(std::move(other.in)),
      out(std::move(other.out)),
      err(std::move(other.err)),
      pid_(std::exchange(other.pid_, -1)),
      ended_(other.ended_),
      status_(other.status_) {}

Process::~Process() { kill(); }

bool Process::running() {
  if (pid_ < 0 || ended_) return false;
  siginfo_t info{};
  const int asked = waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
  if (asked == 0 && info.si_pid == 0) return true;
  // Its children are killed too. Until waitpid, no other process group can get this number.
  if (asked == 0) ::kill(-pid_, SIGKILL);
  waitpid(pid_, &status_, WNOHANG);
  ended_ = true;
  return false;
}

bool Process::wait(milliseconds longest) {
  const auto end = std::chrono::steady_clock::now() + longest;
  while (running()) {
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(milliseconds(1));
  }
  return true;
}

void Process::kill() {
  if (!running()) return;
  ::kill(-pid_, SIGKILL);
  // A process that hangs in the GPU's driver may end later than this. It is then left to init, so that no
  // caller waits for it.
  wait(milliseconds(2000));
}

std::string Process::end_text() const {
  if (!ended_) return "is still running";
  if (!WIFSIGNALED(status_)) return fmt::format("ended with exit code {}", WEXITSTATUS(status_));
  const char* const name = sigdescr_np(WTERMSIG(status_));
  return fmt::format("was killed by signal {} ({})", WTERMSIG(status_), name == nullptr ? "unknown" : name);
}

}  // namespace gemmscope::gpu
