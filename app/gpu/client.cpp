#include "gpu/client.h"

#include "gpu/connection.h"
#include "gpu/request_checks.h"

namespace gemmscope::gpu {
namespace {

using std::chrono::milliseconds;

constexpr size_t kSmallReplyBytes = 64 * 1024;  // all of a reply except its buffers
constexpr milliseconds kEndTime{500};           // how long a runner may take to end by itself

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
  const size_t sent = request_bytes(request), returned = reply_bytes(request);
  if (Outcome<void> fits = check_length(request.kernel, sent); !fits) return tl::unexpected(fits.error());
  if (Outcome<void> started = start(cancelled); !started) return tl::unexpected(started.error());
  const milliseconds time =
      settings_.reply_timeout + milliseconds(request.time_limit_ms) + transfer_time(sent + returned);
  Outcome<RunReply> reply = ask<RunReply>(request, {time, returned + kSmallReplyBytes, cancelled});
  if (!reply) return reply;
  if (Outcome<void> checked = check_reply(request, *reply); !checked) {
    stop();
    return tl::unexpected(checked.error());
  }
  return reply;
}

Outcome<Prepared> Client::prepare(const PrepareRequest& request, const std::atomic<bool>* cancelled) {
  if (Outcome<void> checked = check_request(request); !checked) return tl::unexpected(checked.error());
  const size_t sent = request_bytes(request);
  if (Outcome<void> fits = check_length(request.launches[0].kernel, sent); !fits)
    return tl::unexpected(fits.error());
  const milliseconds time = settings_.reply_timeout + milliseconds(request.time_limit_ms) +
                            transfer_time(sent) +
                            (request.gemm ? reference_time(*request.gemm) : milliseconds(0)) +
                            milliseconds(request.check ? request.check->time_limit_ms : 0);
  return prepare_within(request, time, cancelled);
}

Outcome<Prepared> Client::prepare(const PrepareLibraryRequest& request, const std::atomic<bool>* cancelled) {
  if (Outcome<void> checked = check_gemm(request.gemm); !checked) return tl::unexpected(checked.error());
  return prepare_within(request, settings_.reply_timeout + reference_time(request.gemm), cancelled);
}

template <typename Question>
Outcome<Prepared> Client::prepare_within(const Question& question, milliseconds time,
                                         const std::atomic<bool>* cancelled) {
  if (Outcome<void> started = start(cancelled); !started) return tl::unexpected(started.error());
  Outcome<Prepared> reply = ask<Prepared>(question, {time, kSmallReplyBytes, cancelled});
  if (!reply) return reply;
  Outcome<void> checked = check_reply(*reply);
  if (checked && !handles_.insert(reply->handle).second)
    checked =
        runner_error(ErrorKind::garbage, "the GPU runner gave the handle {} to two kernels", reply->handle);
  if (!checked) {
    stop();
    return tl::unexpected(checked.error());
  }
  return reply;
}

Outcome<TimeReply> Client::time(const TimeRequest& request, const std::atomic<bool>* cancelled) {
  if (!holds(request.handle))
    return runner_error(ErrorKind::not_prepared,
                        "the GPU runner that had prepared the kernel has ended: prepare the kernel again");
  const milliseconds time = settings_.reply_timeout + milliseconds(request.time_limit_ms);
  Outcome<TimeReply> reply = ask<TimeReply>(request, {time, kSmallReplyBytes, cancelled});
  if (!reply) return reply;
  if (Outcome<void> checked = check_reply(*reply); !checked) {
    stop();
    return tl::unexpected(checked.error());
  }
  return reply;
}

Outcome<void> Client::release(const ReleaseRequest& request, const std::atomic<bool>* cancelled) {
  if (!holds(request.handle)) return {};
  handles_.erase(request.handle);
  const Outcome<Released> reply =
      ask<Released>(request, {settings_.reply_timeout, kSmallReplyBytes, cancelled});
  if (!reply) return tl::unexpected(reply.error());
  return {};
}

// The handles of a runner end with it: the next runner may give the same numbers to other kernels.
bool Client::holds(uint64_t handle) {
  if (connection_ == nullptr || !connection_->running()) stop();
  return handles_.contains(handle);
}

Outcome<void> Client::check_length(const std::string& kernel, size_t bytes) const {
  if (bytes + kSmallReplyBytes <= settings_.max_request_bytes) return {};
  return runner_error(
      ErrorKind::bad_request,
      "the buffers of {} take {} MB on their way to the GPU runner, which accepts {} MB at most: "
      "choose a smaller problem",
      kernel, bytes >> 20, settings_.max_request_bytes >> 20);
}

milliseconds Client::transfer_time(size_t bytes) const {
  return milliseconds(
      static_cast<int64_t>(static_cast<double>(bytes) / settings_.slowest_bytes_per_second * 1e3));
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
    stop();  // a runner without a device is useless; the next one may find the device
    return tl::unexpected(facts.error());
  }
  facts_ = std::move(*facts);
  return {};
}

// After a connection error, and after an error that ends the runner, no runner is left.
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
  return runner_error(ErrorKind::garbage, "the GPU runner answered a different question than it was asked");
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
  // Id 0 marks an error about a line whose id the runner could not read.
  const bool about_nothing = reply->id == 0 && std::holds_alternative<RunnerError>(reply->what);
  if (reply->id != id && !about_nothing)
    return runner_error(ErrorKind::garbage, "the GPU runner answered question {} instead of {}", reply->id,
                        id);
  return std::move(*reply);
}

void Client::stop() {
  connection_.reset();
  handles_.clear();
}

}  // namespace gemmscope::gpu
