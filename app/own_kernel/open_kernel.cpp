#include "own_kernel/open_kernel.h"

#include <algorithm>
#include <charconv>
#include <span>

#include "catalog/description.h"
#include "cubin/cubin_text.h"
#include "cuda_text/source_text.h"
#include "cuda_text/text_scanner.h"
#include "own_kernel/file_outline.h"
#include "own_kernel/foreign_text.h"
#include "own_kernel/guess.h"
#include "own_kernel/missing_keys.h"

namespace gemmscope::own_kernel {
namespace {

std::array<std::string, 3> padded(const std::vector<std::string>& expressions) {
  std::array<std::string, 3> result = {"1", "1", "1"};
  std::copy_n(expressions.begin(), std::min<size_t>(3, expressions.size()), result.begin());
  return result;
}

std::string joined(const std::array<std::string, 3>& expressions) {
  return fmt::format("{} x {} x {}", expressions[0], expressions[1], expressions[2]);
}

// Returns the digits of "#define N 64" or "#define N (64)" behind the name; empty for another text.
std::string_view size_in(std::string_view rest) {
  cuda_text::TextScanner scan(rest);
  if (!scan.take(" ")) return {};
  if (scan.take("(")) scan.take(" ");
  const std::string_view digits = scan.take_all_of("0123456789");
  scan.take(" ");
  scan.take(")");
  return scan.at_end() ? digits : std::string_view();
}

// Finds M, N or K as a macro: the kernel is compiled for this size.
std::map<std::string, int64_t> fixed_sizes_of(const cuda_text::SourceOutline& outline) {
  std::map<std::string, int64_t> sizes;
  for (const std::string& definition : outline.definitions) {
    const auto macro = cuda_text::macro_definition(definition);
    if (!macro || (macro->name != "M" && macro->name != "N" && macro->name != "K")) continue;
    const std::string_view digits = size_in(macro->rest);
    if (digits.empty() || definition.size() > cuda_text::kMostStatement) continue;
    int64_t size = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), size);
    sizes[std::string(macro->name)] = size;
  }
  return sizes;
}

class Opener {
 public:
  Opener(catalog::Kernel& kernel, const catalog::Overrides& overrides) : kernel_(kernel), given_(overrides) {}

  Result<void> open() {
    Result<cuda_text::SourceOutline> outline = outline_file(kernel_, given_);
    if (!outline) return tl::unexpected(outline.error());
    outline_ = *std::move(outline);
    kernel_.fixed_sizes = fixed_sizes_of(outline_);
    for (const auto& step : {&Opener::open_entry, &Opener::open_parameters, &Opener::open_launch})
      if (auto done = (this->*step)(); !done) return done;
    if (kernel_.title.empty()) kernel_.title = kernel_.path.filename().string();
    for (const auto& [name, value] : template_numbers(entry_)) kernel_.constants.emplace(name, value);
    return {};
  }

 private:
  catalog::Values names() const { return names_of(kernel_); }
  // With the names of the template's parameters, which only the user's own expressions mean.
  catalog::Values given_names() const {
    catalog::Values values = names();
    for (const auto& [name, value] : template_numbers(entry_)) values.emplace(name, value);
    return values;
  }
  tl::unexpected<Error> wrong(const std::string& sentence) const {
    return fail("{}: {}", kernel_.path.string(), sentence);
  }

  Result<void> open_entry() {
    const std::string wanted = given_.entry.empty() ? kernel_.entry : given_.entry;
    // A description that names a kernel is accepted even if the outline does not show the kernel.
    const Result<ChosenEntry> entry = choose_entry(outline_, wanted);
    if (!entry) return wrong(entry.error().message + ".");
    entry_ = *entry;
    kernel_.entry = entry_.name;
    kernel_.mangled = entry_.function == nullptr || !entry_.function->extern_c;
    if (!entry_.unclear.empty()) {
      missing_.push_back(missing_arguments(entry_));
    } else if (wanted.empty()) {
      kernel_.guesses.push_back(fmt::format("the kernel is {}", entry_.name));
    }
    return {};
  }

