// Commands for what the experiment panel's fields hold: kernel, sizes, architecture, block, launch,
// expressions.
#include <fmt/format.h>

#include <algorithm>

#include "catalog/by_size.h"
#include "catalog/used_inputs.h"
#include "session/app_commands_parts.h"
#include "session/device_choice.h"
#include "session/explorer_state.h"

namespace gemmscope::session {
namespace {

const catalog::Kernel* kernel_of(const Workspace& w) { return w.catalog().find(w.state().experiment.kernel); }

// The catalogue's kernels by name. A file of the user's has no command: it may come and go.
void add_kernels(CommandTable& table, Workspace& w) {
  for (const catalog::Kernel& kernel : w.catalog().kernels) {
    if (kernel.opened) continue;
    const size_t digits = std::min(kernel.id.find_first_not_of("0123456789"), kernel.id.size());
    add(table,
        {.id = "kernel." + kernel.id,
         .title =
             digits == 0 ? kernel.title : fmt::format("{}  {}", kernel.id.substr(0, digits), kernel.title),
         .category = "Kernel",
         .run = [&w, id = kernel.id] { w.set_experiment(experiment::with_kernel(w.state().experiment, id)); },
         .checked = [&w, id = kernel.id] { return w.state().experiment.kernel == id; }});
  }
}

void add_fields(CommandTable& table, Workspace& w, AppFlags& flags) {
  using Used = bool (*)(const catalog::UsedInputs&);
  struct Field {
    const char *id, *title, *key, *name;
    Used used;
  };
  const Field fields[] = {
      {"experiment.m", "Type M, the rows of A and C", "Ctrl+M", "M", [](const auto& u) { return u.m; }},
      {"experiment.n", "Type N, the columns of B and C", "Ctrl+N", "N", [](const auto& u) { return u.n; }},
      {"experiment.k", "Type K, the columns of A", "Ctrl+K", "K", [](const auto& u) { return u.k; }},
      {"experiment.alpha", "Type alpha", "Ctrl+Shift+A", "alpha", [](const auto& u) { return u.alpha; }},
      {"experiment.beta", "Type beta", "Ctrl+Shift+B", "beta", [](const auto& u) { return u.beta; }}};
  for (const Field& field : fields)
    add(table, {.id = field.id,
                .title = field.title,
                .category = "Experiment",
                .key = field.key,
                .run = [&flags, name = field.name] { flags.focus_field = name; },
                .enabled =
                    [&w, used = field.used] {
                      const catalog::Kernel* kernel = kernel_of(w);
                      return kernel == nullptr || used(catalog::used_inputs(*kernel));
                    },
                .needs = "this kernel does not use it."});
  add(table, {.id = "experiment.expression",
              .title = "Type the kernel's expression",
              .category = "Experiment",
              .key = "Ctrl+E",
              .run = [&flags] { flags.focus_field = "input"; },
              .enabled = [&w] { return kernel_of(w) != nullptr && !kernel_of(w)->inputs.empty(); },
              .needs = "this kernel has none; the bank lab and the swizzle lab do.",
              .description = "Such as the swizzle of a lab: where an element of a tile lies."});
  add(table, {.id = "experiment.block",
              .title = "Type the block that is shown",
              .category = "Experiment",
              .key = "Ctrl+B",
              .run = [&flags] { flags.focus_field = "block"; },
              .enabled = [&w] { return w.state().compiled != nullptr; },
              .needs = kNeedsTrace});
}

void move_block(Workspace& w, size_t axis, int by) {
  experiment::Experiment next = w.state().experiment;
  const auto most = static_cast<int64_t>(w.state().compiled->launch.grid[axis]) - 1;
  next.block[axis] = static_cast<uint32_t>(std::clamp<int64_t>(int64_t{next.block[axis]} + by, 0, most));
  w.set_experiment(std::move(next));
}

void add_blocks(CommandTable& table, Workspace& w) {
  struct Step {
    const char *id, *title, *key;
    size_t axis;
    int by;
  };
  const Step steps[] = {{"experiment.block_right", "The block to the right (x + 1)", "Ctrl+Right", 0, 1},
                        {"experiment.block_left", "The block to the left (x - 1)", "Ctrl+Left", 0, -1},
                        {"experiment.block_below", "The block below (y + 1)", "Ctrl+Down", 1, 1},
                        {"experiment.block_above", "The block above (y - 1)", "Ctrl+Up", 1, -1}};
  for (const Step& step : steps)
    add(table, {.id = step.id,
                .title = step.title,
                .category = "Experiment",
                .key = step.key,
                .run = [&w, step] { move_block(w, step.axis, step.by); },
                .enabled =
                    [&w, step] {
                      if (w.state().compiled == nullptr) return false;
                      const uint32_t now = w.state().experiment.block[step.axis];
                      return step.by < 0 ? now > 0 : now + 1 < w.state().compiled->launch.grid[step.axis];
                    },
                .needs = "the grid has no block there."});
}

void choose_arch(Workspace& w, isa::Arch arch) {
  experiment::Experiment next = w.state().experiment;
  next.arch = arch;
  w.set_experiment(std::move(next));
}

void step_arch(Workspace& w, int by) {
  const auto count = static_cast<int>(std::size(isa::kAllArchs));
  const auto found = std::ranges::find(isa::kAllArchs, w.state().experiment.arch);
  for (int at = static_cast<int>(found - std::begin(isa::kAllArchs)) + by; at >= 0 && at < count; at += by)
    if (const isa::Arch arch = isa::kAllArchs[static_cast<size_t>(at)]; why_not(w.state(), arch).empty())
      return choose_arch(w, arch);
  w.state().note = by > 0 ? "There is no newer architecture to choose." : "There is no older one to choose.";
}

// Only devices whose machine code the kernel can have.
void step_device(Workspace& w, int by) {
  const std::vector<RunnableDevice>& devices = runnable_devices();
  const auto count = static_cast<int>(devices.size());
  const RunnableDevice* shown = device_shown(w.state());
  const int now = shown == nullptr ? 0 : static_cast<int>(shown - devices.data());
  for (int i = 1; i < count; ++i) {
    const RunnableDevice& next = devices[static_cast<size_t>((now + i * by + i * count) % count)];
    if (why_not(w.state(), next.arch).empty()) return w.choose_device(next.id);
  }
  w.state().note = "There is no other device that runs this kernel.";
}

void add_devices(CommandTable& table, Workspace& w) {
  add(table, {.id = "experiment.next_device",
              .title = "Model the next device",
              .category = "Experiment",
              .key = "Ctrl+Alt+D",
              .run = [&w] { step_device(w, 1); },
              .description = "Another GPU whose time is modelled, with its machine code."});
  add(table, {.id = "experiment.previous_device",
              .title = "Model the previous device",
              .category = "Experiment",
              .key = "Ctrl+Alt+Shift+D",
              .run = [&w] { step_device(w, -1); }});
}

void add_archs(CommandTable& table, Workspace& w) {
  add(table, {.id = "experiment.newer_arch",
              .title = "Compile for the next newer architecture",
              .category = "Experiment",
              .key = "A",
              .run = [&w] { step_arch(w, 1); }});
  add(table, {.id = "experiment.older_arch",
              .title = "Compile for the next older architecture",
              .category = "Experiment",
              .key = "Shift+A",
              .run = [&w] { step_arch(w, -1); }});
  for (const isa::Arch arch : isa::kAllArchs)
    add(table, {.id = fmt::format("experiment.{}", isa::arch_name(arch)),
                .title = fmt::format("Compile for {}", isa::arch_name(arch)),
                .category = "Experiment",
                .run = [&w, arch] { choose_arch(w, arch); },
                .enabled = [&w, arch] { return why_not(w.state(), arch).empty(); },
                .needs = "this kernel cannot be had for it here.",
                .checked = [&w, arch] { return w.state().experiment.arch == arch; }});
}

void next_launch(Workspace& w) {
  experiment::Experiment next = w.state().experiment;
  const auto& compiled = *w.state().compiled;
  next.launch = static_cast<uint32_t>((compiled.shown_part + 1) % compiled.parts.size());
  next.block = {0, 0, 0};
  w.set_experiment(std::move(next));
}

struct PictureCommand {
  catalog::Picture picture;
  const char *id, *title;
  bool any_kernel;
};
constexpr bool kAny_any_kernel = true, kAny_its_kernel = false;
constexpr PictureCommand kPictures[] = {
    {catalog::Picture::none, "picture.automatic", "Picture: as the cursor's instruction asks", true},
#define PICTURE(name, tab, note, offered, opens_at) \
  {catalog::Picture::name, "picture.show_" #name, "Picture: " tab, kAny_##offered},
#include "catalog/pictures.def"
#undef PICTURE
};

// The tabs of the panel under the map. The pipeline and the fragments have commands of their own.
void add_pictures(CommandTable& table, Workspace& w) {
  for (const PictureCommand& one : kPictures) {
    if (one.picture == catalog::Picture::pipeline || one.picture == catalog::Picture::fragments) continue;
    add(table, {.id = one.id,
                .title = one.title,
                .category = "View",
                .run =
                    [&w, picture = one.picture] {
                      w.state().picture = picture;
                      w.state().picture_of = w.state().experiment.kernel;
                      w.state().pipeline.open = false;
                    },
                .enabled =
                    [&w, one] {
                      return one.any_kernel ||
                             (kernel_of(w) != nullptr && kernel_of(w)->picture == one.picture);
                    },
                .needs = "this kernel has nothing to show in it."});
  }
  add(table, {.id = "view.code",
              .title = "Source and machine code",
              .category = "Code",
              .key = "D",
              .run =
                  [&w] {
                    w.state().timings.visible = w.state().lattice.visible = false;
                    w.state().occupancy.wide = w.state().board.wide = false;
                    show_explorer(w.state(), false);
                  },
              .checked =
                  [&w] {
                    const ViewState& s = w.state();
                    return !s.timings.visible && !s.lattice.visible && !s.occupancy.wide && !s.board.wide &&
                           !explorer_is_wide(s);
                  }});
}

void add_cancel(CommandTable& table, Workspace& w) {
  add(table, {.id = "experiment.cancel",
              .title = "Cancel what is being computed",
              .category = "Experiment",
              .key = "Ctrl+.",
              .run = [&w] { w.cancel(); },
              .enabled = [&w] { return w.computing(); },
              .needs = "nothing is being computed.",
              .description = "What is there already stays."});
}

// A size for which the table has nothing stays as it is.
void take_fastest(Workspace& w) {
  auto fastest = catalog::fastest_by_size(w.state().experiment.problem);
  if (!fastest || w.catalog().find(fastest->kernel) == nullptr) return;
  experiment::Experiment next = experiment::with_kernel(w.state().experiment, fastest->kernel);
  next.toggles = std::move(fastest->toggles);
  w.set_experiment(std::move(next));
}

}  // namespace

void add_experiment_commands(CommandTable& table, Workspace& w, AppFlags& flags) {
  add_cancel(table, w);
  add_fields(table, w, flags);
  add_blocks(table, w);
  add_archs(table, w);
  add_devices(table, w);
  add(table,
      {.id = "experiment.next_launch",
       .title = "Show the next launch of the kernel",
       .category = "Experiment",
       .key = "Ctrl+Shift+L",
       .run = [&w] { next_launch(w); },
       .enabled = [&w] { return w.state().compiled != nullptr && w.state().compiled->parts.size() > 1; },
       .needs = "this kernel has one launch."});
  add(table, {.id = "experiment.by_size",
              .title = "Take the fastest FP32 variant for these sizes",
              .category = "Experiment",
              .run = [&w] { take_fastest(w); },
              .description = "By the table kernels/by_size.toml, whose times are modelled for an H200."});
  add_kernels(table, w);
  add_pictures(table, w);
}

}  // namespace gemmscope::session
