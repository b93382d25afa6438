// The page of a run, without scripts or external resources.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

#include "bench/report/report.h"

namespace parley::bench {
namespace {

constexpr double kWidth = 900, kHeight = 360, kLeft = 70, kBottom = 40, kTop = 16, kRight = 190;
constexpr const char* kColours[] = {"#0b6e99", "#c4452d", "#2f7d32", "#8e44ad",
                                    "#b8860b", "#444444", "#00897b", "#ad1457"};

std::string Text(const char* format, auto... values) {
  char text[512];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

std::string Escaped(const std::string& plain) {
  std::string out;
  for (const char c : plain) {
    out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  }
  return out;
}

// Percentiles by their number of nines: 90 %, 99 %, 99.9 % … are equally far apart.
double XOf(double percent) {
  const double nines = -std::log10(std::max(1 - percent / 100, 1e-5));
  return kLeft + nines / 5 * (kWidth - kLeft - kRight);
}
double YOf(double ns, double low, double high) {
  return kTop +
         (kHeight - kTop - kBottom) * (1 - std::log10(std::max(ns, low) / low) / std::log10(high / low));
}

std::string Row(const Finding& finding) {
  const Verdict verdict = Judge(finding);
  const char* const colour = verdict == Verdict::kImpossible ? "odd"
                             : verdict < Verdict::kAsk       ? "bad"
                                                             : "good";
  const std::string remark = finding.objection.empty() ? Doubt(finding) : finding.objection;
  const char* const sign = finding.goal.at_most ? "≤" : "≥";
  return "<tr class='" + std::string(colour) + "'><td>" + finding.id + "</td><td>" + Escaped(finding.what) +
         "<br><small>" + Escaped(finding.base_what) +
         (finding.note.empty() ? "" : " · " + Escaped(finding.note)) +
         (remark.empty() ? "" : " · <b>" + Escaped(remark) + "</b>") + "</small></td>" +
         Text(
             "<td>%.4g</td><td>%.4g</td><td><b>%.3g</b></td><td>%s %.3g</td><td>%s "
             "%.3g</td><td>%s</td></tr>\n",
             finding.value, finding.base, finding.ratio, sign, finding.goal.ask, sign, finding.goal.stretch,
             verdict == Verdict::kImpossible ? "impossible, not scored" : NameOf(verdict));
}

}  // namespace

bool Report::WriteHtml(const std::string& path) const {
  std::string page =
      "<!doctype html><meta charset=utf-8><title>Parley: a bench run</title><style>body{font:15px "
      "system-ui;margin:2em auto;"
      "max-width:70em}table{border-collapse:collapse}td,th{padding:.3em .6em;border-bottom:1px solid "
      "#ddd;text-align:left}"
      ".odd{color:#777}.bad td:last-child{color:#c00}.good "
      "td:last-child{color:#070}svg{background:#fafafa}</style><h1>Parley: a bench run</h1>"
      "<p>Every figure is a ratio to a baseline measured in the same run on the same "
      "machine. Ask: what must hold; stretch: what it should become. A ratio that no true measurement can "
      "find is marked and not scored.</p>";
  for (const auto& [name, value] : about_) page += Escaped(name) + ": " + Escaped(value) + "<br>\n";
  page +=
      "<table><tr><th><th>what<th>value"
      "<th>base<th>ratio<th>ask<th>stretch<th></tr>\n";
  for (const Finding& finding : findings_) page += Row(finding);
  page += "</table><h2>Latency by percentile</h2>\n";
  double low = 1e12, high = 1;
  for (const Curve& curve : curves_) {
    for (const auto& point : curve.histogram.Curve()) {
      low = std::min(low, std::max<double>(1e3, static_cast<double>(point.ns)));
      high = std::max(high, static_cast<double>(point.ns));
    }
  }
  low = std::pow(10, std::floor(std::log10(low)));
  high = std::pow(10, std::ceil(std::log10(std::max(high, low * 10))));
  page += Text("<svg viewBox='0 0 %g %g' width='%g' height='%g' font-size='12'>\n", kWidth, kHeight, kWidth,
               kHeight);
  for (double ns = low; ns <= high * 1.01; ns *= 10) {
    const double y = YOf(ns, low, high);
    page += Text("<path d='M%g %gH%g' stroke='#ddd'/><text x='4' y='%g'>%g ms</text>\n", kLeft, y,
                 kWidth - kRight, y + 4, ns / 1e6);
  }
  for (const double percent : {0.0, 90.0, 99.0, 99.9, 99.99}) {
    page +=
        Text("<text x='%g' y='%g' text-anchor='middle'>%g %%</text>\n", XOf(percent), kHeight - 16, percent);
  }
  for (size_t i = 0; i < curves_.size(); ++i) {
    const char* const colour = kColours[i % std::size(kColours)];
    std::string points;
    for (const auto& [percent, ns] : curves_[i].histogram.Curve()) {
      points += Text("%.1f,%.1f ", XOf(std::min(percent, 99.999)), YOf(static_cast<double>(ns), low, high));
    }
    page += "<polyline fill='none' stroke-width='2' stroke='" + std::string(colour) + "' points='" + points +
            "'/>\n";
    page += Text("<text x='%g' y='%g' fill='%s'>", kWidth - kRight + 8,
                 kTop + 12 + 18 * static_cast<double>(i), colour) +
            Escaped(curves_[i].name) + "</text>\n";
  }
  page += "</svg>\n";
  std::ofstream file(path);
  file << page;
  return static_cast<bool>(file.flush());
}

}  // namespace parley::bench
