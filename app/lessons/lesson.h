// A lesson: pages that each show an experiment, ask for a prediction and reveal what the machine code does.
// The files in assets/lessons/ are lessons (read_lesson.h); their README tells a teacher how to write one.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/language.h"
#include "experiment/experiment.h"

namespace gemmscope::lessons {

// Where a figure of a page comes from. Only `stated` is typed: it is what an exercise sets or a book prints.
enum class FigureKind : uint8_t {
  counter,    // of the whole grid: "shared_load.wavefronts"
  block,      // of the traced block: "ffma_distance"
  share,      // of the traced block: that of the instruction, or line, with most of "excess_wavefronts"
  problem,    // "m", "n", "k", "flops": what the page sets
  code,       // of the machine code: "registers"
  launch,     // "blocks"
  occupancy,  // "blocks", of the experiment's kernel or of `needs`
  recorded,   // "ms", of a recording that ships
  modelled,   // "ms", "stall.long_scoreboard"
  device,     // a parameter of a device's file, "sms", or of an SM's limits
  stated,
  formula,  // of other figures: "before / after"
};

struct FigureSpec {
  std::string name;  // by which texts and formulas call it
  FigureKind kind = FigureKind::stated;
  std::string what;  // the counter's name …, or the formula
  experiment::Experiment experiment;
  std::string variant;  // recorded: "cublas_fp32"; empty: the experiment's kernel
  std::string device;   // recorded: "NVIDIA H200", or a recording's file; else the device's id
  std::map<std::string, double> needs;  // occupancy by hand: capability, threads, registers, shared
  bool textbook = false;                // occupancy: by the rule of textbooks
  double stated = 0;
  std::string source;  // stated: who says so; empty: the page's exercise
};

enum class QuestionKind : uint8_t { number, choice, order, point };

struct Choice {
  Text text;
  // choice: a formula, true where this one is right. order: the figure by which it is ranked.
  std::string formula;
};

struct Question {
  QuestionKind kind = QuestionKind::choice;
  Text ask;
  // number: a formula. point: the number to watch ("excess_wavefronts") to which the instruction that the
  // cursor should be at contributes most.
  std::string answer;
  double within = 0;            // number: a guess counts as right up to this share beside the answer
  std::vector<Choice> choices;  // of choice and order
  bool largest_first = false;   // order
};

// What stays covered until the question of a page is answered, since it would tell.
struct Hides {
  bool numbers = false;   // the numbers to watch
  bool pictures = false;  // the picture under the map, with its tabs
  bool map = false;
  bool counts = false;      // beside the code
  bool timings = false;     // and the lattice, and the board of devices
  bool calculator = false;  // of the occupancy
};

struct Page {
  std::string id;  // unique in its lesson
  Text title, text, reveal;
  experiment::Experiment experiment, revealed;  // what the window shows before and after the reveal
  std::vector<std::string> show, reveal_show;   // ids of commands that run once it is shown
  std::optional<Question> question;
  Hides hides;
  std::vector<FigureSpec> figures;
  std::vector<std::string> claims;  // formulas that hold wherever the page is shown; tests check them
  int line = 0;                     // in the lesson's file

  const FigureSpec* find_figure(std::string_view name) const;
};

struct Lesson {
  std::string id;  // the file's name without ".toml"
  Text title, summary;
  std::filesystem::path path;
  std::vector<Page> pages;
};

}  // namespace gemmscope::lessons
