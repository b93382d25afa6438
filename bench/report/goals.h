// The target of each figure, and the bounds of a plausible one.
#pragma once

#include <limits>
#include <string_view>

namespace parley::bench {

struct Goal {
  double ask, stretch;
  bool at_most;  // the ratio must stay below (costs) or reach (rates)
  // A ratio outside of these bounds is a fault of the measurement, not a success; a tenth is left for noise.
  double least = 0, most = std::numeric_limits<double>::infinity();
  std::string_view why = {};  // the reason for the bounds
};

// Takes "P1" … "P21", "F1" …, and the second figures of some: "P5 coalesced". REQUIRES: a known id.
const Goal& GoalOf(std::string_view id);

}  // namespace parley::bench
