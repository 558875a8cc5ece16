#include "lessons/check_lesson.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "experiment/recorded_time.h"
#include "experiment/timing_choice.h"
#include "lessons/guess.h"
#include "lessons/page_text.h"

namespace gemmscope::lessons {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
// Also the bytes of letters beyond ASCII.
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

class PageCheck {
 public:
  PageCheck(const Page& page, const FigureValues& values, bool chinese)
      : page_(page), values_(values), chinese_(chinese) {}

  std::vector<std::string> run() {
    for (const auto& [name, value] : values_)
      if (!value) report("figure \"{}\": {}", name, value.error().message);
    for (const std::string& claim : page_.claims) check_claim(claim);
    check_text("title", page_.title);
    check_text("text", page_.text);
    if (!page_.reveal.empty()) check_text("reveal", page_.reveal);
    if (page_.question) check_question(*page_.question);
    for (const std::string& shown : page_.reveal_show)
      if (shown.starts_with(kRecordingOf)) check_recording(shown.substr(kRecordingOf.size()));
    return std::move(troubles_);
  }

 private:
  template <typename... Args>
  void report(fmt::format_string<Args...> format, Args&&... args) {
    troubles_.push_back(fmt::format("page \"{}\": ", page_.id) +
                        fmt::format(format, std::forward<Args>(args)...));
  }
  void check_claim(const std::string& claim) {
    const auto holds = value_of(claim, values_);
    if (!holds)
      report("claim \"{}\": {}", claim, holds.error().message);
    else if (holds->value == 0)
      report("the claim \"{}\" does not hold", claim);
  }
  void check_recording(const std::string& device) {
    const experiment::Experiment& shown = page_.revealed;
    for (const experiment::RecordingFile& file :
         experiment::read_recordings(experiment::recordings_folder()).files)
      if (experiment::recording_of(file.recording, device, experiment::key_of(shown), shown.problem) >= 0)
        return;
    report("no recording of \"{}\" has {} at its size", device, shown.kernel);
  }
  void check_text(const char* what, const Text& text) {
    if (chinese_ && text.chinese.empty()) report("the {} has no Chinese", what);
    for (const std::string* words : {&text.english, &text.chinese}) {
      for (const std::string& number : typed_numbers(*words))
        report("the {} has a typed number, \"{}\": refer to a figure in braces, or put a name in backquotes",
               what, number);
      for (const TextPart& part : fill_in(*words, &values_))
        if (part.missing) report("the {}: {}", what, part.source);
    }
  }
  void check_question(const Question& question) {
    check_text("question", question.ask);
    for (const Choice& choice : question.choices) check_text("choice", choice.text);
    if (const auto truth = truth_of(question, values_); !truth) report("question: {}", truth.error().message);
  }

  const Page& page_;
  const FigureValues& values_;
  const bool chinese_;
  std::vector<std::string> troubles_;
};

std::string trouble_of(const experiment::Experiment& shown, const catalog::Catalog& kernels) {
  const catalog::Kernel* const kernel = kernels.find(shown.kernel);
  if (kernel == nullptr) return fmt::format("There is no kernel \"{}\".", shown.kernel);
  for (const catalog::Toggle& toggle : kernel->toggles)
    if (const auto chosen = shown.toggles.find(toggle.name);
        chosen != shown.toggles.end() &&
        std::ranges::find(toggle.values, chosen->second) == toggle.values.end())
      return fmt::format("The toggle {} of {} is never {}: it is {}.", toggle.name, kernel->id,
                         chosen->second, fmt::join(toggle.values, ", "));
  for (const auto& [name, value] : shown.toggles)
    if (std::ranges::find(kernel->toggles, name, &catalog::Toggle::name) == kernel->toggles.end())
      return fmt::format("The kernel {} has no toggle {}.", kernel->id, name);
  return "";
}

}  // namespace

std::vector<std::string> troubles_of_experiments(const Page& page, const catalog::Catalog& kernels) {
  std::vector<std::string> troubles;
  for (const experiment::Experiment* shown : {&page.experiment, &page.revealed})
    if (const std::string trouble = trouble_of(*shown, kernels); !trouble.empty()) {
      const std::string sentence = fmt::format("page \"{}\": {}", page.id, trouble);
      if (std::ranges::find(troubles, sentence) == troubles.end()) troubles.push_back(sentence);
    }
  return troubles;
}

std::vector<std::string> typed_numbers(const std::string& text) {
  std::vector<std::string> found;
  char closing = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (closing != 0) {
      if (c == closing) closing = 0;
    } else if (c == '{' || c == '`') {
      closing = c == '{' ? '}' : '`';
    } else if (is_word(c)) {
      const size_t start = i;
      while (i + 1 < text.size() &&
             (is_word(text[i + 1]) || (text[i + 1] == '.' && i + 2 < text.size() && is_digit(text[i + 2]))))
        ++i;
      if (is_digit(text[start])) found.push_back(text.substr(start, i + 1 - start));
    }
  }
  return found;
}

std::vector<std::string> troubles_of(const Page& page, const FigureValues& values, bool chinese) {
  return PageCheck(page, values, chinese).run();
}

}  // namespace gemmscope::lessons
