#include "own_kernel/launch_form.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include "catalog/description.h"
#include "cubin/cubin_text.h"
#include "cuda_text/source_text.h"
#include "own_kernel/file_outline.h"
#include "own_kernel/guess.h"
#include "own_kernel/missing_keys.h"
#include "own_kernel/open_kernel.h"

namespace gemmscope::own_kernel {
namespace {

constexpr const char* kSuggestion = "a suggestion: check it";

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

// Writes dimensions without the ones at the end: "16, 16" of 16 x 16 x 1.
std::string dimensions_text(const std::array<std::string, 3>& dimensions) {
  std::vector<std::string> parts(dimensions.begin(), dimensions.end());
  while (parts.size() > 1 && (parts.back() == "1" || parts.back().empty())) parts.pop_back();
  return joined(parts);
}

std::string parameter_text(const catalog::Parameter& p) {
  if (p.kind == catalog::Parameter::Kind::scalar) return p.value;
  if (p.kind == catalog::Parameter::Kind::buffer) {
    static const std::map<catalog::Fill, const char*> kFills = {
        {catalog::Fill::iota, ", fill=iota"},
        {catalog::Fill::zero, ", fill=zero"},
        {catalog::Fill::uninitialised, ", fill=uninitialised"}};
    const auto fill = kFills.find(p.fill);
    return "buffer " + p.count + (p.below.empty() ? "" : ", below=" + p.below) +
           (fill == kFills.end() ? "" : fill->second);
  }
  return std::string(1, p.role) + (p.column_major ? ", column" : "") +
         (p.leading_dimension.empty() ? "" : ", leading_dimension=" + p.leading_dimension) +
         (p.is_tensor_map() ? ", box_rows=" + p.box_rows : "") +
         (p.accumulate ? fmt::format(", accumulate={}", type_name(*p.accumulate)) : "");
}

// Reads the text of a field of a parameter.
Result<catalog::Parameter> read_parameter(const FormParameter& parameter) {
  const std::vector<std::string> parts = cuda_text::split_arguments(parameter.field.text);
  const std::string what = parts.empty() ? "" : cuda_text::squeezed(parts[0]);
  std::map<std::string, std::string> keys = {{"name", parameter.name}, {"type", parameter.type}};
  const bool is_role = what == "A" || what == "B" || what == "C";
  if (parameter.pointer && is_role)
    keys["matrix"] = what;
  else if (parameter.pointer && what.starts_with("buffer "))
    keys["buffer"] = what.substr(7);
  else if (parameter.pointer)
    return fail("Write A, B or C for a matrix, or \"buffer M * N\" for other memory.");
  else if (what.empty())
    return fail("Write M, N, K, alpha, beta, a number, or an expression of these.");
  else if (is_role)
    return fail("{} is a matrix, but {} is a number.", what, parameter.name);
  else
    keys["scalar"] = what;
  for (size_t i = 1; i < parts.size(); ++i) {
    const std::string part = cuda_text::squeezed(parts[i]);
    const size_t equals = part.find('=');
    if (part == "row" || part == "column")
      keys["order"] = part;
    else if (equals != std::string::npos)
      keys[cuda_text::squeezed(part.substr(0, equals))] = cuda_text::squeezed(part.substr(equals + 1));
    else
      return fail("\"{}\" is not understood: write row, column or KEY=VALUE.", part);
  }
  Result<catalog::Parameter> read = catalog::parameter_from(keys);
  if (!read) return fail("{}.", read.error().message);
  return read;
}

// The first argument of __launch_bounds__ of the kernel; empty: it has none.
std::string launch_bounds(const cuda_text::SourceOutline& outline, const cuda_text::OutlineFunction& f) {
  const std::string text = outline.clean.substr(f.begin, f.end - f.begin);
  const size_t open = text.find('(', text.find("__launch_bounds__"));
  if (text.find("__launch_bounds__") > text.find('{') || open == std::string::npos) return "";
  const size_t behind = cuda_text::behind_bracket(text, open);
  if (behind == std::string::npos) return "";
  const auto parts = cuda_text::split_arguments(std::string_view(text).substr(open + 1, behind - open - 2));
  return parts.empty() ? "" : cuda_text::squeezed(parts[0]);
}

class Filler {
 public:
  Filler(LaunchForm& form, const catalog::Overrides& given) : form_(form), given_(given) {}

