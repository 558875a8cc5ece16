#include "cli/cli.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdlib>
#include <functional>

#include "cli/commands.h"
#include "cli/completion.h"
#include "cli/manual_page.h"
#include "cli/output.h"
#include "cli/version.h"
#include "metrics/tile_layout.h"

namespace gemmscope::cli {

namespace {

// Quotes the arguments as a shell needs them.
std::string command_text(int argc, char** argv) {
  std::string text = "gemmscope";
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    const bool plain = !word.empty() && word.find_first_of(" \t\n'\"\\$`*?<>|&;()") == std::string::npos;
    for (size_t at = 0; !plain && (at = word.find('\'', at)) != std::string::npos; at += 4)
      word.replace(at, 1, "'\\''");
    text += plain ? " " + word : " '" + word + "'";
  }
  return text;
}

// What the subcommands' options are read into, and the one to run.
struct CommandLine {
  ExperimentOptions experiment;
  CountOptions count;
  PortOptions ports;
  PictureOptions picture;
  RecordOptions record;
  OccupancyOptions occupancy;
  int by_size_count = 5;
  ExploreOptions explore;
  ModelOptions model;
  LatticeOptions lattice;
  TuneOptions tune;
  CompareOptions compare;
  LessonOptions lessons;
  ScheduleOptions schedule;
  FigureOptions figures;
  GradeOptions grade;
  std::string file, folder = "out", shell;
  WindowOptions window;
  std::vector<std::string> names;
  bool markdown = false;
  std::function<int()> chosen;  // empty: no subcommand
};

int print_completion_script(const std::string& shell) {
  const Result<std::string> script = completion_script(shell);
  if (!script) {
    print_error(script.error().message);
    return kBadUse;
  }
  fmt::print("{}", *script);
  return 0;
}

void add_kernels(CLI::App& app, CommandLine& line) {
  CLI::App* kernels = app.add_subcommand("kernels", "List the catalogue");
  kernels->add_flag("--json", line.experiment.json, "Print JSON");
  kernels->callback([&line] { line.chosen = [&line] { return list_kernels(line.experiment.json); }; });
}

void add_run(CLI::App& app, CommandLine& line) {
  CLI::App* run =
      app.add_subcommand("run", "Execute a kernel's machine code on the CPU and compare C with float64");
  add_experiment_options(*run, line.experiment);
  run->footer(
      "Exit status: 0 C is right; 1 C is wrong, or the kernel failed; 2 the command line is wrong; 3 C is "
      "right, but the kernel made mistakes whose effect on a GPU depends on luck: reads of memory that "
      "nobody wrote, races, barriers that not all threads reach.");
  run->callback([&line] { line.chosen = [&line] { return run_kernel(line.experiment); }; });
}

void add_disasm(CLI::App& app, CommandLine& line) {
  CLI::App* disasm = app.add_subcommand("disasm", "Print a kernel's machine code");
  add_experiment_options(*disasm, line.experiment);
  disasm->add_option("--vectors", line.file, "Decode the rows arch,address,lo,hi of this file instead");
  disasm->callback([&line] {
    line.chosen = [&line] {
      return line.file.empty() ? disassemble_kernel(line.experiment)
                               : disassemble_vectors(line.file, line.experiment.json);
    };
  });
}

void add_schedule(CLI::App& app, CommandLine& line) {
  CLI::App* schedule = app.add_subcommand(
      "schedule", "Rewrite the main loop of machine code so that it loses fewer cycles to register ports");
  add_experiment_options(*schedule, line.experiment);
  schedule->add_option("-o,--output", line.schedule.output, "Write the rewritten cubin to this file");
  schedule->add_flag("--measure", line.schedule.measure, "Time the code as it was and as it is on the GPU");
  schedule->add_option("--samples", line.schedule.samples, "Samples of each with --measure (50)");
  schedule->add_option("--runner", line.schedule.runner, "Command line of the GPU runner")
      ->envname("GEMMSCOPE_GPU_RUNNER");
  schedule->footer(
      "The kernel is one of the catalogue, a .cu file of your own, or a cubin. Before anything is written, "
      "the "
      "hazard lint, a proof over the registers and the execution of both on the CPU must accept the result.\n"
      "Exit status: 0 rewritten; 1 refused, with a sentence that says why; 2 the command line is wrong.");
  schedule->callback(
      [&line] { line.chosen = [&line] { return schedule_code(line.experiment, line.schedule); }; });
}

void add_lint(CLI::App& app, CommandLine& line) {
  CLI::App* lint = app.add_subcommand(
      "lint", "Check that each dependency of machine code has its stall count or its scoreboard");
  lint->add_option("what", line.names,
                   "Cubins, folders of cubins, kernels of the catalogue and .cu files of your own")
      ->required();
  add_experiment_options(*lint, line.experiment, "");
  lint->footer(
      "Exit status: 0 nothing is missing; 1 something could not be read or compiled; 2 the command line is "
      "wrong; 3 there are findings.");
  lint->callback([&line] { line.chosen = [&line] { return lint_code(line.names, line.experiment); }; });
}

void add_ports(CLI::App& app, CommandLine& line) {
  CLI::App* ports = app.add_subcommand(
      "ports", "Register ports: port cycles a FFMA of each loop, banks and reuse hits of each instruction");
  add_experiment_options(*ports, line.experiment);
  ports->add_flag("--only-lost", line.ports.only_lost,
                  "List only the instructions that take more than one cycle of a port, or wait for one");
  ports->footer(
      "The kernel may also be a cubin. Banks: the slot of the operand and its bank, A0; a star: the reuse "
      "cache serves it; =: an operand before it reads the same register. From the machine code alone, by the "
      "rule that was measured on an H200.");
  ports->callback([&line] { line.chosen = [&line] { return report_ports(line.experiment, line.ports); }; });
}

void add_counters(CLI::App& app, CommandLine& line) {
  CLI::App* counters =
      app.add_subcommand("counters", "Instructions, requests, sectors and wavefronts of the whole grid");
  add_experiment_options(*counters, line.experiment);
  CLI::Option* block_only =
      counters->add_flag("--block-only", line.count.block_only, "Count only the block of --block");
  counters
      ->add_flag(
          "--all-blocks", line.count.all_blocks,
          "Execute every block, even of a large grid whose totals are otherwise sums over block classes")
      ->excludes(block_only);
  counters->add_flag("--csv", line.count.csv,
                     "Print CSV: a line with figure, Nsight Compute's metric and value for each");
  counters->add_flag("--ncu-names", line.count.ncu_names,
                     "Print a line of Nsight Compute's metric names and a line of values");
  counters->callback(
      [&line] { line.chosen = [&line] { return count_kernel(line.experiment, line.count); }; });
}

void add_banks(CLI::App& app, CommandLine& line) {
  CLI::App* banks =
      app.add_subcommand("banks", "Shared-memory wavefronts and conflicts, instruction by instruction");
  add_experiment_options(*banks, line.experiment);
  banks->add_option("--patterns", line.file,
                    "Count the rows op,width,mask,_,_,word x 32 of this file instead");
  banks->callback([&line] {
    line.chosen = [&line] {
      return line.file.empty() ? report_banks(line.experiment)
                               : count_patterns(line.file, line.experiment.json);
    };
  });
}

void add_device_choice(CLI::App& command, ModelOptions& model, const char* standard) {
  command.add_option(
      "--device", model.device,
      fmt::format("The device whose time is modelled: the name of a file in assets/devices, such as h200 or "
                  "rtxa4000, or the path of a device file (default: {})",
                  standard));
  command
      .add_option("--set", model.set,
                  "NAME=VALUE, another number for the device, such as sms=66; may be repeated")
      ->expected(1)
      ->take_all();
}

// What time, stalls and lattice have in common.
void add_device_options(CLI::App& command, CommandLine& line) {
  add_experiment_options(command, line.experiment);
  add_device_choice(command, line.model, "h200");
}

void add_model_options(CLI::App& command, CommandLine& line) {
  add_device_options(command, line);
  ModelOptions& model = line.model;
  command.add_option("--trace-event", model.trace_event,
                     "Write the first resident blocks' timeline to this file, as Chrome trace events for "
                     "ui.perfetto.dev");
  command.footer(
      "The machine code is that of the device's architecture unless --arch is given. Exit status: 0 a time "
      "was "
      "modelled; 1 the model cannot time the kernel; 2 the command line is wrong.");
}

void add_time(CLI::App& app, CommandLine& line) {
  CLI::App* time =
      app.add_subcommand("time", "Model a kernel's time on a device, from its machine code, without a GPU");
  add_model_options(*time, line);
  time->add_option("--versus", line.model.versus,
                   "ID or ID:NAME=VALUE,…: explain the difference to this variant");
  time->add_flag("--parameters", line.model.parameters,
                 "Print the numbers of the device that the model reads, with their sources");
  time->add_option(
      "--recording", line.model.recording,
      "Model every entry of this recording, a file or the name of one that ships such as h200, and "
      "print the errors");
  time->callback([&line] { line.chosen = [&line] { return model_kernel(line.experiment, line.model); }; });
}

void add_stalls(CLI::App& app, CommandLine& line) {
  CLI::App* stalls = app.add_subcommand(
      "stalls", "Model what the warps wait for: by reason, by instruction and by source line");
  add_model_options(*stalls, line);
  stalls->callback([&line] { line.chosen = [&line] { return model_stalls(line.experiment, line.model); }; });
}

void add_compare(CLI::App& app, CommandLine& line) {
  CompareOptions& compare = line.compare;
  CLI::App* command = app.add_subcommand(
      "compare", "Compare two experiments: counters, conflicts, resources, times and stalls, with factors");
  add_experiment_options(*command, line.experiment);
  command->add_option("--with", compare.kernel,
                      "The other kernel, or the path of a .cu file (default: the same kernel)");
  command->add_option("--with-toggle", compare.toggles, "NAME=VALUE, a toggle of the other; may be repeated");
  command
      ->add_option("--with-input", compare.inputs,
                   "NAME=EXPRESSION, an expression of the other; may be repeated")
      ->expected(1)
      ->take_all();
  command->add_option("--with-m", compare.m, "Rows of the other's A and C");
  command->add_option("--with-n", compare.n, "Columns of the other's B and C");
  command->add_option("--with-k", compare.k, "Columns of the other's A, rows of B");
  command->add_option("--with-arch", compare.arch, "The other's architecture");
  command->add_option("--device", compare.device,
                      "The device whose times are modelled, such as h200 (default: that of --arch)");
  command->add_option("--with-device", compare.with_device, "The other's device");
  command->footer(
      "A is the kernel, B the other one: A with all that --with and --with-... change; another kernel begins "
      "with its defaults. With --device the machine code is that of the device's architecture unless --arch "
      "is given. Exit status: 0 both were executed, even if one cannot be modelled, which the table says; 1 "
      "one of them failed; 2 the command line is wrong.");
  command->callback(
      [&line] { line.chosen = [&line] { return compare_kernels(line.experiment, line.compare); }; });
}

void add_deltas(CLI::App& app, CommandLine& line) {
  CLI::App* command = app.add_subcommand(
      "deltas", "What a textbook's profiler saw from kernel to kernel, beside what the model says of it");
  add_device_choice(*command, line.model, "rtx3080");
  command->add_flag("--json", line.experiment.json, "Print JSON");
  command->callback([&line] {
    line.chosen = [&line] { return model_published_deltas(line.model, line.experiment.json); };
  });
}

void add_lattice(CLI::App& app, CommandLine& line) {
  CLI::App* command = app.add_subcommand(
      "lattice", "Model every other value of every toggle, and every pair of them, around a variant");
  add_device_options(*command, line);
  command->get_option("kernel")->description(
      "Kernel of the catalogue, or the path of a .cu file (default: workbench)");
  LatticeOptions& lattice = line.lattice;
  command->add_flag("--pairs", lattice.pairs, "Also change two toggles at a time");
  command->add_option("--vary", lattice.vary, "Change only this toggle; may be repeated")
      ->expected(1)
      ->take_all();
  command
      ->add_option("--sort", lattice.sort,
                   "change, time, registers, blocks, occupancy, excess (wavefronts) or timed (recorded ms)")
      ->capture_default_str();
  command->add_flag("--descending", lattice.descending, "Sort the largest first");
  command->add_option("--rows", lattice.rows, "Print at most so many points; 0: all");
  command->add_option("--seconds", lattice.seconds, "Begin no point later than this")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_option("--threads", lattice.threads, "Threads; 0: one per core")
      ->check(CLI::NonNegativeNumber);
  command->footer(
      "--toggle chooses the variant in the middle. Combinations that are not legal are left out and counted. "
      "Exit status: 0 a time was modelled; 1 none was; 2 the command line is wrong.");
  command->callback([&line] {
    line.chosen = [&line] { return model_lattice(line.experiment, line.model, line.lattice); };
  });
}

void add_tune(CLI::App& app, CommandLine& line) {
  TuneOptions& tune = line.tune;
  CLI::App* command =
      app.add_subcommand("tune", "Search the fastest variants of kernels: the model prunes, the GPU decides");
  command->add_option("kernels", tune.kernels,
                      "Kernels of the catalogue, ID or ID:NAME=VALUE,NAME=VALUE for other toggles to begin "
                      "with, or .cu files (default: workbench)");
  command->add_option("--size", tune.sizes, "MxNxK, or one number for a cube; may be repeated")
      ->capture_default_str();
  command
      ->add_option("--space", tune.space,
                   "NAME or NAME=V1,V2: a toggle that varies, with all of its values or with these; may be "
                   "repeated (default: all toggles)")
      ->expected(1)
      ->take_all();
  command->add_option("--keep", tune.keep, "Measure so many, the fastest by the model")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  command
      ->add_option("--within", tune.within,
                   "Also measure all that the model has within so many percent of the fastest")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1000.0));
  add_device_choice(*command, line.model, "that of the GPU, else h200");
  command->add_option("--budget", tune.seconds, "Seconds for the model, all kernels and sizes together")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_option("--threads", tune.threads, "Threads; 0: one per core")->check(CLI::NonNegativeNumber);
  command->add_option("--samples", tune.samples, "Samples of each variant and process")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000));
  command->add_option("--processes", tune.processes, "Measure in so many runners, one after the other")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  command->add_option("--runner", tune.runner, "Command line of the GPU runner")
      ->envname("GEMMSCOPE_GPU_RUNNER");
  command->add_flag("--no-gpu", tune.no_gpu, "Only model, even where there is a GPU");
  command->add_option("-o,--output", tune.output, "The recording to write")->capture_default_str();
  command->add_flag("--resume", tune.resume,
                    "Go on with an interrupted search, whose state is beside the recording");
  command->add_flag("--json", tune.json, "Print JSON");
  command->footer(
      "Combinations that no launch allows, that do not compile or do not fit an SM are counted, each with "
      "its "
      "reason. Where the budget is too small for all, a descent over single changes and pairs of them looks "
      "at "
      "some, and the output says how many. What is measured is checked against float64 first and takes turns "
      "with cuBLAS; the variant as given, and the one of by-size, are always among them. Without a GPU the "
      "ranking is the model's, and says so. Everything found is kept at once in OUTPUT.state: Ctrl+C, or a "
      "crash, loses nothing, and --resume goes on. Exit status: 0 ranked; 1 nothing could be, or a GPU that "
      "was "
      "asked for failed; 2 the command line is wrong; 130 interrupted.");
  command->callback([&line] { line.chosen = [&line] { return tune_kernels(line.tune, line.model); }; });
}

