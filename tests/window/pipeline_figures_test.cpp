// The figures of the pipeline picture of every kernel, read back from the letters of drawn frames, are those
// of `gemmscope stalls --json` and of the file that `--trace-event` writes; the strip of "why" and "look at"
// shows the texts of `gemmscope kernels --json`, whose figures the claims test.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>

#include "scenes/text.h"
#include "view_figures.h"

namespace gemmscope::shell {
namespace {

using nlohmann::json;

std::string without_end(std::string instruction) { return instruction.substr(0, instruction.find(" ;")); }

uint64_t number_in(std::string text) {
  std::erase(text, ',');
  return std::stoull(text);
}

class PipelineLetters : public ViewFigures {
 protected:
  // The whole wave is in view, and the step at the end of the followed warp's first stall is selected.
  void SetUp() override {
    draw({.size = {1600, 900},
          .content = FrameContent::pipeline,
          .jump = "time.to_start,pipeline.next_stall,pipeline.show_all"},
         64);
    const TextBox* const headline = find("Modelled: one SM of ");
    ASSERT_NE(headline, nullptr);
    headline_ = headline->text;
    const cli::TemporaryFile file("trace.json", "");
    const char* const device = headline_.find("RTX 3080") != std::string::npos ? "rtx3080" : "h200";
    stalls_ = told("stalls", {"--device", device, "--trace-event", file.path()});
    parameters_ = told("time", {"--device", device, "--parameters"});
    std::ifstream trace(file.path());
    events_ = json::parse(trace).at("traceEvents");
  }

  void expect_headline() const;
  void expect_step() const;
  void expect_waits() const;
  void expect_exposed_latency() const;
  void expect_pipes() const;

  std::vector<json> slices_of(const std::string& category) const {
    std::vector<json> slices;
    for (const json& event : events_)
      if (event.value("cat", "") == category) slices.push_back(event);
    return slices;
  }
  // The lines below a title of the panel on the right, as one text.
  std::string text_below(const std::string& title) const {
    const TextBox* const head = find(title);
    if (head == nullptr) return "";
    std::map<float, std::string> lines;
    for (const TextBox& box : boxes_)
      if (box.ink.top > head->ink.bottom && box.ink.left > head->ink.left - 12) lines[box.ink.top] = box.text;
    std::string all;
    for (const auto& [top, line] : lines) all += (all.empty() ? "" : " ") + line;
    return all;
  }
  // The texts and the figures of a list of instructions on the right.
  std::vector<std::pair<std::string, std::string>> rows_below(const std::string& title) const {
    std::vector<std::pair<std::string, std::string>> rows;
    const TextBox* const head = find(title);
    if (head == nullptr) return rows;
    float end = 1e9f;  // the next title
    for (const char* const next : {"Exposed latency", "This step"})
      if (const TextBox* const box = find(next); box != nullptr && box->ink.top > head->ink.bottom)
        end = std::min(end, box->ink.top);
    for (const TextBox& box : boxes_)
      if (box.text.find(" ;") != std::string::npos || box.text.ends_with("\u2026"))
        if (box.ink.top > head->ink.bottom && box.ink.bottom < end && box.ink.left > head->ink.left - 12)
          if (const std::vector<std::string> words = words_after(box); !words.empty()) {
            std::string figures;
            for (const std::string& word : words) figures += (figures.empty() ? "" : " ") + word;
            rows.emplace_back(box.text, figures);
          }
    return rows;
  }
  // The instructions that the text, which may be cut, can be.
  std::vector<json> instructions_of(std::string text) const {
    if (const size_t cut = text.find("\u2026"); cut != std::string::npos) text.erase(cut);
    std::vector<json> found;
    for (const json& instruction : stalls_.at("instructions"))
      if (instruction.at("text").get<std::string>().starts_with(text)) found.push_back(instruction);
    return found;
  }
  static double waited(const json& instruction) {
    double sum = 0;
    for (const auto& [reason, cycles] : instruction.at("warp_cycles").items())
      if (reason != "selected") sum += cycles.get<double>();
    return sum;
  }

  // The waits of an instruction of the timeline: what else it says of it are no cycles that a warp waits.
  static std::map<std::string, double> waits_of(const json& slice) {
    static const std::set<std::string> others{"issued", "result", "pass", "source"};
    std::map<std::string, double> waits;
    for (const auto& [key, value] : slice.at("args").items())
      if (!others.contains(key)) waits[key] = value.get<double>();
    return waits;
  }
  // Cycles that the instructions of the timeline wait, by their texts.
  std::map<std::string, double> waits_of_trace() const {
    std::map<std::string, double> of_text;
    for (const json& slice : slices_of("instruction"))
      for (const auto& [reason, cycles] : waits_of(slice)) of_text[without_end(slice.at("name"))] += cycles;
    return of_text;
  }

