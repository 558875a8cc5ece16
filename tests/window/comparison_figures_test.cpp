// The figures of what compares: the table of two experiments, the lattice, the board and the bank explorer,
// read back from the letters of drawn frames, are those that the command line prints as JSON.
#include <gtest/gtest.h>

#include "catalog/product.h"
#include "scenes/text.h"
#include "session/explorer_state.h"
#include "view_figures.h"

namespace gemmscope::shell {
namespace {

using nlohmann::json;

constexpr const char* kDevice = "rtx3080";  // which the window chooses for sm_86

// ---- two experiments

class ComparedFigures : public ViewFigures {};
INSTANTIATE_TEST_SUITE_P(Catalogue, ComparedFigures,
                         testing::Values("01_naive_rows", "03_shared_tile", "06_thread_tile",
                                         "08_transposed_tile", "09_conflict_free", "13_async_copy",
                                         "15_tensor_bf16", "workbench"),
                         name_of_kernel);

TEST_P(ComparedFigures, OfTheTableAreThoseOfCompare) {
  const std::string other = "07_register_tile";
  draw({.size = {2400, 2600}, .jump = "compare.pin,kernel." + other});
  const json compared = told("compare", {"--with", other, "--device", kDevice, "--with-device", kDevice});
  const std::string headline = compared.at("headline");
  const TextBox* const above = find(headline);
  ASSERT_NE(above, nullptr) << headline;
  size_t rows = 0;
  for (const json& row : compared.at("rows")) {
    if (row.at("a_text") == row.at("b_text")) continue;  // in the sentence on what is the same
    const std::string name = row.at("name");
    const auto label = std::ranges::find_if(boxes_, [&](const TextBox& box) {
      return box.text == name && box.ink.top > above->ink.bottom &&
             std::abs(box.ink.left - above->ink.left) < 30;
    });
    if (label == boxes_.end()) continue;  // below the panel's edge
    std::vector<std::string> texts;
    for (const TextBox& box : boxes_)
      if (in_one_row(box, *label) && box.ink.left > label->ink.right) texts.push_back(box.text);
    for (const char* side : {"a_text", "b_text"})
      EXPECT_NE(std::ranges::find(texts, row.at(side).get<std::string>()), texts.end())
          << name << ": " << row.at(side);
    ++rows;
  }
  EXPECT_GE(rows, 5u);
}

// ---- the lattice

class LatticeFigures : public ViewFigures {};
INSTANTIATE_TEST_SUITE_P(Catalogue, LatticeFigures,
                         testing::Values("05_vector_loads", "09_conflict_free", "13_async_copy"),
                         name_of_kernel);

TEST_P(LatticeFigures, OfTheListAreThoseOfLattice) {
  draw({.size = {2400, 2000}, .jump = "lattice.show,lattice.wide"});
  const json lattice = told("lattice", {"--device", kDevice});
  size_t compared = 0;
  for (const json& point : lattice.at("points")) {
    if (!point.contains("modelled_ms")) continue;  // it cannot be launched
    const std::string change = point.at("change");
    const auto row = std::ranges::find(boxes_, change, &TextBox::text);
    ASSERT_NE(row, boxes_.end()) << change;
    const std::vector<std::string> words = words_after(*row);
    ASSERT_GE(words.size(), 7u) << change;
    expect_rounded(words[0], point.at("modelled_ms"), change);
    expect_rounded(words[1], point.at("ratio"), change);
    EXPECT_EQ(words[2], std::to_string(point.at("registers").get<int>())) << change;
    EXPECT_EQ(words[3], std::to_string(point.at("blocks_per_sm").get<int>())) << change;
    expect_rounded(words[4], 100 * point.at("achieved_occupancy").get<double>(), change);
    EXPECT_EQ(words[6], scenes::grouped(point.at("excess_wavefronts").get<uint64_t>())) << change;
    ++compared;
  }
  EXPECT_GE(compared, 2u);
}

// ---- the board

class BoardFigures : public ViewFigures {};
INSTANTIATE_TEST_SUITE_P(Catalogue, BoardFigures, testing::Values("07_register_tile"), name_of_kernel);

TEST_P(BoardFigures, OfTheVariantsAreThoseOfTime) {
  draw({.size = {2400, 1500}, .jump = "board.show"});
  size_t compared = 0;
  std::map<std::string, json> told_of;
  for (const TextBox& box : boxes_) {
    const size_t ms = box.text.find(" ms  ");
    if (ms == std::string::npos || !box.text.ends_with('x')) continue;
    // The title on its left begins with the kernel's number.
    const TextBox* const title = left_of(box);
    ASSERT_NE(title, nullptr) << box.text;
    const auto kernel = std::ranges::find_if(kernels().kernels, [&](const catalog::Kernel& k) {
      return k.id.starts_with(title->text.substr(0, 2) + "_") && catalog::is_product(k);
    });
    if (kernel == kernels().kernels.end()) continue;  // the workbench
    // Both devices are the same one, so each kernel stands there twice.
    const auto [time, first] = told_of.try_emplace(kernel->id);
    if (first)
      time->second =
          cli::json_of(cli::run_command({"time", kernel->id, "--m", "128", "--n", "128", "--k", "128",
                                         "--arch", "sm_86", "--device", kDevice, "--json"}));
    expect_rounded(box.text.substr(0, ms), time->second.at("modelled").at("milliseconds"), title->text);
    ++compared;
  }
  EXPECT_GE(compared, 2 * 12u) << "both devices list the ladder";
}

// ---- the bank explorer

class ExplorerFigures : public ViewFigures {};
INSTANTIATE_TEST_SUITE_P(Catalogue, ExplorerFigures, testing::Values("09_conflict_free"), name_of_kernel);

TEST_P(ExplorerFigures, OfTheExamplesAreThoseOfExplore) {
  std::string jump = "explorer.show";
  for (const session::ExplorerExample& example : session::explorer_examples()) {
    draw({.size = {1600, 900}, .jump = jump});
    jump += ",explorer.next_example";
    const experiment::BankQuestion& question = example.question;
    std::vector<std::string> arguments = {"explore",   "--json",        "--declare", question.declaration,
                                          "--swizzle", question.swizzle};
    for (const std::string& access : question.accesses)
      arguments.insert(arguments.end(), {"--access", access});
    const json answer = cli::json_of(cli::run_command(arguments));
    ASSERT_EQ(answer.at("accesses").size(), question.accesses.size());
    size_t chosen = 0;
    for (const json& access : answer.at("accesses")) {
      const int wavefronts = access.at("wavefronts"), conflicts = access.at("conflicts");
      const TextBox* const listed = find(access.at("access"));
      if (listed != nullptr) {
        const TextBox* const number = left_of(*listed);
        ASSERT_NE(number, nullptr) << access.at("access");
        EXPECT_EQ(number->text, std::to_string(wavefronts)) << access.at("access");
        continue;
      }
      ++chosen;  // its parts are fields, and its number stands on the plate
      EXPECT_NE(find(fmt::format("{} wavefront{}", wavefronts, wavefronts == 1 ? "" : "s")), nullptr)
          << access.at("access");
      if (conflicts > 0) {
        EXPECT_NE(find(fmt::format("where {} would do: {} bank conflict{}", access.at("minimum").get<int>(),
                                   conflicts, conflicts == 1 ? "" : "s")),
                  nullptr)
            << access.at("access");
      }
      EXPECT_NE(find(access.at("sentence").get<std::string>().substr(0, 20)), nullptr)
          << access.at("sentence");
    }
    EXPECT_EQ(chosen, 1u) << example.id;
  }
}

}  // namespace
}  // namespace gemmscope::shell
