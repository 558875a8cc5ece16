// grade: what a student's scene is worth by a rubric.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "experiment/pipeline.h"
#include "lessons/page_text.h"
#include "lessons/rubric.h"
#include "own_kernel/open_kernel.h"
#include "session/scene_store.h"

namespace gemmscope::cli {
namespace {

using lessons::ConditionGrade;
using lessons::Grade;
using lessons::Rubric;
using nlohmann::json;

// With the student's own text, where the scene has one.
Result<catalog::Catalog> catalog_for(session::SavedScene& scene) {
  catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  if (scene.source.empty()) {
    if (catalog.find(scene.experiment.kernel) == nullptr)
      return fail("The scene shows \"{}\", which is no kernel of this version.", scene.experiment.kernel);
    return catalog;
  }
  auto kernel = own_kernel::open_kernel_text("handed_in.cu", scene.source, scene.overrides);
  if (!kernel) return tl::unexpected(kernel.error());
  scene.experiment.kernel = kernel->id;
  catalog.kernels.push_back(*std::move(kernel));
  return catalog;
}

// The whole grid, executed and compared with what it should be.
Result<std::string> run_and_check(const catalog::Kernel& kernel, const experiment::Experiment& graded) {
  const auto compiled = experiment::compile_kernel(kernel, graded);
  if (!compiled) return fail("{}", compiled.error().message);
  const auto grid = experiment::run_whole_grid(*compiled, graded, {});
  if (!grid) return fail("{}", grid.error().message);
  return lessons::why_wrong(**grid);
}

Result<Grade> grade_by(const Rubric& rubric, session::SavedScene scene) {
  const bool own_text = !scene.source.empty();
  const auto graded = lessons::graded_experiment(rubric, scene.experiment, own_text);
  if (!graded) return tl::unexpected(graded.error());
  scene.experiment = *graded;
  auto catalog = catalog_for(scene);
  if (!catalog) return tl::unexpected(catalog.error());
  const catalog::Kernel kernel = *catalog->find(scene.experiment.kernel);
  const auto page = lessons::graded_page(rubric, scene.experiment, kernel);
  if (!page) return tl::unexpected(page.error());
  auto wrong = run_and_check(kernel, scene.experiment);
  if (!wrong) return tl::unexpected(wrong.error());
  lessons::FigureEvaluator evaluator(*std::move(catalog));
  auto result = lessons::grade(rubric, evaluator.evaluate(*page));
  if (result) result->wrong = *std::move(wrong);
  return result;
}

std::string values_text(const ConditionGrade& condition) {
  std::string text;
  for (const auto& [name, value] : condition.values)
    text +=
        fmt::format("{}{} = {}{}", text.empty() ? "" : ", ", name, lessons::format_figure(value.value, ""),
                    value.origin == lessons::Origin::modelled ? " (modelled)" : "");
  return text;
}

void print_grade(const Rubric& rubric, const Grade& grade) {
  fmt::print("{}: {} of {} points\n", rubric.title, grade.points(), grade.most);
  if (!grade.wrong.empty()) fmt::print("  {}\n", grade.wrong);
  for (const ConditionGrade& one : grade.conditions) {
    fmt::print("  {} {:>4} of {:<4} {}", one.holds ? "yes" : "no ",
               one.holds && grade.wrong.empty() ? one.condition.points : 0, one.condition.points,
               one.condition.name);
    if (const std::string values = values_text(one); !values.empty()) fmt::print("   {}", values);
    fmt::print("\n");
    if (!one.holds && !one.condition.hint.empty()) fmt::print("       {}\n", one.condition.hint);
  }
}

json grade_json(const Rubric& rubric, const Grade& grade) {
  json conditions = json::array();
  for (const ConditionGrade& one : grade.conditions) {
    json values = json::object();
    for (const auto& [name, value] : one.values)
      values[name] = {{"value", value.value}, {"modelled", value.origin == lessons::Origin::modelled}};
    conditions.push_back({{"name", one.condition.name},
                          {"holds", one.holds},
                          {"points", one.holds && grade.wrong.empty() ? one.condition.points : 0},
                          {"of", one.condition.points},
                          {"values", values}});
    if (!one.holds) conditions.back()["hint"] = one.condition.hint;
  }
  return {{"title", rubric.title}, {"points", grade.points()},
          {"of", grade.most},      {"result_is_right", grade.wrong.empty()},
          {"wrong", grade.wrong},  {"conditions", conditions}};
}

}  // namespace

int grade_scene(const GradeOptions& options) {
  const auto rubric = lessons::read_rubric(options.expect);
  if (!rubric) return print_error(rubric.error().message);
  auto scene = session::read_scene(options.scene);
  if (!scene) return print_error(scene.error().message);
  const auto grade = grade_by(*rubric, *std::move(scene));
  if (!grade) return print_error(grade.error().message);
  if (options.json)
    print_json(grade_json(*rubric, *grade));
  else
    print_grade(*rubric, *grade);
  return grade->whole() ? 0 : kFoundMistakes;
}

}  // namespace gemmscope::cli
