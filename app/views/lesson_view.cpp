#include "views/lesson_view.h"

#include "catalog/product.h"
#include "drawing/fonts.h"
#include "drawing/widgets.h"

namespace gemmscope::views {
namespace {

void paragraph(const char* heading, const std::string& text) {
  if (text.empty()) return;
  drawing::gap(6);
  {
    const drawing::ScopedFont font(drawing::FontRole::body_strong);
    drawing::body_text(heading);
  }
  drawing::body_text(text);
}

}  // namespace

bool is_lab(const session::ViewState& state) {
  if (state.compiled == nullptr) return false;
  const catalog::Kernel& kernel = state.compiled->kernel;
  return kernel.picture != catalog::Picture::none && !catalog::is_product(kernel);
}

void draw_lesson_view(const session::ViewState& state) {
  const catalog::Kernel& kernel = state.compiled->kernel;
  drawing::heading(kernel.title, kernel.path.filename().string());
  paragraph("Why", kernel.why);
  paragraph("Look at", kernel.look_at);
}

}  // namespace gemmscope::views
