// Commands of the pipeline view.
#include "catalog/catalog.h"
#include "session/app_commands_parts.h"

namespace gemmscope::session {
namespace {

constexpr const char* kNeedsPipeline = "show the pipeline first; it needs a kernel that can be modelled.";

bool ready(const Workspace& w) { return w.state().pipeline_is_open(); }

struct Simple {
  const char *id, *title, *key;
  void (*run)(Workspace&);
  bool repeats = false;
};

void zoom(Workspace& w, double factor) {
  PipelineState& pipeline = w.state().pipeline;
  pipeline.visible = scenes::zoomed(*w.state().model, pipeline.visible, pipeline.cycle, factor);
}
void pan(Workspace& w, double share) {
  PipelineState& pipeline = w.state().pipeline;
  pipeline.visible = scenes::moved(*w.state().model, pipeline.visible, share * pipeline.visible.length());
}

void show_pass(Workspace& w) {
  PipelineState& pipeline = w.state().pipeline;
  const experiment::BlockStages& stages = w.state().model->stages[pipeline.block];
  const uint32_t pass = scenes::pass_at(stages, pipeline.cycle);
  if (pass + 1 >= stages.pass_begins.size()) return;
  pipeline.visible = scenes::moved(
      *w.state().model,
      {static_cast<double>(stages.pass_begins[pass]), static_cast<double>(stages.pass_begins[pass + 1])}, 0);
}

constexpr double kZoom = 0.5, kPan = 0.25;

constexpr Simple kMoves[] = {
    {"pipeline.next_stall", "To the next stall of the warp", "J", [](Workspace& w) { w.to_stall(true); },
     true},
    {"pipeline.previous_stall", "To the previous stall of the warp", "Shift+J",
     [](Workspace& w) { w.to_stall(false); }, true},
    {"pipeline.to_cause", "To what this step waited for", "Y", [](Workspace& w) { w.to_cause(); }},
    {"pipeline.to_effect", "To the first step that waited for this one", "Shift+Y",
     [](Workspace& w) { w.to_effect(); }},
    {"pipeline.zoom_in", "Zoom in", "=", [](Workspace& w) { zoom(w, kZoom); }, true},
    {"pipeline.zoom_out", "Zoom out", "-", [](Workspace& w) { zoom(w, 1 / kZoom); }, true},
    {"pipeline.pan_right", "Later", "Alt+Right", [](Workspace& w) { pan(w, kPan); }, true},
    {"pipeline.pan_left", "Earlier", "Alt+Left", [](Workspace& w) { pan(w, -kPan); }, true},
    {"pipeline.show_all", "Show the whole wave", "0",
     [](Workspace& w) { w.state().pipeline.visible = scenes::whole_range(*w.state().model); }},
    {"pipeline.show_passes", "Show a few passes", "9",
     [](Workspace& w) {
       w.state().pipeline.visible = scenes::first_range(*w.state().model, w.state().pipeline.block);
     }},
    {"pipeline.show_pass", "Show the pass at the cursor", "8", show_pass},
    {"pipeline.bookmark", "Set or remove a bookmark here", "F", [](Workspace& w) { w.bookmark(); }},
    {"pipeline.next_bookmark", "To the next bookmark", "Alt+Down", [](Workspace& w) { w.to_bookmark(true); }},
    {"pipeline.previous_bookmark", "To the previous bookmark", "Alt+Up",
     [](Workspace& w) { w.to_bookmark(false); }},
};

}  // namespace

void add_pipeline_commands(CommandTable& table, Workspace& w) {
  const auto open = [&w] { return ready(w); };
  add(table, {.id = "pipeline.show",
              .title = "Show the pipeline",
              .category = "Pipeline",
              .key = "I",
              .run = [&w] { w.state().pipeline.open = !w.state().pipeline.open; },
              .checked = [&w] { return w.state().pipeline.open; },
              .description = "Draws the modelled cycles of one wave: stages, warps and pipes."});
  add(table, {.id = "pipeline.wide",
              .title = "Pipeline over the whole window",
              .category = "Pipeline",
              .key = "Shift+I",
              .run =
                  [&w] {
                    PipelineState& pipeline = w.state().pipeline;
                    pipeline.wide = !(pipeline.open && pipeline.wide);
                    pipeline.open = true;
                  },
              .checked = [&w] { return w.state().pipeline.open && w.state().pipeline.wide; }});
  for (const Simple& move : kMoves)
    add(table, {.id = move.id,
                .title = move.title,
                .category = "Pipeline",
                .key = move.key,
                .run = [&w, run = move.run] { run(w); },
                .enabled = open,
                .needs = kNeedsPipeline,
                .repeats = move.repeats});
  add(table, {.id = "pipeline.one_pass",
              .title = "Compare this pass with the mean",
              .category = "Pipeline",
              .key = "Alt+K",
              .run = [&w] { w.state().pipeline.one_pass = !w.state().pipeline.one_pass; },
              .enabled = open,
              .needs = kNeedsPipeline,
              .checked = [&w] { return w.state().pipeline.one_pass; }});
  add(table,
      {.id = "pipeline.align",
       .title = "Align the pinned timeline at the pass, not at the block's start",
       .category = "Pipeline",
       .key = "Alt+I",
       .run = [&w] { w.state().pipeline.align_at_pass = !w.state().pipeline.align_at_pass; },
       .enabled =
           [&w] { return w.state().pinned.side != nullptr && w.state().pinned.side->model != nullptr; },
       .needs = "pin an experiment with a modelled timeline first.",
       .checked = [&w] { return w.state().pipeline.align_at_pass; }});
}

}  // namespace gemmscope::session
