// Tests the lines of timing_protocol.h.
#include <cmath>

#include "fake_runner.h"

namespace gemmscope::gpu {
namespace {

template <typename T>
T request_after_travel(const T& request) {
  const std::string line = encode_request(7, request);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto decoded = decode_request(line);
  EXPECT_TRUE(decoded.has_value()) << decoded.error().error.message;
  EXPECT_EQ(decoded->id, 7u);
  const T* what = std::get_if<T>(&decoded->what);
  EXPECT_NE(what, nullptr);
  return what == nullptr ? T{} : *what;
}

template <typename T>
T reply_after_travel(const T& reply) {
  const auto decoded = decode_reply(encode_reply({9, reply}));
  EXPECT_TRUE(decoded.has_value()) << decoded.error().error.message;
  const T* what = std::get_if<T>(&decoded->what);
  EXPECT_NE(what, nullptr);
  return what == nullptr ? T{} : *what;
}

TEST(TimingProtocol, RequestsSurviveARoundTrip) {
  PrepareRequest prepare = small_prepare();
  EXPECT_EQ(request_after_travel(prepare), prepare);
  EXPECT_EQ(request_after_travel(small_lab()), small_lab());
  for (const ElementTypeFacts& facts : kElementTypes) {
    PrepareRequest lab = small_lab();
    lab.check->compare = {{0, facts.type}};
    EXPECT_EQ(request_after_travel(lab), lab) << facts.name;
  }
  prepare.gemm.reset();
  prepare.parameters = {BufferParameter{}};
  prepare.launches = {{"lab", {1, 1, 1}, {1, 1, 1}, 0, {}}};
  prepare.precision = Precision::bf16;
  EXPECT_EQ(request_after_travel(prepare), prepare);
  prepare = small_prepare();
  std::get<MatrixParameter>(prepare.parameters[0]).box_rows = 256;
  std::get<MatrixParameter>(prepare.parameters[2]).finite = true;
  EXPECT_EQ(request_after_travel(prepare), prepare);
  RunRequest run;
  run.parameters = {BufferParameter{std::vector<std::byte>(64), true, false, TensorMapShape{true, 2, 16, 8}}};
  EXPECT_EQ(request_after_travel(run), run);
  const PrepareLibraryRequest library{{4096, 2048, 1, -1e-30f, 3.4e38f}, Precision::fp32};
  EXPECT_EQ(request_after_travel(library), library);
  const TimeRequest time{(uint64_t{1} << 53) - 1, 4294967295, true, 1};
  EXPECT_EQ(request_after_travel(time), time);
  const ReleaseRequest release{3};
  EXPECT_EQ(request_after_travel(release), release);
}

TEST(TimingProtocol, RepliesSurviveARoundTrip) {
  const Prepared prepared{5, GpuVerification{true, 1.5e-6, 0.1, 7, "cuBLAS float64"}, 0.123456789012345,
                          "cuBLAS 13.1.0"};
  EXPECT_EQ(reply_after_travel(prepared), prepared);
  const Prepared unchecked{6, GpuVerification{false, 0, 0, 0, "nothing to compare with"}, 0, ""};
  EXPECT_EQ(reply_after_travel(unchecked), unchecked);
  const TimeReply time{2.6e-3, 1980};
  EXPECT_EQ(reply_after_travel(time), time);
  EXPECT_EQ(reply_after_travel(Released{}), Released{});
  const DeviceFacts facts{"NVIDIA H200", 90,     132,    1980.0, 150'000'000'000,
                          "580.159.04",  "13.0", 4915.2, 128,    62914560};
  EXPECT_EQ(reply_after_travel(facts), facts);
}

TEST(TimingProtocol, AnOlderRunnersFactsMayLackMembers) {
  const auto decoded = decode_reply(
      R"({"gemmscope_gpu":1,"id":1,"device":{"compute_capability":90,"cuda_version":"13.0","driver_version":"1",)"
      R"("max_clock_mhz":1980.0,"memory_bytes":7,"name":"x","sm_count":132}})");
  ASSERT_TRUE(decoded.has_value()) << decoded.error().error.message;
  EXPECT_EQ(std::get<DeviceFacts>(decoded->what), (DeviceFacts{"x", 90, 132, 1980, 7, "1", "13.0", 0, 0, 0}));
}

TEST(TimingProtocol, AnErrorOfALaterKindEndsTheRunner) {
  const auto decoded =
      decode_reply(R"({"gemmscope_gpu":1,"id":1,"error":{"kind":"moon_phase","message":"why"}})");
  ASSERT_TRUE(decoded.has_value());
  const auto& error = std::get<RunnerError>(decoded->what);
  EXPECT_TRUE(ends_runner(error.kind));
  EXPECT_EQ(error.message, "why");
}

// Runners on other computers already speak these lines, so a change needs a new version.
TEST(TimingProtocol, LinesOfVersion1) {
  PrepareRequest prepare;
  prepare.cubin = {std::byte{'f'}, std::byte{'o'}};
  prepare.launches = {{"k", {1, 2, 3}, {4, 5, 6}, 7, {1, 0}}};
  prepare.parameters = {MatrixParameter{'A', true}, ValueParameter{{std::byte{0}}}};
  prepare.gemm = Gemm{2, 3, 4, 1.5f, 0};
  EXPECT_EQ(encode_request(1, prepare),
            R"({"cubin":"Zm8=","gemm":{"alpha":1.5,"beta":0.0,"k":4,"m":2,"n":3},"gemmscope_gpu":1,"id":1,)"
            R"("launches":[{"block":[4,5,6],"dynamic_shared_bytes":7,"grid":[1,2,3],"kernel":"k",)"
            R"("parameters":[1,0]}],"parameters":[{"bfloat16":true,"matrix":"A"},{"value":"AA=="}],)"
            R"("precision":"fp32","request":"prepare","time_limit_ms":10000})");
  prepare.gemm.reset();
  prepare.parameters = {BufferParameter{{std::byte{0}, std::byte{0}}, false, true}};
  prepare.launches = {{"k", {1, 2, 3}, {4, 5, 6}, 7, {0}}};
  prepare.check = ReferenceCheck{{"r", {1, 1, 1}, {2, 1, 1}, 0, {0}}, {{0, ElementType::float16}}, 0.5, 9};
  EXPECT_EQ(
      encode_request(1, prepare),
      R"({"check":{"compare":[{"parameter":0,"type":"float16"}],)"
      R"("launch":{"block":[2,1,1],"dynamic_shared_bytes":0,"grid":[1,1,1],"kernel":"r","parameters":[0]},)"
      R"("time_limit_ms":9,"tolerance":0.5},"cubin":"Zm8=","gemmscope_gpu":1,"id":1,)"
      R"("launches":[{"block":[4,5,6],"dynamic_shared_bytes":7,"grid":[1,2,3],"kernel":"k",)"
      R"("parameters":[0]}],"parameters":[{"buffer":"AAA=","returned":false,"unwritten":true}],)"
      R"("precision":"fp32","request":"prepare","time_limit_ms":10000})");
  EXPECT_EQ(encode_request(2, PrepareLibraryRequest{{2, 3, 4, 1.5f, 0}, Precision::bf16}),
            R"({"gemm":{"alpha":1.5,"beta":0.0,"k":4,"m":2,"n":3},"gemmscope_gpu":1,"id":2,)"
            R"("precision":"bf16","request":"prepare_library"})");
  EXPECT_EQ(encode_request(3, TimeRequest{5, 10, true, 1000}),
            R"({"flush_l2":true,"gemmscope_gpu":1,"handle":5,"id":3,"launches":10,"request":"time",)"
            R"("time_limit_ms":1000})");
  EXPECT_EQ(encode_request(4, ReleaseRequest{5}),
            R"({"gemmscope_gpu":1,"handle":5,"id":4,"request":"release"})");
  EXPECT_EQ(
      encode_reply({1, Prepared{5, GpuVerification{true, 0.5, 0.25, 0, "x"}, 1.5, "l"}}),
      R"({"gemmscope_gpu":1,"id":1,"prepared":{"first_ms":1.5,"handle":5,"library":"l","verification":)"
      R"({"against":"x","checked":true,"largest_error":0.5,"largest_ratio":0.25,"wrong_elements":0}}})");
  EXPECT_EQ(encode_reply({3, TimeReply{0.5, 1980}}),
            R"({"gemmscope_gpu":1,"id":3,"time":{"ms":0.5,"sm_clock_mhz":1980.0}})");
  EXPECT_EQ(encode_reply({4, Released{}}), R"({"gemmscope_gpu":1,"id":4,"released":true})");
}

TEST(TimingProtocol, ValuesOfTheWrongTypeAreRefused) {
  const std::string line = encode_request(3, small_prepare());
  ASSERT_TRUE(decode_request(line).has_value());
  const std::pair<const char*, const char*> changes[] = {
      {"\"gemm\":{", "\"gemm\":[],\"g\":{"},
      {"\"gemm\":{", "\"gemm\":null,\"g\":{"},
      {"\"alpha\":1.25", "\"alpha\":1e300"},
      {"\"alpha\":1.25", "\"alpha\":null"},
      {"\"m\":32", "\"m\":32.5"},
      {"\"m\":32", "\"m\":9223372036854775808"},
      {"\"m\":32", "\"mm\":32"},
      {"\"matrix\":\"A\"", "\"matrix\":\"D\""},
      {"\"matrix\":\"A\"", "\"matrix\":\"\""},
      {"\"matrix\":\"A\"", "\"matrix\":1"},
      {"\"bfloat16\":true", "\"bfloat16\":\"yes\""},
      {"\"precision\":\"tf32\"", "\"precision\":\"fp4\""},
      {"\"precision\":\"tf32\"", "\"precision\":1"},
      {"\"launches\":[", "\"launches\":[3,"},
      {"\"launches\":[", "\"launches\":{},\"l\":["},
      {"\"parameters\":[0,1,2,3]", "\"parameters\":[0,-1,2,3]"},
      {"\"parameters\":[0,1,2,3]", "\"parameters\":[0,1.5,2,3]"},
      {"\"parameters\":[0,1,2,3]", "\"parameters\":\"all\""},
      {"\"grid\":[2,3,1]", "\"grid\":[2,3]"},
      {"\"time_limit_ms\":200", "\"time_limit_ms\":-1"},
  };
  for (const auto& [what, by] : changes)
    EXPECT_FALSE(decode_request(replaced(line, what, by)).has_value()) << by;
  const std::string lab = encode_request(3, small_lab());
  ASSERT_TRUE(decode_request(lab).has_value());
  for (const auto& [what, by] : {std::pair{"\"check\":{", "\"check\":[],\"c\":{"},
                                 {"\"check\":{", "\"check\":null,\"c\":{"},
                                 {"\"compare\":[", "\"compare\":[1,"},
                                 {"\"compare\":[", "\"compare\":{},\"c\":["},
                                 {"\"parameter\":1", "\"parameter\":-1"},
                                 {"\"type\":\"float64\"", "\"type\":\"float80\""},
                                 {"\"type\":\"float64\"", "\"type\":8"},
                                 {"\"launch\":{", "\"launch\":[],\"l\":{"},
                                 {"\"launch\":{", "\"lunch\":{"},
                                 {"\"tolerance\":0.25", "\"tolerance\":\"much\""},
                                 {"\"time_limit_ms\":300", "\"time_limit_ms\":-1"},
                                 {"\"unwritten\":true", "\"unwritten\":1"}})
    EXPECT_FALSE(decode_request(replaced(lab, what, by)).has_value()) << by;
  const std::string time = encode_request(3, TimeRequest{5, 10, true, 1000});
  for (const auto& [what, by] : {std::pair{"\"handle\":5", "\"handle\":-5"},
                                 {"\"launches\":10", "\"launches\":4294967296"},
                                 {"\"flush_l2\":true", "\"flush_l2\":1"}})
    EXPECT_FALSE(decode_request(replaced(time, what, by)).has_value()) << by;
}

TEST(TimingProtocol, DamagedLinesNeverCrash) {
  const std::string lines[] = {
      encode_request(3, small_prepare()),
      encode_request(3, small_lab()),
      encode_request(3, PrepareLibraryRequest{{1, 2, 3, 1, 0}, Precision::tf32}),
      encode_request(3, TimeRequest{5, 10, true, 1000}),
      encode_reply({1, Prepared{5, GpuVerification{true, 0.5, 0.25, 0, "x"}, 1.5, "l"}}),
      encode_reply({3, TimeReply{0.5, 1980}})};
  for (const std::string& line : lines) {
    for (size_t length = 0; length < line.size(); ++length) {
      EXPECT_FALSE(decode_request(line.substr(0, length)).has_value());
      EXPECT_FALSE(decode_reply(line.substr(0, length)).has_value());
    }
    for (size_t bit = 0; bit < line.size() * 8; ++bit) {
      std::string damaged = line;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
      if (const auto request = decode_request(damaged))
        if (const auto* prepare = std::get_if<PrepareRequest>(&request->what))
          std::ignore = check_request(*prepare);
      std::ignore = decode_reply(damaged);
    }
  }
}

void expect_refusal(const PrepareRequest& request, const char* text) {
  const Outcome<void> checked = check_request(request);
  ASSERT_FALSE(checked.has_value()) << text;
  EXPECT_EQ(checked.error().kind, ErrorKind::bad_request);
  EXPECT_NE(checked.error().message.find(text), std::string::npos) << checked.error().message;
}

TEST(TimingProtocol, RequestsThatContradictThemselvesAreNamed) {
  EXPECT_TRUE(check_request(small_prepare()).has_value());
  PrepareRequest request = small_prepare();
  request.launches.clear();
  expect_refusal(request, "nothing to launch");
  request = small_prepare();
  request.launches[1].parameters = {2, 5};
  expect_refusal(request, "add is launched with parameter 5, but there are only 5");
  request = small_prepare();
  request.gemm.reset();
  expect_refusal(request, "no sizes");
  request.parameters = {ValueParameter{}};
  request.launches = {{"k", {1, 1, 1}, {1, 1, 1}, 0, {0}}};
  EXPECT_TRUE(check_request(request).has_value()) << "no matrices and no sizes";
  for (const Gemm& gemm : {Gemm{0, 1, 1, 1, 0}, {1, -1, 1, 1, 0}, {1, 1, INT64_MIN, 1, 0}}) {
    request.gemm = gemm;
    expect_refusal(request, "has no elements");
  }
  for (const Gemm& gemm : {Gemm{1, 1, INT64_MAX, 1, 0}, {1 << 20, 1 << 20, 1, 1, 0}}) {
    request.gemm = gemm;
    expect_refusal(request, "too large");
  }
  request.gemm = Gemm{1, 1, 1, NAN, 0};
  expect_refusal(request, "finite");
}

TEST(TimingProtocol, TensorMapsThatADriverRefusesAreNamed) {
  PrepareRequest request = small_prepare();
  request.gemm = Gemm{8, 8, 8, 1, 0};
  for (const uint32_t rows : {1u, 256u}) {
    request.parameters = {MatrixParameter{'A', false, rows}, MatrixParameter{'B', true, rows}};
    request.launches = {{"k", {1, 1, 1}, {1, 1, 1}, 0, {0, 1}}};
    EXPECT_TRUE(check_request(request).has_value());
  }
  request.parameters[0] = MatrixParameter{'A', false, 257};
  expect_refusal(request, "8 rows of 32 bytes and boxes of 257 rows");
  request.parameters[0] = MatrixParameter{'C', false, 8};
  expect_refusal(request, "C cannot be passed");
  request.parameters[0] = MatrixParameter{'A', true, 8};
  request.gemm->k = 12;  // 24 bytes a row of A
  expect_refusal(request, "8 rows of 24 bytes");
  request.gemm->k = 8;
  request.parameters[0] =
      BufferParameter{std::vector<std::byte>(255), false, false, TensorMapShape{false, 8, 8, 8}};
  expect_refusal(request, "8 rows of 32 bytes in a buffer of 255 bytes");
  request.parameters[0] =
      BufferParameter{std::vector<std::byte>(256), false, false, TensorMapShape{false, 8, 8, 8}};
  EXPECT_TRUE(check_request(request).has_value());
}

TEST(TimingProtocol, ChecksThatContradictThemselvesAreNamed) {
  EXPECT_TRUE(check_request(small_lab()).has_value());
  const auto expect = [](auto change, const char* text) {
    PrepareRequest request = small_lab();
    change(request);
    expect_refusal(request, text);
  };
  expect(
      [](PrepareRequest& r) {
        r.check->launch.parameters = {0, 3};
      },
      "reference is launched with parameter 3, but there are only 3");
  expect([](PrepareRequest& r) { r.gemm = Gemm{1, 1, 1, 1, 0}; }, "is given as its reference");
  expect([](PrepareRequest& r) { r.check->compare.clear(); }, "nothing is compared");
  expect([](PrepareRequest& r) { r.check->compare[0].parameter = 2; },
         "parameter 2, which is compared with what reference makes, is not a buffer of float64");
  expect([](PrepareRequest& r) { r.check->compare[0].parameter = 4'000'000'000; }, "is not a buffer");
  expect([](PrepareRequest& r) { r.check->compare[1].type = ElementType::int64; }, "not a buffer of int64");
  for (const double tolerance : {-0.1, 1.0, static_cast<double>(NAN)})
    expect([=](PrepareRequest& r) { r.check->tolerance = tolerance; }, "from 0 to below 1");
}

}  // namespace
}  // namespace gemmscope::gpu
