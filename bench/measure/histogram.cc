#include "bench/measure/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace parley::bench {
namespace {

// A bucket contains the values of one power of two; its upper half is cut into kHalf equal parts (the lower
// half is in the bucket below). 2 048 parts distinguish 1 000 from 1 001.
constexpr int kPartBits = 11;
constexpr size_t kParts = size_t{1} << kPartBits;
constexpr size_t kHalf = kParts / 2;
constexpr int kValueBits = 42;
constexpr int64_t kLargest = (int64_t{1} << kValueBits) - 1;

}  // namespace

Histogram::Histogram() : counts_((kValueBits - kPartBits + 2) * kHalf, 0) {}

size_t Histogram::IndexOf(int64_t ns) {
  const auto value = static_cast<uint64_t>(std::clamp<int64_t>(ns, 0, kLargest));
  const int bucket = std::max(0, 64 - std::countl_zero(value | 1) - kPartBits);
  const uint64_t part = value >> bucket;  // below kParts; in the upper half unless bucket is 0
  return static_cast<size_t>(bucket) * kHalf + part;
}

int64_t Histogram::HighestOf(size_t index) {
  const size_t bucket = index < kParts ? 0 : index / kHalf - 1;
  const uint64_t part = index - bucket * kHalf;
  return static_cast<int64_t>(((part + 1) << bucket) - 1);
}

void Histogram::Record(int64_t ns) {
  ++counts_[IndexOf(ns)];
  ++count_;
  max_ = std::max(max_, ns);
}

void Histogram::Add(const Histogram& other) {
  for (size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
  max_ = std::max(max_, other.max_);
}

void Histogram::Reset() {
  *this = Histogram();
}

int64_t Histogram::Percentile(double percent) const {
  if (count_ == 0) return 0;
  const auto wanted = std::max<uint64_t>(
      1, static_cast<uint64_t>(std::ceil(percent / 100 * static_cast<double>(count_) - 1e-9)));
  uint64_t seen = 0;
  for (size_t i = 0; i < counts_.size(); ++i) {
    seen += counts_[i];
    if (seen >= wanted) return std::min(HighestOf(i), max_);
  }
  return max_;
}

std::vector<Histogram::Point> Histogram::Curve() const {
  std::vector<Point> curve;
  if (count_ == 0) return curve;
  const double last = 100 - 100 / static_cast<double>(count_);
  for (double left = 100; 100 - left < last; left *= 0.84)
    curve.push_back({100 - left, Percentile(100 - left)});
  curve.push_back({100, max_});
  return curve;
}

double P99Ms(const Histogram& histogram) {
  return static_cast<double>(histogram.Percentile(99)) / 1e6;
}

}  // namespace parley::bench
