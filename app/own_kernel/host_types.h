// Reads types that host code names beside a launch: aliases within a function, using Tile = Shape<128, 128>;
// and the integer constants that are members of a type, Tile::m.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cuda_text/source_outline.h"

namespace gemmscope::own_kernel {

// Replaces the aliases that only the function around `at` declares by what they stand for. The compiler of
// the kernel does not see that function; it sees all others itself.
std::string without_local_aliases(const cuda_text::SourceOutline& outline, const std::string& type,
                                  size_t at);

// The path "Tile::m" or "demo::Shape<128, 128>::m" that begins at `at` of the text; empty for a name without
// "::".
std::string qualified_path(const std::string& text, size_t at);

// Returns the text of the integer constant that `path` names, seen from `at`, in terms of its type's template
// arguments: "128" for Tile::m of template <int M> struct Shape { static constexpr int m = M; }. Nothing if
// the file does not have it.
std::optional<std::string> member_constant(const cuda_text::SourceOutline& outline, const std::string& path,
                                           size_t at);

}  // namespace gemmscope::own_kernel
