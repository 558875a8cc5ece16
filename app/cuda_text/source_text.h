// Finds words, brackets and lines in C++ text without a compiler.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gemmscope::cuda_text {

bool is_word_char(char c);   // part of an identifier or a number
bool is_blank_char(char c);  // white space
bool starts_name(char c);
// Returns the end of the word that begins at `at`, or `at` if none does.
size_t end_of_word(std::string_view text, size_t at);
// Returns the word that begins at `at`, or the one character there.
std::string_view token_at(std::string_view text, size_t at);
std::string last_component(const std::string& name);  // "gemm" of "demo::gemm"

// Blanks [begin, end) and keeps its line ends.
void blank(std::string& text, size_t begin, size_t end);
// Blanks comments and literals, except the "C" of extern "C".
void blank_comments_and_literals(std::string& text);
// Returns the preprocessor's directives with their continuation lines, and blanks them in the text.
std::vector<std::string> take_directives(std::string& text);

// Returns the position after the bracket that closes the one at `at`; npos if none does.
size_t behind_bracket(std::string_view text, size_t at);
bool has_word(std::string_view text, std::string_view word);
// Replaces the word wherever it stands alone.
std::string replaced_word(std::string_view text, std::string_view word, std::string_view by);
int line_of(std::string_view text, size_t at);  // 1-based

// Returns the initialiser of the last declaration or assignment of `name` before `at`, up to "," or ";", and
// its position. A name with its object ("config.gridDim") is searched as written.
std::optional<std::pair<std::string, size_t>> definition_of(std::string_view text, std::string_view name,
                                                            size_t at);
// Splits the text at commas outside (), [], {} and <>.
std::vector<std::string> split_arguments(std::string_view text);
// Replaces each run of white space by one blank, and trims both ends.
std::string squeezed(std::string_view text);
// Squeezes the text and leaves out statements longer than kMostStatement, which no human reader writes.
inline constexpr size_t kMostStatement = 2000;
std::string searchable(std::string_view text);

// "#define NAME rest": `rest` is the text behind the name, with its parameters and white space.
struct MacroDefinition {
  std::string_view name, rest;
};
// Reads a directive; nothing if it is not a #define.
std::optional<MacroDefinition> macro_definition(std::string_view directive);

}  // namespace gemmscope::cuda_text
