#include "gpu/protocol.h"

#include <gtest/gtest.h>

#include "fake_runner.h"

namespace gemmscope::gpu {
namespace {

template <typename T>
T reply_of(const Reply& reply) {
  const auto decoded = decode_reply(encode_reply(reply));
  EXPECT_TRUE(decoded.has_value()) << decoded.error().error.message;
  EXPECT_EQ(decoded->id, reply.id);
  const T* what = std::get_if<T>(&decoded->what);
  EXPECT_NE(what, nullptr);
  return what == nullptr ? T{} : *what;
}

TEST(Protocol, RequestsSurviveARoundTrip) {
  RunRequest run = small_run();
  run.grid = {4294967295, 2, 3};
  run.block = {32, 8, 1};
  run.dynamic_shared_bytes = 100'000;
  run.parameters.emplace_back(BufferParameter{{}, false});
  const std::string line = encode_request(7, run);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto decoded = decode_request(line);
  ASSERT_TRUE(decoded.has_value()) << decoded.error().error.message;
  EXPECT_EQ(decoded->id, 7u);
  EXPECT_EQ(std::get<RunRequest>(decoded->what), run);
  EXPECT_TRUE(std::holds_alternative<HelloRequest>(decode_request(encode_request(1, HelloRequest{}))->what));
  EXPECT_TRUE(std::holds_alternative<QuitRequest>(decode_request(encode_request(1, QuitRequest{}))->what));
}

TEST(Protocol, RepliesSurviveARoundTrip) {
  const DeviceFacts facts{"NVIDIA H200", 90, 132, 1980.0, 150'000'000'000, "580.159.04", "13.0"};
  EXPECT_EQ(reply_of<DeviceFacts>({3, facts}), facts);
  const RunReply run{{some_bytes(5), {}, some_bytes(256)}, {{0, -4096}, {2, 1'000'000'000'000}}};
  EXPECT_EQ(reply_of<RunReply>({4, run}), run);
  reply_of<Goodbye>({5, Goodbye{}});
}

TEST(Protocol, EveryKindOfErrorHasAName) {
  for (int kind = 0; kind <= static_cast<int>(ErrorKind::cancelled); ++kind) {
    const RunnerError error{static_cast<ErrorKind>(kind), "a sentence with \"quotes\" and \xff bytes"};
    const RunnerError back = reply_of<RunnerError>({0, error});
    EXPECT_EQ(back.kind, error.kind);
    EXPECT_FALSE(error_kind_name(error.kind).empty());
  }
}

// Runners on other computers already speak these lines, so a change needs a new version.
TEST(Protocol, LinesOfVersion1) {
  EXPECT_EQ(encode_request(1, HelloRequest{}), R"({"gemmscope_gpu":1,"id":1,"request":"hello"})");
  EXPECT_EQ(encode_request(2, QuitRequest{}), R"({"gemmscope_gpu":1,"id":2,"request":"quit"})");
  RunRequest run;
  run.cubin = {std::byte{'f'}, std::byte{'o'}};
  run.kernel = "k";
  run.parameters = {BufferParameter{{std::byte{'f'}}, true}, ValueParameter{{std::byte{0}}}};
  EXPECT_EQ(
      encode_request(3, run),
      R"({"block":[1,1,1],"cubin":"Zm8=","dynamic_shared_bytes":0,"gemmscope_gpu":1,"grid":[1,1,1],"id":3,)"
      R"("kernel":"k","parameters":[{"buffer":"Zg==","returned":true},{"value":"AA=="}],"request":"run",)"
      R"("time_limit_ms":10000})");
  EXPECT_EQ(
      encode_reply({4, RunReply{{{std::byte{'f'}}}, {{1, -2}}}}),
      R"({"buffers":["Zg=="],"gemmscope_gpu":1,"id":4,"outside_writes":[{"offset":-2,"parameter":1}]})");
  EXPECT_EQ(encode_reply({5, RunnerError{ErrorKind::no_device, "none"}}),
            R"({"error":{"kind":"no_device","message":"none"},"gemmscope_gpu":1,"id":5})");
}

TEST(Protocol, UnknownMembersAreIgnored) {
  const auto decoded = decode_request(R"({"gemmscope_gpu":1,"id":1,"request":"hello","color":[1,{"a":2}]})");
  EXPECT_TRUE(decoded.has_value());
}

TEST(Protocol, MistakesAreNamed) {
  const std::tuple<const char*, ErrorKind, const char*> cases[] = {
      {"", ErrorKind::bad_request, "not a line"},
      {"hello", ErrorKind::bad_request, "\"hello\" is not a line"},
      {"[]", ErrorKind::bad_request, "not a line"},
      {"{}", ErrorKind::bad_request, "not a line"},
      {R"({"gemmscope_gpu":1})", ErrorKind::bad_request, "\"id\""},
      {R"({"gemmscope_gpu":1,"id":-1,"request":"hello"})", ErrorKind::bad_request, "\"id\""},
      {R"({"gemmscope_gpu":2,"id":5,"request":"hello"})", ErrorKind::wrong_version, "version 2"},
      {R"({"gemmscope_gpu":"1","id":5,"request":"hello"})", ErrorKind::wrong_version, "version"},
      {R"({"gemmscope_gpu":1,"id":5})", ErrorKind::bad_request, "\"request\" of the request"},
      {R"({"gemmscope_gpu":1,"id":5,"request":"dance"})", ErrorKind::bad_request, "\"dance\""},
      {R"({"gemmscope_gpu":1,"id":5,"request":"run"})", ErrorKind::bad_request, "\"cubin\" of the request"},
      {R"({"gemmscope_gpu":1,"id":5,"request":"run","cubin":"!"})", ErrorKind::bad_request, "base64"},
  };
  for (const auto& [line, kind, text] : cases) {
    const auto decoded = decode_request(line);
    ASSERT_FALSE(decoded.has_value()) << line;
    EXPECT_EQ(decoded.error().error.kind, kind) << line;
    EXPECT_NE(decoded.error().error.message.find(text), std::string::npos) << decoded.error().error.message;
  }
  EXPECT_EQ(decode_request(R"({"gemmscope_gpu":1,"id":5,"request":"dance"})").error().id, 5u);
}

TEST(Protocol, ValuesOfTheWrongTypeAreRefused) {
  const std::string line = encode_request(3, small_run());
  EXPECT_TRUE(decode_request(line).has_value());
  const std::pair<const char*, const char*> changes[] = {
      {"\"grid\":[1,1,1]", "\"grid\":[1,1]"},
      {"\"grid\":[1,1,1]", "\"grid\":[1,1,-1]"},
      {"\"grid\":[1,1,1]", "\"grid\":[1,1,4294967296]"},
      {"\"grid\":[1,1,1]", "\"grid\":7"},
      {"\"block\":[1,1,1]", "\"block\":[1,1,1.5]"},
      {"\"add_one\"", "17"},
      {"\"dynamic_shared_bytes\":0", "\"dynamic_shared_bytes\":null"},
      {"\"time_limit_ms\":200", "\"time_limit_ms\":1e99"},
      {"\"returned\":true", "\"returned\":1"},
      {"\"parameters\":[", "\"parameters\":[4,"},
      {"\"parameters\":[", "\"parameters\":[{},"},
      {"\"parameters\"", "\"paramaters\""},
      {"\"value\":\"", "\"value\":\"A"},
  };
  for (const auto& [what, by] : changes)
    EXPECT_FALSE(decode_request(replaced(line, what, by)).has_value()) << by;
}

TEST(Protocol, DamagedLinesNeverCrash) {
  const std::string lines[] = {encode_request(3, small_run(8)),
                               encode_reply({4, RunReply{{some_bytes(5)}, {{0, -1}}}}),
                               encode_reply({1, DeviceFacts{"x", 90, 1, 1, 1, "", ""}})};
  for (const std::string& line : lines) {
    for (size_t length = 0; length < line.size(); ++length) {
      EXPECT_FALSE(decode_request(line.substr(0, length)).has_value());
      EXPECT_FALSE(decode_reply(line.substr(0, length)).has_value());
    }
    for (size_t bit = 0; bit < line.size() * 8; ++bit) {
      std::string damaged = line;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
      std::ignore = decode_request(damaged);
      std::ignore = decode_reply(damaged);
    }
  }
}

}  // namespace
}  // namespace gemmscope::gpu
