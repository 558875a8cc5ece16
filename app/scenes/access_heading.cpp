#include "scenes/access_heading.h"

#include <fmt/format.h>

#include "scenes/text.h"

namespace gemmscope::scenes {

AccessHeading heading_of(const experiment::BlockResult& block, const ShownAccess& shown, size_t record) {
  const machine::TraceRecord& r = block.trace.records[shown.record];
  AccessHeading heading{instruction_text(*block.compiled, r.instruction),
                        place_text(*block.compiled, r.instruction), ""};
  if (!shown.current) {
    const size_t ago = position_of(block, r.warp, record) - position_of(block, r.warp, shown.record);
    heading.remark = fmt::format("warp {}'s last access, {} step{} ago", r.warp, ago, ago == 1 ? "" : "s");
  }
  return heading;
}

}  // namespace gemmscope::scenes
