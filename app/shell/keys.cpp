#include "shell/keys.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace gemmscope::shell {
namespace {

struct NamedKey {
  int key;
  std::string_view name;
};

constexpr NamedKey kNamedKeys[] = {
    {GLFW_KEY_SPACE, "Space"},
    {GLFW_KEY_ENTER, "Enter"},
    {GLFW_KEY_ESCAPE, "Escape"},
    {GLFW_KEY_TAB, "Tab"},
    {GLFW_KEY_INSERT, "Insert"},
    {GLFW_KEY_BACKSPACE, "Backspace"},
    {GLFW_KEY_DELETE, "Delete"},
    {GLFW_KEY_RIGHT, "Right"},
    {GLFW_KEY_LEFT, "Left"},
    {GLFW_KEY_DOWN, "Down"},
    {GLFW_KEY_UP, "Up"},
    {GLFW_KEY_PAGE_UP, "PageUp"},
    {GLFW_KEY_PAGE_DOWN, "PageDown"},
    {GLFW_KEY_HOME, "Home"},
    {GLFW_KEY_END, "End"},
    {GLFW_KEY_PAUSE, "Pause"},
    {GLFW_KEY_MENU, "Menu"},
    {GLFW_KEY_PRINT_SCREEN, "PrintScreen"},
};

struct NamedModifier {
  Modifiers modifier;
  int glfw_bit;
  std::string_view name;
};

// In the order in which they are printed.
constexpr NamedModifier kModifiers[] = {
    {Modifiers::ctrl, GLFW_MOD_CONTROL, "Ctrl"},
    {Modifiers::alt, GLFW_MOD_ALT, "Alt"},
    {Modifiers::shift, GLFW_MOD_SHIFT, "Shift"},
    {Modifiers::super, GLFW_MOD_SUPER, "Super"},
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
  return name[1] != '0' && number >= 1 && number <= 25 ? GLFW_KEY_F1 + number - 1 : 0;
}

int key_from_name(std::string_view name) {
  if (name.size() == 1) {
    const auto c = static_cast<unsigned char>(name[0]);
    if (std::isalnum(c) != 0) return std::toupper(c);
    if (kPunctuation.find(name[0]) != std::string_view::npos) return c;
    return name[0] == '+' ? GLFW_KEY_EQUAL : 0;
  }
  for (const NamedKey& named : kNamedKeys) {
    if (same_word(named.name, name)) return named.key;
  }
  if (same_word(name, "Esc")) return GLFW_KEY_ESCAPE;
  return function_key(name);
}

std::string key_name(int key) {
  for (const NamedKey& named : kNamedKeys) {
    if (named.key == key) return std::string(named.name);
  }
  if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F25) return fmt::format("F{}", key - GLFW_KEY_F1 + 1);
  return std::string(1, static_cast<char>(key));
}

const NamedModifier* modifier_from_name(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kModifiers), std::end(kModifiers),
                                         [&](const NamedModifier& m) { return same_word(m.name, name); });
  return found == std::end(kModifiers) ? nullptr : found;
}

// 0 for keys that no chord can name.
int main_block_key(int key) {
  if (key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_9) return GLFW_KEY_0 + key - GLFW_KEY_KP_0;
  switch (key) {
    case GLFW_KEY_KP_DECIMAL:
      return GLFW_KEY_PERIOD;
    case GLFW_KEY_KP_DIVIDE:
      return GLFW_KEY_SLASH;
    case GLFW_KEY_KP_SUBTRACT:
      return GLFW_KEY_MINUS;
    case GLFW_KEY_KP_ADD:
    case GLFW_KEY_KP_EQUAL:
      return GLFW_KEY_EQUAL;
    case GLFW_KEY_KP_ENTER:
      return GLFW_KEY_ENTER;
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
  if (chord.key == 0) return fail("\"{}\" in the key \"{}\" names no key of a keyboard.", rest, text);
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

KeyChord chord_from_glfw(int key, int mods) {
  KeyChord chord{main_block_key(key)};
  if (!chord) return {};
  for (const NamedModifier& modifier : kModifiers) {
    if ((mods & modifier.glfw_bit) != 0) chord.modifiers = chord.modifiers | modifier.modifier;
  }
  return chord;
}

bool types_text(KeyChord chord) {
  if ((chord.modifiers & (Modifiers::ctrl | Modifiers::alt | Modifiers::super)) != Modifiers::none)
    return false;
  return chord.key < GLFW_KEY_F1 || chord.key > GLFW_KEY_F25;
}

}  // namespace gemmscope::shell
