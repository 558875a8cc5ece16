// Rewrites expressions of host code, such as those of a launch, in the terms of a kernel's description.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "own_kernel/guess.h"

namespace gemmscope::own_kernel {

// What a name in host code ("P", "params.m") means for the kernel: a size, or a template argument's value.
using Meanings = std::map<std::string, std::string>;

// `outline` and `names` must outlive the resolver.
class LaunchResolver {
 public:
  LaunchResolver(const cuda_text::SourceOutline& outline, const catalog::Values& names, bool square,
                 Meanings meanings = {})
      : outline_(outline), names_(names), square_(square), meanings_(std::move(meanings)) {}

  // The first name whose value is not known; empty: none.
  const std::string& unknown() const { return unknown_; }

  // `text` is at `at` in the outline's text. `depth` counts the variables followed to reach it.
  std::optional<std::string> resolve(std::string text, size_t at, int depth = 0) const;

 private:
  std::optional<std::string> call(const std::string& name, const std::string& inside, size_t at,
                                  int depth) const;
  std::optional<std::string> qualified(const std::string& path, size_t at, int depth) const;
  std::optional<std::string> rounded_up(std::string quotient, size_t at, int depth) const;
  std::optional<std::string> variable(const std::string& name, size_t at, int depth) const;
  std::optional<std::string> component(const std::string& name, char axis, size_t at, int depth) const;
  std::optional<std::string> size_member(const std::string& path) const;

  const cuda_text::SourceOutline& outline_;
  const catalog::Values& names_;
  const bool square_;
  const Meanings meanings_;
  mutable int resolved_ = 0;
  mutable std::string unknown_;
};

// Returns the arguments of "dim3(…)", or those of the dim3 that `text` names.
std::vector<std::string> dimensions_of(const cuda_text::SourceOutline& outline, const std::string& text,
                                       size_t at);

}  // namespace gemmscope::own_kernel
