// The devices whose times can be modelled: the files in assets/devices/ (sm/device_file.h).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "isa/arch.h"
#include "sm/device_file.h"

namespace gemmscope::experiment {

std::filesystem::path devices_folder();

// `name` is the id of a device ("h200") or the path of a device file. Errors: those of sm::read_device, and
// an unknown id, which lists those that exist.
Result<sm::SmConfig> find_device(const std::string& name);

sm::DeviceList shipped_devices();  // all files of devices_folder()

// The device of this name ("NVIDIA H200"), or null.
const sm::SmConfig* device_named(const sm::DeviceList& devices, const std::string& name);
// The device for code of an architecture: the H200 where it is its own, else the first of that capability;
// null where there is none.
const sm::SmConfig* device_of_arch(const sm::DeviceList& devices, isa::Arch arch);

// The device with this id; without an id that of the architecture. Null where there is none.
const sm::SmConfig* device_for(const sm::DeviceList& devices, isa::Arch arch, std::string_view id);

// The device whose SM runs the code: the one with this id, else that of the architecture, else the H200.
// Errors: there is no such device.
Result<sm::SmConfig> choose_device(const sm::DeviceList& devices, isa::Arch arch, std::string_view id = {});

// The architecture of the machine code that the model replays for a device: its own or, where the program
// knows none, the newest older one; sm_75 for devices before it.
isa::Arch arch_of(const sm::SmConfig& device);

}  // namespace gemmscope::experiment
