#include "lessons/rubric.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "base/plural.h"
#include "catalog/toml_values.h"
#include "lessons/formula.h"
#include "lessons/read_lesson.h"

namespace gemmscope::lessons {
namespace {

constexpr size_t kMostBytes = 1 << 20;
constexpr double kMostPoints = 1000;

class RubricReader : catalog::TomlValues {
 public:
  RubricReader(const toml::table& root, Rubric& rubric)
      : TomlValues(rubric.path.string(), true, {}, "assets/assignments/README.md describes the format"),
        root_(root),
        rubric_(rubric) {}

  std::optional<Error> read() {
    rubric_.title = text(root_, "title");
    rubric_.task = catalog::with_single_spaces(optional_text(root_, "task", "task"));
    rubric_.kernel = optional_text(root_, "kernel", "kernel");
    if (const toml::node* own = root_.get("own_kernel")) {
      if (!own->is_boolean()) complain(*own, "own_kernel", "must be true or false");
      rubric_.own_kernel = own->value_or(false);
    }
    read_size("m", rubric_.m);
    read_size("n", rubric_.n);
    read_size("k", rubric_.k);
    const toml::array* conditions = root_["condition"].as_array();
    if (conditions == nullptr || conditions->empty())
      complain(root_, "condition", "must list at least one [[condition]]");
    if (conditions != nullptr)
      for (const toml::node& node : *conditions) read_condition(node);
    reject_other_keys(root_, "",
                      {"title", "task", "kernel", "own_kernel", "m", "n", "k", "figures", "condition"});
    return error_;
  }

 private:
  void read_size(std::string_view key, std::optional<int64_t>& size) {
    const toml::node* node = root_.get(key);
    if (node == nullptr) return;
    size = node->value_exact<int64_t>();
    if (!size || *size < 1 || *size > 1 << 20) complain(*node, key, "must be a size from 1 to 1048576");
  }

  void read_condition(const toml::node& node) {
    const toml::table* table = node.as_table();
    if (table == nullptr) return complain(node, "condition", "must be a [[condition]]");
    Condition condition;
    condition.name = text(*table, "name");
    condition.holds = text(*table, "holds");
    condition.hint = catalog::with_single_spaces(optional_text(*table, "hint", "hint"));
    if (const toml::node* points = table->get("points")) {
      condition.points = points->value<double>().value_or(-1);
      if (!(condition.points >= 0 && condition.points <= kMostPoints))
        complain(*points, "points", "must be a number from 0 to 1000");
    }
    if (!error_)
      if (const auto names = names_in(condition.holds); !names)
        complain(*table->get("holds"), "holds", names.error().message);
    reject_other_keys(*table, "condition.", {"name", "holds", "points", "hint"});
    rubric_.conditions.push_back(std::move(condition));
  }

  const toml::table& root_;
  Rubric& rubric_;
};

FigureSpec stated(const std::string& name, int64_t value) {
  FigureSpec spec;
  spec.name = name;
  spec.kind = FigureKind::stated;
  spec.stated = static_cast<double>(value);
  return spec;
}

}  // namespace

double Rubric::most_points() const {
  double most = 0;
  for (const Condition& condition : conditions) most += condition.points;
  return most;
}

Result<Rubric> parse_rubric(const std::string& text, const std::filesystem::path& path) {
  if (text.size() > kMostBytes) return fail("{}: the rubric is larger than 1 MiB.", path.string());
  const toml::parse_result parsed = toml::parse(text, path.string());
  if (!parsed)
    return fail("{}:{}: {}", path.string(), parsed.error().source().begin.line, parsed.error().description());
  Rubric rubric;
  rubric.path = path;
  rubric.text = text;
  if (auto error = RubricReader(parsed.table(), rubric).read()) return tl::unexpected(std::move(*error));
  return rubric;
}

Result<Rubric> read_rubric(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    return fail("{}: there is no such rubric.", path.string());
  if (std::filesystem::file_size(path, error) > kMostBytes)
    return fail("{}: the rubric is larger than 1 MiB.", path.string());
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) return fail("{} cannot be read.", path.string());
  return parse_rubric(text.str(), path);
}

Result<experiment::Experiment> graded_experiment(const Rubric& rubric,
                                                 const experiment::Experiment& handed_in, bool has_own_text) {
  if (has_own_text && !rubric.own_kernel)
    return fail("The scene brings a kernel's text of its own; {} is to be handed in as it ships.",
                rubric.kernel.empty() ? "a kernel of the catalogue" : rubric.kernel);
  if (!has_own_text && !rubric.kernel.empty() && handed_in.kernel != rubric.kernel)
    return fail("The scene shows {}; {} is to be handed in.", handed_in.kernel, rubric.kernel);
  experiment::Experiment graded = handed_in;
  graded.problem.m = rubric.m.value_or(graded.problem.m);
  graded.problem.n = rubric.n.value_or(graded.problem.n);
  graded.problem.k = rubric.k.value_or(graded.problem.k);
  return graded;
}

Result<Page> graded_page(const Rubric& rubric, const experiment::Experiment& graded,
                         const catalog::Kernel& kernel) {
  Page page;
  page.experiment = graded;
  auto figures = parse_figures(rubric.text, rubric.path, graded);
  if (!figures) return tl::unexpected(figures.error());
  page.figures = *std::move(figures);
  for (const catalog::Toggle& toggle : kernel.toggles) {
    const auto chosen = graded.toggles.find(toggle.name);
    if (page.find_figure(toggle.name) == nullptr)
      page.figures.push_back(
          stated(toggle.name, chosen == graded.toggles.end() ? toggle.default_value : chosen->second));
  }
  return page;
}

double Grade::points() const {
  double sum = 0;
  for (const ConditionGrade& condition : conditions)
    if (wrong.empty() && condition.holds) sum += condition.condition.points;
  return sum;
}

Result<Grade> grade(const Rubric& rubric, const FigureValues& values) {
  Grade grade;
  grade.most = rubric.most_points();
  for (const Condition& condition : rubric.conditions) {
    const auto held = value_of(condition.holds, values);
    if (!held) return fail("The condition \"{}\": {}.", condition.name, held.error().message);
    ConditionGrade graded{condition, held->value != 0, {}};
    for (const std::string& name : names_in(condition.holds).value_or(std::vector<std::string>{}))
      if (const auto value = values.find(name); value != values.end() && value->second)
        graded.values.emplace(name, *value->second);
    grade.conditions.push_back(std::move(graded));
  }
  return grade;
}

std::string why_wrong(const experiment::GridResult& grid) {
  if (!grid.verification.right())
    return fmt::format("The result is wrong in {} element{}, so there are no points.",
                       grid.verification.wrong_elements, plural(grid.verification.wrong_elements));
  if (grid.has_findings())
    return "The kernel makes mistakes whose effect depends on luck (gemmscope run names them), so there are "
           "no "
           "points.";
  return "";
}

}  // namespace gemmscope::lessons
