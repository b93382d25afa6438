#include "bench/report/report.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

namespace parley::bench {
namespace {

std::string Number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value >= 1000 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value);
  return text;
}

std::string Wanted(const Goal& goal, double bound) {
  return (goal.at_most ? "<= " : ">= ") + Number(bound);
}

const char* Verdict(const Finding& finding) {
  if (!finding.objection.empty()) return "NOT VALID";
  return finding.stretched() ? "stretch" : finding.reached() ? "ask" : "BELOW";
}

}  // namespace

double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

void Report::Add(Finding finding) {
  std::fprintf(stderr, "%-4s %-9s %s: %s, %s: %s, ratio %s %s%s\n", finding.id.c_str(), Verdict(finding),
               finding.what.c_str(), Number(finding.value).c_str(), finding.base_what.c_str(),
               Number(finding.base).c_str(), Number(finding.ratio).c_str(),
               finding.note.empty() ? "" : ("(" + finding.note + ")").c_str(),
               finding.objection.empty() ? "" : (" — " + finding.objection).c_str());
  findings_.push_back(std::move(finding));
}

bool Report::passed() const {
  return std::all_of(findings_.begin(), findings_.end(),
                     [](const Finding& finding) { return finding.reached(); });
}

void Report::Print() const {
  for (const auto& [name, value] : about_) std::printf("%s: %s\n", name.c_str(), value.c_str());
  std::printf("\n%-4s %-66s %10s %10s %7s %8s %8s  %s\n", "id", "what / base", "value", "base", "ratio",
              "ask", "stretch", "");
  for (const Finding& finding : findings_) {
    std::printf("%-4s %-66s %10s %10s %7s %8s %8s  %s\n", finding.id.c_str(),
                (finding.what + " / " + finding.base_what).c_str(), Number(finding.value).c_str(),
                Number(finding.base).c_str(), Number(finding.ratio).c_str(),
                Wanted(finding.goal, finding.goal.ask).c_str(),
                Wanted(finding.goal, finding.goal.stretch).c_str(), Verdict(finding));
  }
}

bool Report::WriteJson(const std::string& path) const {
  nlohmann::json out;
  for (const auto& [name, value] : about_) out["about"][name] = value;
  for (const Finding& finding : findings_) {
    out["findings"].push_back({{"id", finding.id},
                               {"what", finding.what},
                               {"value", finding.value},
                               {"baseWhat", finding.base_what},
                               {"base", finding.base},
                               {"ratio", finding.ratio},
                               {"ask", finding.goal.ask},
                               {"stretch", finding.goal.stretch},
                               {"atMost", finding.goal.at_most},
                               {"note", finding.note},
                               {"objection", finding.objection},
                               {"verdict", Verdict(finding)}});
  }
  for (const Curve& curve : curves_) {
    auto& points = out["curves"][curve.name];
    for (const auto& [percent, ns] : curve.histogram.Curve()) points.push_back({percent, ns});
  }
  std::ofstream file(path);
  file << out.dump(1) << "\n";
  return static_cast<bool>(file.flush());
}

}  // namespace parley::bench
