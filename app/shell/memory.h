// What the program remembers from one start to the next: takes it from the settings, and writes it when it
// has changed (session/settings.h).
#pragma once

#include <string>

#include "session/app_commands.h"
#include "session/settings.h"
#include "shell/render_target.h"

namespace gemmscope::shell {

class Memory {
 public:
  // Reads the settings. A file that cannot be read is set aside, and a sentence in notice() says so.
  static Memory load();
  const session::Settings& settings() const { return settings_; }
  const std::string& notice() const { return notice_; }

  // The remembered experiment in place of `experiment`, where the catalogue still has it.
  experiment::Experiment experiment(experiment::Experiment experiment, const catalog::Catalog& catalog) const;
  // Theme, zoom, panels, speed, runner and a file of the user's that was open. Errors are noted in the
  // workspace.
  void restore(session::Workspace& workspace, session::AppFlags& flags, bool experiment_given) const;
  // Call it once a frame, and with `now` at the end. Writes what has changed once it stayed so for a moment,
  // and the guesses of the lessons at once.
  void update(session::Workspace& workspace, const session::AppFlags& flags, PixelSize window, double seconds,
              bool now = false);

 private:
  void keep_guesses(session::Workspace& workspace);

  uint64_t guesses_version_ = 0;
  session::Settings settings_;  // as stored
  session::Settings latest_;
  double unchanged_seconds_ = 0;
  bool failed_ = false;  // writing failed once: it is not tried in each frame
  std::string notice_;
};

}  // namespace gemmscope::shell