  Result<void> fill() {
    kernel_.path = form_.path;
    kernel_.source = form_.source;
    Result<cuda_text::SourceOutline> outline = outline_file(kernel_, given_);
    if (!outline) return tl::unexpected(outline.error());
    outline_ = *std::move(outline);
    form_.names = names_of(kernel_);
    if (auto entry = choose(); !entry) return entry;
    if (passes_structure(outline_, entry_)) {
      const GuessedLaunch launch = guess_launch(outline_, entry_, form_.names, false);
      const Result<GuessedParameters> why = guess_parameters(outline_, entry_, false);
      return fail("{}", missing_keys_message(
                            {missing_plain_kernel(outline_, entry_, why ? "" : why.error().message, launch)},
                            form_.source.starts_with("//!")));
    }
    fill_parameters();
    fill_launch();
    return {};
  }

 private:
  // The kernel that was asked for; else the one that the file means, else the first that it launches.
  Result<void> choose() {
    std::set<std::string> seen;
    for (const cuda_text::OutlineFunction* k : outline_.kernels())
      if (seen.insert(k->name).second) form_.kernels.push_back(k->name);
    if (form_.kernels.empty()) return fail("No __global__ function was found in the file.");
    Result<ChosenEntry> entry = choose_entry(outline_, given_.entry.empty() ? kernel_.entry : given_.entry);
    if (!entry) entry = choose_entry(outline_, first_launched());
    if (!entry || entry->function == nullptr) entry = choose_entry(outline_, form_.kernels.front());
    if (!entry) return tl::unexpected(entry.error());
    entry_ = *entry;
    form_.entry = entry_.function->name;
    const auto& formals = entry_.function->template_parameters;
    for (const cuda_text::TemplateParameter& p : formals) {
      form_.template_parameters.push_back(p.name);
      if (p.default_value.empty()) form_.least_arguments = form_.template_parameters.size();
    }
    if (entry_.function->is_template && entry_.unclear.empty()) {
      form_.arguments.text = joined(entry_.template_arguments);
      form_.arguments.origin =
          given_.entry.find('<') != std::string::npos ? "typed" : "as the file launches it";
    }
    // What the file says without the user's words.
    if (const auto found = choose_entry(outline_, form_.entry); found && found->unclear.empty())
      form_.arguments.found = joined(found->template_arguments);
    return {};
  }
  std::string first_launched() const {
    for (const cuda_text::LaunchSite& site : outline_.launches)
      for (const std::string& kernel : form_.kernels)
        if (cuda_text::last_component(kernel) == cuda_text::last_component(site.name)) return kernel;
    return form_.kernels.front();
  }

  void fill_parameters() {
    const Result<GuessedParameters> guessed = guess_parameters(outline_, entry_, given_.column_major);
    std::vector<catalog::Parameter> all =
        guessed ? guessed->parameters : suggested_parameters(outline_, entry_);
    std::vector<catalog::Parameter> found = guessed ? guessed->parameters : std::vector<catalog::Parameter>();
    if (!kernel_.parameters.empty()) all = found = kernel_.parameters;
    const bool from_cubin = cubin::is_cubin_text(form_.source);  // whose names are not the author's
    std::string origin = !kernel_.parameters.empty() ? "of the file's description"
                         : guessed && !from_cubin    ? ""
                                                     : kSuggestion;
    if (!guessed && kernel_.parameters.empty()) name_three_pointers(all);
    if (given_.parameters.size() == all.size()) all = given_.parameters, origin = "typed";
    square_ = guessed && guessed->square;
    const auto& declared = entry_.function->parameters;
    for (size_t i = 0; i < all.size(); ++i) {
      FormParameter p;
      p.name = all[i].name.empty() && i < declared.size() ? declared[i].name : all[i].name;
      p.type = type_name(all[i].type);
      p.pointer = all[i].kind != catalog::Parameter::Kind::scalar;
      p.declared = i < declared.size() ? declared[i].type + " " + declared[i].name : p.type + " " + p.name;
      p.field.text = parameter_text(all[i]);
      p.field.found = i < found.size() ? parameter_text(found[i]) : "";
      p.field.origin = p.field.text.empty() ? "" : origin;
      form_.parameters.push_back(std::move(p));
    }
  }
  // Three pointers that say nothing by their names are A, B and C more often than anything else.
  static void name_three_pointers(std::vector<catalog::Parameter>& all) {
    const auto is_buffer = [](const auto& p) { return p.kind == catalog::Parameter::Kind::buffer; };
    if (std::count_if(all.begin(), all.end(), is_buffer) != 3) return;
    char role = 'A';
    for (catalog::Parameter& p : all)
      if (is_buffer(p)) p.kind = catalog::Parameter::Kind::matrix, p.role = role++;
  }

