// Figures of machine code that only NVRTC can make, computed once and shipped with the lessons, so that their
// pages can be given where there is no NVRTC: assets/lessons/kept_figures.txt, a line each.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "base/error.h"
#include "lessons/lesson.h"

namespace gemmscope::lessons {

// By figure_key().
using KeptFigures = std::map<std::string, double>;

// Equal keys mean the same figure of the same experiment.
std::string figure_key(const FigureSpec& spec);
// Whether the pack cannot have the figure's machine code: it is made from an expression that was typed.
bool is_kept(const FigureSpec& spec);

std::filesystem::path kept_figures_path();
// A missing file holds none. Lines that cannot be read are left out.
KeptFigures read_kept_figures(const std::filesystem::path& path);
Result<void> write_kept_figures(const KeptFigures& figures, const std::filesystem::path& path);

}  // namespace gemmscope::lessons
