#include "experiment/compile_request.h"

#include "compile/host_headers.h"
#include "cuda_text/include_guard.h"
#include "cuda_text/source_outline.h"
#include "experiment/launch_parts.h"

namespace gemmscope::experiment {

Result<compile::CompileRequest> compile_request(const catalog::Kernel& kernel, const Experiment& experiment) {
  const auto inputs = checked_inputs(kernel, experiment.inputs);
  if (!inputs) return tl::unexpected(inputs.error());
  compile::CompileRequest request;
  request.include_folders = {kernel.path.parent_path(), kernel.path.parent_path().parent_path() / "include",
                             catalog::kernels_folder() / "include"};
  if (kernel.opened)
    if (auto checked = cuda_text::check_includes(kernel.source, kernel.path, request.include_folders);
        !checked)
      return tl::unexpected(checked.error());
  // A user's file is reduced to its device part; a kernel of the catalogue consists of nothing else.
  request.source = kernel.source;
  if (kernel.opened) {
    const auto included = cuda_text::included_sources(kernel.source, kernel.path);
    request.source = cuda_text::without_host_code(kernel.source, included);
    for (const cuda_text::IncludedSource& file : included)
      if (std::string device = cuda_text::without_host_code(file.text, included); device != file.text)
        request.headers.emplace_back(file.written, std::move(device));
    request.headers.push_back(compile::implicit_types());
    request.options.push_back("--pre-include=" + compile::implicit_types().first);
  }
  if (kernel.mangled) request.entry = kernel.entry;
  for (const auto& [name, value] : kernel.defines) request.macros[name] = std::to_string(value);
  request.source_path = kernel.path;
  for (const catalog::Toggle& toggle : kernel.toggles) {
    const auto chosen = experiment.toggles.find(toggle.name);
    request.macros[toggle.name] =
        std::to_string(chosen == experiment.toggles.end() ? toggle.default_value : chosen->second);
  }
  for (const auto& [name, expression] : *inputs) request.macros[name] = expression;
  request.arch = experiment.arch;
  request.pack_folder = catalog::assets_folder() / "pack";
  return request;
}

}  // namespace gemmscope::experiment
