#include "session/foreign_commands.h"

#include <fmt/format.h>

#include <algorithm>

namespace gemmscope::session {

bool only_by_the_user(std::string_view command) {
  constexpr std::string_view kRooms[] = {"app.", "export.", "scene."};
  constexpr std::string_view kCommands[] = {"experiment.open", "start.open", "timing.gpu_runner"};
  return std::ranges::any_of(kRooms, [&](std::string_view room) { return command.starts_with(room); }) ||
         std::ranges::find(kCommands, command) != std::end(kCommands);
}

std::string take_out_foreign(std::vector<std::string>& commands, std::string_view of) {
  const auto first = std::ranges::find_if(commands, only_by_the_user);
  if (first == commands.end()) return "";
  std::string sentence =
      fmt::format("{} names the command \"{}\", which only you may run; it is left out.", of, *first);
  std::erase_if(commands, [](const std::string& id) { return only_by_the_user(id); });
  return sentence;
}

}  // namespace gemmscope::session
