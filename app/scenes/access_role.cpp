#include "scenes/access_role.h"

#include <fmt/format.h>

#include <algorithm>

namespace gemmscope::scenes {

using experiment::BlockResult;

OpcodeFamily opcode_family(isa::Opcode opcode) {
  using isa::Opcode;
  switch (opcode) {
    case Opcode::ldg:
      return OpcodeFamily::global_load;
    case Opcode::stg:
      return OpcodeFamily::global_store;
    case Opcode::lds:
    case Opcode::ldsm:
      return OpcodeFamily::shared_load;
    case Opcode::sts:
    case Opcode::stsm:
      return OpcodeFamily::shared_store;
    case Opcode::ldgsts:
    case Opcode::utmaldg:
    case Opcode::ublkcp:
      return OpcodeFamily::async_copy;
    case Opcode::atom:
    case Opcode::atom_cas:
    case Opcode::atomg:
    case Opcode::atomg_cas:
    case Opcode::atoms:
    case Opcode::atoms_cas:
    case Opcode::red:
      return OpcodeFamily::atomic;
    case Opcode::ldl:
      return OpcodeFamily::local_load;
    case Opcode::stl:
      return OpcodeFamily::local_store;
    case Opcode::ffma:
    case Opcode::dfma:
    case Opcode::hfma2:
    case Opcode::hmma:
    case Opcode::dmma:
    case Opcode::imma:
      return OpcodeFamily::multiply_add;
    case Opcode::bar:
    case Opcode::syncs_phasechk:
      return OpcodeFamily::barrier;
    default:
      return OpcodeFamily::other;
  }
}

bool same_kind(isa::Opcode a, isa::Opcode b) {
  return a == b || (opcode_family(a) != OpcodeFamily::other && opcode_family(a) == opcode_family(b));
}

namespace {

bool same_place(const experiment::CompiledKernel& compiled, uint32_t a, uint32_t b) {
  const auto equal = [](const auto& x, const auto& y) { return x.file == y.file && x.line == y.line; };
  return compiled.places[a].line != 0 && equal(compiled.places[a], compiled.places[b]) &&
         std::ranges::equal(compiled.calls[a], compiled.calls[b], equal);
}

// Of an access that moved no element in this block, as at a ragged edge: what others of its line moved.
uint8_t matrix_of_line(const BlockResult& block, uint32_t instruction) {
  const experiment::CompiledKernel& compiled = *block.compiled;
  const isa::Opcode opcode = compiled.instructions[instruction].opcode;
  for (uint32_t i = 0; i < block.matrices.size(); ++i)
    if (block.matrices[i] != metrics::kNoMatrix && same_kind(compiled.instructions[i].opcode, opcode) &&
        same_place(compiled, i, instruction))
      return block.matrices[i];
  return metrics::kNoMatrix;
}

}  // namespace

AccessRole role_of(const BlockResult& block, uint32_t instruction) {
  const OpcodeFamily family = opcode_family(block.compiled->instructions[instruction].opcode);
  const bool moves = family != OpcodeFamily::other && family != OpcodeFamily::multiply_add &&
                     family != OpcodeFamily::barrier && instruction < block.matrices.size();
  if (!moves) return {family, metrics::kNoMatrix};
  const uint8_t own = block.matrices[instruction];
  return {family, own != metrics::kNoMatrix ? own : matrix_of_line(block, instruction)};
}

namespace {

const char* verb_of(OpcodeFamily family) {
  switch (family) {
    case OpcodeFamily::global_load:
    case OpcodeFamily::shared_load:
      return "load";
    case OpcodeFamily::global_store:
    case OpcodeFamily::shared_store:
      return "store";
    case OpcodeFamily::async_copy:
      return "asynchronous copy";
    case OpcodeFamily::atomic:
      return "atomic";
    case OpcodeFamily::local_load:
      return "load from local memory";
    case OpcodeFamily::local_store:
      return "store to local memory";
    case OpcodeFamily::multiply_add:
      return "multiply-add";
    case OpcodeFamily::barrier:
      return "barrier";
    case OpcodeFamily::other:
      break;
  }
  return "";
}

}  // namespace

std::string role_text(const BlockResult& block, const AccessRole& role) {
  if (!role.known()) return "";
  const std::string verb = verb_of(role.family);
  const bool shared = role.family == OpcodeFamily::shared_load || role.family == OpcodeFamily::shared_store;
  if (role.matrix >= block.layout.buffers.size())
    return fmt::format("The {}{}", verb,
                       shared ? (verb == "load" ? " from" : " to") + std::string(" shared memory") : "");
  return fmt::format("The {} of {}{}", verb, block.layout.buffers[role.matrix].name, shared ? "'s tile" : "");
}

}  // namespace gemmscope::scenes
