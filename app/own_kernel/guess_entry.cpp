#include <algorithm>
#include <map>
#include <set>

#include "cuda_text/source_text.h"
#include "own_kernel/guess.h"
#include "own_kernel/host_types.h"

namespace gemmscope::own_kernel {
namespace {

std::string quoted_names(const std::vector<const cuda_text::OutlineFunction*>& kernels) {
  std::string names;
  std::set<std::string> seen;  // several preprocessor branches may each define it
  for (const cuda_text::OutlineFunction* k : kernels)
    if (seen.insert(k->name).second) names += (names.empty() ? "" : ", ") + k->name;
  return names;
}

// Uses float for every type parameter, which is right for most.
ChosenEntry without_arguments(ChosenEntry entry, std::string why) {
  entry.template_arguments.clear();
  for (const cuda_text::TemplateParameter& formal : entry.function->template_parameters) {
    const auto& parameters = entry.function->parameters;
    const bool is_type = std::any_of(parameters.begin(), parameters.end(),
                                     [&](const auto& p) { return p.element == formal.name; });
    entry.template_arguments.push_back(is_type ? "float" : formal.name);
  }
  entry.unclear = std::move(why);
  return entry;
}

Result<const cuda_text::OutlineFunction*> choose_function(const cuda_text::SourceOutline& outline,
                                                          const std::string& base) {
  const std::vector<const cuda_text::OutlineFunction*> kernels = outline.kernels();
  const cuda_text::OutlineFunction* chosen = nullptr;
  if (!base.empty()) {
    for (const cuda_text::OutlineFunction* k : kernels)
      if (k->name == base || cuda_text::last_component(k->name) == base) chosen = k;
    if (chosen == nullptr && !kernels.empty())
      return fail("there is no kernel \"{}\"; the file has {}", base, quoted_names(kernels));
    return chosen;
  }
  if (kernels.size() == 1) return kernels[0];
  if (kernels.empty())
    return fail("no __global__ function was found in the file; name the kernel with --entry NAME");
  std::set<std::string> names, launched;
  for (const cuda_text::OutlineFunction* k : kernels) names.insert(k->name);
  for (const cuda_text::LaunchSite& site : outline.launches)
    for (const cuda_text::OutlineFunction* k : kernels)
      if (cuda_text::last_component(k->name) == cuda_text::last_component(site.name))
        launched.insert(k->name);
  if (names.size() > 1 && launched.size() != 1)
    return fail(
        "the file has {} kernels ({}); choose one: --entry {}, or write //! entry = \"{}\" at its top",
        names.size(), quoted_names(kernels), kernels[0]->name, kernels[0]->name);
  for (const cuda_text::OutlineFunction* k : kernels)
    if (names.size() == 1 || k->name == *launched.begin()) chosen = k;
  return chosen;
}

Result<int64_t> number_of(const cuda_text::SourceOutline& outline, const std::string& text, size_t at,
                          const catalog::Values& names) {
  const auto value = resolve_expression(outline, text, at, names, false);
  return value ? catalog::evaluate(*value, names) : Result<int64_t>(tl::unexpected(Error{}));
}

// Writes the type that host code at `at` names as the kernel's compiler can read it, which does not see host
// functions: without their aliases, and with numbers for their constants.
std::string type_for_the_device(const cuda_text::SourceOutline& outline, const std::string& text, size_t at,
                                const catalog::Values& names) {
  const std::string type = without_local_aliases(outline, text, at);
  const size_t open = type.find('<'), close = type.rfind('>');
  if (open == std::string::npos || close == std::string::npos || close < open) return type;
  std::string list;
  for (const std::string& part :
       cuda_text::split_arguments(std::string_view(type).substr(open + 1, close - open - 1))) {
    const auto number = number_of(outline, part, at, names);
    list += (list.empty() ? "" : ", ") + (number ? std::to_string(*number) : part);
  }
  return type.substr(0, open + 1) + list + type.substr(close);
}

// Adds the template arguments that a launch gives the kernel.
ChosenEntry instantiated(const cuda_text::SourceOutline& outline, ChosenEntry entry,
                         const cuda_text::LaunchSite& site) {
  const catalog::Values names(outline.constants.begin(), outline.constants.end());
  const auto given = given_by_the_caller(outline, site);
  const auto& formals = entry.function->template_parameters;
  std::string list, unknown;
  for (std::string argument : *site.template_arguments) {
    if (const auto known = given.find(argument); known != given.end() && !known->second.empty())
      argument = known->second;
    const auto number = number_of(outline, argument, site.at, names);
    if (!number) argument = type_for_the_device(outline, argument, site.at, names);
    entry.template_arguments.push_back(number ? std::to_string(*number) : argument);
    list += (list.empty() ? "" : ", ") + entry.template_arguments.back();
    // An argument is unknown if it names a parameter of the kernel's own template, or of a launching
    // template with the same names.
    if (!number && catalog::is_name(argument) && outline.type_names.count(argument) == 0 &&
        std::any_of(formals.begin(), formals.end(), [&](const auto& p) { return p.name == argument; }))
      unknown += (unknown.empty() ? "" : ", ") + argument;
  }
  if (!unknown.empty())
    return without_arguments(
        entry, fmt::format("the launch on {} gives kernel {} the template arguments <{}>, but the file does "
                           "not say what {} stands for",
                           site.place, entry.name, list, unknown));
  entry.name += "<" + list + ">";
  return entry;
}

}  // namespace

std::map<std::string, std::string> given_by_the_caller(const cuda_text::SourceOutline& outline,
                                                       const cuda_text::LaunchSite& site) {
  constexpr int kMostCalls = 100;
  std::map<std::string, std::string> given;
  const std::string& text = outline.clean;
  const auto f = std::find_if(outline.functions.begin(), outline.functions.end(),
                              [&](const cuda_text::OutlineFunction& g) {
                                return g.is_template && !g.global && g.begin <= site.at && site.at < g.end;
                              });
  if (f == outline.functions.end()) return given;
  const std::string name = cuda_text::last_component(f->name);
  int calls = 0;
  for (size_t at = text.find(name); at != std::string::npos && calls < kMostCalls;
       at = text.find(name, at + 1)) {
    const size_t open = at + name.size();
    if ((at > 0 && cuda_text::is_word_char(text[at - 1])) || open >= text.size() || text[open] != '<')
      continue;
    ++calls;
    const size_t behind = cuda_text::behind_bracket(
        std::string_view(text).substr(0, std::min(text.size(), open + cuda_text::kMostStatement)), open);
    if (behind == std::string::npos || behind >= text.size() || text[behind] != '(') continue;
    const std::vector<std::string> arguments =
        cuda_text::split_arguments(std::string_view(text).substr(open + 1, behind - open - 2));
    for (size_t i = 0; i < f->template_parameters.size(); ++i) {
      const cuda_text::TemplateParameter& p = f->template_parameters[i];
      given[p.name] = i < arguments.size() ? arguments[i] : p.default_value;
    }
    return given;
  }
  return given;
}

std::map<std::string, int64_t> template_numbers(const ChosenEntry& entry) {
  std::map<std::string, int64_t> numbers;
  if (entry.function == nullptr || !entry.unclear.empty()) return numbers;
  const auto& formals = entry.function->template_parameters;
  for (size_t i = 0; i < formals.size(); ++i) {
    const std::string& text =
        i < entry.template_arguments.size() ? entry.template_arguments[i] : formals[i].default_value;
    if (const auto number = catalog::evaluate(text, {})) numbers[formals[i].name] = *number;
  }
  return numbers;
}

Result<ChosenEntry> choose_entry(const cuda_text::SourceOutline& outline, const std::string& wanted) {
  ChosenEntry entry;
  const size_t open = wanted.find('<');
  const std::string base = cuda_text::squeezed(wanted.substr(0, open));
  const auto function = choose_function(outline, base);
  if (!function) return tl::unexpected(function.error());
  entry.function = *function;
  entry.name = entry.function == nullptr ? base : entry.function->name;
  if (open != std::string::npos) {
    entry.template_arguments = cuda_text::split_arguments(
        std::string_view(wanted).substr(open + 1, wanted.find_last_of('>') - open - 1));
    entry.name += wanted.substr(open);
    return entry;
  }
  if (entry.function == nullptr || !entry.function->is_template) return entry;
  for (const cuda_text::LaunchSite& site : outline.launches)
    if (cuda_text::last_component(site.name) == cuda_text::last_component(entry.function->name) &&
        site.template_arguments)
      return instantiated(outline, entry, site);
  const auto& formals = entry.function->template_parameters;
  if (std::all_of(formals.begin(), formals.end(), [](const auto& p) { return !p.default_value.empty(); })) {
    entry.name += "<>";
    return entry;
  }
  std::string list;
  for (const cuda_text::TemplateParameter& p : formals) list += (list.empty() ? "" : ", ") + p.name;
  return without_arguments(
      entry, fmt::format("kernel {} is a template over <{}>, and the file does not give its arguments",
                         entry.name, list));
}

}  // namespace gemmscope::own_kernel
