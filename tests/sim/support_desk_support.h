// Support in the simulation: staff who are members of no thread, read threads with a case, and make the
// decisions of support. They repeat unanswered intents under the same clientId.
#pragma once

#include <deque>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/sim/client_support.h"

namespace parley::sim {

class SupportDesk {
 public:
  SupportDesk(std::mt19937_64* random, std::vector<std::string>* complaints)
      : random_(random), complaints_(complaints) {}
  void set_by_case(bool on) { by_case_ = on; }

  // Visits the cases and decides every other one, or all of them.
  void Work(Process& process, bool all);
  const std::deque<Act>& acts() const { return acts_; }
  // How often it was shown each thread: the access log has at least as many records.
  const std::map<std::string, size_t>& looks() const { return looks_; }

 private:
  struct Case {
    std::string thread, message;
    int64_t version;
    std::vector<std::string> intents;
  };
  std::vector<Case> Cases(Process& process);
  threads::Caller Self() const;
  void Press(Process& process, size_t which);
  void Look(Process& process, const std::string& thread);

  std::mt19937_64* random_;
  std::vector<std::string>* complaints_;
  bool by_case_ = false;
  std::deque<Act> acts_;
  std::vector<size_t> unanswered_;  // indexes into acts_
  std::map<std::string, size_t> looks_;
};

}  // namespace parley::sim
