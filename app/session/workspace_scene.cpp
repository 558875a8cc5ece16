// Scenes: saving what is shown, and showing what was saved.
#include "own_kernel/open_kernel.h"
#include "session/device_choice.h"
#include "session/workspace.h"

namespace gemmscope::session {

// Adds the kernel's text to the catalogue, or gives the kernel its name of this version. Returns true where
// a text is new.
Result<bool> Workspace::add_saved_kernel(SavedExperiment& saved) {
  std::string& name = saved.experiment.kernel;
  if (!saved.source.empty()) {
    auto kernel = own_kernel::open_kernel_text(name + ".cu", saved.source, saved.overrides);
    if (!kernel) return tl::unexpected(kernel.error());
    // A kernel of the catalogue keeps its name: the text of a scene does not stand in for it.
    if (const catalog::Kernel* own = catalog_.find(kernel->id); own != nullptr && !own->opened)
      kernel->id += "_of_the_scene";
    name = kernel->id;
    const catalog::Kernel* known = catalog_.find(name);
    const bool is_new = known == nullptr || known->source != kernel->source;
    add_kernel(*std::move(kernel));
    return is_new;
  }
  if (catalog_.find(name) != nullptr) return false;
  const catalog::Kernel* renumbered = catalog_.find_renumbered(name);
  if (renumbered == nullptr) return fail("The scene shows \"{}\", which is no kernel of this version.", name);
  name = renumbered->id;
  return false;
}

Result<void> Workspace::open_scene(const SavedScene& scene) {
  after_pin_.reset();
  pause();
  stop_show_me();
  if (state_.pinned.side != nullptr) pin();  // unpins it
  if (!scene.pinned) return show_scene(scene, false);
  SavedPin pinned = *scene.pinned;
  const auto new_text = add_saved_kernel(pinned);
  if (!new_text) return tl::unexpected(new_text.error());
  const bool shown = !*new_text && pinned.experiment == state_.experiment && pinned.device == device_ &&
                     state_.has_trace() && !worker_.busy();
  before_pin_ = shown ? nullptr : state_.block;
  after_pin_ = scene;
  after_pin_->pinned->experiment = pinned.experiment;
  show_saved(pinned, *new_text, false);
  return {};
}

// Pins what the scene has pinned once it is executed, and shows the rest.
void Workspace::go_on_with_scene() {
  if (!after_pin_) return;
  const experiment::Experiment& pinned = after_pin_->pinned->experiment;
  if (state_.experiment != pinned) return after_pin_.reset();  // the user chose something else meanwhile
  const bool there = state_.has_trace() && state_.block != before_pin_ && state_.block->experiment == pinned;
  if (!there && !state_.failure) return;
  const SavedScene scene = *std::exchange(after_pin_, std::nullopt);
  before_pin_ = nullptr;
  if (there) {
    state_.pinned.choice = scene.pinned->choice;
    pin();
  } else {
    state_.notices.push_back("What was pinned cannot be shown: " + state_.failure->failure.message);
  }
  const std::shared_ptr<ViewState> side = state_.pinned.side;
  if (const Result<void> shown = show_scene(scene, true); !shown)
    state_.notices.push_back(shown.error().message);
  state_.pinned.side = side;  // a page of a lesson unpins
}

// Also where only the kernel's text or the device has changed.
void Workspace::show_saved(const SavedExperiment& saved, bool new_text, bool continues) {
  const experiment::Experiment& next = saved.experiment;
  state_.timings.choice.model_device = saved.device;
  if ((new_text || chosen_device(state_) != device_) && next == history_.current())
    submit(false);
  else
    set_experiment(next, continues);
}

Result<void> Workspace::show_scene(SavedScene scene, bool continues) {
  const auto new_text = add_saved_kernel(scene);
  if (!new_text) return tl::unexpected(new_text.error());
  const experiment::Experiment& next = scene.experiment;
  if (!scene.lesson.empty()) {
    if (auto opened = open_page_named(scene.lesson); !opened) return opened;
    state_.lesson.commands.clear();  // the scene says where the cursor is
    state_.lesson.begins = state_.lesson.reveals = false;
  }
  saved_place_ = scene.place;
  const bool shown = !*new_text && next == state_.experiment && state_.has_trace() && !state_.failure;
  show_saved(scene, *new_text, continues);
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
