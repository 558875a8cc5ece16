#include "gpu/timing_lines.h"

#include <algorithm>
#include <cmath>

namespace gemmscope::gpu {
namespace {

struct PrecisionName {
  Precision precision;
  std::string_view name;
};
constexpr PrecisionName kPrecisionNames[] = {
    {Precision::fp32, "fp32"}, {Precision::tf32, "tf32"}, {Precision::bf16, "bf16"}};

std::string_view precision_name(Precision precision) {
  const auto* const found = std::ranges::find(kPrecisionNames, precision, &PrecisionName::precision);
  return found == std::end(kPrecisionNames) ? "" : found->name;
}

Precision read_precision(Members& members, std::string& problem) {
  const auto* const found =
      std::ranges::find(kPrecisionNames, members.text("precision"), &PrecisionName::name);
  if (found != std::end(kPrecisionNames)) return found->precision;
  if (problem.empty()) problem = "\"precision\" of the request is not fp32, tf32 or bf16";
  return Precision::fp32;
}

json gemm_json(const Gemm& gemm) {
  return {{"m", gemm.m}, {"n", gemm.n}, {"k", gemm.k}, {"alpha", gemm.alpha}, {"beta", gemm.beta}};
}

float read_float(Members& members, const char* name, std::string& problem) {
  const double value = members.real(name);
  if (std::abs(value) <= std::numeric_limits<float>::max()) return static_cast<float>(value);
  if (problem.empty()) problem = fmt::format("\"{}\" of the Gemm is beyond float32", name);
  return 0;
}

Gemm read_gemm(const json& object, std::string& problem) {
  Members members(object, "the Gemm", problem);
  Gemm gemm;
  gemm.m = members.whole<int64_t>("m");
  gemm.n = members.whole<int64_t>("n");
  gemm.k = members.whole<int64_t>("k");
  gemm.alpha = read_float(members, "alpha", problem);
  gemm.beta = read_float(members, "beta", problem);
  return gemm;
}

json parameter_json(const MatrixParameter& matrix) {
  json object = {{"matrix", std::string(1, matrix.role)}, {"bfloat16", matrix.bfloat16}};
  if (matrix.box_rows != 0) object["box_rows"] = matrix.box_rows;
  if (matrix.finite) object["finite"] = true;
  return object;
}

MatrixParameter read_matrix(Members& members, std::string& problem) {
  const std::string role = members.text("matrix");
  const bool known = role == "A" || role == "B" || role == "C";
  if (!known && problem.empty()) problem = "\"matrix\" of a parameter is not A, B or C";
  return {known ? role[0] : 'A', members.truth("bfloat16"),
          members.has("box_rows") ? members.whole<uint32_t>("box_rows") : 0,
          members.has("finite") && members.truth("finite")};
}

TimedParameter read_parameter(Members members, std::string& problem) {
  if (members.has("matrix")) return read_matrix(members, problem);
  if (members.has("value")) return read_value(members);
  return read_buffer(members);
}

json launch_json(const TimedLaunch& launch) {
  return {{"kernel", launch.kernel},
          {"grid", launch.grid},
          {"block", launch.block},
          {"dynamic_shared_bytes", launch.dynamic_shared_bytes},
          {"parameters", launch.parameters}};
}

TimedLaunch read_launch(Members members) {
  TimedLaunch launch;
  launch.kernel = members.text("kernel");
  launch.grid = members.triple("grid");
  launch.block = members.triple("block");
  launch.dynamic_shared_bytes = members.whole<uint32_t>("dynamic_shared_bytes");
  for (const json& index : members.list("parameters"))
    launch.parameters.push_back(members.whole_value<uint32_t>(index, "parameters"));
  return launch;
}

json check_json(const ReferenceCheck& check) {
  json compare = json::array();
  for (const ReferenceCheck::Buffer& buffer : check.compare)
    compare.push_back({{"parameter", buffer.parameter}, {"type", type_name(buffer.type)}});
  return {{"launch", launch_json(check.launch)},
          {"compare", std::move(compare)},
          {"tolerance", check.tolerance},
          {"time_limit_ms", check.time_limit_ms}};
}

ReferenceCheck::Buffer read_compared(Members members, std::string& problem) {
  const auto parameter = members.whole<uint32_t>("parameter");
  const std::optional<ElementType> type = type_of_name(members.text("type"));
  if (!type && problem.empty()) problem = "\"type\" of a compared buffer is not float16, float32, int32 …";
  return {parameter, type.value_or(ElementType::float32)};
}

ReferenceCheck read_check(const json& object, std::string& problem) {
  Members members(object, "the check", problem);
  ReferenceCheck check;
  check.launch = read_launch(Members(members.at("launch"), "the check's launch", problem));
  for (const json& entry : members.list("compare"))
    check.compare.push_back(read_compared(Members(entry, "a compared buffer", problem), problem));
  check.tolerance = members.real("tolerance");
  check.time_limit_ms = members.whole<uint32_t>("time_limit_ms");
  return check;
}

GpuVerification read_verification(const json& object, std::string& problem) {
  Members members(object, "the verification", problem);
  GpuVerification verification;
  verification.checked = members.truth("checked");
  verification.largest_error = members.real("largest_error");
  verification.largest_ratio = members.real("largest_ratio");
  verification.wrong_elements = members.whole<uint64_t>("wrong_elements");
  verification.against = members.text("against");
  return verification;
}

}  // namespace

json add_request(json line, const PrepareRequest& request) {
  json launches = json::array(), parameters = json::array();
  for (const TimedLaunch& launch : request.launches) launches.push_back(launch_json(launch));
  for (const TimedParameter& parameter : request.parameters)
    parameters.push_back(std::visit([](const auto& what) { return parameter_json(what); }, parameter));
  line["request"] = "prepare";
  line["cubin"] = base64_encode(request.cubin);
  line["launches"] = std::move(launches);
  line["parameters"] = std::move(parameters);
  if (request.gemm) line["gemm"] = gemm_json(*request.gemm);
  line["precision"] = precision_name(request.precision);
  line["time_limit_ms"] = request.time_limit_ms;
  if (request.check) line["check"] = check_json(*request.check);
  return line;
}

json add_request(json line, const PrepareLibraryRequest& request) {
  line["request"] = "prepare_library";
  line["gemm"] = gemm_json(request.gemm);
  line["precision"] = precision_name(request.precision);
  return line;
}

json add_request(json line, const TimeRequest& request) {
  line["request"] = "time";
  line["handle"] = request.handle;
  line["launches"] = request.launches;
  line["flush_l2"] = request.flush_l2;
  line["time_limit_ms"] = request.time_limit_ms;
  return line;
}

json add_request(json line, const ReleaseRequest& request) {
  line["request"] = "release";
  line["handle"] = request.handle;
  return line;
}

void add_reply(json& line, const Prepared& prepared) {
  const GpuVerification& v = prepared.verification;
  line["prepared"] = {{"handle", prepared.handle},
                      {"first_ms", prepared.first_ms},
                      {"library", prepared.library},
                      {"verification",
                       {{"checked", v.checked},
                        {"largest_error", v.largest_error},
                        {"largest_ratio", v.largest_ratio},
                        {"wrong_elements", v.wrong_elements},
                        {"against", v.against}}}};
}
void add_reply(json& line, const TimeReply& reply) {
  line["time"] = {{"ms", reply.ms}, {"sm_clock_mhz", reply.sm_clock_mhz}};
}
void add_reply(json& line, const Released&) { line["released"] = true; }

PrepareRequest read_prepare_request(Members& members, std::string& problem) {
  PrepareRequest request;
  request.cubin = members.bytes("cubin");
  for (const json& entry : members.list("launches"))
    request.launches.push_back(
        read_launch(Members(entry, fmt::format("launch {}", request.launches.size()), problem)));
  for (const json& entry : members.list("parameters"))
    request.parameters.push_back(read_parameter(
        Members(entry, fmt::format("parameter {}", request.parameters.size()), problem), problem));
  if (members.has("gemm")) request.gemm = read_gemm(members.at("gemm"), problem);
  request.precision = read_precision(members, problem);
  request.time_limit_ms = members.whole<uint32_t>("time_limit_ms");
  if (members.has("check")) request.check = read_check(members.at("check"), problem);
  return request;
}

PrepareLibraryRequest read_prepare_library_request(Members& members, std::string& problem) {
  PrepareLibraryRequest request;
  request.gemm = read_gemm(members.at("gemm"), problem);
  request.precision = read_precision(members, problem);
  return request;
}

TimeRequest read_time_request(Members& members) {
  TimeRequest request;
  request.handle = members.whole<uint64_t>("handle");
  request.launches = members.whole<uint32_t>("launches");
  request.flush_l2 = members.truth("flush_l2");
  request.time_limit_ms = members.whole<uint32_t>("time_limit_ms");
  return request;
}

Prepared read_prepared(const json& object, std::string& problem) {
  Members members(object, "what was prepared", problem);
  Prepared prepared;
  prepared.handle = members.whole<uint64_t>("handle");
  prepared.first_ms = members.real("first_ms");
  prepared.library = members.text("library");
  prepared.verification = read_verification(members.at("verification"), problem);
  return prepared;
}

TimeReply read_time_reply(const json& object, std::string& problem) {
  Members members(object, "the time", problem);
  const double ms = members.real("ms");
  return {ms, members.real("sm_clock_mhz")};
}

}  // namespace gemmscope::gpu
