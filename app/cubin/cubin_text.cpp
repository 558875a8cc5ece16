#include "cubin/cubin_text.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>

#include "base/base64.h"

namespace gemmscope::cubin {
namespace {

constexpr std::string_view kMark = "\n// The file's bytes in base64:\n//";

struct Declared {
  std::string type;  // "const float*"
  std::string name;
};

// "void sgemm<128, 8>(int, float const*)" of "_Z5sgemmILi128ELi8EEviPKf"; empty: it is no C++ name.
std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text != nullptr ? text.get() : "";
}

// The types in the last brackets, without brackets within them.
std::vector<std::string> types_in(const std::string& signature) {
  const size_t close = signature.rfind(')');
  size_t open = close;
  for (int depth = 0; open != std::string::npos; open = open == 0 ? std::string::npos : open - 1) {
    depth += signature[open] == ')' ? 1 : signature[open] == '(' ? -1 : 0;
    if (depth == 0) break;
  }
  if (open == std::string::npos) return {};
  std::vector<std::string> types;
  int depth = 0;
  for (size_t i = open + 1; i < close; ++i) {
    const char c = signature[i];
    depth += c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0;
    if (types.empty() || (c == ',' && depth == 0)) types.emplace_back();
    if (c != ',' || depth != 0)
      if (c != ' ' || !types.back().empty()) types.back() += c;
  }
  return types;
}

// "const float*" of "float const*".
std::string as_declared(const std::string& type) {
  constexpr std::string_view kConst = " const*";
  if (type.ends_with(kConst)) return "const " + type.substr(0, type.size() - kConst.size()) + "*";
  return type;
}

// The signature that kernels/README.md gives kernels of the catalogue.
std::optional<std::vector<Declared>> fixed_signature(const std::vector<Parameter>& parameters) {
  const std::vector<Declared> fixed = {{"const float*", "A"}, {"const float*", "B"}, {"float*", "C"},
                                       {"float", "alpha"},    {"float", "beta"},     {"int", "M"},
                                       {"int", "N"},          {"int", "K"}};
  const auto fits = [](const Parameter& p, const Declared& d) {
    return p.size == (d.type.ends_with('*') ? 8u : 4u);
  };
  if (!std::ranges::equal(parameters, fixed, fits)) return std::nullopt;
  return fixed;
}

std::vector<Declared> types_of(const KernelCode& kernel) {
  const std::string signature = demangled(kernel.name);
  const std::vector<std::string> types = types_in(signature);
  std::vector<Declared> all;
  if (!signature.empty() && types.size() == kernel.parameters.size()) {
    for (const std::string& type : types) all.push_back({as_declared(type), ""});
    return all;
  }
  if (const auto fixed = fixed_signature(kernel.parameters)) return *fixed;
  for (const Parameter& p : kernel.parameters)
    all.push_back({p.size == 8 ? "float*" : p.size == 4 ? "int" : fmt::format("bytes_{}", p.size), ""});
  return all;
}

// A cubin has no parameters' names, but three sizes, two scales and three pointers are M, N, K, alpha, beta,
// A, B and C more often than anything else.
void name_parameters(std::vector<Declared>& all) {
  const auto is_pointer = [](const Declared& d) { return d.type.ends_with('*'); };
  const auto is_scale = [](const Declared& d) { return d.type == "float" || d.type == "double"; };
  const auto is_size = [&](const Declared& d) { return !is_pointer(d) && !is_scale(d); };
  const auto name = [&](const auto& of_kind, const std::vector<std::string>& names) {
    if (std::ranges::count_if(all, of_kind) != static_cast<std::ptrdiff_t>(names.size())) return;
    size_t next = 0;
    for (Declared& d : all)
      if (of_kind(d) && d.name.empty()) d.name = names[next++];
  };
  name(is_size, {"M", "N", "K"});
  name(is_scale, {"alpha", "beta"});
  name(is_pointer, {"A", "B", "C"});
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].name.empty()) all[i].name = fmt::format("p{}", i);
}

}  // namespace

bool is_elf(std::string_view bytes) { return bytes.starts_with("\177ELF"); }

std::string declaration_of(const KernelCode& kernel) {
  std::vector<Declared> all = types_of(kernel);
  name_parameters(all);
  std::string list;
  for (const Declared& d : all) list += (list.empty() ? "" : ", ") + d.type + " " + d.name;
  const auto& most = kernel.max_threads;
  const std::string bounds =
      most[0] == 0 ? "" : fmt::format("__launch_bounds__({}) ", most[0] * most[1] * most[2]);
  return fmt::format("extern \"C\" __global__ void {}{}({}) {{}}\n", bounds, kernel.name, list);
}

Result<std::string> cubin_text(std::span<const std::byte> bytes, std::string_view origin) {
  if (bytes.size() > kMostOwnCubin)
    return fail("{}: the cubin is larger than {} MiB; compile the kernel into a file of its own.", origin,
                kMostOwnCubin >> 20);
  const Result<Cubin> cubin = read_cubin(bytes, origin);
  if (!cubin) return tl::unexpected(cubin.error());
  if (cubin->kernels.empty()) return fail("{}: the cubin has no kernel.", origin);
  std::string text = fmt::format(
      "// A cubin, machine code for {}. It does not say how it is launched or what its parameters are "
      "called:\n"
      "// the names below are a convention, and the form of its launch (Ctrl+L) says what each is given.\n",
      isa::arch_name(cubin->arch));
  for (const KernelCode& kernel : cubin->kernels) {
    text += "\n";
    if (const std::string name = demangled(kernel.name); !name.empty()) text += "// " + name + "\n";
    text += fmt::format("// {} instructions, {} registers, {} bytes of static shared memory\n",
                        kernel.instruction_count(), kernel.registers, kernel.static_shared_bytes);
    text += declaration_of(kernel);
  }
  return text + std::string(kMark) + base64_encode(bytes) + "\n";
}

bool is_cubin_text(std::string_view text) {
  return text.starts_with("// A cubin, machine code for ") && text.find(kMark) != std::string_view::npos;
}

std::string_view shown_text(std::string_view text) {
  return is_cubin_text(text) ? text.substr(0, text.find(kMark)) : text;
}

Result<std::vector<std::byte>> bytes_of_cubin_text(std::string_view text, std::string_view origin) {
  const auto damaged = [&] {
    return fail("{}: the bytes of the cubin are damaged; open its file again.", origin);
  };
  const size_t mark = text.find(kMark);
  if (mark == std::string_view::npos) return damaged();
  std::string_view letters = text.substr(mark + kMark.size());
  while (letters.ends_with('\n')) letters.remove_suffix(1);
  if (letters.empty() || letters.size() > 2 * kMostOwnCubin) return damaged();
  auto bytes = base64_decode(letters);
  if (!bytes) return damaged();
  return *std::move(bytes);
}

}  // namespace gemmscope::cubin
