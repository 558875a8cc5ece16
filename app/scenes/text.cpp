#include "scenes/text.h"

#include <fmt/format.h>

#include <cmath>

namespace gemmscope::scenes {

std::string grouped(uint64_t number) {
  std::string text = std::to_string(number);
  for (size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

std::string short_number(double number) {
  const std::pair<double, const char*> units[] = {{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}};
  for (const auto& [size, suffix] : units) {
    // The limits apply to the number rounded to three digits, so that 999,999 becomes 1.00 M.
    const double scaled = number / size;
    if (number < 9999.5 || scaled < 0.9995) continue;
    return fmt::format("{:.{}f}{}", scaled, scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0, suffix);
  }
  return grouped(static_cast<uint64_t>(std::llround(number)));
}

std::string short_bytes(uint64_t bytes) {
  if (bytes >= 1024 && bytes % 1024 == 0) return fmt::format("{} KB", bytes / 1024);
  if (bytes >= 10 * 1024) return fmt::format("{:.1f} KB", static_cast<double>(bytes) / 1024);
  return fmt::format("{} B", bytes);
}

std::string lane_list(uint32_t lanes) {
  std::string text;
  for (int lane = 0; lane < machine::kWarpLanes; ++lane) {
    if ((lanes >> lane & 1u) == 0) continue;
    int last = lane;
    while (last + 1 < machine::kWarpLanes && (lanes >> (last + 1) & 1u) != 0) ++last;
    if (!text.empty()) text += ", ";
    text += last > lane + 1 ? fmt::format("{}\u2013{}", lane, last)
            : last > lane   ? fmt::format("{}, {}", lane, last)
                            : std::to_string(lane);
    lane = last;
  }
  return text;
}

std::string element_text(const metrics::MatrixLayout& layout, const metrics::Element& element) {
  return fmt::format("{}({}, {})", layout.buffers[element.matrix].name, element.row, element.column);
}

std::string instruction_text(const experiment::CompiledKernel& compiled, size_t instruction) {
  std::string text = compiled.text[instruction];
  if (text.ends_with(" ;")) text.resize(text.size() - 2);
  return text;
}

std::string place_text(const experiment::CompiledKernel& compiled,
                       const experiment::CompiledKernel::Place& place) {
  if (place.file < 0) return "";
  return fmt::format("{}:{}", compiled.files[static_cast<size_t>(place.file)].name, place.line);
}

std::string place_text(const experiment::CompiledKernel& compiled, size_t instruction) {
  return place_text(compiled, compiled.places[instruction]);
}

}  // namespace gemmscope::scenes
