// Runs code in a child process that the kernel kills at the first attempt to run a program, to write, make,
// rename or remove a file, or to open a connection (seccomp(2)). Threads are allowed.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <iterator>
#include <string>
#include <vector>

namespace gemmscope::session {

inline bool close_jail() {
  std::vector<sock_filter> filter;
  const auto load = [&](size_t at) {
    filter.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(at)));
  };
  const auto kill_if_equal = [&](unsigned value) {
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
  };
  // openat(folder, path, flags): only reading.
  load(offsetof(seccomp_data, nr));
  filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 4));
  load(offsetof(seccomp_data, args) + 2 * sizeof(uint64_t));
  filter.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, 0, 1));
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  load(offsetof(seccomp_data, nr));
  for (const int call : {SYS_execve,   SYS_execveat,  SYS_creat,  SYS_open,     SYS_openat2,  SYS_rename,
                         SYS_renameat, SYS_renameat2, SYS_unlink, SYS_unlinkat, SYS_mkdir,    SYS_mkdirat,
                         SYS_symlink,  SYS_symlinkat, SYS_link,   SYS_linkat,   SYS_truncate, SYS_mknod,
                         SYS_mknodat,  SYS_connect,   SYS_bind,   SYS_chmod,    SYS_fchmodat, SYS_ptrace})
    kill_if_equal(static_cast<unsigned>(call));
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

struct Jailed {
  bool escaped = false;  // it tried what the jail forbids
  int exit_code = -1;
  std::string said;  // what `work` returned
};

// Without a home: no cache and no settings are written. After `seconds` of processor time it is killed.
inline Jailed run_in_jail(const std::function<std::string()>& work, unsigned seconds = 120) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    for (const char* name : {"HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"}) unsetenv(name);
    const rlimit time{seconds, seconds};
    setrlimit(RLIMIT_CPU, &time);
    if (!close_jail()) _exit(99);
    const std::string said = work();
    const ssize_t written = write(ends[1], said.data(), std::min<size_t>(said.size(), 60'000));
    _exit(written < 0 ? 98 : 0);
  }
  close(ends[1]);
  Jailed result;
  char text[4096];
  for (ssize_t n = 0; (n = read(ends[0], text, sizeof text)) > 0;)
    result.said.append(text, static_cast<size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  result.escaped = WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS;
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  return result;
}

}  // namespace gemmscope::session
