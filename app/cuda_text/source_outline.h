// Reads a CUDA C++ file without a compiler: its kernels, their parameters, their launches, its integer
// constants. The result is a guess that the user can overrule. What is not understood is left out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gemmscope::cuda_text {

struct DeclaredParameter {
  std::string type, name;  // "const float*" and "A", without __restrict__ and default values
  bool pointer = false, constant = false;
  std::string element;  // the type without const and *
};

struct TemplateParameter {
  std::string name, default_value;
};

struct OutlineFunction {
  size_t begin = 0, end = 0;  // the whole definition, with its template<…> and its body
  int line = 0;               // 1-based line of the name
  std::string name;           // with its namespaces
  bool global = false, device = false, host = false, extern_c = false, is_template = false;
  std::vector<TemplateParameter> template_parameters;
  std::vector<DeclaredParameter> parameters;
};

// A struct, class or union with its body.
struct OutlineType {
  size_t begin = 0, end = 0;  // with its template<…> and the ";" after it
  std::string name;
  std::vector<TemplateParameter> template_parameters;
};

// Text between functions up to a ";": a variable, a prototype, a type without a body, a macro's call.
struct OutlineStatement {
  size_t begin = 0, end = 0;
};

// From `begin` on, the text comes from `file`, beginning at `line`.
struct SourcePart {
  size_t begin = 0;
  std::string file;  // as between the quotes of its #include; empty: the file itself
  int line = 1;
};

// A launch, name<template arguments><<<configuration>>>(arguments) or through cudaLaunchKernel.
struct LaunchSite {
  size_t at = 0;
  std::string place;  // "line 3", "line 3 of launch.cuh"
  std::string name;
  std::optional<std::vector<std::string>> template_arguments;
  std::vector<std::string> configuration, arguments;
};

// A function-like macro, #define NAME(a, b) text, or a function int name(int a, int b) { return text; }.
struct TextFunction {
  std::vector<std::string> parameters;
  std::string text;
  bool macro = false;  // arguments are inserted as written, without parentheses
};

struct SourceOutline {
  std::string clean;  // the source with comments, literals and directives blanked; positions stay
  std::vector<OutlineFunction> functions;
  std::vector<OutlineType> types;
  std::vector<OutlineStatement> statements;  // at namespace level
  std::vector<LaunchSite> launches;
  std::map<std::string, int64_t> constants;       // #define NAME 16, constexpr int NAME = 16
  std::map<std::string, std::string> type_names;  // using T = float, typedef float T, #define T float

  std::map<std::string, TextFunction> text_functions;
  std::vector<std::string> definitions;  // "#define NAME text"; only from program_outline
  std::vector<SourcePart> parts;         // where parts of `clean` come from; empty: the file itself

  std::vector<const OutlineFunction*> kernels() const;
  std::string place_of(size_t at) const;  // "line 3", "line 3 of launch.cuh"
};
// Reads all branches of the preprocessor and expands no macros.
SourceOutline outline_of(std::string_view source);

// The files beside `source` that it includes by #include "…", and those that these include.
struct IncludedSource {
  std::string written;  // as between the quotes
  std::string text;
};
std::vector<IncludedSource> included_sources(std::string_view source, const std::filesystem::path& path);

// Outlines a file and what it includes as the host's compiler sees them: only branches that are on, with
// macros replaced that hide a launch or a declaration (host_text.h). It adds the kernels that only the
// device's compiler sees. `given` and `undecided` are those of host_text.
SourceOutline program_outline(std::string_view source, const std::vector<IncludedSource>& included,
                              const std::map<std::string, int64_t>& given = {},
                              const std::set<std::string>& undecided = {});

// Blanks the host functions of the source, because NVRTC compiles device code only. Line numbers stay. A
// host function is neither __global__ nor __device__, and it says __host__, is main, launches kernels, or
// uses the CUDA runtime or the C++ library's containers, input or output. A function that calls one of these
// is one too, even through a macro of the source or of `included`. Classes and statements that do the same
// are blanked as well.
std::string without_host_code(std::string_view source, const std::vector<IncludedSource>& included = {});

}  // namespace gemmscope::cuda_text
