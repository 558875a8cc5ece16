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

std::optional<uint32_t> point_of(const Question& question, const experiment::BlockResult& block) {
  const auto number = key_number(question.answer);
  if (!number) return std::nullopt;
  return scenes::top_contributor(*number, *block.compiled, block.counters, {});
}

bool is_on_point(const Question& question, const experiment::BlockResult& block, uint32_t instruction) {
  const auto point = point_of(question, block);
  if (!point) return false;
  const experiment::CompiledKernel& code = *block.compiled;
  const auto& there = code.places[*point];
  const auto& here = code.places[instruction];
  return instruction == *point || (here.file == there.file && here.line == there.line && here.line > 0 &&
                                   code.instructions[instruction].opcode == code.instructions[*point].opcode);
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

}  // namespace gemmscope::lessons
