// Replaces commands_picture.cpp in a program that is built without the window.
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/output.h"

namespace gemmscope::cli {
namespace {

int no_window(std::string_view what) {
  print_error(fmt::format(
      "{}: this gemmscope was built without the window and its pictures; build it with GEMMSCOPE_WINDOW=ON",
      what));
  return kBadUse;
}

}  // namespace

std::vector<std::string> view_names() { return {}; }
int render_view(const ExperimentOptions&, const PictureOptions&) { return no_window("render"); }
int open_window(const ExperimentOptions&, const WindowOptions&) { return no_window("the window"); }
int write_report(const ExperimentOptions&, const std::string&) { return no_window("report"); }

}  // namespace gemmscope::cli
