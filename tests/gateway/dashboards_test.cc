// The server serves every metric and label that the dashboard and the alert rules name, and every rule
// contains instructions.
#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <set>
#include <sstream>

#include "gateway/app/node.h"
#include "protocol/value.h"
#include "tests/gateway/fake_server_support.h"
#include "tests/repository.h"

namespace parley::gateway_test {
namespace {

// The metrics that a server serves, and the labels of each with their values.
struct Served {
  std::map<std::string, std::map<std::string, std::set<std::string>>> metrics;
};

bool IsNamePart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == ':';
}

// Splits PromQL into names, texts with their quotes, ranges in [], and single signs. Numbers, with the unit
// of a duration, begin with a digit.
std::vector<std::string> TokensOf(const std::string& expr) {
  std::vector<std::string> tokens;
  for (size_t i = 0; i < expr.size();) {
    size_t end = i + 1;
    if (expr[i] == '"') {
      while (end < expr.size() && expr[end] != '"') ++end;
      ++end;
    } else if (expr[i] == '[') {
      end = expr.find(']', i) + 1;
    } else if (IsNamePart(expr[i])) {
      while (end < expr.size() && (IsNamePart(expr[end]) || expr[end] == '.')) ++end;
    }
    if (expr[i] != ' ') tokens.push_back(expr.substr(i, end - i));
    i = end;
  }
  return tokens;
}

const std::set<std::string> kFunctions = {
    "rate", "increase", "sum", "max", "min", "topk", "count", "time", "histogram_quantile", "label_values"};
const std::set<std::string> kOperators = {"and", "or", "unless"};
const std::set<std::string> kOfScrapes = {"job", "instance"};  // added by Prometheus

// Parses the series in a text of /metrics: `name{label="value",…} number`.
Served ServedBy(const std::string& text) {
  Served served;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    const size_t labels = line.find('{'), end = std::min(labels, line.find(' '));
    auto& metric = served.metrics[line.substr(0, end)];
    if (labels > end) continue;
    const std::vector<std::string> tokens = TokensOf(line.substr(labels, line.rfind('}') - labels));
    for (size_t i = 0; i + 2 < tokens.size(); ++i) {
      if (tokens[i + 1] == "=") metric[tokens[i]].insert(tokens[i + 2]);
    }
  }
  return served;
}

// Returns one line for each name in the expression that is not served.
std::string FaultsOf(const Served& served, const std::string& expr) {
  std::string faults;
  std::set<std::string> grouped, known = kOfScrapes;
  const std::vector<std::string> tokens = TokensOf(expr);
  for (size_t i = 0; i < tokens.size(); ++i) {
    const std::string& token = tokens[i];
    const std::string next = i + 1 < tokens.size() ? tokens[i + 1] : "";
    if (!std::isalpha(static_cast<unsigned char>(token[0])) || kOperators.contains(token)) continue;
    if (token == "by") {
      for (i += 2; i < tokens.size() && tokens[i] != ")"; ++i) {
        if (tokens[i] != ",") grouped.insert(tokens[i]);
      }
      continue;
    }
    if (next == "(" || (kFunctions.contains(token) && next == "by")) {
      if (!kFunctions.contains(token)) faults += token + " is no function that this test knows\n";
      if (token == "label_values") grouped.insert(tokens[tokens.size() - 2]);
      continue;
    }
    if (tokens.back() == ")" && i + 2 == tokens.size() && tokens[0] == "label_values") continue;
    const auto metric = served.metrics.find(token);
    if (metric == served.metrics.end()) faults += token + " is not served\n";
    for (const auto& [label, values] :
         metric == served.metrics.end() ? decltype(metric->second)() : metric->second)
      known.insert(label);
    if (next != "{") continue;
    for (i += 2; i < tokens.size() && tokens[i] != "}"; ++i) {
      if (tokens[i] == ",") continue;
      const std::string label = tokens[i];
      const bool equal = tokens[i + 1] == "=" && tokens[i + 2][0] == '"';
      i += equal ? 2 : 3;  // = or =~, and the text
      if (kOfScrapes.contains(label) || metric == served.metrics.end()) continue;
      const auto values = metric->second.find(label);
      if (values == metric->second.end()) {
        faults += token + " has no label " + label + "\n";
      } else if (equal && !values->second.contains(tokens[i])) {
        faults += token + " has no " + label + "=" + tokens[i] + "\n";
      }
    }
  }
  for (const std::string& label : grouped) {
    if (!known.contains(label)) faults += "nothing here has a label " + label + "\n";
  }
  return faults;
}

