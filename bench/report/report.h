// What a run of the suite found: each target's ratio to its baseline, and the latency curves behind them.
#pragma once

#include <string>
#include <vector>

#include "bench/measure/histogram.h"

namespace parley::bench {

struct Goal {
  double ask, stretch;
  bool at_most;  // the ratio must stay below (costs) or reach (rates)
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
  bool reached() const { return objection.empty() && (goal.at_most ? ratio <= goal.ask : ratio >= goal.ask); }
  bool stretched() const {
    return objection.empty() && (goal.at_most ? ratio <= goal.stretch : ratio >= goal.stretch);
  }
};

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
  bool passed() const;

 private:
  struct Curve {
    std::string name;
    Histogram histogram;
  };
  std::vector<std::pair<std::string, std::string>> about_;
  std::vector<Finding> findings_;
  std::vector<Curve> curves_;
};

double Median(std::vector<double> values);

}  // namespace parley::bench
