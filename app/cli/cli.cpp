#include "cli/cli.h"

#include <CLI/CLI.hpp>
#include <functional>

#include "cli/commands.h"

namespace gemmscope::cli {

int run_command_line(int argc, char** argv) {
  CLI::App app("Shows why one GPU matrix multiply is faster than another.", "gemmscope");
  ExperimentOptions options;
  std::string file;
  bool block_only = false;
  std::function<int()> chosen;

  app.require_subcommand(1);
  CLI::App* kernels = app.add_subcommand("kernels", "List the catalogue");
  kernels->add_flag("--json", options.json, "Print JSON");
  kernels->callback([&] { chosen = [&] { return list_kernels(options.json); }; });

  CLI::App* run = app.add_subcommand("run", "Execute a kernel's machine code on the CPU and compare C with float64");
  add_experiment_options(*run, options);
  run->callback([&] { chosen = [&] { return run_kernel(options); }; });

  CLI::App* disasm = app.add_subcommand("disasm", "Print a kernel's machine code");
  add_experiment_options(*disasm, options);
  disasm->add_option("--vectors", file, "Decode rows arch,address,lo,hi of this file instead");
  disasm->callback([&] { chosen = [&] { return file.empty() ? disassemble_kernel(options) : disassemble_vectors(file); }; });

  CLI::App* counters = app.add_subcommand("counters", "Instructions, requests, sectors and wavefronts of the whole grid");
  add_experiment_options(*counters, options);
  counters->add_flag("--block-only", block_only, "Count only the block of --block");
  counters->callback([&] { chosen = [&] { return count_kernel(options, block_only); }; });

  CLI::App* banks = app.add_subcommand("banks", "Shared-memory wavefronts and conflicts, instruction by instruction");
  add_experiment_options(*banks, options);
  banks->add_option("--patterns", file, "Count rows op,width,mask,_,_,word x 32 of this file instead");
  banks->callback([&] { chosen = [&] { return file.empty() ? report_banks(options) : count_patterns(file, options.json); }; });

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kBadUse;
  }
  return chosen();
}

}  // namespace gemmscope::cli
