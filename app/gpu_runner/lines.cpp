#include "gpu_runner/lines.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace gemmscope::gpu {

LineReader::Got LineReader::next(std::string& line) {
  constexpr size_t kReadBytes = 256 * 1024;
  for (size_t searched = 0;;) {
    const size_t newline = received_.find('\n', searched);
    if (newline != std::string::npos) {
      line = received_.substr(0, newline);
      received_.erase(0, newline + 1);
      return Got::line;
    }
    searched = received_.size();
    if (searched > longest_) return Got::too_long;
    received_.resize(searched + kReadBytes);
    ssize_t got = 0;
    do got = read(fd_, received_.data() + searched, kReadBytes);
    while (got < 0 && errno == EINTR);
    received_.resize(searched + static_cast<size_t>(std::max<ssize_t>(got, 0)));
    if (got <= 0) return Got::end;
  }
}

bool write_line(int fd, std::string line) {
  line += '\n';
  for (std::string_view left = line; !left.empty();) {
    const ssize_t written = write(fd, left.data(), left.size());
    if (written < 0 && errno != EINTR) return false;
    left.remove_prefix(static_cast<size_t>(std::max<ssize_t>(written, 0)));
  }
  return true;
}

bool hung_up(int fd, int wait_ms) {
  pollfd state{fd, 0, 0};
  return poll(&state, 1, wait_ms) > 0 && (state.revents & (POLLHUP | POLLERR)) != 0;
}

}  // namespace gemmscope::gpu
