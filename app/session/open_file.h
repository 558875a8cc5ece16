// Which files the Open panel offers: completions of what is typed, and those that were opened before.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gemmscope::session {

// Completes `typed` (a path; "~" is the home folder) to folders, with a "/" at their end, and .cu and .cuh
// files, sorted by name and spelled as the user began. Hidden ones are listed only after a typed dot. Returns
// at most `most`.
std::vector<std::string> complete_path(const std::string& typed, size_t most);
// The longest common prefix of `completions`.
std::string common_start(const std::vector<std::string>& completions);
// "~/a.cu" -> "/home/me/a.cu".
std::filesystem::path path_from_typed(const std::string& typed);

// $XDG_STATE_HOME/gemmscope/recent, else ~/.local/state/gemmscope/recent (XDG Base Directory Specification):
// one path a line, the newest first. Files that no longer exist are left out.
std::vector<std::string> recent_files();
// Puts `path` first. Failing to write the list is not an error: it is a convenience.
void remember_file(const std::filesystem::path& path);

}  // namespace gemmscope::session
