// Timings in a JSON file, which one computer writes and any other can show.
//   {"gemmscope_recording": 1, "date": …, "command": …, "source": …, "device": {…}, "runs": [{"m": …, "n": …,
//    "k": …, "l2_flushed": …, "variants": [{"id": …, "samples": [[at_seconds, ms, sm_clock_mhz], …]}, …]}]}
// A run is one problem size. Unknown members are ignored, and missing optional members have the defaults of
// timings.h. Times are rounded to a nanosecond.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "experiment/timings.h"

namespace gemmscope::experiment {

inline constexpr int kRecordingVersion = 1;

// The runs of one file, with the same device, date, command and source.
using Recording = std::vector<Timings>;

// Errors give `name` and the place: line and column, or a member such as runs[0].variants[2].id.
Result<Recording> parse_recording(std::string_view text, std::string_view name);
Result<Recording> read_recording(const std::filesystem::path& path);
// Gives variants of kernels whose number has changed their new id. Returns the changes, a sentence each:
// "06_register_tile is now 07_register_tile".
std::vector<std::string> renumber_kernels(Recording& recording, const catalog::Catalog& catalog);

// Writes one line per variant, so that two recordings can be compared with diff.
std::string recording_text(const Recording& recording);
Result<void> write_recording(const std::filesystem::path& path, const Recording& recording);

// Every .json file of a folder, sorted by name. A file that cannot be read adds an error; the others are
// still returned.
struct RecordingFile {
  std::filesystem::path path;
  Recording recording;
};
struct Recordings {
  std::vector<RecordingFile> files;
  std::vector<Error> errors;
};
Recordings read_recordings(const std::filesystem::path& folder);
std::filesystem::path recordings_folder();  // those that ship with the program

}  // namespace gemmscope::experiment
