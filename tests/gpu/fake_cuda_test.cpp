// Runs the real runner on a stand-in for the driver's library (fake_cuda.cpp), which tests everything except
// NVIDIA's own code.
#include <cstring>
#include <span>

#include "fake_runner.h"

namespace gemmscope::gpu {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

ClientSettings on_fake_cuda(const std::string& device = "") {
  ClientSettings settings;
  settings.command = {"env", "LD_LIBRARY_PATH=" GEMMSCOPE_FAKE_CUDA_FOLDER, "FAKE_CUDA=" + device,
                      GEMMSCOPE_GPU_RUNNER};
  return settings;
}

std::vector<std::byte> fake_cubin() {
  std::vector<std::byte> bytes(68);
  std::memcpy(bytes.data(), "\177ELF", 4);
  std::memcpy(bytes.data() + 64, "GOOD", 4);
  return bytes;
}

template <typename T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

RunRequest run_of(const std::string& kernel, size_t count = 5) {
  RunRequest request;
  request.cubin = fake_cubin();
  request.kernel = kernel;
  request.time_limit_ms = 300;
  request.parameters = {BufferParameter{bytes_of(std::vector<float>(count, 1.5f)), true},
                        ValueParameter{bytes_of(std::vector<int32_t>{static_cast<int32_t>(count)})}};
  return request;
}

void expect_error(const Outcome<RunReply>& reply, ErrorKind kind, const char* text) {
  ASSERT_FALSE(reply.has_value());
  EXPECT_EQ(reply.error().kind, kind) << error_kind_name(reply.error().kind) << ": " << reply.error().message;
  EXPECT_NE(reply.error().message.find(text), std::string::npos) << reply.error().message;
}

TEST(RunnerOnFakeCuda, DeviceFacts) {
  const Outcome<DeviceFacts> facts = Client(on_fake_cuda()).hello();
  ASSERT_TRUE(facts.has_value()) << facts.error().message;
  EXPECT_EQ(facts->name, "Fake CUDA device");
  EXPECT_EQ(facts->compute_capability, 90);
  EXPECT_EQ(facts->sm_count, 132);
  EXPECT_EQ(facts->max_clock_mhz, 1980);
  EXPECT_EQ(facts->memory_bytes, 4u << 20);
  EXPECT_EQ(facts->cuda_version, "13.0");
  EXPECT_EQ(facts->driver_version, "999.1");
  EXPECT_DOUBLE_EQ(facts->memory_gb_per_second, 4916.736);  // an H200's: 2 x 3201 MHz x 6144 bits
  EXPECT_EQ(facts->fp32_lanes_per_sm, 128);
  EXPECT_EQ(facts->l2_bytes, 1u << 18);
}

TEST(RunnerOnFakeCuda, UnusableDevicesAreExplained) {
  const std::tuple<const char*, ErrorKind, const char*> cases[] = {
      {"none", ErrorKind::no_device, "finds no GPU"},
      {"hidden", ErrorKind::no_device, "CUDA_VISIBLE_DEVICES"},
      {"broken", ErrorKind::no_driver, "does not start"},
      {"full", ErrorKind::out_of_memory, "no memory left"},
      {"old", ErrorKind::no_driver,
       "too old: it runs CUDA 11.4 at most, but GEMMscope needs a driver for CUDA 12.0"},
  };
  for (const auto& [device, kind, text] : cases) {
    const Outcome<DeviceFacts> facts = Client(on_fake_cuda(device)).hello();
    ASSERT_FALSE(facts.has_value()) << device;
    EXPECT_EQ(facts.error().kind, kind) << facts.error().message;
    EXPECT_NE(facts.error().message.find(text), std::string::npos) << facts.error().message;
  }
}

TEST(RunnerOnFakeCuda, BuffersGoThereAndBack) {
  Client client(on_fake_cuda());
  for (const size_t count : {size_t{0}, size_t{1}, size_t{5}, size_t{100'000}}) {
    const Outcome<RunReply> reply = client.run(run_of("add_one", count));
    ASSERT_TRUE(reply.has_value()) << reply.error().message;
    EXPECT_EQ(reply->buffers, std::vector<std::vector<std::byte>>{bytes_of(std::vector<float>(count, 2.5f))});
    EXPECT_TRUE(reply->outside_writes.empty());
  }
}

TEST(RunnerOnFakeCuda, WritesBesideABufferAreFound) {
  Client client(on_fake_cuda());
  const Outcome<RunReply> behind = client.run(run_of("write_behind"));
  ASSERT_TRUE(behind.has_value());
  EXPECT_EQ(behind->outside_writes, (std::vector<OutsideWrite>{{0, 20}}));
  const Outcome<RunReply> before = client.run(run_of("write_before"));
  ASSERT_TRUE(before.has_value());
  EXPECT_EQ(before->outside_writes, (std::vector<OutsideWrite>{{0, -8}}));
}

TEST(RunnerOnFakeCuda, SurvivesMistakesOfARequest) {
  Client client(on_fake_cuda());
  RunRequest request = run_of("add_one");
  request.cubin.resize(40);
  expect_error(client.run(request), ErrorKind::bad_machine_code, "(40 bytes) is not a cubin");
  request = run_of("add_one");
  request.cubin[0x29] = std::byte{1};  // the section table at 256 …
  expect_error(client.run(request), ErrorKind::bad_machine_code, "is truncated");
  request = run_of("add_one");
  request.cubin[64] = std::byte{'B'};
  expect_error(client.run(request), ErrorKind::bad_machine_code, "is it for a different GPU");
  expect_error(client.run(run_of("add_two")), ErrorKind::no_such_kernel, "\"add_two\"");
  expect_error(client.run(run_of("add_one", 2'000'000)), ErrorKind::out_of_memory, "4 MB of 4 MB are free");
  request = run_of("add_one");
  request.block = {1024, 2, 1};
  expect_error(client.run(request), ErrorKind::launch_refused, "block 1024 x 2 x 1");
  request = run_of("add_one");
  request.dynamic_shared_bytes = 300'000;
  expect_error(client.run(request), ErrorKind::launch_refused, "300000 bytes of dynamic shared memory");
  request = run_of("add_one");
  request.parameters.pop_back();
  expect_error(client.run(request), ErrorKind::bad_request, "has more parameters");
  request = run_of("add_one");
  request.parameters.emplace_back(ValueParameter{some_bytes(4)});
  expect_error(client.run(request), ErrorKind::bad_request, "has 2 parameters, but the launch gives 3");
  request = run_of("add_one");
  request.parameters[1] = ValueParameter{some_bytes(8)};
  expect_error(client.run(request), ErrorKind::bad_request,
               "parameter 1 of add_one has 4 bytes, but the launch gives 8");
  const Outcome<RunReply> good = client.run(run_of("add_one", 900'000));
  EXPECT_TRUE(good.has_value()) << "memory is lost: " << good.error().message;
}

TEST(RunnerOnFakeCuda, AfterAFaultAnotherRunnerGoesOn) {
  Client client(on_fake_cuda());
  expect_error(client.run(run_of("fault")), ErrorKind::kernel_fault,
               "an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)");
  EXPECT_TRUE(client.run(run_of("add_one")).has_value());
  expect_error(
      client.run(run_of("lose_device")), ErrorKind::device_lost,
      "lose_device failed on the GPU: the GPU was lost (a fake error (CUDA_ERROR_ECC_UNCORRECTABLE))");
  EXPECT_TRUE(client.run(run_of("add_one")).has_value());
  expect_error(client.run(run_of("crash")), ErrorKind::died, "signal 9");
  EXPECT_TRUE(client.run(run_of("add_one")).has_value());
}

TEST(RunnerOnFakeCuda, AKernelThatHangsEndsInTime) {
  Client client(on_fake_cuda());
  ASSERT_TRUE(client.hello().has_value());
  const auto start = steady_clock::now();
  expect_error(client.run(run_of("hang")), ErrorKind::kernel_timeout, "did not end within 300 ms");
  const auto took = steady_clock::now() - start;
  EXPECT_GE(took, milliseconds(300));
  EXPECT_LT(took, milliseconds(3000));
  EXPECT_TRUE(client.run(run_of("add_one")).has_value());
}

TEST(RunnerOnFakeCuda, AKernelsOutputIsNotTakenForAnAnswer) {
  std::string log;
  ClientSettings settings = on_fake_cuda();
  settings.log = [&](char, std::string_view line) { log += line; };
  Client client(settings);
  EXPECT_TRUE(client.run(run_of("chatty")).has_value());
  EXPECT_EQ(log.find("hello from the kernel"), std::string::npos);
}

}  // namespace
}  // namespace gemmscope::gpu
