// What the user asked to export, and what of it is being written. The shell does it (shell/exporter.h).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace gemmscope::session {

enum class ExportKind : uint8_t { png, svg, csv, json, clipboard, frames, gif, mp4 };
inline constexpr int kExportKinds = 8;
inline bool is_range(ExportKind kind) {
  return kind == ExportKind::frames || kind == ExportKind::gif || kind == ExportKind::mp4;
}
inline bool is_table(ExportKind kind) { return kind == ExportKind::csv || kind == ExportKind::json; }

// What the cursor moves by, from picture to picture.
enum class RangeUnit : uint8_t { steps, accesses, cycles };
inline constexpr const char* kRangeUnitNames[] = {"steps", "accesses", "cycles"};

struct ExportRange {
  RangeUnit unit = RangeUnit::steps;
  int64_t first = 0, last = 0;  // inclusive, from 0
  int64_t every = 1;
  int64_t count() const { return last < first ? 0 : (last - first) / every + 1; }
};
inline constexpr int64_t kMostFrames = 10'000;

struct ExportWish {
  ExportKind kind = ExportKind::png;
  std::string panel;  // its id (shell/panel.h); empty: the whole window
  ExportRange range;
  int frames_per_second = 10;
};

struct ExportState {
  bool show_dialog = false;
  std::optional<ExportWish> wish;  // to be begun
  // ---- of what is written now
  std::string running;  // the file's name; empty: nothing
  int64_t done = 0, of = 0;
  bool cancel = false;
};

// A scene that a window left that was not closed: the next one offers to restore it.
struct LeftOffer {
  std::string sentence;
  std::function<void(bool restore)> answer;
};

}  // namespace gemmscope::session
