// Commands that keep and share what is shown.
#include <fmt/format.h>

#include <utility>

#include "session/app_commands_parts.h"
#include "session/documents_folder.h"
#include "session/open_file.h"
#include "session/scene_store.h"

namespace gemmscope::session {
namespace {

constexpr const char* kNeedsLeft = "the last window was closed as it should be, so nothing was left.";

}  // namespace

void add_scene_commands(CommandTable& table, Workspace& w, AppFlags& flags) {
  add(table,
      {.id = "scene.save",
       .title = "Save the scene",
       .category = "Share",
       .key = "Ctrl+S",
       .run =
           [&w] {
             const auto saved = save_scene(scene_of(w.state()), documents_folder());
             if (saved) remember_file(*saved);  // Ctrl+O offers it
             w.state().note =
                 saved ? fmt::format("The scene is saved as {}.", saved->string()) : saved.error().message;
           },
       .description = "Writes kernel, toggles, cursor and view into a file in your Documents folder."});
  add(table, {.id = "scene.copy_link",
              .title = "Copy a link to the scene",
              .category = "Share",
              .key = "Ctrl+Shift+C",
              .run =
                  [&w, &flags] {
                    flags.clipboard = scene_link(scene_of(w.state()));
                    w.state().note =
                        fmt::format("A link of {} characters is copied: gemmscope --scene LINK opens it.",
                                    flags.clipboard.size());
                  },
              .description = "One line of text that brings back what is shown, also a kernel of yours."});
  const auto answer = [&flags](bool restore) {
    return [&flags, restore] {
      const LeftOffer offer = *std::exchange(flags.left, std::nullopt);
      offer.answer(restore);
    };
  };
  add(table, {.id = "scene.restore",
              .title = "Restore what the last window showed",
              .category = "Share",
              .key = "Ctrl+Shift+T",
              .run = answer(true),
              .enabled = [&flags] { return flags.left.has_value(); },
              .needs = kNeedsLeft,
              .description = "After a crash: kernel, text, cursor, view and pin as they were."});
  add(table, {.id = "scene.discard_left",
              .title = "Discard what the last window showed",
              .category = "Share",
              .key = "Ctrl+Shift+W",
              .run = answer(false),
              .enabled = [&flags] { return flags.left.has_value(); },
              .needs = kNeedsLeft});
}

}  // namespace gemmscope::session
