// The one table of commands, which menus, the palette, the help page, keys and scripts read. Nothing else
// knows a key.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "session/keys.h"

namespace gemmscope::session {

// What the keys mean. While presenting, some keys have another command: a remote clicker's.
enum class KeyMode : std::uint8_t { working, presenting };

struct Command {
  std::string id;        // "time.step_forward": lower case, dotted
  std::string title;     // "Step forward": as in a menu
  std::string category;  // "Time": a menu, and a heading of the help page
  std::string key;       // as parse_chord reads it; empty: none
  std::function<void()> run;
  std::function<bool()> enabled = {};  // empty: always
  std::string needs = {};              // a sentence: what it needs to be enabled
  std::function<bool()> checked = {};  // for on/off commands: a tick in the menu
  std::string description = {};        // one line for the help page
  bool repeats = false;                // runs again while the key is held
  bool in_palette = true;
  bool while_typing = false;  // runs even when a text field has the keyboard (F-keys and Ctrl+… always do)
  std::string presenting_keys = {};  // while presenting, before all other keys; divided by spaces: "B ."
  bool interrupts = true;            // ends what "Show me" does and pauses the tour, when run by a key
};

class CommandTable {
 public:
  // Fails when the id or a key is taken in its mode, and names both commands. Fails when the key cannot be
  // read, the id is empty or there is nothing to run.
  Result<void> add(Command command);

  const Command* find(std::string_view id) const;
  const Command* find(KeyChord chord) const;  // in the mode that is set
  void set_mode(KeyMode mode) { mode_ = mode; }
  KeyMode mode() const { return mode_; }
  bool is_enabled(const Command& command) const;

  // Fails when there is no such command or it is not enabled now, and then says what it needs.
  Result<void> run(std::string_view id) const;
  // Runs the key's command. Returns false when there is none, it is not enabled, or a text field gets the key
  // first.
  bool handle(const KeyEvent& event, bool typing) const;
  // Why handle() did nothing although the key has a command, a sentence; empty: it has none, or it may run.
  std::string refusal(const KeyEvent& event, bool typing) const;

  std::span<const Command> all() const { return commands_; }  // in the order they were added
  std::vector<std::string> categories() const;                // in order of first appearance
  std::vector<const Command*> in_category(std::string_view category) const;
  // "Ctrl+P", or "": the first key that runs the command in the mode that is set.
  std::string key_text(std::string_view id) const;

 private:
  // The chord of the command's key; fails where another has it in that mode.
  Result<KeyChord> free_chord(const Command& command, const std::string& key, KeyMode mode) const;

  const Command* wanted(const KeyEvent& event, bool typing) const;  // enabled or not; null: none

  std::vector<Command> commands_;
  std::map<std::string, std::size_t, std::less<>> by_id_;
  using KeyTable = std::map<KeyChord, std::size_t>;
  std::array<KeyTable, 2> keys_;  // by KeyMode
  KeyMode mode_ = KeyMode::working;
};

}  // namespace gemmscope::session
