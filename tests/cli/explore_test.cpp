// gemmscope explore: wavefronts of typed accesses, fixes, and sentences about what is wrong.
#include <gtest/gtest.h>

#include "command.h"

namespace gemmscope::cli {
namespace {

using nlohmann::json;

json fine_json(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "explore");
  arguments.emplace_back("--json");
  const CommandResult result = run_command(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  return json_of(result);
}

TEST(Explore, CountsEachAccess) {
  const json a = fine_json({"--declare", "float As[32][32]", "--access", "store As[k][lane]", "--access",
                            "load As[lane][k]", "--let", "k=3"});
  EXPECT_EQ(a["accesses"][0]["wavefronts"], 1);
  EXPECT_EQ(a["accesses"][1]["wavefronts"], 32);
  EXPECT_EQ(a["accesses"][1]["conflicts"], 31);
  EXPECT_EQ(a["accesses"][1]["degree"], 32);
  EXPECT_EQ(a["accesses"][1]["bytes"][2], 2 * 128 + 12);
  EXPECT_FALSE(a.contains("fixes"));
}

TEST(Explore, FindsFixesAndTheyHold) {
  const std::vector<std::string> tile = {"--declare", "float As[16][128]",
                                         "--access",  "store As[lane % 4 * 4 + j][lane / 4]",
                                         "--access",  "load float4 As[k][lane / 16 * 8]"};
  std::vector<std::string> find = tile;
  find.emplace_back("--find-fix");
  const json fixes = fine_json(find)["fixes"];
  EXPECT_TRUE(fixes["padding"].is_null());
  ASSERT_GT(fixes["swizzles"].size(), 0u);
  for (const json& swizzle : fixes["swizzles"]) {
    std::vector<std::string> with = tile;
    with.insert(with.end(), {"--swizzle", swizzle["expression"].get<std::string>()});
    for (const json& access : fine_json(with)["accesses"]) EXPECT_EQ(access["conflicts"], 0) << swizzle;
  }
  const json padded = fine_json({"--access", "As[lane][k]", "--find-fix"});
  EXPECT_EQ(padded["fixes"]["padding"]["elements"], 1);
  EXPECT_EQ(padded["fixes"]["padding"]["bytes"], 128);
}

TEST(Explore, PrintsATable) {
  const CommandResult result = run_command({"explore", "--access", "As[lane][k]", "--find-fix"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("padding 1: 128 bytes more"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("column ^ row"), std::string::npos) << result.out;
}

TEST(Explore, BadUseIsASentence) {
  struct Case {
    std::vector<std::string> words;
    const char* part;
  };
  const Case cases[] = {{{}, "--access is required"},
                        {{"--access", "As[lane]"}, "1 of the 2 indices of As"},
                        {{"--access", "As[lane][x]"}, "unknown name \"x\""},
                        {{"--access", "As[k][lane]", "--declare", "float As"}, "no dimensions in brackets"},
                        {{"--access", "As[k][lane]", "--swizzle", "row"}, "at the same place"},
                        {{"--access", "As[k][lane]", "--let", "q=3"}, "--let q=3"},
                        {{"--access", "As[k][lane]", "--let", "k=40"}, "lane 0 has index 40"},
                        {{"--access", "As[k][lane]", "--block-dim", "ax"}, "--block-dim ax"},
                        {{"--access", "As[k][lane]", "--block-dim", "0x4"}, "0 \u00d7 4 threads"},
                        {{"--access", "As[k][lane]", "--pad", "99"}, "--pad"}};
  for (const Case& c : cases) {
    std::vector<std::string> words = {"explore"};
    words.insert(words.end(), c.words.begin(), c.words.end());
    const CommandResult result = run_command(words);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_NE((result.err + result.out).find(c.part), std::string::npos) << result.err << result.out;
  }
}

}  // namespace
}  // namespace gemmscope::cli
