// Compares the includes of a source tree with the map of rooms in its README.md.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace gemmscope::layout {

// The table "room | what it holds | may include" of a README.
struct RoomMap {
  std::map<std::string, std::set<std::string>> may_include;  // by room
  std::map<std::string, std::string>
      room_of_file;  // "drawing/color" -> "palette": files with a row of their own
};
RoomMap read_room_map(const std::filesystem::path& readme);

struct IncludeReport {
  size_t includes = 0;                 // that were read
  std::vector<std::string> forbidden;  // a sentence each: the file, its line and the arrow
  std::vector<std::string> unused;     // arrows of the map that no file needs: "cli -> scenes"
};
// Reads every .h, .cpp, .inc and .def file below `app`.
IncludeReport check_includes(const std::filesystem::path& app, const RoomMap& map);

}  // namespace gemmscope::layout
