#include "scenes/code_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <span>
#include <string_view>

#include "experiment/changed_code.h"
#include "scenes/line_diff.h"

namespace gemmscope::scenes {
namespace {

using experiment::BlockResult;
using experiment::CompiledKernel;
using Texts = std::vector<std::string>;
using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Calls `use` with each identifier or number of the text and its place.
template <typename F>
void for_each_word(std::string_view text, F use) {
  for (size_t i = 0; i < text.size();) {
    if (!is_word(text[i])) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    use(text.substr(i, end - i), i);
    i = end;
  }
}

// "R12", "P0", "UR4", "UP1", "B3": a letter or two of register files, then a number.
std::string_view register_file(std::string_view word) {
  for (const std::string_view file : {"UR", "UP", "R", "P", "B"})
    if (word.size() > file.size() && word.starts_with(file) &&
        std::ranges::all_of(word.substr(file.size()), [](char c) { return c >= '0' && c <= '9'; }))
      return file;
  return {};
}

std::string_view mnemonic(std::string_view text) {
  if (text.starts_with('@')) text.remove_prefix(std::min(text.find(' ') + 1, text.size()));
  return text.substr(0, std::min(text.find_first_of(" .;"), text.size()));
}

Texts trimmed(const Texts& lines) {
  Texts result = lines;
  for (std::string& line : result) line.erase(line.find_last_not_of(" \t\r") + 1);
  return result;
}

std::string_view without_indentation(std::string_view line) {
  return line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
}

// ---- rows

void add_row(CodeDiff& diff, DiffKind kind, int a, int b) {
  diff.rows.push_back({kind, a, b, {}, {}, {}});
  diff.differing += diff.rows.back().differs() ? 1 : 0;
}

// What is left between two pairs: its lines are paired by a coarser key, the others stand alone.
void add_gap(CodeDiff& diff, uint32_t a, uint32_t a_end, uint32_t b, uint32_t b_end, const Texts& keys_a,
             const Texts& keys_b) {
  const std::span part_a(keys_a.begin() + a, keys_a.begin() + a_end),
      part_b(keys_b.begin() + b, keys_b.begin() + b_end);
  const NumberedLines numbers = number_lines(part_a, part_b);
  const uint32_t first_a = a, first_b = b;
  Pairs pairs = common_lines(numbers.a, numbers.b);
  pairs.emplace_back(a_end - first_a, b_end - first_b);
  for (const auto& [x, y] : pairs) {
    for (; a < first_a + x; ++a) add_row(diff, DiffKind::only_a, static_cast<int>(a), -1);
    for (; b < first_b + y; ++b) add_row(diff, DiffKind::only_b, -1, static_cast<int>(b));
    if (a == a_end && b == b_end) return;
    add_row(diff, DiffKind::changed, static_cast<int>(a++), static_cast<int>(b++));
  }
}

// Aligns by `fine`, then what is between by `coarse`; `kind_of(a, b)` says what a pair is.
template <typename KindOf>
CodeDiff diff_of(const Texts& fine_a, const Texts& fine_b, const Texts& coarse_a, const Texts& coarse_b,
                 KindOf kind_of) {
  const NumberedLines numbers = number_lines(fine_a, fine_b);
  Pairs pairs = common_lines(numbers.a, numbers.b);
  pairs.emplace_back(static_cast<uint32_t>(fine_a.size()), static_cast<uint32_t>(fine_b.size()));
  CodeDiff diff;
  uint32_t a = 0, b = 0;
  for (const auto& [x, y] : pairs) {
    if (a < x || b < y) add_gap(diff, a, x, b, y, coarse_a, coarse_b);
    if (x == fine_a.size() && y == fine_b.size()) break;
    add_row(diff, kind_of(x, y), static_cast<int>(x), static_cast<int>(y));
    a = x + 1;
    b = y + 1;
  }
  return diff;
}

// ---- source

struct ChangedMacro {
  std::string name, a, b;  // its values
};

template <typename Map, typename Value>
void add_changed(std::vector<ChangedMacro>& macros, const Map& of_a, const Map& of_b, const std::string& name,
                 const Value& usual) {
  const auto value = [&](const Map& map) {
    const auto found = map.find(name);
    return fmt::format("{}", found == map.end() ? usual : found->second);
  };
  if (value(of_a) != value(of_b)) macros.push_back({name, value(of_a), value(of_b)});
}

// The macros with different values, of one kernel.
std::vector<ChangedMacro> changed_macros(const BlockResult& a, const BlockResult& b) {
  std::vector<ChangedMacro> macros;
  const catalog::Kernel& kernel = b.compiled->kernel;
  if (a.compiled->kernel.id != kernel.id) return macros;
  for (const catalog::Toggle& toggle : kernel.toggles)
    add_changed(macros, a.experiment.toggles, b.experiment.toggles, toggle.name, toggle.default_value);
  for (const catalog::Input& input : kernel.inputs)
    add_changed(macros, a.experiment.inputs, b.experiment.inputs, input.name, input.default_value);
  return macros;
}

// The first of them that the line names; null: none.
const ChangedMacro* macro_in(std::string_view line, const std::vector<ChangedMacro>& macros) {
  const std::string_view code = without_indentation(line);
  // The macro's default and the description say nothing of its value.
  if (macros.empty() || code.starts_with("//") || code.starts_with("#ifndef") || code.starts_with("#define"))
    return nullptr;
  const ChangedMacro* found = nullptr;
  for_each_word(code.substr(0, code.find("//")), [&](std::string_view word, size_t) {
    const auto at = std::ranges::find(macros, word, &ChangedMacro::name);
    if (found == nullptr && at != macros.end()) found = &*at;
  });
  return found;
}

// Lines between are paired by their first word: "for", "float", "__syncthreads".
Texts first_words(const Texts& lines) {
  Texts words;
  for (const std::string& line : lines) {
    std::string_view first;
    for_each_word(line, [&](std::string_view word, size_t) {
      if (first.empty()) first = word;
    });
    words.emplace_back(first.empty() ? without_indentation(line) : first);
  }
  return words;
}

}  // namespace

std::string without_registers(const std::string& text) {
  std::string result;
  size_t done = 0;
  for_each_word(text, [&](std::string_view word, size_t at) {
    const std::string_view file = register_file(word);
    if (file.empty()) return;
    result.append(text, done, at - done).append(file);
    done = at + word.size();
  });
  result.append(text, done);
  const std::string_view kind = mnemonic(text);
  if (kind == "BRA" || kind == "BSSY" || kind == "CALL" || kind == "RET") {
    // Where a branch leads moves with every instruction before it.
    const size_t target = result.find("0x");
    if (target != std::string::npos) result.resize(target);
  }
  return result;
}

CodeDiff diff_source(const BlockResult& a, const BlockResult& b) {
  const Texts lines_a = trimmed(a.compiled->files[0].lines), lines_b = trimmed(b.compiled->files[0].lines);
  const std::vector<ChangedMacro> macros = changed_macros(a, b);
  CodeDiff diff =
      diff_of(lines_a, lines_b, first_words(lines_a), first_words(lines_b), [&](uint32_t, uint32_t y) {
        return macro_in(lines_b[y], macros) != nullptr ? DiffKind::meaning : DiffKind::same;
      });
  for (DiffRow& row : diff.rows) {
    if (row.kind != DiffKind::meaning) continue;
    const ChangedMacro& macro = *macro_in(lines_b[static_cast<size_t>(row.b)], macros);
    row.macro = macro.name;
    row.value_a = macro.a;
    row.value_b = macro.b;
  }
  return diff;
}

namespace {

// Where only changes of the machine code lie between the two, each instruction stands beside itself, in B's
// order; A's addresses say where it was. An edit by hand differs.
CodeDiff diff_of_same_code(const CompiledKernel& a, const CompiledKernel& b) {
  CodeDiff diff;
  for (uint32_t i = 0; i < b.instructions.size(); ++i) {
    const uint32_t there = *experiment::place_in(a, b, i);
    const bool by_hand = (b.changed != nullptr && b.changed->by_hand[i] != 0) ||
                         (a.changed != nullptr && a.changed->by_hand[there] != 0);
    add_row(diff,
            by_hand                      ? DiffKind::changed
            : a.text[there] == b.text[i] ? DiffKind::same
                                         : DiffKind::registers,
            static_cast<int>(there), static_cast<int>(i));
  }
  return diff;
}

}  // namespace

CodeDiff diff_sass(const CompiledKernel& a, const CompiledKernel& b) {
  if (!b.instructions.empty() && experiment::place_in(a, b, 0)) return diff_of_same_code(a, b);
  const auto mapped = [](const CompiledKernel& compiled, auto change) {
    Texts texts;
    for (const std::string& text : compiled.text) texts.emplace_back(change(text));
    return texts;
  };
  return diff_of(
      mapped(a, without_registers), mapped(b, without_registers), mapped(a, mnemonic), mapped(b, mnemonic),
      [&](uint32_t x, uint32_t y) { return a.text[x] == b.text[y] ? DiffKind::same : DiffKind::registers; });
}

std::vector<ShownRow> shown_rows(const CodeDiff& diff, bool all, int always) {
  const auto count = static_cast<int>(diff.rows.size());
  std::vector<char> shown(diff.rows.size(), all ? 1 : 0);
  const auto show_around = [&](int row) {
    for (int r = std::max(0, row - kDiffContext); r < std::min(count, row + kDiffContext + 1); ++r)
      shown[static_cast<size_t>(r)] = 1;
  };
  for (int row = 0; row < count && !all; ++row)
    if (diff.rows[static_cast<size_t>(row)].differs() || row == always) show_around(row);
  std::vector<ShownRow> result;
  for (int row = 0; row < count; ++row) {
    if (shown[static_cast<size_t>(row)] != 0)
      result.push_back({row, 0});
    else if (!result.empty() && result.back().row < 0)
      ++result.back().skipped;
    else
      result.push_back({-1, 1});
  }
  return result;
}

int row_of_a(const CodeDiff& diff, int index) {
  const auto found = std::ranges::find(diff.rows, index, &DiffRow::a);
  return index < 0 || found == diff.rows.end() ? -1 : static_cast<int>(found - diff.rows.begin());
}
int row_of_b(const CodeDiff& diff, int index) {
  const auto found = std::ranges::find(diff.rows, index, &DiffRow::b);
  return index < 0 || found == diff.rows.end() ? -1 : static_cast<int>(found - diff.rows.begin());
}

}  // namespace gemmscope::scenes