  std::string headline_;
  json stalls_, parameters_, events_;
};
INSTANTIATE_TEST_SUITE_P(Catalogue, PipelineLetters, testing::ValuesIn(ids()), name_of_kernel);

void PipelineLetters::expect_headline() const {
  std::smatch found;
  ASSERT_TRUE(std::regex_search(headline_, found,
                                std::regex(R"((\d+) blocks? at once, ([\d,]+) cycles? \(([\d.]+) )")))
      << headline_;
  std::set<std::string> blocks;
  for (const json& slice : slices_of("block")) blocks.insert(slice.at("name"));
  const std::vector<json> sm = slices_of("sm");
  ASSERT_FALSE(sm.empty());
  const auto cycles = sm[0].at("dur").get<uint64_t>();
  EXPECT_EQ(found[1].str(), std::to_string(blocks.size()));
  EXPECT_EQ(found[2].str(), scenes::grouped(cycles));
  double clock = 0, share = 1;
  for (const json& parameter : parameters_.at("parameters")) {
    if (parameter.at("name") == "clock_mhz") clock = parameter.at("value");
    if (parameter.at("name") == "tensor_clock_share" && !instructions_of("HMMA").empty())
      share = parameter.at("value");
  }
  ASSERT_GT(clock, 0);
  expect_rounded(found[3].str(), static_cast<double>(cycles) / (clock * share), headline_);
}

void PipelineLetters::expect_step() const {
  const std::string step = text_below("This step");
  ASSERT_NE(step, "");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(
      step, found,
      std::regex(R"(^warp (\d+): (.*?) (?:\(line (\d+)\) )?issues in cycle ([\d,]+) \(modelled\), )"
                 R"(sub-core (\d+), pass (\d+))")))
      << step;
  const std::string text = found[2];
  const uint64_t cycle = number_in(found[4]);
  EXPECT_NE(find(scenes::grouped(cycle)), nullptr) << "the cursor's figure on the axis";
  const std::vector<json> all = slices_of("instruction");
  const auto at = [&](uint64_t issued, const std::string& name) {
    return std::ranges::find_if(all, [&](const json& slice) {
      return slice.at("args").at("issued") == issued &&
             without_end(slice.at("name").get<std::string>()).starts_with(name);
    });
  };
  const auto slice = at(cycle, text);
  ASSERT_NE(slice, all.end()) << step;
  const json& arguments = slice->at("args");
  EXPECT_EQ(arguments.at("pass").get<uint64_t>() + 1, number_in(found[6]));
  if (found[3].matched) {
    EXPECT_TRUE(arguments.at("source").get<std::string>().ends_with(":" + found[3].str())) << step;
  }

  size_t waits = 0;
  const std::regex wait(R"(([a-z_]+) (\d+)(?=,| cycle))");
  const size_t begin = step.find("waited: ");
  ASSERT_NE(begin, std::string::npos) << "it is at the end of a stall: " << step;
  const std::string line = step.substr(begin, step.find(" cycle", begin) + 7 - begin);
  for (std::sregex_iterator it(line.begin(), line.end(), wait), end; it != end; ++it, ++waits) {
    const double cycles = arguments.value((*it)[1].str(), -1.0);
    EXPECT_EQ((*it)[2].str(), fmt::format("{:.0f}", cycles)) << line;
  }
  EXPECT_EQ(waits, waits_of(*slice).size()) << line;

