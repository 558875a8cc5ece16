// The bank explorer: what is asked, the answer, and the steps back. Views ask for changes
// (Requests::explorer); everything here follows from the question at once, without a worker.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiment/bank_question_of.h"
#include "scenes/cursor.h"

namespace gemmscope::session {

struct ViewState;

// What one step of undo brings back.
struct ExplorerStep {
  experiment::BankQuestion question;
  std::optional<experiment::BankSource> source;  // the access of a kernel that the question came from
  friend bool operator==(const ExplorerStep& a, const ExplorerStep& b) { return a.question == b.question; }
};

struct Explorer {
  bool wide = false;  // shown over everything but the experiment
  ExplorerStep now;
  size_t chosen = 0;  // the access that the picture shows
  int wavefront = scenes::kAllWavefronts;
  bool finding = false;  // the fixes are listed
  std::vector<ExplorerStep> before, after;

  // ---- follows from the question
  std::shared_ptr<const experiment::BankAnswer> answer;  // of the last question without a mistake
  std::optional<experiment::BankMistake> mistake;        // in the question now
  metrics::LayoutFixes fixes;                            // of the answer, while they are listed …
  std::optional<experiment::BankQuestion> fixes_of;      // … to this question, without padding and swizzle
  std::vector<experiment::LayoutChoice> choices;         // of the kernel that the question came from …
  std::shared_ptr<const experiment::CompiledKernel> choices_of;
  experiment::Experiment choices_at;  // … with these toggles

  bool can_undo() const { return !before.empty(); }
  bool can_redo() const { return !after.empty(); }
};

// What a view asks for; what is not set stays.
struct ExplorerRequest {
  std::optional<experiment::BankQuestion> question;
  bool continues = false;  // the question belongs to the change before it, as while a slider is dragged
  std::optional<size_t> chosen;
  std::optional<int> wavefront;
  std::optional<bool> finding;
  std::string example;  // id; empty: none
};

// The explorer of the state, made with its first question where there is none.
Explorer& explorer_of(ViewState& state);
bool explorer_is_wide(const ViewState& state);
void show_explorer(ViewState& state, bool wide);

void act_on(ViewState& state, const ExplorerRequest& request);
void ask_explorer(ViewState& state, ExplorerStep step, bool continues = false);
void undo_explorer(ViewState& state);
void redo_explorer(ViewState& state);
// Computes what follows from the question and from the kernel that is shown.
void note_explorer(ViewState& state);

// Finds the choices anew where the kernel or its toggles have changed.
void follow_kernel(ViewState& state);

// Fills the explorer from the shared access that the cursor shows, and opens it. Returns false if there is
// none.
bool explore_access(ViewState& state);
bool can_explore_access(const ViewState& state);

// Lists the fixes, or no longer.
void find_fixes(ViewState& state, bool find);

// ---- fixes, in the order in which they are listed: the padding, then the swizzles
inline constexpr size_t kMostListedFixes = 5;
struct ListedFix {
  experiment::BankQuestion question;  // with the fix
  bool is_padding = false;
  metrics::XorSwizzle swizzle;
};
std::vector<ListedFix> listed_fixes(const Explorer& explorer);

// ---- examples
struct ExplorerExample {
  const char* id;
  const char* title;
  experiment::BankQuestion question;
};
const std::vector<ExplorerExample>& explorer_examples();
void open_example(ViewState& state, const ExplorerExample& example);

}  // namespace gemmscope::session
