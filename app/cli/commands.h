// One function for each subcommand: it takes the parsed options and returns the exit code.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/experiment_options.h"

namespace gemmscope::cli {

int list_kernels(bool json);
int run_kernel(const ExperimentOptions& options);
int disassemble_kernel(const ExperimentOptions& options);
// Prints the text of each row arch,address,lo,hi,… of a file. A malformed row gets an empty line (in JSON an
// "error"), and the command fails.
int disassemble_vectors(const std::string& path, bool json);
// Checks the machine code of each cubin, folder of cubins or kernel (chosen and compiled by `options`).
int lint_code(const std::vector<std::string>& names, const ExperimentOptions& options);
// Options of schedule, which rewrites the main loop of a kernel, or of the kernels of a cubin.
struct ScheduleOptions {
  std::string output;    // the cubin; empty: none is written
  bool measure = false;  // time both on the GPU
  std::string runner;    // the runner's command line
  int samples = 50;      // of each
};
int schedule_code(const ExperimentOptions& options, const ScheduleOptions& schedule);
// Options of ports.
struct PortOptions {
  bool only_lost = false;  // list only the instructions that take more than one cycle, or wait for one
};
// Prints the register ports of a kernel, or of every kernel of a cubin whose file it names.
int report_ports(const ExperimentOptions& options, const PortOptions& ports);
struct CountOptions {
  bool block_only = false;  // count only the block of --block
  bool all_blocks = false;  // execute every block, however many there are
  bool csv = false;         // one line for each figure
  bool ncu_names = false;   // a line of Nsight Compute's metric names and one of values
};
int count_kernel(const ExperimentOptions& options, const CountOptions& count);
int report_banks(const ExperimentOptions& options);
// Prints wavefronts,conflicts of each row op,width,mask,_,_,32 words of a file. A malformed row fails the
// command, and nothing is printed on stdout.
int count_patterns(const std::string& path, bool json);

// Options of a picture; see shell::PictureRequest.
struct PictureOptions {
  std::string output = "gemmscope.png", size = "1920x1080", view = "all", language = "en", jump, mouse,
              each_frame, lesson, scene, range;
  bool output_given = false;
  bool progress = false;  // says each picture of a range, and ends when standard input is closed
  int frames_per_second = 10;
  int64_t step = -1;
  int wavefront = -1, warp = 0, frames = 300;
  bool all_warps = false, benchmark = false, light = false;
};
std::vector<std::string> view_names();  // what --view takes; empty in a program without the window
int render_view(const ExperimentOptions& options, const PictureOptions& picture);
// Prints the reports of run, counters and banks, and writes a picture of every view into `folder`.
int write_report(const ExperimentOptions& options, const std::string& folder);
// `gpu_runner` is the runner's command line; empty: the runner beside the program.
// What the window opens with beside the experiment; empty: nothing.
struct WindowOptions {
  std::string gpu_runner;
  std::string lesson;    // a page, "10_memory_and_banks/column"
  std::string scene;     // a file, or a link
  std::string language;  // "en", "zh"; empty: as last time
};
int open_window(const ExperimentOptions& options, const WindowOptions& window);

// Options of occupancy. What is given takes the place of what the kernel needs; −1: not given.
struct OccupancyOptions {
  std::string capability;  // "8.6"; empty: that of --arch
  int threads = -1, registers = -1, shared_bytes = -1;
  int from_registers = -1;          // name the boundaries between it and the registers
  std::string preset, golden_file;  // id; CSV, also compressed with xz
  bool list_presets = false, list_throughput = false;
};
int report_occupancy(const ExperimentOptions& options, const OccupancyOptions& occupancy);

// Options of lessons: one lesson, computed and checked; none: the list of them.
struct LessonOptions {
  std::string lesson, page;  // an id or a .toml file; the id of a page, empty: all
  bool chinese = false;      // print the Chinese, and miss it where there is none
  bool json = false;
  bool keep_figures = false;  // write the figures that need NVRTC into the file that ships
};
int run_lessons(const LessonOptions& options);

// Options of figures: all figures of an experiment as a table.
struct FigureOptions {
  std::string format = "csv", output = "-", scene, device;  // device: empty, that of the architecture
};
int print_figures(const ExperimentOptions& options, const FigureOptions& figures);

// Grades a scene by a rubric. Without failed conditions it returns 0.
struct GradeOptions {
  std::string scene, expect;
  bool json = false;
};
int grade_scene(const GradeOptions& options);

// Options of explore, see experiment/bank_question.h.
struct ExploreOptions {
  std::string declaration = "float As[32][32]", swizzle = "column", block_dim = "32x8";
  std::vector<std::string> accesses, let;  // let: "k=3"
  int padding = 0, warp = 0;
  bool find_fix = false, json = false;
};
int explore_banks(const ExploreOptions& options);

// Options of record, which times the catalogue on the GPU and writes a recording.
struct RecordOptions {
  std::vector<std::string> sizes = {"2048x2048x1024"}, only;  // MxNxK; ids, empty: all
  std::vector<std::string> also;                              // "ID:NAME=VALUE,NAME=VALUE"
  int samples = 50;                                           // of each variant and process
  int processes = 1;                                          // runners, one after the other
  bool all_toggles = false, flush_l2 = false;
  std::string rates_into;  // a recording to which only the bandwidths are added; empty: a new recording
  std::string output = "recording.json", runner;
  std::string command;  // how gemmscope was called, kept in the recording
};
int record_timings(const RecordOptions& options);
// Prints the `count` cheapest variants of the table by size for the sizes of `options`.
int print_by_size(const ExperimentOptions& options, int count);
int show_recording(const std::string& path, bool markdown);
int list_recordings();

// Options of time and stalls, which model times.
struct ModelOptions {
  std::string device;            // an id or a device file; empty: the H200, or the recording's
  std::vector<std::string> set;  // NAME=VALUE: numbers of the device to change
  bool parameters = false;       // only print the device's numbers
  std::string versus;            // "ID:NAME=VALUE": the variant to compare with
  std::string recording;         // a file, or the name of one that ships: compare the model with it
  std::string trace_event;       // the file for Chrome trace events; empty: none
};
int model_kernel(const ExperimentOptions& options, const ModelOptions& model);
int model_stalls(const ExperimentOptions& options, const ModelOptions& model);
// Prints the deltas of experiment/published_deltas.h beside the model's.
int model_published_deltas(const ModelOptions& model, bool as_json);

// Options of compare: what B has in place of A's; what is not given is as in A.
struct CompareOptions {
  std::string kernel, arch, with_device;     // empty: as A
  std::vector<std::string> toggles, inputs;  // NAME=VALUE; NAME=EXPRESSION
  std::optional<int64_t> m, n, k;
  std::string device;  // of A; empty: that of the architecture
};
int compare_kernels(const ExperimentOptions& options, const CompareOptions& compare);

// Options of lattice, besides those of the model.
struct LatticeOptions {
  std::vector<std::string> vary;  // toggles; empty: all
  bool pairs = false;
  std::string sort = "time";  // a column, see experiment::column_of
  bool descending = false;
  size_t rows = 0;      // printed at most; 0: all
  double seconds = 60;  // no point is begun later
  int threads = 0;      // 0: one per core
};
int model_lattice(const ExperimentOptions& options, const ModelOptions& model, const LatticeOptions& lattice);

// Options of tune, which searches the fastest variants: the model prunes, the GPU decides.
struct TuneOptions {
  std::vector<std::string> kernels;                            // "ID" or "ID:NAME=VALUE"; .cu files
  std::vector<std::string> sizes = {"2048x2048x1024"}, space;  // "NAME" or "NAME=V1,V2"
  size_t keep = 8;                                             // so many are measured …
  double within = 0;     // … and those within so many percent of the fastest
  double seconds = 120;  // for the model, all sizes and kernels together
  int threads = 0;       // 0: one per core
  int samples = 20, processes = 3;
  bool resume = false, no_gpu = false, json = false;
  std::string output = "tuned.json", runner;
  std::string command;  // how gemmscope was called, kept in the recording
};
int tune_kernels(const TuneOptions& options, const ModelOptions& model);

}  // namespace gemmscope::cli
