// Which variants of a kernel there is machine code for on a computer without NVRTC, where only the prebuilt
// pack serves.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "experiment/experiment.h"

namespace gemmscope::experiment {

class CodeOffer {
 public:
  // Of the kernel as it is now, with the experiment's typed inputs. Null: there is NVRTC, so everything can
  // be compiled. Loads NVRTC and reads files, so the UI thread does not call it.
  static std::shared_ptr<const CodeOffer> of(const catalog::Kernel& kernel, const Experiment& experiment);
  // As above, as if NVRTC were missing.
  static std::shared_ptr<const CodeOffer> without_nvrtc(const catalog::Kernel& kernel,
                                                        const Experiment& experiment);
  ~CodeOffer();
  CodeOffer(const CodeOffer&) = delete;
  CodeOffer& operator=(const CodeOffer&) = delete;

  // False if it was made of another kernel, another version of it, or other inputs.
  bool is_of(const catalog::Kernel& kernel, const Experiment& experiment) const;
  // Why there is no machine code with these toggles (those that differ from the defaults), a sentence; empty:
  // there is. Fast: reads no file.
  std::string why_not(isa::Arch arch, const std::map<std::string, int64_t>& toggles) const;

 private:
  struct State;
  CodeOffer();
  std::unique_ptr<State> state_;
};

}  // namespace gemmscope::experiment
