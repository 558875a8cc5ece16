#include "gpu/client.h"

#include "gpu/base64.h"
#include "gpu/connection.h"

namespace gemmscope::gpu {
namespace {

using std::chrono::milliseconds;

constexpr size_t kSmallReplyBytes = 64 * 1024;  // everything in a reply but the buffers
constexpr milliseconds kEndTime{500};           // for a runner that ends by itself

size_t encoded_bytes(const RunRequest& request, bool returned_only) {
  size_t bytes = returned_only ? 0 : base64_length(request.cubin.size());
  for (const Parameter& parameter : request.parameters) {
    const auto* const buffer = std::get_if<BufferParameter>(&parameter);
    if (buffer != nullptr && (buffer->returned || !returned_only))
      bytes += base64_length(buffer->initial.size()) + 16;
  }
  return bytes;
}

// A reply that this version's decoder takes, but to another question.
Outcome<void> check_reply(const RunRequest& request, const RunReply& reply) {
  size_t next = 0;
  for (const Parameter& parameter : request.parameters) {
    const auto* const buffer = std::get_if<BufferParameter>(&parameter);
    if (buffer == nullptr || !buffer->returned) continue;
    if (next == reply.buffers.size() || reply.buffers[next].size() != buffer->initial.size())
      return runner_error(ErrorKind::garbage,
                          "the GPU runner returned buffers of another size than it was given");
    ++next;
  }
  if (next != reply.buffers.size())
    return runner_error(ErrorKind::garbage, "the GPU runner returned {} buffers instead of {}",
                        reply.buffers.size(), next);
  for (const OutsideWrite& write : reply.outside_writes)
    if (write.parameter >= request.parameters.size())
      return runner_error(ErrorKind::garbage, "the GPU runner names parameter {}, which there is not",
                          write.parameter);
  return {};
}

}  // namespace

Client::Client(ClientSettings settings) : settings_(std::move(settings)) {}

Client::~Client() {
  if (connection_ == nullptr || !connection_->running()) return;
  if (ask<Goodbye>(QuitRequest{}, {kEndTime, kSmallReplyBytes, nullptr})) connection_->wait_for_end(kEndTime);
}

Outcome<DeviceFacts> Client::hello(const std::atomic<bool>* cancelled) {
  if (Outcome<void> started = start(cancelled); !started) return tl::unexpected(started.error());
  return facts_;
}

Outcome<RunReply> Client::run(const RunRequest& request, const std::atomic<bool>* cancelled) {
  const size_t request_bytes = encoded_bytes(request, false), reply_bytes = encoded_bytes(request, true);
  if (request_bytes + kSmallReplyBytes > settings_.max_request_bytes)
    return runner_error(ErrorKind::bad_request,
                        "the buffers of {} take {} MB on their way to the GPU runner, {} MB at most: "
                        "choose a smaller problem",
                        request.kernel, request_bytes >> 20, settings_.max_request_bytes >> 20);
  if (Outcome<void> started = start(cancelled); !started) return tl::unexpected(started.error());
  const double transfer_seconds =
      static_cast<double>(request_bytes + reply_bytes) / settings_.slowest_bytes_per_second;
  const milliseconds time = settings_.reply_timeout + milliseconds(request.time_limit_ms) +
                            milliseconds(static_cast<int64_t>(transfer_seconds * 1e3));
  Outcome<RunReply> reply = ask<RunReply>(request, {time, reply_bytes + kSmallReplyBytes, cancelled});
  if (!reply) return reply;
  if (Outcome<void> checked = check_reply(request, *reply); !checked) {
    stop();
    return tl::unexpected(checked.error());
  }
  return reply;
}

Outcome<void> Client::start(const std::atomic<bool>* cancelled) {
  if (connection_ != nullptr && connection_->running()) return {};
  stop();
  Result<Process> process = Process::start(settings_.command);
  if (!process)
    return runner_error(ErrorKind::cannot_start,
                        "the GPU runner does not start: {}; check its command line in the settings",
                        process.error().message);
  connection_ = std::make_unique<Connection>(std::move(*process));
  Outcome<DeviceFacts> facts =
      ask<DeviceFacts>(HelloRequest{}, {settings_.start_timeout, kSmallReplyBytes, cancelled});
  if (!facts) {
    stop();  // without a device a runner is of no use; the next one may find it
    return tl::unexpected(facts.error());
  }
  facts_ = std::move(*facts);
  return {};
}

// After an error of the connection, and after one that a runner does not outlive, there is none.
template <typename Answer, typename Question>
Outcome<Answer> Client::ask(const Question& question, const Patience& patience) {
  const uint64_t id = ++last_id_;
  Outcome<Reply> reply = exchange(encode_request(id, question), id, patience);
  if (!reply) {
    stop();
    return tl::unexpected(reply.error());
  }
  if (auto* const answer = std::get_if<Answer>(&reply->what)) return std::move(*answer);
  if (auto* const error = std::get_if<RunnerError>(&reply->what)) {
    if (ends_runner(error->kind)) {
      connection_->wait_for_end(kEndTime);
      stop();
    }
    return tl::unexpected(std::move(*error));
  }
  stop();
  return runner_error(ErrorKind::garbage, "the GPU runner answered another question than it was asked");
}

Outcome<Reply> Client::exchange(std::string line, uint64_t id, const Patience& patience) {
  if (settings_.log) settings_.log('>', line);
  line += '\n';
  const auto deadline = std::chrono::steady_clock::now() + patience.time;
  Outcome<std::string> answer =
      connection_->exchange(line, {deadline, patience.reply_bytes, patience.cancelled});
  if (!answer) return tl::unexpected(answer.error());
  if (settings_.log) settings_.log('<', *answer);
  tl::expected<Reply, DecodeError> reply = decode_reply(*answer);
  if (!reply) {
    const bool version = reply.error().error.kind == ErrorKind::wrong_version;
    return runner_error(version ? ErrorKind::wrong_version : ErrorKind::garbage,
                        "the GPU runner's answer cannot be used: {}", reply.error().error.message);
  }
  // Id 0 is an error about a line whose id the runner could not read.
  const bool about_nothing = reply->id == 0 && std::holds_alternative<RunnerError>(reply->what);
  if (reply->id != id && !about_nothing)
    return runner_error(ErrorKind::garbage, "the GPU runner answered question {} instead of {}", reply->id,
                        id);
  return std::move(*reply);
}

void Client::stop() { connection_.reset(); }

}  // namespace gemmscope::gpu
