// Checks every sentence with a number in the README's prose.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include "claims.h"
#include "cli/cli.h"
#include "compile/compiler.h"
#include "experiment/devices.h"
#include "experiment/modelled_time.h"
#include "experiment/pipeline.h"
#include "experiment/problem_data.h"
#include "experiment/recording.h"
#include "experiment/size_sweep.h"
#include "experiment/verify.h"
#include "gpu/timing_protocol.h"
#include "isa/arch.h"
#include "metrics/banks.h"
#include "metrics/occupancy.h"
#include "metrics/peak.h"
#include "metrics/sample_statistics.h"
#include "metrics/sectors.h"
#include "readme_text.h"

namespace gemmscope::claims {
namespace {

std::string file_text(const char* path) {
  std::ifstream file(std::filesystem::path(GEMMSCOPE_SOURCE_DIR) / path);
  return {std::istreambuf_iterator<char>(file), {}};
}

const catalog::Catalog& the_catalog() {
  static const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  return catalog;
}

const experiment::Recording& shipped_recording() {
  static const auto recording = experiment::read_recording(experiment::recordings_folder() / "h200.json");
  if (!recording) throw std::runtime_error(recording.error().message);
  return *recording;
}
// Leaves out the line that names the written file.
std::string recorded_command() {
  const std::string& command = shipped_recording().front().command;
  return command.substr(0, std::min(command.find(" -o "), command.find(" --output ")));
}

metrics::Comparison compare(std::initializer_list<double> a, std::initializer_list<double> b) {
  return metrics::compare_samples(metrics::summarize_samples(std::vector<double>(a)),
                                  metrics::summarize_samples(std::vector<double>(b)));
}

// On an H200, with the default sizes.
double modelled_ms(const std::string& kernel) {
  experiment::Experiment e;
  e.kernel = kernel;
  e.arch = isa::Arch::sm_90;
  const auto device = experiment::choose_device(experiment::shipped_devices(), e.arch);
  const auto compiled = experiment::compile_kernel(*the_catalog().find(kernel), e);
  if (!device || !compiled) throw std::runtime_error(kernel + " was not compiled for a device");
  const auto sample = experiment::sample_timing(**compiled, e, *device);
  if (!sample) throw std::runtime_error(sample.error().message);
  const auto time = experiment::model_time(**sample, *device);
  if (!time) throw std::runtime_error(time.error().message);
  return (*time)->milliseconds;
}

// Returns the rounding bound of the only element of a product of 1 x K by K x 1, computed from its ratio to a
// large error.
double bound_of_one_element(const catalog::Problem& problem) {
  const std::vector<float> wrong = {1e6f};
  const experiment::Verification found = experiment::verify_gemm(problem, wrong);
  return found.largest_error / found.largest_ratio;
}

Claims readme_claims() {
  return {
      {"The window: a tile of C with the elements that 32 lanes work on, the banks of a shared-memory store, "
       "source and machine code side by side",
       [] { EXPECT_EQ(machine::kWarpLanes, 32); }},
      {"./run.sh --build-only stops after the build; all other arguments are passed to the program (./run.sh "
       "run 11_prefetch --m 512).",
       [] {
         const catalog::Kernel* kernel = the_catalog().find("11_prefetch");
         ASSERT_NE(kernel, nullptr);
         EXPECT_TRUE(catalog::launch_for(*kernel, {.m = 512}, {}));
       }},
      {"If NVIDIA's CUDA Toolkit 12 or 13 is installed, the program uses its compiler library NVRTC at run "
       "time, and nothing else of it.",
       [] {
         EXPECT_NE(file_text("app/compile/nvrtc_library.cpp").find("constexpr int kOldestMajor = 12;"),
                   std::string::npos);
         const auto version = compile::nvrtc_version();
         if (!version) return;
         const int major = std::stoi(*version);
         EXPECT_GE(major, 12);
         EXPECT_LE(major, 13) << "then the README may name it";
       }},
      {"It runs on an x86-64 Linux desktop with OpenGL, glibc 2.35 or newer and the C++ library of GCC 12 or "
       "newer.",
       [] {
         // The test reads these from the programs' symbols; GLIBCXX_3.4.30 came with GCC 12.
         EXPECT_NE(file_text("tests/install/install_test.sh").find("\"GLIBC_2.35 GLIBCXX_3.4.30\""),
                   std::string::npos);
       }},
      {"The kernels are a ladder of nineteen steps, one idea each (kernels/ladder): from one thread and one "
       "element over coalesced loads, tiles in shared memory, coarsening, vector loads, tiles in registers, "
       "both kinds of tiles together, layouts without bank conflicts, double buffering, prefetching, warp "
       "tiles and asynchronous copies to tensor cores with TF32 and bfloat16, in FP32 again an order for the "
       "register file's banks and split-K, and at last, for Hopper's tensor cores, copies of whole tiles "
       "that "
       "no warp makes (TMA).",
       [] {
         const auto& kernels = the_catalog().kernels;
         EXPECT_EQ(std::ranges::count(kernels, "ladder", &catalog::Kernel::folder), 19);
       }},
      {"gemmscope banks --patterns FILE counts access patterns of your own, one a line: op,width,mask,_,_, "
       "and 32 word addresses.",
       [] { EXPECT_EQ(metrics::SharedAccess().addresses.size(), 32u); }},
      {"gemmscope run exits with status 1 if the kernel fails or C is wrong, and with 3 if C is right by "
       "luck.",
       [] {
         EXPECT_EQ(cli::kFailed, 1);
         EXPECT_EQ(cli::kFoundMistakes, 3);
       }},
      {"Wavefronts follow the bank rule of compute capability 5.0 and later; sectors are the distinct "
       "32-byte segments of an access.",
       [] {
         for (const isa::Arch arch : isa::kAllArchs) EXPECT_GE(isa::sm_number(arch), 50);
         EXPECT_EQ(metrics::kSectorBytes, 32);
       }},
      {"The bound is the rounding bound γ(K+3)·(|α||A||B| + |β||C|), wider where tensor cores round factors "
       "to TF32.",
       [] {
         for (const int64_t k : {1, 5, 100}) {
           const catalog::Problem problem = {.m = 1, .n = 1, .k = k, .alpha = -2};
           const experiment::ProblemData data = experiment::make_problem_data(problem);
           const auto matrix = [&](const char* name) {
             for (const auto& buffer : data.memory.buffers())
               if (buffer.name == name) return experiment::as_floats(buffer.bytes);
             throw std::runtime_error("there is no matrix");
           };
           double sum = 0;
           for (size_t i = 0; i < static_cast<size_t>(k); ++i)
             sum += std::abs(double{matrix("A")[i]} * double{matrix("B")[i]});
           const double nu = static_cast<double>(k + 3) * std::ldexp(1, -24), gamma = nu / (1 - nu);
           EXPECT_NEAR(bound_of_one_element(problem) / (gamma * 2 * sum), 1, 1e-9) << k;
         }
         const catalog::Kernel* tensor = the_catalog().find("14_tensor_tf32");
         ASSERT_NE(tensor, nullptr);
         EXPECT_GT(experiment::make_problem_data(*tensor, {}, {})->factor_error, 0);
       }},
      {"The machine executes what NVRTC makes of a kernel for sm_75, 80, 86, 89 and 90: integers, all float "
       "formats, atomics, shuffles, tensor cores (mma.sync, ldmatrix), asynchronous copies, named barriers, "
       "and "
       "of Hopper barrier objects (mbarrier) and the bulk and tensor copies (TMA) into shared memory, whose "
       "time is modelled, too.",
       [] {
         std::vector<int> numbers;
         for (const isa::Arch arch : isa::kAllArchs) numbers.push_back(isa::sm_number(arch));
         EXPECT_EQ(numbers, (std::vector<int>{75, 80, 86, 89, 90}));
         EXPECT_GT(modelled_ms("18_tensor_copy_tf32"), 0);
       }},
      {"A sample is the median of five batches of launches, so that it gives the kernel's time even on a GPU "
       "that also draws the desktop.",
       [] { EXPECT_EQ(gpu::kBatchesPerSample, 5u); }},
      {"The peak is 2 × clock × FP32 lanes.",
       [] {
         const metrics::GpuShape gpu = {"NVIDIA H200", 90, 132, 1980};
         EXPECT_DOUBLE_EQ(metrics::peak_fp32_flops(gpu), 2 * 1980e6 * 132 * metrics::fp32_lanes_per_sm(90));
       }},
      {"~ marks two times that are not distinguishable: the middle halves of their samples overlap.",
       [] {
         using metrics::Comparison;
         // The middle half of each goes from the second to the fourth sample.
         EXPECT_EQ(compare({1, 2, 3, 4, 9}, {3, 4, 5, 6, 7}), Comparison::indistinguishable);
         EXPECT_EQ(compare({1, 2, 3, 3.9, 9}, {3, 4, 5, 6, 7}), Comparison::faster);
         EXPECT_EQ(compare({3, 4, 5, 6, 7}, {1, 2, 3, 3.9, 9}), Comparison::slower);
       }},
      {"On an H200, recorded with " + recorded_command() + ":",
       [] { EXPECT_EQ(shipped_recording().front().device.name, "NVIDIA H200"); }},
      {"The FP32 variant that gemmscope by-size names, at 40 sizes on the same GPU, against cuBLAS's median "
       "over "
       "five processes in turn with it: 1.12 times as fast in the geometric mean, slower at 3 sizes, least "
       "at 1023 "
       "\u00d7 1025 \u00d7 511 with 0.92.",
       [] {
         const auto runs = experiment::read_recording(experiment::recordings_folder() / "h200_sizes.json");
         ASSERT_TRUE(runs) << runs.error().message;
         EXPECT_NE(runs->front().command.find("--only by_size --samples 3 --processes 5"), std::string::npos);
         const experiment::SizeSweep sweep = experiment::size_sweep(*runs);
         EXPECT_EQ(sweep.points.size(), 40u);
         EXPECT_NEAR(sweep.geometric_mean, 1.12, 0.005);
         EXPECT_EQ(std::ranges::count_if(sweep.points, [](const auto& p) { return p.of_library < 1; }), 3);
         const experiment::SizePoint& least = sweep.points[sweep.least];
         EXPECT_EQ(experiment::size_text(least.problem), "1023 \u00d7 1025 \u00d7 511");
         EXPECT_NEAR(least.of_library, 0.92, 0.005);
       }},
  };
}

TEST(ReadmeClaims, EachIsTrue) { check_claims(prose_of(file_text("README.md")), readme_claims()); }

TEST(ProseOf, LeavesOutCodeTablesHeadingsAndWhatIsGenerated) {
  const auto prose = prose_of(
      "# 1 heading\nTwo **bold** words\nand `a line` [linked](there/4).\n\n```\n5 lines of code\n```\n| 6 | "
      "7 |\nThe end.\n<!-- gemmscope recordings x -->\nRecorded 8 times.\n<!-- end -->\n- an item\n  goes "
      "on\n- ![a picture](9.png)\n");
  EXPECT_EQ(prose, (std::map<std::string, std::string>{{"line 2", "Two bold words and a line linked."},
                                                       {"line 9", "The end."},
                                                       {"line 13", "an item goes on"},
                                                       {"line 15", "a picture"}}));
}

}  // namespace
}  // namespace gemmscope::claims
