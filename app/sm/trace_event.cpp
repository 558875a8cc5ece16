#include "sm/trace_event.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "sm/state.h"

namespace gemmscope::sm {
namespace {

// The process of all tracks. Track 0 has the kernel and the SM.
constexpr int kProcess = 1;

std::string json_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      result += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    else
      result += c;
  }
  return result + '"';
}

class EventWriter {
 public:
  explicit EventWriter(std::ostream& out) : out_(out) {}
  void begin(const SmConfig& config) {
    out_ << fmt::format(
        "{{\"displayTimeUnit\":\"ms\",\"otherData\":{{\"one microsecond is\":\"one cycle\",\"device\":{},"
        "\"clock\":\"{} MHz\",\"times are\":\"modelled\"}},\n\"traceEvents\":[\n",
        json_string(config.name), config.clock_mhz);
  }
  void name(const char* what, int track, std::string_view text) {
    write(fmt::format("{{\"ph\":\"M\",\"pid\":{},\"tid\":{},\"name\":\"{}\",\"args\":{{\"name\":{}}}}}",
                      kProcess, track, what, json_string(text)));
  }
  void sort_index(int track, int index) {
    write(
        fmt::format("{{\"ph\":\"M\",\"pid\":{},\"tid\":{},\"name\":\"thread_sort_index\",\"args\":"
                    "{{\"sort_index\":{}}}}}",
                    kProcess, track, index));
  }
  // `arguments` is the inside of a JSON object.
  void slice(int track, std::string_view name, const char* category, uint64_t begin, uint64_t end,
             std::string_view arguments = {}) {
    write(
        fmt::format("{{\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},\"cat\":\"{}\",\"name\":{},"
                    "\"args\":{{{}}}}}",
                    kProcess, track, begin, end - begin, category, json_string(name), arguments));
  }
  void end() { out_ << "\n]}\n"; }

 private:
  void write(const std::string& event) {
    if (!first_) out_ << ",\n";
    first_ = false;
    out_ << event;
  }
  std::ostream& out_;
  bool first_ = true;
};

uint64_t end_of(const WarpTimeline& warp) {
  return warp.steps.empty() ? warp.start : uint64_t{warp.steps.back().issued} + 1;
}

// A place of a sub-core, which warps take one after the other.
struct Place {
  uint8_t sub_core = 0;
  int index = 0;  // in its sub-core
  std::vector<const WarpTimeline*> warps;
  uint64_t free = 0;
};

std::vector<Place> places_of(const Timeline& timeline) {
  std::vector<const WarpTimeline*> warps;
  for (const WarpTimeline& warp : timeline.warps)
    if (!warp.steps.empty()) warps.push_back(&warp);
  std::ranges::stable_sort(warps, {}, &WarpTimeline::start);
  std::vector<Place> places;
  std::array<int, 256> count{};
  for (const WarpTimeline* warp : warps) {
    auto place = std::ranges::find_if(
        places, [&](const Place& p) { return p.sub_core == warp->sub_core && p.free <= warp->start; });
    if (place == places.end()) {
      places.push_back({warp->sub_core, count[warp->sub_core]++, {}, 0});
      place = places.end() - 1;
    }
    place->warps.push_back(warp);
    place->free = end_of(*warp);
  }
  std::ranges::stable_sort(places, {}, [](const Place& p) { return std::pair(p.sub_core, p.index); });
  return places;
}

std::string step_arguments(const WarpTimeline& warp, size_t k, const TraceEventTexts& texts) {
  const TimelineStep& step = warp.steps[k];
  std::string text =
      fmt::format("\"issued\":{},\"result\":{},\"pass\":{}", step.issued, step.done, step.pass);
  if (step.instruction < texts.places.size() && !texts.places[step.instruction].empty())
    text += ",\"source\":" + json_string(texts.places[step.instruction]);
  const StallCycles cycles = stall_cycles(warp, k);
  for (size_t reason = 0; reason < kStalls; ++reason)
    if (reason != static_cast<size_t>(Stall::selected) && cycles[reason] > 0)
      text += fmt::format(",\"{}\":{}", kStallNames[reason], cycles[reason]);
  return text;
}

void write_warp(EventWriter& writer, int track, const Timeline& timeline, const WarpTimeline& warp,
                const TraceEventTexts& texts) {
  const BlockSpan& block = timeline.blocks[warp.block];
  const uint64_t end = end_of(warp);
  writer.slice(track, fmt::format("block ({}, {}, {})", block.block[0], block.block[1], block.block[2]),
               "block", warp.start, end);
  writer.slice(track, fmt::format("warp {}", warp.warp), "warp", warp.start, end);
  for (size_t k = 0; k < warp.steps.size(); ++k) {
    const TimelineStep& step = warp.steps[k];
    const bool known = step.instruction < texts.instructions.size();
    writer.slice(track, known ? texts.instructions[step.instruction] : "instruction", "instruction",
                 warp.begin_of(k), uint64_t{step.issued} + 1, step_arguments(warp, k, texts));
  }
}

}  // namespace

void write_trace_events(std::ostream& out, const Timeline& timeline, const SmConfig& config,
                        const TraceEventTexts& texts) {
  EventWriter writer(out);
  writer.begin(config);
  const std::vector<Place> places = places_of(timeline);
  uint64_t last = timeline.cycles;
  for (const WarpTimeline& warp : timeline.warps) last = std::max(last, end_of(warp));
  writer.name("process_name", 0, texts.kernel + " on " + config.name + " (modelled)");
  writer.name("thread_name", 0, "kernel");
  writer.sort_index(0, 0);
  writer.slice(0, texts.kernel, "kernel", 0, last);
  writer.slice(0, "SM", "sm", 0, last);
  for (size_t p = 0; p < places.size(); ++p) {
    const int track = static_cast<int>(p) + 1;
    writer.name("thread_name", track,
                fmt::format("sub-core {}, warp slot {}", places[p].sub_core, places[p].index));
    writer.sort_index(track, track);
    writer.slice(track, texts.kernel, "kernel", 0, last);
    writer.slice(track, "SM", "sm", 0, last);
    for (const WarpTimeline* warp : places[p].warps) write_warp(writer, track, timeline, *warp, texts);
  }
  writer.end();
}

}  // namespace gemmscope::sm
