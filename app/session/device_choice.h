// The device whose SM is modelled: the architecture's usual one, or another that runs the same machine code,
// as TimingChoice::model_device names it.
#pragma once

#include <string>
#include <vector>

#include "session/view_state.h"

namespace gemmscope::session {

struct RunnableDevice {
  std::string id, name;
  isa::Arch arch = isa::Arch::sm_75;  // of the machine code that it runs
  bool usual = false;                 // the architecture's, where none is chosen
};
const std::vector<RunnableDevice>& runnable_devices();  // that have a file; read once

// The id of the chosen device, if it runs the experiment's machine code; empty: the usual one.
std::string chosen_device(const ViewState& state);
const RunnableDevice* device_shown(const ViewState& state);  // null: there is no file
// Whose times the timings and the lattice model where nothing else names one: an id, or empty.
std::string device_asked(const ViewState& state);

// Why the experiment cannot have this architecture; empty: it can.
std::string why_not(const ViewState& state, isa::Arch arch);

std::string short_name(const RunnableDevice& device);  // "RTX A4000": without the maker's name

}  // namespace gemmscope::session
