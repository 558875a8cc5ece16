// lessons: lists the lessons, or computes the figures of one and says what does not hold.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/plural.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "lessons/check_lesson.h"
#include "lessons/guess.h"
#include "lessons/kept_figures.h"
#include "lessons/page_text.h"
#include "lessons/read_lesson.h"
#include "session/app_commands.h"
#include "session/foreign_commands.h"
#include "session/lesson_desk.h"

namespace gemmscope::cli {
namespace {

using lessons::FigureValues;
using lessons::Lesson;
using lessons::Page;
using nlohmann::json;

const char* origin_name(lessons::Origin origin) {
  switch (origin) {
    case lessons::Origin::stated:
      return "stated";
    case lessons::Origin::exact:
      return "exact";
    case lessons::Origin::recorded:
      return "recorded";
    case lessons::Origin::modelled:
      return "modelled";
  }
  return "";
}

std::string filled(const Text& text, Language language, const FigureValues& values) {
  std::string result;
  for (const lessons::TextPart& part : lessons::fill_in(text.in(language), &values)) {
    result += part.text;
    if (part.origin != lessons::Origin::modelled) continue;
    result += language == Language::chinese ? "（模型估算）" : " (modelled)";
  }
  return result;
}

std::string answer_text(const lessons::Question& question, const FigureValues& values, Language language) {
  if (question.kind == lessons::QuestionKind::point)
    return fmt::format("the instruction with most of {}", question.answer);
  const auto truth = lessons::truth_of(question, values);
  if (!truth) return truth.error().message;
  const auto choice = [&](size_t i) { return filled(question.choices[i].text, language, values); };
  if (question.kind == lessons::QuestionKind::number) return lessons::format_figure(truth->number, "");
  if (question.kind == lessons::QuestionKind::choice) return choice(truth->choice);
  std::string order;
  for (const size_t i : truth->order) order += (order.empty() ? "" : "; ") + choice(i);
  return order;
}

json figures_json(const FigureValues& values) {
  json figures = json::object();
  for (const auto& [name, value] : values)
    figures[name] =
        value
            ? json{{"value", value->value}, {"origin", origin_name(value->origin)}, {"source", value->source}}
            : json{{"error", value.error().message}};
  return figures;
}

json page_json(const Page& page, const FigureValues& values, const std::vector<std::string>& troubles) {
  json result = {{"id", page.id},
                 {"title", filled(page.title, Language::english, values)},
                 {"text", filled(page.text, Language::english, values)},
                 {"reveal", filled(page.reveal, Language::english, values)},
                 {"figures", figures_json(values)},
                 {"troubles", troubles}};
  if (page.question) {
    result["ask"] = filled(page.question->ask, Language::english, values);
    result["answer"] = answer_text(*page.question, values, Language::english);
  }
  return result;
}

void print_page(const Page& page, const FigureValues& values, const std::vector<std::string>& troubles,
                Language language) {
  fmt::print("\n{}\n  {}\n", filled(page.title, language, values), filled(page.text, language, values));
  if (page.question)
    fmt::print("  ? {}\n  = {}\n", filled(page.question->ask, language, values),
               answer_text(*page.question, values, language));
  if (!page.reveal.empty()) fmt::print("  {}\n", filled(page.reveal, language, values));
  for (const std::string& trouble : troubles) fmt::print("  ! {}\n", trouble);
}

int list_lessons(const lessons::LessonList& list, bool as_json) {
  json rows = json::array();
  for (const Lesson& lesson : list.lessons) {
    if (as_json)
      rows.push_back({{"id", lesson.id}, {"title", lesson.title.english}, {"pages", lesson.pages.size()}});
    else
      fmt::print("{:<28} {:>3} pages  {}\n", lesson.id, lesson.pages.size(), lesson.title.english);
  }
  if (as_json) print_json(rows);
  for (const Error& error : list.errors) print_error(error.message);
  return list.errors.empty() ? 0 : kFailed;
}

// The window's commands and kernels, without a window.
class WindowParts {
 public:
  WindowParts() : workspace_([] {}, {}), commands_(session::make_commands(workspace_, flags_)) {}
  bool has(const std::string& id) const { return commands_.find(id) != nullptr; }
  const catalog::Catalog& kernels() const { return workspace_.catalog(); }

