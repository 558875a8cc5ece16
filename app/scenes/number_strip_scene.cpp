#include "scenes/number_strip_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "scenes/figure_names.h"
#include "scenes/text.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;
using drawing::Role;

constexpr float kFactorDigits = 6;     // "\u00d71.004"
constexpr float kScopePoints = 66;     // the first cell, at least
constexpr float kScopeDigits = 9.2f;   // the width of its words
constexpr float kLetterShare = 0.8f;   // letters are narrower than digits
constexpr float kWideLetter = 0.6f;    // but for W: by so many digits more
constexpr float kPaddingPoints = 4.5;  // on both sides of a cell

struct Column {
  const char *label, *short_label, *least_label;  // the least one only where a factor needs the room
  const char* meaning;
  float digits;  // of its longest change, written as briefly as it can be: "67.6\u219252.2 k"
  KeyNumber number;
  bool starts_group;
};
constexpr Column kColumns[kKeyNumbers] = {
    {"Warp instructions", "Instructions", "Instr.", "Instructions that warps executed", 12,
     KeyNumber::warp_instructions, true},
    {"FLOPs", "FLOPs", "FLOPs", "2 FFMA + FADD + FMUL, counted per thread, plus 2 m n k of each HMMA", 12,
     KeyNumber::flops, true},
    {"Port cycles / FFMA", "Ports", "Ports",
     "Cycles of the busier register bank for an FFMA of the main loop, from the machine code: 1 is ideal", 9,
     KeyNumber::port_cycles, true},
    {"Global sectors", "Sectors", "Sectors",
     "32-byte sectors of loads, stores, asynchronous copies and atomics", 12, KeyNumber::global_sectors,
     true},
    {"excess", "excess", "excess", "Sectors beyond those that the same bytes would fill side by side", 12,
     KeyNumber::excess_sectors, false},
    {"Shared wavefronts", "Wavefronts", "Wavefr.",
     "Passes through the banks that loads, stores, asynchronous copies and matrix loads take", 13,
     KeyNumber::wavefronts, true},
    {"excess", "excess", "excess", "Bank conflicts: wavefronts beyond what the accesses need", 13,
     KeyNumber::excess_wavefronts, false},
    {"Registers", "Regs", "Regs", "32-bit registers that each thread holds", 9, KeyNumber::registers, true},
    {"Spills", "Spills", "Spills",
     "Bytes of registers that a thread stores to local memory, plus bytes that it loads back", 11,
     KeyNumber::spills, true},
    {"Blocks / SM", "Blk/SM", "Blk/SM", "Blocks that an SM holds at once", 7, KeyNumber::blocks_per_sm, true},
    {"Time", "Time", "Time", "Time of a launch", 18, KeyNumber::time, true},
};

std::string time_of_digits(double milliseconds, int digits) {
  const bool micro = milliseconds < 0.9995;
  const double value = micro ? milliseconds * 1e3 : milliseconds;
  const int decimals = (value < 9.995 ? 2 : value < 99.95 ? 1 : 0) + digits - 3;
  return fmt::format("{:.{}f} {}", value, decimals, micro ? "\u00b5s" : "ms");
}

std::string full_text(KeyNumber number, double value) {
  switch (number) {
    case KeyNumber::flops:
      return short_number(value);
    case KeyNumber::spills:
      return short_bytes(static_cast<uint64_t>(value));
    case KeyNumber::time:
      return time_text(value);
    case KeyNumber::port_cycles:
      return fmt::format("{:.2f}", value);
    default:
      return grouped(static_cast<uint64_t>(value));
  }
}

bool is_count(KeyNumber number) {
  return number != KeyNumber::spills && number != KeyNumber::time && number != KeyNumber::port_cycles;
}

std::string brief_text(KeyNumber number, double value) {
  if (is_count(number)) return short_number(value);
  const bool large_spill = number == KeyNumber::spills && value >= 1000;
  return large_spill ? fmt::format("{:.1f} KB", value / 1024) : full_text(number, value);
}