  Result<void> open_parameters() {
    if (!given_.parameters.empty()) {
      kernel_.parameters = given_.parameters;
      for (const catalog::Parameter& p : kernel_.parameters)
        if (const auto checked = catalog::check_parameter(p, given_names()); !checked)
          return wrong("--parameter: " + checked.error().message + ".");
      return {};
    }
    if (!kernel_.parameters.empty()) return {};
    const Result<GuessedParameters> guessed = guess_parameters(outline_, entry_, given_.column_major);
    if (!guessed) return miss_parameters(guessed.error().message);
    kernel_.parameters = guessed->parameters;
    kernel_.square = guessed->square;
    std::string list;
    for (const catalog::Parameter& p : kernel_.parameters)
      list += fmt::format(
          "{}{} = {}", list.empty() ? "" : ", ", p.name,
          p.kind == catalog::Parameter::Kind::matrix
              ? fmt::format("{} ({}, {}-major)", p.role, type_name(p.type), p.column_major ? "column" : "row")
              : p.value);
    kernel_.guesses.push_back("the parameters are " + list);
    return {};
  }

  Result<void> miss_parameters(const std::string& why) {
    if (passes_structure(outline_, entry_)) {
      // Other missing keys of this kernel are not reported: they do not concern the kernel to be written.
      const GuessedLaunch launch = guess_launch(outline_, entry_, names(), false);
      return wrong(missing_keys_message({missing_plain_kernel(outline_, entry_, why, launch)}, described()));
    }
    missing_.push_back(
        {why + "; say what they are, in order", example_parameters(outline_, entry_),
         "--parameter name=A,matrix=A,type=float32 --parameter name=n,scalar=N,type=int32 … (one "
         "for each parameter)",
         ""});
    return {};
  }

  Result<void> open_launch() {
    if (auto checked = take_given_launch(); !checked) return checked;
    catalog::Values values = names();
    if (!entry_.unclear.empty())
      for (const cuda_text::TemplateParameter& p : entry_.function->template_parameters) values[p.name] = 1;
    const GuessedLaunch guessed = guess_launch(outline_, entry_, values, kernel_.square);
    take_guess("block", kernel_.block_expressions, guessed.block, guessed.block_place);
    take_guess("grid", kernel_.grid_expressions, guessed.grid, guessed.grid_place);
    if (kernel_.shared_expression.empty()) {
      if (guessed.shared.empty() && !guessed.unclear_shared.place.empty())
        missing_.push_back(missing_shared(guessed.unclear_shared));
      else
        kernel_.shared_expression = guessed.shared.empty() ? "0" : guessed.shared;
    }
    if (kernel_.block_expressions[0].empty())
      missing_.push_back(missing_block(outline_, entry_, guessed.unclear_block));
    if (kernel_.grid_expressions[0].empty())
      missing_.push_back(missing_grid(outline_, entry_, guessed.unclear_grid, kernel_.block_expressions));
    if (cubin::is_cubin_text(kernel_.source))  // into which nobody writes a description
      for (MissingKey& key : missing_) key.lines.clear();
    return missing_.empty() ? Result<void>{} : wrong(missing_keys_message(missing_, described()));
  }

  // Takes the launch that the command line gives.
  Result<void> take_given_launch() {
    for (const auto& [key, expressions] :
         {std::pair("block", &given_.block), std::pair("grid", &given_.grid)})
      for (const std::string& e : *expressions)
        if (const auto checked = catalog::check_expression(e, given_names()); !checked)
          return wrong(fmt::format("--{}-dim: {}.", key, checked.error().message));
    if (!given_.block.empty()) kernel_.block_expressions = padded(given_.block);
    if (!given_.grid.empty()) kernel_.grid_expressions = padded(given_.grid);
    if (given_.shared.empty()) return {};
    if (const auto checked = catalog::check_expression(given_.shared, given_names()); !checked)
      return wrong(fmt::format("--shared: {}.", checked.error().message));
    kernel_.shared_expression = given_.shared;
    return {};
  }

  void take_guess(const char* key, std::array<std::string, 3>& target,
                  const std::array<std::string, 3>& guess, const std::string& place) {
    if (!target[0].empty() || place.empty()) return;
    target = guess;
    kernel_.guesses.push_back(fmt::format("the {} is {}, as launched on {}", key, joined(guess), place));
  }

  bool described() const { return kernel_.source.starts_with("//!"); }

  catalog::Kernel& kernel_;
  const catalog::Overrides& given_;
  cuda_text::SourceOutline outline_;
  ChosenEntry entry_;
  std::vector<MissingKey> missing_;
};

}  // namespace

