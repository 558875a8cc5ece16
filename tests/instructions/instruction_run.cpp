#include "instruction_run.h"

#include <cstring>

#include "compile/compiler.h"
#include "isa/disassemble.h"
#include "machine/execute/grid.h"
#include "machine/translate/translate.h"

namespace gemmscope::instructions {

Result<CompiledCase> compile_case(const InstructionCase& c, isa::Arch arch) {
  compile::CompileRequest request;
  request.source = c.source;
  request.source_path = c.id + ".cu";
  request.macros = c.macros;
  request.arch = arch;
  const compile::CompileResult compiled = compile::compile_cubin(request);
  if (!compiled) return fail("{}", compiled.error().message);
  CompiledCase result;
  result.binary = compiled->bytes;
  Result<cubin::Cubin> cubin = cubin::read_cubin(result.binary, c.id);
  if (!cubin) return tl::unexpected(cubin.error());
  result.cubin = std::move(*cubin);
  const cubin::KernelCode* kernel = result.cubin.find("test");
  if (kernel == nullptr) return fail("{}.cu: the kernel must be extern \"C\" and called test", c.id);
  for (uint32_t i = 0; i < kernel->instruction_count(); ++i)
    result.text += isa::disassemble(isa::decode(kernel->words[2 * i], kernel->words[2 * i + 1],
                                                i * isa::kInstructionBytes, arch)) +
                   '\n';
  return result;
}

Result<std::vector<uint32_t>> run_on_machine(const InstructionCase& c, const CompiledCase& compiled) {
  machine::GlobalMemory memory;
  machine::LaunchConfig launch;
  launch.grid = {c.blocks, 1, 1};
  launch.block = {c.threads, 1, 1};
  const auto buffer = [&](const char* name, const std::vector<uint32_t>& words) {
    const uint64_t address = memory.allocate(name, words.size() * sizeof(uint32_t));
    std::memcpy(memory.bytes(name).data(), words.data(), words.size() * sizeof(uint32_t));
    launch.arguments.push_back(machine::argument(address));
  };
  buffer("in", make_input(c.input));
  buffer("out", std::vector<uint32_t>(c.output_words));
  const Result<machine::Program> program =
      machine::translate(compiled.cubin, compiled.kernel(), launch, memory);
  if (!program) return tl::unexpected(program.error());
  machine::GridOptions options;
  options.threads = 1;
  options.limits.branch_budget = 10'000'000;  // takes seconds, so an endless loop does not hold up the others
  const auto counts = machine::run_grid(*program, memory, options);
  if (!counts)
    return fail("{}", machine::describe_fault(counts.error(), program->instructions, compiled.cubin,
                                              compiled.kernel()));
  std::vector<uint32_t> out(c.output_words);
  std::memcpy(out.data(), memory.bytes("out").data(), out.size() * sizeof(uint32_t));
  return out;
}

}  // namespace gemmscope::instructions
