// One function a subcommand: takes its parsed options, returns the exit code.
#pragma once

#include <string>

#include "cli/experiment_options.h"

namespace gemmscope::cli {

int list_kernels(bool json);
int run_kernel(const ExperimentOptions& options);
int disassemble_kernel(const ExperimentOptions& options);
int disassemble_vectors(const std::string& path);      // rows arch,address,lo,hi,… -> one text a line
int count_kernel(const ExperimentOptions& options, bool block_only);
int report_banks(const ExperimentOptions& options);
int count_patterns(const std::string& path, bool json);  // rows op,width,mask,_,_,32 words -> wavefronts,conflicts

}  // namespace gemmscope::cli
