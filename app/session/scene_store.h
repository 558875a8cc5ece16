// Scenes on disk.
#pragma once

#include <filesystem>

#include "session/scene_file.h"

namespace gemmscope::session {

inline constexpr std::string_view kSceneExtension = ".gemmscope";

// A path of a scene's file, or a link. Errors: those of the file and of the scene.
Result<SavedScene> read_scene(const std::string& path_or_link);
// A path in the folder that no file has: "NAME.END", or "NAME 2.END".
std::filesystem::path fresh_path(const std::filesystem::path& folder, const std::string& name,
                                 std::string_view end);
// Writes a new file, "KERNEL.gemmscope" or "KERNEL 2.gemmscope", into the folder; never over another. Gives
// its path.
Result<std::filesystem::path> save_scene(const SavedScene& scene, const std::filesystem::path& folder);

}  // namespace gemmscope::session
