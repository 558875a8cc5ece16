#include "lessons/guess.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

namespace gemmscope::lessons {
namespace {

Result<size_t> right_choice(const Question& question, const FigureValues& values, Origin& origin) {
  std::optional<size_t> right;
  for (size_t i = 0; i < question.choices.size(); ++i) {
    const auto holds = value_of(question.choices[i].formula, values);
    if (!holds) return tl::unexpected(holds.error());
    origin = std::max(origin, holds->origin);
    if (holds->value == 0) continue;
    if (right)
      return fail("Both \"{}\" and \"{}\" are right", question.choices[*right].formula,
                  question.choices[i].formula);
    right = i;
  }
  if (!right) return fail("No choice is right");
  return *right;
}

Result<std::vector<size_t>> right_order(const Question& question, const FigureValues& values,
                                        Origin& origin) {
  std::vector<double> keys;
  for (const Choice& choice : question.choices) {
    const auto value = value_of(choice.formula, values);
    if (!value) return tl::unexpected(value.error());
    origin = std::max(origin, value->origin);
    keys.push_back(question.largest_first ? -value->value : value->value);
  }
  std::vector<size_t> order(keys.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t i) { return keys[i]; });
  for (size_t i = 1; i < order.size(); ++i)
    if (keys[order[i]] == keys[order[i - 1]])
      return fail("\"{}\" and \"{}\" are equal", question.choices[order[i - 1]].formula,
                  question.choices[order[i]].formula);
  return order;
}

}  // namespace

Result<Truth> truth_of(const Question& question, const FigureValues& values) {
  Truth truth;
  truth.origin = Origin::stated;
  if (question.kind == QuestionKind::number) {
    const auto value = value_of(question.answer, values);
    if (!value) return tl::unexpected(value.error());
    truth.number = value->value;
    truth.origin = value->origin;
  } else if (question.kind == QuestionKind::choice) {
    const auto choice = right_choice(question, values, truth.origin);
    if (!choice) return tl::unexpected(choice.error());
    truth.choice = *choice;
  } else if (question.kind == QuestionKind::order) {
    auto order = right_order(question, values, truth.origin);
    if (!order) return tl::unexpected(order.error());
    truth.order = *std::move(order);
  }
  return truth;
}

bool is_right(const Question& question, const Guess& guess, const Truth& truth) {
  switch (question.kind) {
    case QuestionKind::number: {
      // The smallest share lets "0.333333" stand for a third.
      const double room = std::max(question.within, 1e-6) * std::abs(truth.number);
      return std::abs(guess.number - truth.number) <= room ||
             (guess.percent && std::abs(guess.number * 100 - truth.number) <= room);
    }
    case QuestionKind::choice:
      return guess.choice == truth.choice;
    case QuestionKind::order:
      return guess.order == truth.order;
    case QuestionKind::point:
      return guess.on_point;
  }
  return false;
}

namespace {

struct NamedNumber {
  const char* name;
  scenes::KeyNumber number;
};
constexpr NamedNumber kNumbers[] = {
    {"warp_instructions", scenes::KeyNumber::warp_instructions},
    {"flops", scenes::KeyNumber::flops},
    {"global_sectors", scenes::KeyNumber::global_sectors},
    {"excess_sectors", scenes::KeyNumber::excess_sectors},
    {"wavefronts", scenes::KeyNumber::wavefronts},
    {"excess_wavefronts", scenes::KeyNumber::excess_wavefronts},
    {"registers", scenes::KeyNumber::registers},
    {"spills", scenes::KeyNumber::spills},
};

}  // namespace

std::optional<scenes::KeyNumber> key_number(std::string_view name) {
  for (const NamedNumber& named : kNumbers)
    if (name == named.name) return named.number;
  return std::nullopt;
}

std::vector<std::string> key_number_names() {
  std::vector<std::string> names;
  for (const NamedNumber& named : kNumbers) names.emplace_back(named.name);
  return names;
}

