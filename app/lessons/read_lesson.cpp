#include "lessons/read_lesson.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include "catalog/catalog.h"
#include "catalog/toml_values.h"
#include "isa/arch.h"
#include "lessons/formula.h"
#include "lessons/guess.h"
#include "lessons/page_text.h"

namespace gemmscope::lessons {
namespace {

using experiment::Experiment;

struct KindName {
  const char* key;
  FigureKind kind;
};
constexpr std::array<KindName, 12> kKinds = {{{"counter", FigureKind::counter},
                                              {"block", FigureKind::block},
                                              {"share", FigureKind::share},
                                              {"problem", FigureKind::problem},
                                              {"code", FigureKind::code},
                                              {"launch", FigureKind::launch},
                                              {"occupancy", FigureKind::occupancy},
                                              {"recorded", FigureKind::recorded},
                                              {"modelled", FigureKind::modelled},
                                              {"device_fact", FigureKind::device},
                                              {"stated", FigureKind::stated},
                                              {"formula", FigureKind::formula}}};

// Reads one file. Keeps the first complaint.
class LessonReader : catalog::TomlValues {
 public:
  LessonReader(const toml::table& root, Lesson& lesson)
      : TomlValues(lesson.path.string(), true, {}, "assets/lessons/README.md describes the format"),
        root_(root),
        lesson_(lesson) {}

  std::optional<Error> read() {
    lesson_.title = both(root_, "title", true);
    lesson_.summary = both(root_, "summary", true);
    reject_other_keys(root_, "", {"title", "title_zh", "summary", "summary_zh", "page"});
    const toml::array* pages = root_["page"].as_array();
    if (pages == nullptr || pages->empty()) complain(root_, "page", "must list at least one [[page]]");
    if (pages != nullptr)
      for (const toml::node& node : *pages) read_page(node);
    return error_;
  }
  std::optional<Error> read_figures_alone(const toml::node& node, Page& page) {
    read_figures(node, page);
    return error_;
  }

 private:
  // A line of Chinese goes on without a space.
  static void add_line(std::string& paragraph, const std::string& line) {
    const size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos) return;
    const bool chinese = !paragraph.empty() && static_cast<unsigned char>(paragraph.back()) >= 0x80 &&
                         static_cast<unsigned char>(line[begin]) >= 0x80;
    if (!paragraph.empty() && !chinese) paragraph += ' ';
    paragraph += line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
  }
  // The paragraphs of a text, one a line.
  std::string paragraphs(const toml::table& table, std::string_view key) {
    const toml::node& node = *table.get(key);
    const auto text = node.value_exact<std::string>();
    std::string result;
    std::istringstream lines(text.value_or(""));
    std::string paragraph;
    const auto end_paragraph = [&] {
      const std::string words = catalog::with_single_spaces(paragraph);
      if (!words.empty()) result += (result.empty() ? "" : "\n") + words;
      paragraph.clear();
    };
    for (std::string line; std::getline(lines, line); add_line(paragraph, line))
      if (line.find_first_not_of(" \t\r") == std::string::npos) end_paragraph();
    end_paragraph();
    if (result.empty()) complain(node, key, "must be a text in quotes that is not empty");
    return result;
  }
  Text both(const toml::table& table, std::string_view key, bool needed) {
    Text text;
    const std::string chinese = std::string(key) + "_zh";
    if (table.contains(key))
      text.english = checked(table, key);
    else if (needed || table.contains(chinese))
      complain(table, key, "is missing");
    if (table.contains(chinese)) text.chinese = checked(table, chinese);
    return text;
  }
  std::string checked(const toml::table& table, std::string_view key) {
    std::string text = paragraphs(table, key);
    const auto formulas = formulas_in(text);
    if (!formulas) complain(*table.get(key), key, formulas.error().message);
    if (formulas)
      for (const std::string& formula : *formulas) check_formula(*table.get(key), key, formula);
    return text;
  }
  void check_formula(const toml::node& node, std::string_view key, const std::string& formula) {
    const auto names = names_in(formula);
    if (!names) return complain(node, key, names.error().message);
    if (figures_ == nullptr && !names->empty()) return complain(node, key, "can have no figures");
    for (const std::string& name : *names)
      if (std::ranges::none_of(*figures_, [&](const FigureSpec& f) { return f.name == name; }))
        complain(node, key, fmt::format("uses \"{}\", which is no figure of the page", name));
  }
  std::string formula(const toml::table& table, std::string_view key) {
    std::string text = this->text(table, key);
    if (!error_) check_formula(*table.get(key), key, text);
    return text;
  }
  std::vector<std::string> texts(const toml::table& table, std::string_view key) {
    if (!table.contains(key)) return {};
    auto list = texts_of(*table.get(key));
    if (!list) complain(*table.get(key), key, "must be a list of texts");
    return list.value_or(std::vector<std::string>{});
  }

