// One function a subcommand: takes its parsed options, returns the exit code.
#pragma once

#include <string>
#include <vector>

#include "cli/experiment_options.h"

namespace gemmscope::cli {

int list_kernels(bool json);
int run_kernel(const ExperimentOptions& options);
int disassemble_kernel(const ExperimentOptions& options);
// Rows arch,address,lo,hi,… of a file -> the text of each. A malformed row fails the whole, and nothing is
// printed.
int disassemble_vectors(const std::string& path, bool json);
struct CountOptions {
  bool block_only = false;  // the block of --block
  bool all_blocks = false;  // execute every block, however many there are
  bool csv = false;         // one line a figure
  bool ncu_names = false;   // a line of Nsight Compute's metric names and one of values
};
int count_kernel(const ExperimentOptions& options, const CountOptions& count);
int report_banks(const ExperimentOptions& options);
// Rows op,width,mask,_,_,32 words of a file -> wavefronts,conflicts of each; likewise.
int count_patterns(const std::string& path, bool json);

// How a picture is taken; see shell::PictureRequest.
struct PictureOptions {
  std::string output = "gemmscope.png", size = "1920x1080", view = "all", jump, mouse;
  bool output_given = false;
  int64_t step = -1;
  int wavefront = -1, warp = 0, frames = 300;
  bool all_warps = false, benchmark = false, light = false;
};
int render_view(const ExperimentOptions& options, const PictureOptions& picture);
// The reports of run, counters and banks, and a picture of every view into `folder`.
int write_report(const ExperimentOptions& options, const std::string& folder);
// `gpu_runner`: its command line; empty: the one beside the program.
int open_window(const ExperimentOptions& options, const std::string& gpu_runner);

// Times the catalogue on the GPU and writes a recording.
struct RecordOptions {
  std::vector<std::string> sizes = {"2048x2048x1024"}, only;  // MxNxK; ids, empty: all
  std::vector<std::string> also;                              // "ID:NAME=VALUE,NAME=VALUE"
  int samples = 50;                                           // of each variant
  bool all_toggles = false, flush_l2 = false;
  std::string output = "recording.json", runner;
  std::string command;  // the command line
};
int record_timings(const RecordOptions& options);
int show_recording(const std::string& path, bool markdown);
int list_recordings();

}  // namespace gemmscope::cli