void add_render(CLI::App& app, CommandLine& line) {
  PictureOptions& picture = line.picture;
  CLI::App* render = app.add_subcommand(
      "render",
      "Draw a view at a step into a PNG or an SVG, or a range of them into a film, without a window");
  add_experiment_options(*render, line.experiment);
  const CLI::Option* output =
      render
          ->add_option(
              "-o,--output", picture.output,
              "The PNG or SVG to write, by the end of its name; with --range also a GIF or an MP4, for which "
              "ffmpeg must be installed")
          ->capture_default_str();
  render->add_option("--size", picture.size, "WIDTHxHEIGHT in pixels")->capture_default_str();
  render
      ->add_option(
          "--view", picture.view,
          "all, map, banks, code, transport, experiment, timings, lattice (modelled first, up to a "
          "minute), occupancy, explorer, "
          "pipeline or board; or a picture under the map: sectors, ports, atomics, traffic, loads or "
          "mix")
      ->capture_default_str();
  render
      ->add_option("--step", picture.step,
                   "Step of the followed warp, from 0 (default: that at which the window opens)")
      ->check(CLI::NonNegativeNumber);
  render->add_option("--warp", picture.warp, "The warp to follow")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  render->add_flag("--all-warps", picture.all_warps, "Follow all warps in turn");
  render->add_option("--wavefront", picture.wavefront, "Wavefront of the shared access, from 0")
      ->check(CLI::NonNegativeNumber);
  render->add_option("--jump", picture.jump, "Commands to run first, such as time.next_conflict,time.to_end");
  render->add_option("--lesson", picture.lesson,
                     "A page of a lesson to open first, such as 10_memory_and_banks/column");
  render->add_option("--scene", picture.scene, "A saved scene to draw: a file, or a link");
  render->add_option(
      "--range", picture.range,
      "A picture for each place of the cursor: steps:0-120, accesses:3-9 or cycles:0-4000:20 (every 20th)");
  render->add_option("--fps", picture.frames_per_second, "Pictures a second of a film")
      ->capture_default_str()
      ->check(CLI::Range(1, 60));
  render->add_flag("--progress", picture.progress,
                   "With --range: say each picture that is done, and end when standard input is closed");
  render->add_option("--mouse", picture.mouse, "X,Y in pixels: where the mouse points");
  render->add_flag("--light", picture.light, "Use the light theme");
  render->add_option("--language", picture.language, "en, or zh for Simplified Chinese")
      ->check(CLI::IsMember({"en", "zh"}));
  render->add_flag("--benchmark", picture.benchmark, "Play and measure the frame time");
  render->add_option("--each-frame", picture.each_frame,
                     "With --benchmark: commands, of which each frame runs the next, such as "
                     "pipeline.pan_right,pipeline.pan_left");
  render->add_option("--frames", picture.frames, "Frames to measure")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  render->callback([&line, output] {
    line.picture.output_given = output->count() > 0;
    line.chosen = [&line] { return render_view(line.experiment, line.picture); };
  });
}

