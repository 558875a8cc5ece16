// The headless commands of the program. They take the same steps as the window and print the results. Exit
// codes: 0 success, 1 failure, 2 the command line is wrong, 3 `run` found mistakes though the result is
// right, or `lint` has findings. Errors go to stderr.
#pragma once

namespace gemmscope::cli {

inline constexpr int kFailed = 1, kBadUse = 2, kFoundMistakes = 3;

// Runs the subcommand that the command line names and returns its exit code.
int run_command_line(int argc, char** argv);

}  // namespace gemmscope::cli
