// Collects an expression's faults and reports the one with the lowest rank, the first of equal ones. A syntax
// error ends parsing; after other faults it continues to the end.
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