void add_report(CLI::App& app, CommandLine& line) {
  CLI::App* report = app.add_subcommand(
      "report", "Print what is known about an experiment and write a picture of every view");
  add_experiment_options(*report, line.experiment);
  report->add_option("--out", line.folder, "Folder of the pictures")->capture_default_str();
  report->callback([&line] { line.chosen = [&line] { return write_report(line.experiment, line.folder); }; });
}

void add_occupancy(CLI::App& app, CommandLine& line) {
  OccupancyOptions& o = line.occupancy;
  CLI::App* command = app.add_subcommand(
      "occupancy", "How many blocks an SM holds at once, for a kernel or for needs set by hand");
  add_experiment_options(*command, line.experiment);
  command->add_option("--cc", o.capability,
                      "Compute capability of the SM, 1.0 to 12.1 (default: that of --arch)");
  command->add_option("--threads", o.threads, "Threads per block (by hand: 256)")
      ->check(CLI::Range(1, 1 << 20));
  command->add_option("--registers", o.registers, "Registers per thread; 0: not counted (by hand: 32)")
      ->check(CLI::Range(0, 1 << 16));
  command
      ->add_option("--shared-bytes", o.shared_bytes,
                   "Shared memory per block, static and dynamic (by hand: 0)")
      ->check(CLI::Range(0, 1 << 28));
  command
      ->add_option("--from-registers", o.from_registers,
                   "Name the boundaries crossed from this number of registers")
      ->check(CLI::Range(0, 1 << 16));
  command->add_option("--preset", o.preset, "An example or exercise by its name; --presets lists them");
  command->add_flag("--presets", o.list_presets, "List the examples and exercises, each with its answer");
  command->add_flag("--throughput", o.list_throughput, "Print the throughput table of all capabilities");
  command->add_option("--golden", o.golden_file,
                      "Compare each row of a CSV file (or .csv.xz) with this program's answer");
  command->footer(
      "Without KERNEL the needs are set by hand. Exit status of --golden: 0 all rows are equal; 1 some "
      "differ, or the file is malformed.");
  command->callback(
      [&line] { line.chosen = [&line] { return report_occupancy(line.experiment, line.occupancy); }; });
}

