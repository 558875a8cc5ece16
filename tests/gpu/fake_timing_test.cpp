// Prepares, checks and times kernels on the stand-ins for NVIDIA's libraries (fake_cuda.cpp, fake_cublas.cpp,
// fake_nvml.cpp). Times are exact, because only work moves their clock.
#include <cmath>
#include <cstring>
#include <span>

#include "fake_runner.h"

namespace gemmscope::gpu {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

ClientSettings on_fakes(const std::string& setting = "FAKE_CUDA=") {
  ClientSettings settings;
  settings.command = {"env", "LD_LIBRARY_PATH=" GEMMSCOPE_FAKE_CUDA_FOLDER, setting, GEMMSCOPE_GPU_RUNNER};
  return settings;
}

std::vector<std::byte> fake_cubin(const char* kind = "GOOD") {
  std::vector<std::byte> bytes(68);
  std::memcpy(bytes.data(), "\177ELF", 4);
  std::memcpy(bytes.data() + 64, kind, 4);
  return bytes;
}

template <typename T>
ValueParameter value(T what) {
  const auto bytes = std::as_bytes(std::span(&what, 1));
  return {{bytes.begin(), bytes.end()}};
}

PrepareRequest prepare_of(const std::string& kernel, const Gemm& g = {33, 20, 17, 1.25f, 0.5f},
                          bool bfloat16 = false) {
  PrepareRequest request;
  request.cubin = fake_cubin();
  request.launches = {{kernel, {1, 1, 1}, {32, 1, 1}, 0, {0, 1, 2, 3, 4, 5, 6, 7}}};
  request.parameters = {MatrixParameter{'A', bfloat16},
                        MatrixParameter{'B', bfloat16},
                        MatrixParameter{'C', false},
                        value(g.alpha),
                        value(g.beta),
                        value(static_cast<int32_t>(g.m)),
                        value(static_cast<int32_t>(g.n)),
                        value(static_cast<int32_t>(g.k))};
  request.gemm = g;
  request.precision = bfloat16 ? Precision::bf16 : Precision::fp32;
  request.time_limit_ms = 300;
  return request;
}

PrepareRequest prepare_plain(const std::string& kernel, size_t count = 5) {
  PrepareRequest request;
  request.cubin = fake_cubin();
  request.launches = {{kernel, {1, 1, 1}, {32, 1, 1}, 0, {0, 1}}};
  request.parameters = {BufferParameter{std::vector<std::byte>(4 * count), false},
                        value(static_cast<int32_t>(count))};
  request.time_limit_ms = 300;
  return request;
}

template <typename T>
void expect_error(const Outcome<T>& reply, ErrorKind kind, const char* text) {
  ASSERT_FALSE(reply.has_value()) << text;
  EXPECT_EQ(reply.error().kind, kind) << error_kind_name(reply.error().kind) << ": " << reply.error().message;
  EXPECT_NE(reply.error().message.find(text), std::string::npos) << reply.error().message;
}

TEST(TimingOnFakes, ARightKernelIsCheckedCompletelyAgainstTheLibrary) {
  Client client(on_fakes());
  for (const Gemm& gemm : {Gemm{33, 20, 17, 1.25f, 0.5f}, {1, 1, 1, 1, 0}, {7, 300, 2, -2, 0}}) {
    for (const bool bfloat16 : {false, true}) {
      const Outcome<Prepared> prepared =
          client.prepare(prepare_of(bfloat16 ? "gemm_bf16" : "gemm", gemm, bfloat16));
      ASSERT_TRUE(prepared.has_value()) << prepared.error().message;
      const GpuVerification& v = prepared->verification;
      EXPECT_TRUE(v.checked);
      EXPECT_EQ(v.against, "cuBLAS float64");
      EXPECT_EQ(v.wrong_elements, 0u);
      EXPECT_LE(v.largest_ratio, 1);
      EXPECT_TRUE(gemm.k <= 2 || v.largest_error > 0) << "sums of float32 are not exact";
      EXPECT_EQ(prepared->first_ms, 0.25);
      EXPECT_EQ(prepared->library, "");
    }
  }
}

TEST(TimingOnFakes, AKernelGetsTensorMapsOfItsFactors) {
  Client client(on_fakes());
  PrepareRequest request = prepare_of("gemm_of_maps", {33, 20, 16, 1.25f, 0.5f});
  request.parameters[0] = MatrixParameter{'A', false, 256};
  request.parameters[1] = MatrixParameter{'B', false, 32};
  const Outcome<Prepared> prepared = client.prepare(request);
  ASSERT_TRUE(prepared.has_value()) << prepared.error().message;
  EXPECT_EQ(prepared->verification.wrong_elements, 0u);
  EXPECT_GT(prepared->verification.largest_error, 0);
  request.parameters[1] = MatrixParameter{'B', false, 64};
  const Outcome<Prepared> other_box = client.prepare(request);
  ASSERT_TRUE(other_box.has_value()) << other_box.error().message;
  EXPECT_GT(other_box->verification.wrong_elements, 600u) << "the kernel does nothing";
  request.parameters[1] = MatrixParameter{'B', false};
  expect_error(client.prepare(request), ErrorKind::bad_request, "has 128 bytes, but the launch gives 8");
}

TEST(TimingOnFakes, AWrongKernelIsPreparedAndReportedWrong) {
  Client client(on_fakes());
  const Outcome<Prepared> one = client.prepare(prepare_of("gemm_wrong"));
  ASSERT_TRUE(one.has_value()) << one.error().message;
  EXPECT_EQ(one->verification.wrong_elements, 1u);
  EXPECT_GT(one->verification.largest_ratio, 1);
  EXPECT_NEAR(one->verification.largest_error, 1e-3, 1e-5);
  const Outcome<Prepared> no_beta = client.prepare(prepare_of("gemm_no_beta"));
  ASSERT_TRUE(no_beta.has_value());
  EXPECT_GT(no_beta->verification.wrong_elements, 600u);
  const Outcome<Prepared> reads_c = client.prepare(prepare_of("gemm_reads_c", {8, 8, 8, 1, 0}));
  ASSERT_TRUE(reads_c.has_value());
  EXPECT_EQ(reads_c->verification.wrong_elements, 64u) << "C is NaN if beta is 0";
  EXPECT_EQ(reads_c->verification.largest_error, 0);
  EXPECT_TRUE(client.time({one->handle, 1, false, 300}).has_value()) << "the client decides";
}

TEST(TimingOnFakes, TwoKernelsInARowAreOneVariant) {
  Client client(on_fakes());
  PrepareRequest request = prepare_of("gemm", {6, 7, 8, 1, 0});
  request.launches.push_back({"scale", {1, 1, 1}, {32, 1, 1}, 0, {2, 8, 9}});
  request.parameters.emplace_back(value(3.0f));
  request.parameters.emplace_back(value(int32_t{42}));
  const Outcome<Prepared> wrong = client.prepare(request);
  ASSERT_TRUE(wrong.has_value()) << wrong.error().message;
  EXPECT_GT(wrong->verification.wrong_elements, 30u);
  request.gemm->alpha = 3;
  const Outcome<Prepared> right = client.prepare(request);
  ASSERT_TRUE(right.has_value()) << right.error().message;
  EXPECT_EQ(right->verification.wrong_elements, 0u);
  EXPECT_EQ(right->first_ms, 0.375);
  EXPECT_EQ(client.time({right->handle, 5, false, 300})->ms, 0.375);
}

// On an H200 a kernel that spills takes longer once one with a larger stack has run (spills_h200.csv).
TEST(TimingOnFakes, ALargerStackBeforeDoesNotChangeATime) {
  Client client(on_fakes());
  const Outcome<Prepared> little = client.prepare(prepare_of("gemm_spilling"));
  const Outcome<Prepared> much = client.prepare(prepare_of("gemm_spilling_much"));
  ASSERT_TRUE(little && much);
  for (int turn = 0; turn < 3; ++turn) {
    EXPECT_EQ(client.time({much->handle, 5, false, 300})->ms, 0.25);
    EXPECT_EQ(client.time({little->handle, 5, false, 300})->ms, 0.25);
    EXPECT_EQ(client.time({little->handle, 5, true, 300})->ms, 0.25) << "with L2 flushed";
  }
  const Outcome<Prepared> again = client.prepare(prepare_of("gemm_spilling"));
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->first_ms, 0.25);
}

