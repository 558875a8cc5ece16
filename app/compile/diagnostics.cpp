#include <array>

#include "compile/compiler_log.h"
#include "compile/log_text.h"

namespace gemmscope::compile {
namespace {

struct Kind {
  std::string_view word;
  Severity severity;
};
constexpr std::array kKinds = {
    Kind{"error", Severity::error},
    Kind{"catastrophic error", Severity::error},
    Kind{"internal error", Severity::error},
    Kind{"fatal", Severity::error},
    Kind{"warning", Severity::warning},
    Kind{"remark", Severity::note},
    Kind{"note", Severity::note},
};

// The front end prints two blanks before the source line and before the caret.
constexpr size_t kEchoIndent = 2;

// Reads "error: text", "warning #177-D: text" or "error   : text" into severity and message.
bool parse_kind(std::string_view text, Diagnostic& diagnostic) {
  for (const Kind& kind : kKinds) {
    if (!text.starts_with(kind.word)) continue;
    const std::string_view rest = text.substr(kind.word.size());
    const size_t colon = rest.find(": ");
    if (colon == std::string_view::npos) continue;
    const std::string_view number = trimmed(rest.substr(0, colon));
    if (!number.empty() && number[0] != '#') continue;
    diagnostic.severity = kind.severity;
    diagnostic.message = trimmed(rest.substr(colon + 2));
    return true;
  }
  return false;
}

// Reads "path(12): error: text". The path itself may contain parentheses.
bool parse_front_end(std::string_view line, Diagnostic& diagnostic) {
  for (size_t close = line.find("): "); close != std::string_view::npos;
       close = line.find("): ", close + 1)) {
    const size_t open = line.rfind('(', close);
    if (open == std::string_view::npos) continue;
    const auto number = to_int(line.substr(open + 1, close - open - 1));
    if (!number || !parse_kind(line.substr(close + 3), diagnostic)) continue;
    diagnostic.file = line.substr(0, open);
    diagnostic.line = *number;
    return true;
  }
  return false;
}

// Reads "ptxas error   : text" and "ptxas application ptx input, line 29; error   : text". The line number
// counts lines of the PTX, so it goes into the message.
bool parse_ptxas(std::string_view line, Diagnostic& diagnostic) {
  constexpr std::string_view kTool = "ptxas ";
  if (!line.starts_with(kTool)) return false;
  line = line.substr(kTool.size());
  const size_t place_end = line.find("; ");
  if (place_end == std::string_view::npos) return parse_kind(line, diagnostic);
  if (!parse_kind(line.substr(place_end + 2), diagnostic)) return false;
  diagnostic.message = std::string(line.substr(0, place_end)) + ": " + diagnostic.message;
  return true;
}

bool parse_nvrtc(std::string_view line, Diagnostic& diagnostic) {
  constexpr std::string_view kTool = "nvrtc: ";
  return line.starts_with(kTool) && parse_kind(line.substr(kTool.size()), diagnostic);
}

bool parse_first_line(std::string_view line, Diagnostic& diagnostic) {
  return parse_front_end(line, diagnostic) || parse_ptxas(line, diagnostic) || parse_nvrtc(line, diagnostic);
}

bool is_caret(std::string_view line) { return trimmed(line) == "^"; }

// Reads the indented lines after the first: more text, or the source line followed by a caret. Returns the
// index of the line after them.
size_t parse_continuation(const std::vector<std::string_view>& lines, size_t next, Diagnostic& diagnostic) {
  for (; next < lines.size() && lines[next].starts_with(' '); ++next) {
    if (next + 1 < lines.size() && is_caret(lines[next + 1])) {
      const size_t caret = lines[next + 1].find('^');
      if (caret >= kEchoIndent) diagnostic.column = static_cast<int>(caret - kEchoIndent + 1);
      ++next;
    } else {
      diagnostic.message += ' ';
      diagnostic.message += trimmed(lines[next]);
    }
  }
  return next;
}

}  // namespace

std::vector<Diagnostic> parse_diagnostics(std::string_view log) {
  std::vector<Diagnostic> diagnostics;
  const auto lines = split_lines(log);
  for (size_t i = 0; i < lines.size();) {
    Diagnostic diagnostic;
    if (!parse_first_line(lines[i++], diagnostic)) continue;
    if (diagnostic.line != 0) i = parse_continuation(lines, i, diagnostic);
    diagnostics.push_back(std::move(diagnostic));
  }
  return diagnostics;
}

}  // namespace gemmscope::compile
