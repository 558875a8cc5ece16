// The panel under the map: one of several pictures of the instruction at the cursor, chosen by tabs. By
// default it shows what the kernel's description names, else sectors at a global access and banks elsewhere.
#pragma once

#include <string>
#include <vector>

#include "session/view_state.h"
#include "views/pipeline_view.h"

namespace gemmscope::views {

// The picture that is shown now. A picture chosen for another kernel does not count; the pipeline stays.
catalog::Picture shown_picture(const session::ViewState& state);

// The tabs of the pictures that the kernel has, and the one that is marked.
struct PictureTabs {
  std::vector<std::string> names;
  std::vector<catalog::Picture> pictures;
  int chosen = 0;
};
PictureTabs offered_pictures(const session::ViewState& state);

class PictureView {
 public:
  void draw(const session::ViewState& state, session::Requests& requests);
  void draw_pipeline(const session::ViewState& state, session::Requests& requests) {  // without tabs
    pipeline_.draw(state, requests);
  }
  void draw_picture(const session::ViewState& state, session::Requests& requests, catalog::Picture picture);

 private:
  // The one picture that keeps something between frames.
  void draw_pipeline_picture(const session::ViewState& state, session::Requests& requests) {
    pipeline_.draw(state, requests);
  }

  PipelineView pipeline_;
};

}  // namespace gemmscope::views
