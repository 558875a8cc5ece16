// Files of the user's, and the form of their launch.
#include "own_kernel/open_kernel.h"
#include "session/open_file.h"
#include "session/scene_store.h"
#include "session/workspace.h"

namespace gemmscope::session {
namespace {

std::filesystem::path key_of(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  return (error ? path : absolute).lexically_normal();
}

// `now` with the file's kernel, at sizes and on an architecture that it can have.
experiment::Experiment on_kernel(const experiment::Experiment& now, const catalog::Kernel& kernel) {
  experiment::Experiment next = experiment::with_kernel(now, kernel.id);
  if (kernel.square) next.problem.m = next.problem.k = next.problem.n;
  next.arch = own_kernel::only_architecture(kernel).value_or(next.arch);
  for (const auto& [name, size] : kernel.fixed_sizes)
    (name == "M" ? next.problem.m : name == "N" ? next.problem.n : next.problem.k) = size;
  return next;
}

}  // namespace

void Workspace::open_file(const std::filesystem::path& path) {
  state_.form.reset();
  if (path.extension() == kSceneExtension || is_scene_link(path.string())) {
    const auto scene = read_scene(path.string());
    const auto opened = scene ? open_scene(*scene) : tl::unexpected(scene.error());
    if (!opened) state_.note = opened.error().message;
    return;
  }
  const auto given = given_.find(key_of(path));
  Result<catalog::Kernel> kernel =
      own_kernel::open_kernel(path, given == given_.end() ? catalog::Overrides{} : given->second);
  if (kernel) return show_file(*std::move(kernel));
  refused_ = path;
  offer_form(path);
  const std::string message =
      state_.form ? fmt::format(
                        "{} does not say all that a launch needs. Fill in its form (Ctrl+L), or write "
                        "the keys of kernels/README.md into it.",
                        path.filename().string())
                  : kernel.error().message;
  state_.failure = experiment::StageFailure{experiment::Stage::compile, {message, {}}};
}

void Workspace::show_file(catalog::Kernel kernel) {
  refused_.clear();
  state_.form.reset();
  remember_file(kernel.path);
  experiment::Experiment next = on_kernel(state_.experiment, kernel);
  add_kernel(std::move(kernel));
  if (!(next == history_.current())) history_.push(std::move(next));
  submit(false);
}

std::filesystem::path Workspace::form_path() const {
  if (!refused_.empty()) return refused_;
  const catalog::Kernel* kernel = catalog_.find(state_.experiment.kernel);
  return kernel != nullptr && kernel->opened ? kernel->path : std::filesystem::path();
}

void Workspace::open_form() {
  if (!can_open_form()) return;
  offer_form(form_path());
  if (!state_.form) state_.note = "This file gives no kernel whose launch a form could hold.";
}

// A file without a kernel, or with one that takes a structure, has no form: the failure says what to do.
void Workspace::offer_form(const std::filesystem::path& path) {
  const std::filesystem::path key = key_of(path);
  catalog::Overrides given;
  if (const auto known = given_.find(key); known != given_.end()) {
    given = known->second;
  } else {
    for (const catalog::Kernel& kernel : catalog_.kernels)
      if (kernel.opened && key_of(kernel.path) == key) given = kernel.overrides;
  }
  Result<own_kernel::LaunchForm> form = own_kernel::fill_form(path, given);
  if (!form) return;
  const auto unfinished = unfinished_.find(key);
  if (unfinished != unfinished_.end() && unfinished->second.source == form->source) form = unfinished->second;
  pause();
  state_.form = *std::move(form);
}

void Workspace::act_on_form(FormRequest request) {
  if (!state_.form) return;
  switch (request.action) {
    case FormRequest::Action::edit:
      own_kernel::check_form(request.form);
      state_.form = std::move(request.form);
      return;
    case FormRequest::Action::choose_entry: {
      catalog::Overrides given;
      given.entry = request.form.entry;
      Result<own_kernel::LaunchForm> filled = own_kernel::fill_form(request.form.path, given);
      if (filled) state_.form = *std::move(filled);
      return;
    }
    case FormRequest::Action::use:
      return use_form(std::move(request.form));
    case FormRequest::Action::close:
      unfinished_[key_of(request.form.path)] = std::move(request.form);
      state_.form.reset();
      return;
  }
}

void Workspace::use_form(own_kernel::LaunchForm form) {
  own_kernel::check_form(form);
  form.error.clear();
  state_.form = form;
  if (!own_kernel::is_right(form)) return;
  const catalog::Overrides given = own_kernel::overrides_of(form);
  Result<catalog::Kernel> kernel = own_kernel::open_kernel(form.path, given);
  if (kernel) {
    const experiment::Experiment next = on_kernel(state_.experiment, *kernel);
    const auto launches = catalog::launches_for(*kernel, next.problem, next.toggles);
    if (!launches) kernel = tl::unexpected(launches.error());
  }
  if (!kernel) {
    state_.form->error = kernel.error().message;
    return;
  }
  given_[key_of(form.path)] = given;
  unfinished_.erase(key_of(form.path));
  show_file(*std::move(kernel));
}

}  // namespace gemmscope::session
