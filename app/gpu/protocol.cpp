#include "gpu/protocol.h"

#include <algorithm>
#include <optional>

#include "gpu/members.h"
#include "gpu/readable.h"
#include "gpu/timing_lines.h"

namespace gemmscope::gpu {
namespace {

using nlohmann::json;

// Every version of the protocol has this member and "id", so that a reader recognizes it.
constexpr const char* kVersionMember = "gemmscope_gpu";

struct KindName {
  ErrorKind kind;
  std::string_view name;
};
constexpr KindName kKindNames[] = {
    {ErrorKind::no_toolkit, "no_toolkit"},
    {ErrorKind::no_driver, "no_driver"},
    {ErrorKind::no_device, "no_device"},
    {ErrorKind::bad_request, "bad_request"},
    {ErrorKind::wrong_version, "wrong_version"},
    {ErrorKind::out_of_memory, "out_of_memory"},
    {ErrorKind::no_library, "no_library"},
    {ErrorKind::bad_machine_code, "bad_machine_code"},
    {ErrorKind::no_such_kernel, "no_such_kernel"},
    {ErrorKind::not_prepared, "not_prepared"},
    {ErrorKind::launch_refused, "launch_refused"},
    {ErrorKind::kernel_fault, "kernel_fault"},
    {ErrorKind::kernel_timeout, "kernel_timeout"},
    {ErrorKind::device_lost, "device_lost"},
    {ErrorKind::driver_error, "driver_error"},
    {ErrorKind::cannot_start, "cannot_start"},
    {ErrorKind::died, "died"},
    {ErrorKind::no_answer, "no_answer"},
    {ErrorKind::garbage, "garbage"},
    {ErrorKind::flood, "flood"},
    {ErrorKind::cancelled, "cancelled"},
};

std::optional<ErrorKind> kind_of_name(std::string_view name) {
  const auto* const found = std::ranges::find(kKindNames, name, &KindName::name);
  if (found == std::end(kKindNames)) return std::nullopt;
  return found->kind;
}

json line_with_id(uint64_t id) { return {{kVersionMember, kProtocolVersion}, {"id", id}}; }

// Invalid UTF-8, such as a kernel's name in a damaged file, must not throw.
std::string dump(const json& line) { return line.dump(-1, ' ', false, json::error_handler_t::replace); }

void add_reply(json& line, const DeviceFacts& facts) {
  line["device"] = {{"name", facts.name},
                    {"compute_capability", facts.compute_capability},
                    {"sm_count", facts.sm_count},
                    {"max_clock_mhz", facts.max_clock_mhz},
                    {"memory_bytes", facts.memory_bytes},
                    {"driver_version", facts.driver_version},
                    {"cuda_version", facts.cuda_version},
                    {"memory_gb_per_second", facts.memory_gb_per_second},
                    {"fp32_lanes_per_sm", facts.fp32_lanes_per_sm},
                    {"l2_bytes", facts.l2_bytes}};
}
void add_reply(json& line, const RunReply& reply) {
  json buffers = json::array(), writes = json::array();
  for (const std::vector<std::byte>& buffer : reply.buffers) buffers.push_back(base64_encode(buffer));
  for (const OutsideWrite& write : reply.outside_writes)
    writes.push_back({{"parameter", write.parameter}, {"offset", write.offset}});
  line["buffers"] = std::move(buffers);
  line["outside_writes"] = std::move(writes);
}
void add_reply(json& line, const Goodbye&) { line["goodbye"] = true; }
void add_reply(json& line, const RunnerError& error) {
  line["error"] = {{"kind", error_kind_name(error.kind)}, {"message", error.message}};
}

RunRequest read_run_request(Members& members, std::string& problem) {
  RunRequest request;
  request.cubin = members.bytes("cubin");
  request.kernel = members.text("kernel");
  request.grid = members.triple("grid");
  request.block = members.triple("block");
  request.dynamic_shared_bytes = members.whole<uint32_t>("dynamic_shared_bytes");
  request.time_limit_ms = members.whole<uint32_t>("time_limit_ms");
  for (const json& entry : members.list("parameters")) {
    Members parameter(entry, fmt::format("parameter {}", request.parameters.size()), problem);
    if (parameter.has("value")) {
      request.parameters.emplace_back(read_value(parameter));
    } else {
      request.parameters.emplace_back(read_buffer(parameter));
    }
  }
  return request;
}

DeviceFacts read_device(const json& object, std::string& problem) {
  Members members(object, "the device", problem);
  DeviceFacts facts;
  facts.name = members.text("name");
  facts.compute_capability = members.whole<int>("compute_capability");
  facts.sm_count = members.whole<int>("sm_count");
  facts.max_clock_mhz = members.real("max_clock_mhz");
  facts.memory_bytes = members.whole<uint64_t>("memory_bytes");
  facts.driver_version = members.text("driver_version");
  facts.cuda_version = members.text("cuda_version");
  // Older runners do not send these members.
  if (members.has("memory_gb_per_second")) facts.memory_gb_per_second = members.real("memory_gb_per_second");
  if (members.has("fp32_lanes_per_sm")) facts.fp32_lanes_per_sm = members.whole<int>("fp32_lanes_per_sm");
  if (members.has("l2_bytes")) facts.l2_bytes = members.whole<uint64_t>("l2_bytes");
  return facts;
}

RunReply read_run_reply(Members& members, std::string& problem) {
  RunReply reply;
  for (const json& buffer : members.list("buffers"))
    reply.buffers.push_back(members.bytes_value(buffer, "buffers"));
  for (const json& entry : members.list("outside_writes")) {
    Members write(entry, "an outside write", problem);
    const auto parameter = write.whole<uint32_t>("parameter");
    reply.outside_writes.push_back({parameter, write.whole<int64_t>("offset")});
  }
  return reply;
}

RunnerError read_error(const json& object, std::string& problem) {
  Members members(object, "the error", problem);
  RunnerError error;
  // A kind that a later version added counts as one that ends the runner, to be safe.
  error.kind = kind_of_name(members.text("kind")).value_or(ErrorKind::driver_error);
  error.message = members.text("message");
  return error;
}

// The beginning of a line, for messages.
std::string excerpt(std::string_view line) { return readable(line, 60); }

// The JSON object of a line of this version, and its id.
struct Envelope {
  uint64_t id = 0;
  json object;
};
tl::expected<Envelope, DecodeError> open_line(std::string_view line) {
  Envelope envelope;
  const auto refuse = [&](ErrorKind kind, std::string message) {
    return tl::unexpected(DecodeError{envelope.id, {kind, std::move(message)}});
  };
  envelope.object = json::parse(line, nullptr, false);
  const json& object = envelope.object;
  if (!object.is_object() || !object.contains(kVersionMember))
    return refuse(ErrorKind::bad_request,
                  fmt::format("\"{}\" is not a line of the GPU runner's protocol", excerpt(line)));
  const bool has_id = object.contains("id") && object["id"].is_number_unsigned();
  if (has_id) envelope.id = object["id"].get<uint64_t>();
  const json& version = object[kVersionMember];
  if (version != kProtocolVersion)
    return refuse(
        ErrorKind::wrong_version,
        fmt::format(
            "it speaks version {} of the protocol, this program version {}: install the same GEMMscope on "
            "both sides",
            excerpt(dump(version)), kProtocolVersion));
  if (!has_id) return refuse(ErrorKind::bad_request, "\"id\" is missing or is not a whole number");
  return envelope;
}

}  // namespace

std::string_view error_kind_name(ErrorKind kind) {
  const auto* const found = std::ranges::find(kKindNames, kind, &KindName::kind);
  return found == std::end(kKindNames) ? "" : found->name;
}

std::string encode_request(uint64_t id, const HelloRequest&) {
  json line = line_with_id(id);
  line["request"] = "hello";
  return dump(line);
}
std::string encode_request(uint64_t id, const QuitRequest&) {
  json line = line_with_id(id);
  line["request"] = "quit";
  return dump(line);
}
std::string encode_request(uint64_t id, const RunRequest& request) {
  json line = line_with_id(id);
  line["request"] = "run";
  line["cubin"] = base64_encode(request.cubin);
  line["kernel"] = request.kernel;
  line["grid"] = request.grid;
  line["block"] = request.block;
  line["dynamic_shared_bytes"] = request.dynamic_shared_bytes;
  line["time_limit_ms"] = request.time_limit_ms;
  json parameters = json::array();
  for (const Parameter& parameter : request.parameters)
    parameters.push_back(std::visit([](const auto& what) { return parameter_json(what); }, parameter));
  line["parameters"] = std::move(parameters);
  return dump(line);
}

std::string encode_request(uint64_t id, const PrepareRequest& request) {
  return dump(add_request(line_with_id(id), request));
}
std::string encode_request(uint64_t id, const PrepareLibraryRequest& request) {
  return dump(add_request(line_with_id(id), request));
}
std::string encode_request(uint64_t id, const TimeRequest& request) {
  return dump(add_request(line_with_id(id), request));
}
std::string encode_request(uint64_t id, const ReleaseRequest& request) {
  return dump(add_request(line_with_id(id), request));
}

std::string encode_reply(const Reply& reply) {
  json line = line_with_id(reply.id);
  std::visit([&](const auto& what) { add_reply(line, what); }, reply.what);
  return dump(line);
}

tl::expected<Request, DecodeError> decode_request(std::string_view line) {
  tl::expected<Envelope, DecodeError> envelope = open_line(line);
  if (!envelope) return tl::unexpected(envelope.error());
  std::string problem;
  Members members(envelope->object, "the request", problem);
  const std::string name = members.text("request");
  Request request{envelope->id, {}};
  if (name == "run") {
    request.what = read_run_request(members, problem);
  } else if (name == "quit") {
    request.what = QuitRequest{};
  } else if (name == "prepare") {
    request.what = read_prepare_request(members, problem);
  } else if (name == "prepare_library") {
    request.what = read_prepare_library_request(members, problem);
  } else if (name == "time") {
    request.what = read_time_request(members);
  } else if (name == "release") {
    request.what = ReleaseRequest{members.whole<uint64_t>("handle")};
  } else if (name != "hello" && problem.empty()) {
    problem = fmt::format(
        "\"{}\" is not a request of this version (hello, run, prepare, prepare_library, time, release, quit)",
        excerpt(name));
  }
  if (!problem.empty()) return tl::unexpected(DecodeError{envelope->id, {ErrorKind::bad_request, problem}});
  return request;
}

tl::expected<Reply, DecodeError> decode_reply(std::string_view line) {
  tl::expected<Envelope, DecodeError> envelope = open_line(line);
  if (!envelope) return tl::unexpected(envelope.error());
  std::string problem;
  Members members(envelope->object, "the reply", problem);
  Reply reply{envelope->id, {}};
  if (members.has("error")) {
    reply.what = read_error(members.at("error"), problem);
  } else if (members.has("device")) {
    reply.what = read_device(members.at("device"), problem);
  } else if (members.has("buffers")) {
    reply.what = read_run_reply(members, problem);
  } else if (members.has("prepared")) {
    reply.what = read_prepared(members.at("prepared"), problem);
  } else if (members.has("time")) {
    reply.what = read_time_reply(members.at("time"), problem);
  } else if (members.has("released")) {
    reply.what = Released{};
  } else if (members.has("goodbye")) {
    reply.what = Goodbye{};
  } else {
    problem = fmt::format("\"{}\" is neither a result nor an error", excerpt(line));
  }
  if (!problem.empty()) return tl::unexpected(DecodeError{envelope->id, {ErrorKind::bad_request, problem}});
  return reply;
}

}  // namespace gemmscope::gpu
