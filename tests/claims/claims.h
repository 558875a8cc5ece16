// Sentences with a number, and what shows that they are true.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gemmscope::claims {

// The sentences of a text that hold a number, as a digit or as a word ("half", "two", "a sixteenth"). Names
// such as float4, LDG.E.128, sm_90, C++17, Debian 12 and step 2 are no numbers, and neither is "one", which
// stands for a thing more often than for a count.
std::vector<std::string> sentences_with_numbers(std::string_view text);

// What to check, by the sentence as it stands in the text.
using Claims = std::map<std::string, std::function<void()>>;

// Every sentence with a number must be claimed, and every claim must stand in one of the texts. Then each is
// checked.
void check_claims(const std::map<std::string, std::string>& texts, const Claims& claims);

}  // namespace gemmscope::claims
