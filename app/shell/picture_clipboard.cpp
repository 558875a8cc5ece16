#include "shell/picture_clipboard.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "gpu/process.h"
#include "shell/find_program.h"

namespace gemmscope::shell {
namespace {

bool is_set(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

// The program stays in the background to give the picture away. setsid takes it out of the group of
// processes that ends with this program.
std::optional<std::vector<std::string>> clipboard_command() {
  if (is_set("WAYLAND_DISPLAY") && find_program("wl-copy"))
    return std::vector<std::string>{"setsid", "--wait", "wl-copy", "--type", "image/png"};
  if (is_set("DISPLAY") && find_program("xclip"))
    return std::vector<std::string>{"setsid",    "--wait", "xclip",     "-selection",
                                    "clipboard", "-t",     "image/png", "-i"};
  return std::nullopt;
}

bool send_all(gpu::Process& process, const std::string& bytes) {
  constexpr int kPatience_ms = 5000;
  for (size_t sent = 0; sent < bytes.size();) {
    pollfd wanted{process.in.get(), POLLOUT, 0};
    if (poll(&wanted, 1, kPatience_ms) <= 0) return false;
    const ssize_t n = send(process.in.get(), bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (n <= 0) return false;
    sent += static_cast<size_t>(n);
  }
  process.in.close();
  return true;
}

}  // namespace

Result<void> copy_picture(const Image& image) {
  const auto command = clipboard_command();
  if (!command)
    return fail(
        "A picture cannot be copied here: install xclip, or wl-clipboard under Wayland. Saving it works "
        "without.");
  const Result<std::string> png = png_of(image);
  if (!png) return tl::unexpected(png.error());
  auto process = gpu::Process::start(*command);
  if (!process) return tl::unexpected(process.error());
  const bool sent = send_all(*process, *png);
  const bool ended = process->wait(std::chrono::seconds(5));
  if (!sent || !ended || process->end_text() != "ended with exit code 0")
    return fail("The picture was not copied: {} {}.", (*command)[2], process->end_text());
  return {};
}

}  // namespace gemmscope::shell
