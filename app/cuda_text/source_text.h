// Words, brackets and lines of C++ text, for a reading that needs no compiler.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gemmscope::cuda_text {

bool is_word_char(char c);   // of an identifier or a number
bool is_blank_char(char c);  // white space
bool starts_name(char c);
// Behind the word that begins at `at`; `at` where none does.
size_t end_of_word(std::string_view text, size_t at);
// The word that begins at `at`, or the one character there.
std::string_view token_at(std::string_view text, size_t at);
std::string last_component(const std::string& name);  // "gemm" of "demo::gemm"

// Blanks [begin, end) and keeps its line ends.
void blank(std::string& text, size_t begin, size_t end);
// Comments and literals, except for the "C" of extern "C".
void blank_comments_and_literals(std::string& text);
// Returns the preprocessor's lines, with those that they continue on, and blanks them where they stand.
std::vector<std::string> take_directives(std::string& text);

// The place behind the bracket that closes the one at `at`; npos where it stays open.
size_t behind_bracket(std::string_view text, size_t at);
bool has_word(std::string_view text, std::string_view word);
int line_of(std::string_view text, size_t at);  // 1-based

// The initialiser of the last declaration or assignment of `name` before `at`, up to "," or ";", and where it
// stands. A name with its object ("config.gridDim") is found as it is written.
std::optional<std::pair<std::string, size_t>> definition_of(std::string_view text, std::string_view name,
                                                            size_t at);
// Text at the top level, split at commas outside (), [], {} and <>.
std::vector<std::string> split_arguments(std::string_view text);
// Runs of white space become one blank, none at the ends.
std::string squeezed(std::string_view text);
// The text as regular expressions may see it: squeezed, and without statements that are longer than
// kMostStatement. The C++ library's matcher takes a stack frame for every character of a match, so that a
// long one would end the program.
inline constexpr size_t kMostStatement = 2000;
std::string searchable(std::string_view text);

}  // namespace gemmscope::cuda_text
