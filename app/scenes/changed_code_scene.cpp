#include "scenes/changed_code_scene.h"

#include <fmt/format.h>

#include "base/plural.h"
#include "experiment/changed_code.h"
#include "experiment/timing_choice.h"
#include "scenes/number_strip_scene.h"
#include "scenes/text.h"

namespace gemmscope::scenes {
namespace {

using drawing::Role;
using experiment::CompiledKernel;

// Differences that the three decimals do not show are none.
Role better(double before, double now) {
  constexpr double kShown = 0.0005;
  return now < before - kShown ? Role::ok : now > before + kShown ? Role::warning : Role::text;
}

void add_ports(std::vector<ChangedFact>& facts, const CompiledKernel& before, const CompiledKernel& now) {
  const metrics::LoopPorts *a = before.ports.main_loop(), *b = now.ports.main_loop();
  if (a == nullptr || b == nullptr || a->ffma == 0 || b->ffma == 0) return;
  facts.push_back({fmt::format("port cycles a FFMA {:.3f} \u2192 {:.3f}", a->port_cycles_per_ffma(),
                               b->port_cycles_per_ffma()),
                   better(a->port_cycles_per_ffma(), b->port_cycles_per_ffma()),
                   "Of the main loop, in its steady state: 1 is ideal. Modelled."});
  facts.push_back({fmt::format("cycles lost to ports in a pass {} \u2192 {}", a->lost_cycles, b->lost_cycles),
                   better(a->lost_cycles, b->lost_cycles),
                   "Of one warp alone, in which it waits for a register port. Modelled."});
}

std::string both_executed(const std::string& size) {
  return fmt::format("Both codes were executed on the CPU with the same data, every block, at {}.", size);
}

ChangedFact buffers_fact(const experiment::BitsCompared& bits, const std::string& size) {
  if (bits.different == 0)
    return {
        fmt::format("buffers equal bit for bit, {} word{}", grouped(bits.elements), plural(bits.elements)),
        Role::ok, both_executed(size)};
  return {fmt::format("{} of {} word{} of the buffers differ{}", grouped(bits.different),
                      grouped(bits.elements), plural(bits.elements), bits.different == 1 ? "s" : ""),
          Role::error, both_executed(size)};
}

ChangedFact bits_fact(const experiment::BitsCompared& bits) {
  if (!bits.why_not.empty()) return {"the result is not compared", Role::warning, bits.why_not};
  const std::string size = experiment::size_text(bits.problem);
  if (bits.of_buffers) return buffers_fact(bits, size);
  if (bits.different == 0)
    return {fmt::format("C equal bit for bit, {} element{}", grouped(bits.elements), plural(bits.elements)),
            Role::ok, both_executed(size)};
  return {fmt::format("{} of {} element{} of C differ{}", grouped(bits.different), grouped(bits.elements),
                      plural(bits.elements), bits.different == 1 ? "s" : ""),
          Role::error, both_executed(size)};
}

}  // namespace

ChangedCodeScene changed_code_scene(const ChangedCodeInput& input) {
  ChangedCodeScene scene;
  const CompiledKernel& now = *input.compiled;
  if (now.changed == nullptr || !now.changed->refused.empty()) return scene;
  scene.name = experiment::changes_text(now.changed->changes);
  const std::string mistake = experiment::first_mistake(now);
  scene.broken = !mistake.empty();
  if (scene.broken) {
    const size_t count = now.changed->broken.size() + now.hazards.size();
    scene.facts.push_back({count == 1 ? mistake : fmt::format("{} mistakes, the first at {}", count, mistake),
                           Role::error,
                           mistake + "\nIt is not modelled and never sent to a GPU. Undo takes it back."});
  }
  add_ports(scene.facts, *now.changed->original, now);
  if (!scene.broken && input.modelled_ms && input.modelled_before_ms)
    scene.facts.push_back({fmt::format("modelled {} \u2192 {}", time_text(*input.modelled_before_ms),
                                       time_text(*input.modelled_ms)),
                           better(1, *input.modelled_ms / *input.modelled_before_ms),
                           "The whole launch on the chosen device, from the machine code."});
  if (input.bits != nullptr) scene.facts.push_back(bits_fact(*input.bits));
  return scene;
}

}  // namespace gemmscope::scenes