TEST(TimingOnFakes, AKernelThatIsNoProductIsNotCheckedAndSaysSo) {
  Client client(on_fakes());
  const Outcome<Prepared> lab = client.prepare(prepare_plain("add_one"));
  ASSERT_TRUE(lab.has_value()) << lab.error().message;
  EXPECT_FALSE(lab->verification.checked);
  EXPECT_EQ(lab->verification.against,
            "nothing was compared: the launch has no product of A and B in C, and no reference");
  EXPECT_EQ(client.time({lab->handle, 3, false, 300})->ms, 0.25);
}

// Returns a request for `kernel` with a reference kernel, on the numbers 0, 1, 2 …
PrepareRequest prepare_lab(const std::string& kernel, const std::string& reference, double tolerance = 0,
                           size_t count = 5) {
  PrepareRequest request = prepare_plain(kernel, count);
  std::vector<std::byte>& bytes = std::get<BufferParameter>(request.parameters[0]).initial;
  for (size_t i = 0; i < count; ++i) {
    const auto number = static_cast<float>(i);
    std::memcpy(&bytes[4 * i], &number, sizeof number);
  }
  request.check = ReferenceCheck{
      {reference, {1, 1, 1}, {1, 1, 1}, 0, {0, 1}}, {{0, ElementType::float32}}, tolerance, 300};
  return request;
}