  // What `table` says of an experiment, on top of `base`.
  Experiment experiment(const toml::table& table, Experiment base) {
    if (table.contains("kernel")) base = experiment::with_kernel(base, text(table, "kernel"));
    read_size(table, "m", base.problem.m);
    read_size(table, "n", base.problem.n);
    read_size(table, "k", base.problem.k);
    if (const toml::node* node = table.get("arch")) {
      const auto arch = isa::arch_from_name(node->value_or(std::string{}));
      if (!arch) complain(*node, "arch", "must be sm_75, sm_80, sm_86, sm_89 or sm_90");
      base.arch = arch.value_or(base.arch);
    }
    if (const toml::node* node = table.get("toggles")) read_toggles(*node, base);
    if (const toml::node* node = table.get("inputs")) read_inputs(*node, base);
    // In a figure, "launch" may also name a figure of the launch.
    if (const toml::node* node = table.get("launch"); node != nullptr && !node->is_string()) {
      const auto launch = node->value_exact<int64_t>();
      if (!launch || *launch < 1) complain(*node, "launch", "must be 1 or more");
      base.launch = static_cast<uint32_t>(launch.value_or(1) - 1);
    }
    return base;
  }
  void read_size(const toml::table& table, std::string_view key, int64_t& size) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return;
    const auto value = node->value_exact<int64_t>();
    if (!value || *value < 1 || *value > 1 << 20) complain(*node, key, "must be a size from 1 to 1048576");
    size = value.value_or(size);
  }
  void read_toggles(const toml::node& node, Experiment& e) {
    const toml::table* table = node.as_table();
    if (table == nullptr) return complain(node, "toggles", "must be a table: { NAME = value }");
    for (const auto& [key, value] : *table) {
      const auto number = value.value_exact<int64_t>();
      if (!number) complain(value, key.str(), "must be a whole number");
      e.toggles[std::string(key.str())] = number.value_or(0);
    }
  }
  void read_inputs(const toml::node& node, Experiment& e) {
    const toml::table* table = node.as_table();
    if (table == nullptr) return complain(node, "inputs", "must be a table: { NAME = \"expression\" }");
    for (const auto& [key, value] : *table) {
      const auto expression = value.value_exact<std::string>();
      if (!expression) complain(value, key.str(), "must be an expression in quotes");
      e.inputs[std::string(key.str())] = expression.value_or("");
    }
  }

  FigureSpec figure(std::string_view name, const toml::node& node, const Experiment& page) {
    FigureSpec spec;
    spec.name = name;
    spec.experiment = page;
    const toml::table* table = node.as_table();
    if (table == nullptr) {
      complain(node, name, "must be a table such as { counter = \"flops\" }");
      return spec;
    }
    int kinds = 0;
    for (const KindName& kind : kKinds)
      if (table->contains(kind.key)) {
        spec.kind = kind.kind;
        ++kinds;
        if (kind.kind == FigureKind::stated)
          spec.stated = number(*table, kind.key);
        else
          spec.what = text(*table, kind.key);
      }
    if (kinds != 1)
      complain(
          node, name,
          "must have one of counter, block, share, problem, code, launch, occupancy, recorded, modelled, "
          "device_fact, stated, formula");
    // In a figure of the launch this key names it; elsewhere it is the number of a launch.
    toml::table rest = *table;
    if (spec.kind == FigureKind::launch) rest.erase("launch");
    spec.experiment = experiment(rest, page);
    spec.variant = optional_text(*table, "variant", "variant");
    spec.device = optional_text(*table, "device", "device");
    spec.source = optional_text(*table, "source", "source");
    for (const char* need : {"capability", "threads", "registers", "shared"})
      if (table->contains(need)) spec.needs[need] = number(*table, need);
    if (const toml::node* textbook = table->get("textbook")) spec.textbook = textbook->value_or(false);
    if (const toml::node* scheduled = table->get("scheduled"))
      spec.experiment.changes.scheduled = scheduled->value_or(false);
    reject_other_keys(
        *table, std::string(name) + ".",
        {"share",    "problem",    "block",       "counter",   "code",    "launch",   "occupancy",
         "recorded", "modelled",   "device_fact", "stated",    "formula", "kernel",   "m",
         "n",        "k",          "arch",        "toggles",   "inputs",  "variant",  "device",
         "source",   "capability", "threads",     "registers", "shared",  "textbook", "scheduled"});
    return spec;
  }
  double number(const toml::table& table, std::string_view key) {
    const auto value = table.get(key)->value<double>();
    if (!value) complain(*table.get(key), key, "must be a number");
    return value.value_or(0);
  }

