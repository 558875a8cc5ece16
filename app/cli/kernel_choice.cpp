#include "cli/kernel_choice.h"

#include <charconv>

#include "cuda_text/source_text.h"

namespace gemmscope::cli {

tl::unexpected<Error> no_such_kernel(const catalog::Catalog& catalog, const std::string& text,
                                     const std::string& id) {
  if (const catalog::Kernel* renumbered = catalog.find_renumbered(id))
    return fail("{}: {} is now {}", text, id, renumbered->id);
  return fail("{}: there is no such kernel; gemmscope kernels lists them", text);
}

Result<experiment::TimedKernel> parse_kernel_choice(const catalog::Catalog& catalog,
                                                    const std::string& option, const std::string& text) {
  const size_t colon = text.find(':');
  const std::string whole = option + " " + text, id = text.substr(0, colon);
  const catalog::Kernel* const kernel = catalog.find(id);
  if (kernel == nullptr) return no_such_kernel(catalog, whole, id);
  experiment::TimedKernel choice{*kernel, {}};
  for (const std::string& toggle :
       cuda_text::split_arguments(colon == std::string::npos ? "" : text.substr(colon + 1))) {
    const size_t equals = toggle.find('=');
    int64_t value = 0;
    const char* const end = toggle.data() + toggle.size();
    if (equals == std::string::npos || std::from_chars(toggle.data() + equals + 1, end, value).ptr != end ||
        equals + 1 == toggle.size())
      return fail("{}: expected ID:NAME=VALUE,NAME=VALUE with whole numbers", whole);
    choice.toggles[toggle.substr(0, equals)] = value;
  }
  return choice;
}

}  // namespace gemmscope::cli