void add_explore(CLI::App& app, CommandLine& line) {
  ExploreOptions& o = line.explore;
  CLI::App* command = app.add_subcommand(
      "explore", "Bank conflicts of accesses to a tile in shared memory that are typed; nothing is executed");
  command->add_option("--declare", o.declaration, "The tile, as in CUDA C++")->capture_default_str();
  command
      ->add_option(
          "--access", o.accesses,
          "[load|store|ldmatrix.x4] [TYPE] NAME[INDEX][INDEX] [if CONDITION], with integer expressions of "
          "lane, warp, tid, threadIdx.x, blockDim.x, i, j and k; may be repeated")
      ->required();
  command->add_option("--pad", o.padding, "Elements after each row")
      ->check(CLI::Range(0, metrics::kMostPadding))
      ->capture_default_str();
  command
      ->add_option("--swizzle", o.swizzle,
                   "The column where an element lies, an expression of row and column")
      ->capture_default_str();
  command->add_option("--let", o.let, "NAME=VALUE of i, j or k; may be repeated");
  command->add_option("--block-dim", o.block_dim, "Threads of the block, for threadIdx and tid")
      ->capture_default_str();
  command->add_option("--warp", o.warp, "The warp of the block")
      ->check(CLI::Range(0, 31))
      ->capture_default_str();
  command->add_flag("--find-fix", o.find_fix,
                    "Search the smallest padding and the XOR swizzles with which no access has a conflict");
  command->add_flag("--json", o.json, "Print JSON");
  command->footer("A fix holds for the values 0 to 31 of i, j and k, as far as they lie in the tile.");
  command->callback([&line] { line.chosen = [&line] { return explore_banks(line.explore); }; });
}

