// gemmscope-gpu-runner: the program that owns CUDA. It answers the requests of gpu/protocol.h, one after the
// other, and ends with "quit", with the end of stdin, or after a fault that the device does not recover from.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <new>
#include <string_view>

#include "gpu/protocol.h"
#include "gpu_runner/device.h"
#include "gpu_runner/lines.h"

namespace gemmscope::gpu {
namespace {

constexpr int kHungUp = 3;

// Ends the runner if the client is gone: nobody else would stop a kernel that runs for long.
void end_with_the_client() {
  if (hung_up(STDIN_FILENO, 1)) _exit(kHungUp);
}

template <typename T>
Reply reply_of(uint64_t id, Outcome<T> outcome) {
  if (!outcome) return {id, std::move(outcome.error())};
  return {id, std::move(*outcome)};
}

struct Answer {
  uint64_t id;
  Reply operator()(const HelloRequest&) const { return reply_of(id, device_facts()); }
  Reply operator()(const QuitRequest&) const { return {id, Goodbye{}}; }
  Reply operator()(const RunRequest& request) const {
    return reply_of(id, run_on_device(request, end_with_the_client));
  }
  Reply operator()(const PrepareRequest& request) const {
    return reply_of(id, prepare_on_device(request, end_with_the_client));
  }
  Reply operator()(const PrepareLibraryRequest& request) const {
    return reply_of(id, prepare_on_device(request, end_with_the_client));
  }
  Reply operator()(const TimeRequest& request) const {
    return reply_of(id, time_on_device(request, end_with_the_client));
  }
  Reply operator()(const ReleaseRequest& request) const { return reply_of(id, release_on_device(request)); }
};

Reply answer_line(std::string_view line) {
  uint64_t id = 0;
  try {
    const tl::expected<Request, DecodeError> request = decode_request(line);
    if (!request) return {request.error().id, request.error().error};
    id = request->id;
    return std::visit(Answer{id}, request->what);
  } catch (const std::bad_alloc&) {
    return {id, RunnerError{ErrorKind::out_of_memory,
                            "the GPU runner's computer has too little memory for this request"}};
  }
}

bool is_last(const Reply& reply) {
  const auto* const error = std::get_if<RunnerError>(&reply.what);
  return std::holds_alternative<Goodbye>(reply.what) || (error != nullptr && ends_runner(error->kind));
}

// Kernels print to stdout. This sends stdout to stderr and returns a separate descriptor for the protocol.
int take_stdout() {
  const int fd = dup(STDOUT_FILENO);
  if (fd >= 0) dup2(STDERR_FILENO, STDOUT_FILENO);
  return fd;
}

int serve() {
  signal(SIGPIPE, SIG_IGN);
  const int out = take_stdout();
  if (out < 0) return 1;
  LineReader reader(STDIN_FILENO, kMaxLineBytes);
  std::string line;
  while (true) {
    const LineReader::Got got = reader.next(line);
    if (got == LineReader::Got::end) return 0;
    if (got == LineReader::Got::too_long) {
      write_line(out,
                 encode_reply({0, RunnerError{ErrorKind::bad_request,
                                              fmt::format("a request exceeds {} bytes", kMaxLineBytes)}}));
      return 1;
    }
    const Reply reply = answer_line(line);
    if (!write_line(out, encode_reply(reply))) return kHungUp;
    // Skips the exit handlers: the driver's own clean-up would wait for a hung kernel.
    if (is_last(reply)) fflush(nullptr), _exit(0);
  }
}

}  // namespace
}  // namespace gemmscope::gpu

int main(int argc, char** argv) {
  if (argc > 1) {
    const bool help = std::string_view(argv[1]) == "--help" || std::string_view(argv[1]) == "--version";
    fmt::print(
        help ? stdout : stderr,
        "gemmscope-gpu-runner, protocol {}: gemmscope starts it and talks to it over stdin and stdout\n",
        gemmscope::gpu::kProtocolVersion);
    return help ? 0 : 2;
  }
  return gemmscope::gpu::serve();
}
