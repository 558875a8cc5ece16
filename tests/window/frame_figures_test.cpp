// The figures of a drawn frame, read back from its letters, are those of `gemmscope counters --json`, `run
// --json` and `occupancy --json`: for every kernel, the strip of numbers and the panel of the experiment.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "drawn_frame.h"
#include "metrics/instruction_mix.h"
#include "scenes/text.h"

namespace gemmscope::shell {
namespace {

using cli::sum_of;
using drawing::TextBox;
using nlohmann::json;

constexpr PixelSize kHigh{2400, 2400};  // the panel of the experiment needs no scrolling
constexpr float kStripBottom = 160;     // pixels; above it is the strip, beside the panel's figures

class FrameFigures : public DrawnFrame {
 protected:
  void SetUp() override { draw({.size = kHigh}); }

  void expect_strip(const json& counters, const json& resources) const;
  void expect_panel(const json& counters, const json& resources) const;
  void expect_instructions(const json& counters, const json& distances) const;

  // What stands below the n-th label of the strip; empty: there is no such label.
  std::string in_strip(std::initializer_list<const char*> names, int n = 0) const {
    std::vector<const TextBox*> labels;
    for (const TextBox& box : boxes_)
      if (box.ink.bottom < kStripBottom && std::ranges::find(names, box.text) != names.end())
        labels.push_back(&box);
    std::ranges::sort(labels, {}, [](const TextBox* box) { return box->ink.left; });
    if (labels.size() <= static_cast<size_t>(n)) return "";
    const drawing::Rect label = labels[static_cast<size_t>(n)]->ink;
    for (const TextBox& box : boxes_)
      if (std::abs(box.ink.left - label.left) < 6 && box.ink.top > label.bottom - 4 &&
          box.ink.top < label.bottom + 30)
        return box.text;
    return "";
  }

