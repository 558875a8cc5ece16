#include "command.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

extern char** environ;  // NOLINT(readability-redundant-declaration): posix_spawn's

namespace gemmscope::cli {
namespace {

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

CommandResult run_command_until(const std::vector<std::string>& arguments, const std::function<bool()>& when,
                                int signal) {
  const TemporaryFile out("out", ""), err("err", "");
  std::vector<std::string> words = {GEMMSCOPE_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, out.path().c_str(), O_WRONLY | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, err.path().c_str(), O_WRONLY | O_TRUNC, 0600);
  pid_t pid = 0;
  CommandResult result;
  const int started = posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  EXPECT_EQ(started, 0) << argv[0] << " cannot be started";
  if (started != 0) return result;
  int status = 0;
  bool ended = false;
  for (bool sent = when == nullptr; !sent && !ended;) {
    ended = waitpid(pid, &status, WNOHANG) == pid;
    sent = !ended && when();
    if (sent) kill(pid, signal);
    if (!sent && !ended) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  if (!ended) waitpid(pid, &status, 0);
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  result.out = read_text(out.path());
  result.err = read_text(err.path());
  return result;
}

CommandResult run_command(const std::vector<std::string>& arguments) {
  return run_command_until(arguments, nullptr, 0);
}

nlohmann::json json_of(const CommandResult& result) {
  EXPECT_EQ(result.exit_code, 0) << result.err;
  nlohmann::json value = nlohmann::json::parse(result.out, nullptr, false);
  EXPECT_FALSE(value.is_discarded()) << "no JSON: " << result.out.substr(0, 200);
  return value;
}

uint64_t sum_of(const nlohmann::json& counters, std::initializer_list<const char*> kinds,
                const char* figure) {
  uint64_t sum = 0;
  for (const char* kind : kinds) sum += counters.at(kind).at(figure).get<uint64_t>();
  return sum;
}

TemporaryFile::TemporaryFile(const std::string& name, const std::string& text) {
  folder_ = (std::filesystem::temp_directory_path() / "gemmscope-test-XXXXXX").string();
  EXPECT_NE(mkdtemp(folder_.data()), nullptr);
  path_ = folder_ + "/" + name;
  std::ofstream(path_) << text;
}
TemporaryFile::~TemporaryFile() {
  std::error_code error;
  std::filesystem::remove_all(folder_, error);
}

}  // namespace gemmscope::cli
