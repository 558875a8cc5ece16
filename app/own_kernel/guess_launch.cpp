#include <algorithm>
#include <cctype>
#include <set>

#include "cuda_text/source_text.h"
#include "own_kernel/guess.h"
#include "own_kernel/launch_resolver.h"

namespace gemmscope::own_kernel {
namespace {

constexpr int kMostTried = 32;  // launches of one kernel; resolving each one searches the whole file

// Gives names of the host their meaning by the position of an argument: P in launch(…, P) of a kernel whose
// parameter there is the size K, and BM in kernel<BM><<<…>>> if the user asked for kernel<64>.
Meanings meanings_at(const cuda_text::SourceOutline& outline, const cuda_text::LaunchSite& site,
                     const ChosenEntry& entry, const catalog::Values& names) {
  Meanings meanings;
  std::set<std::string> contradicting;
  const auto add = [&](std::string text, const std::string& meaning) {
    while (!text.empty() && (text[0] == '*' || text[0] == ' ')) text.erase(0, 1);
    const bool is_path = !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
                         std::all_of(text.begin(), text.end(), [](char c) {
                           return cuda_text::is_word_char(c) || c == '.' || c == '-' || c == '>';
                         });
    if (!is_path || meaning.empty()) return;
    if (const auto [at, is_new] = meanings.emplace(text, meaning); !is_new && at->second != meaning)
      contradicting.insert(text);
  };
  const auto& parameters = entry.function->parameters;
  if (site.arguments.size() == parameters.size())
    for (size_t i = 0; i < parameters.size(); ++i)
      if (!parameters[i].pointer) add(site.arguments[i], size_symbol(parameters[i].name));
  if (site.template_arguments)
    for (size_t i = 0; i < std::min(site.template_arguments->size(), entry.template_arguments.size()); ++i)
      if (const auto value = catalog::evaluate(entry.template_arguments[i], names))
        add((*site.template_arguments)[i], std::to_string(*value));
  for (const std::string& text : contradicting) meanings.erase(text);
  for (const auto& [name, text] : given_by_the_caller(outline, site))
    if (const auto value = catalog::evaluate(text, names)) meanings.emplace(name, std::to_string(*value));
  return meanings;
}

bool read_dimensions(const cuda_text::SourceOutline& outline, const std::string& text, size_t at,
                     const LaunchResolver& resolver, std::array<std::string, 3>& result) {
  const std::vector<std::string> parts = dimensions_of(outline, text, at);
  if (parts.empty() || parts.size() > 3) return false;
  std::array<std::string, 3> values = {"1", "1", "1"};
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto value = resolver.resolve(parts[i], at);
    if (!value) return false;
    values[i] = cuda_text::squeezed(*value);
  }
  result = values;
  return true;
}

}  // namespace

std::optional<std::string> resolve_expression(const cuda_text::SourceOutline& outline,
                                              const std::string& text, size_t at,
                                              const catalog::Values& names, bool square) {
  return LaunchResolver(outline, names, square).resolve(text, at);
}

GuessedLaunch guess_launch(const cuda_text::SourceOutline& outline, const ChosenEntry& entry,
                           const catalog::Values& names, bool square) {
  GuessedLaunch result;
  if (entry.function == nullptr) return result;
  int tried = 0;
  for (const cuda_text::LaunchSite& site : outline.launches) {
    if (tried >= kMostTried) break;
    if (cuda_text::last_component(site.name) != cuda_text::last_component(entry.function->name) ||
        site.configuration.size() < 2)
      continue;
    ++tried;
    // Each part has its own resolver, so that a failure of one does not affect the others.
    const Meanings meanings = meanings_at(outline, site, entry, names);
    const LaunchResolver of_grid(outline, names, square, meanings),
        of_block(outline, names, square, meanings), of_shared(outline, names, square, meanings);
    if (result.grid_place.empty() &&
        read_dimensions(outline, site.configuration[0], site.at, of_grid, result.grid))
      result.grid_place = site.place;
    if (result.block_place.empty() &&
        read_dimensions(outline, site.configuration[1], site.at, of_block, result.block))
      result.block_place = site.place;
    if (result.shared.empty() && site.configuration.size() > 2)
      if (const auto bytes = of_shared.resolve(site.configuration[2], site.at))
        result.shared = cuda_text::squeezed(*bytes);
    if (result.grid_place.empty())
      result.unclear_grid = {site.place, site.configuration[0], of_grid.unknown()};
    if (result.block_place.empty())
      result.unclear_block = {site.place, site.configuration[1], of_block.unknown()};
    if (site.configuration.size() > 2 && result.shared.empty())
      result.unclear_shared = {site.place, site.configuration[2], of_shared.unknown()};
  }
  return result;
}

}  // namespace gemmscope::own_kernel
