#include <algorithm>

#include "session/app_commands_parts.h"
#include "session/explorer_state.h"

namespace gemmscope::session {
namespace {

using experiment::BankQuestion;

constexpr const char* kNeedsExplorer = "the bank explorer is not open; open it first.";

// Changes a copy of the question and asks it.
template <typename Change>
void change_question(ViewState& state, const Change& change) {
  ExplorerStep next = explorer_of(state).now;
  change(next.question);
  ask_explorer(state, std::move(next));
}

void change_padding(ViewState& state, int by) {
  change_question(
      state, [by](BankQuestion& q) { q.padding = std::clamp(q.padding + by, 0, metrics::kMostPadding); });
}

void change_swizzle(ViewState& state, int by) {
  const Explorer& explorer = explorer_of(state);
  if (explorer.answer == nullptr) return;
  std::vector<std::string> texts = {"column"};
  const metrics::TileLayout& layout = explorer.answer->tile.layout;
  for (const metrics::XorSwizzle& swizzle : metrics::xor_swizzles(layout))
    texts.push_back(metrics::expression_of(swizzle, layout));
  change_question(state, [&](BankQuestion& q) {
    const auto found = std::find(texts.begin(), texts.end(), q.swizzle);
    const auto at = found == texts.end() ? 0 : static_cast<int>(found - texts.begin());
    q.swizzle = texts[static_cast<size_t>(std::clamp(at + by, 0, static_cast<int>(texts.size()) - 1))];
  });
}

void change_k(ViewState& state, int by) {
  change_question(state, [by](BankQuestion& q) { q.loop[2] = std::max<int64_t>(0, q.loop[2] + by); });
}

void choose_access(ViewState& state, int by) {
  Explorer& explorer = explorer_of(state);
  if (explorer.answer == nullptr) return;
  const auto count = static_cast<int>(explorer.answer->accesses.size());
  ExplorerRequest request;
  request.chosen = static_cast<size_t>((static_cast<int>(explorer.chosen) + by + count) % count);
  act_on(state, request);
}

void choose_example(ViewState& state, int by) {
  const std::vector<ExplorerExample>& examples = explorer_examples();
  const auto count = static_cast<int>(examples.size());
  const auto found = std::find_if(examples.begin(), examples.end(), [&](const ExplorerExample& example) {
    return example.question.declaration == explorer_of(state).now.question.declaration &&
           example.question.accesses == explorer_of(state).now.question.accesses;
  });
  const auto at = static_cast<int>(found - examples.begin());
  const int next = at == count ? (by > 0 ? 0 : count - 1) : (at + by + count) % count;
  open_example(state, examples[static_cast<size_t>(next)]);
}

void choose_wavefront(ViewState& state, int by) {
  Explorer& explorer = explorer_of(state);
  if (explorer.answer == nullptr) return;
  const int count = explorer.answer->accesses[explorer.chosen].count.wavefronts;
  explorer.wavefront = std::clamp(explorer.wavefront + by, scenes::kAllWavefronts, count - 1);
}

void add_changes(CommandTable& table, Workspace& w) {
  struct Step {
    const char *id, *title, *key;
    void (*act)(ViewState&, int);
    int by;
  };
  const Step steps[] = {
      {"explorer.more_padding", "Explorer: one element of padding more", "Alt+=", change_padding, 1},
      {"explorer.less_padding", "Explorer: one element of padding less", "Alt+-", change_padding, -1},
      {"explorer.next_swizzle", "Explorer: next XOR swizzle", "Alt+Y", change_swizzle, 1},
      {"explorer.previous_swizzle", "Explorer: previous XOR swizzle", "Alt+Shift+Y", change_swizzle, -1},
      {"explorer.next_k", "Explorer: next k", "", change_k, 1},
      {"explorer.previous_k", "Explorer: previous k", "", change_k, -1},
      {"explorer.next_access", "Explorer: next access", "Alt+W", choose_access, 1},
      {"explorer.previous_access", "Explorer: previous access", "Alt+Shift+W", choose_access, -1},
      {"explorer.next_wavefront", "Explorer: next wavefront", "", choose_wavefront, 1},
      {"explorer.previous_wavefront", "Explorer: previous wavefront", "", choose_wavefront, -1},
      {"explorer.next_example", "Explorer: next example", "", choose_example, 1},
      {"explorer.previous_example", "Explorer: previous example", "", choose_example, -1}};
  for (const Step& step : steps)
    add(table, {.id = step.id,
                .title = step.title,
                .category = "Banks",
                .key = step.key,
                .run = [&w, step] { step.act(w.state(), step.by); },
                .enabled = [&w] { return explorer_is_wide(w.state()); },
                .needs = kNeedsExplorer,
                .repeats = true});
}

void add_accesses(CommandTable& table, Workspace& w) {
  const auto accesses = [&w] {
    return explorer_is_wide(w.state()) ? w.state().explorer->now.question.accesses.size() : size_t{0};
  };
  add(table, {.id = "explorer.add_access",
              .title = "Explorer: another access",
              .category = "Banks",
              .run =
                  [&w] {
                    change_question(w.state(),
                                    [](BankQuestion& q) { q.accesses.push_back(q.accesses.back()); });
                    explorer_of(w.state()).chosen = explorer_of(w.state()).now.question.accesses.size() - 1;
                  },
              .enabled = [accesses] { return accesses() > 0 && accesses() < experiment::kMostBankAccesses; },
              .needs = "the explorer must be open, and it lists at most six accesses."});
  add(table, {.id = "explorer.remove_access",
              .title = "Explorer: remove the access that is shown",
              .category = "Banks",
              .run =
                  [&w] {
                    const size_t chosen = explorer_of(w.state()).chosen;
                    change_question(w.state(), [chosen](BankQuestion& q) {
                      q.accesses.erase(q.accesses.begin() + static_cast<std::ptrdiff_t>(chosen));
                    });
                  },
              .enabled = [accesses] { return accesses() > 1; },
              .needs = "the explorer must be open, and one access stays."});
}

void add_fixes(CommandTable& table, Workspace& w) {
  add(table, {.id = "explorer.find_fix",
              .title = "Find a fix: the smallest padding, XOR swizzles",
              .category = "Banks",
              .key = "Alt+F",
              .run =
                  [&w] {
                    show_explorer(w.state(), true);
                    find_fixes(w.state(), !explorer_of(w.state()).finding);
                  },
              .checked = [&w] { return explorer_is_wide(w.state()) && w.state().explorer->finding; },
              .description = "What leaves every access that is listed its fewest wavefronts."});
  const auto apply = [&w](size_t index) {
    const std::vector<ListedFix> fixes = listed_fixes(explorer_of(w.state()));
    if (index < fixes.size())
      ask_explorer(w.state(), {fixes[index].question, explorer_of(w.state()).now.source});
  };
  for (size_t i = 0; i < kMostListedFixes; ++i)
    add(table,
        {.id = fmt::format("explorer.apply_fix_{}", i + 1),
         .title = fmt::format("Explorer: apply fix {} of the list", i + 1),
         .category = "Banks",
         .run = [apply, i] { apply(i); },
         .enabled =
             [&w, i] { return explorer_is_wide(w.state()) && listed_fixes(*w.state().explorer).size() > i; },
         .needs = "the explorer has not found so many fixes."});
}

}  // namespace

void add_explorer_commands(CommandTable& table, Workspace& w) {
  add(table,
      {.id = "explorer.show",
       .title = "Bank explorer",
       .category = "Banks",
       .key = "Shift+X",
       .run = [&w] { show_explorer(w.state(), !explorer_is_wide(w.state())); },
       .checked = [&w] { return explorer_is_wide(w.state()); },
       .description = "Type a tile and its accesses: the wavefronts follow at once, without a kernel."});
  add(table, {.id = "explorer.from_access",
              .title = "Bank explorer of the access that is shown",
              .category = "Banks",
              .key = "Shift+E",
              .run = [&w] { explore_access(w.state()); },
              .enabled = [&w] { return can_explore_access(w.state()); },
              .needs = "the cursor has no load or store of shared memory at it or before it in its warp."});
  add(table,
      {.id = "explorer.to_kernel",
       .title = "Set the kernel's toggle to the explorer's layout",
       .category = "Banks",
       .key = "Alt+Shift+F",
       .run =
           [&w] {
             for (const experiment::LayoutChoice& choice : w.state().explorer->choices) {
               if (!choice.why_not.empty()) continue;
               show_explorer(w.state(), false);
               return w.set_experiment(experiment::Experiment(choice.next));
             }
           },
       .enabled =
           [&w] {
             if (!explorer_is_wide(w.state())) return false;
             const auto& choices = w.state().explorer->choices;
             return std::any_of(choices.begin(), choices.end(),
                                [](const auto& c) { return c.why_not.empty(); });
           },
       .needs = "the explorer must be open with an access of this kernel, and the kernel must have a toggle "
                "that makes its layout."});
  add_changes(table, w);
  add_accesses(table, w);
  add_fixes(table, w);
}

}  // namespace gemmscope::session
