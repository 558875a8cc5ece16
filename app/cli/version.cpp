#include "cli/version.h"

namespace gemmscope::cli {

std::string_view version() { return GEMMSCOPE_VERSION; }

}  // namespace gemmscope::cli
