// lattice: what it prints, in which order, and what it refuses.
#include <gtest/gtest.h>

#include "command.h"

namespace gemmscope::cli {
namespace {

using nlohmann::json;
using Words = std::vector<std::string>;

const Words kSmall = {"lattice", "04_thread_coarsening", "-m", "64", "-n", "64", "-k", "32", "--pairs"};

Words with(Words arguments, const Words& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(Lattice, ListsEveryPointWithItsFigures) {
  const CommandResult result = run_command(with(kSmall, {"--json"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json lattice = json_of(result);
  EXPECT_EQ(lattice["computed"], lattice["total"]);
  EXPECT_EQ(lattice["points"].size(), lattice["total"].get<size_t>());
  EXPECT_EQ(lattice["total"].get<size_t>(),
            1 + lattice["single_changes"].get<size_t>() + lattice["pairs"].get<size_t>());
  EXPECT_GT(lattice["pairs"].get<size_t>(), 0u);
  EXPECT_FALSE(lattice["out_of_time"]);
  EXPECT_EQ(lattice["device"]["id"], "h200");
  EXPECT_EQ(lattice["chosen"]["ratio"], 1.0);
  double before = 0;
  for (const json& point : lattice["points"]) {
    if (!point.contains("modelled_ms")) continue;
    EXPECT_GE(point["modelled_ms"], before);
    before = point["modelled_ms"];
    EXPECT_GT(point["registers"], 8);
  }
  EXPECT_EQ(lattice["best"], lattice["points"][0]);
  EXPECT_NE(lattice["best_sentence"].get<std::string>().find("Best of "), std::string::npos);
}

TEST(Lattice, PrintsATableSortedAsAsked) {
  const CommandResult result =
      run_command(with(kSmall, {"--sort", "registers", "--descending", "--rows", "2"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const char* part : {"modelled ms", "as chosen", " more\n", "Best of ", " points in "})
    EXPECT_NE(result.out.find(part), std::string::npos) << part << " is not in: " << result.out;
  const json sorted =
      json_of(run_command(with(kSmall, {"--sort", "registers", "--descending", "--rows", "2", "--json"})));
  ASSERT_EQ(sorted["points"].size(), 2u);
  EXPECT_GE(sorted["points"][0]["registers"], sorted["points"][1]["registers"]);
}

TEST(Lattice, SaysThatTheBudgetWasSpent) {
  const CommandResult result = run_command(with(kSmall, {"--seconds", "0.000001", "--json"}));
  EXPECT_EQ(result.exit_code, 1);  // no time at all
  const json lattice = json::parse(result.out);
  EXPECT_TRUE(lattice["out_of_time"]);
  EXPECT_LT(lattice["computed"], lattice["total"]);
}

TEST(Lattice, RefusesWhatItDoesNotKnow) {
  const struct {
    Words arguments;
    const char* message;
  } cases[] = {{{"lattice", "workbench", "--sort", "speed"}, "--sort speed: expected one of change, time"},
               {{"lattice", "workbench", "--vary", "NONE"}, "--vary NONE: workbench has no such toggle"},
               {{"lattice", "01_naive_rows"}, "01_naive_rows has no toggles"},
               {{"lattice", "workbench", "--device", "none"}, "--device"}};
  for (const auto& wrong : cases) {
    const CommandResult result = run_command(wrong.arguments);
    EXPECT_EQ(result.exit_code, 2) << wrong.message;
    EXPECT_NE(result.err.find(wrong.message), std::string::npos) << result.err;
    EXPECT_TRUE(result.out.empty());
  }
}

}  // namespace
}  // namespace gemmscope::cli
