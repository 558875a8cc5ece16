// Which files the Open panel offers: completions of what is typed, and those that were opened before.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gemmscope::session {

// What continues `typed` (a path; "~" is the home folder): folders, with a "/" at their end, and .cu files,
// in the order of their names, spelled as the user began. Hidden ones only where a dot is typed. At most
// `most`.
std::vector<std::string> complete_path(const std::string& typed, size_t most);
// The longest text that all of `completions` begin with.
std::string common_start(const std::vector<std::string>& completions);
// "~/a.cu" -> "/home/me/a.cu".
std::filesystem::path path_from_typed(const std::string& typed);

// $XDG_STATE_HOME/gemmscope/recent, else ~/.local/state/gemmscope/recent (XDG Base Directory Specification):
// a path a line, the newest first. Files that are gone are left out.
std::vector<std::string> recent_files();
// Puts `path` first. A list that cannot be written is no error: it is a convenience.
void remember_file(const std::filesystem::path& path);

}  // namespace gemmscope::session
