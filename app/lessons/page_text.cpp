#include "lessons/page_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

namespace gemmscope::lessons {
namespace {

struct Braces {
  std::string formula, format;
};
// "{a / b:.1}" without its braces. A formula has no colon.
Braces split(const std::string& inside) {
  const size_t colon = inside.rfind(':');
  if (colon == std::string::npos) return {inside, ""};
  return {inside.substr(0, colon), inside.substr(colon + 1)};
}

std::string with_separators(std::string digits) {
  const size_t start = digits.starts_with("-") ? 1 : 0;
  const size_t end = std::min(digits.find('.'), digits.size());
  for (size_t i = end; i > start + 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

// Three digits that say something: "0.0123", "1.53", "34.5".
int decimals_of(double value) {
  if (value == std::round(value) || std::abs(value) >= 100) return 0;
  const int before = value == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(value))));
  return std::max(0, 2 - before);
}

}  // namespace

std::string format_figure(double value, const std::string& format) {
  const bool percent = format.ends_with("%");
  if (percent) value *= 100;
  const std::string number = percent ? format.substr(0, format.size() - 1) : format;
  const int decimals = number.starts_with(".") ? std::atoi(number.c_str() + 1)
                       : percent               ? 0
                                               : decimals_of(value);
  std::string text = with_separators(fmt::format("{:.{}f}", value, decimals));
  const bool zero = text.find_first_of("123456789") == std::string::npos;
  if (text.starts_with("-")) text.replace(0, 1, zero ? "" : "\u2212");
  return percent ? text + " %" : text;
}

std::vector<TextPart> fill_in(const std::string& text, const FigureValues* values) {
  std::vector<TextPart> parts;
  const auto plain = [&](const std::string& words) {
    if (!words.empty()) parts.push_back({words, std::nullopt, "", false});
  };
  size_t at = 0;
  for (;;) {
    const size_t open = text.find('{', at);
    const size_t close = open == std::string::npos ? open : text.find('}', open);
    if (close == std::string::npos) break;
    plain(text.substr(at, open - at));
    const Braces braces = split(text.substr(open + 1, close - open - 1));
    if (values == nullptr) {
      parts.push_back({"\u2026", Origin::stated, "", false});
    } else if (const auto value = value_of(braces.formula, *values)) {
      parts.push_back({format_figure(value->value, braces.format), value->origin, value->source, false});
    } else {
      parts.push_back({"?", Origin::stated, value.error().message, true});
    }
    at = close + 1;
  }
  plain(text.substr(at));
  return parts;
}

namespace {

bool is_name_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The figure's name stands in the formula, and not as a part of another one.
bool names(const std::string& formula, const std::string& figure) {
  for (size_t at = formula.find(figure); at != std::string::npos; at = formula.find(figure, at + 1)) {
    const size_t end = at + figure.size();
    if ((at == 0 || !is_name_character(formula[at - 1])) &&
        (end == formula.size() || !is_name_character(formula[end])))
      return true;
  }
  return false;
}

// As FigureValue has it. `depth` ends formulas that name themselves.
Origin origin_of(const Page& page, const std::string& formula, int depth) {
  Origin origin = Origin::stated;
  for (const FigureSpec& figure : page.figures) {
    if (!names(formula, figure.name)) continue;
    Origin one = Origin::exact;
    if (figure.kind == FigureKind::recorded) one = Origin::recorded;
    if (figure.kind == FigureKind::modelled) one = Origin::modelled;
    if (figure.kind == FigureKind::formula && depth > 0) one = origin_of(page, figure.what, depth - 1);
    origin = std::max(origin, one);
  }
  return origin;
}

}  // namespace

std::set<Origin> origins_to_come(const Page& page, const std::string& text) {
  std::set<Origin> origins;
  if (const auto formulas = formulas_in(text))
    for (const std::string& formula : *formulas) origins.insert(origin_of(page, formula, 8));
  return origins;
}

Result<std::vector<std::string>> formulas_in(const std::string& text) {
  std::vector<std::string> formulas;
  for (size_t at = 0;;) {
    const size_t open = text.find('{', at);
    if (open == std::string::npos) return formulas;
    const size_t close = text.find('}', open);
    if (close == std::string::npos)
      return fail("\"{}\" has a brace that is not closed", text.substr(open, 30));
    formulas.push_back(split(text.substr(open + 1, close - open - 1)).formula);
    at = close + 1;
  }
}

}  // namespace gemmscope::lessons
