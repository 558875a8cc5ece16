// The colours of the pipeline picture by meaning.
#pragma once

#include "drawing/palette.h"
#include "experiment/tile_stages.h"
#include "sm/timeline_index.h"

namespace gemmscope::scenes {

drawing::Role stage_role(experiment::TileStage stage);
drawing::Role issue_role(sm::IssueKind kind);
const char* issue_kind_name(sm::IssueKind kind);
drawing::Color stall_color(sm::Stall reason);
drawing::Color activity_color(int activity);  // see sm::kActivities

}  // namespace gemmscope::scenes
