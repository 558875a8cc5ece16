#include "experiment/tune_space.h"

#include <algorithm>
#include <limits>

#include "experiment/recorded_time.h"

namespace gemmscope::experiment {
namespace {

int64_t chosen_value(const catalog::Toggle& toggle, const std::map<std::string, int64_t>& toggles) {
  const auto chosen = toggles.find(toggle.name);
  return chosen == toggles.end() ? toggle.default_value : chosen->second;
}

Result<TuneAxis> axis_of(const catalog::Kernel& kernel, const AllowedValues& allowed) {
  const auto toggle = std::ranges::find(kernel.toggles, allowed.toggle, &catalog::Toggle::name);
  if (toggle == kernel.toggles.end()) return fail("{} has no toggle {}", kernel.id, allowed.toggle);
  TuneAxis axis{static_cast<size_t>(toggle - kernel.toggles.begin()), {}};
  for (const int64_t value : allowed.values.empty() ? toggle->values : allowed.values) {
    if (std::ranges::find(toggle->values, value) == toggle->values.end()) {
      std::string known;
      for (const int64_t legal : toggle->values)
        known += fmt::format("{}{}", known.empty() ? "" : ", ", legal);
      return fail("toggle {} of {} has no value {}; it has {}", toggle->name, kernel.id, value, known);
    }
    if (std::ranges::find(axis.values, value) == axis.values.end()) axis.values.push_back(value);
  }
  return axis;
}

}  // namespace

double TuneSpace::combinations() const {
  double count = 1;
  for (const TuneAxis& axis : axes) count *= static_cast<double>(axis.values.size());
  return count;
}

TunePlace TuneSpace::start() const {
  TunePlace place;
  for (const TuneAxis& axis : axes) {
    const int64_t chosen = chosen_value(kernel.toggles[axis.toggle], around.toggles);
    const auto found = std::ranges::find(axis.values, chosen);
    place.push_back(found == axis.values.end() ? 0 : static_cast<uint8_t>(found - axis.values.begin()));
  }
  return place;
}

std::optional<TunePlace> TuneSpace::place_of(const std::map<std::string, int64_t>& toggles) const {
  TunePlace place;
  for (const TuneAxis& axis : axes) {
    const auto found = std::ranges::find(axis.values, chosen_value(kernel.toggles[axis.toggle], toggles));
    if (found == axis.values.end()) return std::nullopt;
    place.push_back(static_cast<uint8_t>(found - axis.values.begin()));
  }
  const bool same = toggles_at(place) == changed_toggles(kernel, toggles);
  return same ? std::optional(place) : std::nullopt;
}

std::map<std::string, int64_t> TuneSpace::toggles_at(const TunePlace& place) const {
  std::map<std::string, int64_t> toggles = around.toggles;
  for (size_t i = 0; i < axes.size(); ++i)
    toggles[kernel.toggles[axes[i].toggle].name] = axes[i].values[place[i]];
  return changed_toggles(kernel, std::move(toggles));
}

std::string TuneSpace::why_illegal(const TunePlace& place) const {
  const auto launches =
      catalog::launches_for(kernel, around.problem, toggles_at(place), isa::sm_number(around.arch));
  return launches ? "" : launches.error().message;
}

std::vector<TunePlace> TuneSpace::places() const {
  std::vector<TunePlace> all;
  TunePlace place(axes.size(), 0);
  for (size_t axis = axes.size();;) {
    if (axis == axes.size()) all.push_back(place);
    if (axis == 0) return all;
    --axis;
    if (++place[axis] < axes[axis].values.size())
      axis = axes.size();
    else
      place[axis] = 0;
  }
}

Result<TuneSpace> make_tune_space(catalog::Kernel kernel, Experiment around,
                                  const std::vector<AllowedValues>& allowed) {
  constexpr size_t kMostValues = std::numeric_limits<uint8_t>::max();
  if (kernel.toggles.empty()) return fail("{} has no toggles, so there is nothing to tune", kernel.id);
  std::vector<AllowedValues> all = allowed;
  if (allowed.empty())
    for (const catalog::Toggle& toggle : kernel.toggles) all.push_back({toggle.name, {}});
  TuneSpace space{std::move(kernel), std::move(around), {}};
  for (const AllowedValues& values : all) {
    Result<TuneAxis> axis = axis_of(space.kernel, values);
    if (!axis) return tl::unexpected(axis.error());
    if (std::ranges::find(space.axes, axis->toggle, &TuneAxis::toggle) != space.axes.end())
      return fail("toggle {} is given twice", values.toggle);
    if (axis->values.size() > kMostValues)
      return fail("toggle {} of {} has more than {} values", values.toggle, space.kernel.id, kMostValues);
    space.axes.push_back(*std::move(axis));
  }
  return space;
}

}  // namespace gemmscope::experiment
