// What the palette finds: commands, kernels, values of toggles, figures, pictures, recordings, lessons,
// devices. Each kind has a provider in found_things.cpp.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "session/app_commands.h"
#include "session/fuzzy_match.h"

namespace gemmscope::session {

enum class ThingKind : uint8_t { command, kernel, toggle, figure, picture, recording, lesson, device };
const char* kind_name(ThingKind kind);  // "command"

struct FoundThing {
  std::string id;  // "command:time.play": another for each thing
  ThingKind kind = ThingKind::command;
  std::string title;
  std::string also;              // other words that find it: its category, its names elsewhere
  std::string key;               // that runs it; empty: none
  std::string needs;             // why it cannot be chosen now, a sentence; empty: it can
  std::function<void()> choose;  // to be called between frames
};

// The references must outlive the things.
std::vector<FoundThing> things_to_find(Workspace& workspace, AppFlags& flags, const CommandTable& commands);

struct ThingMatch {
  size_t thing = 0;                    // index of it
  std::vector<std::size_t> positions;  // bytes of its title that were matched
};
// Things whose title has the letters of the query in order, or whose other words contain each word of it,
// best first: a title that begins with the query comes before all others. What cannot be chosen comes last.
// An empty query finds everything, with the `recent` ids first. One that finds nothing is taken as misspelt.
std::vector<ThingMatch> search_things(std::span<const FoundThing> things, std::string_view query,
                                      std::span<const std::string> recent = {});

// Puts the id at the front of those used last.
void note_found(std::vector<std::string>& recent, const std::string& id);

}  // namespace gemmscope::session
