#include "own_kernel/foreign_text.h"

#include <algorithm>
#include <string>

#include "cuda_text/include_directives.h"

namespace gemmscope::own_kernel {
namespace {

constexpr size_t kMostName = 200;

using cuda_text::IncludeDirective;
using Form = IncludeDirective::Form;

bool is_plain_header(const std::string& name) {
  return name[0] != '/' && name[0] != '~' && name.find_first_of("\\:") == std::string::npos &&
         name.find("..") == std::string::npos;
}

Result<void> check_directive(std::string_view name, const IncludeDirective& directive) {
  if (directive.form == Form::embedded)
    return fail("{}: a kernel from elsewhere may not embed or import files.", name);
  if (directive.form == Form::unclear || !is_plain_header(directive.name))
    return fail(
        "{}: a kernel from elsewhere may include headers by name only, such as <cuda_fp16.h>: no path, no "
        "\"..\", no "
        "macro.",
        name);
  return {};
}

}  // namespace

Result<void> check_foreign_text(std::string_view name, std::string_view text) {
  const bool plain_name = !name.empty() && name.size() <= kMostName && name[0] != '.' && name[0] != '-' &&
                          std::ranges::none_of(name, [](char c) {
                            return c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
                          });
  if (!plain_name)
    return fail("A kernel from elsewhere must have a plain name, without a path; this one is \"{}\".",
                std::string(name.substr(0, 60)));
  if (text.find('\0') != std::string_view::npos)
    return fail("{}: the text of the kernel has a NUL character.", name);
  for (const IncludeDirective& directive : cuda_text::include_directives(text))
    if (Result<void> checked = check_directive(name, directive); !checked) return checked;
  if (const int line = cuda_text::line_that_probes_files(text); line > 0)
    return fail("{}:{}: a kernel from elsewhere may not name files, as #line and __has_include do.", name,
                line);
  return {};
}

}  // namespace gemmscope::own_kernel