void add_by_size(CLI::App& app, CommandLine& line) {
  CLI::App* command = app.add_subcommand(
      "by-size", "Which FP32 variant the kernel \"by_size\" stands for, and what others would cost");
  ExperimentOptions& o = line.experiment;
  command->add_option("-m,--m", o.m, "M, the rows of A and C")->capture_default_str();
  command->add_option("-n,--n", o.n, "N, the columns of B and C")->capture_default_str();
  command->add_option("-k,--k", o.k, "K, the columns of A and rows of B")->capture_default_str();
  command->add_option("--count", line.by_size_count, "How many variants to print")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_flag("--json", o.json, "Print JSON");
  command->callback(
      [&line] { line.chosen = [&line] { return print_by_size(line.experiment, line.by_size_count); }; });
}

void add_record(CLI::App& app, CommandLine& line) {
  RecordOptions& record = line.record;
  CLI::App* command = app.add_subcommand(
      "record", "Time the catalogue and cuBLAS on this computer's GPU and write a recording");
  command->add_option("--size", record.sizes, "MxNxK, or one number for a cube; may be repeated")
      ->capture_default_str();
  command->add_option("--samples", record.samples, "Samples of each variant")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000));
  command->add_option("--only", record.only,
                      "Only this kernel of the catalogue, or by_size; may be repeated");
  command->add_flag("--all-toggles", record.all_toggles,
                    "Also time each other value of each toggle, one at a time");
  command->add_option("--also", record.also,
                      "ID:NAME=VALUE,NAME=VALUE: also time this kernel with these toggles; may be repeated");
  command
      ->add_option("--processes", record.processes,
                   "Measure in so many runners, one after the other, and keep all samples: cuBLAS's times "
                   "differ from process to process")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_flag("--flush-l2", record.flush_l2, "Overwrite the L2 cache before each launch");
  command->add_option(
      "--bandwidth-into", record.rates_into,
      "Measure only the bandwidth of L2 and of L1, and write it into this recording of the same GPU");
  command->add_option("-o,--output", record.output, "The file to write")->capture_default_str();
  command->add_option("--runner", record.runner,
                      "Command line of the GPU runner, such as \"ssh lab-gpu gemmscope-gpu-runner\"");
  command->footer(
      "Each product is checked against float64 before it is timed; then all take turns, sample by sample. "
      "The "
      "bandwidth of L2 and of L1 is measured first, for the roofs of the roofline.");
  command->callback([&line] { line.chosen = [&line] { return record_timings(line.record); }; });
}

