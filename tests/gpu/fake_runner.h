// Clients of fake_runner.py.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "gpu/client.h"

namespace gemmscope::gpu {

inline ClientSettings fake_settings(const std::string& mode, const std::string& argument = "") {
  ClientSettings settings;
  settings.command = {"python3", GEMMSCOPE_SOURCE_DIR "/tests/gpu/fake_runner.py", mode, argument};
  return settings;
}

// A path that does not exist yet, removed at the end.
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

}  // namespace gemmscope::gpu
