// Runs the program with its window, and draws its pictures without one.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/language.h"
#include "catalog/catalog.h"
#include "drawing/vector_picture.h"
#include "experiment/experiment.h"
#include "experiment/timings.h"
#include "session/export_state.h"
#include "session/scene_file.h"
#include "shell/frame.h"
#include "shell/render_target.h"

namespace gemmscope::shell {

struct Start {
  experiment::Experiment experiment;
  catalog::Kernel kernel;  // of the experiment; added to the catalogue if it is a user's file
  std::vector<experiment::Timings> recordings;  // shown where nothing is measured
  std::string gpu_runner;                       // its command line; empty: the one beside the program
  std::filesystem::path open_file;  // a file of the user's to open in the window, also if it says too little
  // The command line names it; else the window opens with what it showed last.
  bool experiment_given = true;
  std::optional<session::SavedScene> scene = {};  // to show in place of the experiment
  std::string lesson = {};                        // a page to open, "10_memory_and_banks/column"; empty: none
  std::optional<Language> language = {};  // of the window; empty: the remembered one, else the environment's
};

// Runs until the window is closed. The error says why no window could be opened.
Result<void> run_window(const Start& start);

struct PictureRequest {
  PixelSize size{1920, 1080};
  FrameContent content = FrameContent::all;
  std::optional<size_t> step;  // step of the followed warp; empty: where the window opens
  std::optional<int> wavefront;
  int warp = 0;                         // scenes::kAllWarps follows all
  std::string jump;                     // comma-separated ids of commands to run first: "time.next_conflict"
  std::optional<drawing::Point> mouse;  // pixels; what is under it is named and highlighted
  std::vector<drawing::Point> then_mouse;  // where the mouse goes after that, a frame each, for tests
  int benchmark_frames = 0;                // > 0: play that many frames and measure them
  std::string each_frame;                  // commands for these frames, one a frame, in turn
  bool drawn = true;                       // else there is no image: for tests of what is laid out
  bool light = false;
  Language language = Language::english;
  // Waits until the bytes of the roofline's points are counted and modelled, where the timings are shown.
  bool counted = false;
  bool vector = false;  // as shapes, too
  // Draws each place of it, in turn, and passes the picture, its number from 1, and of how many. The first
  // error ends it.
  std::optional<session::ExportRange> range;
  std::function<Result<void>(const Image& image, int64_t number, int64_t of)> each_picture;
};
struct PictureResult {
  Image image;
  std::optional<drawing::VectorPicture> shapes;  // with `vector`
  FrameTimeSummary frames;                       // with benchmark_frames
  std::string renderer;
};
// Waits for the experiment and draws it without any window system. Fails when the experiment fails or there
// is no OpenGL.
Result<PictureResult> render_picture(const Start& start, const PictureRequest& request);

}  // namespace gemmscope::shell
