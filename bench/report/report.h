// What a run of the suite found: each target's ratio to its baseline, and the latency curves behind them.
#pragma once

#include <string>
#include <vector>

#include "bench/measure/histogram.h"
#include "bench/report/goals.h"

namespace parley::bench {

enum class Verdict {
  kInvalid,     // something went wrong: the run fails
  kImpossible,  // no true measurement finds this: it is shown, and counts neither way
  kBelow,       // what is asked is missed: the run fails
  kAsk,
  kStretch,
};

struct Finding {
  std::string id;    // P1 …
  std::string what;  // what was measured, with its unit
  double value = 0;
  std::string base_what;
  double base = 0;   // in the same unit
  double ratio = 0;  // value / base; the median of the rounds
  Goal goal{};
  std::string note;       // what a reader must know in addition to the ratio
  std::string objection;  // why the figure must not be used; empty when it may
};
// Why a finding cannot be true; empty when it can. An empty sample, or a ratio beyond what its goal allows.
std::string Doubt(const Finding& finding);
Verdict Judge(const Finding& finding);
const char* NameOf(Verdict verdict);

class Report {
 public:
  // What holds for all of the run: when, where, with which parameters.
  void Describe(std::string name, std::string value) {
    about_.emplace_back(std::move(name), std::move(value));
  }
  void Add(Finding finding);  // printed on stderr at once
  void AddCurve(std::string name, const Histogram& histogram) {
    curves_.push_back({std::move(name), histogram});
  }
  void Print() const;
  // False when the file cannot be written.
  bool WriteJson(const std::string& path) const;
  bool WriteHtml(const std::string& path) const;  // one page: the table, and the latencies by percentile
  // What was asked holds wherever it could be judged, and that was somewhere.
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

// Not a number if one of the values is none; 0 of no values.
double Median(std::vector<double> values);

}  // namespace parley::bench