  Question question(const toml::table& table) {
    Question question;
    question.ask = both(table, "ask", true);
    const bool choices = table.contains("choices"), order = table.contains("order"),
               point = table.contains("point");
    if (choices + order + point + table.contains("number") != 1)
      return complain(table, "question", "must have one of number, choices, order, point"), question;
    if (table.contains("number")) {
      question.kind = QuestionKind::number;
      question.answer = formula(table, "number");
      if (table.contains("within")) question.within = number(table, "within");
    } else if (point) {
      question.kind = QuestionKind::point;
      question.answer = text(table, "point");
      if (!is_point(question.answer))
        complain(*table.get("point"), "point",
                 fmt::format("must be one of {}, or opcode.NAME", fmt::join(key_number_names(), ", ")));
    } else {
      question.kind = order ? QuestionKind::order : QuestionKind::choice;
      read_choices(table, order ? "order" : "choices", order ? "by" : "when", question);
    }
    if (const toml::node* node = table.get("largest_first")) question.largest_first = node->value_or(false);
    reject_other_keys(table, "question.",
                      {"ask", "ask_zh", "number", "within", "choices", "order", "point", "largest_first"});
    return question;
  }
  void read_choices(const toml::table& table, std::string_view key, std::string_view formula_key,
                    Question& question) {
    const toml::array* list = table.get(key)->as_array();
    if (list == nullptr || list->size() < 2 || list->size() > 6)
      return complain(*table.get(key), key, "must list two to six tables");
    for (const toml::node& node : *list) {
      const toml::table* choice = node.as_table();
      if (choice == nullptr) return complain(node, key, "must be a table with text and when (or by)");
      question.choices.push_back({both(*choice, "text", true), formula(*choice, formula_key)});
      reject_other_keys(*choice, "", {"text", "text_zh", formula_key});
    }
  }

  void read_page(const toml::node& node) {
    const toml::table* table = node.as_table();
    if (table == nullptr) return complain(node, "page", "must be a [[page]]");
    Page page;
    page.line = static_cast<int>(node.source().begin.line);
    page.id = identifier(*table, "id");
    if (std::ranges::any_of(lesson_.pages, [&](const Page& other) { return other.id == page.id; }))
      complain(node, "id", "is that of an earlier page");
    page.experiment = page.revealed = experiment(*table, {});
    if (const toml::node* figures = table->get("figures")) read_figures(*figures, page);
    figures_ = &page.figures;
    page.title = both(*table, "title", true);
    page.text = both(*table, "text", true);
    page.reveal = both(*table, "reveal", table->contains("question"));
    page.show = texts(*table, "show");
    page.reveal_show = texts(*table, "reveal_show");
    if (const toml::table* after = (*table)["after"].as_table()) {
      page.revealed = experiment(*after, page.experiment);
      reject_other_keys(*after, "after.", {"kernel", "m", "n", "k", "arch", "toggles", "inputs", "launch"});
    }
    if (const toml::table* asked = (*table)["question"].as_table()) page.question = question(*asked);
    page.hides = hides(*table, page.question);
    page.claims = texts(*table, "claims");
    for (const std::string& claim : page.claims) check_formula(*table->get("claims"), "claims", claim);
    for (const FigureSpec& spec : page.figures)
      if (spec.kind == FigureKind::formula) check_formula(*table->get("figures"), spec.name, spec.what);
    reject_other_keys(*table, "", {"id",        "title",    "title_zh", "text",    "text_zh", "reveal",
                                   "reveal_zh", "kernel",   "m",        "n",       "k",       "arch",
                                   "toggles",   "inputs",   "launch",   "figures", "show",    "reveal_show",
                                   "after",     "question", "claims",   "hides"});
    figures_ = nullptr;
    lesson_.pages.push_back(std::move(page));
  }
  // A question hides all but the map, and one for a point leaves the pictures to find it in.
  Hides hides(const toml::table& table, const std::optional<Question>& asked) {
    if (!table.contains("hides")) {
      if (!asked) return {};
      const bool point = asked->kind == QuestionKind::point;
      return {true, !point, false, true, true, true};
    }
    Hides hides;
    const std::pair<const char*, bool Hides::*> names[] = {
        {"numbers", &Hides::numbers}, {"pictures", &Hides::pictures}, {"map", &Hides::map},
        {"counts", &Hides::counts},   {"timings", &Hides::timings},   {"calculator", &Hides::calculator}};
    for (const std::string& what : texts(table, "hides")) {
      const auto found = std::ranges::find_if(names, [&](const auto& name) { return what == name.first; });
      if (found == std::end(names))
        complain(*table.get("hides"), "hides",
                 "may list numbers, pictures, map, counts, timings, calculator");
      else
        hides.*(found->second) = true;
    }
    return hides;
  }
  void read_figures(const toml::node& node, Page& page) {
    const toml::table* table = node.as_table();
    if (table == nullptr) return complain(node, "figures", "must be a table: [page.figures]");
    for (const auto& [key, value] : *table) page.figures.push_back(figure(key.str(), value, page.experiment));
  }

