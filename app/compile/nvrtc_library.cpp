#include "compile/nvrtc_library.h"

#include <dlfcn.h>
#include <nvrtc.h>

#include <string_view>

#include "compile/log_text.h"

namespace gemmscope::compile {

// The functions that the program calls, as the library exports them. The library stays loaded until the
// process ends, because NVRTC keeps state that does not survive unloading.
struct NvrtcLibrary::Functions {
  decltype(&nvrtcVersion) version = nullptr;
  decltype(&nvrtcGetErrorString) error_string = nullptr;
  decltype(&nvrtcCreateProgram) create_program = nullptr;
  decltype(&nvrtcDestroyProgram) destroy_program = nullptr;
  decltype(&nvrtcCompileProgram) compile_program = nullptr;
  decltype(&nvrtcGetProgramLogSize) log_size = nullptr;
  decltype(&nvrtcGetProgramLog) log = nullptr;
  decltype(&nvrtcGetCUBINSize) cubin_size = nullptr;
  decltype(&nvrtcGetCUBIN) cubin = nullptr;
  decltype(&nvrtcAddNameExpression) add_name = nullptr;
  decltype(&nvrtcGetLoweredName) lowered_name = nullptr;

  // False if one is missing.
  bool find_all(void* library) {
    bool complete = true;
    const auto find = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      complete = complete && function != nullptr;
    };
    find(version, "nvrtcVersion");
    find(error_string, "nvrtcGetErrorString");
    find(create_program, "nvrtcCreateProgram");
    find(destroy_program, "nvrtcDestroyProgram");
    find(compile_program, "nvrtcCompileProgram");
    find(log_size, "nvrtcGetProgramLogSize");
    find(log, "nvrtcGetProgramLog");
    find(cubin_size, "nvrtcGetCUBINSize");
    find(cubin, "nvrtcGetCUBIN");
    find(add_name, "nvrtcAddNameExpression");
    find(lowered_name, "nvrtcGetLoweredName");
    return complete;
  }
};

namespace {

constexpr int kOldestMajor = 12;  // the first that compiles for both sm_89 and sm_90

std::filesystem::path file_of(const void* symbol) {
  Dl_info info{};
  if (dladdr(symbol, &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code error;
  const auto path = std::filesystem::canonical(info.dli_fname, error);
  return error ? std::filesystem::path{} : path;
}

std::string identity_of(const std::filesystem::path& file, std::string_view version) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  const auto time = std::filesystem::last_write_time(file, error).time_since_epoch().count();
  return fmt::format("NVRTC {} {} {}", version, size, time);
}

// <toolkit>/include is beside <toolkit>/lib64, even if that is <toolkit>/targets/<platform>/lib. Since CUDA
// 13 the C++ library has its own folder in it.
std::vector<std::filesystem::path> toolkit_headers(const std::filesystem::path& library) {
  std::vector<std::filesystem::path> found;
  const auto folder = library.parent_path().parent_path() / "include";
  for (const auto& candidate : {folder, folder / "cccl"}) {
    std::error_code error;
    if (std::filesystem::is_regular_file(folder / "cuda_runtime.h", error) &&
        std::filesystem::is_directory(candidate, error))
      found.push_back(candidate);
  }
  return found;
}

// Drops the lines with ptxas's times, so that equal compilations give equal logs.
std::string without_times(std::string_view log) {
  std::string kept;
  for (const std::string_view line : split_lines(log)) {
    if (line.starts_with("ptxas info") && line.find(": Compile time = ") != std::string_view::npos) continue;
    kept += line;
    kept += '\n';
  }
  return kept;
}

}  // namespace

Result<NvrtcLibrary> NvrtcLibrary::load(std::span<const std::filesystem::path> candidates) {
  std::string reason = "there is no known place to look for it";
  for (const std::filesystem::path& candidate : candidates) {
    void* handle = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
      if (const char* error = dlerror(); error != nullptr) reason = error;
      continue;
    }
    auto functions = std::make_shared<Functions>();
    int major = 0, minor = 0;
    if (!functions->find_all(handle) || functions->version(&major, &minor) != NVRTC_SUCCESS ||
        major < kOldestMajor) {
      reason = fmt::format("{} is older than version {}", candidate.string(), kOldestMajor);
      dlclose(handle);
      continue;
    }
    NvrtcLibrary library;
    library.version_ = fmt::format("{}.{}", major, minor);
    const auto file = file_of(reinterpret_cast<const void*>(functions->version));
    library.identity_ = identity_of(file, library.version_);
    library.include_folders_ = toolkit_headers(file);
    library.functions_ = std::move(functions);
    return library;
  }
  return fail("NVRTC cannot be loaded ({}); install the CUDA Toolkit 12 or newer", reason);
}

Result<NvrtcOutput> NvrtcLibrary::compile(const NvrtcProgram& program) const {
  const Functions& nvrtc = *functions_;
  std::vector<const char*> options, texts, names;
  for (const std::string& option : program.options) options.push_back(option.c_str());
  for (const auto& [name, text] : program.headers) {
    names.push_back(name.c_str());
    texts.push_back(text.c_str());
  }
  nvrtcProgram handle = nullptr;
  auto status = nvrtc.create_program(&handle, program.source.c_str(), program.name.c_str(),
                                     static_cast<int>(names.size()), texts.data(), names.data());
  if (status != NVRTC_SUCCESS)
    return fail("NVRTC {} cannot start compiling {}: {}", version_, program.name, nvrtc.error_string(status));
  NvrtcOutput output;
  if (!program.name_expression.empty()) nvrtc.add_name(handle, program.name_expression.c_str());
  const auto result = nvrtc.compile_program(handle, static_cast<int>(options.size()), options.data());
  output.compiled = result == NVRTC_SUCCESS;
  size_t size = 0;
  status = nvrtc.log_size(handle, &size);
  if (status == NVRTC_SUCCESS && size > 1) {  // the size counts a terminating zero
    output.log.resize(size);
    status = nvrtc.log(handle, output.log.data());
    output.log = without_times(std::string_view(output.log.c_str()));
  }
  if (status == NVRTC_SUCCESS && output.compiled) status = nvrtc.cubin_size(handle, &size);
  if (status == NVRTC_SUCCESS && output.compiled) {
    output.cubin.resize(size);
    status = nvrtc.cubin(handle, reinterpret_cast<char*>(output.cubin.data()));
  }
  const char* symbol = nullptr;
  if (status == NVRTC_SUCCESS && output.compiled && !program.name_expression.empty() &&
      nvrtc.lowered_name(handle, program.name_expression.c_str(), &symbol) == NVRTC_SUCCESS)
    output.symbol = symbol;
  nvrtc.destroy_program(&handle);
  if (status != NVRTC_SUCCESS)
    return fail("NVRTC {} returned no result for {}: {}", version_, program.name, nvrtc.error_string(status));
  const bool about_the_program = output.compiled || result == NVRTC_ERROR_COMPILATION || !output.log.empty();
  if (!about_the_program)
    return fail("NVRTC {} failed on {}: {}", version_, program.name, nvrtc.error_string(result));
  return output;
}

}  // namespace gemmscope::compile
