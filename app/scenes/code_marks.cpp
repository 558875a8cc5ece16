#include "scenes/code_marks.h"

#include <fmt/format.h>

#include <algorithm>

#include "drawing/text_fit.h"
#include "lint/lint.h"
#include "machine/checks/finding_list.h"
#include "scenes/source_lines.h"
#include "scenes/text.h"

namespace gemmscope::scenes {
namespace {

std::string thread_text(const std::array<uint32_t, 3>& block, int warp, int lane) {
  std::string text = fmt::format("block ({}, {}, {})", block[0], block[1], block[2]);
  if (warp >= 0) text += fmt::format(", warp {}", warp);
  if (lane >= 0) text += fmt::format(", lane {}", lane);
  return text;
}

CodeMark mark_at(const experiment::CompiledKernel& compiled, MarkKind kind, uint32_t instruction) {
  CodeMark mark;
  mark.kind = kind;
  if (instruction >= compiled.places.size()) return mark;
  mark.instruction = static_cast<int>(instruction);
  mark.line = own_line(compiled, instruction);
  return mark;
}

// "in matrix.cuh:51" for a mark that is shown at the call of an included function.
std::string included_place(const experiment::CompiledKernel& compiled, const CodeMark& mark) {
  if (mark.instruction < 0 || mark.line == 0) return "";
  const auto index = static_cast<size_t>(mark.instruction);
  return compiled.places[index].file > 0 ? "in " + place_text(compiled, index) : "";
}

CodeMark mark_of(const experiment::CompiledKernel& compiled, const machine::Fault& fault) {
  CodeMark mark = mark_at(compiled, MarkKind::fault, fault.instruction);
  const std::string place = included_place(compiled, mark);
  mark.sentence = fmt::format("stops here{}{}: {} ({})", place.empty() ? "" : ", ", place, fault.what,
                              thread_text(fault.block, fault.warp, fault.lane));
  mark.block = fault.block;
  mark.warp = fault.warp;
  return mark;
}

CodeMark mark_of(const experiment::CompiledKernel& compiled, const machine::Finding& finding) {
  CodeMark mark = mark_at(compiled, MarkKind::finding, finding.instruction);
  const std::string times = finding.times > 1 ? fmt::format(", {} times", grouped(finding.times)) : "";
  std::string other;
  if (finding.other_instruction >= 0) {
    const auto index = static_cast<size_t>(finding.other_instruction);
    if (index < compiled.text.size()) {
      const std::string place = place_and_call_text(compiled, index);
      other = fmt::format("; the other is {}{}{}", place, place.empty() ? "" : ": ",
                          instruction_text(compiled, index));
    }
  }
  const std::string place = included_place(compiled, mark);
  mark.sentence = fmt::format("{}{}{}{} ({}{})", place, place.empty() ? "" : ": ", finding.what, other,
                              thread_text(finding.block, finding.warp, finding.lane), times);
  mark.block = finding.block;
  mark.warp = finding.warp;
  return mark;
}

CodeMark mark_of(const experiment::CompiledKernel& compiled, const lint::Finding& hazard) {
  const MarkKind kind = compiled.changed == nullptr ? MarkKind::finding : MarkKind::broken;
  CodeMark mark = mark_at(compiled, kind, hazard.dependence.consumer);
  mark.sentence =
      fmt::format("{} ({})", lint::finding_text(hazard, compiled.instructions), lint::missing_text(hazard));
  return mark;
}

void add_compiler_marks(std::vector<CodeMark>& marks, const experiment::Failure& failure) {
  for (const compile::Diagnostic& d : failure.diagnostics) {
    if (d.line <= 0) continue;
    CodeMark mark;
    mark.kind = d.severity == compile::Severity::error ? MarkKind::compile_error : MarkKind::compile_warning;
    mark.line = d.line;
    mark.sentence = d.message;
    marks.push_back(std::move(mark));
  }
}

}  // namespace

std::vector<CodeMark> code_marks(const experiment::CompiledKernel* compiled,
                                 const experiment::Failure* failure,
                                 std::span<const machine::Finding> of_block,
                                 std::span<const machine::Finding> of_grid,
                                 std::span<const experiment::OtherFinding> of_other_launches) {
  std::vector<CodeMark> marks;
  if (failure != nullptr) add_compiler_marks(marks, *failure);
  if (compiled != nullptr) {
    if (failure != nullptr && failure->fault) marks.push_back(mark_of(*compiled, *failure->fault));
    if (compiled->changed != nullptr)
      for (const schedule::Breakage& breakage : compiled->changed->broken) {
        marks.push_back(mark_at(*compiled, MarkKind::broken, breakage.instruction));
        marks.back().sentence = breakage.sentence;
      }
    std::vector<machine::Finding> added;
    const auto add_findings = [&](std::span<const machine::Finding> findings) {
      for (const machine::Finding& finding : findings) {
        if (std::any_of(added.begin(), added.end(),
                        [&](const auto& known) { return machine::same_mistake(known, finding); }))
          continue;
        marks.push_back(mark_of(*compiled, finding));
        added.push_back(finding);
      }
    };
    add_findings(of_grid);
    if (failure != nullptr) add_findings(failure->findings);
    add_findings(of_block);
    for (const lint::Finding& hazard : compiled->hazards) marks.push_back(mark_of(*compiled, hazard));
  }
  const bool source_is_newer = failure != nullptr && !failure->diagnostics.empty();
  if (source_is_newer) {
    for (CodeMark& mark : marks)
      if (mark.instruction >= 0) mark.line = 0;
    of_other_launches = {};
  }
  const auto add_other_findings = [&](std::span<const experiment::OtherFinding> others) {
    for (const experiment::OtherFinding& other : others) {
      CodeMark mark;
      mark.line = other.line;
      mark.sentence = other.sentence;
      marks.push_back(std::move(mark));
    }
  };
  add_other_findings(of_other_launches);
  if (failure != nullptr) add_other_findings(failure->other_findings);
  std::stable_sort(marks.begin(), marks.end(), [](const CodeMark& a, const CodeMark& b) {
    if (stops(a.kind) != stops(b.kind)) return stops(a.kind);
    return a.instruction != b.instruction ? a.instruction < b.instruction : a.line < b.line;
  });
  return marks;
}

std::string count_of_marks(std::span<const CodeMark> marks) {
  struct Word {
    MarkKind kind;
    const char* one;
  };
  std::string text;
  for (const Word& word : {Word{MarkKind::compile_error, "compile error"},
                           Word{MarkKind::compile_warning, "warning"}, Word{MarkKind::fault, "fault"},
                           Word{MarkKind::broken, "broken dependence"}, Word{MarkKind::finding, "finding"}}) {
    const auto count = std::count_if(marks.begin(), marks.end(),
                                     [&](const CodeMark& mark) { return mark.kind == word.kind; });
    if (count > 0)
      text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", count, word.one, count == 1 ? "" : "s");
  }
  return text;
}

std::vector<std::string> wrap_words(const std::string& text, int characters) {
  const auto limit = static_cast<size_t>(std::max(1, characters));
  std::vector<std::string> lines;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::vector<size_t> boundaries = drawing::utf8_boundaries(rest);
    size_t end =
        std::min({boundaries.size() > limit ? boundaries[limit] : rest.size(), rest.find('\n'), rest.size()});
    if (end < rest.size() && rest[end] != '\n' && rest[end] != ' ')
      if (const size_t space = rest.substr(0, end).rfind(' '); space != std::string_view::npos && space > 0)
        end = space;
    lines.emplace_back(rest.substr(0, end));
    rest.remove_prefix(end);
    if (!rest.empty() && (rest.front() == '\n' || rest.front() == ' ')) rest.remove_prefix(1);
  }
  return lines;
}

}  // namespace gemmscope::scenes
