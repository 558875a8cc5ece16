// Where the program's own files are.
#pragma once

#include <filesystem>
#include <string_view>

namespace gemmscope::catalog {

// The folder that holds kernels/, assets/ and shaders/: `chosen` unless it is empty, else share/gemmscope in
// the program's folder (a build, in which CMake links them to the sources), else share/gemmscope beside the
// program's folder (an installation: bin/ and share/). Where there is none it returns the last, for messages.
// No folder is built into the program, so an unpacked or moved one never reads another's files.
std::filesystem::path find_data_folder(std::string_view chosen, const std::filesystem::path& program);

// Fonts of the folder to unpack, for computers without them; it need not exist. The other folders: catalog.h.
std::filesystem::path fonts_folder();

}  // namespace gemmscope::catalog
