// Two moderators in the simulation, members of no thread, redact, withhold, restore and remove messages and
// cards; shadow, mute and suspend users, and pardon them; and decide reports, alone or together. Every
// request is recorded beforehand, so that devices expect its effect, and every acknowledged change must show
// from then on. They have their own source of chance.
#pragma once

#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/sim/client_support.h"

namespace parley::sim {

// Acknowledged actions.
struct ModerationCounts {
  size_t runs = 0;
  // cards count as redactions, too
  size_t redactions = 0, cards = 0, withheld = 0, restored = 0, removals = 0;
  size_t shadows = 0, mutes = 0, suspensions = 0;
  size_t reports = 0, decisions = 0, joint = 0;  // joint: by the second of two

  void operator+=(const ModerationCounts& other);
};

class Moderators {
 public:
  Moderators(uint64_t seed, Evidence* evidence) : random_(seed ^ 0x6d6f64), evidence_(evidence) {}

  // Does something or nothing.
  void Work(Process& process);
  // Ends every case and every sanction. REQUIRES: no fault is planted.
  void Rest(Process& process);
  const ModerationCounts& counts() const { return counts_; }

 private:
  using OnOk = std::function<void(const protocol::Value& ok)>;
  // Asks as one of the two moderators, or as a member for a report. Calls `then` if it is acknowledged.
  void Ask(Process& process, const std::string& who, const char* op, const std::string& args, OnOk then);
  void Moderate(Process& process);
  void Sanction(Process& process);
  void Report(Process& process);
  void Decide(Process& process);
  void List(Process& process);
  // A message that a device sent, or a card; all empty if none exists yet.
  struct Target {
    std::string thread, message, author;
    bool card = false;
  };
  Target Draw();
  std::string Moderator() { return Roll(2) == 0 ? "usr_mod_a" : "usr_mod_b"; }
  size_t Roll(size_t below) { return static_cast<size_t>(random_() % below); }

  std::mt19937_64 random_;
  Evidence* const evidence_;
  std::set<std::string> sanctioned_;          // users to pardon at the end
  std::map<std::string, std::string> cases_;  // open cases in the last list: id → status
  ModerationCounts counts_;
};

}  // namespace parley::sim
