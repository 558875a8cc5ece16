// Where the window puts the files that it makes: scenes, pictures, tables.
#pragma once

#include <filesystem>

namespace gemmscope::session {

// The user's Documents folder, as xdg-user-dirs names it: XDG_DOCUMENTS_DIR in
// $XDG_CONFIG_HOME/user-dirs.dirs (else ~/.config), else of the environment. Where there is no such folder:
// the home folder, else the current one. A program that a menu starts has no folder of the user's otherwise.
std::filesystem::path documents_folder();

}  // namespace gemmscope::session
