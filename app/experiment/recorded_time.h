// Finds a recorded time of a variant, so that a modelled one can stand beside it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiment/recording.h"
#include "experiment/timing_choice.h"

namespace gemmscope::experiment {

struct RecordedTime {
  double milliseconds = 0;  // the median of the samples
  std::string device, date, file;
};

// The time of this kernel, toggles and size on the device of this name ("NVIDIA H200"), with L2 warm. Null
// where no recording has it.
std::optional<RecordedTime> find_recorded(const Recordings& recordings, const std::string& device,
                                          const VariantKey& variant, const catalog::Problem& problem);

// The index of the device's recording that times the variant, or else its kernel: at this size, or at one
// that the source does not state. -1: there is none.
int recording_of(const std::vector<Timings>& recordings, std::string_view device, const VariantKey& variant,
                 const catalog::Problem& problem);

// The median of a variant's samples in ms; 0 without samples.
double median_ms(const TimedVariant& variant);

// Without the toggles that have their default value.
std::map<std::string, int64_t> changed_toggles(const catalog::Kernel& kernel,
                                               std::map<std::string, int64_t> toggles);

}  // namespace gemmscope::experiment
