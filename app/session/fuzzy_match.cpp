#include "session/fuzzy_match.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>

namespace gemmscope::session {
namespace {

constexpr int kLetter = 4, kWordStart = 12, kRun = 8, kGap = -1, kLongestGapCounted = 8;
constexpr int kImpossible = -1'000'000;
constexpr std::size_t kLeastMisspelt = 5;  // letters: with one fewer, less would fit almost anything

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

bool starts_word(std::string_view text, std::size_t at) {
  if (at == 0) return true;
  const auto before = static_cast<unsigned char>(text[at - 1]), here = static_cast<unsigned char>(text[at]);
  return std::isalnum(before) == 0 || (std::islower(before) != 0 && std::isupper(here) != 0);
}

// best[i][j] is the best score with pattern letter i on text letter j; from[i][j] is where letter i - 1 was
// then.
struct Table {
  Table(std::size_t pattern_size, std::size_t text_size)
      : width(text_size), best(pattern_size * text_size, kImpossible), from(pattern_size * text_size, 0) {}
  std::size_t width;
  std::vector<int> best;
  std::vector<std::size_t> from;
};

void place_letter(Table& table, std::string_view pattern, std::string_view text, std::size_t i,
                  std::size_t j) {
  if (lower(pattern[i]) != lower(text[j])) return;
  const int own = kLetter + (starts_word(text, j) ? kWordStart : 0);
  const std::size_t here = i * table.width + j;
  if (i == 0) {
    table.best[here] = own + kGap * static_cast<int>(std::min<std::size_t>(j, kLongestGapCounted));
    return;
  }
  for (std::size_t previous = i - 1; previous < j; ++previous) {
    const int before = table.best[(i - 1) * table.width + previous];
    if (before == kImpossible) continue;
    const int gap = static_cast<int>(std::min<std::size_t>(j - previous - 1, kLongestGapCounted));
    const int score = before + own + (gap == 0 ? kRun : kGap * gap);
    if (score > table.best[here]) table.best[here] = score, table.from[here] = previous;
  }
}

bool has_in_order(std::string_view letters, std::string_view text) {
  std::size_t found = 0;
  for (const char c : text) found += found < letters.size() && lower(letters[found]) == lower(c) ? 1 : 0;
  return found == letters.size();
}

std::string without_spaces(std::string_view pattern) {
  std::string letters;
  std::copy_if(pattern.begin(), pattern.end(), std::back_inserter(letters), [](char c) { return c != ' '; });
  return letters;
}

}  // namespace

std::optional<FuzzyMatch> fuzzy_match(std::string_view pattern, std::string_view text) {
  const std::string letters = without_spaces(pattern);
  if (letters.empty()) return FuzzyMatch{};
  if (letters.size() > text.size()) return std::nullopt;
  Table table(letters.size(), text.size());
  for (std::size_t i = 0; i < letters.size(); ++i) {
    for (std::size_t j = i; j < text.size(); ++j) place_letter(table, letters, text, i, j);
  }
  const auto last_row = table.best.end() - static_cast<std::ptrdiff_t>(text.size());
  const auto best = std::max_element(last_row, table.best.end());
  if (*best == kImpossible) return std::nullopt;
  FuzzyMatch match{*best, std::vector<std::size_t>(letters.size())};
  std::size_t at = static_cast<std::size_t>(best - last_row);
  for (std::size_t i = letters.size(); i-- > 0;) {
    match.positions[i] = at;
    at = table.from[i * table.width + at];
  }
  return match;
}

std::optional<FuzzyMatch> misspelt_match(std::string_view pattern, std::string_view text) {
  const std::string letters = without_spaces(pattern);
  if (letters.size() < kLeastMisspelt) return std::nullopt;
  std::optional<FuzzyMatch> best;
  for (std::size_t wrong = 0; wrong < letters.size(); ++wrong) {
    const std::string others = std::string(letters).erase(wrong, 1);
    if (!has_in_order(others, text)) continue;  // most texts: the table would take long
    if (std::optional<FuzzyMatch> match = fuzzy_match(others, text); !best || match->score > best->score)
      best = std::move(match);
  }
  return best;
}

}  // namespace gemmscope::session
