// A rubric: what a student's scene must show, condition by condition, each with its points. A TOML file,
// which assets/assignments/README.md describes.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiment/results.h"
#include "lessons/figure_values.h"

namespace gemmscope::lessons {

struct Condition {
  std::string name, holds;  // a formula over the figures and the toggles
  double points = 1;
  std::string hint;  // for whom it does not hold
};

struct Rubric {
  std::filesystem::path path;
  std::string title, task, kernel;  // kernel: the one that the scene must show; empty: any
  bool own_kernel = false;          // a kernel of the student's own text may be handed in
  std::optional<int64_t> m, n, k;   // at which it is graded, whatever the scene says
  std::vector<Condition> conditions;
  std::string text;  // of the file, for its figures

  double most_points() const;
};

// Errors name the file, the line and the key.
Result<Rubric> parse_rubric(const std::string& text, const std::filesystem::path& path);
Result<Rubric> read_rubric(const std::filesystem::path& path);

// The experiment as it is graded. Errors: the scene shows another kernel than the rubric wants.
Result<experiment::Experiment> graded_experiment(const Rubric& rubric,
                                                 const experiment::Experiment& handed_in, bool has_own_text);

// What the conditions are about: the rubric's figures, and each toggle of the kernel by its macro's name.
Result<Page> graded_page(const Rubric& rubric, const experiment::Experiment& graded,
                         const catalog::Kernel& kernel);

struct ConditionGrade {
  Condition condition;
  bool holds = false;
  std::map<std::string, FigureValue> values;  // of the figures that it uses
};
struct Grade {
  std::vector<ConditionGrade> conditions;
  std::string wrong;  // why there are no points although conditions hold, a sentence; empty: C is right
  double points() const;
  double most = 0;
  bool whole() const { return wrong.empty() && points() >= most; }
};
// Errors: a formula, or a figure of one, that cannot be computed.
Result<Grade> grade(const Rubric& rubric, const FigureValues& values);
// Whether the result of the run is what the kernel should compute: a sentence, or empty.
std::string why_wrong(const experiment::GridResult& grid);

}  // namespace gemmscope::lessons
