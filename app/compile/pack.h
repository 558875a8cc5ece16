// The prebuilt pack: machine code of the program's own kernels (catalog/packed_variants.h says of which
// variants), for computers without NVRTC, and for what compiles so many variants that NVRTC would take
// minutes. Each kernel and architecture has a file <folder>/<kernel>.sm_NN.pack (pack_file.h). Its key is the
// hash of the source and its includes, so that it never passes for the machine code of another version.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "base/error.h"
#include "compile/compiler.h"
#include "compile/entry.h"
#include "compile/nvrtc_library.h"
#include "compile/pack_file.h"

namespace gemmscope::compile {

std::filesystem::path pack_path(const std::filesystem::path& folder, const std::filesystem::path& source_path,
                                isa::Arch arch);

// The pack's file for one source, architecture and options, to be asked for several variants.
class PackOffer {
 public:
  // Takes all but the macros from the request; opens the file unless it is among the last ones opened.
  // Errors: no file, a malformed one, or one made from another source or with other options.
  static Result<PackOffer> find(const CompileRequest& request,
                                const std::vector<std::filesystem::path>& include_folders);

  // "NVRTC 13.0"
  const std::string& compiler() const { return file_->head().compiler; }
  // Why there is no machine code with these macros, a sentence. Macros that are left out count as equal to
  // the defaults, because the source's defaults are the toggles' defaults.
  Result<void> serves(const MacroValues& macros) const;
  // Errors: those of `serves`, or the file is damaged.
  Result<Entry> entry(const MacroValues& macros) const;

 private:
  PackOffer(std::shared_ptr<const PackFile> file, std::string title)
      : file_(std::move(file)), title_(std::move(title)) {}
  Result<MacroValues> changes_of(const MacroValues& macros) const;

  std::shared_ptr<const PackFile> file_;
  std::string title_;  // "the prebuilt machine code of 01_naive_rows for sm_86"
};

// Compiles an entry. The working folder must be "/", because NVRTC puts it before the names of included
// files. The line table then names the source "/<its folder>/<its file>" and no path of this computer.
tl::expected<Entry, CompileFailure> make_pack_entry(const CompileRequest& request,
                                                    const NvrtcLibrary& library);

}  // namespace gemmscope::compile
