#include "lessons/kept_figures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <fstream>

#include "lessons/read_lesson.h"

namespace gemmscope::lessons {

std::string figure_key(const FigureSpec& spec) {
  const experiment::Experiment& e = spec.experiment;
  return fmt::format("{} {} {} {} {}x{}x{} {} launch {} toggles {} inputs {}", static_cast<int>(spec.kind),
                     spec.what, spec.device.empty() ? "-" : spec.device, e.kernel, e.problem.m, e.problem.n,
                     e.problem.k, isa::arch_name(e.arch), e.launch + 1, e.toggles, e.inputs) +
         (e.changes.any() ? " " + experiment::changes_key(e.changes) : "");
}

bool is_kept(const FigureSpec& spec) {
  const bool of_code = spec.kind == FigureKind::counter || spec.kind == FigureKind::block ||
                       spec.kind == FigureKind::share || spec.kind == FigureKind::code ||
                       spec.kind == FigureKind::launch || spec.kind == FigureKind::modelled ||
                       (spec.kind == FigureKind::occupancy && spec.needs.empty());
  return of_code && !spec.experiment.inputs.empty();
}

std::filesystem::path kept_figures_path() { return lessons_folder() / "kept_figures.txt"; }

KeptFigures read_kept_figures(const std::filesystem::path& path) {
  KeptFigures figures;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    double value = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
    if (error == std::errc() && end < line.data() + line.size() && *end == ' ')
      figures[line.substr(static_cast<size_t>(end - line.data()) + 1)] = value;
  }
  return figures;
}

Result<void> write_kept_figures(const KeptFigures& figures, const std::filesystem::path& path) {
  std::ofstream file(path);
  file << "# Figures of the lessons that only NVRTC's machine code gives, for computers without it.\n"
          "# Written by: gemmscope lessons --keep-figures\n";
  for (const auto& [key, value] : figures) file << fmt::format("{} {}\n", value, key);
  file.close();
  if (!file) return fail("{} cannot be written.", path.string());
  return {};
}

}  // namespace gemmscope::lessons
