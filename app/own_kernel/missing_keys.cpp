#include "own_kernel/missing_keys.h"

#include <fmt/format.h>

#include <algorithm>

#include "cuda_text/source_text.h"

namespace gemmscope::own_kernel {
namespace {

std::string body_of(const cuda_text::SourceOutline& outline, const ChosenEntry& entry) {
  if (entry.function == nullptr) return "";
  return outline.clean.substr(entry.function->begin, entry.function->end - entry.function->begin);
}

std::string why_unclear(const char* key, const char* what, const ChosenEntry& entry,
                        const UnclearLaunch& unclear) {
  const std::string start = fmt::format("the key \"{}\" ({}) is missing, and ", key, what);
  if (unclear.place.empty())
    return fmt::format("{}the file has no launch {}<<<…>>> that gives it in terms of M, N and K", start,
                       entry.name);
  const bool says_more = !unclear.unknown.empty() && unclear.unknown != unclear.text;
  return fmt::format("{}the launch on {} says \"{}\", which cannot be expressed in M, N and K{}", start,
                     unclear.place, unclear.text,
                     says_more ? fmt::format(": the value of {} is not known", unclear.unknown) : "");
}

std::string joined(const std::vector<std::string>& parts, const char* separator) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : separator) + part;
  return text;
}

// Writes a list of the description. Expressions other than numbers are in quotes.
MissingKey example(const std::string& key, const std::vector<std::string>& expressions, std::string why) {
  std::vector<std::string> quoted;
  bool plain = true;
  for (const std::string& e : expressions) {
    const bool number = e.find_first_not_of("0123456789") == std::string::npos;
    quoted.push_back(number ? e : '"' + e + '"');
    plain &= number;
  }
  const std::string list = joined(expressions, ",");
  return {std::move(why), fmt::format("//! {} = [{}]\n", key, joined(quoted, ", ")),
          fmt::format("--{}-dim {}", key, plain ? list : '"' + list + '"'), ""};
}

std::vector<std::string> without_ones(const std::array<std::string, 3>& dimensions) {
  std::vector<std::string> result(dimensions.begin(), dimensions.end());
  while (result.size() > 1 && (result.back() == "1" || result.back().empty())) result.pop_back();
  return result;
}

struct Field {
  std::string type, name;
};

// Finds where the body of struct `type` opens, also for typedef struct {…} type; npos if it is not found.
size_t body_of_struct(const std::string& text, const std::string& type) {
  for (size_t at = text.find(type); at != std::string::npos; at = text.find(type, at + 1)) {
    const size_t end = at + type.size();
    if ((at > 0 && cuda_text::is_word_char(text[at - 1])) || end >= text.size() ||
        cuda_text::is_word_char(text[end]))
      continue;
    const size_t open = text.find_first_not_of(" \t\r\n", end);
    const size_t before = at == 0 ? std::string::npos : text.find_last_not_of(" \t\r\n", at - 1);
    if (open == std::string::npos || before == std::string::npos) continue;
    const std::string_view so_far = std::string_view(text).substr(0, before + 1);
    if (text[open] == '{' && (so_far.ends_with("struct") || so_far.ends_with("class"))) return open;
    if (text[open] == ';' && text[before] == '}') return text.rfind('{', before);
  }
  return std::string::npos;
}

// Adds the members that one declaration gives, such as const float *A, *B.
void add_fields(std::string_view declaration, std::vector<Field>& fields) {
  std::string base;
  for (const std::string& part : cuda_text::split_arguments(declaration)) {
    const size_t name = part.find_last_of(" *") + 1;  // npos + 1 is 0
    std::string type = cuda_text::squeezed(part.substr(0, name));
    if (base.empty())
      base = cuda_text::squeezed(type.substr(0, type.find('*')));
    else
      type = type.find('*') == std::string::npos ? base : fmt::format("{}*", base);
    if (const size_t star = type.find(" *"); star != std::string::npos) type.erase(star, 1);
    if (name < part.size()) fields.push_back({type, part.substr(name)});
  }
}

// Returns the members of a structure that has plain members only; empty if none is found.
std::vector<Field> fields_of(const std::string& text, const std::string& type) {
  const size_t open = body_of_struct(text, type);
  const size_t behind = open == std::string::npos ? open : cuda_text::behind_bracket(text, open);
  if (behind == std::string::npos || behind - open > cuda_text::kMostStatement) return {};
  const std::string body = text.substr(open + 1, behind - open - 2);
  if (body.find_first_of("(){}[]:=") != std::string::npos) return {};
  std::vector<Field> fields;
  for (size_t begin = 0; begin < body.size();) {
    const size_t end = std::min(body.find(';', begin), body.size());
    add_fields(std::string_view(body).substr(begin, end - begin), fields);
    begin = end + 1;
  }
  return fields;
}

