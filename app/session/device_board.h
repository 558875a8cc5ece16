// Keeps the device board: which variants are modelled on which two devices. Each side has a thread of its own
// (experiment/live_model.h), and nothing here waits for it.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "experiment/devices.h"
#include "session/view_state.h"

namespace gemmscope::session {

class DeviceBoard {
 public:
  explicit DeviceBoard(std::function<void()> wake) : wake_(std::move(wake)) {}
  // Call it once a frame.
  void update(ViewState& state);
  bool busy() const;
  // What is modelled stays; the rest comes with the next change of the board.
  void cancel();

 private:
  struct Side {
    std::unique_ptr<experiment::LiveModel> model;
    std::string asked;   // what was asked for, in one text
    bool quick = false;  // by one run a variant; the device's own runs follow
    size_t next = 0;     // the variant whose figures come next
  };
  void ask(Side& side, BoardSide& shown, experiment::ModelRequest request, uint64_t catalog_version);
  void read_devices(ViewState& state);

  std::function<void()> wake_;
  std::optional<sm::DeviceList> devices_;
  Side left_, right_;
};

}  // namespace gemmscope::session
