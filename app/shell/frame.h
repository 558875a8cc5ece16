// Draws one frame of the program: places the panels and draws their content. The window and a picture share
// this code.
#pragma once

#include "session/app_commands.h"
#include "shell/commands_view.h"
#include "shell/export_panel.h"
#include "shell/frame_time.h"
#include "shell/menu_bar.h"
#include "shell/open_panel.h"
#include "shell/runner_panel.h"
#include "views/board_panel.h"
#include "views/code_view.h"
#include "views/compare_view.h"
#include "views/experiment_view.h"
#include "views/explorer_panel.h"
#include "views/lattice_view.h"
#include "views/lesson_view.h"
#include "views/map_view.h"
#include "views/occupancy_panel.h"
#include "views/picture_view.h"
#include "views/timing_view.h"
#include "views/transport_view.h"

namespace gemmscope::shell {

// What a picture shows: everything, or one view alone.
enum class FrameContent : unsigned char {
  all,
  map,
  banks,
  code,
  transport,
  experiment,
  timings,
  lattice,
  occupancy,
  explorer,
  pipeline,
  board
};

// Since when the status line has shown why nothing is measured.
struct StatusTime {
  std::string trouble;
  double since = 0;  // seconds of Dear ImGui's clock
};

class Frame {
 public:
  // A dialog with a field is open, or asked for.
  bool opens_field(const session::AppFlags& flags) const;
  // A dialog or a menu is open, or asked for: letters are no commands.
  bool takes_keys(const session::AppFlags& flags) const;
  void draw(session::Workspace& workspace, const session::CommandTable& commands, session::AppFlags& flags,
            FrameContent content, drawing::Size size, const FrameTimes& times);

 private:
  void draw_all(session::Workspace& workspace, const session::CommandTable& commands,
                session::AppFlags& flags, drawing::Size size);
  void draw_content(session::Workspace& workspace, session::AppFlags& flags, drawing::Rect area);
  // Presenter mode (frame_presenting.cpp): no menus and no panel on the left, the lesson at the bottom.
  void draw_presenting(session::Workspace& workspace, session::AppFlags& flags, drawing::Size size);
  void draw_presented_title(session::Workspace& workspace, const session::AppFlags& flags,
                            drawing::Rect area);
  // Beside a lesson's page, which leaves room for two panels in letters of this size: the code and the
  // picture, or the map while the picture is covered; the others by their keys.
  void draw_beside_page(session::Workspace& workspace, session::AppFlags& flags, drawing::Rect area);
  void draw_palette(session::Workspace& workspace, const session::CommandTable& commands,
                    session::AppFlags& flags);
  void draw_panels(session::Workspace& workspace, session::AppFlags& flags, drawing::Rect area);
  void draw_experiment(session::Workspace& workspace, session::AppFlags& flags, drawing::Rect area);
  void draw_enlarged(session::Workspace& workspace, session::AppFlags& flags, drawing::Rect area);
  void draw_code(session::Workspace& workspace, session::AppFlags& flags, drawing::Rect area);
  void draw_pictures(session::Workspace& workspace, session::AppFlags& flags, drawing::Rect area);
  void draw_map(session::Workspace& workspace, session::AppFlags& flags, drawing::Rect area);
  void draw_compared(session::Workspace& workspace, session::AppFlags& flags, drawing::Rect area);
  bool draw_wide(session::Workspace& workspace, drawing::Rect area);
  void draw_top_bar(session::Workspace& workspace, const session::CommandTable& commands, drawing::Rect area);
  void draw_one(const session::ViewState& state, session::Requests& requests, FrameContent content);

  views::ExperimentView experiment_;
  views::MapView map_;
  views::PictureView pictures_;
  views::CodeView code_;
  views::ComparePictures compared_pictures_;
  views::CompareTable compared_table_;
  views::CompareCode compared_code_;
  views::TimingView timing_;
  views::LatticeView lattice_;
  views::LessonView lesson_;
  views::OccupancyPanel occupancy_;
  views::ExplorerPanel explorer_;
  views::BoardPanel board_;
  views::TransportView transport_;
  MenuBar menu_;
  StatusTime status_time_;
  bool note_has_place_ = true;  // the transport shows ViewState::note
  double idle_seconds_ = 0;     // of Dear ImGui's clock: nothing was computed then
  CommandPalette palette_;
  OpenPanel open_;
  ExportPanel export_;
  RunnerPanel runner_;
};

}  // namespace gemmscope::shell