TEST(TimingOnFakes, ALabIsComparedWithItsReferenceOnBuffersOfItsOwn) {
  Client client(on_fakes());
  const Outcome<Prepared> right = client.prepare(prepare_lab("add_one", "add_one"));
  ASSERT_TRUE(right.has_value()) << right.error().message;
  EXPECT_EQ(right->verification, (GpuVerification{true, 0, 0, 0, "its reference, the kernel add_one"}))
      << "the second launch would make 2 on the same buffer";
  EXPECT_EQ(right->first_ms, 0.25) << "the reference counts for nothing";
  EXPECT_EQ(client.time({right->handle, 3, false, 300})->ms, 0.25);
  const Outcome<Prepared> wrong = client.prepare(prepare_lab("add_one", "add_twice"));
  ASSERT_TRUE(wrong.has_value()) << wrong.error().message;
  EXPECT_EQ(wrong->verification, (GpuVerification{true, 1, 0, 5, "its reference, the kernel add_twice"}));
  EXPECT_EQ(wrong->first_ms, 0.25);
  // There are two launches, and the second reads the result of the first.
  PrepareRequest twice = prepare_lab("add_one", "add_twice");
  twice.launches.push_back(twice.launches[0]);
  const Outcome<Prepared> both = client.prepare(twice);
  ASSERT_TRUE(both.has_value()) << both.error().message;
  EXPECT_EQ(both->verification.wrong_elements, 0u);
  EXPECT_EQ(both->first_ms, 0.5);
}

