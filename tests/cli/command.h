// Starts the program with arguments and collects its output.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace gemmscope::cli {

struct CommandResult {
  int exit_code = -1;  // −1: it was not started, or a signal ended it
  std::string out, err;
};
CommandResult run_command(const std::vector<std::string>& arguments);
// As above, but sends it a signal as soon as `when` says so; `when` is asked every few milliseconds.
CommandResult run_command_until(const std::vector<std::string>& arguments, const std::function<bool()>& when,
                                int signal);

// Returns stdout as JSON; fails the test unless it is one JSON value.
nlohmann::json json_of(const CommandResult& result);
// Of the counters in JSON, a figure summed over kinds of instructions, as the strip of numbers shows it.
uint64_t sum_of(const nlohmann::json& counters, std::initializer_list<const char*> kinds, const char* figure);

// A file in a temporary folder of its own.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& text);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string folder_, path_;
};

}  // namespace gemmscope::cli
