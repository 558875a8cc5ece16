#include "experiment/tune_choice.h"

#include <algorithm>

#include "experiment/recorded_time.h"
#include "metrics/rank_agreement.h"

namespace gemmscope::experiment {
namespace {

TunedVariant variant_of(const TuneResult& result, size_t index) {
  const TuneEntry& entry = result.entries[index];
  return {{result.kernel, entry.toggles}, entry.price, 0, false};
}

// Each with a time once, the fastest first.
std::vector<TunedVariant> different_variants(const std::vector<TuneResult>& results) {
  std::vector<TunedVariant> all;
  for (const TuneResult& result : results) {
    const size_t first = all.size();
    for (const size_t index : ranking(result)) {
      TunedVariant next = variant_of(result, index);
      if (all.size() > first && all.back().price == next.price)
        ++all.back().alike;
      else
        all.push_back(std::move(next));
    }
  }
  std::ranges::stable_sort(all, {}, [](const TunedVariant& v) { return v.price.milliseconds; });
  return all;
}

TunePrice price_of(const std::vector<TuneResult>& results, const VariantKey& key) {
  for (const TuneResult& result : results)
    for (const TuneEntry& entry : result.entries)
      if (result.kernel == key.kernel && entry.toggles == key.toggles) return entry.price;
  return {};
}

}  // namespace

std::vector<TunedVariant> choose_to_measure(const std::vector<TuneResult>& results,
                                            const std::vector<VariantKey>& always, const TuneLimits& limits) {
  std::vector<TunedVariant> variants = different_variants(results);
  size_t count = 0;
  for (; count < std::min(variants.size(), limits.most); ++count)
    if (count >= limits.keep &&
        variants[count].price.milliseconds > variants.front().price.milliseconds * (1 + limits.within / 100))
      break;
  variants.resize(count);
  for (const VariantKey& key : always) {
    const auto known = std::ranges::find(variants, key, &TunedVariant::key);
    if (known != variants.end())
      known->chosen = true;
    else
      variants.push_back({key, price_of(results, key), 0, true});
  }
  return variants;
}

std::optional<double> rank_agreement(const std::vector<TunedVariant>& variants, const Timings& timings) {
  std::vector<double> modelled, measured;
  for (const TimedVariant& timed : timings.variants) {
    const auto variant = std::ranges::find(variants, key_of(timed), &TunedVariant::key);
    if (timed.samples.empty() || variant == variants.end() || !(variant->price.milliseconds > 0)) continue;
    modelled.push_back(variant->price.milliseconds);
    measured.push_back(median_ms(timed));
  }
  return metrics::kendall_tau(modelled, measured);
}

}  // namespace gemmscope::experiment
