#include "catalog/guess.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "catalog/source_text.h"

namespace gemmscope::catalog {
namespace {

std::string last_component(const std::string& name) {
  const size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

std::string quoted_names(const std::vector<const OutlineFunction*>& kernels) {
  std::string names;
  std::set<std::string> seen;  // branches of the preprocessor may hold one each
  for (const OutlineFunction* k : kernels)
    if (seen.insert(k->name).second) names += (names.empty() ? "" : ", ") + k->name;
  return names;
}

std::string lower_letters(const std::string& name) {
  std::string result;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// "d_A", "A_dev", "matA", "Aptr" -> "a".
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

// The roles of the pointers by their names: one of these triples, each name once.
constexpr std::array<std::array<const char*, 3>, 8> kTriples = {{{"a", "b", "c"},
                                                                 {"m", "n", "p"},
                                                                 {"lhs", "rhs", "out"},
                                                                 {"left", "right", "result"},
                                                                 {"in1", "in2", "out"},
                                                                 {"a", "b", "out"},
                                                                 {"x", "y", "z"},
                                                                 {"a", "b", "result"}}};

std::vector<char> roles_of(const std::vector<const DeclaredParameter*>& pointers) {
  if (pointers.size() != 3) return {};
  std::vector<std::string> names;
  for (const DeclaredParameter* p : pointers) {
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
  int constants = 0;
  for (const DeclaredParameter* p : pointers)
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

std::string element_type(const SourceOutline& outline, const ChosenEntry& entry, std::string name) {
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

Parameter matrix(const DeclaredParameter& declared, char role, ElementType type, bool column_major) {
  Parameter p;
  p.name = declared.name, p.kind = Parameter::Kind::matrix, p.type = type;
  p.role = role, p.column_major = column_major;
  return p;
}

Parameter scalar(const DeclaredParameter& declared, ElementType type, std::string value) {
  Parameter p;
  p.name = declared.name, p.type = type, p.value = std::move(value);
  return p;
}

const DeclaredParameter* structure_of(const SourceOutline& outline, const ChosenEntry& entry) {
  for (const DeclaredParameter& p : entry.function->parameters)
    if (!p.pointer && !type_from_name(element_type(outline, entry, p.element))) return &p;
  return nullptr;
}

// Types are taken for float, which is what most are.
ChosenEntry without_arguments(ChosenEntry entry, std::string why) {
  entry.template_arguments.clear();
  for (const TemplateParameter& formal : entry.function->template_parameters) {
    const auto& parameters = entry.function->parameters;
    const bool is_type = std::any_of(parameters.begin(), parameters.end(),
                                     [&](const auto& p) { return p.element == formal.name; });
    entry.template_arguments.push_back(is_type ? "float" : formal.name);
  }
  entry.unclear = std::move(why);
  return entry;
}

}  // namespace

std::string size_symbol(const std::string& name) {
  static const std::map<std::string, std::set<std::string>> kNames = {
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
  for (const auto& [symbol, names] : kNames)
    if (names.count(lower_letters(name)) != 0) return symbol;
  return "";
}

bool is_square_size(const std::string& name) {
  static const std::set<std::string> kNames = {
      "n", "width", "size",      "dim",    "len",         "matrixsize",  "matsize", "wsize",
      "w", "s",     "dimension", "length", "matrixwidth", "numelements", "msize"};
  return kNames.count(lower_letters(name)) != 0;
}

Result<ChosenEntry> choose_entry(const SourceOutline& outline, const std::string& wanted) {
  const std::vector<const OutlineFunction*> kernels = outline.kernels();
  ChosenEntry entry;
  const size_t open = wanted.find('<');
  const std::string base = squeezed(wanted.substr(0, open));
  if (!base.empty()) {
    for (const OutlineFunction* k : kernels)
      if (k->name == base || last_component(k->name) == base) entry.function = k;
    if (entry.function == nullptr && !kernels.empty())
      return fail("there is no kernel \"{}\"; the file has {}", base, quoted_names(kernels));
  } else if (kernels.size() == 1) {
    entry.function = kernels[0];
  } else {
    std::set<std::string> names, launched;
    for (const OutlineFunction* k : kernels) names.insert(k->name);
    for (const LaunchSite& site : outline.launches)
      for (const OutlineFunction* k : kernels)
        if (last_component(k->name) == last_component(site.name)) launched.insert(k->name);
    if (kernels.empty())
      return fail("the file has no __global__ function that can be seen; name the kernel with --entry NAME");
    if (names.size() > 1 && launched.size() != 1)
      return fail(
          "the file has {} kernels ({}); choose one: --entry {}, or write //! entry = \"{}\" at its top",
          names.size(), quoted_names(kernels), kernels[0]->name, kernels[0]->name);
    for (const OutlineFunction* k : kernels)
      if (names.size() == 1 || k->name == *launched.begin()) entry.function = k;
  }
  entry.name = entry.function == nullptr ? base : entry.function->name;
  if (open != std::string::npos) {
    entry.template_arguments =
        split_arguments(std::string_view(wanted).substr(open + 1, wanted.find_last_of('>') - open - 1));
    entry.name += wanted.substr(open);
    return entry;
  }
  if (entry.function == nullptr || !entry.function->is_template) return entry;
  for (const LaunchSite& site : outline.launches) {
    if (last_component(site.name) != last_component(entry.function->name) || !site.template_arguments)
      continue;
    const Values names(outline.constants.begin(), outline.constants.end());
    std::string list, unknown;
    const auto& formals = entry.function->template_parameters;
    for (const std::string& argument : *site.template_arguments) {
      const auto value = resolve_expression(outline, argument, site.at, names, false);
      const auto number = value ? evaluate(*value, names) : Result<int64_t>(tl::unexpected(Error{}));
      entry.template_arguments.push_back(number ? std::to_string(*number) : argument);
      list += (list.empty() ? "" : ", ") + entry.template_arguments.back();
      // A name that is a parameter of the kernel's own template, or of the launching one of the same names.
      if (!number && is_name(argument) && !type_from_name(argument) &&
          outline.type_names.count(argument) == 0 &&
          std::any_of(formals.begin(), formals.end(), [&](const auto& p) { return p.name == argument; }))
        unknown += (unknown.empty() ? "" : ", ") + argument;
    }
    if (!unknown.empty())
      return without_arguments(
          entry,
          fmt::format("the launch on {} gives kernel {} the template arguments <{}>, but the file does "
                      "not say what {} stands for",
                      site.place, entry.name, list, unknown));
    entry.name += "<" + list + ">";
    return entry;
  }
  const auto& formals = entry.function->template_parameters;
  if (std::all_of(formals.begin(), formals.end(), [](const auto& p) { return !p.default_value.empty(); })) {
    entry.name += "<>";
    return entry;
  }
  std::string list;
  for (const TemplateParameter& p : formals) list += (list.empty() ? "" : ", ") + p.name;
  return without_arguments(
      entry, fmt::format("kernel {} is a template over <{}>, and the file does not say its arguments",
                         entry.name, list));
}

bool passes_structure(const SourceOutline& outline, const ChosenEntry& entry) {
  return entry.function != nullptr && structure_of(outline, entry) != nullptr;
}

Result<GuessedParameters> guess_parameters(const SourceOutline& outline, const ChosenEntry& entry,
                                           bool column_major) {
  if (entry.function == nullptr) return fail("the kernel's parameter list cannot be seen in the file");
  if (const DeclaredParameter* p = structure_of(outline, entry))
    return fail(
        "parameter {} of {} is passed by value as \"{}\", but only pointers and numbers can be passed",
        p->name, entry.name, p->element);
  std::vector<const DeclaredParameter*> pointers;
  int sizes = 0;
  for (const DeclaredParameter& p : entry.function->parameters) {
    if (p.pointer) pointers.push_back(&p);
    const auto type = type_from_name(element_type(outline, entry, p.element));
    if (!p.pointer && type && !is_float(*type) && leading_dimension_of(p.name).empty()) ++sizes;
  }
  const std::vector<char> roles = roles_of(pointers);
  if (roles.empty())
    return fail("which of the parameters of {} are A, B and C cannot be told by their names", entry.name);
  GuessedParameters result;
  size_t next_role = 0;
  for (const DeclaredParameter& p : entry.function->parameters) {
    const std::string type_text = element_type(outline, entry, p.element);
    const auto type = type_from_name(type_text);
    if (!type)
      return fail("parameter {} of {} has the type \"{}\", which is not known", p.name, entry.name,
                  type_text);
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
      return fail("what parameter {} ({}) of {} holds cannot be told by its name", p.name, p.type,
                  entry.name);
    }
  }
  return result;
}

std::string example_parameters(const SourceOutline& outline, const ChosenEntry& entry) {
  if (entry.function == nullptr) return describe_parameters(fixed_signature());
  std::vector<const DeclaredParameter*> pointers;
  for (const DeclaredParameter& p : entry.function->parameters)
    if (p.pointer) pointers.push_back(&p);
  const std::vector<char> roles = roles_of(pointers);
  std::vector<Parameter> all;
  size_t next = 0;
  for (const DeclaredParameter& p : entry.function->parameters) {
    const auto type = type_from_name(element_type(outline, entry, p.element)).value_or(ElementType::float32);
    if (p.pointer && !roles.empty()) {
      all.push_back(matrix(p, roles[next++], type, false));
    } else if (p.pointer) {
      Parameter buffer;
      buffer.name = p.name, buffer.kind = Parameter::Kind::buffer, buffer.type = type, buffer.count = "M * N";
      all.push_back(buffer);
    } else {
      const std::string symbol = size_symbol(p.name), name = lower_letters(p.name),
                        of = leading_dimension_of(p.name);
      const char* const number = name == "alpha" || name == "beta" ? name.c_str() : "1.0";
      all.push_back(scalar(p, type,
                           is_float(type)    ? number
                           : !symbol.empty() ? symbol
                                             : (of == "A" ? "K" : "N")));
    }
  }
  return describe_parameters(all);
}

}  // namespace gemmscope::catalog
