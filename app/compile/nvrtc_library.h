// NVRTC, loaded at run time so that one program runs with and without the CUDA Toolkit. Thread-safe.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"

namespace gemmscope::compile {

struct NvrtcProgram {
  std::string source, name;  // the name appears in messages and in the line table
  // Name as written in #include, and text. Headers that are files need no entry.
  std::vector<std::pair<std::string, std::string>> headers;
  std::vector<std::string> options;
  std::string name_expression;  // a kernel's C++ name, which instantiates a template; empty: none
};

struct NvrtcOutput {
  bool compiled = false;
  std::string log;               // of the compiler and ptxas, without times
  std::vector<std::byte> cubin;  // if compiled
  std::string symbol;            // symbol of the name expression, if compiled
};

class NvrtcLibrary {
 public:
  // Loads the first candidate (a name for the loader, or a path) that works and is at least version 12.
  static Result<NvrtcLibrary> load(std::span<const std::filesystem::path> candidates);

  const std::string& version() const { return version_; }  // "13.0"
  // Version, size and time of the library file: another build of the same version may compile differently.
  const std::string& identity() const { return identity_; }
  // Folders of the toolkit's own headers; none if only the library is installed.
  const std::vector<std::filesystem::path>& include_folders() const { return include_folders_; }

  // Errors: NVRTC itself failed. A program that does not compile is not an error here, see NvrtcOutput.
  Result<NvrtcOutput> compile(const NvrtcProgram& program) const;

 private:
  struct Functions;

  std::shared_ptr<const Functions> functions_;
  std::string version_, identity_;
  std::vector<std::filesystem::path> include_folders_;
};

// The program's NVRTC, loaded by the first call: GEMMSCOPE_NVRTC, else the usual names and folders.
const Result<NvrtcLibrary>& nvrtc_library();

}  // namespace gemmscope::compile
