// Writes a timeline as Chrome trace events, which Perfetto (ui.perfetto.dev) and chrome://tracing open.
//
// Format: "Trace Event Format", JSON object form, complete events ("ph":"X"). One microsecond there is one
// cycle here, since the format has no cycles; the file says so. Slices nest: kernel, SM, block, warp,
// instruction. A track is a place for a warp in a sub-core; an instruction's slice begins when its warp
// begins to wait for it, and its arguments say how many cycles it waited and why.
#pragma once

#include <ostream>
#include <span>
#include <string>

#include "sm/config.h"
#include "sm/timeline.h"

namespace gemmscope::sm {

struct TraceEventTexts {
  std::string kernel;                         // "07_register_tile"
  std::span<const std::string> instructions;  // the disassembly, by index into the code
  std::span<const std::string> places;        // "file.cu:12"; as many, or none
};

// Writes event by event, so that memory does not grow with the timeline. The stream's state tells of errors.
void write_trace_events(std::ostream& out, const Timeline& timeline, const SmConfig& config,
                        const TraceEventTexts& texts);

}  // namespace gemmscope::sm
