// Checks the chain of inlined calls of each instruction, for every kernel of the catalogue. The chain leads
// to the kernel's own file, and the source has a call of the function at each place. The test searches the
// source line by line for names, without the line table.
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>
#include <utility>

#include "experiment/pipeline.h"
#include "ladder_run.h"

namespace gemmscope::experiment {
namespace {

using Place = CompiledKernel::Place;

const catalog::Catalog& everything() {
  static const catalog::Catalog catalog =
      catalog::read_catalog(std::filesystem::path(GEMMSCOPE_SOURCE_DIR) / "kernels");
  return catalog;
}

// Compiles with the default toggles, which the prebuilt pack has too. Null if the kernel does not run.
std::shared_ptr<const CompiledKernel> compiled_for(const catalog::Kernel& kernel, isa::Arch arch) {
  const auto problem = fitted_for(kernel, arch, {128, 128, 128});
  if (!problem) return nullptr;
  const Outcome<CompiledKernel> compiled = compile_kernel(kernel, experiment_on(kernel.id, arch, *problem));
  EXPECT_TRUE(compiled.has_value()) << kernel.id << ": " << (compiled ? "" : compiled.error().message);
  return compiled.value_or(nullptr);
}

// Returns, for every line, the last function or named lambda that begins at or above it. A lambda without a
// name is an argument on its own lines, and is called by its parameter's name: load_pieces calls it
// address_of.
std::vector<std::string> functions_of(const SourceFile& file) {
  static const std::regex function(R"((?:__device__|__global__)[^;]*?\b(\w+)\()"),
      lambda(R"(auto (\w+) = \[)"), argument(R"(^ *\[&\]\()"), end_of_argument(R"(^ *\}\);)");
  std::vector<std::string> names;
  std::string name, around;
  for (const std::string& line : file.lines) {
    std::smatch match;
    if (std::regex_search(line, match, function) || std::regex_search(line, match, lambda)) {
      name = match[1];
    } else if (std::regex_search(line, argument)) {
      around = std::exchange(name, "address_of");
    }
    names.push_back(name);
    if (name == "address_of" && std::regex_search(line, end_of_argument)) name = around;
  }
  return names;
}

// A declaration may span two lines; its calls are recorded at the second.
std::string statement_up_to(const SourceFile& file, int line) {
  auto at = static_cast<size_t>(line) - 1;
  std::string text = file.lines[at];
  while (at > 0 && file.lines[at - 1].ends_with(",")) text = file.lines[--at] + text;
  return text;
}

bool calls(const std::string& line, const std::string& function) {
  return !function.empty() && std::regex_search(line, std::regex("\\b" + function + R"(\s*[(<])"));
}

// The statement with what the file's aliases of types stand for: "using Stream = TileStream<...>".
std::string without_aliases(std::string statement, const SourceFile& file) {
  static const std::regex alias(R"(^using (\w+) = (\w+)<)");
  for (const std::string& line : file.lines)
    if (std::smatch found; std::regex_search(line, found, alias))
      statement =
          std::regex_replace(statement, std::regex("\\b" + found[1].str() + "\\b"), found[2].str() + "<>");
  return statement;
}

std::string text_of(const CompiledKernel& compiled, const Place& place) {
  return compiled.files[static_cast<size_t>(place.file)].name + ":" + std::to_string(place.line);
}

std::string source_of(const CompiledKernel& compiled, const Place& place) {
  const std::string& line =
      compiled.files[static_cast<size_t>(place.file)].lines[static_cast<size_t>(place.line) - 1];
  return line.substr(line.find_first_not_of(' '));
}

// Conditions of matrix.cuh in front of a quad. NVRTC merges the copies of such a condition into one
// instruction, which serves several calls; the line table then names none of them.
const std::set<std::string> kMergedConditions = {"if (beta != 0.0f) old = *whole;", "if (valid > 0)"};

TEST(InlinedCalls, LeadFromEveryIncludedLineToTheKernelsFile) {
  size_t included = 0, merged = 0;
  for (const catalog::Kernel& kernel : everything().kernels)
    for (const isa::Arch arch : {isa::Arch::sm_86, isa::Arch::sm_90}) {
      const auto compiled = compiled_for(kernel, arch);
      if (compiled == nullptr) continue;
      ASSERT_EQ(compiled->calls.size(), compiled->places.size());
      for (size_t i = 0; i < compiled->places.size(); ++i) {
        const std::vector<Place>& calls = compiled->calls[i];
        for (const Place& call : calls) {
          ASSERT_GE(call.file, 0) << kernel.id;
          ASSERT_LT(static_cast<size_t>(call.file), compiled->files.size());
        }
        EXPECT_TRUE(calls.empty() || calls.back().file == 0) << kernel.id << " " << compiled->text[i];
        if (compiled->places[i].file <= 0) continue;
        ++included;
        if (!calls.empty()) continue;
        const std::string line = source_of(*compiled, compiled->places[i]);
        EXPECT_TRUE(kMergedConditions.contains(line)) << kernel.id << " " << compiled->text[i] << " " << line;
        ++merged;
      }
    }
  EXPECT_GT(included, 10'000u);
  // With NVRTC 13.0, 817 of 61,469.
  EXPECT_LT(merged, included / 70);
}

TEST(InlinedCalls, StandWhereTheSourceCallsTheFunction) {
  size_t compared = 0;
  for (const catalog::Kernel& kernel : everything().kernels) {
    if (kernel.id == "workbench") continue;  // passes unnamed lambdas to its functions
    for (const isa::Arch arch : {isa::Arch::sm_86, isa::Arch::sm_90}) {
      const auto compiled = compiled_for(kernel, arch);
      if (compiled == nullptr) continue;
      std::vector<std::vector<std::string>> functions;
      for (const SourceFile& file : compiled->files) functions.push_back(functions_of(file));
      std::map<std::pair<std::string, std::string>, bool> known;
      for (size_t i = 0; i < compiled->places.size(); ++i) {
        Place inner = compiled->places[i];
        for (const Place& call : compiled->calls[i]) {
          const auto [entry, added] =
              known.try_emplace({text_of(*compiled, inner), text_of(*compiled, call)}, false);
          if (added) {
            const std::string& function =
                functions[static_cast<size_t>(inner.file)][static_cast<size_t>(inner.line) - 1];
            const SourceFile& caller = compiled->files[static_cast<size_t>(call.file)];
            const std::string line = without_aliases(statement_up_to(caller, call.line), caller);
            entry->second = calls(line, function);
            EXPECT_TRUE(entry->second) << kernel.id << ": " << entry->first.first << " in " << function
                                       << " is not called at " << entry->first.second << ": " << line;
            ++compared;
          }
          inner = call;
        }
      }
    }
  }
  EXPECT_GT(compared, 200u);
}

}  // namespace
}  // namespace gemmscope::experiment
