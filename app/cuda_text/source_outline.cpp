#include "cuda_text/source_outline.h"

#include <algorithm>
#include <cctype>

#include "cuda_text/host_text.h"
#include "cuda_text/outline_parts.h"
#include "cuda_text/source_text.h"

namespace gemmscope::cuda_text {
namespace {

// No file for human readers has more; functions beyond this are left out.
constexpr size_t kMostFunctions = 2000;
constexpr int kMostNesting = 64;  // of namespaces

// Removes attributes that have an argument list and come before a function's name.
std::string without_attributes(std::string head) {
  for (const char* attribute :
       {"__launch_bounds__", "__attribute__", "__cluster_dims__", "__maxnreg__", "__declspec", "alignas"})
    for (size_t at = head.find(attribute); at != std::string::npos; at = head.find(attribute, at + 1)) {
      const size_t open = head.find('(', at);
      if (open == std::string::npos) break;
      const size_t end = behind_bracket(head, open);
      blank(head, at, end == std::string::npos ? head.size() : end);
    }
  return head;
}

std::string without_word(const std::string& text, const std::string& word) {
  return replaced_word(text, word, " ");
}

DeclaredParameter read_parameter(std::string text) {
  DeclaredParameter p;
  if (const size_t equals = text.find('='); equals != std::string::npos) text.erase(equals);
  for (const char* word :
       {"__restrict__", "__restrict", "restrict", "volatile", "__grid_constant__", "struct"})
    text = without_word(text, word);
  size_t end = text.size();
  if (const size_t bracket = text.find('['); bracket != std::string::npos) {
    p.pointer = true;
    end = bracket;
  }
  while (end > 0 && !is_word_char(text[end - 1])) --end;
  size_t begin = end;
  while (begin > 0 && is_word_char(text[begin - 1])) --begin;
  p.name = text.substr(begin, end - begin);
  p.type = squeezed(text.substr(0, begin));
  p.pointer |= p.type.find('*') != std::string::npos;
  p.constant = has_word(p.type, "const");
  p.element = without_word(p.type, "const");
  std::erase(p.element, '*');
  p.element = squeezed(p.element);
  return p;
}

std::vector<TemplateParameter> read_template_parameters(std::string_view text) {
  std::vector<TemplateParameter> result;
  for (std::string part : split_arguments(text)) {
    TemplateParameter p;
    if (const size_t equals = part.find('='); equals != std::string::npos) {
      p.default_value = squeezed(part.substr(equals + 1));
      part.erase(equals);
    }
    part = squeezed(part);
    const size_t name = part.find_last_of(" .*&");
    p.name = name == std::string::npos ? part : part.substr(name + 1);
    result.push_back(p);
  }
  return result;
}

// Walks the declarations of a file. It enters namespaces and extern "C" blocks and skips all other bodies.
class Walker {
 public:
  explicit Walker(SourceOutline& outline) : text_(outline.clean), outline_(outline) {}

  void walk(size_t begin, size_t end, const std::string& scope, bool extern_c, int depth = 0) {
    if (depth > kMostNesting) return;
    size_t start = begin;
    for (size_t i = begin; i < end; ++i) {
      if (text_[i] == ';') add_statement(start, i + 1);
      if (text_[i] == ';' || text_[i] == '}') start = i + 1;
      if (text_[i] == '(') {
        const size_t behind = behind_bracket(text_, i);
        if (behind == std::string::npos) return;
        i = behind - 1;
      }
      if (text_[i] != '{') continue;
      const size_t behind = behind_bracket(text_, i);
      if (behind == std::string::npos || behind > end) return;
      start = behind_macro_calls(start, i);
      const std::string head = text_.substr(start, i - start);
      const std::string words = squeezed(head);
      if (words == "extern \"C\"") {
        walk(i + 1, behind - 1, scope, true, depth + 1);
      } else if (words.starts_with("namespace") || words.starts_with("inline namespace")) {
        const size_t last = words.find_last_of(' ');
        const std::string name = last == std::string::npos ? "" : words.substr(last + 1);
        walk(i + 1, behind - 1, name.empty() || name == "namespace" ? scope : scope + name + "::", extern_c,
             depth + 1);
      } else {
        add_function(head, start, i, behind, scope, extern_c);
      }
      i = behind - 1;
      start = behind;
    }
    add_statement(start, end);  // a macro's call needs no ";"
  }

 private:
  void add_statement(size_t begin, size_t end) {
    begin = text_.find_first_not_of(" \t\r\n", begin);
    if (begin < end && outline_.statements.size() < kMostFunctions)
      outline_.statements.push_back({begin, end});
  }

  // A macro's call before a function, such as REGISTER(3, launch), is a separate statement. Returns where the
  // function's head begins.
  size_t behind_macro_calls(size_t begin, size_t end) {
    for (;;) {
      const size_t from = text_.find_first_not_of(" \t\r\n", begin);
      size_t open = from;
      while (open < end && (std::isupper(static_cast<unsigned char>(text_[open])) != 0 ||
                            std::isdigit(static_cast<unsigned char>(text_[open])) != 0 || text_[open] == '_'))
        ++open;
      if (open >= end || open - from < 2 || text_[open] != '(') return begin;
      const size_t behind = behind_bracket(text_, open);
      if (behind >= end || text_.find_first_not_of(" \t\r\n", behind) >= end ||
          text_.substr(behind, end - behind).find('(') == std::string::npos)
        return begin;
      add_statement(from, behind);
      begin = behind;
    }
  }