TEST(TimingOnFakes, ALabsToleranceIsRelativeToTheReferencesLargestValue) {
  Client client(on_fakes());
  // The reference gives 1 … 5, so the error may be 1e-6 times 5 at most.
  const Outcome<Prepared> near = client.prepare(prepare_lab("add_nearly_one", "add_one", 1e-6));
  ASSERT_TRUE(near.has_value()) << near.error().message;
  EXPECT_EQ(near->verification.wrong_elements, 0u);
  EXPECT_NEAR(near->verification.largest_error, 1e-6, 3e-7);
  EXPECT_NEAR(near->verification.largest_ratio, near->verification.largest_error / 5e-6, 1e-9);
  EXPECT_GT(client.prepare(prepare_lab("add_nearly_one", "add_one", 1e-8))->verification.wrong_elements, 0u);
  EXPECT_GT(client.prepare(prepare_lab("add_nearly_one", "add_one"))->verification.wrong_elements, 0u);
}

TEST(TimingOnFakes, AReferenceThatCannotRunIsNamed) {
  Client client(on_fakes());
  const Outcome<Prepared> good = client.prepare(prepare_lab("add_one", "add_one"));
  ASSERT_TRUE(good.has_value());
  expect_error(client.prepare(prepare_lab("add_one", "add_three")), ErrorKind::no_such_kernel,
               "\"add_three\"");
  PrepareRequest request = prepare_lab("add_one", "add_one");
  request.check->launch.parameters = {0};
  expect_error(client.prepare(request), ErrorKind::bad_request, "add_one has more parameters than the 1");
  // 1.4 MB twice is within the fake device's 4 MB, 2.4 MB twice is not.
  EXPECT_TRUE(client.prepare(prepare_lab("add_one", "add_one", 0, 350'000)).has_value());
  expect_error(client.prepare(prepare_lab("add_one", "add_one", 0, 600'000)), ErrorKind::out_of_memory,
               "choose a smaller problem");
  EXPECT_EQ(client.time({good->handle, 2, false, 300})->ms, 0.25) << "what was prepared is lost";
  // The comparison's memory is free again: 2.4 MB fit beside the 1.4 MB.
  EXPECT_TRUE(client.prepare(prepare_plain("add_one", 600'000)).has_value());
  const auto start = steady_clock::now();
  expect_error(client.prepare(prepare_lab("add_one", "hang")), ErrorKind::kernel_timeout,
               "hang did not end within 300 ms");
  EXPECT_LT(steady_clock::now() - start, milliseconds(3000));
  expect_error(client.prepare(prepare_lab("add_one", "fault")), ErrorKind::kernel_fault, "fault failed");
  EXPECT_TRUE(client.prepare(prepare_lab("add_one", "add_one")).has_value()) << "no runner after the fault";
}

// A buffer that the request leaves unwritten keeps what was there: an earlier buffer's bytes, or nothing.
TEST(TimingOnFakes, AnUnwrittenBufferIsNotFilled) {
  Client client(on_fakes());
  PrepareRequest request = prepare_lab("add_one", "add_one", 0, 50'000);
  EXPECT_EQ(client.prepare(request)->verification.wrong_elements, 0u);
  RunRequest run;
  run.cubin = request.cubin;
  run.kernel = "add_one";
  run.block = {32, 1, 1};
  run.time_limit_ms = 300;
  std::vector<std::byte> ones(4 * 50'000, std::byte{0x3f});
  run.parameters = {BufferParameter{ones, true, true}, value(int32_t{0})};
  const Outcome<RunReply> reply = client.run(run);
  ASSERT_TRUE(reply.has_value()) << reply.error().message;
  EXPECT_FALSE(reply->buffers[0] == ones);
  EXPECT_TRUE(reply->outside_writes.empty());
  std::get<BufferParameter>(run.parameters[0]).unwritten = false;
  EXPECT_TRUE(client.run(run)->buffers[0] == ones);
}

// The device pauses for 4 ms after each 16th launch, at most once in a sample. A sample's mean would then be
// 0.65 ms.
TEST(TimingOnFakes, APauseInASampleLeavesItAsItWas) {
  Client client(on_fakes());
  const Outcome<Prepared> prepared = client.prepare(prepare_of("gemm_beside_a_desktop", {8, 8, 8, 1, 0}));
  ASSERT_TRUE(prepared.has_value()) << prepared.error().message;
  for (int sample = 0; sample < 20; ++sample)
    for (const bool flush : {false, true})
      EXPECT_EQ(client.time({prepared->handle, 10, flush, 300})->ms, 0.25) << sample << flush;
}

TEST(TimingOnFakes, TimesAreThoseOfTheLaunchesAlone) {
  Client client(on_fakes());
  const Outcome<Prepared> fast = client.prepare(prepare_of("gemm", {8, 8, 8, 1, 0}));
  const Outcome<Prepared> slow = client.prepare(prepare_of("gemm_slow", {8, 8, 8, 1, 0}));
  ASSERT_TRUE(fast.has_value() && slow.has_value());
  EXPECT_NE(fast->handle, slow->handle);
  // Covers counts around the number of launches in the stream at a time, without overwriting the cache and
  // with it, which takes 100 ms each time here.
  for (const uint32_t launches : {1u, 2u, 127u, 128u, 129u, 256u, 257u, 1000u})
    for (const bool flush : {false, true}) {
      const Outcome<TimeReply> time = client.time({fast->handle, launches, flush, 5000});
      ASSERT_TRUE(time.has_value()) << time.error().message;
      EXPECT_EQ(time->ms, 0.25) << launches;
      EXPECT_EQ(time->sm_clock_mhz, 1755);
    }
  EXPECT_EQ(client.time({slow->handle, 3, false, 300})->ms, 40);
  expect_error(client.time({slow->handle, 0, false, 300}), ErrorKind::bad_request, "at least one launch");
}

TEST(TimingOnFakes, TheLibrarysProductsAreTheBars) {
  Client client(on_fakes());
  for (const Gemm& gemm : {Gemm{33, 20, 17, 1.25f, 0.5f}, {5, 40, 9, 1, 0}})
    for (const Precision precision : {Precision::fp32, Precision::tf32, Precision::bf16}) {
      const Outcome<Prepared> prepared = client.prepare(PrepareLibraryRequest{gemm, precision});
      ASSERT_TRUE(prepared.has_value()) << prepared.error().message;
      EXPECT_EQ(prepared->library, "cuBLAS 13.1.0");
      EXPECT_TRUE(prepared->verification.checked);
      EXPECT_EQ(prepared->verification.wrong_elements, 0u) << static_cast<int>(precision);
      EXPECT_EQ(prepared->verification.largest_error > 1e-5, precision == Precision::tf32);
      EXPECT_EQ(prepared->first_ms, 0.0625);
      EXPECT_EQ(client.time({prepared->handle, 4, true, 300})->ms, 0.0625);
      EXPECT_TRUE(client.release({prepared->handle}).has_value());
    }
}

TEST(TimingOnFakes, AWrongLibraryShowsAsWrongAsAnyKernel) {
  Client client(on_fakes("FAKE_CUBLAS=wrong"));
  const Outcome<Prepared> prepared = client.prepare(PrepareLibraryRequest{{8, 8, 8, 1, 0}, Precision::fp32});
  ASSERT_TRUE(prepared.has_value());
  EXPECT_EQ(prepared->verification.wrong_elements, 64u);
}

TEST(TimingOnFakes, WithoutTheLibraryTheBarsAreMissingAndTheRestGoesOn) {
  const std::tuple<const char*, const char*> cases[] = {
      {"GEMMSCOPE_CUBLAS=/nowhere/libcublas.so",
       "cuBLAS is not on the GPU's computer (/nowhere/libcublas.so"},
      {"GEMMSCOPE_CUBLAS=libm.so.6", "this cuBLAS has no"},
      {"GEMMSCOPE_CUBLAS=none", "switched off"},
      {"FAKE_CUBLAS=broken", "cuBLAS does not start (CUBLAS_STATUS_NOT_INITIALIZED)"},
      {"FAKE_CUBLAS=refuses", "cuBLAS has no such product on this GPU"},
  };
  for (const auto& [setting, text] : cases) {
    Client client(on_fakes(setting));
    expect_error(client.prepare(PrepareLibraryRequest{{8, 8, 8, 1, 0}, Precision::fp32}),
                 ErrorKind::no_library, text);
    const Outcome<Prepared> kernel = client.prepare(prepare_of("gemm"));
    ASSERT_TRUE(kernel.has_value()) << kernel.error().message;
    EXPECT_EQ(kernel->verification.against, "float64 on the CPU") << setting;
    EXPECT_EQ(kernel->verification.wrong_elements, 0u);
    EXPECT_EQ(client.prepare(prepare_of("gemm_wrong"))->verification.wrong_elements, 1u);
    EXPECT_TRUE(client.time({kernel->handle, 2, false, 300}).has_value());
  }
}

TEST(TimingOnFakes, MistakesOfARequestKeepWhatIsPrepared) {
  Client client(on_fakes());
  const Outcome<Prepared> good = client.prepare(prepare_of("gemm"));
  ASSERT_TRUE(good.has_value());
  expect_error(client.prepare(prepare_of("add_two")), ErrorKind::no_such_kernel, "\"add_two\"");
  PrepareRequest request = prepare_of("gemm");
  request.launches[0].parameters.pop_back();
  expect_error(client.prepare(request), ErrorKind::bad_request, "gemm has more parameters than the 7");
  request = prepare_of("gemm");
  request.launches[0].block = {1024, 2, 1};
  expect_error(client.prepare(request), ErrorKind::launch_refused, "block 1024 x 2 x 1");
  request = prepare_of("gemm");
  request.launches[0].dynamic_shared_bytes = 300'000;
  expect_error(client.prepare(request), ErrorKind::launch_refused, "300000 bytes of dynamic shared memory");
  request = prepare_of("gemm");
  request.cubin.resize(10);
  expect_error(client.prepare(request), ErrorKind::bad_machine_code, "is not a cubin");
  EXPECT_EQ(client.time({good->handle, 2, false, 300})->ms, 0.25);
}

TEST(TimingOnFakes, MachineCodeForAnotherGpuOrANewerDriver) {
  Client client(on_fakes("FAKE_CUDA=cuda12"));
  EXPECT_EQ(client.hello()->cuda_version, "12.2");
  PrepareRequest request = prepare_of("gemm");
  request.cubin = fake_cubin("OTHR");
  expect_error(client.prepare(request), ErrorKind::bad_machine_code,
               "is for a different GPU than this one, Fake CUDA device (sm_90): choose its architecture");
  request.cubin = fake_cubin("NEWR");
  expect_error(client.prepare(request), ErrorKind::bad_machine_code,
               "the NVIDIA driver (for CUDA 12.2) is too old for the CUDA Toolkit");
  request.cubin = fake_cubin("BADD");
  expect_error(client.prepare(request), ErrorKind::bad_machine_code, "newer CUDA than the driver's 12.2?");
  EXPECT_TRUE(client.prepare(prepare_of("gemm")).has_value());
}

// The fake device has 4 MB.
TEST(TimingOnFakes, OutOfMemoryIsAnErrorAndNothingIsLost) {
  Client client(on_fakes());
  const Outcome<Prepared> first = client.prepare(prepare_of("gemm", {8, 8, 8, 1, 0}));
  ASSERT_TRUE(first.has_value());
  for (int times = 0; times < 3; ++times) {
    expect_error(client.prepare(prepare_of("gemm", {8, 1100, 1100, 1, 0})), ErrorKind::out_of_memory,
                 "choose a smaller problem");
    expect_error(client.prepare(PrepareLibraryRequest{{1100, 1100, 8, 1, 0}, Precision::fp32}),
                 ErrorKind::out_of_memory, "choose a smaller problem");
  }
  EXPECT_EQ(client.time({first->handle, 2, false, 300})->ms, 0.25);
  // Prepares 3.4 MB repeatedly: released memory is free again.
  for (int times = 0; times < 5; ++times) {
    const Outcome<Prepared> large = client.prepare(prepare_plain("add_one", 850'000));
    ASSERT_TRUE(large.has_value()) << large.error().message;
    EXPECT_TRUE(client.release({large->handle}).has_value());
  }
}

TEST(TimingOnFakes, WithoutRoomForFloat64TheCpuChecks) {
  Client client(on_fakes());
  const Outcome<Prepared> tight = client.prepare(prepare_of("gemm", {8, 800, 700, 1, 0}));
  ASSERT_TRUE(tight.has_value()) << tight.error().message;
  EXPECT_EQ(tight->verification.against, "float64 on the CPU");
  EXPECT_EQ(tight->verification.wrong_elements, 0u);
  EXPECT_TRUE(tight->verification.checked);
}

TEST(TimingOnFakes, ALostDeviceIsNamedAndTheNextRunnerGoesOn) {
  Client client(on_fakes());
  const Outcome<Prepared> good = client.prepare(prepare_of("gemm"));
  ASSERT_TRUE(good.has_value());
  expect_error(client.prepare(prepare_plain("lose_device")), ErrorKind::device_lost, "the GPU was lost");
  expect_error(client.time({good->handle, 1, false, 300}), ErrorKind::not_prepared,
               "prepare the kernel again");
  EXPECT_TRUE(client.prepare(prepare_of("gemm")).has_value());
  expect_error(client.prepare(prepare_plain("fault")), ErrorKind::kernel_fault,
               "an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)");
  expect_error(client.prepare(prepare_plain("crash")), ErrorKind::died, "signal 9");
  EXPECT_TRUE(client.prepare(prepare_of("gemm")).has_value());
}

TEST(TimingOnFakes, LaunchesThatHangEndInTime) {
  Client client(on_fakes());
  ASSERT_TRUE(client.hello().has_value());
  const auto start = steady_clock::now();
  expect_error(client.prepare(prepare_plain("hang")), ErrorKind::kernel_timeout,
               "of hang did not end within 300 ms");
  EXPECT_GE(steady_clock::now() - start, milliseconds(300));
  EXPECT_LT(steady_clock::now() - start, milliseconds(3000));
  EXPECT_TRUE(client.prepare(prepare_of("gemm")).has_value());
}

// The kernel hangs from its fifth launch on. The stream's queue must not fill up meanwhile, or no time limit
// works.
TEST(TimingOnFakes, AHangAmongManyLaunchesEndsInTime) {
  Client client(on_fakes());
  const Outcome<Prepared> prepared = client.prepare(prepare_plain("hang_later"));
  ASSERT_TRUE(prepared.has_value()) << prepared.error().message;
  for (const bool flush : {false, true}) {
    const Outcome<Prepared> again = client.prepare(prepare_plain("hang_later"));
    ASSERT_TRUE(again.has_value());
    const auto start = steady_clock::now();
    expect_error(client.time({again->handle, 100'000, flush, 300}), ErrorKind::kernel_timeout,
                 "within 300 ms");
    EXPECT_LT(steady_clock::now() - start, milliseconds(3000));
  }
}

TEST(TimingOnFakes, HandlesOfAnotherRunnerAreRefused) {
  Client first(on_fakes()), second(on_fakes());
  const Outcome<Prepared> a = first.prepare(prepare_of("gemm")), b = second.prepare(prepare_of("gemm"));
  ASSERT_TRUE(a.has_value() && b.has_value());
  EXPECT_NE(a->handle, b->handle);
  EXPECT_LT(a->handle, uint64_t{1} << 53);
}

}  // namespace
}  // namespace gemmscope::gpu