  void fill_launch() {
    catalog::Values values = form_.names;
    if (!entry_.unclear.empty())
      for (const std::string& name : form_.template_parameters) values[name] = 1;
    const GuessedLaunch guessed = guess_launch(outline_, entry_, values, square_);
    fill_dimensions(form_.block, given_.block, kernel_.block_expressions, guessed.block, guessed.block_place);
    fill_dimensions(form_.grid, given_.grid, kernel_.grid_expressions, guessed.grid, guessed.grid_place);
    if (form_.block.text.empty()) {
      const std::string bounds = launch_bounds(outline_, *entry_.function);
      const bool plane = body().find("threadIdx.y") != std::string::npos;
      form_.block.text = !bounds.empty() ? bounds : plane ? "16, 16" : "256";
      form_.block.origin = !bounds.empty() ? "of __launch_bounds__" : kSuggestion;
    }
    if (form_.grid.text.empty()) {
      form_.grid.text = suggested_grid();
      form_.grid.origin = kSuggestion;
    }
    form_.shared.found = !kernel_.shared_expression.empty()     ? kernel_.shared_expression
                         : !guessed.shared.empty()              ? guessed.shared
                         : guessed.unclear_shared.place.empty() ? "0"
                                                                : "";
    form_.shared.text = !given_.shared.empty() ? given_.shared : form_.shared.found;
    form_.shared.origin = form_.shared.found.empty() ? "" : !given_.shared.empty() ? "typed" : "";
  }
  static void fill_dimensions(FormField& field, const std::vector<std::string>& given,
                              const std::array<std::string, 3>& described,
                              const std::array<std::string, 3>& guessed, const std::string& place) {
    if (!described[0].empty()) {
      field.found = dimensions_text(described);
      field.origin = "of the file's description";
    } else if (!place.empty()) {
      field.found = dimensions_text(guessed);
      field.origin = "as launched on " + place;
    }
    field.text = field.found;
    if (given.empty()) return;
    field.text = joined(given);
    field.origin = "typed";
  }
  // Tiles named as most sources name them give the grid; else one thread has one element of C.
  std::string suggested_grid() const {
    const auto has = [&](const char* name) {
      return form_.names.contains(name) ||
             std::find(form_.template_parameters.begin(), form_.template_parameters.end(), name) !=
                 form_.template_parameters.end();
    };
    for (const auto& [n, m] : {std::pair("BN", "BM"),
                               {"BLOCK_N", "BLOCK_M"},
                               {"TILE_N", "TILE_M"},
                               {"BLOCKSIZE", "BLOCKSIZE"},
                               {"TILE", "TILE"}})
      if (has(n) && has(m)) return fmt::format("ceil_div(N, {}), ceil_div(M, {})", n, m);
    const std::vector<std::string> block = cuda_text::split_arguments(form_.block.text);
    if (body().find("blockIdx.y") == std::string::npos)
      return fmt::format("ceil_div(M * N, {})", block.empty() ? "256" : block[0]);
    if (block.size() > 1) return fmt::format("ceil_div(N, {}), ceil_div(M, {})", block[0], block[1]);
    return "ceil_div(N, 32), ceil_div(M, 32)";
  }
  std::string body() const {
    return outline_.clean.substr(entry_.function->begin, entry_.function->end - entry_.function->begin);
  }

