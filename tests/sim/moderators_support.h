// Who moderates, in the simulation: two of them, members of no thread, redact, withhold, give back and remove
// what people wrote, cards too; shadow, mute and suspend people, and take it back; and decide what people
// report, alone or together. Everything that they ask for is noted before, so that nobody's device is
// surprised, and everything that was acknowledged must show from then on. Their chance is their own.
#pragma once

#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/sim/client_support.h"

namespace parley::sim {

// How much was done, acknowledged.
struct ModerationCounts {
  size_t runs = 0;
  size_t redactions = 0, cards = 0, withheld = 0, restored = 0, removals = 0;  // cards: among the first
  size_t shadows = 0, mutes = 0, suspensions = 0;
  size_t reports = 0, decisions = 0, joint = 0;  // joint: by the second of two

  void operator+=(const ModerationCounts& other);
};

class Moderators {
 public:
  Moderators(uint64_t seed, Evidence* evidence) : random_(seed ^ 0x6d6f64), evidence_(evidence) {}

  // Something or nothing.
  void Work(Process& process);
  // Ends every case and every sanction. REQUIRES: no fault is planted.
  void Rest(Process& process);
  const ModerationCounts& counts() const { return counts_; }

 private:
  using OnOk = std::function<void(const protocol::Value& ok)>;
  // As one of the two, or as a member where it is a report; `then` where it is acknowledged.
  void Ask(Process& process, const std::string& who, const char* op, const std::string& args, OnOk then);
  void Moderate(Process& process);
  void Sanction(Process& process);
  void Report(Process& process);
  void Decide(Process& process);
  void List(Process& process);
  // A message that a device sent, or a card; empty: there is none yet.
  struct Target {
    std::string thread, message, author;
    bool card = false;
  };
  Target Draw();
  std::string Moderator() { return Roll(2) == 0 ? "usr_mod_a" : "usr_mod_b"; }
  size_t Roll(size_t below) { return static_cast<size_t>(random_() % below); }

  std::mt19937_64 random_;
  Evidence* const evidence_;
  std::set<std::string> sanctioned_;          // whom they pardon at the end
  std::map<std::string, std::string> cases_;  // that are open, as they were last listed: id → status
  ModerationCounts counts_;
};

}  // namespace parley::sim
