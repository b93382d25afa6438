// The findings of a run: each target's ratio to its baseline, and the latency curves.
#pragma once

#include <string>
#include <vector>

#include "bench/measure/histogram.h"
#include "bench/report/goals.h"

namespace parley::bench {

enum class Verdict {
  kInvalid,     // something went wrong: the run fails
  kImpossible,  // no true measurement gives this: it is shown, and counts neither way
  kBelow,       // the target is missed: the run fails
  kAsk,
  kStretch,
};

struct Finding {
  std::string id;    // P1 …
  std::string what;  // the measured quantity, with its unit
  double value = 0;
  std::string base_what;
  double base = 0;   // in the same unit
  double ratio = 0;  // value / base; the median of the rounds
  Goal goal{};
  std::string note;       // further information for the reader
  std::string objection;  // why the figure must not be used, or empty
};
// Returns why a finding cannot be true, or nothing: an empty sample, or a ratio outside of its goal's bounds.
std::string Doubt(const Finding& finding);
Verdict Judge(const Finding& finding);
const char* NameOf(Verdict verdict);

class Report {
 public:
  // Adds a fact about the whole run: time, place, parameters.
  void Describe(std::string name, std::string value) {
    about_.emplace_back(std::move(name), std::move(value));
  }
  void Add(Finding finding);  // printed on stderr at once
  void AddCurve(std::string name, const Histogram& histogram) {
    curves_.push_back({std::move(name), histogram});
  }
  void Print() const;
  // Returns false if the file cannot be written.
  bool WriteJson(const std::string& path) const;
  bool WriteHtml(const std::string& path) const;  // one page: the table, and the latencies by percentile
  // True if at least one target could be judged and none was missed.
  bool passed() const;
  const std::vector<Finding>& findings() const { return findings_; }

 private:
  struct Curve {
    std::string name;
    Histogram histogram;
  };
  std::vector<std::pair<std::string, std::string>> about_;
  std::vector<Finding> findings_;
  std::vector<Curve> curves_;
};

// NaN if one of the values is NaN; 0 without values.
double Median(std::vector<double> values);

}  // namespace parley::bench
