// Checks the truth of sentences with a number.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gemmscope::claims {

// Returns the sentences of a text that contain a number, as digits or as a word ("half", "two", "a
// sixteenth"). Names such as float4, LDG.E.128, sm_90, C++17, Debian 12 and step 2 are no numbers, and
// neither is "one", which stands for a thing more often than for a count.
std::vector<std::string> sentences_with_numbers(std::string_view text);

// The checks, by the sentence as it stands in the text.
using Claims = std::map<std::string, std::function<void()>>;

// Fails unless every sentence with a number has a claim and every claim stands in one of the texts. Then runs
// each check.
void check_claims(const std::map<std::string, std::string>& texts, const Claims& claims);

}  // namespace gemmscope::claims
