// Makes clients of fake_runner.py.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <ostream>
#include <string>

#include "gpu/client.h"

namespace gemmscope::gpu {

inline ClientSettings fake_settings(const std::string& mode, const std::string& argument = "") {
  ClientSettings settings;
  settings.command = {"python3", GEMMSCOPE_SOURCE_DIR "/tests/gpu/fake_runner.py", mode, argument};
  return settings;
}

// Names a path that does not exist yet, and removes it at the end.
class TemporaryPath {
 public:
  explicit TemporaryPath(const std::string& name)
      : path_((std::filesystem::temp_directory_path() / fmt::format("gemmscope-{}-{}", name, getpid()))
                  .string()) {
    remove();
  }
  ~TemporaryPath() { remove(); }
  TemporaryPath(const TemporaryPath&) = delete;
  TemporaryPath& operator=(const TemporaryPath&) = delete;
  const std::string& text() const { return path_; }

 private:
  void remove() const {
    std::error_code error;
    std::filesystem::remove(path_, error);
  }
  std::string path_;
};

// This is longer than Python needs to start on a busy machine, and shorter than a test's time limit.
inline constexpr std::chrono::milliseconds kStart{10'000}, kShort{1'500};

// A way in which fake_runner.py misbehaves, and what the client makes of it.
struct Case {
  const char* mode;
  ErrorKind kind;
  const char* text;
};
inline std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.mode; }

inline void expect_error(const RunnerError& error, const Case& expected) {
  EXPECT_EQ(error.kind, expected.kind) << error_kind_name(error.kind) << ": " << error.message;
  EXPECT_NE(error.message.find(expected.text), std::string::npos) << error.message;
  EXPECT_LT(error.message.size(), 900u) << error.message;
}

// Replaces the first occurrence of `what`, which must exist.
inline std::string replaced(std::string text, std::string_view what, std::string_view by) {
  const size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

inline std::vector<std::byte> some_bytes(size_t count, unsigned first = 0) {
  std::vector<std::byte> bytes(count);
  for (size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(first + 7 * i);
  return bytes;
}

inline RunRequest small_run(size_t buffer_bytes = 24) {
  RunRequest request;
  request.cubin = some_bytes(100);
  request.kernel = "add_one";
  request.time_limit_ms = 200;
  request.parameters = {BufferParameter{some_bytes(buffer_bytes, 3), true}, ValueParameter{some_bytes(4)}};
  return request;
}

inline PrepareRequest small_prepare() {
  PrepareRequest request;
  request.cubin = some_bytes(100);
  request.launches = {{"gemm", {2, 3, 1}, {16, 16, 1}, 4096, {0, 1, 2, 3}},
                      {"add", {1, 1, 1}, {32, 1, 1}, 0, {2, 4}}};
  request.parameters = {MatrixParameter{'A', true}, MatrixParameter{'B', false}, MatrixParameter{'C', false},
                        ValueParameter{some_bytes(4)}, BufferParameter{some_bytes(12), false}};
  request.gemm = Gemm{32, 48, 16, 1.25f, 0.1f};
  request.precision = Precision::tf32;
  request.time_limit_ms = 200;
  return request;
}

// A request for a kernel that is no product and is checked against a reference.
inline PrepareRequest small_lab() {
  PrepareRequest request;
  request.cubin = some_bytes(100);
  request.launches = {{"sum", {2, 3, 1}, {64, 1, 1}, 512, {0, 1, 2}}};
  request.parameters = {BufferParameter{some_bytes(12), false}, BufferParameter{some_bytes(8), false, true},
                        ValueParameter{some_bytes(4)}};
  request.check = ReferenceCheck{{"reference", {1, 1, 1}, {32, 1, 1}, 0, {0, 1, 2}},
                                 {{1, ElementType::float64}, {0, ElementType::int32}},
                                 0.25,
                                 300};
  request.time_limit_ms = 200;
  return request;
}

}  // namespace gemmscope::gpu
