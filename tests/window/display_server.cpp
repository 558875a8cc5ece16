#include "display_server.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>

namespace gemmscope::window {
namespace {

constexpr int kPatienceMs = 30'000;

// The line that the server writes once it listens (Xserver(1), -displayfd).
std::string read_line(int file) {
  std::string line;
  pollfd ready{file, POLLIN, 0};
  for (char c = 0; poll(&ready, 1, kPatienceMs) > 0 && read(file, &c, 1) == 1 && c != '\n';) line += c;
  return line;
}

}  // namespace

DisplayServer::DisplayServer() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
  fcntl(ends[1], F_SETFD, 0);  // the server's
  // It chooses a number that is free, and ends with its last client, also when the test crashes.
  server_ = std::make_unique<Program>(
      std::vector<std::string>{"Xvfb", "-displayfd", std::to_string(ends[1]), "-screen", "0", "1920x1080x24",
                               "+extension", "GLX", "-noreset", "-terminate", "-nolisten", "tcp"});
  close(ends[1]);
  if (const std::string number = read_line(ends[0]); !number.empty()) name_ = ":" + number;
  close(ends[0]);
}

DisplayServer::~DisplayServer() {
  if (!server_) return;
  server_->ask_to_end();  // so that it removes its lock and its socket
  server_->wait(5);
}

}  // namespace gemmscope::window
