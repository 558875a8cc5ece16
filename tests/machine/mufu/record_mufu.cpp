// Records the results of the GPU's function unit (MUFU): record_mufu FOLDER. README.md has the commands.
//
// FOLDER/FUNCTION_WHAT.u32 are the output words, one an input: all 2^23 mantissas of a sign and exponent, all
// 2^20 of a double's upper word, all 2^16 words of a half, or a sweep over all exponents, whose inputs are in
// sweep_in.u32 and sweep64_in.u32.
#include <cuda.h>
#include <nvrtc.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace {

using Words = std::vector<uint32_t>;

const char* const kKernels = R"(
typedef unsigned int Word;
#define KERNEL(name, body) \
  extern "C" __global__ void mufu_##name(const Word* in, Word* out, Word n) { \
    const Word i = blockIdx.x * blockDim.x + threadIdx.x; \
    if (i < n) { const Word x = in[i]; Word y; body out[i] = y; } \
  }
#define FLOAT(name, text) KERNEL(name, float f; asm volatile(text " %0, %1;" : "=f"(f) : "f"(__uint_as_float(x))); y = __float_as_uint(f);)
#define DOUBLE(name, text) KERNEL(name, double d; asm volatile(text " %0, %1;" : "=d"(d) : "d"(__hiloint2double(x, 0))); y = __double2hiint(d);)
#define HALF(name, text) KERNEL(name, asm volatile(text " %0, %1;" : "=r"(y) : "r"(x | x << 16)); y &= 0xffff;)
FLOAT(rcp, "rcp.approx.ftz.f32")
FLOAT(rsq, "rsqrt.approx.ftz.f32")
FLOAT(sqrt, "sqrt.approx.ftz.f32")
FLOAT(ex2, "ex2.approx.ftz.f32")
FLOAT(lg2, "lg2.approx.ftz.f32")
FLOAT(sin, "sin.approx.ftz.f32")
FLOAT(cos, "cos.approx.ftz.f32")
FLOAT(tanh, "tanh.approx.f32")
DOUBLE(rcp64h, "rcp.approx.ftz.f64")
DOUBLE(rsq64h, "rsqrt.approx.ftz.f64")
HALF(ex2h, "ex2.approx.f16x2")
HALF(tanhh, "tanh.approx.f16x2")
#if __CUDA_ARCH__ >= 900
HALF(ex2b, "ex2.approx.ftz.bf16x2")
HALF(tanhb, "tanh.approx.bf16x2")
#endif
)";

[[noreturn]] void stop(const std::string& what, const char* why) {
  std::fprintf(stderr, "%s: %s\n", what.c_str(), why);
  std::exit(1);
}
void check(CUresult result, const char* what) {
  const char* why = "unknown error";
  if (result == CUDA_SUCCESS) return;
  cuGetErrorString(result, &why);
  stop(what, why);
}

std::string compile(const std::string& arch) {
  nvrtcProgram program = nullptr;
  nvrtcCreateProgram(&program, kKernels, "mufu.cu", 0, nullptr, nullptr);
  const std::string option = "--gpu-architecture=" + arch;
  const char* const options[] = {option.c_str()};
  const nvrtcResult result = nvrtcCompileProgram(program, 1, options);
  size_t size = 0;
  if (result != NVRTC_SUCCESS) {
    nvrtcGetProgramLogSize(program, &size);
    std::string log(size, '\0');
    nvrtcGetProgramLog(program, log.data());
    stop("The kernels do not compile for " + arch, log.c_str());
  }
  nvrtcGetCUBINSize(program, &size);
  std::string cubin(size, '\0');
  nvrtcGetCUBIN(program, cubin.data());
  return cubin;
}

// Patches the multiplications by 1/(2 pi) before MUFU.SIN and MUFU.COS to ones by 1, so MUFU gets the input
// itself.
int take_turns(std::string& cubin) {
  constexpr uint32_t kTurnsOfRadian = 0x3e22f983, kOne = 0x3f800000;
  int count = 0;
  for (size_t i = 0; i + sizeof kOne <= cubin.size(); i += sizeof kOne) {
    if (std::memcmp(&cubin[i], &kTurnsOfRadian, sizeof kOne) != 0) continue;
    std::memcpy(&cubin[i], &kOne, sizeof kOne);
    ++count;
  }
  return count;
}

constexpr size_t kMostWords = 1 << 23;

