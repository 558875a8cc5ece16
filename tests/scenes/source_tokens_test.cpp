#include "scenes/source_tokens.h"

#include <gtest/gtest.h>

#include <string>

#include "scene_blocks.h"

namespace gemmscope::scenes {
namespace {

using drawing::Role;

std::string joined(const std::vector<Token>& tokens) {
  std::string text;
  for (const Token& token : tokens) text += token.text;
  return text;
}

Role role_of(const std::vector<Token>& tokens, std::string_view text) {
  for (const Token& token : tokens)
    if (token.text == text) return token.role;
  ADD_FAILURE() << "no token \"" << text << "\" in " << joined(tokens);
  return Role::text;
}

TEST(SourceTokens, NothingOfALineIsLost) {
  for (const std::string& kernel : kKernels) {
    const BlockPointer block = small_block(kernel);
    ASSERT_NE(block, nullptr);
    for (const experiment::SourceFile& file : block->compiled->files)
      for (const std::string& line : file.lines) ASSERT_EQ(joined(tokens_of_source(line)), line) << file.name;
    for (const std::string& text : block->compiled->text)
      ASSERT_EQ(joined(tokens_of_sass(text, Role::math)) + " ;", text);
  }
}

TEST(SourceTokens, OddLines) {
  for (const std::string& line : std::vector<std::string>{
           "", " ", "\t", "//", "/", "a//", "#", "  # define X 1 // why", "float4", "αβ γ", "\"//\"",
           "x=1;\r", std::string("a\0b", 3), std::string(5000, 'x'), "__global__void"})
    EXPECT_EQ(joined(tokens_of_source(line)), line);
  for (const std::string& text :
       std::vector<std::string>{"", "@", "@P0", "@!P0 ", "NOP", "NOP ;", "@P1 EXIT ;"}) {
    const std::string shown = text.ends_with(" ;") ? text.substr(0, text.size() - 2) : text;
    EXPECT_EQ(joined(tokens_of_sass(text, Role::math)), shown);
  }
  EXPECT_EQ(joined(tokens_of_sass(" ;", Role::math)), "");
}

TEST(SourceTokens, Roles) {
  const std::vector<Token> line = tokens_of_source("  const float* a = floats;  // float here");
  EXPECT_EQ(role_of(line, "const"), Role::accent);
  EXPECT_EQ(role_of(line, "float"), Role::accent);
  EXPECT_EQ(role_of(line, "floats"), Role::text);
  EXPECT_EQ(line.back().text, "// float here");
  EXPECT_EQ(line.back().role, Role::text_dim);
  EXPECT_EQ(tokens_of_source("  #pragma unroll").front().role, Role::accent);
}

TEST(SourceTokens, GuardMnemonicOperands) {
  const std::vector<Token> tokens = tokens_of_sass("@!P0 LDS.128 R4, [R2+0x10] ;", Role::memory);
  ASSERT_EQ(tokens.size(), 3u);
  EXPECT_EQ(tokens[0].text, "@!P0 ");
  EXPECT_EQ(tokens[0].role, Role::warning);
  EXPECT_EQ(tokens[1].text, "LDS.128");
  EXPECT_EQ(tokens[1].role, Role::memory);
  EXPECT_EQ(tokens[2].text, " R4, [R2+0x10]");
  EXPECT_EQ(tokens[2].role, Role::text);
}

}  // namespace
}  // namespace gemmscope::scenes
