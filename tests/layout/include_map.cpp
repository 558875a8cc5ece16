#include "include_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string_view>

namespace gemmscope::layout {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  for (size_t begin = 1, end; (end = line.find('|', begin)) != std::string::npos; begin = end + 1)
    cells.push_back(line.substr(begin, end - begin));
  return cells;
}

// Returns the room of a file such as "drawing/color.h": the longest row that names the file, its stem or a
// folder around it.
std::string room_of(const std::string& file, const RoomMap& map) {
  const std::string stem = file.substr(0, file.rfind('.'));
  if (const auto found = map.room_of_file.find(stem); found != map.room_of_file.end()) return found->second;
  for (std::string folder = file; !folder.empty();) {
    if (map.may_include.count(folder) != 0) return folder;
    const size_t slash = folder.rfind('/');
    folder = slash == std::string::npos ? "" : folder.substr(0, slash);
  }
  return "";
}

struct Wall {
  std::vector<std::string_view> headers;  // that begin so
  std::set<std::string_view> rooms;       // that may include them
  const char* name;
};
const Wall kWalls[] = {
    {{"cuda", "nvrtc", "cublas", "nvml", "cupti"}, {"compile", "gpu_runner"}, "CUDA's"},
    {{"imgui", "GLFW/", "GL/", "EGL/", "glad/"}, {"drawing", "views", "shell"}, "Dear ImGui's or OpenGL's"}};

// Returns the header of `#include <header>` or `#include "header"` with its first delimiter; empty for any
// other line.
std::string included_by(const std::string& line) {
  const size_t hash = line.find_first_not_of(" \t");
  if (hash == std::string::npos || line[hash] != '#') return "";
  const size_t word = line.find_first_not_of(" \t", hash + 1);
  if (word == std::string::npos || line.compare(word, 7, "include") != 0) return "";
  const size_t open = line.find_first_of("<\"", word + 7);
  if (open == std::string::npos) return "";
  const size_t close = line.find(line[open] == '<' ? '>' : '"', open + 1);
  return close == std::string::npos ? "" : line.substr(open, close - open);
}

}  // namespace

RoomMap read_room_map(const fs::path& readme) {
  RoomMap map;
  std::ifstream file(readme);
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() != 3 || line.starts_with("|---") || cells[0] == " room ") continue;
    std::vector<std::string> names = words_of(cells[0]);
    if (names.empty()) continue;
    const std::string room = names[0];
    for (const std::string& other : words_of(cells[2])) map.may_include[room].insert(other);
    map.may_include[room];
    for (size_t i = 1; i < names.size(); ++i) {
      std::string stem = names[i];
      std::erase_if(stem, [](char c) { return c == '(' || c == ')'; });
      map.room_of_file[stem] = room;
    }
  }
  return map;
}

IncludeReport check_includes(const fs::path& app, const RoomMap& map) {
  IncludeReport report;
  std::map<std::string, std::set<std::string>> unused = map.may_include;
  for (const auto& entry : fs::recursive_directory_iterator(app)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".h" && extension != ".cpp" && extension != ".inc" && extension != ".def") continue;
    const std::string file = fs::relative(entry.path(), app).generic_string();
    const std::string from = room_of(file, map);
    if (from.empty()) report.forbidden.push_back(fmt::format("{} is in no room of the map", file));
    std::ifstream source(entry.path());
    int number = 0;
    for (std::string line; std::getline(source, line);) {
      ++number;
      const std::string included = included_by(line);
      if (included.empty()) continue;
      ++report.includes;
      const std::string header = included.substr(1);
      for (const Wall& wall : kWalls)
        for (const std::string_view start : wall.headers)
          if (included[0] == '<' && header.starts_with(start) && wall.rooms.count(from) == 0)
            report.forbidden.push_back(
                fmt::format("{}:{} includes {} header <{}>", file, number, wall.name, header));
      if (included[0] != '"') continue;
      const std::string to = room_of(header, map);
      if (to == from) continue;
      const std::set<std::string>& allowed =
          map.may_include.count(from) != 0 ? map.may_include.at(from) : std::set<std::string>{};
      if (to.empty() || allowed.count(to) == 0)
        report.forbidden.push_back(fmt::format("{}:{} includes \"{}\": the map has no arrow from {} to {}",
                                               file, number, header, from, to.empty() ? "there" : to));
      unused[from].erase(to);
    }
  }
  for (const auto& [room, others] : unused)
    for (const std::string& other : others) report.unused.push_back(room + " -> " + other);
  std::sort(report.forbidden.begin(), report.forbidden.end());
  return report;
}

}  // namespace gemmscope::layout
