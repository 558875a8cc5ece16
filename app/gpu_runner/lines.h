// Reads lines from stdin and writes lines to the client.
#pragma once

#include <string>
#include <string_view>

namespace gemmscope::gpu {

class LineReader {
 public:
  LineReader(int fd, size_t longest) : fd_(fd), longest_(longest) {}
  enum class Got { line, end, too_long };
  // Waits for a line and returns it without its newline. A last line without a newline is dropped.
  Got next(std::string& line);

 private:
  int fd_;
  size_t longest_;
  std::string received_;
};

// Writes the line and a newline. False if the reader is gone.
bool write_line(int fd, std::string line);

// True if the sender is gone.
bool hung_up(int fd, int wait_ms);

}  // namespace gemmscope::gpu
