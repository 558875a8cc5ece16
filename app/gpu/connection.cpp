#include "gpu/connection.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "gpu/readable.h"

namespace gemmscope::gpu {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr size_t kReadBytes = 256 * 1024;
constexpr size_t kErrorsKept = 400, kExcerptBytes = 80;
constexpr milliseconds kPollTime{20};

// Appends the available bytes. Closes the descriptor at the end of the stream.
void read_some(Descriptor& from, std::string& text) {
  const size_t before = text.size();
  text.resize(before + kReadBytes);
  const ssize_t got = read(from.get(), text.data() + before, kReadBytes);
  text.resize(before + static_cast<size_t>(std::max<ssize_t>(got, 0)));
  if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) from.close();
}

}  // namespace

Outcome<std::string> Connection::exchange(std::string_view line, const Limits& limits) {
  Outcome<std::string> answer = transfer(line, limits);
  if (answer) return answer;
  process_.kill();
  return answer;
}

Outcome<std::string> Connection::transfer(std::string_view line, const Limits& limits) {
  std::string_view unsent = line;
  while (true) {
    const size_t newline = received_.find('\n', without_newline_);
    if (newline != std::string::npos && newline <= limits.reply_bytes) {
      std::string answer = received_.substr(0, newline);
      received_.erase(0, newline + 1);
      without_newline_ = 0;
      return answer;
    }
    without_newline_ = received_.size();
    if (received_.size() > limits.reply_bytes)
      return runner_error(ErrorKind::flood,
                          "the GPU runner sent more than the {} bytes that its answer can have (\"{}\")",
                          limits.reply_bytes, readable(received_, kExcerptBytes));
    if (!process_.out.open()) {
      process_.wait(milliseconds(1000));
      const char* const where = received_.empty() ? "before it answered" : "in the middle of its answer";
      return runner_error(ErrorKind::died, "the GPU runner {} {}{}", process_.end_text(), where,
                          last_words());
    }
    const auto left = std::chrono::duration_cast<milliseconds>(limits.deadline - steady_clock::now());
    if (left <= milliseconds(0))
      return runner_error(ErrorKind::no_answer, "the GPU runner did not answer in time and was stopped{}",
                          last_words());
    if (limits.cancelled != nullptr && limits.cancelled->load())
      return runner_error(ErrorKind::cancelled,
                          "the GPU runner was stopped: its work is not needed any more");
    // A closed descriptor is negative, and poll skips it.
    std::array<pollfd, 3> fds = {pollfd{process_.out.get(), POLLIN, 0}, pollfd{process_.err.get(), POLLIN, 0},
                                 pollfd{unsent.empty() ? -1 : process_.in.get(), POLLOUT, 0}};
    if (poll(fds.data(), fds.size(), static_cast<int>(std::min(left, kPollTime).count())) <= 0) {
      process_.running();  // if it has ended, this also kills its children, which closes stdout
      continue;
    }
    if (fds[0].revents != 0) read_some(process_.out, received_);
    if (fds[1].revents != 0) keep_errors();
    if (fds[2].revents != 0) send_some(unsent);
  }
}

// A failed send needs no message of its own: the end of stdout follows and is reported.
void Connection::send_some(std::string_view& unsent) {
  const ssize_t sent = send(process_.in.get(), unsent.data(), unsent.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent > 0) unsent.remove_prefix(static_cast<size_t>(sent));
  if (sent < 0 && errno != EAGAIN && errno != EINTR) process_.in.close();
}

void Connection::keep_errors() {
  read_some(process_.err, errors_);
  if (errors_.size() > kErrorsKept) errors_.erase(0, errors_.size() - kErrorsKept);
}

std::string Connection::last_words() {
  // The process may go on writing: a few reads get what it has written so far.
  for (int reads = 0; reads < 8 && process_.err.open(); ++reads) keep_errors();
  while (!errors_.empty() && (errors_.back() == '\n' || errors_.back() == ' ')) errors_.pop_back();
  return errors_.empty() ? "" : fmt::format("; its last words: \"{}\"", readable(errors_, kErrorsKept));
}

void Connection::wait_for_end(milliseconds longest) {
  if (!process_.wait(longest)) process_.kill();
}

}  // namespace gemmscope::gpu
