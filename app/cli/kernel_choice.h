// "14_tensor_tf32:STAGES=4,ROUND=1": a kernel of the catalogue with toggles, in one word of the command line.
#pragma once

#include <string>

#include "experiment/timing_run.h"

namespace gemmscope::cli {

// `option` stands before the text in messages. Errors: an unknown kernel, toggles that are not NAME=VALUE.
// Values that the kernel does not offer are found later.
Result<experiment::TimedKernel> parse_kernel_choice(const catalog::Catalog& catalog,
                                                    const std::string& option, const std::string& text);
// `text` is the whole option as the user wrote it, `id` the kernel in it that does not exist.
tl::unexpected<Error> no_such_kernel(const catalog::Catalog& catalog, const std::string& text,
                                     const std::string& id);

}  // namespace gemmscope::cli
