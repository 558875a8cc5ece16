#include "cpu_timing.h"

#include <cstring>
#include <string_view>

#include "base/compare_elements.h"
#include "base/random_element.h"
#include "gpu_runner/matrices.h"
#include "gpu_runner/product_check.h"
#include "machine/execute/grid.h"
#include "machine/state/program.h"
#include "machine/state/tensor_map.h"
#include "machine/translate/translate.h"

namespace gemmscope::gpu {
namespace {

constexpr double kProductsAMs = 5e8;        // as if of a GPU with 1 TFLOP/s
constexpr int64_t kMostProducts = 1 << 23;  // multiply-adds that are executed at most

uint64_t hash(std::string_view text) {
  uint64_t value = 0;
  for (const char c : text) value = mix_bits(value ^ static_cast<unsigned char>(c));
  return value;
}
double fraction(uint64_t bits) { return static_cast<double>(bits >> 11) / static_cast<double>(1ull << 53); }

double products(const Gemm& gemm) {
  return static_cast<double>(gemm.m) * static_cast<double>(gemm.n) * static_cast<double>(gemm.k);
}

// Puts the request's parameters into the machine's memory.
class Memory {
 public:
  explicit Memory(const PrepareRequest& request) {
    for (const TimedParameter& parameter : request.parameters)
      std::visit([&](const auto& what) { add(what, request); }, parameter);
  }
  machine::GlobalMemory memory;
  std::vector<std::vector<std::byte>> arguments;
  CheckedKernel checked;
  bool has[3] = {false, false, false};