  const toml::table& root_;
  Lesson& lesson_;
  const std::vector<FigureSpec>* figures_ = nullptr;  // of the page that is read
};

}  // namespace

const FigureSpec* Page::find_figure(std::string_view name) const {
  const auto found = std::ranges::find_if(figures, [&](const FigureSpec& f) { return f.name == name; });
  return found == figures.end() ? nullptr : &*found;
}

Result<Lesson> parse_lesson(const std::string& text, const std::filesystem::path& path) {
  const toml::parse_result parsed = toml::parse(text, path.string());
  if (!parsed)
    return fail("{}:{}: {}", path.string(), parsed.error().source().begin.line, parsed.error().description());
  Lesson lesson;
  lesson.id = path.stem().string();
  lesson.path = path;
  if (auto error = LessonReader(parsed.table(), lesson).read()) return tl::unexpected(std::move(*error));
  return lesson;
}

Result<std::vector<FigureSpec>> parse_figures(const std::string& text, const std::filesystem::path& path,
                                              const Experiment& base) {
  const toml::parse_result parsed = toml::parse(text, path.string());
  if (!parsed)
    return fail("{}:{}: {}", path.string(), parsed.error().source().begin.line, parsed.error().description());
  const toml::node* figures = parsed.table().get("figures");
  if (figures == nullptr) return std::vector<FigureSpec>{};
  Lesson lesson;
  lesson.path = path;
  Page page;
  page.experiment = base;
  if (auto error = LessonReader(parsed.table(), lesson).read_figures_alone(*figures, page))
    return tl::unexpected(std::move(*error));
  return std::move(page.figures);
}

Result<Lesson> read_lesson(const std::filesystem::path& path) {
  constexpr uintmax_t kMostBytes = 4 << 20;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) || std::filesystem::file_size(path, error) > kMostBytes)
    return fail("{} is no lesson: a lesson is a file of at most {} MiB.", path.string(), kMostBytes >> 20);
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  if (!file || !(text << file.rdbuf())) return fail("{} cannot be read.", path.string());
  return parse_lesson(text.str(), path);
}

const Lesson* LessonList::find(std::string_view id) const {
  const auto found = std::ranges::find_if(lessons, [&](const Lesson& l) { return l.id == id; });
  return found == lessons.end() ? nullptr : &*found;
}

size_t LessonList::page_count() const {
  size_t pages = 0;
  for (const Lesson& lesson : lessons) pages += lesson.pages.size();
  return pages;
}

LessonList read_lessons(const std::filesystem::path& folder) {
  LessonList list;
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  if (error) list.errors.push_back({fmt::format("{} cannot be read: {}.", folder.string(), error.message())});
  std::ranges::sort(files);
  for (const auto& file : files) {
    auto lesson = read_lesson(file);
    if (lesson)
      list.lessons.push_back(*std::move(lesson));
    else
      list.errors.push_back(std::move(lesson.error()));
  }
  return list;
}

std::filesystem::path lessons_folder() { return catalog::assets_folder() / "lessons"; }

}  // namespace gemmscope::lessons
