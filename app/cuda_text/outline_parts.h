// The steps of outline_of.
#pragma once

#include "cuda_text/source_outline.h"

namespace gemmscope::cuda_text {

// Reads integer constants, type names and one-line functions from `directives` and outline.clean.
void read_constants(SourceOutline& outline, const std::vector<std::string>& directives);
// Reads kernel<<<…>>>(…) and cudaLaunchKernel in outline.clean.
void read_launches(SourceOutline& outline);

// ---- for launches of either kind

inline constexpr size_t kMostLaunches = 1000;  // no file for human readers has more

// Reads the name and the template arguments that end at `end`. False: there is no name.
bool read_callee(std::string_view text, size_t end, LaunchSite& site);
// Reads cudaLaunchKernel(kernel, grid, block, arguments, …), its cooperative variant, and
// cudaLaunchKernelEx(&config, kernel, …), whose sizes are assigned to the configuration or given in its
// braces.
void read_runtime_launches(SourceOutline& outline);
// Reads functions that launch the kernel they are given, void run(Kernel kernel, dim3 grid, …), and adds one
// launch per call.
void read_forwarded_launches(SourceOutline& outline);

}  // namespace gemmscope::cuda_text
