// Lines from stdin and to the client.
#pragma once

#include <string>
#include <string_view>

namespace gemmscope::gpu {

class LineReader {
 public:
  LineReader(int fd, size_t longest) : fd_(fd), longest_(longest) {}
  enum class Got { line, end, too_long };
  // Waits for a line and gives it without its newline. A last line without one is not given.
  Got next(std::string& line);

 private:
  int fd_;
  size_t longest_;
  std::string received_;
};

// Adds the newline. False once nobody reads any more.
bool write_line(int fd, std::string line);

// True once nobody can send anything any more.
bool hung_up(int fd, int wait_ms);

}  // namespace gemmscope::gpu
