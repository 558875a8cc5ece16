#include "own_kernel/guess.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "cuda_text/source_text.h"

namespace gemmscope::own_kernel {
namespace {

std::string lower_letters(const std::string& name) {
  std::string result;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// Returns "a" for "d_A", "A_dev", "matA" and "Aptr".
std::string pointer_name(const std::string& name) {
  std::string text;
  for (const char c : name) text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto strip = [&text](std::string_view part, bool front) {
    if (text.size() <= part.size()) return;
    if (front && text.starts_with(part)) text.erase(0, part.size());
    if (!front && text.ends_with(part)) text.erase(text.size() - part.size());
  };
  for (const char* prefix : {"d_", "dev_", "device_", "g_", "gpu_", "p_", "mat_", "matrix_", "matrix", "mat",
                             "dev", "ptr_", "ptr", "global_", "g", "d", "p", "m_"})
    if (text.size() > 1) strip(prefix, true);
  for (const char* suffix : {"_d", "_dev", "_device", "_gpu", "_g", "_ptr", "ptr", "_mat", "_matrix",
                             "matrix", "mat", "_global", "_", "d"})
    if (text.size() > 1) strip(suffix, false);
  return text;
}

// The pointers' names give their roles if they are one of these triples, each name once.
constexpr std::array<std::array<const char*, 3>, 8> kTriples = {{{"a", "b", "c"},
                                                                 {"m", "n", "p"},
                                                                 {"lhs", "rhs", "out"},
                                                                 {"left", "right", "result"},
                                                                 {"in1", "in2", "out"},
                                                                 {"a", "b", "out"},
                                                                 {"x", "y", "z"},
                                                                 {"a", "b", "result"}}};

std::vector<char> roles_of(const std::vector<const cuda_text::DeclaredParameter*>& pointers) {
  if (pointers.size() != 3) return {};
  std::vector<std::string> names;
  for (const cuda_text::DeclaredParameter* p : pointers) {
    const std::string whole = lower_letters(p->name);
    names.push_back(whole.size() == 1 ? whole : pointer_name(p->name));
  }
  for (const auto& triple : kTriples) {
    std::vector<char> roles;
    for (const std::string& name : names)
      for (size_t i = 0; i < 3; ++i)
        if (name == triple[i]) roles.push_back(static_cast<char>('A' + i));
    if (roles.size() == 3 && std::set<char>(roles.begin(), roles.end()).size() == 3) return roles;
  }
  std::vector<char> roles;
  roles.reserve(pointers.size());
  int constants = 0;
  for (const cuda_text::DeclaredParameter* p : pointers)
    roles.push_back(!p->constant ? 'C' : constants++ == 0 ? 'A' : 'B');
  return constants == 2 ? roles : std::vector<char>{};
}

std::string leading_dimension_of(const std::string& name) {
  const std::string n = lower_letters(name);
  for (const char* word : {"ld", "stride", "pitch", "leadingdim", "lead"})
    for (const char matrix : {'a', 'b', 'c'})
      if (n == std::string(word) + matrix || n == std::string(1, matrix) + word)
        return std::string(1, static_cast<char>(std::toupper(matrix)));
  return "";
}

std::string element_type(const cuda_text::SourceOutline& outline, const ChosenEntry& entry,
                         std::string name) {
  for (int depth = 0; depth < 8; ++depth) {
    const auto& names = entry.function->template_parameters;
    const auto formal =
        std::find_if(names.begin(), names.end(), [&](const auto& p) { return p.name == name; });
    const auto index = static_cast<size_t>(formal - names.begin());
    if (formal != names.end()) {
      name =
          index < entry.template_arguments.size() ? entry.template_arguments[index] : formal->default_value;
    } else if (const auto alias = outline.type_names.find(name); alias != outline.type_names.end()) {
      name = alias->second;
    } else {
      break;
    }
  }
  return name;
}

catalog::Parameter matrix(const cuda_text::DeclaredParameter& declared, char role, ElementType type,
                          bool column_major) {
  catalog::Parameter p;
  p.name = declared.name, p.kind = catalog::Parameter::Kind::matrix, p.type = type;
  p.role = role, p.column_major = column_major;
  return p;
}

catalog::Parameter scalar(const cuda_text::DeclaredParameter& declared, ElementType type, std::string value) {
  catalog::Parameter p;
  p.name = declared.name, p.type = type, p.value = std::move(value);
  return p;
}

const cuda_text::DeclaredParameter* structure_of(const cuda_text::SourceOutline& outline,
                                                 const ChosenEntry& entry) {
  for (const cuda_text::DeclaredParameter& p : entry.function->parameters)
    if (!p.pointer && !catalog::type_from_name(element_type(outline, entry, p.element))) return &p;
  return nullptr;
}

}  // namespace

std::string size_symbol(const std::string& name) {
  static const std::map<std::string, std::set<std::string>> known_names = {
      {"M", {"m",       "rows",    "numrows",  "nrows",   "height", "arows", "numarows", "rowsa",
             "ha",      "crows",   "numcrows", "rowsc",   "hc",     "dimm",  "sizem",    "msize",
             "heighta", "heightc", "aheight",  "cheight", "arow",   "rowa",  "mdim",     "h"}},
      {"N", {"n",           "cols",  "columns",  "numcols", "ncols", "bcols",  "numbcols", "bcolumns",
             "numbcolumns", "colsb", "columnsb", "wb",      "wc",    "ccols",  "ccolumns", "numccolumns",
             "numccols",    "colsc", "dimn",     "sizen",   "nsize", "widthb", "widthc",   "bwidth",
             "cwidth",      "bcol",  "colb",     "ndim",    "w"}},
      {"K", {"k",        "acols",  "acolumns", "numacolumns", "numacols", "colsa",  "columnsa", "brows",
             "numbrows", "rowsb",  "wa",       "hb",          "inner",    "common", "dimk",     "sizek",
             "ksize",    "widtha", "heightb",  "awidth",      "bheight",  "acol",   "cola",     "kdim"}}};
  for (const auto& [symbol, names] : known_names)
    if (names.count(lower_letters(name)) != 0) return symbol;
  return "";
}

bool is_square_size(const std::string& name) {
  static const std::set<std::string> known_names = {
      "n", "width", "size",      "dim",    "len",         "matrixsize",  "matsize", "wsize",
      "w", "s",     "dimension", "length", "matrixwidth", "numelements", "msize"};
  return known_names.count(lower_letters(name)) != 0;
}

bool passes_structure(const cuda_text::SourceOutline& outline, const ChosenEntry& entry) {
  return entry.function != nullptr && structure_of(outline, entry) != nullptr;
}

Result<GuessedParameters> guess_parameters(const cuda_text::SourceOutline& outline, const ChosenEntry& entry,
                                           bool column_major) {
  if (entry.function == nullptr) return fail("the file does not show the kernel's parameter list");
  if (const cuda_text::DeclaredParameter* p = structure_of(outline, entry))
    return fail(
        "parameter {} of {} is passed by value as \"{}\", but only pointers and numbers can be passed",
        p->name, entry.name, p->element);
  std::vector<const cuda_text::DeclaredParameter*> pointers;
  int sizes = 0;
  for (const cuda_text::DeclaredParameter& p : entry.function->parameters) {
    if (p.pointer) pointers.push_back(&p);
    const auto type = catalog::type_from_name(element_type(outline, entry, p.element));
    if (!p.pointer && type && !is_float(*type) && leading_dimension_of(p.name).empty()) ++sizes;
  }
  const std::vector<char> roles = roles_of(pointers);
  if (roles.empty())
    return fail("the names of the parameters of {} do not show which of them are A, B and C", entry.name);
  GuessedParameters result;
  size_t next_role = 0;
  for (const cuda_text::DeclaredParameter& p : entry.function->parameters) {
    const std::string type_text = element_type(outline, entry, p.element);
    const auto type = catalog::type_from_name(type_text);
    if (!type) return fail("parameter {} of {} has the unknown type \"{}\"", p.name, entry.name, type_text);
    const std::string name = lower_letters(p.name), symbol = size_symbol(p.name),
                      of = leading_dimension_of(p.name);
    if (p.pointer) {
      result.parameters.push_back(matrix(p, roles[next_role++], *type, column_major));
    } else if (is_float(*type) && (name == "alpha" || name == "a" || name == "beta" || name == "b")) {
      result.parameters.push_back(scalar(p, *type, name[0] == 'a' ? "alpha" : "beta"));
    } else if (!is_float(*type) && !of.empty()) {
      const char* const dimension = column_major ? (of == "B" ? "K" : "M") : (of == "A" ? "K" : "N");
      result.parameters.push_back(scalar(p, *type, dimension));
    } else if (!is_float(*type) && sizes == 1) {
      result.square = true;
      result.parameters.push_back(scalar(p, *type, "N"));
    } else if (!is_float(*type) && !symbol.empty()) {
      result.parameters.push_back(scalar(p, *type, symbol));
    } else {
      return fail("the name of parameter {} ({}) of {} does not show what it holds", p.name, p.type,
                  entry.name);
    }
  }
  return result;
}

std::vector<catalog::Parameter> suggested_parameters(const cuda_text::SourceOutline& outline,
                                                     const ChosenEntry& entry) {
  std::vector<const cuda_text::DeclaredParameter*> pointers;
  for (const cuda_text::DeclaredParameter& p : entry.function->parameters)
    if (p.pointer) pointers.push_back(&p);
  const std::vector<char> roles = roles_of(pointers);
  std::vector<catalog::Parameter> all;
  size_t next = 0;
  for (const cuda_text::DeclaredParameter& p : entry.function->parameters) {
    const auto type =
        catalog::type_from_name(element_type(outline, entry, p.element)).value_or(ElementType::float32);
    if (p.pointer && !roles.empty()) {
      all.push_back(matrix(p, roles[next++], type, false));
    } else if (p.pointer) {
      catalog::Parameter buffer;
      buffer.name = p.name, buffer.kind = catalog::Parameter::Kind::buffer, buffer.type = type,
      buffer.count = "M * N";
      all.push_back(buffer);
    } else {
      const std::string symbol = size_symbol(p.name), name = lower_letters(p.name),
                        of = leading_dimension_of(p.name);
      const bool is_scale = name == "alpha" || name == "beta";
      all.push_back(scalar(p, type,
                           is_float(type)    ? is_scale ? name : ""
                           : !symbol.empty() ? symbol
                           : of.empty()      ? ""
                                             : (of == "A" ? "K" : "N")));
    }
  }
  return all;
}

std::string example_parameters(const cuda_text::SourceOutline& outline, const ChosenEntry& entry) {
  if (entry.function == nullptr) return catalog::describe_parameters(catalog::fixed_signature());
  std::vector<catalog::Parameter> all = suggested_parameters(outline, entry);
  for (catalog::Parameter& p : all)
    if (p.kind == catalog::Parameter::Kind::scalar && p.value.empty())
      p.value = is_float(p.type) ? "1.0" : "N";
  return catalog::describe_parameters(all);
}

}  // namespace gemmscope::own_kernel
