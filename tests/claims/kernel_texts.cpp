#include "kernel_texts.h"

#include "catalog/catalog.h"

namespace gemmscope::claims {

std::map<std::string, std::string> kernel_texts(std::string_view folder) {
  std::map<std::string, std::string> texts;
  for (const catalog::Kernel& kernel : catalog::read_catalog(catalog::kernels_folder()).kernels) {
    if (kernel.folder != folder) continue;
    texts[kernel.id + ", changed"] = kernel.changed;
    texts[kernel.id + ", why"] = kernel.why;
    texts[kernel.id + ", look_at"] = kernel.look_at;
    for (const catalog::Toggle& toggle : kernel.toggles)
      texts[kernel.id + ", help of " + toggle.name] = toggle.help;
    for (const catalog::IllegalRule& rule : kernel.illegal)
      texts[kernel.id + ", where " + rule.when] = rule.why;
  }
  return texts;
}

}  // namespace gemmscope::claims
