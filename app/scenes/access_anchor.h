// Where the cursor is, in terms that outlive the machine code: the source line, the kind of instruction, how
// often its warp had executed it, the wavefront. So a change of a toggle shows the same access again.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "scenes/access_role.h"
#include "scenes/cursor.h"

namespace gemmscope::scenes {

inline constexpr size_t kAnchorLevels = 3;

struct AccessAnchor {
  std::shared_ptr<const experiment::CompiledKernel> compiled;  // whose instruction it is
  uint32_t instruction = 0;
  bool executed = true;      // some lane's guard held
  int warp = 0;              // of the record
  int followed = kAllWarps;  // the warp whose steps were followed
  int wavefront = kAllWavefronts;
  // Executions by the warp before it: of its line and role with the calls around it, of its line and role in
  // the kernel's own file, and of its line and kind there.
  std::array<size_t, kAnchorLevels> earlier{};
  AccessRole role;
  uint32_t pass = 0;           // of the main loop
  size_t earlier_in_pass = 0;  // executions of its role by the warp in that pass
  double fraction = 0;         // of the followed warp's steps
  std::string name;            // "The store of A's tile", "IMAD at 01_naive_rows.cu:40"
};
AccessAnchor anchor_of(const experiment::BlockResult& block, Cursor cursor, int followed);

enum class AnchorMatch : uint8_t {
  same_line,  // the line and the kind; the nearest execution where there are fewer
  same_role,  // another line, or another kernel's
  gone,       // the same fraction of the trace
};
struct Anchored {
  Cursor cursor;
  int followed = kAllWarps;
  AnchorMatch match = AnchorMatch::gone;
};
// Finds the access in another block, which may be of the same kernel's file after an edit, or of another
// kernel. Lines that an edit moved are found again; those of another kernel do not count. `block` has
// records.
Anchored find_anchor(const AccessAnchor& anchor, const experiment::BlockResult& block);
// Finds the same work in the same pass of the main loop, or in the nearest pass that has it, whatever line it
// is on. What has no role, such as address arithmetic, is found as above.
Anchored find_in_pass(const AccessAnchor& anchor, const experiment::BlockResult& block);

// The line after an edit of the file, 1-based; lines within the edited part keep their distance to its start.
int moved_line(const std::vector<std::string>& before, const std::vector<std::string>& after, int line);

}  // namespace gemmscope::scenes
