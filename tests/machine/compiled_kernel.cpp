#include "compiled_kernel.h"

#include "isa/disassemble.h"
#include "machine/translate/translate.h"

namespace gemmscope::machine {

std::shared_ptr<CompiledSource> compile_source(const std::string& source, isa::Arch arch,
                                               const std::vector<std::string>& options) {
  compile::CompileRequest request;
  request.source = source;
  request.source_path = "test.cu";
  request.arch = arch;
  request.options = options;
  const compile::CompileResult compiled = compile::compile_cubin(request);
  EXPECT_TRUE(compiled.has_value()) << compiled.error().message;
  if (!compiled) return nullptr;
  Result<cubin::Cubin> cubin = cubin::read_cubin(compiled->bytes, "test.cu");
  EXPECT_TRUE(cubin.has_value()) << cubin.error().message;
  if (!cubin) return nullptr;
  auto result = std::make_shared<CompiledSource>();
  result->cubin = std::move(*cubin);
  const cubin::KernelCode* kernel = result->cubin.find("kernel");
  EXPECT_NE(kernel, nullptr);
  if (kernel == nullptr) return nullptr;
  for (uint32_t i = 0; i < kernel->instruction_count(); ++i)
    result->text +=
        isa::disassemble(isa::decode(kernel->words[2 * i], kernel->words[2 * i + 1], 16 * i, arch)) + "\n";
  return result;
}

Result<Program> Launch::translated(const CompiledSource& source) {
  return translate(source.cubin, *source.cubin.find("kernel"),
                   {grid, block, dynamic_shared_bytes, arguments_}, memory_);
}

std::string Launch::run(const CompiledSource& source) {
  fault.reset();
  const Result<Program> program = translated(source);
  if (!program) return program.error().message;
  GridOptions options;
  options.threads = threads;
  options.limits = limits;
  auto result = run_grid(*program, memory_, options);
  const cubin::KernelCode& kernel = *source.cubin.find("kernel");
  findings = std::move(result ? result->findings : result.error().findings);
  finding_texts.clear();
  for (const Finding& finding : findings)
    finding_texts.push_back(describe_finding(finding, program->instructions, source.cubin, kernel));
  if (result) {
    counts = std::move(result->counts);
    return "";
  }
  fault = result.error();
  return describe_fault(*fault, program->instructions, source.cubin, kernel);
}

tl::expected<Trace, FaultedRun> Launch::trace(const CompiledSource& source, size_t records) {
  const Result<Program> program = translated(source);
  EXPECT_TRUE(program.has_value()) << program.error().message;
  if (!program) return tl::unexpected(FaultedRun{});
  return trace_block(*program, memory_, {0, 0, 0}, {records, limits});
}

Trace Launch::trace_in_turns(const CompiledSource& source, size_t records) {
  const Result<Program> program = translated(source);
  EXPECT_TRUE(program.has_value()) << program.error().message;
  Trace trace;
  if (program) machine::trace_in_turns({*program, memory_}, {0, 0, 0}, {records, limits}, trace);
  return trace;
}

}  // namespace gemmscope::machine
