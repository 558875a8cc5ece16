// A display in memory (Xvfb) for one test: it runs beside others, and takes nobody's keyboard and mouse.
#pragma once

#include <memory>
#include <string>

#include "program.h"

namespace gemmscope::window {

class DisplayServer {
 public:
  DisplayServer();  // 1920 x 1080; returns once clients can connect
  ~DisplayServer();
  DisplayServer(const DisplayServer&) = delete;
  DisplayServer& operator=(const DisplayServer&) = delete;

  // ":7". Empty: Xvfb is not installed, or did not start.
  const std::string& name() const { return name_; }

 private:
  std::unique_ptr<Program> server_;
  std::string name_;
};

}  // namespace gemmscope::window
