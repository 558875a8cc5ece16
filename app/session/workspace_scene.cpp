// Scenes: saving what is shown, and showing what was saved.
#include "own_kernel/open_kernel.h"
#include "session/workspace.h"

namespace gemmscope::session {

Result<void> Workspace::open_scene(const SavedScene& scene) {
  experiment::Experiment next = scene.experiment;
  if (!scene.source.empty()) {
    auto kernel = own_kernel::open_kernel_text(next.kernel + ".cu", scene.source, scene.overrides);
    if (!kernel) return tl::unexpected(kernel.error());
    add_kernel(*std::move(kernel));
  } else if (catalog_.find(next.kernel) == nullptr) {
    const catalog::Kernel* renumbered = catalog_.find_renumbered(next.kernel);
    if (renumbered == nullptr)
      return fail("The scene shows \"{}\", which is no kernel of this version.", next.kernel);
    next.kernel = renumbered->id;
  }
  pause();
  stop_show_me();
  if (!scene.lesson.empty()) {
    if (auto opened = open_page_named(scene.lesson); !opened) return opened;
    state_.lesson.commands.clear();  // the scene says where the cursor is
    state_.lesson.begins = state_.lesson.reveals = false;
  }
  saved_place_ = scene.place;
  const bool shown = next == state_.experiment && state_.has_trace() && !state_.failure;
  set_experiment(next);
  state_.picture = scene.picture;
  state_.picture_of = next.kernel;
  state_.pipeline.open = scene.pipeline;
  state_.timings.visible = scene.timings;
  state_.lattice.visible = scene.lattice;
  if (shown) restore_place();
  return {};
}

void Workspace::restore_place() {
  if (!saved_place_ || !state_.has_trace()) return;
  const SavedPlace place = *std::exchange(saved_place_, std::nullopt);
  const auto warps = static_cast<int>(state_.block->warp_records.size());
  follow(place.followed < warps ? place.followed : 0);
  seek(find_place(place, *state_.block));
}

}  // namespace gemmscope::session
