#include "lint/latency.h"

#include <algorithm>
#include <array>

#include "isa/opcode_table.h"
#include "isa/operand_width.h"

namespace gemmscope::lint {

namespace {

using isa::Arch;
using isa::Instruction;
using isa::Modifier;
using isa::Opcode;
using isa::Pipe;

enum class Generation : uint8_t { turing, ampere, hopper };  // ampere: Ada too
Generation generation_of(const Instruction& instruction) {
  if (instruction.arch == Arch::sm_75) return Generation::turing;
  return instruction.arch == Arch::sm_90 ? Generation::hopper : Generation::ampere;
}

// --- vector registers
// wide: IMAD.WIDE, whose low word is ready before the high one and whose addend's high word is read late.
// heavy: HFMA2.MMA and float64. deep_mma: matrix instructions that take two passes.
enum class Writer : uint8_t { alu, fma, wide_low, wide_high, pair_move, half, heavy, fp64, mma, deep_mma };
enum class Reader : uint8_t { alu, fma, wide_factor, wide_addend_high, half, heavy, tensor, late, memory };
constexpr size_t kWriters = 10, kReaders = 9;
using Cycles = std::array<std::array<uint8_t, kReaders>, kWriters>;

// Columns: the readers in their order. 0: the writer has no fixed latency there.
constexpr Cycles kTuring = {{{4, 5, 5, 3, 6, 6, 6, 6, 8},
                             {5, 4, 4, 2, 6, 6, 6, 6, 8},
                             {3, 2, 4, 2, 6, 6, 6, 6, 8},
                             {5, 4, 6, 2, 6, 6, 6, 6, 8},
                             {6, 6, 6, 4, 6, 6, 6, 6, 8},
                             {8, 8, 8, 6, 6, 8, 8, 8, 8},
                             {},
                             {},
                             {},
                             {}}};
constexpr Cycles kAmpere = {{{4, 5, 5, 3, 5, 6, 7, 4, 5},
                             {5, 4, 4, 2, 5, 6, 7, 4, 5},
                             {3, 2, 4, 2, 3, 6, 7, 4, 5},
                             {5, 4, 6, 2, 5, 6, 7, 4, 5},
                             {6, 6, 6, 4, 6, 6, 7, 4, 5},
                             {5, 5, 5, 3, 4, 6, 7, 4, 5},
                             {10, 10, 10, 8, 10, 6, 11, 6, 7},
                             {},
                             {13, 13, 13, 11, 13, 13, 14, 11, 12},
                             {17, 17, 17, 15, 17, 17, 18, 15, 16}}};
constexpr Cycles kHopper = {{{4, 4, 4, 3, 5, 6, 7, 4, 5},
                             {4, 4, 4, 2, 5, 6, 7, 4, 5},
                             {3, 2, 4, 2, 3, 6, 7, 4, 5},
                             {4, 4, 6, 2, 5, 6, 7, 4, 5},
                             {6, 6, 6, 4, 6, 6, 7, 4, 5},
                             {5, 5, 5, 3, 4, 6, 7, 4, 5},
                             {10, 10, 10, 8, 10, 6, 11, 6, 7},
                             {10, 10, 10, 8, 10, 8, 11, 6, 7},
                             {13, 13, 13, 11, 13, 13, 14, 11, 12},
                             {17, 17, 17, 15, 17, 17, 18, 15, 16}}};

const Cycles& register_cycles(Generation generation) {
  switch (generation) {
    case Generation::turing:
      return kTuring;
    case Generation::hopper:
      return kHopper;
    default:
      return kAmpere;
  }
}

// IMAD.WIDE and IMAD.HI add a pair of registers.
bool adds_pair(const Instruction& instruction) {
  return instruction.opcode == Opcode::imad_wide || instruction.opcode == Opcode::imad_hi;
}

// One pass takes at most two registers of A from each lane.
bool takes_two_passes(const Instruction& instruction) { return isa::fragment_words(instruction).a > 2; }

Writer writer_of(const Instruction& instruction, uint8_t word) {
  if (instruction.opcode == Opcode::imad_wide) return word == 0 ? Writer::wide_low : Writer::wide_high;
  if (instruction.opcode == Opcode::imad_hi) return Writer::wide_high;
  if (instruction.opcode == Opcode::hfma2_mma) return Writer::heavy;
  if (instruction.opcode == Opcode::cs2r && !instruction.has(Modifier::b32)) return Writer::pair_move;
  switch (instruction.row->pipe) {
    case Pipe::fma:
    case Pipe::fma_heavy:
      return Writer::fma;
    case Pipe::fp16:
      return Writer::half;
    case Pipe::fp64:
      return Writer::fp64;
    case Pipe::tensor:
      return takes_two_passes(instruction) ? Writer::deep_mma : Writer::mma;
    default:
      return Writer::alu;
  }
}

Reader reader_of(const Instruction& instruction, const Dependence& dependence) {
  if (adds_pair(instruction)) {
    if (dependence.consumer_words == 1) return Reader::wide_factor;
    return dependence.consumer_word == 0 ? Reader::fma : Reader::wide_addend_high;
  }
  if (instruction.opcode == Opcode::hfma2_mma) return Reader::heavy;
  if (instruction.opcode == Opcode::r2ur && is_variable(instruction)) return Reader::late;
  switch (instruction.row->pipe) {
    case Pipe::alu:
      return Reader::alu;
    case Pipe::fma:
    case Pipe::fma_heavy:
      return Reader::fma;
    case Pipe::fp16:
      return Reader::half;
    case Pipe::fp64:
      return Reader::heavy;
    case Pipe::tensor:
      return Reader::tensor;
    case Pipe::lsu:
      return Reader::memory;
    default:
      return Reader::late;
  }
}

// --- predicates
// What decides at issue whether to execute at all, or leaves the math pipes, needs a predicate earlier.
bool reads_predicates_early(const Instruction& instruction) {
  if (instruction.opcode == Opcode::vote || instruction.opcode == Opcode::voteu) return true;
  switch (instruction.row->pipe) {
    case Pipe::alu:
    case Pipe::fma:
    case Pipe::fma_heavy:
    case Pipe::fp16:
      return false;
    default:
      return true;
  }
}

int predicate_cycles(const Dependence& dependence, const Instruction& producer, const Instruction& consumer) {
  const bool turing = generation_of(producer) == Generation::turing;
  const Writer writer = writer_of(producer, 0);
  const bool is_slow = writer == (turing ? Writer::half : Writer::fp64);
  if (!dependence.is_guard && is_slow && writer_of(consumer, 0) == writer) return 6;
  if (dependence.is_guard || reads_predicates_early(consumer)) {
    const int cycles = turing ? 12 : 13;
    return is_slow ? cycles + (turing ? 2 : 1) : cycles;
  }
  if (is_slow) return turing ? 8 : 6;
  if (writer == Writer::half) return 5;
  if (consumer.row->pipe == Pipe::fp16) return 4;
  const bool from_fma = writer != Writer::alu;
  const bool to_fma = consumer.row->pipe != Pipe::alu;
  return from_fma == to_fma ? 4 : 5;
}

// --- the uniform datapath
// light: moves and loads of constants, which are ready early.
enum class UniformWriter : uint8_t { datapath, light, from_vector };
enum class UniformReader : uint8_t { datapath, move, constant, coupled, decoupled, branch };
constexpr std::array<std::array<uint8_t, 6>, 3> kUniformCycles = {
    {{4, 7, 12, 6, 9, 10}, {2, 2, 5, 2, 2, 3}, {13, 13, 13, 13, 13, 13}}};

UniformWriter uniform_writer_of(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::uldc:
    case Opcode::umov:
    case Opcode::voteu:
      return UniformWriter::light;
    case Opcode::r2ur:
      return UniformWriter::from_vector;
    default:
      return instruction.row->pipe == Pipe::uniform ? UniformWriter::datapath : UniformWriter::light;
  }
}

UniformReader uniform_reader_of(const Instruction& instruction) {
  if (instruction.opcode == Opcode::uldc) return UniformReader::constant;
  if (instruction.opcode == Opcode::umov || instruction.opcode == Opcode::voteu) return UniformReader::move;
  switch (instruction.row->pipe) {
    case Pipe::uniform:
      return UniformReader::datapath;
    case Pipe::lsu:
    case Pipe::xu:
    case Pipe::constant:
    case Pipe::sync:
    case Pipe::async:
      return UniformReader::decoupled;
    case Pipe::control:
      return UniformReader::branch;
    default:
      return UniformReader::coupled;
  }
}

int uniform_cycles(const Instruction& producer, const Instruction& consumer) {
  const UniformWriter writer = uniform_writer_of(producer);
  const UniformReader reader = uniform_reader_of(consumer);
  const bool turing = generation_of(producer) == Generation::turing;
  // Turing's branches take a uniform register like any unit beside the math pipes.
  if (turing && writer == UniformWriter::datapath && reader == UniformReader::branch) return 9;
  return kUniformCycles[static_cast<size_t>(writer)][static_cast<size_t>(reader)];
}

int uniform_predicate_cycles(const Dependence& dependence, const Instruction& producer,
                             const Instruction& consumer) {
  const bool vote = producer.opcode == Opcode::voteu;
  if (dependence.is_guard || consumer.row->pipe == Pipe::tensor) return vote ? 5 : 11;
  switch (consumer.row->pipe) {
    case Pipe::uniform:
      return vote ? 1 : 4;
    case Pipe::control:
      return vote ? 2 : 9;
    default:
      return vote ? 1 : 6;
  }
}

int register_read_after_write(const Dependence& dependence, const Instruction& producer,
                              const Instruction& consumer) {
  const Generation generation = generation_of(producer);
  const int cycles = register_cycles(generation)[static_cast<size_t>(writer_of(producer, dependence.word))]
                                                [static_cast<size_t>(reader_of(consumer, dependence))];
  // Turing's memory instructions read the first register of each operand, then the others.
  const bool read_later =
      generation == Generation::turing && consumer.row->pipe == Pipe::lsu && dependence.consumer_word > 0;
  return read_later ? cycles - 1 : cycles;
}

int read_after_write(const Dependence& dependence, const Instruction& producer, const Instruction& consumer) {
  switch (file_of(dependence.place)) {
    case File::predicate:
      return predicate_cycles(dependence, producer, consumer);
    case File::uniform:
      return uniform_cycles(producer, consumer);
    case File::uniform_predicate:
      return uniform_predicate_cycles(dependence, producer, consumer);
    default:
      return register_read_after_write(dependence, producer, consumer);
  }
}

// --- writes after writes, both of fixed latency: the later one must not come first
bool is_late(Writer writer) { return writer == Writer::heavy || writer == Writer::fp64; }
bool multiplies_matrices(Writer writer) { return writer == Writer::mma || writer == Writer::deep_mma; }

int register_write_after_write(Writer first, Writer second) {
  const bool deep = first == Writer::deep_mma;
  if (multiplies_matrices(first)) {
    if (multiplies_matrices(second)) return deep ? 8 : 4;
    return second == Writer::pair_move ? (deep ? 12 : 8) : 1;
  }
  if (is_late(first) && !is_late(second) && second != Writer::pair_move && !multiplies_matrices(second))
    return 3;
  return 1;
}

int write_after_write(const Dependence& dependence, const Instruction& producer,
                      const Instruction& consumer) {
  const File file = file_of(dependence.place);
  if (is_variable(consumer)) {
    if (file != File::vector) return 1;
    const bool turing = generation_of(producer) == Generation::turing;
    if (consumer.row->pipe == Pipe::fp64) return turing ? 2 : 1;
    return turing ? 6 : 5;
  }
  if (file == File::uniform)
    return uniform_writer_of(producer) == UniformWriter::datapath &&
                   uniform_writer_of(consumer) == UniformWriter::light
               ? 7
               : 1;
  if (file != File::vector) return 1;
  return register_write_after_write(writer_of(producer, dependence.word), writer_of(consumer, 0));
}

// A warpgroup's product writes its accumulators later; WARPGROUP instructions order that.
bool is_ordered_by_warpgroup(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::hgmma:
    case Opcode::igmma:
    case Opcode::qgmma:
    case Opcode::bgmma:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool is_variable(const Instruction& instruction) {
  return instruction.row != nullptr &&
         instruction.row->scoreboard_on(instruction.arch) != isa::Scoreboard::none;
}

OrderedUnit result_order_of(const Instruction& instruction) {
  if (instruction.row == nullptr) return OrderedUnit::none;
  switch (instruction.opcode) {
    case Opcode::lds:
    case Opcode::ldsm:
    case Opcode::shfl:
    case Opcode::movm:
    case Opcode::qspc:
      return OrderedUnit::shared_memory;
    case Opcode::s2ur:
    case Opcode::redux:
      return OrderedUnit::to_uniform;
    case Opcode::match:
    case Opcode::dmma:
      return OrderedUnit::none;
    default:
      break;
  }
  switch (instruction.row->pipe) {
    case Pipe::xu:
      return OrderedUnit::xu;
    case Pipe::fp64:
      return OrderedUnit::fp64;
    case Pipe::tensor:
      return OrderedUnit::tensor;
    default:
      return OrderedUnit::none;
  }
}

OrderedUnit source_order_of(const Instruction& instruction) {
  if (instruction.row == nullptr) return OrderedUnit::none;
  const bool queued = instruction.row->pipe == Pipe::lsu || instruction.row->pipe == Pipe::sync;
  return queued ? OrderedUnit::memory_sources : result_order_of(instruction);
}

bool is_told_by_read_scoreboard(const Instruction& instruction, Place place) {
  const bool generic = instruction.opcode == Opcode::atom || instruction.opcode == Opcode::atom_cas;
  return generic && file_of(place) == File::predicate;
}

bool blocks_until_sources_are_read(const Instruction& instruction) {
  return instruction.opcode == Opcode::bar && !instruction.has(Modifier::arv);
}

int issue_cycles(const isa::Control& control) {
  constexpr int kLongestWithoutYield = 11, kBeyondThat = 2, kZeroWithYield = 45;
  if (control.stall_cycles == 0 && control.yield) return kZeroWithYield;
  if (control.stall_cycles > kLongestWithoutYield && !control.yield) return kBeyondThat;
  return std::max<int>(1, control.stall_cycles);
}

int needed_cycles(const Dependence& dependence, const Instruction& producer, const Instruction& consumer) {
  if (producer.row == nullptr || consumer.row == nullptr || is_ordered_by_warpgroup(producer)) return 0;
  const bool variable = is_variable(producer);
  switch (dependence.kind) {
    case DependenceKind::read_after_write:
      return variable ? kNeedsWait : read_after_write(dependence, producer, consumer);
    case DependenceKind::write_after_write: {
      if (!variable) return write_after_write(dependence, producer, consumer);
      const OrderedUnit unit = result_order_of(producer);
      return unit != OrderedUnit::none && unit == result_order_of(consumer) ? 0 : kNeedsWait;
    }
    case DependenceKind::write_after_read: {
      // Uniform registers and predicates are read at issue.
      if (!variable || file_of(dependence.place) != File::vector) return 0;
      const OrderedUnit unit = source_order_of(producer);
      return unit != OrderedUnit::none && unit == source_order_of(consumer) ? 0 : kNeedsWait;
    }
  }
  return 0;
}

}  // namespace gemmscope::lint
