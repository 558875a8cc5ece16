#include "views/code_edit_strip.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

#include "drawing/canvas.h"
#include "drawing/session.h"
#include "drawing/widgets.h"
#include "isa/disassemble.h"
#include "scenes/changed_code_scene.h"
#include "views/command_hint.h"

namespace gemmscope::views {
namespace {

using drawing::AlignX;
using drawing::AlignY;
using drawing::Canvas;
using drawing::color;
using drawing::FontRole;
using drawing::px;
using drawing::Rect;
using drawing::Role;

constexpr FontRole kFont = FontRole::small;

// Places words one after the other and begins a new line where one does not fit. Without a canvas it only
// measures.
class Flow {
 public:
  Flow(Canvas* canvas, float width) : canvas_(canvas), width_(width) {}

  float height() const { return left_ > 0 ? top_ + line_height() : std::max(0.0f, top_ - px(4)); }
  void new_line() {
    if (left_ > 0) top_ += line_height() + px(4);
    left_ = 0;
  }
  // What follows stays together in one line, as far as `points` are enough for it.
  void keep_together(float points) {
    if (left_ + px(points) > width_) new_line();
  }
  void gap() { left_ += left_ > 0 ? px(10) : 0; }

  void word(std::string_view text, Role role, std::string_view hint = {}) {
    const Rect place = take(drawing::text_width(kFont, drawing::shown_text(text, kFont)) + px(2));
    left_ += px(4);
    if (canvas_ == nullptr) return;
    canvas_->text(place, text, color(role), {kFont, AlignX::left, AlignY::center});
    if (!hint.empty() && canvas_->hovered() && place.contains(canvas_->mouse())) drawing::tooltip(hint);
  }
  void badge(std::string_view text, Role role) {
    const Rect place = take(drawing::text_width(kFont, drawing::shown_text(text, kFont)) + px(14));
    if (canvas_ == nullptr) return;
    canvas_->fill_round_rect(place, color(role), px(4));
    canvas_->text(place, text, drawing::readable_on(color(role)), {kFont, AlignX::center, AlignY::center});
  }
  // Returns true when it was pressed.
  bool button(std::string_view text, std::string_view name, bool on, bool enabled, std::string_view key) {
    const Rect place = take(drawing::text_width(kFont, drawing::shown_text(text, kFont)) + px(14));
    if (canvas_ == nullptr) return false;
    const bool hovered = canvas_->hovered() && place.contains(canvas_->mouse());
    canvas_->fill_round_rect(place,
                             color(hovered && enabled ? Role::control_hover
                                   : on               ? Role::accent_subtle
                                                      : Role::control),
                             px(5));
    canvas_->text(place, text, enabled ? color(Role::text) : drawing::faint_text(),
                  {kFont, AlignX::center, AlignY::center});
    if (hovered) drawing::tooltip(name, key);
    return canvas_->spot(place, name, enabled).pressed;
  }

 private:
  static float line_height() { return std::round(drawing::line_height(kFont) + px(6)); }
  Rect take(float width) {
    width = std::min(std::ceil(width), width_);
    if (left_ > 0 && left_ + width > width_) new_line();
    const Rect place{left_, top_, left_ + width, top_ + line_height()};
    left_ += width + px(5);
    return place;
  }

  Canvas* canvas_;
  float width_, left_ = 0, top_ = 0;
};

// Of the compiler's code, if it is pinned beside this one.
std::optional<double> modelled_original(const session::ViewState& state) {
  const session::ViewState* const side = state.pinned.side.get();
  if (side == nullptr || side->modelled_time == nullptr) return std::nullopt;
  experiment::Experiment original = state.experiment;
  original.changes = {};
  original.block = side->experiment.block;
  return side->experiment == original ? std::optional(side->modelled_time->milliseconds) : std::nullopt;
}

scenes::ChangedCodeScene changed_code_of(const session::ViewState& state) {
  scenes::ChangedCodeInput input{state.compiled.get(), nullptr, modelled_original(state), {}};
  const auto& bits = state.code_edit.bits;
  if (bits != nullptr && bits->compiled == state.compiled) input.bits = bits.get();
  if (state.modelled_time != nullptr && state.block != nullptr && state.block->compiled == state.compiled)
    input.modelled_ms = state.modelled_time->milliseconds;
  return scenes::changed_code_scene(input);
}

struct Drawn {
  const session::ViewState& state;
  session::Requests* requests;  // null while it is measured
  Flow& flow;

  void command(const char* text, const char* id, bool on = false) const {
    if (flow.button(text, command_title(state, id), on, command_enabled(state, id), command_key(state, id)))
      requests->command = id;
  }

  void facts() const {
    const scenes::ChangedCodeScene scene = changed_code_of(state);
    if (!scene.name.empty()) {
      flow.badge(scene.name, scene.broken ? Role::error : Role::modelled);
      flow.gap();
      for (const scenes::ChangedFact& fact : scene.facts) {
        flow.word(fact.text, fact.role, fact.hint);
        flow.gap();
      }
      flow.new_line();
    }
    if (state.code_edit.refused.empty()) return;
    flow.word("Not changed:", Role::warning);
    flow.word(state.code_edit.refused, Role::warning, state.code_edit.refused);
    flow.new_line();
  }

  void buttons() const {
    const std::optional<uint32_t> at = session::edited_instruction(state);
    command(state.experiment.changes.scheduled ? "compiler's order" : "schedule the loop", "code.schedule",
            state.experiment.changes.scheduled);
    command("undo", "experiment.undo");
    command("redo", "experiment.redo");
    command("compiler's code", "code.compilers");
    flow.gap();
    if (!at) return flow.word("Click an instruction to change it.", Role::text_dim);
    const isa::Instruction& instruction = state.compiled->instructions[*at];
    flow.word(fmt::format("{:#06x} {}", instruction.address, isa::mnemonic_text(instruction)),
              Role::text_strong);
    command("up", "code.move_up");
    command("down", "code.move_down");
    flow.gap();
    flow.keep_together(130);
    flow.word("reuse", Role::text_dim);
    const char* const slots[] = {"a", "b", "c"};
    const char* const ids[] = {"code.reuse_a", "code.reuse_b", "code.reuse_c"};
    for (uint8_t slot = 0; slot < 3; ++slot) {
      const auto operands = std::span(instruction.operands).first(instruction.operand_count);
      command(slots[slot], ids[slot], std::ranges::any_of(operands, [&](const isa::Operand& operand) {
                return operand.slot == slot && operand.reuse;
              }));
    }
    flow.gap();
    flow.keep_together(110);
    flow.word("stall", Role::text_dim);
    command("\u2212", "code.stall_less");
    flow.word(std::to_string(instruction.control.stall_cycles), Role::text_strong);
    command("+", "code.stall_more");
    flow.gap();
    command("yield", "code.yield", instruction.control.yield);
    command("mend", "code.mend");
  }

  void all() const {
    facts();
    if (state.code_edit.open) buttons();
  }
};

}  // namespace

void draw_code_edit_strip(const session::ViewState& state, session::Requests& requests) {
  if (state.compiled == nullptr) return;
  const bool changed = state.compiled->changed != nullptr && state.compiled->changed->refused.empty();
  if (!changed && state.code_edit.refused.empty() && !state.code_edit.open) return;
  const float width = ImGui::GetContentRegionAvail().x;
  Flow measured(nullptr, width);
  Drawn{state, nullptr, measured}.all();
  Canvas canvas("code changes", {width, measured.height() + px(2)});
  Flow flow(&canvas, width);
  Drawn{state, &requests, flow}.all();
}

}  // namespace gemmscope::views