 private:
  session::Workspace workspace_;
  session::AppFlags flags_;
  session::CommandTable commands_;
};

// Of what the window would show: also the commands that it would leave out.
std::vector<std::string> troubles_of_window(const Page& page, const WindowParts& window) {
  std::vector<std::string> troubles = lessons::troubles_of_experiments(page, window.kernels());
  for (const auto* commands : {&page.show, &page.reveal_show})
    for (const std::string& id : *commands)
      if (session::only_by_the_user(id))
        troubles.push_back(fmt::format("page \"{}\": only the user may run the command {}", page.id, id));
      else if (!id.starts_with(lessons::kRecordingOf) && !window.has(id))
        troubles.push_back(fmt::format(
            "page \"{}\": {} is no command of the window; its help page (F1) lists them", page.id, id));
  return troubles;
}

int show_lesson(const Lesson& lesson, const LessonOptions& options) {
  const Language language = options.chinese ? Language::chinese : Language::english;
  const WindowParts window;
  lessons::FigureEvaluator evaluator(window.kernels());
  json pages = json::array();
  size_t troubles = 0;
  if (!options.json) fmt::print("{}: {}\n", lesson.title.in(language), lesson.summary.in(language));
  for (const Page& page : lesson.pages) {
    if (!options.page.empty() && page.id != options.page) continue;
    const FigureValues values = evaluator.evaluate(page);
    auto found = lessons::troubles_of(page, values, options.chinese);
    std::ranges::move(troubles_of_window(page, window), std::back_inserter(found));
    troubles += found.size();
    if (options.json)
      pages.push_back(page_json(page, values, found));
    else
      print_page(page, values, found, language);
  }
  if (options.json) print_json({{"lesson", lesson.id}, {"pages", pages}});
  if (!options.json && troubles > 0)
    fmt::print("\n{} thing{} {} not hold.\n", troubles, plural(troubles), troubles == 1 ? "does" : "do");
  return troubles == 0 ? 0 : kFailed;
}

// Of "FILE.toml", of the name of a lesson that ships with the program, or of one of the teacher's own.
std::filesystem::path path_of(const std::string& lesson) {
  if (lesson.ends_with(".toml")) return lesson;
  const std::filesystem::path shipped = lessons::lessons_folder() / (lesson + ".toml"),
                              own = session::own_lessons_folder() / (lesson + ".toml");
  std::error_code error;
  return !std::filesystem::exists(shipped, error) && std::filesystem::exists(own, error) ? own : shipped;
}

// For whoever changes a page with a typed expression.
int keep_figures() {
  lessons::FigureEvaluator evaluator(catalog::read_catalog(catalog::kernels_folder()));
  lessons::KeptFigures kept;
  for (const Lesson& lesson : lessons::read_lessons(lessons::lessons_folder()).lessons)
    for (const Page& page : lesson.pages) {
      if (std::ranges::none_of(page.figures, lessons::is_kept)) continue;
      const FigureValues values = evaluator.evaluate(page);
      for (const lessons::FigureSpec& spec : page.figures) {
        if (!lessons::is_kept(spec)) continue;
        const auto& value = values.at(spec.name);
        if (!value) return print_error(value.error().message), kFailed;
        if (value->origin != lessons::Origin::recorded) kept[lessons::figure_key(spec)] = value->value;
      }
    }
  const auto written = lessons::write_kept_figures(kept, lessons::kept_figures_path());
  if (!written) return print_error(written.error().message), kFailed;
  fmt::print("{}: {} figures\n", lessons::kept_figures_path().string(), kept.size());
  return 0;
}

}  // namespace

int run_lessons(const LessonOptions& options) {
  if (options.keep_figures) return keep_figures();
  if (options.lesson.empty()) return list_lessons(session::read_all_lessons(), options.json);
  const auto lesson = lessons::read_lesson(path_of(options.lesson));
  if (!lesson) return print_error(lesson.error().message), kBadUse;
  return show_lesson(*lesson, options);
}

}  // namespace gemmscope::cli
