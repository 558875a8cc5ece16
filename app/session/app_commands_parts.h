// The functions that add the parts of the table of all commands.
#pragma once

#include "session/app_commands.h"

namespace gemmscope::session {

// Ends the program when the command cannot be added: such a mistake shows at the first start and in the
// tests, not in a user's hands.
void add(CommandTable& table, Command command);

// What commands need that move through the trace of a block.
inline constexpr const char* kNeedsTrace =
    "no block was executed yet; wait, or mend what the message on the left says.";

void add_board_commands(CommandTable& table, Workspace& workspace);
void add_code_edit_commands(CommandTable& table, Workspace& workspace);
void add_code_commands(CommandTable& table, Workspace& workspace);
void add_compare_commands(CommandTable& table, Workspace& workspace);
void add_experiment_commands(CommandTable& table, Workspace& workspace, AppFlags& flags);
void add_export_commands(CommandTable& table, AppFlags& flags);
void add_explorer_commands(CommandTable& table, Workspace& workspace);
void add_layout_commands(CommandTable& table, AppFlags& flags);
void add_lattice_commands(CommandTable& table, Workspace& workspace);
void add_lesson_commands(CommandTable& table, Workspace& workspace, AppFlags& flags);
void add_number_commands(CommandTable& table, Workspace& workspace);
void add_map_commands(CommandTable& table, Workspace& workspace);
void add_occupancy_commands(CommandTable& table, Workspace& workspace);
void add_pipeline_commands(CommandTable& table, Workspace& workspace);
void add_scene_commands(CommandTable& table, Workspace& workspace, AppFlags& flags);
void add_present_commands(CommandTable& table, Workspace& workspace, AppFlags& flags);
void add_timing_commands(CommandTable& table, Workspace& workspace, AppFlags& flags);
void add_toggle_commands(CommandTable& table, Workspace& workspace);
void add_tour_commands(CommandTable& table, Workspace& workspace, AppFlags& flags);

}  // namespace gemmscope::session