  LaunchForm& form_;
  const catalog::Overrides& given_;
  catalog::Kernel kernel_;
  cuda_text::SourceOutline outline_;
  ChosenEntry entry_;
  bool square_ = false;
};

// The names for expressions, with the template's parameters.
catalog::Values names_of_form(const LaunchForm& form) {
  catalog::Values names = form.names;
  const std::vector<std::string> arguments = cuda_text::split_arguments(form.arguments.text);
  for (size_t i = 0; i < form.template_parameters.size(); ++i)
    if (i < arguments.size())
      if (const auto number = catalog::evaluate(arguments[i], {}))
        names.emplace(form.template_parameters[i], *number);
  return names;
}

// True for what can be neither a number nor a type: "8 x", "2 *", "8BM".
bool is_no_argument(const std::string& text, const catalog::Values& names) {
  if (catalog::evaluate(text, names)) return false;
  const std::string outside = text.substr(0, text.find('<'));
  return outside.empty() || std::isdigit(static_cast<unsigned char>(outside[0])) != 0 ||
         outside.find_first_of("+/%") != std::string::npos;
}

std::string arguments_error(const LaunchForm& form) {
  const std::vector<std::string> arguments = cuda_text::split_arguments(form.arguments.text);
  const size_t count = form.template_parameters.size();
  const bool blank = std::any_of(arguments.begin(), arguments.end(),
                                 [](const std::string& a) { return cuda_text::squeezed(a).empty(); });
  if (blank || arguments.size() < form.least_arguments || arguments.size() > count)
    return fmt::format("Write {} value{}, one for each of {}, with commas between.",
                       form.least_arguments == count ? std::to_string(count)
                                                     : fmt::format("{} to {}", form.least_arguments, count),
                       count == 1 ? "" : "s", joined(form.template_parameters));
  for (size_t i = 0; i < arguments.size(); ++i)
    if (is_no_argument(cuda_text::squeezed(arguments[i]), form.names))
      return fmt::format("\"{}\" for {} is neither a number nor a type.", cuda_text::squeezed(arguments[i]),
                         form.template_parameters[i]);
  return "";
}

// A sentence: the field shows the expression, so it need not repeat it.
std::string expression_error(const std::string& text, const catalog::Values& names) {
  const auto checked = catalog::check_expression(text, names);
  if (checked) return "";
  std::string error = checked.error().message;
  if (const size_t at = error.find(" in the expression \""); at != std::string::npos) error.erase(at);
  error[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(error[0])));
  return error + ".";
}

std::string dimensions_error(const FormField& field, const char* example, const catalog::Values& names) {
  const std::vector<std::string> parts = cuda_text::split_arguments(field.text);
  if (parts.empty() || parts.size() > 3)
    return fmt::format("Write one to three expressions with commas between, such as {}.", example);
  for (const std::string& part : parts)
    if (std::string error = expression_error(part, names); !error.empty()) return error;
  return "";
}

}  // namespace

Result<LaunchForm> fill_form(const std::filesystem::path& path, const catalog::Overrides& given) {
  auto source = text_of_file(path);
  if (!source) return tl::unexpected(source.error());
  LaunchForm form;
  form.path = path;
  form.source = *std::move(source);
  if (auto filled = Filler(form, given).fill(); !filled) return tl::unexpected(filled.error());
  check_form(form);
  return form;
}

void check_form(LaunchForm& form) {
  form.arguments.error = form.template_parameters.empty() ? "" : arguments_error(form);
  const catalog::Values names = names_of_form(form);
  // While an argument is missing, its name is known all the same: one mistake gives one sentence.
  catalog::Values known = names;
  for (const std::string& name : form.template_parameters) known.emplace(name, 0);
  const catalog::Values& usable = form.arguments.error.empty() ? names : known;
  form.block.error = dimensions_error(form.block, "16, 16", usable);
  form.grid.error = dimensions_error(form.grid, "ceil_div(N, 16), ceil_div(M, 16)", usable);
  form.shared.error = expression_error(form.shared.text, usable);
  for (FormParameter& p : form.parameters) {
    const Result<catalog::Parameter> read = read_parameter(p);
    const Result<void> checked =
        read ? catalog::check_parameter(*read, usable) : Result<void>(tl::unexpected(read.error()));
    p.field.error = checked ? "" : checked.error().message;
    if (!p.field.error.empty() && p.field.error.back() != '.') p.field.error += '.';
  }
}

bool is_right(const LaunchForm& form) {
  for (const FormField* field : {&form.arguments, &form.block, &form.grid, &form.shared})
    if (!field->error.empty()) return false;
  return std::all_of(form.parameters.begin(), form.parameters.end(),
                     [](const FormParameter& p) { return p.field.error.empty(); });
}

catalog::Overrides overrides_of(const LaunchForm& form) {
  catalog::Overrides given;
  const auto differs = [](const FormField& field) {
    return cuda_text::squeezed(field.text) != cuda_text::squeezed(field.found) || field.found.empty();
  };
  // The launch of the file may mean other arguments than the typed ones; what the form shows counts.
  const bool own_arguments = differs(form.arguments) && !form.template_parameters.empty();
  if (own_arguments)
    given.entry = fmt::format("{}<{}>", form.entry, cuda_text::squeezed(form.arguments.text));
  else if (form.kernels.size() > 1)
    given.entry = form.entry;
  if (own_arguments || differs(form.block)) given.block = cuda_text::split_arguments(form.block.text);
  if (own_arguments || differs(form.grid)) given.grid = cuda_text::split_arguments(form.grid.text);
  if (own_arguments || differs(form.shared)) given.shared = form.shared.text;
  const bool parameters_differ = std::any_of(form.parameters.begin(), form.parameters.end(),
                                             [&](const FormParameter& p) { return differs(p.field); });
  if (parameters_differ)
    for (const FormParameter& p : form.parameters)
      if (const auto read = read_parameter(p)) given.parameters.push_back(*read);
  return given;
}

}  // namespace gemmscope::own_kernel
