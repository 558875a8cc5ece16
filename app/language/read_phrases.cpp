#include "language/read_phrases.h"

// As in catalog/toml_values.h: header-only, without exceptions and without the assertion of version 3.3.
#define TOML_EXCEPTIONS 0
#define TOML_ASSERT(condition) static_assert(true)
#include <toml++/toml.h>

#include <fstream>
#include <iterator>

namespace gemmscope::language {
namespace {

Result<void> add_all(const toml::table& from, PhraseTable& to, const std::string& file) {
  for (const auto& [english, value] : from) {
    if (const toml::table* const part = value.as_table()) {
      if (Result<void> added = add_all(*part, to, file); !added) return added;
      continue;
    }
    const auto translation = value.value<std::string>();
    const auto line = value.source().begin.line;
    if (!translation)
      return fail("{}, line {}: the translation of \"{}\" is no string.", file, line, english.str());
    if (Result<void> added = to.add(english.str(), *translation); !added)
      return fail("{}, line {}: {}", file, line, added.error().message);
  }
  return {};
}

}  // namespace

Result<PhraseTable> read_phrases(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) return fail("The translations {} cannot be read; install the program anew.", file.string());
  PhraseTable table;
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed)
    return fail("{}, line {}: {}", file.string(), parsed.error().source().begin.line,
                parsed.error().description());
  if (Result<void> added = add_all(parsed.table(), table, file.string()); !added)
    return tl::unexpected(added.error());
  return table;
}

}  // namespace gemmscope::language
