// Which kernels there are. A kernel is one .cu file that starts with a TOML comment block; the built-in
// ladder, a lab and a file that a user opens are read by the same code.
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
  std::vector<std::string> labels;  // of the values; empty: the numbers themselves
  std::string group;                // heading under which the panel puts it; empty: none
  std::string help;                 // what it does and what to look at; empty: none

  // "row", "4". A value that is none of the toggle's is its number.
  std::string label_of(int64_t value) const;
};

// The tile hierarchy, in elements of C (and of k); 0 where the kernel has no such level.
struct TileShape {
  int64_t block_m = 0, block_n = 0, block_k = 0;
  int64_t warp_m = 0, warp_n = 0;
  int64_t thread_m = 0, thread_n = 0;
};

// What a user says of a file besides its description, or instead of one: the same keys, and these win.
struct Overrides {
  std::string entry;                       // a C++ name; "sgemm<64, 64>" for a template
  std::vector<std::string> block, grid;    // one to three expressions; empty: not given
  std::string shared;                      // expression; empty: not given
  std::map<std::string, int64_t> defines;  // macros, also names in expressions
  std::vector<Parameter> parameters;       // all of them in order; empty: not given
  bool column_major = false;               // of matrices that are guessed
};

// What the factors of a product are rounded to, and so which peak and which library product it is held
// against.
enum class Grade : uint8_t { fp32, tf32, bf16 };

struct Kernel {
  std::string id;  // file name without ".cu": "01_naive_rows"
  std::string title, entry;
  std::string changed;  // what changed since the step before
  std::string why;      // why that should help
  std::string look_at;  // what to look at on the screen
  std::filesystem::path path;
  std::string folder;  // of the catalogue: "ladder", "workbench", "labs"; empty for a user's own file
  std::string source;  // the whole file
  std::array<std::string, 3> block_expressions, grid_expressions;  // of M, N, K and the toggles
  std::string shared_expression;                                   // dynamic shared memory, bytes
  std::map<std::string, std::string> tile_expressions;             // block_m … thread_n
  std::map<std::string, std::string> divisibility;                 // "N" -> "4"
  std::vector<Toggle> toggles;
  std::vector<IllegalRule> illegal;          // combinations of toggles that there are not
  std::vector<Parameter> parameters;         // in order; empty: the fixed signature
  std::map<std::string, int64_t> defines;    // macros for the compiler, names in expressions
  std::map<std::string, int64_t> constants;  // integer constants of the source, names in expressions
  int architecture = 0;                      // least NN of sm_NN that it compiles for; 0: any
  bool tf32 = false;                         // tensor cores take 10 bits of a factor's fraction …
  std::string rounded_expression;  // … rounded to nearest where this is not 0, else cut; empty: cut

  // ---- of a small experiment: see catalog/lab.h
  std::vector<Input> inputs;
  std::vector<LaunchStep> launches;  // empty: one, of `entry`; else `entry` and its keys are the first one's
  Check check;
  Picture picture = Picture::none;

  // ---- of a user's own file: see own_kernel/open_kernel.h
  bool opened = false;
  Overrides overrides;
  bool mangled = false;  // `entry` is a C++ name: the compiler knows the one in the machine code
  bool square = false;   // one size stands for M, N and K
  std::map<std::string, int64_t> fixed_sizes;  // sizes that are macros of the source
  std::vector<std::string> guesses;            // what was guessed, a sentence each
};

struct Launch {
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  uint32_t dynamic_shared_bytes = 0;
  TileShape tile;
};

// Reads the comment block; all keys must be there. Errors name the file, the line and the key.
Result<Kernel> read_kernel(const std::filesystem::path& path);
// By its name: ".cu" or ".cuh".
bool is_cuda_file(const std::filesystem::path& path);
// All .cu files of a folder and the folders below it: those in workbench/ after the others, those in labs/
// last, each sorted by file name. A malformed one, and one whose
// name there is already, is an entry of `errors`; the others still come.
struct Catalog {
  std::vector<Kernel> kernels;
  std::vector<Error> errors;
  const Kernel* find(std::string_view id) const;
  // For an id whose number has changed: the kernel of the same name ("07_register_tile" for
  // "06_register_tile"). Null where there is none, or more than one.
  const Kernel* find_renumbered(std::string_view id) const;
};
Catalog read_catalog(const std::filesystem::path& kernels_folder);
// Where the program's own kernels/ and assets/ are: beside the sources when run from the build folder, else
// installed.
std::filesystem::path kernels_folder();
std::filesystem::path assets_folder();

// By its factors: TF32 as declared, BF16 where A holds numbers of 16 bits (tensor cores are as fast with
// float16), else FP32.
Grade grade_of(const Kernel& kernel);

// The problem with its sizes rounded up to what must divide them. Errors: as expression_values, and a divisor
// that is none.
Result<Problem> fitted(const Kernel& kernel, Problem problem, const std::map<std::string, int64_t>& toggles);

struct ActiveLaunch {
  std::string title, entry;
  Launch launch;
};
// The launches that the toggles leave, in order; at least one. Errors: as launch_for, or none is left.
Result<std::vector<ActiveLaunch>> launches_for(const Kernel& kernel, const Problem& problem,
                                               const std::map<std::string, int64_t>& toggles,
                                               int sm = kNewestSm);
// How the kernel's reference (kernel.check) is launched.
Result<Launch> check_launch_for(const Kernel& kernel, const Problem& problem,
                                const std::map<std::string, int64_t>& toggles);

// The first of launches_for. Errors: sizes under 1 or over 2^31 - 1 elements a matrix, a divisibility that
// does not hold, an unknown toggle or illegal value, an illegal combination (the rule's sentence), a
// grid or block beyond CUDA's limits. A square kernel
// with different sizes, a size other than the source's macro.
Result<Launch> launch_for(const Kernel& kernel, const Problem& problem,
                          const std::map<std::string, int64_t>& toggles, int sm = kNewestSm);

// What names in a kernel's expressions stand for: M, N, K, constants, defines and toggles. Errors: an unknown
// toggle or illegal value.
Result<std::map<std::string, int64_t, std::less<>>> expression_values(
    const Kernel& kernel, const Problem& problem, const std::map<std::string, int64_t>& toggles);

}  // namespace gemmscope::catalog
