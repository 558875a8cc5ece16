// `gemmscope compare`: the table of what changed, as text and as JSON.
#include <gtest/gtest.h>

#include "command.h"

namespace gemmscope::cli {
namespace {

using nlohmann::json;

CommandResult fine(const std::vector<std::string>& arguments) {
  CommandResult result = run_command(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  return result;
}
bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
json row_of(const json& result, const std::string& id) {
  for (const json& row : result["rows"])
    if (row["id"] == id) return row;
  ADD_FAILURE() << "no row " << id;
  return {};
}

// Each figure is that of `counters` and `time` for one side alone.
TEST(Compare, HasTheFiguresOfTheOtherCommands) {
  const std::vector<std::string> size = {"-m", "128", "-n", "128", "-k", "128", "--json"};
  const auto with = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), size.begin(), size.end());
    return json_of(fine(arguments));
  };
  const json result = with({"compare", "08_transposed_tile", "--with", "09_conflict_free"});
  for (const auto& [side, kernel] : {std::pair("a", "08_transposed_tile"), {"b", "09_conflict_free"}}) {
    EXPECT_EQ(result[side]["experiment"]["kernel"], kernel);
    const json counters = with({"counters", kernel})["counters"];
    EXPECT_EQ(row_of(result, "warp_instructions")[side], counters["warp_instructions"]) << kernel;
    const auto sum = [&](const char* figure) {
      return counters["shared_load"][figure].get<double>() + counters["shared_store"][figure].get<double>();
    };
    EXPECT_EQ(row_of(result, "shared_wavefronts")[side], sum("wavefronts")) << kernel;
    EXPECT_EQ(row_of(result, "bank_conflicts")[side], sum("conflicts")) << kernel;
    const json time = with({"time", kernel, "--device", "rtx3080", "--arch", "sm_86"});
    EXPECT_EQ(row_of(result, "modelled_ms")[side], time["modelled"]["milliseconds"]) << kernel;
    EXPECT_EQ(row_of(result, "registers")[side], time["resources"]["registers"]) << kernel;
  }
  EXPECT_EQ(row_of(result, "bank_conflicts")["verdict"], "better");
  const std::string text = fine({"compare", "08_transposed_tile", "--with", "09_conflict_free", "-m", "128",
                                 "-n", "128", "-k", "128"})
                               .out;
  for (const json& row : result["rows"])
    EXPECT_TRUE(contains(text, row["name"]) && contains(text, row["b_text"])) << row.dump();
  EXPECT_TRUE(contains(text, result["headline"]));
}

TEST(Compare, TakesSizesAndToggles) {
  const json sizes = json_of(fine({"compare", "09_conflict_free", "-m", "128", "-n", "128", "-k", "128",
                                   "--with-k", "256", "--with-toggle", "LAYOUT=2", "--json"}));
  EXPECT_EQ(sizes["a"]["experiment"]["k"], 128);
  EXPECT_EQ(sizes["b"]["experiment"]["k"], 256);
  EXPECT_TRUE(contains(sizes["caution"], "1,000 FLOPs"));
  const json devices = json_of(fine({"compare", "07_register_tile", "-m", "64", "-n", "64", "-k", "64",
                                     "--device", "h200", "--with-device", "a100", "--json"}));
  EXPECT_EQ(devices["a"]["experiment"]["arch"], "sm_90");
  EXPECT_EQ(devices["b"]["experiment"]["arch"], "sm_80");
  EXPECT_TRUE(contains(devices["b"]["name"], devices["b"]["device"]));
}

// The lanes of a swizzle that forgets the column overwrite each other: fewer conflicts are no merit then.
TEST(Compare, SaysWhoseResultIsWrong) {
  const json result = json_of(
      fine({"compare", "bank_conflicts", "-m", "64", "-n", "64", "--with-input", "SWIZZLE=0", "--json"}));
  EXPECT_TRUE(contains(result["caution"], "B's result is wrong in")) << result["caution"];
  EXPECT_FALSE(contains(result["caution"], "A's result"));
}

TEST(Compare, OfOneWithItselfChangesNothing) {
  const json result =
      json_of(fine({"compare", "07_register_tile", "-m", "64", "-n", "64", "-k", "64", "--json"}));
  for (const json& row : result["rows"]) {
    EXPECT_EQ(row["a"], row["b"]) << row.dump();
    EXPECT_EQ(row["factor"], "");
    EXPECT_EQ(row["verdict"], "");
  }
}

TEST(Compare, SaysWhatIsWrong) {
  const CommandResult kernel = run_command({"compare", "07_register_tile", "--with", "nothing"});
  EXPECT_EQ(kernel.exit_code, 2);
  EXPECT_TRUE(contains(kernel.err, "\"nothing\"")) << kernel.err;
  const CommandResult toggle = run_command({"compare", "bank_conflicts", "--with-toggle", "PITCH=31"});
  EXPECT_EQ(toggle.exit_code, 2);
  EXPECT_TRUE(contains(toggle.err, "PITCH")) << toggle.err;
  const CommandResult device = run_command({"compare", "07_register_tile", "--with-device", "nothing"});
  EXPECT_EQ(device.exit_code, 2);
}

// A kernel that has no modelled time is compared all the same, and the table says why.
TEST(Compare, SaysWhatCannotBeModelled) {
  const json result = json_of(fine({"compare", "15_tensor_bf16", "--device", "h200", "--with-device", "mx330",
                                    "--arch", "sm_90", "-m", "128", "-n", "128", "-k", "128", "--json"}));
  EXPECT_TRUE(row_of(result, "modelled_ms")["b"].is_null());
  EXPECT_TRUE(contains(row_of(result, "modelled_ms")["note"], "tensor cores")) << result.dump(2);
  EXPECT_TRUE(contains(result["b"]["not_modelled"], "tensor cores"));
}

}  // namespace
}  // namespace gemmscope::cli
