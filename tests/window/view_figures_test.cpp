// The figures of the pictures, read back from the letters of drawn frames, are those that the command line
// prints as JSON: code, banks, sectors, map, timings and roofline. The strip and the panel:
// frame_figures_test.
#include "view_figures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>

#include "catalog/product.h"
#include "scenes/text.h"

namespace gemmscope::shell {
namespace {

using nlohmann::json;

std::vector<std::string> products() {
  std::vector<std::string> found;
  for (const catalog::Kernel& kernel : kernels().kernels)
    if (catalog::is_product(kernel)) found.push_back(kernel.id);
  return found;
}

// Asynchronous copies may take more wavefronts than are counted.
std::string least_mark(const json& instruction) {
  return instruction.value("at_least", false) ? "\u2265" : "";
}

// ---- shared memory: the code's columns and the bank picture

class SharedFigures : public ViewFigures {};
INSTANTIATE_TEST_SUITE_P(Catalogue, SharedFigures, testing::ValuesIn(ids()), name_of_kernel);

TEST_P(SharedFigures, OfTheCodeAreThoseOfBanks) {
  draw({.size = {1600, 3000}, .content = FrameContent::code, .jump = "code.scope,time.next_shared"});
  const json banks = told("banks");
  if (banks.at("instructions").empty()) return;  // the other test looks for the sentence
  const TextBox* const pane = [this] {
    for (const TextBox& box : boxes_)
      if (box.text.ends_with(" instructions")) return &box;
    return static_cast<const TextBox*>(nullptr);
  }();
  ASSERT_NE(pane, nullptr);
  // The columns left of the machine code; the source may have the same further left. A kernel without
  // conflicts has no column for them.
  const auto column = [&](const char* above, const char* name) {
    const auto stands_below = [&](const TextBox& box) {
      return std::ranges::any_of(boxes_, [&](const TextBox& other) {
        return other.text == above && std::abs(other.ink.right - box.ink.right) < 8 &&
               other.ink.bottom <= box.ink.top + 2 && other.ink.bottom > box.ink.top - 20;
      });
    };
    const TextBox* found = nullptr;
    for (const TextBox& box : boxes_)
      if (box.text == name && stands_below(box) && std::abs(box.ink.bottom - pane->ink.bottom) < 9 &&
          box.ink.right < pane->ink.left && (found == nullptr || box.ink.right > found->ink.right))
        found = &box;
    return found;
  };
  const TextBox *const executed = column("warps", "executed"), *const excess = column("shared", "excess");
  ASSERT_NE(executed, nullptr);
  size_t compared = 0;
  for (const json& instruction : banks.at("instructions")) {
    const std::string address = fmt::format("{:x}", instruction.at("address").get<uint64_t>());
    for (const TextBox& row : boxes_) {
      if (row.text != address || row.ink.top < pane->ink.bottom || row.ink.right > executed->ink.left ||
          row.ink.right < executed->ink.left - 100)  // a figure of the source
        continue;
      // An instruction whose guard fails for the whole warp is executed and accesses nothing.
      const bool guarded = instruction.at("text").get<std::string>().starts_with("@");
      if (!guarded) {
        EXPECT_EQ(in_column(row, *executed), scenes::grouped(instruction.at("executions"))) << address;
      }
      const uint64_t conflicts = instruction.at("conflicts");
      if (excess != nullptr && excess->ink.left > executed->ink.right) {
        EXPECT_EQ(in_column(row, *excess), least_mark(instruction) + scenes::grouped(conflicts)) << address;
      } else {
        EXPECT_EQ(conflicts, 0u) << address;
      }
      ++compared;
    }
  }
  EXPECT_GT(compared, 0u);
}

TEST_P(SharedFigures, OfTheBankPictureAreThoseOfBanks) {
  const char* const jump = "picture.show_banks,time.to_start,time.next_shared";
  draw({.size = {1600, 900}, .content = FrameContent::banks, .jump = jump});
  const json banks = told("banks");
  if (banks.at("instructions").empty()) {
    EXPECT_NE(find("No shared memory in this kernel"), nullptr);
    return;
  }
  const std::string wavefronts = before({"wavefront", "wavefronts"}), excess = before({"excess"});
  ASSERT_NE(wavefronts, "");
  size_t compared = 0;
  for (const json& instruction : banks.at("instructions")) {
    std::string text = instruction.at("text");
    text = text.substr(0, text.find(" ;"));
    if (find(text) == nullptr || find(text)->text != text) continue;
    const std::string least = least_mark(instruction);
    ASSERT_TRUE(wavefronts.starts_with(least)) << text;
    const uint64_t shown = std::stoull(wavefronts.substr(least.size()));
    const uint64_t executions = instruction.at("executions"), sum = instruction.at("wavefronts");
    if (sum % executions != 0) {  // not all of its executions are alike
      EXPECT_GE(shown * executions, instruction.at("minimum").get<uint64_t>()) << text;
    } else {
      const uint64_t conflicts = instruction.at("conflicts").get<uint64_t>() / executions;
      EXPECT_EQ(shown, sum / executions) << text;
      EXPECT_EQ(excess, (!least.empty()  ? least
                         : conflicts > 0 ? "+"
                                         : "") +
                            std::to_string(conflicts))
          << text;
      if (const std::string minimum = before({"minimum"}); !minimum.empty()) {
        EXPECT_EQ(std::stoull(minimum), instruction.at("minimum").get<uint64_t>() / executions) << text;
      }
    }
    ++compared;
  }
  EXPECT_GT(compared, 0u);
}

// ---- global memory: the store of C, whose requests are all alike at this size

class StoreFigures : public ViewFigures {};
INSTANTIATE_TEST_SUITE_P(Catalogue, StoreFigures, testing::ValuesIn(products()), name_of_kernel);

TEST_P(StoreFigures, OfTheSectorPictureAreThoseOfCounters) {
  draw({.size = {1600, 900}, .content = FrameContent::banks, .jump = "picture.show_sectors,time.to_end"});
  const json store = told("counters", {"--block-only"}).at("counters").at("global_store");
  const uint64_t requests = store.at("requests"), sectors = store.at("sectors"),
                 minimum = store.at("minimum_sectors");
  ASSERT_GT(requests, 0u);
  ASSERT_EQ(sectors % requests, 0u);
  EXPECT_EQ(before({"sector", "sectors"}), std::to_string(sectors / requests));
  const uint64_t excess = (sectors - minimum) / requests;
  EXPECT_EQ(before({"excess"}), (excess > 0 ? "+" : "") + std::to_string(excess));
  expect_rounded(before({"of the bytes used"}),
                 100.0 * static_cast<double>(minimum) / static_cast<double>(sectors), "of the bytes used");
}

// ---- the map

class MapFigures : public ViewFigures {};
INSTANTIATE_TEST_SUITE_P(Catalogue, MapFigures, testing::ValuesIn(products()), name_of_kernel);

// "C  64 × 128": so many rows and columns that the grid's blocks fill the matrix.
TEST_P(MapFigures, TheBlocksPartIsThatOfTheGrid) {
  draw({.size = {1600, 900}, .content = FrameContent::map, .jump = "time.to_end"}, 256);
  const TextBox* const c = find("C  ");
  ASSERT_NE(c, nullptr);
  uint64_t rows = 0, columns = 0;
  ASSERT_EQ(std::sscanf(c->text.c_str(), "C  %lu \xc3\x97 %lu", &rows, &columns), 2) << c->text;
  std::map<std::string, uint64_t> grid;
  const json figures = told("figures");
  for (const json& figure : figures.at("figures"))
    if (figure.at("group") == "launch")
      grid[figure.at("figure")] = static_cast<uint64_t>(figure.at("value").get<double>());
  const std::set<uint64_t> blocks = {grid.at("grid_x"), grid.at("grid_y")};
  EXPECT_EQ(256 / rows * (256 / columns), grid.at("blocks"));
  EXPECT_EQ((std::set<uint64_t>{256 / rows, 256 / columns}), blocks);
}

// "A  64 × 32" … "k 0–31", "rows 0–63", "columns 0–127": the three parts fit together, and the ranges are as
// long as the parts.
TEST_P(MapFigures, TheRangesAreThoseOfTheParts) {
  draw({.size = {1600, 900}, .content = FrameContent::map, .jump = "time.to_end"}, 256);
  std::map<char, std::pair<uint64_t, uint64_t>> part;
  for (const char matrix : {'A', 'B', 'C'}) {
    const TextBox* const box = find(std::string(1, matrix) + "  ");
    if (box == nullptr) continue;
    auto& [rows, columns] = part[matrix];
    ASSERT_EQ(std::sscanf(box->text.c_str() + 1, "  %lu \xc3\x97 %lu", &rows, &columns), 2) << box->text;
  }
  ASSERT_TRUE(part.contains('C'));
  ASSERT_TRUE(part.contains('A') && part.contains('B'));
  EXPECT_EQ(part['A'].first, part['C'].first);
  EXPECT_EQ(part['B'].second, part['C'].second);
  EXPECT_EQ(part['A'].second, part['B'].first);
  size_t compared = 0;
  for (const TextBox& box : boxes_) {
    uint64_t from = 0, to = 0;
    const auto is_range = [&](const char* name) {
      const std::string format = std::string(name) + " %lu\xe2\x80\x93%lu";
      return std::sscanf(box.text.c_str(), format.c_str(), &from, &to) == 2;
    };
    const uint64_t length = is_range("rows")      ? part['C'].first
                            : is_range("columns") ? part['C'].second
                            : is_range("k")       ? std::max(part['A'].second, part['B'].first)
                                                  : 0;
    if (length == 0) continue;
    EXPECT_EQ(to - from + 1, length) << box.text;
    EXPECT_LE(to, 255u) << box.text;
    ++compared;
  }
  EXPECT_GE(compared, 2u);
}

// ---- timings and roofline

class TimeFigures : public ViewFigures {
 protected:
  // The run of the recording that ships, of 1024x1024x1024 with a warm L2.
  static json recording() {
    std::ifstream file(experiment::recordings_folder() / "h200.json");
    return json::parse(file);
  }
  static json run_of(const json& recording) {
    for (const json& run : recording.at("runs"))
      if (run.at("m") == 1024 && run.at("n") == 1024 && run.at("k") == 1024 && !run.at("l2_flushed"))
        return run;
    return {};
  }
  static double median_ms(const json& variant) {
    std::vector<double> ms;
    for (const json& sample : variant.at("samples")) ms.push_back(sample.at(1));
    std::ranges::sort(ms);
    return (ms[(ms.size() - 1) / 2] + ms[ms.size() / 2]) / 2;
  }
  static constexpr double kFlop = 2.0 * 1024 * 1024 * 1024;
};
INSTANTIATE_TEST_SUITE_P(Kernels, TimeFigures, testing::Values("08_transposed_tile"), name_of_kernel);

// A row is TFLOP/s, then ms.
TEST_P(TimeFigures, OfTheBarsAreThoseOfTheRecording) {
  draw({.size = {2400, 1500}, .content = FrameContent::timings}, 1024);
  size_t compared = 0;
  const json run = run_of(recording());
  for (const json& variant : run.at("variants")) {
    const TextBox* const row = find(variant.at("title").get<std::string>());
    if (row == nullptr || variant.contains("toggles")) continue;
    const std::vector<std::string> words = words_after(*row);
    ASSERT_GE(words.size(), 2u) << row->text;
    const double median = median_ms(variant);
    expect_rounded(words[0], kFlop / (median * 1e9), row->text);
    expect_rounded(words[1], median, row->text);
    ++compared;
  }
  EXPECT_GE(compared, 15u);
}

// Modelled times of the experiment's own size, where counting takes no time.
TEST_P(TimeFigures, OfTheModelAndThePointAreThoseOfTimeAndCounters) {
  PictureRequest request{.size = {2400, 1500},
                         .content = FrameContent::timings,
                         .jump = "timing.modelled,timing.race_before,timing.roof_shared",
                         .counted = true};
  draw(request, 256);
  const std::string title = kernels().find(GetParam())->title;
  const TextBox *const row = find(title), *const point = find("08 " + title);
  ASSERT_TRUE(row && point);
  const std::vector<std::string> words = words_after(*row);
  ASSERT_GE(words.size(), 2u);
  const json time = told("time", {"--device", "rtx3080"});
  const double modelled = time.at("modelled").at("milliseconds"), flop = 2.0 * 256 * 256 * 256;
  expect_rounded(words[0], flop / (modelled * 1e9), "TFLOP/s");
  expect_rounded(words[1], modelled, "ms");

  // The mouse on the point tells its place. A point lies left of its label.
  request.mouse = {point->ink.left - 12, (point->ink.top + point->ink.bottom) / 2};
  draw(request, 256);
  const TextBox* const told_point = [this] {
    for (const TextBox& box : boxes_)
      if (box.text.find(" TFLOP/s at ") != std::string::npos) return &box;
    return static_cast<const TextBox*>(nullptr);
  }();
  ASSERT_NE(told_point, nullptr);
  const json counters = told("counters").at("counters");
  const uint64_t sectors = cli::sum_of(counters, {"global_load", "global_store", "local_load", "local_store"},
                                       "sectors"),
                 wavefronts = cli::sum_of(counters, {"shared_load", "shared_store"}, "wavefronts");
  const std::string& text = told_point->text;
  expect_rounded(text.substr(text.find(": ") + 2), flop / (modelled * 1e9), text);
  expect_rounded(text.substr(text.find(" at ") + 4),
                 flop / static_cast<double>(32 * sectors + 128 * wavefronts), text);
}

TEST_P(TimeFigures, OfTheRoofsAreThoseOfTheRecordedDevice) {
  const json device = recording().at("device");
  for (const auto& [command, roof, key] :
       {std::tuple{"timing.roof_shared", "L1 + shared ", "l1_gb_per_second"},
        {"timing.roof_cache", "L2 ", "l2_gb_per_second"},
        {"timing.roof_dram", "DRAM ", "memory_gb_per_second"}}) {
    draw({.size = {2400, 1500}, .content = FrameContent::timings, .jump = command}, 1024);
    const TextBox* shown = nullptr;
    for (const TextBox& box : boxes_)
      if (box.text.starts_with(roof) && box.text.find("TB/s") != std::string::npos) shown = &box;
    ASSERT_NE(shown, nullptr) << roof;
    expect_rounded(shown->text.substr(std::string(roof).size()), device.at(key).get<double>() / 1000, roof);
  }
  const TextBox* const once = find("A, B, C once: ");
  if (once != nullptr) expect_rounded(once->text.substr(14), kFlop / (4.0 * 3 * 1024 * 1024), "A, B, C once");
}

// Figures at an axis stand where a logarithm puts them: `ticks` gives a figure's place, in pixels. Those at
// the ends may be moved inwards by half a line, to stay inside.
void expect_logarithmic(const std::map<double, float>& ticks) {
  ASSERT_GE(ticks.size(), 3u);
  const auto second = std::next(ticks.begin()),
             before_last = std::prev(ticks.end(), ticks.size() > 3 ? 2 : 1);
  const double slope = (before_last->second - second->second) / std::log(before_last->first / second->first);
  for (const auto& [value, at] : ticks) {
    const bool at_end = value == ticks.begin()->first || value == ticks.rbegin()->first;
    EXPECT_NEAR(at, second->second + slope * std::log(value / second->first), at_end ? 8 : 1.5) << value;
  }
}

double number_of(std::string text) {
  std::erase(text, ',');
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return end != text.c_str() && *end == 0 ? value : -1;
}

class AxisFigures : public TimeFigures {
 protected:
  // The numbers below a chart's title and above the next one.
  std::vector<const TextBox*> numbers_below(const TextBox& title, const TextBox* next) const {
    std::vector<const TextBox*> numbers;
    for (const TextBox& box : boxes_)
      if (number_of(box.text) > 0 && box.ink.top > title.ink.bottom && box.ink.left > title.ink.left - 4 &&
          (next == nullptr || box.ink.bottom < next->ink.top))
        numbers.push_back(&box);
    return numbers;
  }
  // Those that end at the left edge, by their heights.
  static std::map<double, float> upright(const std::vector<const TextBox*>& numbers) {
    const TextBox* const leftmost =
        *std::ranges::min_element(numbers, {}, [](const TextBox* box) { return box->ink.right; });
    std::map<double, float> ticks;
    for (const TextBox* const box : numbers)
      if (box->ink.right < leftmost->ink.right + 4) ticks[number_of(box->text)] = box->ink.center().y;
    return ticks;
  }
  // The lowest row.
  static std::map<double, float> level(const std::vector<const TextBox*>& numbers) {
    const TextBox* const lowest =
        *std::ranges::max_element(numbers, {}, [](const TextBox* box) { return box->ink.top; });
    std::map<double, float> ticks;
    for (const TextBox* const box : numbers)
      if (std::abs(box->ink.top - lowest->ink.top) < 6) ticks[number_of(box->text)] = box->ink.center().x;
    return ticks;
  }
};
INSTANTIATE_TEST_SUITE_P(Kernels, AxisFigures, testing::Values("08_transposed_tile"), name_of_kernel);

TEST_P(AxisFigures, StandWhereTheirLogarithmsBelong) {
  draw({.size = {1400, 1100}, .content = FrameContent::timings}, 1024);
  const TextBox *const stairs = find("TFLOP/s, step by step"), *const roofline = find("Roofline: TFLOP/s");
  ASSERT_TRUE(stairs && roofline);
  const auto below_stairs = numbers_below(*stairs, roofline),
             below_roofline = numbers_below(*roofline, nullptr);
  ASSERT_FALSE(below_stairs.empty() || below_roofline.empty());
  expect_logarithmic(upright(below_stairs));
  expect_logarithmic(upright(below_roofline));
  expect_logarithmic(level(below_roofline));

  // Below a step its TFLOP/s.
  size_t compared = 0;
  const json run = run_of(recording());
  for (const json& variant : run.at("variants")) {
    const std::string id = variant.at("id");
    if (variant.contains("toggles") || std::isdigit(static_cast<unsigned char>(id[0])) == 0) continue;
    for (const TextBox* const step : below_stairs)
      for (const TextBox* const below : below_stairs)
        if (step->text == id.substr(0, 2) && below->ink.top > step->ink.top + 4 &&
            below->ink.top < step->ink.bottom + 12 &&
            std::abs(below->ink.center().x - step->ink.center().x) < 8) {
          expect_rounded(below->text, kFlop / (median_ms(variant) * 1e9), id);
          ++compared;
        }
  }
  EXPECT_GE(compared, 14u);
}

}  // namespace
}  // namespace gemmscope::shell
