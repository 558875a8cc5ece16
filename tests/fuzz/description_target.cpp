#include <algorithm>

#include "catalog/description.h"
#include "cuda_text/source_outline.h"
#include "own_kernel/guess.h"
#include "own_kernel/missing_keys.h"
#include "targets.h"

namespace gemmscope::fuzz {
namespace {

void launch_it(const catalog::Kernel& kernel) {
  for (const int64_t size : {int64_t{1}, int64_t{130}, int64_t{46340}, int64_t{1} << 62}) {
    const auto launch = catalog::launch_for(kernel, {size, size, size}, {});
    if (!launch) continue;
    require(launch->block[0] * launch->block[1] * launch->block[2] <= 1024,
            "a block has at most 1,024 threads");
    require(launch->grid[0] > 0 && launch->grid[1] > 0 && launch->grid[2] > 0, "a grid has blocks");
  }
}

}  // namespace

// Reads the text as a kernel of the catalogue, and as a user's own file, where the source supplies what the
// description leaves out.
void description(Bytes bytes) {
  for (const bool complete : {true, false}) {
    catalog::Kernel kernel;
    kernel.path = "kernel.cu";
    kernel.source = text_of(bytes);
    const auto read = catalog::read_description(kernel, complete);
    require(read || !read.error().message.empty(), "a refusal says why");
    if (read) launch_it(kernel);
  }
}

namespace {

void guess_kernels(const cuda_text::SourceOutline& outline) {
  for (const cuda_text::OutlineFunction* kernel : outline.kernels()) {
    const auto entry = own_kernel::choose_entry(outline, kernel->name);
    if (!entry) continue;
    (void)own_kernel::guess_parameters(outline, *entry, false);
    (void)own_kernel::example_parameters(outline, *entry);
    catalog::Values names(outline.constants.begin(), outline.constants.end());
    for (const char* size : {"M", "N", "K"}) names[size] = 0;
    const own_kernel::GuessedLaunch guessed = own_kernel::guess_launch(outline, *entry, names, false);
    for (const std::string& expression : guessed.block)
      require(expression.empty() || catalog::check_expression(expression, names),
              "a guess is an expression: " + expression);
    (void)own_kernel::missing_block(outline, *entry, guessed.unclear_block);
    (void)own_kernel::missing_grid(outline, *entry, guessed.unclear_grid, guessed.block);
    if (own_kernel::passes_structure(outline, *entry))
      (void)own_kernel::missing_plain_kernel(outline, *entry, "why", guessed);
  }
}

}  // namespace

void outline(Bytes bytes) {
  const std::string_view text = text_of(bytes);
  const cuda_text::SourceOutline outline = cuda_text::outline_of(text);
  require(outline.clean.size() == text.size(), "what is blanked keeps its place");
  for (const cuda_text::OutlineFunction& function : outline.functions)
    require(function.begin <= function.end && function.end <= text.size(), "a function lies in its file");
  const auto lines = std::ranges::count(text, '\n');
  require(std::ranges::count(cuda_text::without_host_code(text), '\n') == lines, "lines keep their numbers");
  guess_kernels(outline);
  // Reads the text as the host's compiler does, also with itself as a header.
  const cuda_text::SourceOutline program = cuda_text::program_outline(text, {}, {{"GIVEN", 1}}, {"TOGGLE"});
  require(std::ranges::count(program.clean, '\n') == lines, "macros and branches keep the lines' numbers");
  guess_kernels(program);
  if (text.find("\"kernel.cuh\"") != std::string_view::npos)
    (void)cuda_text::program_outline(text, {{"kernel.cuh", std::string(text)}});
}

// Reads a text as --parameter on the command line.
void parameter(Bytes bytes) {
  const auto read = catalog::parse_parameter(text_of(bytes));
  if (!read) return require(!read.error().message.empty(), "a refusal says why");
  (void)catalog::check_parameter(*read, {{"M", 0}, {"N", 0}, {"K", 0}});
  (void)catalog::describe_parameters({*read});
}

void expression(Bytes bytes) {
  const std::string_view text = text_of(bytes);
  const catalog::Values values = {{"M", 256}, {"N", INT64_MAX}, {"K", INT64_MIN}, {"Z", 0}, {"W", -1}};
  const auto checked = catalog::check_expression(text, values);
  const auto value = catalog::evaluate(text, values);
  require(checked || !value, "what is computed has the right syntax");
}

}  // namespace gemmscope::fuzz