  // The figure at the end of a row of the panel; none: there is no such row.
  std::optional<std::string> in_panel(const std::string& name) const {
    for (const TextBox& label : boxes_) {
      if (label.text != name || label.ink.top < kStripBottom) continue;
      const TextBox* nearest = nullptr;
      for (const TextBox& box : boxes_) {
        const float apart = std::abs(box.ink.top + box.ink.bottom - label.ink.top - label.ink.bottom) / 2;
        if (box.ink.left > label.ink.right && apart < 8 &&
            (nearest == nullptr || box.ink.left < nearest->ink.left))
          nearest = &box;
      }
      if (nearest != nullptr) return nearest->text;
    }
    return std::nullopt;
  }
};
INSTANTIATE_TEST_SUITE_P(Catalogue, FrameFigures, testing::ValuesIn(ids()), name_of_kernel);

void FrameFigures::expect_strip(const json& counters, const json& resources) const {
  const auto global = {"global_load", "global_store", "async_global", "global_atomic", "global_reduce"};
  const auto shared = {"shared_load", "shared_store", "async_shared",
                       "matrix_load", "matrix_store", "shared_atomic"};
  // Asynchronous copies may take more wavefronts than these.
  const std::string least = counters.at("async_shared").value("at_least", false) ? "\u2265" : "";
  const uint64_t sectors = sum_of(counters, global, "sectors");
  using scenes::grouped;
  EXPECT_EQ(in_strip({"Warp instructions", "Instructions"}), grouped(counters.at("warp_instructions")));
  EXPECT_EQ(in_strip({"FLOPs"}), scenes::short_number(counters.at("flops").get<double>()));
  EXPECT_EQ(in_strip({"Global sectors", "Sectors"}), grouped(sectors));
  EXPECT_EQ(in_strip({"excess"}), grouped(sectors - sum_of(counters, global, "minimum_sectors")));
  EXPECT_EQ(in_strip({"Shared wavefronts", "Wavefronts"}),
            least + grouped(sum_of(counters, shared, "wavefronts")));
  EXPECT_EQ(in_strip({"excess"}, 1), least + grouped(sum_of(counters, shared, "conflicts")));

  EXPECT_EQ(in_strip({"Registers", "Regs"}), grouped(resources.at("registers")));
  EXPECT_EQ(in_strip({"Spills"}), scenes::short_bytes(resources.at("spill_store_bytes").get<uint64_t>() +
                                                      resources.at("spill_load_bytes").get<uint64_t>()));
  EXPECT_EQ(in_strip({"Blocks / SM", "Blk/SM"}), grouped(told("occupancy").at("blocks")));
}

void FrameFigures::expect_panel(const json& counters, const json& resources) const {
  const std::map<std::string, std::pair<const char*, const char*>> rows = {
      {"Global load", {"global_load", "sectors"}},        {"Global store", {"global_store", "sectors"}},
      {"Shared load", {"shared_load", "wavefronts"}},     {"Shared store", {"shared_store", "wavefronts"}},
      {"Matrix load", {"matrix_load", "wavefronts"}},     {"Matrix store", {"matrix_store", "wavefronts"}},
      {"Global atomic", {"global_atomic", "sectors"}},    {"Global reduction", {"global_reduce", "sectors"}},
      {"Shared atomic", {"shared_atomic", "wavefronts"}}, {"Local load", {"local_load", "sectors"}},
      {"Local store", {"local_store", "sectors"}}};
  for (const auto& [name, figure] : rows) {
    const uint64_t value = counters.at(figure.first).at(figure.second);
    const std::optional<std::string> shown = in_panel(name);
    EXPECT_EQ(shown.has_value(), value > 0) << name;
    if (shown) {
      EXPECT_EQ(*shown, scenes::grouped(value)) << name;
    }
  }
  const std::optional<std::string> barriers = in_panel("Barriers"), bytes = in_panel("Shared / block");
  ASSERT_TRUE(barriers && bytes);
  EXPECT_EQ(*barriers, std::to_string(resources.at("barriers").get<int>()));
  EXPECT_EQ(*bytes, scenes::short_bytes(resources.at("static_shared_bytes").get<uint64_t>() +
                                        resources.at("dynamic_shared_bytes").get<uint64_t>()));
}

// Each kernel has them, also one without an FFMA and one that loads nothing.
void FrameFigures::expect_instructions(const json& counters, const json& distances) const {
  for (const metrics::InstructionKindName& kind : metrics::kInstructionKindNames) {
    const double part =
        counters.at("mix").at(kind.key).get<double>() / counters.at("warp_instructions").get<double>();
    const std::optional<std::string> shown = in_panel(kind.name);
    EXPECT_EQ(shown.has_value(), part > 0) << kind.name;
    if (shown) {
      EXPECT_EQ(*shown, fmt::format("{:.1f} %", 100 * part)) << kind.name;
    }
  }
  const double intensity = counters.at("flop_per_float");
  EXPECT_EQ(in_panel("FLOP per float loaded"),
            counters.at("global_loaded_bytes") == 0 ? "none" : fmt::format("{:.2f}", intensity));
  const json& ffma = distances.at("ffma");
  EXPECT_EQ(in_panel("FFMA to its use"),
            ffma.at("count") == 0 ? "none" : fmt::format("{:g}", ffma.at("median").get<double>()));
}

TEST_P(FrameFigures, EqualTheJsonOfTheCommandLine) {
  const json told_counters = told("counters"), resources = told("run").at("resources");
  const json& counters = told_counters.at("counters");
  expect_strip(counters, resources);
  expect_panel(counters, resources);
  expect_instructions(counters, told_counters.at("distances"));
}

// The picture of the instruction mix, too, can be had of each: its bar of the whole grid.
TEST_P(FrameFigures, HaveThePictureOfTheInstructionMix) {
  draw({.size = {1600, 900}, .jump = "picture.show_mix"});
  const auto shown = [&](const std::string& text) {
    return std::ranges::any_of(boxes_, [&](const TextBox& box) { return box.text.starts_with(text); });
  };
  EXPECT_TRUE(shown("instruction mix"));
  EXPECT_TRUE(shown("whole grid"));
  EXPECT_TRUE(
      shown(scenes::grouped(told("counters").at("counters").at("warp_instructions")) + " instructions"));
}

}  // namespace
}  // namespace gemmscope::shell
