// A temporary folder of settings, so that a user's settings are neither read nor written.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace gemmscope::session {

class TemporaryConfig {
 public:
  TemporaryConfig() {
    static int count = 0;
    folder_ =
        std::filesystem::temp_directory_path() / fmt::format("gemmscope-config-{}-{}", getpid(), count++);
    std::filesystem::create_directories(folder_);
    if (const char* before = std::getenv(kName)) before_ = before;
    setenv(kName, folder_.c_str(), 1);
  }
  ~TemporaryConfig() {
    before_ ? setenv(kName, before_->c_str(), 1) : unsetenv(kName);
    std::error_code error;
    std::filesystem::remove_all(folder_, error);
  }
  TemporaryConfig(const TemporaryConfig&) = delete;
  TemporaryConfig& operator=(const TemporaryConfig&) = delete;
  const std::filesystem::path& folder() const { return folder_; }

 private:
  static constexpr const char* kName = "XDG_CONFIG_HOME";
  std::filesystem::path folder_;
  std::optional<std::string> before_;
};

}  // namespace gemmscope::session