struct PlainKernel {
  cuda_text::OutlineFunction function;  // its parameters are the members of the structures
  std::vector<std::string> passed;      // arguments for the kernel that takes the structures
  bool all_seen = true;                 // the members of all structures are known
};
PlainKernel plain_kernel(const cuda_text::SourceOutline& outline, const cuda_text::OutlineFunction& kernel) {
  PlainKernel plain;
  plain.function.name = cuda_text::last_component(kernel.name) + "_plain";
  const auto is_pointer = [](const Field& field) { return field.type.ends_with('*'); };
  for (const cuda_text::DeclaredParameter& p : kernel.parameters) {
    const std::vector<Field> fields = p.pointer || catalog::type_from_name(p.element)
                                          ? std::vector<Field>{}
                                          : fields_of(outline.clean, p.element);
    plain.passed.push_back(p.name);
    if (fields.empty()) {
      plain.function.parameters.push_back(p);
      if (p.pointer || catalog::type_from_name(p.element)) continue;
      plain.passed.back() = p.element + "{…}";
      plain.function.parameters.back().type = "… what " + p.element + " holds:";
      plain.all_seen = false;
    }
    std::vector<std::string> names;
    for (const Field& field : fields) {
      cuda_text::DeclaredParameter member;
      // Two structures of one type have members of the same names, so a member gets its structure's name in
      // front. The only pointer of a structure gets the structure's name.
      const bool is_data = is_pointer(field) && std::count_if(fields.begin(), fields.end(), is_pointer) == 1;
      member.name = kernel.parameters.size() == 1 ? field.name : is_data ? p.name : p.name + "_" + field.name;
      member.type = field.type;
      member.pointer = is_pointer(field);
      member.constant = cuda_text::has_word(field.type, "const");
      member.element = field.type.starts_with("const ") ? field.type.substr(6) : field.type;
      std::erase(member.element, '*');
      names.push_back(member.name);
      plain.function.parameters.push_back(std::move(member));
    }
    if (!fields.empty()) plain.passed.back() = fmt::format("{}{{{}}}", p.element, joined(names, ", "));
  }
  return plain;
}

bool is_tensor_map(const cuda_text::DeclaredParameter& p) {
  return !p.pointer && cuda_text::last_component(p.element) == "CUtensorMap";
}

// Tensor maps are made by the program, from the key "parameters". The example takes them for matrices of
// their name or place.
MissingKey missing_tensor_maps(const cuda_text::SourceOutline& outline, const ChosenEntry& entry) {
  cuda_text::OutlineFunction function = *entry.function;
  std::string first;
  for (cuda_text::DeclaredParameter& p : function.parameters) {
    if (!is_tensor_map(p)) continue;
    if (first.empty()) first = p.name;
    p.type = "const float*", p.element = "float", p.pointer = p.constant = true;
  }
  ChosenEntry with_pointers = entry;
  with_pointers.function = &function;
  std::vector<catalog::Parameter> parameters = suggested_parameters(outline, with_pointers);
  char role = 'A';
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (!is_tensor_map(entry.function->parameters[i])) continue;
    catalog::Parameter& p = parameters[i];
    if (p.kind != catalog::Parameter::Kind::matrix) p.kind = catalog::Parameter::Kind::matrix, p.role = role;
    role = p.role == 'A' ? 'B' : 'C';
    p.box_rows = "64";
  }
  return {fmt::format("parameter {} of {} is a tensor map, and the file does not say of which matrix or how "
                      "many rows its boxes have",
                      first, entry.name),
          catalog::describe_parameters(parameters), "", ""};
}

}  // namespace

std::string missing_keys_message(const std::vector<MissingKey>& missing, bool described) {
  std::string why, lines, options, program;
  for (const MissingKey& key : missing) {
    why += (missing.size() > 1 ? "\n- " : "") + key.why;
    lines += key.lines;
    if (!key.option.empty()) options += " " + key.option;
    program += key.program;
  }
  std::string text =
      missing.size() > 1 ? "the file does not give everything that a launch needs:" + why + "\n" : why + ". ";
  if (!program.empty()) text += "Add at the end of the file\n" + program;
  if (!lines.empty())
    text += fmt::format("{} {}, for example\n{}", program.empty() ? "Write" : "and write",
                        described ? "among the lines //! at the top of the file, before their first [table]"
                                  : "at the top of the file",
                        lines);
  if (!options.empty())
    text += fmt::format("{} on the command line:{}\n", lines.empty() ? "Say it" : "or", options);
  return text + "(kernels/README.md describes the keys)";
}