Result<cuda_text::SourceOutline> outline_file(catalog::Kernel& kernel, const catalog::Overrides& given) {
  const std::vector<cuda_text::IncludedSource> included =
      cuda_text::included_sources(kernel.source, kernel.path);
  kernel.constants = cuda_text::program_outline(kernel.source, included, given.defines).constants;
  if (auto read = catalog::read_description(kernel, false); !read) return tl::unexpected(read.error());
  for (const auto& [name, value] : given.defines) kernel.defines[name] = value;
  // Reads the outline again, because the description's macros decide which branches of the source are on.
  std::set<std::string> undecided;
  for (const catalog::Toggle& toggle : kernel.toggles) undecided.insert(toggle.name);
  for (const catalog::Input& input : kernel.inputs) undecided.insert(input.name);
  cuda_text::SourceOutline outline =
      cuda_text::program_outline(kernel.source, included, kernel.defines, undecided);
  kernel.constants = outline.constants;
  for (const catalog::Toggle& toggle : kernel.toggles) kernel.constants.erase(toggle.name);
  for (const auto& [name, value] : kernel.defines) kernel.constants.erase(name);
  return outline;
}

catalog::Values names_of(const catalog::Kernel& kernel) {
  catalog::Values values(kernel.constants.begin(), kernel.constants.end());
  for (const auto& [name, value] : kernel.defines) values[name] = value;
  for (const catalog::Toggle& toggle : kernel.toggles) values[toggle.name] = toggle.default_value;
  for (const char* size : {"M", "N", "K"}) values[size] = 0;
  return values;
}

namespace {

// Machine code fits one architecture; the text may come from a scene, so its bytes are read here, too.
Result<void> check_cubin(catalog::Kernel& kernel) {
  const std::string origin = kernel.path.string();
  const auto bytes = cubin::bytes_of_cubin_text(kernel.source, origin);
  if (!bytes) return tl::unexpected(bytes.error());
  const auto cubin = cubin::read_cubin(*bytes, origin);
  if (!cubin) return tl::unexpected(cubin.error());
  kernel.architecture = isa::sm_number(cubin->arch);
  return {};
}

Result<catalog::Kernel> open_source(const std::filesystem::path& path, std::string text,
                                    const catalog::Overrides& overrides) {
  catalog::Kernel kernel;
  kernel.path = path;
  kernel.id = kernel.path.stem().string();
  kernel.source = std::move(text);
  kernel.opened = true;
  kernel.overrides = overrides;
  if (auto opened = Opener(kernel, overrides).open(); !opened) return tl::unexpected(opened.error());
  if (cubin::is_cubin_text(kernel.source))
    if (auto checked = check_cubin(kernel); !checked) return tl::unexpected(checked.error());
  return kernel;
}

}  // namespace

Result<std::string> text_of_file(const std::filesystem::path& path) {
  auto text = catalog::read_source(path);
  if (!text || !cubin::is_elf(*text)) return text;
  return cubin::cubin_text(std::as_bytes(std::span(*text)), path.string());
}

std::optional<isa::Arch> only_architecture(const catalog::Kernel& kernel) {
  if (!cubin::is_cubin_text(kernel.source)) return std::nullopt;
  return isa::arch_from_number(kernel.architecture);
}

bool is_kernel_file(const std::filesystem::path& path) {
  return catalog::is_cuda_file(path) || path.extension() == ".cubin";
}

Result<catalog::Kernel> open_kernel(const std::filesystem::path& path, const catalog::Overrides& overrides) {
  auto source = text_of_file(path);
  if (!source) return tl::unexpected(source.error());
  return open_source(path, *std::move(source), overrides);
}

Result<catalog::Kernel> open_kernel_text(const std::string& name, std::string text,
                                         const catalog::Overrides& overrides) {
  if (const Result<void> checked = check_foreign_text(name, text); !checked)
    return tl::unexpected(checked.error());
  // In no folder that exists, so that no file beside the program is taken for it.
  return open_source(std::filesystem::path("from a scene") / name, std::move(text), overrides);
}

Result<catalog::Kernel> reread_kernel(const catalog::Kernel& kernel) {
  return kernel.opened ? open_kernel(kernel.path, kernel.overrides) : catalog::read_kernel(kernel.path);
}

}  // namespace gemmscope::own_kernel
