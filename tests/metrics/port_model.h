// A slow, obvious model of the register ports: lists of taken cycles, no bits. It states the rule of
// metrics/register_ports.h a second time, so that the two can be compared.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "metrics/register_ports.h"

namespace gemmscope::metrics {

class PlainPorts {
 public:
  struct Step {
    std::map<int, int> reads;  // by bank: registers that it must give
    std::set<int> hits;        // indices of reads that the cache serves
    int begin = 0;             // the cycle in which the instruction begins to read
  };

  Step issue(std::span<const PortRead> reads) {
    Step step;
    std::set<int> wanted;
    for (size_t k = 0; k < reads.size(); ++k)
      if (const auto kept = cache_.find({reads[k].slot, reads[k].reg % 2});
          kept != cache_.end() && kept->second == reads[k].reg)
        step.hits.insert(static_cast<int>(k));
      else
        wanted.insert(reads[k].reg);
    for (const PortRead& read : reads) {
      cache_.erase({read.slot, read.reg % 2});
      if (read.reuse) cache_[{read.slot, read.reg % 2}] = read.reg;
    }
    for (const int reg : wanted) ++step.reads[reg % 2];
    step.begin = now_ + 1;
    while (!fits(step)) ++step.begin;
    now_ = step.begin;
    for (const auto& [bank, count] : step.reads) {
      int left = count;
      for (int cycle = step.begin; left > 0; ++cycle)
        if (taken_.insert({bank, cycle}).second) --left;
    }
    return step;
  }

 private:
  bool fits(const Step& step) const {
    for (const auto& [bank, count] : step.reads) {
      int free = 0;
      for (int cycle = step.begin; cycle < step.begin + std::max(count, kReadWindowCycles); ++cycle)
        if (!taken_.contains({bank, cycle})) ++free;
      if (free < count) return false;
    }
    return true;
  }

  std::map<std::pair<int, int>, int> cache_;  // by slot and bank
  std::set<std::pair<int, int>> taken_;       // bank and cycle
  int now_ = -1;                              // the last instruction's
};

}  // namespace gemmscope::metrics