class Gpu {
 public:
  explicit Gpu(const std::string& folder) : folder_(folder) {
    CUdevice device = 0;
    CUcontext context = nullptr;
    check(cuInit(0), "cuInit");
    check(cuDeviceGet(&device, 0), "cuDeviceGet");
    check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    int major = 0, minor = 0;
    cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
    std::string cubin = compile("sm_" + std::to_string(major) + std::to_string(minor));
    if (take_turns(cubin) != 2) stop("MUFU.SIN and MUFU.COS", "their multiplications were not found");
    check(cuModuleLoadData(&module_, cubin.data()), "cuModuleLoadData");
    check(cuMemAlloc(&in_, 4 * kMostWords), "cuMemAlloc");
    check(cuMemAlloc(&out_, 4 * kMostWords), "cuMemAlloc");
  }

  // Writes the outputs to a file; skips a function that the architecture lacks.
  void record(const std::string& function, const std::string& what, const Words& in) {
    CUfunction kernel = nullptr;
    if (cuModuleGetFunction(&kernel, module_, ("mufu_" + function).c_str()) != CUDA_SUCCESS) return;
    auto n = static_cast<uint32_t>(in.size());
    check(cuMemcpyHtoD(in_, in.data(), 4 * in.size()), "cuMemcpyHtoD");
    void* arguments[] = {&in_, &out_, &n};
    check(cuLaunchKernel(kernel, (n + 255) / 256, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr),
          "cuLaunchKernel");
    Words out(in.size());
    check(cuMemcpyDtoH(out.data(), out_, 4 * out.size()), "cuMemcpyDtoH");
    save(function + "_" + what, out);
  }
  void save(const std::string& name, const Words& words) const {
    std::ofstream file(folder_ + "/" + name + ".u32", std::ios::binary);
    file.write(reinterpret_cast<const char*>(words.data()), static_cast<std::streamsize>(4 * words.size()));
    if (!file) stop(folder_ + "/" + name + ".u32", "cannot be written");
  }

 private:
  std::string folder_;
  CUmodule module_ = nullptr;
  CUdeviceptr in_ = 0, out_ = 0;
};

Words all_below(uint32_t count, uint32_t top) {
  Words words(count);
  for (uint32_t i = 0; i < count; ++i) words[i] = top | i;
  return words;
}

// Returns every sign and exponent with the first, the last and pseudo-random mantissas.
Words sweep(uint32_t& random, int mantissa_bits, uint32_t count, uint32_t edges) {
  Words words;
  for (uint32_t top = 0; top < 1u << (32 - mantissa_bits); ++top)
    for (uint32_t i = 0; i < count; ++i) {
      random = random * 1664525u + 1013904223u;
      const uint32_t last = (1u << mantissa_bits) - 1;
      words.push_back(top << mantissa_bits | (i < edges       ? i
                                              : i < 2 * edges ? last - (i - edges)
                                                              : random >> (32 - mantissa_bits)));
    }
  return words;
}

struct Binades {
  const char* function;
  std::vector<uint32_t> tops;  // sign and biased exponent
};
const Binades kBinades[] = {{"rcp", {127}},
                            {"rsq", {127, 128}},
                            {"sqrt", {127, 128}},
                            {"lg2", {126, 127, 128}},
                            {"ex2", {125, 126, 127, 256 + 126}},
                            {"sin", {123, 124, 125, 126}},
                            {"cos", {124, 125, 126}},
                            {"tanh", {119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129}}};

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) stop("usage", "record_mufu FOLDER");
  Gpu gpu(arguments[1]);
  uint32_t random = 12345;
  const Words floats = sweep(random, 23, 1024, 8), doubles = sweep(random, 20, 64, 4);
  gpu.save("sweep_in", floats);
  gpu.save("sweep64_in", doubles);
  for (const auto& [function, tops] : kBinades) {
    for (const uint32_t top : tops) gpu.record(function, std::to_string(top), all_below(1u << 23, top << 23));
    gpu.record(function, "sweep", floats);
  }
  for (const char* const function : {"rcp64h", "rsq64h"}) {
    for (const uint32_t top : {1023u, 1024u})
      gpu.record(function, std::to_string(top), all_below(1u << 20, top << 20));
    gpu.record(function, "sweep", doubles);
  }
  for (const char* const function : {"ex2h", "tanhh", "ex2b", "tanhb"})
    gpu.record(function, "all", all_below(1u << 16, 0));
}
