#include "bench/report/report.h"

#include <algorithm>
#include <cmath>
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

std::string Remark(const Finding& finding) {
  return finding.objection.empty() ? Doubt(finding) : finding.objection;
}

}  // namespace

std::string Doubt(const Finding& finding) {
  const auto empty = [](double value) { return !std::isfinite(value) || value <= 0; };
  if (empty(finding.value)) return "nothing was measured: an empty sample";
  if (empty(finding.base)) return "nothing was measured of the baseline: an empty sample";
  if (empty(finding.ratio)) return "a round measured nothing";
  const Goal& goal = finding.goal;
  if (finding.ratio < goal.least)
    return "a ratio below " + Number(goal.least) + " is impossible: " + std::string(goal.why);
  if (finding.ratio > goal.most)
    return "a ratio above " + Number(goal.most) + " is impossible: " + std::string(goal.why);
  return {};
}

Verdict Judge(const Finding& finding) {
  if (!finding.objection.empty()) return Verdict::kInvalid;
  if (!Doubt(finding).empty()) return Verdict::kImpossible;
  const Goal& goal = finding.goal;
  const auto reaches = [&](double bound) {
    return goal.at_most ? finding.ratio <= bound : finding.ratio >= bound;
  };
  return reaches(goal.stretch) ? Verdict::kStretch : reaches(goal.ask) ? Verdict::kAsk : Verdict::kBelow;
}

const char* NameOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kInvalid:
      return "NOT VALID";
    case Verdict::kImpossible:
      return "IMPOSSIBLE";
    case Verdict::kBelow:
      return "BELOW";
    case Verdict::kAsk:
      return "ask";
    case Verdict::kStretch:
      return "stretch";
  }
  return "";
}

double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  for (const double value : values) {
    if (std::isnan(value)) return value;  // a NaN has no place in the order
  }
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

void Report::Add(Finding finding) {
  std::fprintf(stderr, "%-4s %-10s %s: %s, %s: %s, ratio %s %s%s\n", finding.id.c_str(),
               NameOf(Judge(finding)), finding.what.c_str(), Number(finding.value).c_str(),
               finding.base_what.c_str(), Number(finding.base).c_str(), Number(finding.ratio).c_str(),
               finding.note.empty() ? "" : ("(" + finding.note + ")").c_str(),
               Remark(finding).empty() ? "" : (" — " + Remark(finding)).c_str());
  findings_.push_back(std::move(finding));
}

bool Report::passed() const {
  const auto count = [&](std::initializer_list<Verdict> wanted) {
    return std::count_if(findings_.begin(), findings_.end(), [&](const Finding& finding) {
      return std::find(wanted.begin(), wanted.end(), Judge(finding)) != wanted.end();
    });
  };
  return count({Verdict::kInvalid, Verdict::kBelow}) == 0 && count({Verdict::kAsk, Verdict::kStretch}) > 0;
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
                Wanted(finding.goal, finding.goal.stretch).c_str(), NameOf(Judge(finding)));
    if (!Remark(finding).empty()) std::printf("     ^ %s\n", Remark(finding).c_str());
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
                               {"doubt", Doubt(finding)},
                               {"verdict", NameOf(Judge(finding))}});
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
