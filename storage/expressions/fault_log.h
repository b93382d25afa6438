// Of all that is wrong with an expression, the fault that is reported: that of the lowest rank, of equal ones
// the first. A syntax error ends parsing; everything else is looked at to the end.
#pragma once

#include <limits>
#include <string>
#include <utility>

namespace parley::storage {

class FaultLog {
 public:
  void Report(int rank, std::string fault) {
    if (rank >= rank_) return;
    rank_ = rank;
    fault_ = std::move(fault);
  }
  const std::string& fault() const { return fault_; }  // empty: none

 private:
  int rank_ = std::numeric_limits<int>::max();
  std::string fault_;
};

}  // namespace parley::storage
