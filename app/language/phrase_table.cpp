#include "language/phrase_table.h"

#include <algorithm>

#include "drawing/text_fit.h"

namespace gemmscope::language {
namespace {

constexpr int kMostDepth = 8;  // of phrases inside of phrases

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return is_lower(c) || is_upper(c); }

constexpr std::string_view kShortWords[] = {"of", "on", "in", "to", "at", "by",
                                            "no", "is", "it", "an", "up", "so"};

// "warp", "Warp", "of", but not "FFMA", "GiB", "ms" or "TFLOP".
bool is_word(std::string_view letters) {
  if (std::ranges::find(kShortWords, letters) != std::end(kShortWords)) return true;
  return letters.size() >= 3 && is_lower(letters[1]) && std::ranges::all_of(letters.substr(1), is_lower);
}

bool has_word(std::string_view token) {
  if (token.find_first_of("_0123456789[]<>=#") != std::string_view::npos) return false;  // code
  for (size_t at = 0; at < token.size();) {
    size_t end = at;
    while (end < token.size() && is_letter(token[end])) ++end;
    if (is_word(token.substr(at, end - at))) return true;
    at = std::max(end, at + 1);
  }
  return false;
}

uint32_t code_point(std::string_view utf8) {
  const auto lead = static_cast<unsigned char>(utf8.front());
  if (utf8.size() == 1) return lead;
  uint32_t code = lead & (0x7Fu >> utf8.size());
  for (const char c : utf8.substr(1)) code = code << 6 | (static_cast<unsigned char>(c) & 0x3Fu);
  return code;
}

template <typename F>
void for_each_character(std::string_view text, F use) {
  for (size_t at = 0; at < text.size();) {
    const size_t length = drawing::utf8_length(text, at);
    use(code_point(text.substr(at, length)));
    at += length;
  }
}

// Chinese sets no space after its own punctuation.
void append_part(std::string& text, std::string_view between, std::string_view part) {
  const bool full_stop = text.ends_with("。") || text.ends_with("，") || text.ends_with("；");
  if (!text.empty() && !(full_stop && between == " "))
    text += between == ", " ? "，" : between == "; " ? "；" : between;
  text += part;
}

size_t spaces_before(std::string_view text) { return std::min(text.find_first_not_of(' '), text.size()); }

}  // namespace

bool has_no_words(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find_first_of(" \n", at), text.size());
    if (has_word(text.substr(at, end - at))) return false;
    at = end + 1;
  }
  return true;
}

bool is_chinese(std::string_view text) {
  bool found = false;
  for_each_character(text, [&](uint32_t c) { found |= c >= 0x3000 && c <= 0x9FFF; });
  return found;
}

Result<void> PhraseTable::add(std::string_view english, std::string_view translation) {
  constexpr std::string_view kEither = "(s)";
  if (const size_t at = english.find(kEither); at != std::string_view::npos) {
    for (const std::string_view ending : {"", "s"})
      if (Result<void> added = add(std::string(english).replace(at, kEither.size(), ending), translation);
          !added)
        return added;
    return {};
  }
  Result<PhrasePattern> pattern = PhrasePattern::parse(english);
  if (!pattern) return tl::unexpected(pattern.error());
  Result<FilledPhrase> filled = FilledPhrase::parse(translation, pattern->placeholders().size());
  if (!filled) return tl::unexpected(filled.error());
  if (!pattern->has_placeholders()) {
    if (!exact_.emplace(pattern->literals().front(), Exact{filled->literals().front()}).second)
      return fail("\"{}\" stands twice in the table.", english);
    return {};
  }
  const size_t specific = pattern->literal_length();
  for (auto [at, end] = patterns_.equal_range(specific); at != end; ++at)
    if (at->second.english == english) return fail("\"{}\" stands twice in the table.", english);
  patterns_.emplace(specific, Entry{std::string(english), *std::move(pattern), *std::move(filled)});
  return {};
}

Translation PhraseTable::translate(std::string_view english) const { return translate(english, 0); }