// The metrics of a server that has answered some requests, so that ops are among the labels.
Served AskedServer() {
  World world(DemoConfig());
  FakeClient ann = world->Join("usr_ann");
  const std::string thread = world.NewThread(ann, "usr_ann", "usr_bob");
  world.Say(ann, thread, "hello");
  ann.Ask("no.op");
  world->Http("POST", "/v1/ops/inbox.counts", "{}");
  return ServedBy(world->node().RenderMetrics());
}

void CollectExpressions(const protocol::Value& value, std::vector<std::string>* out) {
  if (const protocol::Map* map = value.as_map()) {
    for (const auto& [key, member] : *map) {
      if ((key == "expr" || key == "definition") && member.as_text()) out->emplace_back(*member.as_text());
      CollectExpressions(member, out);
    }
  } else if (const protocol::Array* array = value.as_array()) {
    for (const protocol::Value& one : *array) CollectExpressions(one, out);
  }
}

TEST(Dashboards, name_only_served_metrics) {
  protocol::Document document;
  ASSERT_EQ(protocol::DecodeJson(tests::RepositoryText("docs/grafana/parley.json"), {}, &document), nullptr);
  std::vector<std::string> expressions;
  CollectExpressions(document.root, &expressions);
  ASSERT_GT(expressions.size(), 30u);
  const Served served = AskedServer();
  for (const std::string& expr : expressions) {
    EXPECT_EQ(FaultsOf(served, expr), "") << expr;
  }
}

struct Rule {
  std::string alert, expr, severity, summary, runbook;
};

std::vector<Rule> RulesOf(const std::string& yaml) {
  std::vector<Rule> rules;
  std::istringstream lines(yaml);
  for (std::string line; std::getline(lines, line);) {
    const size_t start = line.find_first_not_of(" -");
    const size_t colon = line.find(": ");
    if (start == std::string::npos || line[start] == '#' || colon == std::string::npos) continue;
    const std::string key = line.substr(start, colon - start), value = line.substr(colon + 2);
    if (key == "alert") rules.emplace_back().alert = value;
    if (rules.empty()) continue;
    if (key == "expr") rules.back().expr = value;
    if (key == "severity") rules.back().severity = value;
    if (key == "summary") rules.back().summary = value;
    if (key == "runbook_url") rules.back().runbook = value;
  }
  return rules;
}

TEST(Alerts, name_only_served_metrics_and_say_what_to_do) {
  const Served served = AskedServer();
  const std::vector<Rule> rules = RulesOf(tests::RepositoryText("docs/alerts.yml"));
  const std::string operations = tests::RepositoryText("docs/operations.md");
  ASSERT_GE(rules.size(), 10u);
  for (const Rule& rule : rules) {
    EXPECT_FALSE(rule.expr.empty()) << rule.alert;
    EXPECT_EQ(FaultsOf(served, rule.expr), "") << rule.alert;
    EXPECT_FALSE(rule.summary.empty()) << rule.alert;
    EXPECT_TRUE(rule.severity == "page" || rule.severity == "ticket") << rule.alert;
    std::string anchor;
    for (const char c : rule.alert) anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    EXPECT_EQ(rule.runbook, "docs/operations.md#" + anchor);
    EXPECT_NE(operations.find("\n#### " + rule.alert + "\n"), std::string::npos) << rule.alert;
  }
}

TEST(Dashboards, a_wrong_name_is_found) {
  const Served served = ServedBy("a_total{code=\"X\",way=\"w\"} 1\nb 2\n");
  EXPECT_EQ(
      FaultsOf(served, "sum by (code) (rate(a_total{job=\"$job\", instance=~\"$i\", code=\"X\"}[5m])) > 0.1"),
      "");
  EXPECT_EQ(FaultsOf(served, "b > 7 * 86400 or b - time() < 1"), "");
  EXPECT_EQ(FaultsOf(served, "rate(a_totals[5m])"), "a_totals is not served\n");
  EXPECT_EQ(FaultsOf(served, "b{code=\"X\"}"), "b has no label code\n");
  EXPECT_EQ(FaultsOf(served, "a_total{code=\"Y\"}"), "a_total has no code=\"Y\"\n");
  EXPECT_EQ(FaultsOf(served, "sum by (codes) (a_total)"), "nothing here has a label codes\n");
  EXPECT_EQ(FaultsOf(served, "rte(b)"), "rte is no function that this test knows\n");
}

}  // namespace
}  // namespace parley::gateway_test
