// The texts of a page: figures in braces become their values.
//   "{before} wavefronts become {after}, {before / after:.1} times fewer; {share:%} of all"
// A figure may be a formula. After the colon: ".N" decimals, "%" percent, ".N%" both. Without it whole
// numbers have no decimals and others three digits.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lessons/figure_values.h"

namespace gemmscope::lessons {

struct TextPart {
  std::string text;
  std::optional<Origin> origin;  // of a figure; nothing: plain text
  std::string source;            // of a figure
  bool missing = false;          // the figure could not be computed; `source` says why
};

// "1,048,576", "0.0123", "84.4 %".
std::string format_figure(double value, const std::string& format);

// `values` null: they are being computed, and each shows as "…".
std::vector<TextPart> fill_in(const std::string& text, const FigureValues* values);

// Where the figures of a text of the page will come from, known before they are computed.
std::set<Origin> origins_to_come(const Page& page, const std::string& text);

// The formulas in braces. Errors: a brace that is not closed.
Result<std::vector<std::string>> formulas_in(const std::string& text);

}  // namespace gemmscope::lessons