void add_figures(CLI::App& app, CommandLine& line) {
  FigureOptions& figures = line.figures;
  CLI::App* command = app.add_subcommand(
      "figures", "Print all figures of an experiment as a table: exact, modelled and recorded, each said so");
  add_experiment_options(*command, line.experiment);
  command->add_flag_callback(
      "--csv", [&figures] { figures.format = "csv"; }, "Print CSV (the default)");
  command->add_option("-o,--output", figures.output, "The file to write; -: standard output")
      ->capture_default_str();
  command->add_option("--scene", figures.scene, "The experiment of a saved scene: a file, or a link");
  command->add_option("--device", figures.device,
                      "The device whose time is modelled, such as h200 (default: that of --arch)");
  command->callback(
      [&line] { line.chosen = [&line] { return print_figures(line.experiment, line.figures); }; });
}

void add_grade(CLI::App& app, CommandLine& line) {
  GradeOptions& grade = line.grade;
  CLI::App* command = app.add_subcommand("grade", "Grade a student's scene by a rubric");
  command->add_option("scene", grade.scene, "The scene that was handed in: a file, or a link")->required();
  command->add_option("--expect", grade.expect, "The rubric, a .toml file")->required();
  command->add_flag("--json", grade.json, "Print JSON");
  command->footer(
      "Exit status: 0 every condition holds; 1 a file cannot be read, or the kernel of the scene fails; 2 "
      "the command "
      "line is wrong; 3 a condition does not hold.");
  command->callback([&line] { line.chosen = [&line] { return grade_scene(line.grade); }; });
}

