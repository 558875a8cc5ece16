// Commands that write what is shown into files of other programs.
#include "session/app_commands_parts.h"

namespace gemmscope::session {

void add_export_commands(CommandTable& table, AppFlags& flags) {
  struct Kind {
    const char *id, *title, *key, *description;
    ExportKind kind;
  };
  const Kind kinds[] = {
      {"export.png", "Save the window as PNG", "Ctrl+Shift+S",
       "Writes what is shown now into your Documents folder.", ExportKind::png},
      {"export.svg", "Save the window as SVG", "Ctrl+Shift+V",
       "As lines and text, which stay sharp on a poster and can be edited.", ExportKind::svg},
      {"export.copy", "Copy the window as a picture", "Ctrl+Shift+I",
       "For a slide or a chat; needs wl-copy or xclip.", ExportKind::clipboard},
      {"export.csv", "Save all figures as CSV", "",
       "For a spreadsheet; each says whether it is exact, modelled or recorded.", ExportKind::csv},
      {"export.json", "Save all figures as JSON", "",
       "For a script; each says whether it is exact, modelled or recorded.", ExportKind::json},
  };
  add(table, {.id = "export.open",
              .title = "Export\u2026",
              .category = "Share",
              .key = "Ctrl+Shift+E",
              .run = [&flags] { flags.exports.show_dialog = true; },
              .description = "A panel or the window as PNG, SVG, GIF or MP4, and the figures as a table."});
  for (const Kind& kind : kinds)
    add(table, {.id = kind.id,
                .title = kind.title,
                .category = "Share",
                .key = kind.key,
                .run =
                    [&flags, what = kind.kind] {
                      flags.exports.wish = ExportWish{.kind = what, .panel = {}, .range = {}};
                    },
                .description = kind.description});
  add(table, {.id = "export.cancel",
              .title = "Cancel the export",
              .category = "Share",
              .key = "Ctrl+Shift+X",
              .run = [&flags] { flags.exports.cancel = true; },
              .enabled = [&flags] { return !flags.exports.running.empty(); },
              .needs = "nothing is being exported."});
}

}  // namespace gemmscope::session
