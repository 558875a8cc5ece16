// The version, the manual page and shell completion follow the tables of the command line.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "command.h"

namespace gemmscope::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

std::string contents(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::string output_of(const Words& arguments) {
  const CommandResult result = run_command(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result.out;
}

// The first words of the lines under a heading of --help: "-m,--m", "run".
Words listed(const std::string& help, const std::string& heading) {
  std::istringstream lines(help.substr(std::min(help.size(), help.find("\n" + heading + ":\n") + 1)));
  Words words;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line) && line.starts_with("  "))
    if (line.size() > 2 && line[2] != ' ') words.push_back(line.substr(2, line.find(' ', 2) - 2));
  return words;
}

Words commands() { return listed(output_of({"--help"}), "Subcommands"); }

// All options, by all of their names, that a command's --help shows; "" is the program itself.
Words options_of(const std::string& command) {
  Words names;
  for (const std::string& both :
       listed(output_of(command.empty() ? Words{"--help"} : Words{command, "--help"}), "Options")) {
    std::istringstream parts(both);
    for (std::string name; std::getline(parts, name, ',');) names.push_back(name);
  }
  return names;
}

// The candidates for the last word, without their help.
std::set<std::string> completed(const Words& words) {
  Words arguments = {"complete", "--"};
  arguments.insert(arguments.end(), words.begin(), words.end());
  std::istringstream lines(output_of(arguments));
  std::set<std::string> candidates;
  for (std::string line; std::getline(lines, line);) candidates.insert(line.substr(0, line.find('\t')));
  return candidates;
}

// The manual page without troff's escapes.
std::string manual() {
  std::string text = output_of({"man"});
  for (const char* escape : {"\\fB", "\\fI", "\\fR", "\\&"})
    for (size_t at; (at = text.find(escape)) != std::string::npos;) text.erase(at, std::strlen(escape));
  for (size_t at; (at = text.find("\\-")) != std::string::npos;) text.erase(at, 1);
  return text;
}

TEST(Documents, TheVersionIsTheProjects) {
  EXPECT_EQ(output_of({"--version"}), "gemmscope " GEMMSCOPE_PROJECT_VERSION "\n");
  EXPECT_NE(manual().find("GEMMscope " GEMMSCOPE_PROJECT_VERSION), std::string::npos);
}

TEST(Documents, TheManualHasEveryCommandWithItsOptions) {
  const std::string page = manual();
  const std::string shared = page.substr(page.find(".SH OPTIONS OF AN EXPERIMENT"));
  const Words all = commands();
  ASSERT_GT(all.size(), 10u);
  for (const std::string& command : all) {
    const size_t begin = page.find(".SS " + command + "\n");
    ASSERT_NE(begin, std::string::npos) << command;
    const std::string section = page.substr(begin, page.find("\n.S", begin) - begin);
    const bool takes_experiment = section.find("options of an experiment") != std::string::npos;
    for (const std::string& option : options_of(command)) {
      if (option == "-h" || option == "--help") continue;
      const std::regex heading("\\.TP\n([^\n]*, )?" + option + "( |,|\n)");
      EXPECT_TRUE(std::regex_search(section, heading) ||
                  (takes_experiment && std::regex_search(shared, heading)))
          << command << " " << option;
    }
  }
}

TEST(Documents, TheManualHasEveryVariableThatTheProgramsRead) {
  const std::string page = manual();
  const std::regex read("(getenv|environment|absolute)\\(\"([A-Z_]+)\"\\)");
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(GEMMSCOPE_SOURCE_DIR) / "app")) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string text = contents(entry.path());
    for (std::sregex_iterator at(text.begin(), text.end(), read), end; at != end; ++at)
      names.insert((*at)[2]);
  }
  EXPECT_TRUE(names.contains("GEMMSCOPE_DATA"));
  for (const std::string& name : names)
    EXPECT_NE(page.find(".TP\n" + name + "\n"), std::string::npos) << name;
}

TEST(Completion, KnowsEveryCommand) {
  const std::set<std::string> candidates = completed({""});
  for (const std::string& command : commands()) EXPECT_TRUE(candidates.contains(command)) << command;
  EXPECT_EQ(completed({"rec"}), (std::set<std::string>{"record", "recordings"}));
}

TEST(Completion, KnowsEveryOptionOfEveryCommand) {
  Words all = commands();
  all.emplace_back();
  for (const std::string& command : all) {
    const std::set<std::string> candidates = completed(command.empty() ? Words{"-"} : Words{command, "-"});
    const Words options = options_of(command);
    EXPECT_EQ(candidates, std::set<std::string>(options.begin(), options.end())) << command;
  }
}

TEST(Completion, KnowsTheValuesOfOptions) {
  EXPECT_EQ(completed({"run", "--arch", ""}),
            (std::set<std::string>{"sm_75", "sm_80", "sm_86", "sm_89", "sm_90"}));
  EXPECT_EQ(completed({"run", "09_conflict_free", "--toggle", "LAY"}),
            (std::set<std::string>{"LAYOUT=0", "LAYOUT=1", "LAYOUT=2"}));
  EXPECT_TRUE(completed({"time", "--device", ""}).contains("h200"));
  EXPECT_TRUE(completed({"time", "--recording", "h"}).contains("h200"));
  EXPECT_TRUE(completed({"lessons", "10"}).contains("10_memory_and_banks"));
  EXPECT_TRUE(completed({"lint", "0"}).contains("01_naive_rows"));
  EXPECT_TRUE(completed({"run", "--m", ""}).empty()) << "any number";
}

TEST(Completion, AViewThatItOffersCanBeDrawn) {
  const std::set<std::string> views = completed({"render", "--view", ""});
  EXPECT_TRUE(views.contains("banks"));
  const CommandResult unknown = run_command({"render", "--view", "nothing"});
  for (const std::string& view : views)
    EXPECT_NE(unknown.err.find(view), std::string::npos) << "the message lists those that there are";
}

// What bash makes of a line, with the script as it is installed.
TEST(Completion, BashReplacesWhatFollowsTheEqualsSign) {
  const std::string line = std::string(GEMMSCOPE_PROGRAM) + " run 09_conflict_free --toggle LAYOUT=";
  const TemporaryFile script("try.bash",
                             output_of({"completion", "bash"}) + "COMP_LINE='" + line +
                                 "'; COMP_POINT=${#COMP_LINE}; _gemmscope; echo \"${COMPREPLY[@]}\"\n");
  FILE* const shell = popen(("bash " + script.path()).c_str(), "r");
  ASSERT_NE(shell, nullptr);
  char reply[100] = "";
  EXPECT_NE(fgets(reply, sizeof reply, shell), nullptr);
  EXPECT_EQ(pclose(shell), 0);
  EXPECT_STREQ(reply, "0 1 2\n");
}

TEST(Completion, AnUnknownShellIsABadUse) {
  const CommandResult result = run_command({"completion", "tcsh"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("bash, zsh and fish"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace gemmscope::cli
