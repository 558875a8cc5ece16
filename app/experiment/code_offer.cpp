#include "experiment/code_offer.h"

#include <cctype>

#include "compile/pack.h"
#include "experiment/compile_request.h"

namespace gemmscope::experiment {
namespace {

// The compiler's messages begin in the middle of a sentence.
std::string as_sentence(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text + ".";
}

}  // namespace

struct CodeOffer::State {
  std::string kernel, source;
  std::map<std::string, std::string> inputs;
  compile::MacroValues macros;  // with the default toggles
  std::map<isa::Arch, Result<compile::PackOffer>> offers;
};

CodeOffer::CodeOffer() : state_(std::make_unique<State>()) {}
CodeOffer::~CodeOffer() = default;

std::shared_ptr<const CodeOffer> CodeOffer::of(const catalog::Kernel& kernel, const Experiment& experiment) {
  return compile::nvrtc_version() ? nullptr : without_nvrtc(kernel, experiment);
}

std::shared_ptr<const CodeOffer> CodeOffer::without_nvrtc(const catalog::Kernel& kernel,
                                                          const Experiment& experiment) {
  const std::shared_ptr<CodeOffer> offer(new CodeOffer);
  State& state = *offer->state_;
  state.kernel = kernel.id;
  state.source = kernel.source;
  state.inputs = experiment.inputs;
  Experiment defaults = experiment;
  defaults.toggles.clear();
  auto request = compile_request(kernel, defaults);
  if (request) state.macros = request->macros;
  for (const isa::Arch arch : isa::kAllArchs) {
    if (request) request->arch = arch;
    state.offers.emplace(arch, request.and_then([](const compile::CompileRequest& asked) {
      return compile::PackOffer::find(asked, asked.include_folders);
    }));
  }
  return offer;
}

bool CodeOffer::is_of(const catalog::Kernel& kernel, const Experiment& experiment) const {
  return kernel.id == state_->kernel && kernel.source == state_->source &&
         experiment.inputs == state_->inputs;
}

std::string CodeOffer::why_not(isa::Arch arch, const std::map<std::string, int64_t>& toggles) const {
  const Result<compile::PackOffer>& offer = state_->offers.at(arch);
  if (!offer) return as_sentence(offer.error().message);
  compile::MacroValues macros = state_->macros;
  for (const auto& [name, value] : toggles) macros[name] = std::to_string(value);
  const auto served = offer->serves(macros);
  return served ? "" : as_sentence(served.error().message);
}

}  // namespace gemmscope::experiment
