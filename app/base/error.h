// Every room may use this: a result that holds either a value or an error sentence.
#pragma once

#include <fmt/format.h>

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace gemmscope {

// A sentence for a person: it names the thing, the place and what to do.
struct Error {
  std::string message;
};

template <typename T>
using Result = tl::expected<T, Error>;

template <typename... Args>
tl::unexpected<Error> fail(fmt::format_string<Args...> format, Args&&... args) {
  return tl::unexpected(Error{fmt::format(format, std::forward<Args>(args)...)});
}

}  // namespace gemmscope
