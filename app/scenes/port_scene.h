// The picture of the register ports: instructions around the cursor, a row each, with what enters each
// operand slot, what each of the two banks reads in which cycle, and what the reuse cache holds before the
// cursor's. A bank that gives a second register takes a second cycle. Neighbours can leave it the time; where
// they do not, the instruction waits.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "drawing/geometry.h"
#include "drawing/palette.h"
#include "experiment/results.h"
#include "metrics/loop_ports.h"
#include "scenes/scene_metrics.h"

namespace gemmscope::scenes {

drawing::Role bank_role(int bank);

enum class PortCellKind : uint8_t {
  read,    // a slot's register, read from its bank
  cached,  // a slot's register, from the reuse cache or from another slot of the instruction
  port,    // a bank's read in its first cycle
  extra,   // a bank's read in a later cycle
  kept,    // an entry of the reuse cache
  empty,   // an entry of the reuse cache without a register
};
struct PortCell {
  drawing::Rect rect;
  PortCellKind kind = PortCellKind::read;
  int bank = 0;
  std::string text;      // "R12"
  bool flagged = false;  // .reuse: the cache keeps it
  bool serves = false;   // an entry that the cursor's instruction finds
};
struct PortRow {
  drawing::Rect rect, text_rect, cycles_rect;
  uint32_t instruction = 0;
  bool current = false;
  bool cache = false;  // the row of the reuse cache, above the cursor's instruction
  std::string text;    // the instruction
  std::string cycles;  // "2", or "2 +1" where a cycle is lost; empty where it reads nothing at issue
  bool waits = false;  // it loses a cycle
};
struct PortHead {
  drawing::Rect rect;
  std::string text;
};
struct PortFigure {
  std::string value, label;
  bool bad = false;
};
struct PortScene {
  std::vector<PortHead> heads;  // of the columns: A, B, C, bank 0, bank 1
  std::vector<PortRow> rows;
  std::vector<PortCell> cells;
  drawing::Rect sentence_rect;
  std::string title, sentence;      // of the cursor's instruction
  std::vector<PortFigure> figures;  // of its loop, the most important first
};
PortScene layout_ports(const experiment::CompiledKernel& compiled, uint32_t instruction, drawing::Rect area,
                       const SceneMetrics& metrics);
const PortRow* port_row_at(const PortScene& scene, drawing::Point point);

// What the ports do to an instruction, in sentences.
std::string port_text(const metrics::InstructionPorts& ports);
// The innermost loop around the instruction, or null.
const metrics::LoopPorts* loop_around(const metrics::KernelPorts& ports, uint32_t instruction);

}  // namespace gemmscope::scenes
