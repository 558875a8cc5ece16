#include "language/current_language.h"

#include <cstdlib>
#include <unordered_map>
#include <utility>

#include "language/read_phrases.h"

namespace gemmscope::language {
namespace {

struct Hash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

struct State {
  Language language = Language::english;
  PhraseTable table;
  std::unordered_map<std::string, Translation, Hash, std::equal_to<>> cache;
  size_t cached_bytes = 0;
  UntranslatedListener listener = nullptr;

  void forget() {
    cache.clear();
    cached_bytes = 0;
  }
};
State& state() {
  static State state;
  return state;
}

// What an entry takes, roughly.
size_t bytes_of(const std::string& english, const Translation& translation) {
  return english.capacity() + translation.text.capacity() + sizeof(Translation) + 64;
}

}  // namespace

Language current_language() { return state().language; }

Result<void> set_language(Language language, const std::filesystem::path& assets) {
  State& s = state();
  if (language == Language::chinese && s.table.empty()) {
    Result<PhraseTable> table = read_phrases(assets / "languages" / "zh.toml");
    if (!table) return tl::unexpected(table.error());
    s.table = *std::move(table);
  }
  s.language = language;
  return {};
}

void set_table(PhraseTable table) {
  state().table = std::move(table);
  state().forget();
}

const PhraseTable& current_table() { return state().table; }

std::string_view translated_unheard(std::string_view english) {
  State& s = state();
  if (s.language == Language::english || english.empty()) return english;
  auto found = s.cache.find(english);
  if (found == s.cache.end()) {
    found = s.cache.emplace(english, s.table.translate(english)).first;
    s.cached_bytes += bytes_of(found->first, found->second);
  }
  return found->second.text;
}

std::string_view translated(std::string_view english) {
  const std::string_view text = translated_unheard(english);
  State& s = state();
  if (s.listener == nullptr) return text;
  if (const auto found = s.cache.find(english); found != s.cache.end() && !found->second.complete)
    s.listener(english);
  return text;
}

void forget_old_translations() {
  if (state().cached_bytes > kMostTranslationBytes) state().forget();
}

size_t translation_bytes() { return state().cached_bytes; }

void listen_to_untranslated(UntranslatedListener listener) {
  state().listener = listener;
  state().forget();
}

void note(std::string_view english) {
  if (state().listener != nullptr) translated(english);
}

Language language_of_environment() {
  for (const char* const name : {"LC_ALL", "LC_MESSAGES", "LANG"})
    if (const char* const value = std::getenv(name); value != nullptr && *value != '\0')
      return language_named(std::string_view(value).substr(0, 2));
  return Language::english;
}

Language language_named(std::string_view code) {
  return code == "zh" ? Language::chinese : Language::english;
}
const char* language_code(Language language) { return language == Language::chinese ? "zh" : "en"; }

}  // namespace gemmscope::language
