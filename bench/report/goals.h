// What each target asks, and what no true measurement of it can find.
#pragma once

#include <limits>
#include <string_view>

namespace parley::bench {

struct Goal {
  double ask, stretch;
  bool at_most;  // the ratio must stay below (costs) or reach (rates)
  // A ratio beyond these is a fault of the measurement, not a success; a tenth is left for noise.
  double least = 0, most = std::numeric_limits<double>::infinity();
  std::string_view why = {};  // what stands in the way of more
};

// Of "P1" … "P21", and of the second thing that some of them measure: "P5 coalesced". REQUIRES: it is one.
const Goal& GoalOf(std::string_view id);

}  // namespace parley::bench