// With a digit more, for a change that three do not show: "1.216 M".
std::string precise_text(KeyNumber number, double value) {
  if (number == KeyNumber::time) return time_of_digits(value, 4);
  if (!is_count(number) || value < 9999.5) return full_text(number, value);
  const auto& [size, suffix] = value < 999'950         ? std::pair{1e3, "k"}
                               : value < 999'950'000.0 ? std::pair{1e6, "M"}
                                                       : std::pair{1e9, "G"};
  const double scaled = value / size;
  return fmt::format("{:.{}f} {}", scaled, scaled < 9.9995 ? 3 : scaled < 99.995 ? 2 : 1, suffix);
}

constexpr const char* kLeast = "\u2265";  // before a value that may be larger

size_t characters(const std::string& text) {
  return static_cast<size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0u) != 0x80; }));
}

// "67.6\u219252.2 k": a unit of both values is written once, where there is no room for two.
std::string without_unit_of(const std::string& before, const std::string& now) {
  const size_t old_space = before.find(' '), space = now.find(' ');
  const bool same = old_space != std::string::npos && space != std::string::npos &&
                    before.substr(old_space) == now.substr(space);
  return same ? before.substr(0, old_space) : before;
}

std::string without_spaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

// The longest way of writing the change that has room.
void write_values(NumberCell& cell, const KeyChange& change, size_t room) {
  if (!change.now) {
    cell.value = "\u2013";  // not known, or does not apply
    return;
  }
  const std::string least = change.now_is_least ? kLeast : "",
                    was_least = change.before_is_least ? kLeast : "";
  const std::string full = least + full_text(cell.number, *change.now),
                    brief = least + brief_text(cell.number, *change.now);
  cell.value = characters(full) <= room ? full : brief;
  if (!change.changed()) return;
  const auto write = [&](const std::string& before, const std::string& now) {
    if (characters(before + now) > room) return false;
    cell.before = before;
    cell.value = now;
    return true;
  };
  // Without spaces, then with a unit of both written once: "336 \u2192 172 k" reads like a large rise.
  const auto write_briefly = [&](const std::string& before, const std::string& now) {
    const std::string shared = without_unit_of(before, now);
    return write(before + " \u2192 ", now) || write(without_spaces(before) + "\u2192", without_spaces(now)) ||
           (shared != before &&
            (write(shared + "\u2192", now) || write(shared + "\u2192", without_spaces(now))));
  };
  const double now = *change.now, before = *change.before;
  const auto differ = [&](const auto& text) { return text(cell.number, before) != text(cell.number, now); };
  if (differ(full_text) && write(was_least + full_text(cell.number, before) + " \u2192 ", full)) return;
  if (differ(brief_text) && write_briefly(was_least + brief_text(cell.number, before), brief)) return;
  // A change that four digits do not show either is none to look at.
  const bool counts = !factor_text(change).empty() || change.now_is_least || change.before_is_least;
  if (counts && differ(precise_text) &&
      write_briefly(was_least + precise_text(cell.number, before), least + precise_text(cell.number, now)))
    return;
  if (counts && differ(full_text)) (void)write("\u2192 ", cell.value);
}

Role role_of_value(KeyNumber number, const KeyChange& change) {
  if (!change.now) return Role::text_dim;
  switch (number) {
    case KeyNumber::excess_sectors:
      return *change.now > 0 ? Role::warning : Role::ok;
    case KeyNumber::excess_wavefronts:
      return *change.now > 0 ? Role::conflict : Role::ok;
    case KeyNumber::spills:
      return *change.now > 0 ? Role::warning : Role::text_strong;
    default:
      return Role::text_strong;
  }
}

// The model's time of the device that the shown time was taken on; null: that one is modelled, or no other
// is.
const KeyTime* modelled_beside(const KeyNumbers& now) {
  if (!now.time || now.time->provenance == experiment::Provenance::modelled) return nullptr;
  for (const KeyTime& time : now.other_times)
    if (time.provenance == experiment::Provenance::modelled && time.device == now.time->device) return &time;
  return nullptr;
}

std::string error_text(const KeyTime& modelled, const KeyTime& taken) {
  return fmt::format("{:+.1f} %", 100 * (modelled.ms / taken.ms - 1));
}

