#include "session/device_board.h"

#include <algorithm>

#include "metrics/sample_statistics.h"
#include "session/device_choice.h"

namespace gemmscope::session {
namespace {

using experiment::BoardDevice;
using experiment::VariantKey;

// The lesson's kernels and the size at which they are modelled. The published table does not state its size;
// of the powers of two it is the largest that cuBLAS can have done on the MX330 in the published time.
constexpr const char* kNaive = "02_naive_coalesced";
constexpr const char* kTiled = "03_shared_tile";
constexpr int kLessonSize = 1024;

std::optional<BoardDevice> board_device(const sm::SmConfig* config) {
  if (config == nullptr) return std::nullopt;
  const metrics::SmLimits* limits = metrics::sm_limits(config->compute_capability);
  if (limits == nullptr) return std::nullopt;
  return BoardDevice{*config, *limits};
}

std::vector<VariantKey> variants_of(const ViewState& state) {
  if (state.board.choice.lesson) return {{kNaive, {}}, {kTiled, {}}};
  return state.timings.racers;
}

experiment::ModelRequest request_of(const ViewState& state, const BoardDevice& device) {
  std::vector<experiment::TimedKernel> variants;
  for (const VariantKey& key : variants_of(state))
    if (const catalog::Kernel* kernel = state.catalog->find(key.kernel))
      variants.push_back({*kernel, key.toggles, {}, key.changes});
  catalog::Problem problem = state.experiment.problem;
  if (state.board.choice.lesson) problem.m = problem.n = problem.k = kLessonSize;
  experiment::ModelRequest request = experiment::model_request(std::move(variants), problem, device.config);
  request.limits = device.limits;
  return request;
}

// One run a variant: the board answers while a knob turns.
experiment::ModelRequest quick(experiment::ModelRequest request) {
  request.device.runs = 1;
  return request;
}

std::string text_of(const experiment::ModelRequest& request, uint64_t catalog_version) {
  const catalog::Problem& p = request.problem;
  std::string text = fmt::format("{} {} {} {} {} {} {} {} {} {}", request.device.id, p.m, p.n, p.k, p.beta,
                                 catalog_version, request.limits.registers, request.limits.warps,
                                 request.limits.blocks, request.variants.size());
  for (const sm::Parameter& parameter : sm::parameters())
    text += fmt::format(" {}", request.device.*parameter.value);
  for (const experiment::TimedKernel& variant : request.variants) {
    text += " " + variant.kernel.id;
    for (const auto& [name, value] : variant.toggles) text += fmt::format(" {}={}", name, value);
    text += experiment::changes_key(variant.changes);
  }
  return text;
}

// How many times as fast tiling is, in a published table for the device; 0: there is none.
double published_gain(const ViewState& state, const std::string& device) {
  for (const experiment::Timings& t : state.timings.recordings) {
    if (t.device.name != device || t.source.empty()) continue;
    const auto ms_of = [&](const char* id) {
      const auto found = std::ranges::find(t.variants, std::string(id), &experiment::TimedVariant::id);
      return found == t.variants.end() ? 0.0
                                       : metrics::summarize_samples(experiment::milliseconds(*found)).median;
    };
    if (ms_of(kNaive) > 0 && ms_of(kTiled) > 0) return ms_of(kNaive) / ms_of(kTiled);
  }
  return 0;
}

double modelled_gain(const BoardSide& side) {
  const auto ms_of = [&](const char* id) {
    for (size_t i = 0; i < std::min(side.fresh, side.variants.size()); ++i)
      if (side.variants[i].key.kernel == id) return side.variants[i].milliseconds;
    return 0.0;
  };
  return ms_of(kNaive) > 0 && ms_of(kTiled) > 0 ? ms_of(kNaive) / ms_of(kTiled) : 0;
}

scenes::BoardTexts lesson_texts(const ViewState& state) {
  scenes::BoardTexts texts;
  texts.gains_title =
      fmt::format("Tiling is so many times as fast (modelled at {0} × {0} × {0})", kLessonSize);
  for (const BoardSide* side : {&state.board.left, &state.board.right}) {
    const std::string& device = side->device.config.name;
    const bool changed =
        side == &state.board.left && state.board.choice.factors != experiment::unchanged_knobs();
    texts.claims.push_back({device, published_gain(state, device), modelled_gain(*side), changed});
  }
  // The last one is drawn uppermost.
  texts.remarks.push_back(
      fmt::format("The published table does not tell its size; cuBLAS's time in it on the MX330 allows no "
                  "power of two above {}.",
                  kLessonSize));
  for (auto claim = texts.claims.rbegin(); claim != texts.claims.rend(); ++claim)
    if (std::string text = scenes::claim_text(*claim); !text.empty())
      texts.remarks.push_back(std::move(text));
  return texts;
}

}  // namespace

BoardChoice lesson_choice() {
  BoardChoice choice;
  choice.device = "mx330";
  choice.other = "rtxa4000";
  choice.lesson = true;
  return choice;
}

bool DeviceBoard::busy() const {
  return (left_.model != nullptr && left_.model->busy()) || (right_.model != nullptr && right_.model->busy());
}

void DeviceBoard::cancel() {
  for (Side* side : {&left_, &right_})
    if (side->model != nullptr) side->model->cancel();
}

void DeviceBoard::read_devices(ViewState& state) {
  devices_ = experiment::shipped_devices();
  if (!state.timings.devices.empty()) return;
  for (const sm::SmConfig& device : devices_->devices)
    state.timings.devices.push_back({device.id, device.name});
}

// A new request keeps the old figures on the screen until the new ones come, one by one: quickly at first,
// then as the device's file asks for, which is what `gemmscope time` says.
void DeviceBoard::ask(Side& side, BoardSide& shown, experiment::ModelRequest request,
                      uint64_t catalog_version) {
  if (side.model == nullptr) side.model = std::make_unique<experiment::LiveModel>(wake_);
  const std::string text = text_of(request, catalog_version);
  if (text != side.asked) {
    side.asked = text;
    shown.fresh = side.next = 0;
    side.quick = true;
    std::vector<experiment::ModelledVariant> variants;
    for (const experiment::TimedKernel& wanted : request.variants) {
      const VariantKey key{wanted.kernel.id, wanted.toggles, wanted.changes};
      const auto old = std::ranges::find(shown.variants, key, &experiment::ModelledVariant::key);
      variants.emplace_back();
      if (old != shown.variants.end()) variants.back() = *old;
      variants.back().key = key;
      variants.back().title = wanted.kernel.title;
    }
    shown.variants = std::move(variants);
    side.model->want(quick(request));
  }
  for (experiment::ModelledVariant& variant : side.model->take())
    if (side.next < shown.variants.size()) shown.variants[side.next++] = std::move(variant);
  shown.fresh = std::max(shown.fresh, side.next);
  if (side.quick && side.next == shown.variants.size() && !side.model->busy()) {
    side.quick = false;
    side.next = 0;
    side.model->want(std::move(request));
  }
  shown.busy = side.model->busy();
}

void DeviceBoard::update(ViewState& state) {
  BoardState& board = state.board;
  if (!board.wide) return;
  if (!devices_) read_devices(state);
  const BoardChoice& choice = board.choice;
  const std::string wanted = choice.device.empty() ? chosen_device(state) : choice.device;
  const auto first = board_device(experiment::device_for(*devices_, state.experiment.arch, wanted));
  if (!first) return;
  const auto other = choice.other.empty() ? first : board_device(devices_->find(choice.other));
  board.first = *first;
  board.left.device = turn_knobs(*first, choice.factors);
  board.right.device = other.value_or(*first);
  board.left.known = board.right.known = true;
  ask(left_, board.left, request_of(state, board.left.device), state.catalog_version);
  ask(right_, board.right, request_of(state, board.right.device), state.catalog_version);
  board.texts = choice.lesson ? lesson_texts(state) : scenes::BoardTexts{};
}

}  // namespace gemmscope::session
