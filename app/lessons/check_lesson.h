// Whether what a page says holds: its figures can be computed, its claims are true, its question has one
// answer, and no number is typed into a text.
#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "lessons/figure_values.h"

namespace gemmscope::lessons {

// Before a device's name, among the commands of a page: "recording:NVIDIA RTX A4000" shows the times of that
// GPU for the page's kernel.
inline constexpr std::string_view kRecordingOf = "recording:";

// A sentence for each thing that is wrong. `chinese`: its texts must be there in Chinese, too.
std::vector<std::string> troubles_of(const Page& page, const FigureValues& values, bool chinese);
// The same of what the window would show: its kernel, the toggles and their values.
std::vector<std::string> troubles_of_experiments(const Page& page, const catalog::Catalog& kernels);

// The numbers typed into a text: digits outside braces, backquotes and names such as "float4", "sm_86" or
// "H200".
std::vector<std::string> typed_numbers(const std::string& text);

}  // namespace gemmscope::lessons
