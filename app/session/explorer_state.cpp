#include "session/explorer_state.h"

#include <algorithm>
#include <utility>

#include "session/view_state.h"

namespace gemmscope::session {
namespace {

using experiment::BankQuestion;

constexpr size_t kMostSteps = 200;

void find_choices(const ViewState& state, Explorer& explorer) {
  explorer.choices.clear();
  explorer.choices_of = state.compiled;
  explorer.choices_at = state.experiment;
  const auto& source = explorer.now.source;
  if (!source || state.compiled == nullptr || explorer.mistake || state.catalog == nullptr) return;
  const catalog::Kernel* kernel = state.catalog->find(state.experiment.kernel);
  if (kernel == nullptr || state.compiled->kernel.id != kernel->id) return;
  const BankQuestion& question = explorer.now.question;
  explorer.choices =
      experiment::layout_choices(*kernel, state.experiment, state.compiled->code().name, *source,
                                 {question.padding, question.swizzle}, state.offer.get());
}

void keep_in_range(Explorer& explorer) {
  if (explorer.answer == nullptr) return;
  explorer.chosen = std::min(explorer.chosen, explorer.answer->accesses.size() - 1);
  const int wavefronts = explorer.answer->accesses[explorer.chosen].count.wavefronts;
  if (explorer.wavefront >= wavefronts) explorer.wavefront = scenes::kAllWavefronts;
}

// Searches only while the fixes are listed, and not again while only padding and swizzle change.
void search_fixes(Explorer& explorer) {
  if (!explorer.finding || explorer.answer == nullptr || explorer.mistake) return;
  BankQuestion plain = explorer.now.question;
  plain.padding = 0;
  plain.swizzle = "column";
  if (explorer.fixes_of == plain) return;
  explorer.fixes =
      metrics::find_fixes(explorer.answer->tile.layout, experiment::all_instances(*explorer.answer));
  explorer.fixes_of = std::move(plain);
}

// Shows the access with the most conflicts first.
void choose_worst(Explorer& explorer) {
  explorer.wavefront = scenes::kAllWavefronts;
  if (explorer.answer == nullptr) return;
  const auto& accesses = explorer.answer->accesses;
  const auto worst = std::max_element(accesses.begin(), accesses.end(), [](const auto& a, const auto& b) {
    return a.count.excess() < b.count.excess();
  });
  explorer.chosen = static_cast<size_t>(worst - accesses.begin());
}

void step_to(ViewState& state, std::vector<ExplorerStep>& from, std::vector<ExplorerStep>& to) {
  if (from.empty()) return;
  Explorer& explorer = *state.explorer;
  to.push_back(std::exchange(explorer.now, std::move(from.back())));
  from.pop_back();
  note_explorer(state);
}

BankQuestion example(const char* declaration, std::vector<std::string> accesses, int padding = 0) {
  BankQuestion question;
  question.declaration = declaration;
  question.accesses = std::move(accesses);
  question.padding = padding;
  return question;
}

}  // namespace

Explorer& explorer_of(ViewState& state) {
  if (state.explorer == nullptr) {
    state.explorer = std::make_shared<Explorer>();
    note_explorer(state);
    choose_worst(*state.explorer);
  }
  return *state.explorer;
}

bool explorer_is_wide(const ViewState& state) { return state.explorer != nullptr && state.explorer->wide; }

void show_explorer(ViewState& state, bool wide) {
  if (state.explorer == nullptr && !wide) return;
  explorer_of(state).wide = wide;
  if (wide) state.occupancy.wide = state.board.wide = false;
}

void ask_explorer(ViewState& state, ExplorerStep step, bool continues) {
  Explorer& explorer = explorer_of(state);
  if (step == explorer.now) return;
  if (!continues) {
    explorer.before.push_back(explorer.now);
    if (explorer.before.size() > kMostSteps) explorer.before.erase(explorer.before.begin());
  }
  explorer.after.clear();
  explorer.now = std::move(step);
  note_explorer(state);
}

void open_example(ViewState& state, const ExplorerExample& example) {
  ask_explorer(state, {example.question, std::nullopt});
  choose_worst(explorer_of(state));
}

void find_fixes(ViewState& state, bool find) {
  Explorer& explorer = explorer_of(state);
  explorer.finding = find;
  search_fixes(explorer);
}

void act_on(ViewState& state, const ExplorerRequest& request) {
  Explorer& explorer = explorer_of(state);
  for (const ExplorerExample& example : explorer_examples())
    if (request.example == example.id) open_example(state, example);
  if (request.question) ask_explorer(state, {*request.question, explorer.now.source}, request.continues);
  if (request.chosen && *request.chosen != explorer.chosen) {
    explorer.chosen = *request.chosen;
    explorer.wavefront = scenes::kAllWavefronts;
  }
  if (request.wavefront) explorer.wavefront = *request.wavefront;
  if (request.finding) find_fixes(state, *request.finding);
  keep_in_range(explorer);
}

void undo_explorer(ViewState& state) { step_to(state, explorer_of(state).before, explorer_of(state).after); }
void redo_explorer(ViewState& state) { step_to(state, explorer_of(state).after, explorer_of(state).before); }

void note_explorer(ViewState& state) {
  if (state.explorer == nullptr) return;
  Explorer& explorer = *state.explorer;
  auto answer = experiment::answer(explorer.now.question);
  explorer.mistake.reset();
  if (!answer) {
    explorer.mistake = std::move(answer.error());
  } else {
    explorer.answer = std::make_shared<const experiment::BankAnswer>(std::move(*answer));
  }
  keep_in_range(explorer);
  search_fixes(explorer);
  find_choices(state, explorer);
}

void follow_kernel(ViewState& state) {
  if (state.explorer == nullptr) return;
  Explorer& explorer = *state.explorer;
  if (explorer.choices_of == state.compiled && explorer.choices_at == state.experiment) return;
  find_choices(state, explorer);
}

bool can_explore_access(const ViewState& state) {
  if (!state.has_trace() || state.lesson.hides().pictures) return false;  // it would answer the question
  const auto shown = scenes::shown_shared_access(*state.block, state.cursor.record);
  return shown && experiment::has_question(*state.block, shown->record);
}

bool explore_access(ViewState& state) {
  if (!state.has_trace()) return false;
  const auto shown = scenes::shown_shared_access(*state.block, state.cursor.record);
  if (!shown) return false;
  auto found = experiment::question_of(*state.block, shown->record);
  if (!found) return false;
  Explorer& explorer = explorer_of(state);
  explorer.chosen = 0;
  explorer.wavefront = scenes::kAllWavefronts;
  const bool same = explorer.now.question == found->question;
  if (same) explorer.now.source = found->source;
  ask_explorer(state, {std::move(found->question), std::move(found->source)});
  if (same) note_explorer(state);
  show_explorer(state, true);
  return true;
}

std::vector<ListedFix> listed_fixes(const Explorer& explorer) {
  std::vector<ListedFix> listed;
  if (explorer.answer == nullptr || explorer.mistake || !explorer.finding) return listed;
  BankQuestion plain = explorer.now.question;
  plain.padding = 0;
  plain.swizzle = "column";
  if (explorer.fixes.padding) {
    ListedFix fix{plain, true, {}};
    fix.question.padding = *explorer.fixes.padding;
    listed.push_back(std::move(fix));
  }
  for (const metrics::XorSwizzle& swizzle : explorer.fixes.swizzles) {
    if (listed.size() == kMostListedFixes) break;
    // One with a longer mask moves the same bits and more.
    if (std::any_of(listed.begin(), listed.end(), [&](const ListedFix& fix) {
          return !fix.is_padding && fix.swizzle.row_shift == swizzle.row_shift &&
                 fix.swizzle.column_shift == swizzle.column_shift;
        }))
      continue;
    ListedFix fix{plain, false, swizzle};
    fix.question.swizzle = metrics::expression_of(swizzle, explorer.answer->tile.layout);
    listed.push_back(std::move(fix));
  }
  return listed;
}

const std::vector<ExplorerExample>& explorer_examples() {
  static const std::vector<ExplorerExample> examples = {
      {"transpose", "Written along a row, read along a column",
       example("float As[32][32]", {"store As[k][lane]", "load As[lane][k]"})},
      {"k_major", "A's tile k-major: a transposing store, a broad load",
       example("float As[16][128]",
               {"store As[lane % 4 * 4][lane / 4]", "load float4 As[k][lane / 16 * 8]"})},
      {"stride", "Every second float", example("float s[64][32]", {"load s[lane / 16][lane % 16 * 2]"})},
      {"wide", "128 bits a lane, stride 1",
       example("float s[16][128]", {"load float4 s[k][lane * 4]", "store float4 s[k][lane * 4]"})},
      {"column_of_four", "A column of 128 bits a lane",
       example("float As[64][32]",
               {"load float4 As[lane][k * 4]", "store float4 As[lane / 8][lane % 8 * 4]"})},
      {"fragments", "ldmatrix of 16-bit elements",
       example("half As[64][64]",
               {"ldmatrix.x4 As[lane % 16][lane / 16 * 8]", "store float4 As[lane / 8][lane % 8 * 8]"})},
      {"doubles", "A column of doubles",
       example("double As[32][32]", {"load As[lane][k]", "store As[k][lane]"})}};
  return examples;
}

}  // namespace gemmscope::session