  // `head` is, for example, "struct Tile : Base".
  void add_type(const std::string& head, size_t begin, size_t end,
                std::vector<TemplateParameter> template_parameters) {
    if (head.starts_with("enum") || outline_.types.size() >= kMostFunctions) return;
    const std::string before_bases = squeezed(head.substr(0, head.find(':')));
    const size_t semicolon = text_.find(';', end);
    outline_.types.push_back({begin, semicolon == std::string::npos ? end : semicolon + 1,
                              before_bases.substr(before_bases.find_last_of(' ') + 1),
                              std::move(template_parameters)});
  }

  void add_function(const std::string& raw_head, size_t start, size_t brace, size_t end,
                    const std::string& scope, bool extern_c) {
    if (outline_.functions.size() >= kMostFunctions) return;
    std::string head = without_attributes(raw_head);
    OutlineFunction f;
    size_t from = head.find_first_not_of(" \t\r\n");
    if (from == std::string::npos) return;
    f.begin = start + from;
    while (head.compare(from, 8, "template") == 0) {
      const size_t open = head.find('<', from);
      const size_t behind = open == std::string::npos ? open : behind_bracket(head, open);
      if (behind == std::string::npos) return;
      f.is_template = true;
      for (TemplateParameter& p : read_template_parameters(head.substr(open + 1, behind - open - 2)))
        f.template_parameters.push_back(std::move(p));
      from = head.find_first_not_of(" \t\r\n", behind);
      if (from == std::string::npos) return;
    }
    for (const char* word : {"struct ", "class ", "enum ", "union "})
      if (squeezed(head.substr(from)).starts_with(word))
        return add_type(squeezed(head.substr(from)), f.begin, end, std::move(f.template_parameters));
    const size_t open = head.find('(', from);
    if (open == std::string::npos) return;
    const std::string before = head.substr(from, open - from);
    if (before.find('=') != std::string::npos) return;
    const size_t behind = behind_bracket(head, open);
    if (behind == std::string::npos) return;
    size_t name_end = open;
    while (name_end > from && is_blank_char(head[name_end - 1])) --name_end;
    size_t name_begin = name_end;
    while (name_begin > from && is_word_char(head[name_begin - 1])) --name_begin;
    if (name_begin == name_end) return;
    f.name = scope + head.substr(name_begin, name_end - name_begin);
    f.line = line_of(text_, start + name_begin);
    f.global = has_word(before, "__global__");
    f.device = has_word(before, "__device__");
    f.host = has_word(before, "__host__");
    f.extern_c = extern_c || squeezed(before).find("extern \"C\"") != std::string::npos;
    for (const std::string& p : split_arguments(head.substr(open + 1, behind - open - 2)))
      if (const std::string words = squeezed(p);
          !words.empty() && words != "void" && words.size() <= kMostStatement)
        f.parameters.push_back(read_parameter(words));
    f.end = end;
    (void)brace;
    outline_.functions.push_back(std::move(f));
  }

  const std::string& text_;
  SourceOutline& outline_;
};

}  // namespace

std::vector<const OutlineFunction*> SourceOutline::kernels() const {
  std::vector<const OutlineFunction*> result;
  for (const OutlineFunction& f : functions)
    if (f.global) result.push_back(&f);
  return result;
}

std::string SourceOutline::place_of(size_t at) const {
  const auto behind =
      std::upper_bound(parts.begin(), parts.end(), at,
                       [](size_t place, const SourcePart& part) { return place < part.begin; });
  const SourcePart part = behind == parts.begin() ? SourcePart{} : *(behind - 1);
  const int line = part.line - 1 + line_of(std::string_view(clean).substr(part.begin), at - part.begin);
  return "line " + std::to_string(line) + (part.file.empty() ? "" : " of " + part.file);
}

SourceOutline outline_of(std::string_view source) {
  SourceOutline outline;
  outline.clean = source;
  blank_comments_and_literals(outline.clean);
  const std::vector<std::string> directives = take_directives(outline.clean);
  Walker(outline).walk(0, outline.clean.size(), "", false);
  read_constants(outline, directives);
  read_launches(outline);
  return outline;
}

SourceOutline program_outline(std::string_view source, const std::vector<IncludedSource>& included,
                              const std::map<std::string, int64_t>& given,
                              const std::set<std::string>& undecided) {
  HostText host = host_text(source, included, Pass::host, given, undecided);
  SourceOutline outline;
  outline.clean = std::move(host.text);
  outline.parts = std::move(host.parts);
  Walker(outline).walk(0, outline.clean.size(), "", false);
  read_constants(outline, host.definitions);
  outline.definitions = std::move(host.definitions);
  read_launches(outline);
  SourceOutline device;
  device.clean = host_text(source, included, Pass::device, given, undecided).text;
  Walker(device).walk(0, device.clean.size(), "", false);
  std::set<std::string> known;
  for (const OutlineFunction& f : outline.functions) known.insert(f.name);
  for (OutlineFunction& f : device.functions)
    if (f.global && known.count(f.name) == 0) {
      f.begin = f.end = 0;  // its place is in another text
      outline.functions.push_back(std::move(f));
    }
  return outline;
}

}  // namespace gemmscope::cuda_text
