#include "cli/cli.h"

int main(int argc, char** argv) { return gemmscope::cli::run_command_line(argc, argv); }
