// Reads a frame of Dear ImGui back as shapes and text.
#pragma once

#include "drawing/vector_picture.h"

struct ImDrawData;
struct ImGuiStyle;

namespace gemmscope::drawing {

// A frame that is drawn while this lives has plain edges: an anti-aliased edge would be a shape of its own.
class PlainEdges {
 public:
  PlainEdges();
  ~PlainEdges();
  PlainEdges(const PlainEdges&) = delete;
  PlainEdges& operator=(const PlainEdges&) = delete;

 private:
  bool lines_, lines_by_texture_, fill_;
};

// Call it after Session::end_frame and before the next begin_frame, with the session's OpenGL context, from
// which matrices of cells are read back.
VectorPicture vector_picture(const ImDrawData& data);

}  // namespace gemmscope::drawing
