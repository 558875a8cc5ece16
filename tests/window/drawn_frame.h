// A drawn frame of a kernel, whose letters are read back, beside what the command line says of that kernel.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../cli/command.h"
#include "catalog/catalog.h"
#include "drawing/text_boxes.h"
#include "experiment/recording.h"
#include "isa/arch.h"
#include "shell/run.h"

namespace gemmscope::shell {

inline const catalog::Catalog& kernels() {
  static const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  return catalog;
}

inline std::vector<std::string> ids() {
  std::vector<std::string> all;
  for (const catalog::Kernel& kernel : kernels().kernels) all.push_back(kernel.id);
  return all;
}

// Its parameter is the kernel's id.
class DrawnFrame : public testing::TestWithParam<std::string> {
 protected:
  void draw(PictureRequest request, int size = 128) {
    request.drawn = false;
    const catalog::Kernel& kernel = *kernels().find(GetParam());
    Start start{{}, kernel};
    start.experiment.kernel = kernel.id;
    start.experiment.problem.m = start.experiment.problem.n = start.experiment.problem.k = size;
    if (kernel.architecture > isa::sm_number(start.experiment.arch)) start.experiment.arch = isa::Arch::sm_90;
    for (experiment::RecordingFile& file : experiment::read_recordings(experiment::recordings_folder()).files)
      start.recordings.insert(start.recordings.end(), file.recording.begin(), file.recording.end());
    size_ = std::to_string(size);
    arch_ = "sm_" + std::to_string(isa::sm_number(start.experiment.arch));
    static std::vector<drawing::TextBox>* listening = nullptr;
    listening = &boxes_;
    drawing::listen_to_text_boxes([](const std::vector<drawing::TextBox>& boxes) { *listening = boxes; });
    const Result<PictureResult> picture = render_picture(start, request);
    drawing::listen_to_text_boxes(nullptr);
    ASSERT_TRUE(picture) << picture.error().message;
  }

  // What a command prints as JSON about the kernel at the drawn size and architecture.
  nlohmann::json told(const std::string& command, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {command, GetParam(), "--m",    size_, "--n",   size_,
                                          "--k",   size_,      "--arch", arch_, "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return cli::json_of(cli::run_command(arguments));
  }

  std::vector<drawing::TextBox> boxes_;

 private:
  std::string size_, arch_;
};

inline std::string name_of_kernel(const testing::TestParamInfo<std::string>& test) {
  return "k" + test.param;
}

}  // namespace gemmscope::shell
