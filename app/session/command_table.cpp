#include "session/command_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <sstream>
#include <string_view>
#include <utility>

namespace gemmscope::session {
namespace {

std::string refusal_of(const Command& command) {
  return fmt::format("\"{}\" is not possible now{}{}", command.title, command.needs.empty() ? "." : ": ",
                     command.needs);
}

std::vector<std::string> keys_of(const Command& command, KeyMode mode) {
  std::istringstream words(mode == KeyMode::working ? command.key : command.presenting_keys);
  return {std::istream_iterator<std::string>(words), {}};
}

// The menus from left to right: what is shown, how it is looked at, its pictures, what is done with them. A
// category that is not listed stands before the last one.
constexpr std::array<std::string_view, 14> kMenus = {
    "Experiment", "Kernel",  "Toggles", "View",    "Time",    "Code",  "Banks",
    "Pipeline",   "Timings", "Compare", "Lessons", "Present", "Share", "Help"};
std::size_t menu_place(std::string_view category) {
  const auto found = std::ranges::find(kMenus, category);
  const auto place = static_cast<std::size_t>(found - kMenus.begin()) * 2;
  return found != kMenus.end() ? place : (kMenus.size() - 1) * 2 - 1;
}

constexpr std::size_t index_of(KeyMode mode) { return static_cast<std::size_t>(mode); }

}  // namespace

Result<KeyChord> CommandTable::free_chord(const Command& command, const std::string& key,
                                          KeyMode mode) const {
  Result<KeyChord> chord = parse_chord(key);
  if (!chord) return fail("The command \"{}\" cannot have its key: {}", command.id, chord.error().message);
  const auto taken = keys_[index_of(mode)].find(*chord);
  if (taken == keys_[index_of(mode)].end()) return chord;
  return fail("The key {} of \"{}\" is taken by \"{}\".", print_chord(*chord), command.id,
              commands_[taken->second].id);
}

Result<void> CommandTable::add(Command command) {
  if (command.id.empty() || !command.run) {
    return fail("The command \"{}\" ({}) needs an id and something to run.", command.title, command.id);
  }
  if (find(command.id) != nullptr) {
    return fail("The command id \"{}\" of \"{}\" is taken by \"{}\".", command.id, command.title,
                find(command.id)->title);
  }
  std::vector<std::pair<KeyChord, KeyMode>> chords;
  for (const KeyMode mode : {KeyMode::working, KeyMode::presenting})
    for (const std::string& key : keys_of(command, mode)) {
      const Result<KeyChord> chord = free_chord(command, key, mode);
      if (!chord) return tl::unexpected(chord.error());
      chords.emplace_back(*chord, mode);
    }
  for (const auto& [chord, mode] : chords) keys_[index_of(mode)].emplace(chord, commands_.size());
  by_id_.emplace(command.id, commands_.size());
  commands_.push_back(std::move(command));
  return {};
}

const Command* CommandTable::find(std::string_view id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : &commands_[found->second];
}

const Command* CommandTable::find(KeyChord chord) const {
  for (const KeyMode mode : {KeyMode::presenting, KeyMode::working}) {
    if (mode == KeyMode::presenting && mode_ != mode) continue;
    const KeyTable& keys = keys_[index_of(mode)];
    if (const auto found = keys.find(chord); found != keys.end()) return &commands_[found->second];
  }
  return nullptr;
}

bool CommandTable::is_enabled(const Command& command) const { return !command.enabled || command.enabled(); }

Result<void> CommandTable::run(std::string_view id) const {
  const Command* command = find(id);
  if (command == nullptr) return fail("There is no command \"{}\"; the help page (F1) lists them.", id);
  if (!is_enabled(*command)) return fail("{}", refusal_of(*command));
  command->run();
  return {};
}

const Command* CommandTable::wanted(const KeyEvent& event, bool typing) const {
  const Command* command = find(event.chord);
  if (command == nullptr || (event.repeat && !command->repeats)) return nullptr;
  return typing && types_text(event.chord) && !command->while_typing ? nullptr : command;
}

bool CommandTable::handle(const KeyEvent& event, bool typing) const {
  const Command* command = wanted(event, typing);
  if (command == nullptr || !is_enabled(*command)) return false;
  command->run();
  return true;
}

std::string CommandTable::refusal(const KeyEvent& event, bool typing) const {
  const Command* command = wanted(event, typing);
  return command == nullptr || is_enabled(*command) ? "" : refusal_of(*command);
}

std::vector<std::string> CommandTable::categories() const {
  std::vector<std::string> names;
  for (const Command& command : commands_) {
    if (std::find(names.begin(), names.end(), command.category) == names.end())
      names.push_back(command.category);
  }
  std::ranges::stable_sort(names, {}, menu_place);
  return names;
}

std::vector<const Command*> CommandTable::in_category(std::string_view category) const {
  std::vector<const Command*> found;
  for (const Command& command : commands_) {
    if (command.category == category) found.push_back(&command);
  }
  return found;
}

std::string CommandTable::key_text(std::string_view id) const {
  const Command* command = find(id);
  if (command == nullptr) return {};
  for (const KeyMode mode : {KeyMode::presenting, KeyMode::working}) {
    if (mode == KeyMode::presenting && mode_ != mode) continue;
    for (const std::string& key : keys_of(*command, mode))
      if (const Result<KeyChord> chord = parse_chord(key); chord && find(*chord) == command)
        return print_chord(*chord);
  }
  return {};
}

}  // namespace gemmscope::session