namespace {

constexpr std::string_view kOpcode = "opcode.";

// How much the instruction adds to what the question asks for; nothing for what is no sum.
std::optional<uint64_t> contribution(const Question& question, const experiment::BlockResult& block,
                                     uint32_t instruction) {
  const experiment::CompiledKernel& code = *block.compiled;
  if (question.answer.starts_with(kOpcode)) {
    const bool named = instruction_name(code.text[instruction]) == question.answer.substr(kOpcode.size());
    return named ? block.counters.executed.warps[instruction] : 0;
  }
  const auto number = key_number(question.answer);
  if (!number || *number == scenes::KeyNumber::registers) return std::nullopt;
  return scenes::contribution(*number, code, block.counters, instruction);
}

bool on_one_line(const experiment::CompiledKernel& code, uint32_t a, uint32_t b) {
  return code.places[a].file == code.places[b].file && code.places[a].line == code.places[b].line &&
         code.places[a].line > 0 && code.instructions[a].opcode == code.instructions[b].opcode;
}

constexpr double kNearly = 0.9, kAlike = 0.75;  // of the most

}  // namespace

std::string_view instruction_name(std::string_view text) {
  if (text.starts_with("@")) text.remove_prefix(std::min(text.find(' '), text.size() - 1) + 1);
  return text.substr(0, text.find_first_of(" .;"));
}

bool is_point(std::string_view name) {
  return key_number(name).has_value() || (name.starts_with(kOpcode) && name.size() > kOpcode.size());
}

std::optional<uint32_t> point_of(const Question& question, const experiment::BlockResult& block) {
  if (question.answer == "registers")
    return scenes::top_contributor(scenes::KeyNumber::registers, *block.compiled, block.counters, {});
  std::optional<uint32_t> point;
  uint64_t most = 0;
  for (uint32_t i = 0; i < block.compiled->instructions.size(); ++i)
    if (const uint64_t part = contribution(question, block, i).value_or(0); part > most) {
      most = part;
      point = i;
    }
  return point;
}

bool is_on_point(const Question& question, const experiment::BlockResult& block, uint32_t instruction) {
  const auto point = point_of(question, block);
  if (!point) return false;
  const bool alike = on_one_line(*block.compiled, *point, instruction);
  const auto most = contribution(question, block, *point);
  const auto part = contribution(question, block, instruction);
  if (!most || !part) return instruction == *point || alike;
  return static_cast<double>(*part) >= (alike ? kAlike : kNearly) * static_cast<double>(*most);
}

std::optional<double> parse_number(std::string_view text) {
  std::string digits;
  double factor = 1;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ' ' || c == ',') continue;
    const bool last = text.find_first_not_of(' ', i + 1) == std::string_view::npos;
    if (c == '%' && last)
      factor = 0.01;
    else if ((c == 'k' || c == 'K') && last)
      factor = 1e3;
    else if (c == 'M' && last)
      factor = 1e6;
    else if (c == 'G' && last)
      factor = 1e9;
    else
      digits += c;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value))
    return std::nullopt;
  return value * factor;
}

namespace {

// "32x4": four of 32. Nothing: it is no number.
std::optional<CountedNumber> parse_counted(std::string_view text) {
  CountedNumber counted;
  if (const size_t times = text.find_last_of("x*"); times != std::string_view::npos) {
    const std::string_view count = text.substr(times + 1);
    const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), counted.count);
    if (error != std::errc() || end != count.data() + count.size() || counted.count < 1) return std::nullopt;
    text = text.substr(0, times);
  }
  const auto number = parse_number(text);
  if (!number) return std::nullopt;
  counted.number = *number;
  counted.percent = text.ends_with('%');
  return counted;
}

}  // namespace

std::vector<CountedNumber> parse_numbers(std::string_view text) {
  std::vector<std::string> words;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find_first_of(" ;", at), text.size());
    const std::string_view word = text.substr(at, end - at);
    // "84 %" and "6.3 k" are one number each.
    const bool unit = word == "%" || word == "k" || word == "K" || word == "M" || word == "G";
    if (unit && !words.empty())
      words.back() += word;
    else if (!word.empty())
      words.emplace_back(word);
    at = end + 1;
  }
  std::vector<CountedNumber> numbers;
  for (const std::string& word : words) {
    const auto counted = parse_counted(word);
    if (!counted) return {};
    numbers.push_back(*counted);
  }
  return numbers;
}

}  // namespace gemmscope::lessons
