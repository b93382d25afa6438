// Latencies as HdrHistogram keeps them (Gil Tene): every value is counted in a bucket no wider than a
// thousandth of it, so a percentile is right to three digits whatever the range, and recording costs an index
// computation and an addition. Equivalent to an HdrHistogram with three significant digits, lowest
// discernible value 1 ns (Debian has no C++ one).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace parley::bench {

// Not thread-safe. Values are nanoseconds, 0 … 2^42 (73 minutes); larger ones count as the largest.
class Histogram {
 public:
  Histogram();
  void Record(int64_t ns);
  void Add(const Histogram& other);
  void Reset();

  uint64_t count() const { return count_; }
  int64_t max() const { return max_; }
  // The highest value equivalent to the one that `percent` of the values do not exceed; 0 without
  // values.
  int64_t Percentile(double percent) const;

  // (percentile, value) pairs for a latency curve: each step halves the distance to 100 %.
  struct Point {
    double percent;
    int64_t ns;
  };
  std::vector<Point> Curve() const;

 private:
  static size_t IndexOf(int64_t ns);
  static int64_t HighestOf(size_t index);

  std::vector<uint64_t> counts_;
  uint64_t count_ = 0;
  int64_t max_ = 0;
};

double P99Ms(const Histogram& histogram);

}  // namespace parley::bench
