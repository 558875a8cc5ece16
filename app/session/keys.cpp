#include "session/keys.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "session/key_codes.h"

namespace gemmscope::session {
namespace {

struct NamedKey {
  int key;
  std::string_view name;
};

constexpr NamedKey kNamedKeys[] = {
    {key::kSpace, "Space"},       {key::kEnter, "Enter"},   {key::kEscape, "Escape"},
    {key::kTab, "Tab"},           {key::kInsert, "Insert"}, {key::kBackspace, "Backspace"},
    {key::kDelete, "Delete"},     {key::kRight, "Right"},   {key::kLeft, "Left"},
    {key::kDown, "Down"},         {key::kUp, "Up"},         {key::kPageUp, "PageUp"},
    {key::kPageDown, "PageDown"}, {key::kHome, "Home"},     {key::kEnd, "End"},
    {key::kPause, "Pause"},       {key::kMenu, "Menu"},     {key::kPrintScreen, "PrintScreen"},
};

struct NamedModifier {
  Modifiers modifier;
  int bit;
  std::string_view name;
};

// The order is that in which they are printed.
constexpr NamedModifier kModifiers[] = {
    {Modifiers::ctrl, key::kControlBit, "Ctrl"},
    {Modifiers::alt, key::kAltBit, "Alt"},
    {Modifiers::shift, key::kShiftBit, "Shift"},
    {Modifiers::super, key::kSuperBit, "Super"},
};

// GLFW numbers printable keys by their US-layout character.
constexpr std::string_view kPunctuation = "',-./;=[\\]`";

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  });
}

int function_key(std::string_view name) {
  if (name.size() < 2 || name.size() > 3 || (name[0] != 'F' && name[0] != 'f')) return 0;
  int number = 0;
  for (const char digit : name.substr(1)) {
    if (digit < '0' || digit > '9') return 0;
    number = number * 10 + (digit - '0');
  }
  return name[1] != '0' && number >= 1 && number <= 25 ? key::kF1 + number - 1 : 0;
}

int key_from_name(std::string_view name) {
  if (name.size() == 1) {
    const auto c = static_cast<unsigned char>(name[0]);
    if (std::isalnum(c) != 0) return std::toupper(c);
    if (kPunctuation.find(name[0]) != std::string_view::npos) return c;
    return name[0] == '+' ? key::kEqual : 0;
  }
  for (const NamedKey& named : kNamedKeys) {
    if (same_word(named.name, name)) return named.key;
  }
  if (same_word(name, "Esc")) return key::kEscape;
  return function_key(name);
}

std::string key_name(int key) {
  for (const NamedKey& named : kNamedKeys) {
    if (named.key == key) return std::string(named.name);
  }
  if (key >= key::kF1 && key <= key::kF25) return fmt::format("F{}", key - key::kF1 + 1);
  return std::string(1, static_cast<char>(key));
}

const NamedModifier* modifier_from_name(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kModifiers), std::end(kModifiers),
                                         [&](const NamedModifier& m) { return same_word(m.name, name); });
  return found == std::end(kModifiers) ? nullptr : found;
}

// 0 for keys that no chord can name.
int main_block_key(int key) {
  if (key >= key::kKeypad0 && key <= key::kKeypad9) return key::k0 + key - key::kKeypad0;
  switch (key) {
    case key::kKeypadDecimal:
      return key::kPeriod;
    case key::kKeypadDivide:
      return key::kSlash;
    case key::kKeypadSubtract:
      return key::kMinus;
    case key::kKeypadAdd:
    case key::kKeypadEqual:
      return key::kEqual;
    case key::kKeypadEnter:
      return key::kEnter;
    default:
      break;
  }
  const std::string name = key > 0 ? key_name(key) : std::string();
  return key_from_name(name) == key ? key : 0;
}

}  // namespace

Result<KeyChord> parse_chord(std::string_view text) {
  KeyChord chord;
  std::string_view rest = text;
  for (;;) {
    const std::size_t plus = rest.find('+', 1);  // from 1: "+" may itself be the key
    if (rest.empty() || plus == std::string_view::npos) break;
    const NamedModifier* modifier = modifier_from_name(rest.substr(0, plus));
    if (modifier == nullptr) {
      return fail("\"{}\" in the key \"{}\" is not a modifier; use Ctrl, Alt, Shift or Super.",
                  rest.substr(0, plus), text);
    }
    chord.modifiers = chord.modifiers | modifier->modifier;
    rest.remove_prefix(plus + 1);
  }
  chord.key = key_from_name(rest);
  if (chord.key == 0) return fail("\"{}\" in the key \"{}\" is not the name of a key.", rest, text);
  return chord;
}

std::string print_chord(KeyChord chord) {
  if (!chord) return {};
  std::string text;
  for (const NamedModifier& modifier : kModifiers) {
    if ((chord.modifiers & modifier.modifier) != Modifiers::none) text.append(modifier.name).append("+");
  }
  return text + key_name(chord.key);
}

KeyChord chord_of(int key, int mods) {
  KeyChord chord{main_block_key(key)};
  if (!chord) return {};
  // Where "+" is above "=", Ctrl and "+" come with Shift.
  if (chord.key == key::kEqual && (mods & key::kControlBit) != 0) mods &= ~key::kShiftBit;
  for (const NamedModifier& modifier : kModifiers) {
    if ((mods & modifier.bit) != 0) chord.modifiers = chord.modifiers | modifier.modifier;
  }
  return chord;
}

bool types_text(KeyChord chord) {
  if (chord.key >= key::kF1 && chord.key <= key::kF25) return false;
  const bool control = (chord.modifiers & (Modifiers::ctrl | Modifiers::super)) != Modifiers::none;
  if (!control || (chord.modifiers & Modifiers::alt) != Modifiers::none) return true;
  constexpr int kEditing[] = {
      'A',      'C',        'V',        'X',       'Y',         'Z',          key::kLeft,   key::kRight,
      key::kUp, key::kDown, key::kHome, key::kEnd, key::kEnter, key::kDelete, key::kInsert, key::kBackspace};
  return std::ranges::find(kEditing, chord.key) != std::end(kEditing);
}

}  // namespace gemmscope::session