void add_lessons(CLI::App& app, CommandLine& line) {
  CLI::App* lessons = app.add_subcommand(
      "lessons", "List the lessons, or print one with its figures and say what does not hold");
  lessons->add_option("lesson", line.lessons.lesson, "The id of a lesson, or a .toml file");
  lessons->add_option("--page", line.lessons.page, "Only the page of this id");
  lessons->add_flag("--json", line.experiment.json, "Print JSON");
  lessons->add_flag("--chinese", line.lessons.chinese, "In Chinese; a text that has none counts as missing");
  lessons->add_flag("--keep-figures", line.lessons.keep_figures,
                    "Write the figures of all lessons that need NVRTC into the file that ships with them");
  lessons->callback([&line] {
    line.chosen = [&line] {
      line.lessons.json = line.experiment.json;
      return run_lessons(line.lessons);
    };
  });
}

void add_recordings(CLI::App& app, CommandLine& line) {
  CLI::App* recordings = app.add_subcommand(
      "recordings", "Print a recording; without a file, list those that ship with the program");
  recordings->add_option("file", line.file, "The recording");
  recordings->add_flag("--markdown", line.markdown, "Print it as a Markdown table, as in the README");
  recordings->callback([&line] {
    line.chosen = [&line] {
      return line.file.empty() ? list_recordings() : show_recording(line.file, line.markdown);
    };
  });
}

// What a package installs, and what a user of an unpacked program asks for by hand.
void add_documents(CLI::App& app, CommandLine& line) {
  CLI::App* manual = app.add_subcommand("man", "Print the manual page: gemmscope man | man -l -");
  manual->callback([&app, &line] {
    line.chosen = [&app] {
      fmt::print("{}", manual_page(app));
      return 0;
    };
  });
  CLI::App* completion = app.add_subcommand(
      "completion", "Print the script with which a shell completes commands: bash, zsh or fish");
  completion->add_option("shell", line.shell, "bash, zsh or fish")->required();
  completion->footer("For bash, now: source <(gemmscope completion bash)");
  completion->callback([&line] { line.chosen = [&line] { return print_completion_script(line.shell); }; });
}