Translation PhraseTable::translate(std::string_view text, int depth, bool closed) const {
  if (const auto found = exact_.find(text); found != exact_.end()) {
    found->second.used = true;
    return {found->second.translation, true};
  }
  Translation result{std::string(text), false};
  if (depth > kMostDepth || std::ranges::none_of(text, is_letter))
    return {std::string(text), has_no_words(text)};
  const size_t spaces = spaces_before(text);
  const size_t end = text.find_last_not_of(' ') + 1;
  if (spaces > 0 || end < text.size()) {
    result = translate(text.substr(spaces, end - spaces), depth + 1);
    result.text.insert(0, spaces, ' ').append(text.size() - end, ' ');
    return result;
  }
  Translation parts;
  for (const std::string_view between : {"\n", "  ·  ", " · "})
    if (translate_parts(text, between, depth, parts)) return parts;
  const bool matched = translate_pattern(text, depth, result);
  if (matched && result.complete) return result;
  if (has_no_words(text)) return {std::string(text), true};
  for (const std::string_view between : {". ", "; "})
    if (translate_parts(text, between, depth, parts) && (parts.complete || !matched)) return parts;
  // The parts of a list.
  if (translate_parts(text, ", ", depth, parts) && parts.complete) return parts;
  if (!closed && text.ends_with('.') && !text.ends_with("..")) {
    parts = translate(text.substr(0, text.size() - 1), depth + 1);
    if (parts.complete && is_chinese(parts.text)) return {parts.text + "。", true};
  }
  if (!result.complete && is_chinese(text)) return {std::string(text), true};  // translated already, or typed
  return result;
}

// The first complete one of the patterns that match, else the first of all.
bool PhraseTable::translate_pattern(std::string_view text, int depth, Translation& to) const {
  bool found = false;
  std::vector<std::string_view> contents;
  for (auto at = patterns_.lower_bound(text.size()); at != patterns_.end(); ++at) {
    const Entry& entry = at->second;
    if (!entry.pattern.match(text, contents)) continue;
    Translation filled = fill(entry, contents, depth);
    if (filled.complete) entry.used = true;
    if (filled.complete || !found) to = std::move(filled);
    found = true;
    if (to.complete) break;
  }
  return found;
}

Translation PhraseTable::fill(const Entry& entry, const std::vector<std::string_view>& contents,
                              int depth) const {
  std::vector<std::string> filled;
  Translation result;
  for (size_t i = 0; i < contents.size(); ++i) {
    if (entry.pattern.placeholders()[i] != Placeholder::words) {
      filled.emplace_back(contents[i]);
      continue;
    }
    Translation inner = translate(contents[i], depth + 1, true);
    result.complete &= inner.complete;
    filled.push_back(std::move(inner.text));
  }
  result.text = entry.translation.fill(filled);
  return result;
}

// Returns false where the text has one part only, or no part of it has a translation.
bool PhraseTable::translate_parts(std::string_view text, std::string_view between, int depth,
                                  Translation& to) const {
  if (text.find(between) == std::string_view::npos) return false;
  const bool sentences = between == ". ";
  bool changed = false;
  to = {};
  while (!text.empty()) {
    const size_t at = text.find(between);
    // A sentence keeps its full stop.
    const size_t end = at == std::string_view::npos ? text.size() : at + (sentences ? 1 : 0);
    const Translation part = translate(text.substr(0, end), depth + 1);
    changed |= part.text != text.substr(0, end);
    to.complete &= part.complete;
    append_part(to.text, sentences ? " " : between, part.text);
    text.remove_prefix(at == std::string_view::npos ? text.size() : at + between.size());
  }
  return changed || to.complete;
}

std::vector<uint32_t> PhraseTable::characters() const {
  std::set<uint32_t> all;
  const auto take = [&](uint32_t c) {
    if (c > 0x7F) all.insert(c);
  };
  for (const auto& [english, exact] : exact_) for_each_character(exact.translation, take);
  for (const auto& [specific, entry] : patterns_)
    for (const std::string& literal : entry.translation.literals()) for_each_character(literal, take);
  return {all.begin(), all.end()};
}

std::vector<std::string> PhraseTable::unused() const {
  std::vector<std::string> unused;
  for (const auto& [english, exact] : exact_)
    if (!exact.used) unused.push_back(english);
  for (const auto& [specific, entry] : patterns_)
    if (!entry.used) unused.push_back(entry.english);
  return unused;
}

}  // namespace gemmscope::language
