#include "cuda_text/host_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "cuda_text/preprocessor_condition.h"
#include "cuda_text/source_text.h"

namespace gemmscope::cuda_text {
namespace {

constexpr size_t kMostBytes = 4 << 20;  // limit of all files together

// A directive on one line: "#  define NAME text" gives "define" and "NAME text".
struct Directive {
  std::string word, rest;
};
Directive read_directive(std::string_view line) {
  std::string text;
  for (size_t i = 0; i < line.size(); ++i) {
    const bool continues =
        line[i] == '\\' && (line[i + 1 < line.size() ? i + 1 : i] == '\n' || line.substr(i + 1, 2) == "\r\n");
    text += continues || is_blank_char(line[i]) ? ' ' : line[i];
  }
  Directive directive;
  const size_t begin = std::min(text.find_first_not_of("# "), text.size());
  const size_t end = end_of_word(text, begin);
  directive.word = text.substr(begin, end - begin);
  directive.rest = text.substr(end);
  return directive;
}

std::string first_word(const std::string& text) {
  const size_t begin = std::min(text.find_first_not_of(' '), text.size());
  const size_t end = end_of_word(text, begin);
  return text.substr(begin, end - begin);
}

class Preprocessor {
 public:
  Preprocessor(const std::vector<IncludedSource>& included, const std::set<std::string>& undecided,
               HostText& result)
      : included_(included), undecided_(undecided), result_(result) {}

  Macros macros;

  void read(std::string_view source, const std::string& file) {
    if (read_ + source.size() > kMostBytes && !file.empty()) return;
    read_ += source.size();
    start_part(file, 1);
    std::string clean(source);
    blank_comments_and_literals(clean);
    std::vector<Branch> outer;
    outer.swap(branches_);
    int line = 1;
    for (size_t begin = 0; begin < clean.size();) {
      const size_t end = end_of_line(clean, begin);
      const std::string_view text = std::string_view(clean).substr(begin, end - begin);
      const size_t first = text.find_first_not_of(" \t");
      const auto new_lines = static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
      if (first != std::string_view::npos && text[first] == '#') {
        const Directive directive = read_directive(text);
        if (!branch(directive) && is_on()) obey(directive, source.substr(begin, end - begin), file, line);
        pending_.append(new_lines, '\n');
      } else if (is_on()) {
        pending_ += text;
      } else {
        pending_.append(new_lines, '\n');
      }
      line += static_cast<int>(new_lines);
      begin = end;
    }
    flush();
    branches_.swap(outer);
  }

 private:
  // The state of one #if … #endif.
  struct Branch {
    bool outer_on = true;
    bool taken = false;  // one branch was certainly on
    bool on = true;
  };

  bool is_on() const { return branches_.empty() || branches_.back().on; }

  // Finds the end of the line that begins at `begin`, including a directive's continuation lines.
  static size_t end_of_line(const std::string& text, size_t begin) {
    const size_t first = text.find_first_not_of(" \t", begin);
    const bool is_directive = first != std::string::npos && text[first] == '#';
    for (size_t at = begin;;) {
      const size_t end = text.find('\n', at);
      if (end == std::string::npos) return text.size();
      const size_t last = end == begin ? std::string::npos : text.find_last_not_of(" \t\r", end - 1);
      if (!is_directive || last == std::string::npos || last < begin || text[last] != '\\') return end + 1;
      at = end + 1;
    }
  }

  std::optional<bool> condition(const Directive& d) const {
    const bool defined = macros.find(first_word(d.rest)) != nullptr;
    if (d.word.ends_with("ifdef") || d.word == "elifdef") return defined;
    if (d.word.ends_with("ifndef") || d.word == "elifndef") return !defined;
    return holds(d.rest, macros, undecided_);
  }

  // Handles a directive of #if … #endif. False: it is another directive.
  bool branch(const Directive& d) {
    if (d.word == "if" || d.word == "ifdef" || d.word == "ifndef") {
      const bool outer = is_on();
      branches_.push_back({outer, false, outer});
      if (outer) decide(condition(d));
      return true;
    }
    if (d.word == "endif") {
      if (!branches_.empty()) branches_.pop_back();
      return true;
    }
    if (!d.word.starts_with("el")) return false;
    if (branches_.empty()) return true;
    Branch& b = branches_.back();
    if (b.taken || !b.outer_on)
      b.on = false;
    else
      decide(d.word == "else" ? true : condition(d));
    return true;
  }
  void decide(std::optional<bool> value) {
    branches_.back().on = value.value_or(true);
    branches_.back().taken = value.value_or(false);
  }

  void obey(const Directive& d, std::string_view line, const std::string& file, int at_line) {
    if (d.word == "define") {
      flush();
      macros.define(d.rest);
      result_.definitions.push_back("#define " + squeezed(d.rest));
    } else if (d.word == "undef") {
      flush();
      macros.undefine(first_word(d.rest));
    } else if (d.word == "include") {
      include(line, file, at_line);
    }
  }

  // Includes each file once. A file that must be included twice holds no kernels.
  void include(std::string_view line, const std::string& file, int at_line) {
    const size_t open = line.find('"'), close = line.find('"', open + 1);
    if (close == std::string_view::npos) return;
    const std::string_view written = line.substr(open + 1, close - open - 1);
    for (const IncludedSource& other : included_)
      if (other.written == written && seen_.insert(other.written).second) {
        flush();
        read(other.text, other.written);
        pending_.clear();
        start_part(file, at_line);
      }
  }

  void start_part(const std::string& file, int line) {
    result_.parts.push_back({result_.text.size(), file, line});
  }
  void flush() {
    result_.text += macros.structure_expanded(pending_);
    pending_.clear();
  }

  const std::vector<IncludedSource>& included_;
  const std::set<std::string>& undecided_;
  HostText& result_;
  std::vector<Branch> branches_;
  std::set<std::string> seen_;
  std::string pending_;  // text since the last directive that changed something
  size_t read_ = 0;
};

}  // namespace

HostText host_text(std::string_view source, const std::vector<IncludedSource>& included, Pass pass,
                   const std::map<std::string, int64_t>& given, const std::set<std::string>& undecided) {
  HostText result;
  std::set<std::string> open = undecided;
  Preprocessor preprocessor(included, open, result);
  for (const char* known : {"__CUDACC__ 1", "__NVCC__ 1", "__cplusplus 201703", "__CUDACC_VER_MAJOR__ 12",
                            "__CUDACC_VER_MINOR__ 0", "CUDART_VERSION 12000", "CUDA_VERSION 12000"})
    preprocessor.macros.define(known);
  if (pass == Pass::device) {
    for (const char* known : {"__CUDACC_RTC__ 1", "__CUDA_ARCH__ __CUDA_ARCH__"})
      preprocessor.macros.define(known);
    open.insert("__CUDA_ARCH__");
  }
  for (const auto& [name, value] : given) preprocessor.macros.define(fmt::format("{} {}", name, value));
  for (const std::string& name : undecided) preprocessor.macros.define(fmt::format("{0} {0}", name));
  preprocessor.read(source, "");
  return result;
}

}  // namespace gemmscope::cuda_text