// Empty where the text is a number of the kind, else what is wrong with it.
std::string number_fault(const std::string& text, bool whole, bool negative) {
  char* end = nullptr;
  errno = 0;
  if (!whole)
    (void)std::strtod(text.c_str(), &end);
  else if (negative)
    (void)std::strtoll(text.c_str(), &end, 0);
  else
    (void)std::strtoull(text.c_str(), &end, 0);
  const bool read = end != text.c_str() && *end == '\0' && (negative || !text.starts_with('-'));
  if (!read)
    return fmt::format("expected {}, not {}",
                       !whole     ? "a number, such as 0.5"
                       : negative ? "a whole number, such as 256"
                                  : "a whole number from 0, such as 256",
                       text);
  return whole && errno == ERANGE ? text + " is too large" : "";
}

// Says more than that a text could not be converted.
void check_numbers(CLI::App& app) {
  for (CLI::Option* const option : app.get_options()) {
    const std::string type = option->get_type_name();
    const bool whole = type.starts_with("INT") || type.starts_with("UINT"),
               natural = type.starts_with("UINT");
    if (!whole && !type.starts_with("FLOAT")) continue;
    option->check([=](const std::string& text) { return number_fault(text, whole, !natural); }, "");
  }
  for (CLI::App* const command : app.get_subcommands({})) check_numbers(*command);
}

void add_all(CLI::App& app, CommandLine& line) {
  app.require_subcommand(0, 1);
  app.footer("Without a subcommand the window opens.");
  app.set_version_flag("--version", fmt::format("gemmscope {}", version()), "Print the version and exit");
  add_experiment_options(app, line.experiment, "--kernel");
  app.add_option("--gpu-runner", line.window.gpu_runner,
                 "Command line of the GPU runner, such as \"ssh lab-gpu gemmscope-gpu-runner\"")
      ->envname("GEMMSCOPE_GPU_RUNNER");
  app.add_option("--lesson", line.window.lesson,
                 "A page of a lesson to open in the window, such as 10_memory_and_banks/column");
  app.add_option("--scene", line.window.scene, "A saved scene to open in the window: a file, or a link");
  app.add_option("--language", line.window.language,
                 "Of the window: en, or zh for Simplified Chinese (default: as last time, else by LANG)")
      ->check(CLI::IsMember({"en", "zh"}));
  add_kernels(app, line);
  add_run(app, line);
  add_disasm(app, line);
  add_lint(app, line);
  add_schedule(app, line);
  add_ports(app, line);
  add_counters(app, line);
  add_banks(app, line);
  add_occupancy(app, line);
  add_explore(app, line);
  add_time(app, line);
  add_stalls(app, line);
  add_compare(app, line);
  add_deltas(app, line);
  add_lattice(app, line);
  add_tune(app, line);
  add_render(app, line);
  add_report(app, line);
  add_by_size(app, line);
  add_record(app, line);
  add_recordings(app, line);
  add_lessons(app, line);
  add_figures(app, line);
  add_grade(app, line);
  add_documents(app, line);
  check_numbers(app);
}

// The words after "complete --", which are no options of this program's.
std::vector<std::string> words_to_complete(int argc, char** argv) {
  const int first = argc > 2 && argv[2] == std::string_view("--") ? 3 : 2;
  return {argv + first, argv + argc};
}

}  // namespace

int run_command_line(int argc, char** argv) {
  CLI::App app("Shows why one GPU matrix multiply is faster than another.", "gemmscope");
  CommandLine line;
  line.record.command = line.tune.command = command_text(argc, argv);
  add_all(app, line);
  if (argc > 1 && argv[1] == std::string_view(kCompleteWord))
    return print_completions(app, words_to_complete(argc, argv));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kBadUse;
  }
  return line.chosen ? line.chosen() : open_window(line.experiment, line.window);
}

}  // namespace gemmscope::cli
