// Makes requests for the kernels of tests/data/compile, and temporary folders.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

#include "../isa/print_arch.h"
#include "compile/compile_steps.h"
#include "compile/file_io.h"

// Skips the rest of a test body on a computer without NVRTC.
#define NEED_NVRTC()                        \
  if (!gemmscope::compile::nvrtc_library()) \
  GTEST_SKIP() << gemmscope::compile::nvrtc_library().error().message

namespace gemmscope::compile {

inline std::filesystem::path data_folder() { return std::filesystem::path(GEMMSCOPE_TEST_DATA) / "compile"; }

inline CompileRequest request_for(const std::filesystem::path& path, isa::Arch arch = isa::Arch::sm_86) {
  CompileRequest request;
  request.source_path = path;
  const auto source = read_file(path);
  EXPECT_TRUE(source.has_value()) << path << " is missing";
  request.source = source.value_or("");
  request.include_folders = {data_folder() / "include"};
  request.arch = arch;
  return request;
}
inline CompileRequest kernel_request(const std::string& name, isa::Arch arch = isa::Arch::sm_86) {
  return request_for(data_folder() / (name + ".cu"), arch);
}

inline const Result<NvrtcLibrary>& no_nvrtc() {
  static const Result<NvrtcLibrary> absent = fail("NVRTC is not installed");
  return absent;
}
inline const DiskCache kNoCache{std::filesystem::path()};

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "gemmscope-test-XXXXXX").string();
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline void write_text(const std::filesystem::path& path, std::string_view text) {
  std::filesystem::create_directories(path.parent_path());
  const auto written = write_file_atomically(path, as_bytes(text));
  ASSERT_TRUE(written.has_value()) << written.error().message;
}

}  // namespace gemmscope::compile
