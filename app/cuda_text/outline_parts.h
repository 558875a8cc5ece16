// The steps of outline_of.
#pragma once

#include "cuda_text/source_outline.h"

namespace gemmscope::cuda_text {

// Integer constants, type names and one-line functions, from `directives` and from outline.clean.
void read_constants(SourceOutline& outline, const std::vector<std::string>& directives);
// kernel<<<…>>>(…) in outline.clean, and cudaLaunchKernel.
void read_launches(SourceOutline& outline);

// ---- for launches of either kind

inline constexpr size_t kMostLaunches = 1000;  // no file that is meant for reading has more

// The name and the template arguments that end at `end` of the text. False: there is no name.
bool read_callee(std::string_view text, size_t end, LaunchSite& site);
// cudaLaunchKernel(kernel, grid, block, arguments, …), its cooperative sister, and
// cudaLaunchKernelEx(&config, kernel, …), whose sizes are assigned to the configuration or stand in its
// braces.
void read_runtime_launches(SourceOutline& outline);
// A function that launches the kernel it is given, void run(Kernel kernel, dim3 grid, …): one launch for each
// of its calls.
void read_forwarded_launches(SourceOutline& outline);

}  // namespace gemmscope::cuda_text
