// A light reading of a CUDA C++ file: its kernels, their parameters, where the host launches them, its
// integer constants. What it finds is a guess for the user to overrule, and what it does not understand it
// leaves out.
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
  std::string type, name;  // "const float*", "A": without __restrict__ and default values
  bool pointer = false, constant = false;
  std::string element;  // the type without const and *
};

struct TemplateParameter {
  std::string name, default_value;
};

struct OutlineFunction {
  size_t begin = 0, end = 0;  // the whole definition, with its template<…> and its body
  int line = 0;               // 1-based, of its name
  std::string name;           // with its namespaces
  bool global = false, device = false, host = false, extern_c = false, is_template = false;
  std::vector<TemplateParameter> template_parameters;
  std::vector<DeclaredParameter> parameters;
};

// struct, class, union with its body.
struct OutlineType {
  size_t begin = 0, end = 0;  // with its template<…> and the ";" behind it
  std::string name;
};

// What stands between functions up to ";": a variable, a prototype, a type without a body, a macro's call.
struct OutlineStatement {
  size_t begin = 0, end = 0;
};

// From `begin` on, a text is that of `file` from `line` on.
struct SourcePart {
  size_t begin = 0;
  std::string file;  // as between the quotes of its #include; empty: the file itself
  int line = 1;
};

// name<template arguments><<<configuration>>>(arguments), or the same through cudaLaunchKernel.
struct LaunchSite {
  size_t at = 0;
  std::string place;  // "line 3", "line 3 of launch.cuh"
  std::string name;
  std::optional<std::vector<std::string>> template_arguments;
  std::vector<std::string> configuration, arguments;
};

// #define NAME(a, b) text, and int name(int a, int b) { return text; }
struct TextFunction {
  std::vector<std::string> parameters;
  std::string text;
  bool macro = false;  // arguments stand in the text as they are written
};

struct SourceOutline {
  std::string clean;  // the source with comments, literals and preprocessor lines blanked; same places
  std::vector<OutlineFunction> functions;
  std::vector<OutlineType> types;
  std::vector<OutlineStatement> statements;  // at the level of namespaces
  std::vector<LaunchSite> launches;
  std::map<std::string, int64_t> constants;       // #define NAME 16, constexpr int NAME = 16
  std::map<std::string, std::string> type_names;  // using T = float, typedef float T, #define T float

  std::map<std::string, TextFunction> text_functions;
  std::vector<std::string> definitions;  // "#define NAME text" of program_outline
  std::vector<SourcePart> parts;         // of `clean`; empty: the file itself

  std::vector<const OutlineFunction*> kernels() const;
  std::string place_of(size_t at) const;  // "line 3", "line 3 of launch.cuh"
};
// Of all branches of the preprocessor, without its macros.
SourceOutline outline_of(std::string_view source);

// The files that `source` includes by #include "…" and that lie beside it, and those that they include.
struct IncludedSource {
  std::string written;  // as between the quotes
  std::string text;
};
std::vector<IncludedSource> included_sources(std::string_view source, const std::filesystem::path& path);

// Of a file with what it includes, as the host's compiler sees them: in the branches that are on, with macros
// that hide a launch or a declaration replaced (host_text.h); and the kernels that only the device's compiler
// sees. `given` and `undecided` are host_text's.
SourceOutline program_outline(std::string_view source, const std::vector<IncludedSource>& included,
                              const std::map<std::string, int64_t>& given = {},
                              const std::set<std::string>& undecided = {});

// The source with its host functions blanked (line numbers stay): those that are neither __global__ nor
// __device__ and say __host__, launch kernels, use the CUDA runtime or the C++ library's containers, input or
// output, are main, or call one of these, also by macros, those of `included` too; and the classes and the
// statements between them that do so. NVRTC compiles device code only.
std::string without_host_code(std::string_view source, const std::vector<IncludedSource>& included = {});

}  // namespace gemmscope::cuda_text
