#include <sstream>

#include "cli/row_fields.h"
#include "metrics/banks.h"
#include "targets.h"

namespace gemmscope::fuzz {

void vectors(Bytes bytes) {
  std::istringstream lines{std::string(text_of(bytes))};
  for (std::string line; std::getline(lines, line);) {
    const auto fields = cli::split_fields(line);
    const auto text = cli::vector_text(fields);
    require(text ? !text->empty() : !text.error().empty(), "a row has a text or an error");
    const auto pattern = cli::parse_pattern(fields);
    if (!pattern) continue;
    const metrics::BankCount count = metrics::count_wavefronts(*pattern);
    require(count.excess() >= 0, "an access has no fewer wavefronts than it needs");
  }
}

}  // namespace gemmscope::fuzz
