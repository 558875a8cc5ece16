#include "catalog/packed_variants.h"

#include <algorithm>

namespace gemmscope::catalog {
namespace {

// That of the window, and that of the H200, the device of `gemmscope lattice`. Another one costs as many
// compilations again, and 5 MB.
bool has_pairs(int sm) { return sm == 86 || sm == 90; }

// What pages of lessons compare beyond that, on the architecture on which they count.
constexpr int kArchOfLessons = 86;
struct LessonVariant {
  const char* kernel;
  ToggleValues toggles;
};
const std::vector<LessonVariant>& lesson_variants() {
  static const std::vector<LessonVariant> variants = {
      {"workbench", {{"BLOCK_M", 64}, {"BLOCK_N", 64}}},
      {"workbench", {{"PREFETCH", 0}, {"SERIAL_COPY", 0}}},
      {"workbench", {{"PREFETCH", 0}, {"LOOP_START", 1}}},
      {"workbench", {{"PREFETCH", 0}, {"LOOP_START", 1}, {"SERIAL_COPY", 0}}},
      {"occupancy", {{"HELD", 0}, {"THREADS", 64}}},
      {"occupancy", {{"HELD", 0}, {"THREADS", 96}}},
      {"occupancy", {{"HELD", 0}, {"SHARED_KB", 32}}},
      {"occupancy", {{"HELD", 0}, {"SHARED_KB", 96}}},
  };
  return variants;
}

size_t combinations(const Kernel& kernel) {
  size_t count = 1;
  for (const Toggle& toggle : kernel.toggles)
    count = std::min(kMostPackedCombinations + 1, count * toggle.values.size());
  return count;
}

std::vector<ToggleValues> every_combination(const Kernel& kernel) {
  std::vector<ToggleValues> variants = {{}};
  for (const Toggle& toggle : kernel.toggles)
    for (size_t i = 0, before = variants.size(); i < before; ++i)
      for (const int64_t value : toggle.values) {
        if (value == toggle.default_value) continue;
        variants.push_back(variants[i]);
        variants.back()[toggle.name] = value;
      }
  return variants;
}

std::vector<ToggleValues> changes_alone(const Kernel& kernel) {
  std::vector<ToggleValues> variants = {{}};
  for (const Toggle& toggle : kernel.toggles)
    for (const int64_t value : toggle.values)
      if (value != toggle.default_value) variants.push_back({{toggle.name, value}});
  return variants;
}

void add_pairs(std::vector<ToggleValues>& variants) {
  for (size_t a = 1, alone = variants.size(); a < alone; ++a)
    for (size_t b = a + 1; b < alone; ++b) {
      ToggleValues pair = variants[a];
      if (!pair.insert(*variants[b].begin()).second) continue;  // two values of one toggle
      variants.push_back(std::move(pair));
    }
}

}  // namespace

std::vector<ToggleValues> packed_variants(const Kernel& kernel, int sm) {
  if (sm < kernel.architecture) return {};
  const bool few = combinations(kernel) <= kMostPackedCombinations;
  std::vector<ToggleValues> variants = few ? every_combination(kernel) : changes_alone(kernel);
  if (!few && kernel.folder == "workbench" && has_pairs(sm)) add_pairs(variants);
  if (sm == kArchOfLessons)
    for (const LessonVariant& variant : lesson_variants())
      if (kernel.id == variant.kernel && std::ranges::find(variants, variant.toggles) == variants.end())
        variants.push_back(variant.toggles);
  std::erase_if(variants, [&](const ToggleValues& toggles) {
    return !launches_for(kernel, Problem{}, toggles, sm).has_value();
  });
  return variants;
}

}  // namespace gemmscope::catalog