 private:
  void add(const ValueParameter& value, const PrepareRequest&) { arguments.push_back(value.bytes); }
  void add(const BufferParameter& buffer, const PrepareRequest&) {
    const std::string name = fmt::format("parameter {}", arguments.size());
    arguments.push_back(memory_argument(memory.allocate(name, buffer.initial.size()), buffer.tensor_map));
    std::ranges::copy(buffer.initial, memory.bytes(name).begin());
  }
  void add(const MatrixParameter& matrix, const PrepareRequest& request) {
    const Gemm& g = *request.gemm;
    const std::string name(1, matrix.role);
    const int64_t rows = matrix.role == 'B' ? g.k : g.m, columns = matrix.role == 'A' ? g.k : g.n;
    const auto bytes = static_cast<size_t>(rows * columns) * element_bytes(matrix.bfloat16);
    arguments.push_back(memory_argument(memory.allocate(name, bytes), tensor_map_of(matrix, g)));
    const std::span<std::byte> content = memory.bytes(name);
    fill_matrix(matrix.role, matrix.bfloat16, 0, content);
    if (matrix.role == 'C' && g.beta == 0 && !matrix.finite) std::ranges::fill(content, std::byte{0xff});
    has[matrix.role - 'A'] = true;
    checked.gemm = g;
    checked.precision = request.precision;
    bool& type = matrix.role == 'A'   ? checked.types.a_bfloat16
                 : matrix.role == 'B' ? checked.types.b_bfloat16
                                      : checked.c_bfloat16;
    type = matrix.bfloat16;
  }
};

tl::unexpected<RunnerError> refused(ErrorKind kind, const std::string& message) {
  return runner_error(kind, "{}", message);
}

Outcome<void> execute(const PrepareRequest& request, const TimedLaunch& what, Memory& memory) {
  const Result<cubin::Cubin> cubin = cubin::read_cubin(request.cubin, what.kernel);
  if (!cubin) return refused(ErrorKind::bad_machine_code, cubin.error().message);
  const cubin::KernelCode* const kernel = cubin->find(what.kernel);
  if (kernel == nullptr) return refused(ErrorKind::no_such_kernel, what.kernel);
  machine::LaunchConfig launch{what.grid, what.block, what.dynamic_shared_bytes, {}};
  for (const uint32_t index : what.parameters) launch.arguments.push_back(memory.arguments[index]);
  const Result<machine::Program> program = machine::translate(*cubin, *kernel, launch, memory.memory);
  if (!program) return refused(ErrorKind::bad_request, program.error().message);
  const auto run = machine::run_grid(*program, memory.memory, {});
  if (!run) return refused(ErrorKind::kernel_fault, run.error().what);
  return {};
}

// A `wrong` runner damages the launches' result.
Outcome<GpuVerification> compare(const PrepareRequest& request, Memory& result, bool wrong) {
  Memory reference(request);
  if (Outcome<void> done = execute(request, request.check->launch, reference); !done)
    return tl::unexpected(done.error());
  Deviation deviation;
  for (const ReferenceCheck::Buffer& compared : request.check->compare) {
    const std::string name = fmt::format("parameter {}", compared.parameter);
    if (wrong) result.memory.bytes(name)[3] ^= std::byte{0x40};
    compare_elements(result.memory.bytes(name), reference.memory.bytes(name), compared.type,
                     request.check->tolerance, deviation);
  }
  return GpuVerification{true, deviation.largest_error, deviation.largest_ratio, deviation.wrong_elements,
                         fmt::format("its reference, the kernel {}", request.check->launch.kernel)};
}

}  // namespace

std::vector<std::byte> memory_argument(uint64_t address, const std::optional<TensorMapShape>& map) {
  if (!map) return machine::argument(address);
  const uint32_t element_bytes = map->bfloat16 ? 2 : 4;
  const auto bytes =
      machine::tensor_map_bytes(machine::matrix_map(address, element_bytes, map->rows, map->columns,
                                                    uint64_t{map->columns} * element_bytes, map->box_rows));
  return {bytes.begin(), bytes.end()};
}

Outcome<Prepared> CpuTiming::prepare(const PrepareRequest& request, bool wrong) {
  if (Outcome<void> checked = check_request(request); !checked) return tl::unexpected(checked.error());
  const double count = request.gemm ? products(*request.gemm) : 1e6;
  // A kernel takes between one and three times as long as the library's product.
  const double ms = count / kProductsAMs * (1 + 2 * fraction(hash(request.launches[0].kernel)));
  GpuVerification verification;
  verification.against = "nothing was compared: this stand-in for a GPU does not execute so large a problem";
  if (count > kMostProducts) return keep(ms, verification);
  Memory memory(request);
  for (const TimedLaunch& launch : request.launches)
    if (Outcome<void> done = execute(request, launch, memory); !done) return tl::unexpected(done.error());
  if (request.check) {
    const Outcome<GpuVerification> compared = compare(request, memory, wrong);
    if (!compared) return tl::unexpected(compared.error());
    return keep(ms, *compared);
  }
  verification.against = "nothing was compared: the launch has no product of A and B in C, and no reference";
  if (!memory.has[0] || !memory.has[1] || !memory.has[2]) return keep(ms, verification);
  const std::span<std::byte> c = memory.memory.bytes("C");
  if (wrong) c[c.size() / 2 / 4 * 4 + 3] ^= std::byte{0x40};
  const ProductReference reference = cpu_reference(*request.gemm, memory.checked.types);
  std::vector<std::byte> rows;
  const auto row_bytes = c.size() / static_cast<size_t>(reference.m);
  for (int64_t i = 0; i < reference.row_count; ++i) {
    const auto row = c.subspan(static_cast<size_t>(reference.row(i)) * row_bytes, row_bytes);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return keep(ms, check_product(memory.checked, reference, rows));
}

Outcome<Prepared> CpuTiming::prepare(const PrepareLibraryRequest& request) {
  if (Outcome<void> checked = check_gemm(request.gemm); !checked) return tl::unexpected(checked.error());
  GpuVerification verification;
  verification.against = "nothing was compared: this stand-in for a GPU has no library";
  const double faster = request.precision == Precision::fp32   ? 1
                        : request.precision == Precision::tf32 ? 4
                                                               : 8;
  Prepared prepared = keep(products(request.gemm) / kProductsAMs / faster, verification);
  prepared.library = "a stand-in for cuBLAS";
  return prepared;
}

Prepared CpuTiming::keep(double ms, GpuVerification verification) {
  kept_.push_back({ms, 0});
  Prepared prepared;
  prepared.handle = kept_.size();
  prepared.first_ms = ms;
  prepared.verification = std::move(verification);
  return prepared;
}

Outcome<TimeReply> CpuTiming::time(const TimeRequest& request) {
  if (request.handle == 0 || request.handle > kept_.size() || kept_[request.handle - 1].ms == 0)
    return runner_error(ErrorKind::not_prepared, "nothing is prepared under the handle {}", request.handle);
  Kept& kept = kept_[request.handle - 1];
  const double noise = 1 + 0.02 * fraction(mix_bits(request.handle * 1000 + ++kept.timed));
  return TimeReply{kept.ms * noise * (request.flush_l2 ? 1.1 : 1), 1000};
}

Outcome<Released> CpuTiming::release(const ReleaseRequest& request) {
  if (request.handle > 0 && request.handle <= kept_.size()) kept_[request.handle - 1].ms = 0;
  return Released{};
}

}  // namespace gemmscope::gpu