// The longest way of naming the modelled time that has room behind the value, in small letters.
std::string beside_text(const KeyNumbers& now, const NumberCell& cell, float room,
                        const NumberStripMetrics& m) {
  const KeyTime* const modelled = modelled_beside(now);
  if (modelled == nullptr) return "";
  room -= static_cast<float>(characters(cell.before + cell.value) + 2) * m.value_width;
  const std::string error = error_text(*modelled, *now.time), time = time_text(modelled->ms);
  for (std::string text : {fmt::format("modelled {} {}", time, error), fmt::format("model {}", error)})
    if (static_cast<float>(characters(text)) * kLetterShare * m.screen.digit_width <= room) return text;
  return "";
}

// "1.02 ms, recorded on NVIDIA H200, 2026-11-22"
std::string sentence_of(const KeyTime& time) {
  return fmt::format("{}, {} on {}{}{}", time_text(time.ms), experiment::provenance_name(time.provenance),
                     time.device, time.date.empty() ? "" : ", ", time.date);
}

std::string hint_of(const Column& column, const KeyNumbers& now, const KeyChange& change) {
  const std::string nsight = nsight_line(figure_name(column.number));
  std::string hint = fmt::format("{}\n{}", column.meaning, nsight);
  if (column.number == KeyNumber::time) {
    hint = "No time is measured, recorded or modelled for this kernel at this size.";
    if (now.time)
      hint = fmt::format("Time of all launches, {} on {}{}{}\n{}",
                         experiment::provenance_name(now.time->provenance), now.time->device,
                         now.time->date.empty() ? "" : ", ", now.time->date, nsight);
    for (const KeyTime& other : now.other_times) hint += "\n" + sentence_of(other);
    if (const KeyTime* const modelled = modelled_beside(now))
      hint += "\nThe model's error: " + error_text(*modelled, *now.time);
  }
  if (change.now_is_least)
    hint +=
        "\nAt least so many: asynchronous copies write when their bytes arrive, and a GPU counts more where "
        "they come in pieces. Lanes that copy zeros, or what another lane copies, are left out.";
  if (change.changed())
    hint += fmt::format("\nBefore {}, now {}", full_text(column.number, *change.before),
                        full_text(column.number, *change.now));
  return hint;
}

// In which a change and its factor have room.
float least_width(const Column& column, const NumberStripMetrics& m) {
  const float label = static_cast<float>(characters(column.least_label)) * kLetterShare + kFactorDigits;
  constexpr float kRounding = 1;  // of both edges
  return std::max(column.digits * m.value_width, label * m.screen.digit_width) +
         2 * kPaddingPoints * m.screen.scale + kRounding;
}

float scope_width(const NumberStripMetrics& m) {
  return std::round(std::max(kScopePoints * m.screen.scale, kScopeDigits * m.screen.digit_width));
}

class Layout {
 public:
  Layout(const KeyNumbers& now, const KeyNumbers* before, const NumberStripMetrics& metrics)
      : now_(now), before_(before), m_(metrics) {}

  void row(NumberStrip& strip, std::span<const Column> columns, Rect area) {
    float least = 0;
    for (const Column& column : columns) least += least_width(column, m_);
    float left = area.left;
    for (const Column& column : columns) {
      const float right = left + area.width() * least_width(column, m_) / least;
      strip.cells.push_back(cell(column, {std::round(left), area.top, std::round(right), area.bottom}));
      left = right;
    }
  }