  if (std::regex_search(step, found, std::regex(R"(its result takes ([\d,]+) cycle)"))) {
    EXPECT_EQ(number_in(found[1]), arguments.at("result").get<uint64_t>() - cycle);
  }
  if (std::regex_search(
          step, found,
          std::regex(R"(for warp (\d+): (.*?) (?:\(line \d+\)), issued ([\d,]+) cycles? before)"))) {
    EXPECT_NE(at(cycle - number_in(found[3]), found[2]), all.end()) << step;
  }
}

void PipelineLetters::expect_waits() const {
  double all = 0;
  for (const json& instruction : stalls_.at("instructions")) all += waited(instruction);
  const auto rows = rows_below("Waiting instructions");
  ASSERT_FALSE(rows.empty());
  const std::map<std::string, double> of_trace = waits_of_trace();
  double all_of_trace = 0;
  for (const auto& [text, cycles] : of_trace) all_of_trace += cycles;
  for (const auto& [text, figures] : rows) {
    std::vector<std::string> possible;
    const std::vector<json> instructions = instructions_of(text);
    // The picture shows the timeline of the trace, where an instruction has no address; the command counts
    // the whole launch, whose shares differ a little.
    if (instructions.size() == 1) {
      const auto waits = of_trace.find(without_end(instructions[0].at("text")));
      ASSERT_NE(waits, of_trace.end()) << text;
      possible.push_back(fmt::format("{:.0f} %", 100 * waits->second / all_of_trace));
    } else {
      for (const json& instruction : instructions)
        possible.push_back(fmt::format("{:.0f} %", 100 * waited(instruction) / all));
    }
    EXPECT_NE(std::ranges::find(possible, figures), possible.end()) << text << " " << figures;
  }
}

void PipelineLetters::expect_exposed_latency() const {
  for (const auto& [text, figures] : rows_below("Exposed latency")) {
    std::vector<std::string> possible;
    for (const json& instruction : instructions_of(text))
      if (instruction.contains("latency"))
        possible.push_back(fmt::format("{:.0f} of {:.0f}",
                                       instruction.at("latency").at("exposed_to_warp").get<double>(),
                                       instruction.at("latency").at("cycles").get<double>()));
    EXPECT_NE(std::ranges::find(possible, figures), possible.end()) << text << " " << figures;
  }
}

// The share of a pipe stands behind its name, of the wave that is drawn: where the busiest SM gets a second
// one, the other figures are of both, and only issue slots are compared, four a cycle.
void PipelineLetters::expect_pipes() const {
  const json& told = stalls_.at("figures");
  const auto cycles = slices_of("sm").at(0).at("dur").get<double>();
  const double longer = told.at("cycles").get<double>() / cycles;
  std::map<std::string, double> wanted;
  if (told.at("waves") <= 1) {
    // The JSON's cycles are the mean of several runs, the timeline is one; both issue the same instructions.
    for (const auto& [pipe, share] : told.at("pipe_use").items()) wanted[pipe] = share.get<double>() * longer;
    wanted["L1 data"] = told.at("data_stage_use");
  }
  wanted["issue slots"] = static_cast<double>(slices_of("instruction").size()) / (4 * cycles);
  size_t compared = 0;
  const std::regex row(R"(^([A-Za-z0-9 ]+) (\d+) %$)");
  for (const TextBox& box : boxes_) {
    std::smatch found;
    if (!std::regex_match(box.text, found, row) || !wanted.contains(found[1])) continue;
    // How long the data stage is busy depends on what arrives when: from run to run, as the cycles do.
    const double of_runs = found[1] == "L1 data" ? 100 * wanted.at(found[1]) * std::abs(longer - 1) : 0;
    // Half a percent of rounding; a timeline has whole cycles.
    EXPECT_NEAR(std::stod(found[2]), 100 * wanted.at(found[1]), 0.52 + of_runs) << box.text;
    ++compared;
  }
  EXPECT_GE(compared, told.at("waves") <= 1 ? 3u : 1u);
}

TEST_P(PipelineLetters, AreThoseOfStallsAndOfTheTrace) {
  expect_headline();
  expect_step();
  expect_waits();
  expect_exposed_latency();
  expect_pipes();
}

// ---- why, look at

class LessonStripLetters : public ViewFigures {
 protected:
  // The lines that begin at a heading, or right of it, and left of `end`, as one text.
  std::string paragraph(const TextBox& head, float end) const {
    std::map<float, std::map<float, std::string>> lines;
    for (const TextBox& box : boxes_)
      if (box.ink.left > head.ink.left - 2 && box.ink.left < end && box.ink.top > head.ink.top - 4)
        lines[std::round(box.ink.top / 6)][box.ink.left] = box.text;
    std::string text;
    float last = head.ink.top;
    for (const auto& [row, parts] : lines) {
      if (6 * row - last > 1.6f * line_height_) break;  // what stands below the strip
      last = 6 * row;
      for (const auto& [left, part] : parts) text += (text.empty() ? "" : " ") + part;
    }
    return text;
  }
  static constexpr float line_height_ = 25;
};
INSTANTIATE_TEST_SUITE_P(Catalogue, LessonStripLetters, testing::ValuesIn(ids()), name_of_kernel);

TEST_P(LessonStripLetters, AreTheTextsOfTheKernel) {
  draw({.size = {1920, 1080}});
  const json kernels = cli::json_of(cli::run_command({"kernels", "--json"}));
  const auto kernel = std::ranges::find_if(kernels, [](const json& k) { return k.at("id") == GetParam(); });
  ASSERT_NE(kernel, kernels.end());
  const TextBox *const why = find("Why"), *const look_at = find("Look at"), *const show = find("Show me");
  ASSERT_TRUE(why && look_at);
  const auto expect_text = [](std::string shown, const std::string& heading, const std::string& whole) {
    ASSERT_TRUE(shown.starts_with(heading)) << shown;
    shown.erase(0, shown.find_first_not_of(' ', heading.size()));
    EXPECT_EQ(shown, whole);
  };
  expect_text(paragraph(*why, look_at->ink.left - 2), "Why", kernel->at("why"));
  const float end = show != nullptr ? show->ink.left - 90 : 1640;
  expect_text(paragraph(*look_at, end), "Look at", kernel->at("look_at"));
  const std::string id = GetParam();
  if (std::isdigit(static_cast<unsigned char>(id[0])) != 0) {
    const auto steps = std::ranges::count_if(kernels, [](const json& k) {
      return std::isdigit(static_cast<unsigned char>(k.at("id").get<std::string>()[0])) != 0;
    });
    EXPECT_NE(find(fmt::format("step {} of {}", std::stoi(id), steps)), nullptr);
  }
}

}  // namespace
}  // namespace gemmscope::shell