MissingKey missing_arguments(const ChosenEntry& entry) {
  const auto& arguments = entry.template_arguments;
  const bool types_only = std::all_of(arguments.begin(), arguments.end(), [](const std::string& text) {
    return catalog::type_from_name(text).has_value();
  });
  const std::string example =
      fmt::format("\"{}<{}>\"", entry.name, types_only ? joined(arguments, ", ") : "…");
  return {entry.unclear, "//! entry = " + example + "\n", "--entry " + example, ""};
}

MissingKey missing_block(const cuda_text::SourceOutline& outline, const ChosenEntry& entry,
                         const UnclearLaunch& unclear) {
  const bool plane = body_of(outline, entry).find("threadIdx.y") != std::string::npos;
  return example("block", plane ? std::vector<std::string>{"16", "16"} : std::vector<std::string>{"256"},
                 why_unclear("block", "the threads of a block", entry, unclear));
}

MissingKey missing_grid(const cuda_text::SourceOutline& outline, const ChosenEntry& entry,
                        const UnclearLaunch& unclear, const std::array<std::string, 3>& block) {
  const std::string body = body_of(outline, entry);
  const auto side = [&](size_t axis, const char* otherwise) {
    return block[axis].empty() || block[axis] == "1" ? std::string(otherwise) : block[axis];
  };
  std::vector<std::string> grid;
  if (body.find("blockIdx.y") == std::string::npos && body.find("threadIdx.y") == std::string::npos)
    grid = {fmt::format("ceil_div(M * N, {})", side(0, "256"))};
  else
    grid = {fmt::format("ceil_div(N, {})", side(0, "16")), fmt::format("ceil_div(M, {})", side(1, "16"))};
  return example("grid", grid, why_unclear("grid", "the blocks of the grid", entry, unclear));
}

MissingKey missing_shared(const UnclearLaunch& unclear) {
  return {
      fmt::format("the key \"shared\" (bytes of dynamic shared memory) is missing, and the launch on {} says "
                  "\"{}\", which cannot be expressed in M, N and K",
                  unclear.place, unclear.text),
      "//! shared = \"4 * 2 * 16 * 16\"\n", "--shared \"4 * 2 * 16 * 16\"", ""};
}

MissingKey missing_plain_kernel(const cuda_text::SourceOutline& outline, const ChosenEntry& entry,
                                const std::string& why, const GuessedLaunch& launch) {
  if (std::ranges::any_of(entry.function->parameters, is_tensor_map))
    return missing_tensor_maps(outline, entry);
  const PlainKernel plain = plain_kernel(outline, *entry.function);
  const std::string& name = plain.function.name;
  MissingKey key;
  key.why = fmt::format(
      "{}. Make it a function that a second kernel with plain parameters calls: write "
      "__device__ instead of __global__ before {} (and leave out __launch_bounds__ there)",
      why, entry.name);
  std::vector<std::string> declared;
  for (const cuda_text::DeclaredParameter& p : plain.function.parameters)
    declared.push_back(p.type + " " + p.name);
  const size_t scope_end = entry.function->name.rfind("::");
  const std::string scope = scope_end == std::string::npos ? "" : entry.function->name.substr(0, scope_end);
  key.program = fmt::format("__global__ void {}({}) {{\n  {}({});\n}}\n", name, joined(declared, ", "),
                            entry.name.substr(scope.empty() ? 0 : scope_end + 2), joined(plain.passed, ", "));
  if (!scope.empty()) key.program = fmt::format("namespace {} {{\n{}}}\n", scope, key.program);
  const std::string plain_name = scope.empty() ? name : scope + "::" + name;
  ChosenEntry plain_entry = entry;
  plain_entry.function = &plain.function;
  const MissingKey block = launch.block[0].empty() ? missing_block(outline, entry, {})
                                                   : example("block", without_ones(launch.block), ""),
                   grid = launch.grid[0].empty() ? missing_grid(outline, entry, {}, launch.block)
                                                 : example("grid", without_ones(launch.grid), "");
  key.lines = fmt::format("//! entry = \"{}\"\n{}{}", plain_name, block.lines, grid.lines);
  if (!plain.all_seen) return key;
  if (!guess_parameters(outline, plain_entry, false))
    key.lines += example_parameters(outline, plain_entry);
  else
    key.option = fmt::format("--entry {} {} {}", plain_name, block.option, grid.option);
  return key;
}

}  // namespace gemmscope::own_kernel
