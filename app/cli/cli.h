// The headless commands of the program: the same steps as the window, printed.
// Exit codes: 0 fine, 1 it failed, 2 the command line is wrong, 3 the result is right but `run` found
// mistakes. Errors go to stderr.
#pragma once

namespace gemmscope::cli {

inline constexpr int kFailed = 1, kBadUse = 2, kFoundMistakes = 3;

// Runs the subcommand that the command line names and returns its exit code.
int run_command_line(int argc, char** argv);

}  // namespace gemmscope::cli
