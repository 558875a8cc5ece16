// ports: the register ports that a kernel's machine code takes, by loop and by instruction.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/with_compiled.h"
#include "compile/file_io.h"
#include "cubin/cubin.h"
#include "isa/disassemble.h"
#include "metrics/loop_ports.h"
#include "metrics/matrix_products.h"

namespace gemmscope::cli {
namespace {

using metrics::InstructionPorts;
using metrics::KernelPorts;
using metrics::LoopPorts;
using nlohmann::json;

constexpr std::string_view kElf =
    "\x7f"
    "ELF";

struct Code {
  std::string name;
  std::vector<isa::Instruction> instructions;
};

constexpr std::array<const char*, metrics::kOperandSlots> kSlots = {"A", "B", "C"};

bool is_hit(const InstructionPorts& ports, int k) { return ((ports.banks.hits >> k) & 1) != 0; }
bool is_double(const InstructionPorts& ports, int k) { return ((ports.banks.doubles >> k) & 1) != 0; }

// "A0 B1* C0": slot and bank of each operand; a star is a hit of the reuse cache, = the register of another
// slot.
std::string banks_text(const InstructionPorts& ports) {
  std::string text;
  for (int k = 0; k < ports.operands.count; ++k) {
    const metrics::PortRead& read = ports.operands.reads[static_cast<size_t>(k)];
    if (!text.empty()) text += ' ';
    text += fmt::format("{}{}{}", kSlots[read.slot], metrics::bank_of(read.reg),
                        is_hit(ports, k)      ? "*"
                        : is_double(ports, k) ? "="
                                              : "");
  }
  return text;
}

json instruction_json(const isa::Instruction& instruction, const InstructionPorts& ports) {
  json operands = json::array();
  for (int k = 0; k < ports.operands.count; ++k) {
    const metrics::PortRead& read = ports.operands.reads[static_cast<size_t>(k)];
    operands.push_back({{"register", read.reg},
                        {"slot", kSlots[read.slot]},
                        {"bank", metrics::bank_of(read.reg)},
                        {"reuse", read.reuse},
                        {"hit", is_hit(ports, k)},
                        {"same_register", is_double(ports, k)},
                        {"missed_reuse", ((ports.missed >> k) & 1) != 0}});
  }
  json result = {{"address", instruction.address},
                 {"instruction", isa::disassemble(instruction)},
                 {"operands", operands},
                 {"at_issue", ports.at_issue},
                 {"one_cycle", ports.one_cycle},
                 {"port_cycles", ports.port_cycles},
                 {"lost_cycles", ports.lost_cycles}};
  if (const std::string why = metrics::port_conflict_text(ports); !why.empty()) result["why"] = why;
  return result;
}

json loop_json(const LoopPorts& loop, const std::vector<isa::Instruction>& code, bool is_main) {
  return {{"first_address", code[loop.first].address},
          {"last_address", code[loop.last].address},
          {"main", is_main},
          {"innermost", loop.innermost},
          {"instructions", loop.instructions},
          {"ffma", loop.ffma},
          {"matrix_products", metrics::matrix_products(code, loop.first, loop.last)},
          {"ffma_port_cycles", loop.ffma_port_cycles},
          {"math", loop.math},
          {"math_port_cycles", loop.math_port_cycles},
          {"port_cycles_per_ffma", loop.port_cycles_per_ffma()},
          {"lost_cycles", loop.lost_cycles},
          {"lost_cycles_per_ffma", loop.lost_cycles_per_ffma()},
          {"pass_cycles", loop.pass_cycles()},
          {"ffma_operands", loop.operands},
          {"reuse_hits", loop.hits},
          {"bank_reads", loop.reads}};
}

json code_json(const Code& code, const KernelPorts& ports) {
  json loops = json::array(), instructions = json::array();
  for (const LoopPorts& loop : ports.loops)
    loops.push_back(loop_json(loop, code.instructions, &loop == ports.main_loop()));
  for (size_t i = 0; i < code.instructions.size(); ++i)
    if (ports.instructions[i].operands.count != 0)
      instructions.push_back(instruction_json(code.instructions[i], ports.instructions[i]));
  return {{"kernel", code.name}, {"loops", loops}, {"instructions", instructions}};
}

void print_loop(const LoopPorts& loop, const std::vector<isa::Instruction>& code, bool is_main) {
  fmt::print("{}loop 0x{:04x}..0x{:04x}, {} instructions", is_main ? "main " : "", code[loop.first].address,
             code[loop.last].address, loop.instructions);
  if (loop.ffma != 0)
    fmt::print(", {} FFMA: {:.3f} port cycles a FFMA\n", loop.ffma, loop.port_cycles_per_ffma());
  else if (const auto products = metrics::matrix_products(code, loop.first, loop.last); products != 0)
    fmt::print(
        ", {} matrix products, whose ports are not counted: {:.3f} port cycles for each of {} other math "
        "instructions\n",
        products, loop.port_cycles_per_ffma(), loop.math);
  else
    fmt::print(", no FFMA: {:.3f} port cycles a math instruction\n", loop.port_cycles_per_ffma());
  if (loop.ffma != 0)
    fmt::print(
        "  of {} operands of FFMAs the reuse cache serves {}, the banks {}; at least {} cycles a pass: one "
        "for each instruction, {} more for ports\n",
        loop.operands, loop.hits, loop.reads, loop.pass_cycles(), loop.ffma_port_cycles - loop.ffma);
  fmt::print("  {} cycles lost when neighbours share the ports within {} cycles\n", loop.lost_cycles,
             metrics::kReadWindowCycles);
}

void print_code(const Code& code, const KernelPorts& ports, bool only_lost) {
  fmt::print("{}\n", code.name);
  if (ports.loops.empty()) fmt::print("no loop with arithmetic\n");
  for (const LoopPorts& loop : ports.loops) print_loop(loop, code.instructions, &loop == ports.main_loop());
  fmt::print("\n{:<8}{:<13}{:>6} {:>5}  {}\n", "address", "banks", "cycles", "lost", "instruction");
  for (size_t i = 0; i < code.instructions.size(); ++i) {
    const InstructionPorts& at = ports.instructions[i];
    if (!at.one_cycle || (only_lost && at.port_cycles < 2 && at.lost_cycles == 0)) continue;
    fmt::print("0x{:04x}  {:<13}{:>6} {:>5}  {}\n", code.instructions[i].address, banks_text(at),
               at.port_cycles, at.lost_cycles, isa::disassemble(code.instructions[i]));
  }
}

void report(const std::vector<Code>& codes, const PortOptions& ports, bool as_json) {
  json all = json::array();
  for (const Code& code : codes) {
    const KernelPorts counted = metrics::count_ports(code.instructions);
    if (as_json)
      all.push_back(code_json(code, counted));
    else
      print_code(code, counted, ports.only_lost);
  }
  if (as_json) print_json({{"kernels", all}});
}

std::vector<Code> codes_of(const cubin::Cubin& cubin) {
  std::vector<Code> codes;
  for (const cubin::KernelCode& kernel : cubin.kernels) {
    Code& code = codes.emplace_back(Code{kernel.name, {}});
    for (uint32_t i = 0; i < kernel.instruction_count(); ++i)
      code.instructions.push_back(
          isa::decode(kernel.words[2 * i], kernel.words[2 * i + 1], i * isa::kInstructionBytes, cubin.arch));
  }
  return codes;
}

}  // namespace

int report_ports(const ExperimentOptions& options, const PortOptions& ports) {
  if (const auto text = compile::read_file(options.kernel); text && text->starts_with(kElf)) {
    const auto cubin = cubin::read_cubin(compile::as_bytes(*text), options.kernel);
    if (!cubin) return print_error(cubin.error().message);
    report(codes_of(*cubin), ports, options.json);
    return 0;
  }
  return with_compiled(options, [&](const CompiledPointer& compiled, const ChosenExperiment& chosen) {
    if (!options.json) print_heading(*compiled, chosen.experiment);
    report({{compiled->code().name, compiled->instructions}}, ports, options.json);
    return 0;
  });
}

}  // namespace gemmscope::cli
