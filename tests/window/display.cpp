#include "display.h"

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>

#include <set>

namespace gemmscope::window {

std::size_t Screenshot::color_count() const {
  return std::set<uint32_t>(pixels.begin(), pixels.end()).size();
}

double Screenshot::brightness() const {
  double sum = 0;
  for (const uint32_t p : pixels) sum += (p >> 16 & 255) + (p >> 8 & 255) + (p & 255);
  return pixels.empty() ? 0 : sum / 3 / static_cast<double>(pixels.size());
}

struct Display::Impl {
  ::Display* display = nullptr;

  bool belongs_to(::Window window, int pid) const {
    Atom type = 0;
    int format = 0;
    unsigned long count = 0, rest = 0;
    unsigned char* data = nullptr;
    const Atom name = XInternAtom(display, "_NET_WM_PID", 0);
    if (XGetWindowProperty(display, window, name, 0, 1, 0, XA_CARDINAL, &type, &format, &count, &rest,
                           &data) != 0)
      return false;
    const bool same = count == 1 && format == 32 &&
                      *reinterpret_cast<unsigned long*>(data) == static_cast<unsigned long>(pid);
    if (data != nullptr) XFree(data);
    return same;
  }
  bool is_visible(::Window window) const {
    XWindowAttributes attributes{};
    return XGetWindowAttributes(display, window, &attributes) != 0 && attributes.map_state == IsViewable;
  }
  std::optional<WindowId> search(::Window below, int pid) const {
    ::Window root = 0, parent = 0, *children = nullptr;
    unsigned count = 0;
    if (XQueryTree(display, below, &root, &parent, &children, &count) == 0) return std::nullopt;
    std::optional<WindowId> found;
    for (unsigned i = 0; i < count && !found; ++i)
      found =
          belongs_to(children[i], pid) && is_visible(children[i]) ? children[i] : search(children[i], pid);
    if (children != nullptr) XFree(children);
    return found;
  }
};

Display::Display() : impl_(std::make_unique<Impl>()) {
  // A window may vanish at any moment. The tests decide what that means; it is no reason to exit.
  XSetErrorHandler([](::Display*, XErrorEvent*) { return 0; });
  impl_->display = XOpenDisplay(nullptr);
}
Display::~Display() {
  if (is_open()) XCloseDisplay(impl_->display);
}
bool Display::is_open() const { return impl_->display != nullptr; }

std::optional<WindowId> Display::window_of(int pid) {
  return impl_->search(DefaultRootWindow(impl_->display), pid);
}

std::optional<Screenshot> Display::look_at(WindowId window) {
  XWindowAttributes attributes{};
  if (XGetWindowAttributes(impl_->display, window, &attributes) == 0) return std::nullopt;
  const auto width = static_cast<unsigned>(attributes.width),
             height = static_cast<unsigned>(attributes.height);
  XImage* image = XGetImage(impl_->display, window, 0, 0, width, height, AllPlanes, ZPixmap);
  if (image == nullptr) return std::nullopt;
  Screenshot shot{attributes.width, attributes.height, {}};
  shot.pixels.reserve(static_cast<std::size_t>(width) * height);
  for (int y = 0; y < shot.height; ++y)
    for (int x = 0; x < shot.width; ++x)
      shot.pixels.push_back(static_cast<uint32_t>(XGetPixel(image, x, y) & 0xffffff));
  XDestroyImage(image);
  return shot;
}

void Display::ask_to_close(WindowId window) {
  XEvent event{};
  event.xclient.type = ClientMessage;
  event.xclient.window = window;
  event.xclient.message_type = XInternAtom(impl_->display, "WM_PROTOCOLS", 0);
  event.xclient.format = 32;
  event.xclient.data.l[0] = static_cast<long>(XInternAtom(impl_->display, "WM_DELETE_WINDOW", 0));
  XSendEvent(impl_->display, window, 0, NoEventMask, &event);
  XFlush(impl_->display);
}

}  // namespace gemmscope::window
