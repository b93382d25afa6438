// The tenant's back end in the simulation: pulls the effect feed, carries out each effect once (its records
// survive every crash of the server), and repeats the report of the outcome until it is answered.
#pragma once

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "protocol/writer.h"
#include "tests/sim/process_support.h"

namespace parley::sim {

class BackEnd {
 public:
  BackEnd(std::mt19937_64* random, std::vector<std::string>* complaints)
      : random_(random), complaints_(complaints) {}

  // Reads the feed and resolves the items that await an answer. Returns the number of items.
  size_t Work(Process& process);
  size_t carried_out() const { return outcomes_.size(); }
  // Adds a final to the files of a thread, as if something was delivered elsewhere.
  void Deliver(Process& process, const std::string& thread);
  // Acknowledged manifests, by thread.
  const std::map<std::string, std::vector<std::string>>& delivered() const { return delivered_; }

 private:
  void Ask(Process& process, const char* op, const protocol::Writer& args);
  void Acknowledge(Process& process, const protocol::Value& item);
  void Resolve(Process& process, const protocol::Value& item);

  std::mt19937_64* random_;
  std::vector<std::string>* complaints_;
  std::map<std::string, std::string> outcomes_;  // effectId → outcome, once and forever
  std::map<std::string, std::vector<std::string>> delivered_;
  size_t deliveries_ = 0;
  std::map<std::string, std::string> done_;  // card and version → effectId that was carried out
};

}  // namespace parley::sim