 private:
  NumberCell cell(const Column& column, Rect rect) const {
    const KeyChange change = change_of(column.number, now_, before_);
    NumberCell cell{.number = column.number,
                    .rect = rect,
                    .label_rect = {},
                    .factor_rect = {},
                    .value_rect = {},
                    .label = {},
                    .factor = factor_text(change),
                    .before = {},
                    .value = {},
                    .beside = {},
                    .value_role = role_of_value(column.number, change),
                    .factor_role = Role::text_dim,
                    .starts_group = column.starts_group,
                    .hint = hint_of(column, now_, change)};
    Rect inner = rect.inset(std::min(kPaddingPoints * m_.screen.scale, rect.width() * 0.08f), 0);
    cell.label_rect = inner.cut_top(m_.screen.small_height);
    cell.value_rect = {inner.left, inner.top, rect.right, inner.top + m_.value_height};
    if (const int verdict = verdict_of(column.number, change); verdict != 0)
      cell.factor_role = verdict > 0 ? Role::ok : Role::warning;
    const float width = cell.label_rect.width();
    const float factor_width = static_cast<float>(characters(cell.factor)) * m_.screen.digit_width;
    if (!cell.factor.empty()) {
      cell.label = label(column, width - factor_width);
      const std::string least = column.number == KeyNumber::time ? "" : column.least_label;
      if (cell.label.empty() && label_width(least) <= width - factor_width) cell.label = least;
    }
    if (cell.label.empty()) {  // no factor, or no room for it beside any label
      cell.factor.clear();
      cell.label = label(column, width);
      if (cell.label.empty()) cell.label = brief_label(column);
    }
    cell.factor_rect = cell.label_rect.cut_right(cell.factor.empty() ? 0 : factor_width);
    const auto room = static_cast<size_t>(inner.width() / m_.value_width);
    write_values(cell, change, room);
    if (column.number == KeyNumber::time) cell.beside = beside_text(now_, cell, inner.width(), m_);
    return cell;
  }

  // What kind of time it is, is never left out.
  std::string brief_label(const Column& column) const {
    return column.number == KeyNumber::time && now_.time ? experiment::provenance_name(now_.time->provenance)
                                                         : column.short_label;
  }

  float label_width(const std::string& text) const {
    const auto wide = static_cast<float>(std::ranges::count(text, 'W'));
    return (static_cast<float>(characters(text)) * kLetterShare + wide * kWideLetter) * m_.screen.digit_width;
  }

  // The longest label that has room; empty where none has.
  std::string label(const Column& column, float room) const {
    const std::string brief = brief_label(column);
    const std::string full =
        column.number == KeyNumber::time && now_.time ? "Time, " + brief : std::string(column.label);
    const auto fits = [&](const std::string& text) { return label_width(text) <= room; };
    return fits(full) ? full : fits(brief) ? brief : "";
  }

  const KeyNumbers& now_;
  const KeyNumbers* before_;
  const NumberStripMetrics& m_;
};

bool has_one_row(float width, const NumberStripMetrics& m) {
  float least = scope_width(m);
  for (const Column& column : kColumns) least += least_width(column, m);
  return width >= least;
}

float row_height(const NumberStripMetrics& m) { return m.screen.small_height + m.value_height; }

}  // namespace

std::string time_text(double milliseconds) { return time_of_digits(milliseconds, 3); }

float number_strip_height(float width, const NumberStripMetrics& metrics) {
  const float rows = has_one_row(width, metrics) ? 1 : 2;
  return std::ceil(rows * row_height(metrics) + (rows - 1) * 4 * metrics.screen.scale);
}

NumberStrip layout_number_strip(const KeyNumbers& now, const KeyNumbers* before, Rect area,
                                const NumberStripMetrics& metrics) {
  NumberStrip strip;
  const KeyCounts* const counts = now.counts();
  strip.scope = counts == nullptr ? "" : now.grid ? "whole grid" : "this block";
  strip.provenance = counts == nullptr ? "counting\u2026" : "exact";
  strip.scope_rect = area.cut_left(scope_width(metrics));
  Layout layout(now, before, metrics);
  const std::span<const Column> columns(kColumns);
  const float width = area.width() + strip.scope_rect.width();
  if (has_one_row(width, metrics)) {
    layout.row(strip, columns, area);
    return strip;
  }
  constexpr size_t kFirstRow = 5;  // down to the excess of sectors
  Rect second = area;
  const Rect first = second.cut_top(row_height(metrics));
  second.cut_top(4 * metrics.screen.scale);
  layout.row(strip, columns.first(kFirstRow), first);
  layout.row(strip, columns.subspan(kFirstRow), second);
  return strip;
}

const NumberCell* number_cell_at(const NumberStrip& strip, drawing::Point point) {
  const auto found =
      std::ranges::find_if(strip.cells, [&](const NumberCell& cell) { return cell.rect.contains(point); });
  return found == strip.cells.end() ? nullptr : &*found;
}

}  // namespace gemmscope::scenes
