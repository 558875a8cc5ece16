#include "schedule/edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>

#include "isa/disassemble.h"
#include "isa/encode.h"
#include "schedule/control_fields.h"
#include "schedule/region.h"

namespace gemmscope::schedule {
namespace {

using isa::Instruction;

constexpr std::array kKindNames = {"up", "down", "reuse", "stall", "yield", "mend"};
constexpr int kMostStallCycles = 15;  // the field has four bits
constexpr std::string_view kSlots = "abc";

std::string named(const Instruction& instruction) {
  return fmt::format("{} at {:#06x}", isa::mnemonic_text(instruction), instruction.address);
}

bool has_reuse(const Instruction& instruction, uint8_t slot) {
  return std::any_of(instruction.operands.begin(), instruction.operands.begin() + instruction.operand_count,
                     [&](const isa::Operand& operand) { return operand.slot == slot && operand.reuse; });
}

// The code while its edits are made.
class Editor {
 public:
  Editor(const std::vector<Instruction>& before, const std::vector<uint32_t>& named_addresses)
      : runs_(straight_runs(before)), named_addresses_(named_addresses) {
    code_.instructions = before;
    code_.moved.resize(before.size());
    std::iota(code_.moved.begin(), code_.moved.end(), 0u);
    code_.by_hand.resize(before.size());
  }

  Result<void> make(const Edit& edit) {
    if (edit.kind == EditKind::mend) return mend();
    const uint32_t at = edit.address / isa::kInstructionBytes;
    if (edit.address % isa::kInstructionBytes != 0 || at >= code_.instructions.size())
      return fail("The code has no instruction at {:#06x}.", edit.address);
    Instruction& instruction = code_.instructions[at];
    if (instruction.row == nullptr)
      return fail("The instruction at {:#06x} is unknown, so it cannot be written again.", edit.address);
    switch (edit.kind) {
      case EditKind::up:
        if (at == 0) return fail("{} is the first instruction.", named(instruction));
        return exchange(at - 1, at);
      case EditKind::down:
        if (at + 1 == code_.instructions.size()) return fail("{} is the last one.", named(instruction));
        return exchange(at, at + 1);
      case EditKind::reuse:
        return flip_reuse(at, edit.value);
      case EditKind::stall:
        if (edit.value < 0 || edit.value > kMostStallCycles)
          return fail("A stall count is from 0 to {} cycles.", kMostStallCycles);
        instruction.control.stall_cycles = static_cast<uint8_t>(edit.value);
        break;
      case EditKind::yield:
        instruction.control.yield = !instruction.control.yield;
        break;
      case EditKind::mend:
        break;
    }
    code_.by_hand[at] = 1;
    return {};
  }
  EditedCode take() { return std::move(code_); }

 private:
  Result<void> mend() {
    const std::vector<Instruction> before = code_.instructions;
    if (auto done = satisfy_lint(code_.instructions); !done) return done;
    for (size_t i = 0; i < before.size(); ++i)
      if (!(before[i].control == code_.instructions[i].control)) code_.by_hand[i] = 1;
    return {};
  }

  Result<void> flip_reuse(uint32_t at, int slot) {
    Instruction& instruction = code_.instructions[at];
    if (slot < 0 || slot >= static_cast<int>(kSlots.size()))
      return fail("Operands have the slots a, b and c.");
    const auto index = static_cast<uint8_t>(slot);
    if (!isa::set_reuse(instruction, index, !has_reuse(instruction, index)))
      return fail("{} reads no register through slot {}.", named(instruction), kSlots[index]);
    code_.by_hand[at] = 1;
    return {};
  }

  Result<void> exchange(uint32_t first, uint32_t second) {
    for (const uint32_t at : {first, second})
      if (std::ranges::count(named_addresses_, at * isa::kInstructionBytes) > 0)
        return fail("The file names {} by its address, so it must stay.", named(code_.instructions[at]));
    const bool straight =
        std::ranges::any_of(runs_, [&](Range run) { return first >= run.first && second < run.end; });
    if (!straight)
      return fail("{} and {} do not follow each other on every path, so they cannot change places.",
                  named(code_.instructions[first]), named(code_.instructions[second]));
    std::swap(code_.instructions[first], code_.instructions[second]);
    std::swap(code_.instructions[first].address, code_.instructions[second].address);
    std::swap(code_.moved[first], code_.moved[second]);
    std::swap(code_.by_hand[first], code_.by_hand[second]);
    code_.by_hand[first] = code_.by_hand[second] = 1;
    return {};
  }

  std::vector<Range> runs_;  // exchanging two instructions of a run leaves it where it is
  const std::vector<uint32_t>& named_addresses_;
  EditedCode code_;
};

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

template <typename Number>
bool read_number(std::string_view text, Number& number, int base) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::string edit_text(const Edit& edit) {
  const char* const name = kKindNames[static_cast<size_t>(edit.kind)];
  switch (edit.kind) {
    case EditKind::mend:
      return name;
    case EditKind::reuse:
      return fmt::format("{:#06x} {} {}", edit.address, name, kSlots[static_cast<size_t>(edit.value)]);
    case EditKind::stall:
      return fmt::format("{:#06x} {} {}", edit.address, name, edit.value);
    default:
      return fmt::format("{:#06x} {}", edit.address, name);
  }
}

Result<Edit> read_edit(std::string_view text) {
  const auto wrong = [&] { return fail("\"{}\" is no edit of machine code.", text); };
  const std::vector<std::string_view> words = words_of(text);
  if (words.size() == 1 && words[0] == "mend") return Edit{EditKind::mend, 0, 0};
  if (words.size() < 2 || !words[0].starts_with("0x")) return wrong();
  Edit edit;
  if (!read_number(words[0].substr(2), edit.address, 16)) return wrong();
  const auto kind = std::ranges::find(kKindNames, words[1]);
  edit.kind = static_cast<EditKind>(kind - kKindNames.begin());
  if (kind == kKindNames.end() || edit.kind == EditKind::mend) return wrong();
  const bool has_value = edit.kind == EditKind::reuse || edit.kind == EditKind::stall;
  if (words.size() != (has_value ? 3 : 2)) return wrong();
  if (edit.kind == EditKind::reuse) {
    const size_t slot = words[2].size() == 1 ? kSlots.find(words[2][0]) : std::string_view::npos;
    if (slot == std::string_view::npos) return wrong();
    edit.value = static_cast<int>(slot);
  }
  if (edit.kind == EditKind::stall &&
      (!read_number(words[2], edit.value, 10) || edit.value < 0 || edit.value > kMostStallCycles))
    return wrong();
  return edit;
}

Result<EditedCode> apply_edits(const std::vector<Instruction>& before, std::span<const Edit> edits,
                               const std::vector<uint32_t>& named_addresses) {
  Editor editor(before, named_addresses);
  for (const Edit& edit : edits)
    if (auto made = editor.make(edit); !made) return tl::unexpected(made.error());
  return editor.take();
}

std::string fingerprint(const std::vector<Instruction>& instructions) {
  // Fowler, Noll and Vo's hash, FNV-1a, over 64-bit words.
  uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](uint64_t word) { hash = (hash ^ word) * 0x100000001b3; };
  for (const Instruction& instruction : instructions) add(instruction.lo), add(instruction.hi);
  return fmt::format("{:016x}", hash);
}

}  // namespace gemmscope::schedule
