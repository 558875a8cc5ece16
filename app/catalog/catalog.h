// The catalogue of kernels. A kernel is one .cu file that begins with a TOML comment block. The same code
// reads the built-in ladder, a lab and a file that a user opens.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "catalog/illegal.h"
#include "catalog/lab.h"
#include "catalog/parameter.h"

namespace gemmscope::catalog {

// One GEMM: C = alpha * A(MxK) * B(KxN) + beta * C(MxN), all row-major float.
struct Problem {
  int64_t m = 256, n = 256, k = 256;
  float alpha = 1.0f, beta = 0.0f;
};

struct Toggle {
  std::string name;   // a macro of the source
  std::string title;  // for the panel
  std::vector<int64_t> values;
  int64_t default_value = 0;
  std::vector<std::string> labels;  // one per value; empty: the numbers themselves
  std::string group;                // heading above it in the panel; empty: none
  std::string help;                 // its effect and what to look at; empty: none

  // Returns "row" or "4". A value that the toggle does not have gives its number.
  std::string label_of(int64_t value) const;
};

// The tile hierarchy, in elements of C (and of k); 0 if the kernel does not have the level.
struct TileShape {
  int64_t block_m = 0, block_n = 0, block_k = 0;
  int64_t warp_m = 0, warp_n = 0;
  int64_t thread_m = 0, thread_n = 0;
};

// What a user specifies for a file besides its description, or in place of one. The keys are the same, and
// these values win.
struct Overrides {
  std::string entry;                       // a C++ name; "sgemm<64, 64>" for a template
  std::vector<std::string> block, grid;    // one to three expressions; empty: not given
  std::string shared;                      // expression; empty: not given
  std::map<std::string, int64_t> defines;  // macros, which expressions may name too
  std::vector<Parameter> parameters;       // all, in order; empty: not given
  bool column_major = false;               // for guessed matrices
};

// The format to which the factors of a product are rounded. It decides which peak and which library product
// the kernel is compared with.
enum class Grade : uint8_t { fp32, tf32, bf16 };

struct Kernel {
  std::string id;  // file name without ".cu": "01_naive_rows"
  std::string title, entry;
  std::string changed;               // what changed since the step before
  std::string why;                   // why that should help
  std::string look_at;               // what to look at on the screen
  std::vector<std::string> show_me;  // ids of commands that show it, in order; empty: none
  std::filesystem::path path;
  std::string folder;  // in the catalogue: "ladder", "workbench", "labs"; empty for a user's own file
  std::string source;  // the whole file
  std::array<std::string, 3> block_expressions, grid_expressions;  // of M, N, K and the toggles
  std::string shared_expression;                                   // dynamic shared memory, bytes
  std::map<std::string, std::string> tile_expressions;             // block_m … thread_n
  std::map<std::string, std::string> divisibility;                 // "N" -> "4"
  std::vector<Toggle> toggles;
  std::vector<IllegalRule> illegal;          // combinations of toggles that do not exist
  std::vector<Parameter> parameters;         // in order; empty: the fixed signature
  std::map<std::string, int64_t> defines;    // macros for the compiler, which expressions may name
  std::map<std::string, int64_t> constants;  // integer constants of the source, which expressions may name
  int architecture = 0;                      // least NN of sm_NN that it compiles for; 0: any
  bool tf32 = false;                         // tensor cores use 10 bits of a factor's fraction
  // Nonzero: these bits are rounded to nearest; 0 or empty: truncated.
  std::string rounded_expression;

  // ---- for a small experiment, see catalog/lab.h
  std::vector<Input> inputs;
  std::vector<LaunchStep> launches;  // empty: one, of `entry`; else `entry` and its keys repeat the first
  Check check;
  Picture picture = Picture::none;

  // ---- for a user's own file, see own_kernel/open_kernel.h
  bool opened = false;
  Overrides overrides;
  bool mangled = false;                        // `entry` is a C++ name, whose symbol only the compiler knows
  bool square = false;                         // one size gives M, N and K
  std::map<std::string, int64_t> fixed_sizes;  // sizes that are macros of the source
  std::vector<std::string> guesses;            // one sentence per guess
};

struct Launch {
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  uint32_t dynamic_shared_bytes = 0;
  TileShape tile;
};

// Reads a kernel whose comment block has all keys. Errors name the file, the line and the key.
Result<Kernel> read_kernel(const std::filesystem::path& path);
// True if the name ends in ".cu" or ".cuh".
bool is_cuda_file(const std::filesystem::path& path);
// All .cu files of a folder and its subfolders, sorted by file name, with those of workbench/ after the
// others and those of labs/ last. A malformed file, or one with a name that exists already, gives an entry
// of `errors`; the others are still read.
struct Catalog {
  std::vector<Kernel> kernels;
  std::vector<Error> errors;
  const Kernel* find(std::string_view id) const;
  // For an id whose number has changed: the kernel of the same name ("07_register_tile" for
  // "06_register_tile"). Null where there is none, or more than one.
  const Kernel* find_renumbered(std::string_view id) const;
};
Catalog read_catalog(const std::filesystem::path& kernels_folder);
// The program's own kernels/, assets/ and shaders/, in the folder of folders.h, or in the one that the
// environment variable GEMMSCOPE_DATA names.
std::filesystem::path kernels_folder();
std::filesystem::path assets_folder();
std::filesystem::path shaders_folder();

// As the kernel's description says: TF32 as declared, BF16 where A holds numbers of 16 bits (tensor cores are
// as fast with float16), else FP32. What its machine code multiplies with: experiment::executed_grade.
Grade declared_grade(const Kernel& kernel);

// Rounds the sizes of the problem up to multiples of what must divide them. Errors: those of
// expression_values, and an invalid divisor.
Result<Problem> fitted(const Kernel& kernel, Problem problem, const std::map<std::string, int64_t>& toggles);

struct ActiveLaunch {
  std::string title, entry;
  Launch launch;
};
// The launches that the toggles leave, in order; at least one. Errors: those of launch_for, or none is left.
Result<std::vector<ActiveLaunch>> launches_for(const Kernel& kernel, const Problem& problem,
                                               const std::map<std::string, int64_t>& toggles,
                                               int sm = kNewestSm);
// The launch of the kernel's reference (kernel.check).
Result<Launch> check_launch_for(const Kernel& kernel, const Problem& problem,
                                const std::map<std::string, int64_t>& toggles);

// The first of launches_for. Errors: a size under 1, a matrix of more than 2^31 - 1 elements, an alpha or
// beta that is not finite, a size that is not divisible as required, an unknown toggle or illegal value, an
// illegal combination (the rule's sentence), a grid or block beyond CUDA's limits, a square kernel with
// different sizes, a size other than the source's macro.
Result<Launch> launch_for(const Kernel& kernel, const Problem& problem,
                          const std::map<std::string, int64_t>& toggles, int sm = kNewestSm);

// The values of the names in a kernel's expressions: M, N, K, constants, defines and toggles. Errors: an
// unknown toggle or illegal value.
Result<std::map<std::string, int64_t, std::less<>>> expression_values(
    const Kernel& kernel, const Problem& problem, const std::map<std::string, int64_t>& toggles);

}  // namespace gemmscope::catalog
