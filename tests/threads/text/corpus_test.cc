// Measures the server's own pattern sets on texts that violate them and on ordinary texts, and prints the
// rates. corpus/positives.tsv: set and text; corpus/ordinary.txt: a text per line.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <string>

#include "tests/repository.h"
#include "threads/text/policy.h"

namespace parley::threads::text {
namespace {

std::vector<std::string> Lines(const std::string& file) {
  std::ifstream in(tests::RepositoryPath("tests/threads/text/corpus/" + file));
  std::vector<std::string> out;
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

struct Rate {
  size_t found = 0, all = 0;
  double percent() const {
    return all == 0 ? 0 : 100.0 * static_cast<double>(found) / static_cast<double>(all);
  }
};

TEST(TextCorpus, TheDefaultSetsFindAtLeast95PercentOfTheViolations) {
  const Policy& policy = *DefaultPolicy();
  std::map<std::string, Rate> rates;
  Rate total;
  for (const std::string& line : Lines("positives.tsv")) {
    const std::string set = line.substr(0, line.find('\t')), text = line.substr(line.find('\t') + 1);
    const Scan scan = policy.Find(text);
    const bool found = std::any_of(scan.findings.begin(), scan.findings.end(), [&](const Finding& one) {
      return policy.sets()[one.set].name.value == set;
    });
    if (!found) std::printf("  missed by %s: %s\n", set.c_str(), text.c_str());
    for (Rate* rate : {&rates[set], &total}) {
      rate->found += found ? 1 : 0;
      ++rate->all;
    }
  }
  for (const auto& [set, rate] : rates) {
    std::printf("found, %s: %zu of %zu (%.1f %%)\n", set.c_str(), rate.found, rate.all, rate.percent());
    EXPECT_GE(rate.percent(), 95.0) << set;
  }
  std::printf("found in all: %zu of %zu (%.2f %%)\n", total.found, total.all, total.percent());
  EXPECT_GE(total.all, 400u);
}

TEST(TextCorpus, LessThanHalfAPercentOfOrdinaryTextsAreFlagged) {
  const Policy& policy = *DefaultPolicy();
  Rate mistaken;
  for (const std::string& line : Lines("ordinary.txt")) {
    const Scan scan = policy.Find(line);
    ++mistaken.all;
    mistaken.found += scan.findings.empty() ? 0 : 1;
    for (const Finding& one : scan.findings)
      std::printf("  mistaken by %s: \"%s\" in: %s\n", policy.sets()[one.set].name.value.c_str(),
                  line.substr(one.begin, one.end - one.begin).c_str(), line.c_str());
  }
  std::printf("mistaken: %zu of %zu (%.2f %%)\n", mistaken.found, mistaken.all, mistaken.percent());
  EXPECT_GE(mistaken.all, 250u);
  EXPECT_LT(mistaken.percent(), 0.5);
}

}  // namespace
}  // namespace parley::threads::text
