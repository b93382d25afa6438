// The simulated world: one server, a handful of users, a clock, a disk, and chance. The same seed gives the
// same run.
#pragma once

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "tests/sim/back_end_support.h"
#include "tests/sim/client_support.h"
#include "tests/sim/moderators_support.h"
#include "tests/sim/operator_support.h"
#include "tests/sim/strangers_support.h"
#include "tests/sim/support_desk_support.h"
#include "tests/sim/table_users_support.h"
#include "tests/sim/uploaders_support.h"

namespace parley::sim {

struct RunReport {
  std::vector<std::string> complaints;
  bool lied = false;  // a device received an acknowledgement of a send that the planted lie lost
  size_t deaths = 0, faults = 0, acknowledged = 0, threads = 0, messages = 0;
  size_t openings = 0, acts = 0, effects = 0;  // cards and intents acknowledged; outside effects carried out
  size_t decisions = 0, looks = 0;             // by support, acknowledged
  size_t broadcasts = 0, finals = 0;           // messages into leg threads, manifests; acknowledged
  size_t entries = 0, receipts = 0, typings = 0;  // received by devices and judged
  size_t bodies = 0;                              // different shown versions of messages
  size_t filled = 0;                // items of the compact form, filled in and compared with their rows
  size_t silences = 0;              // threads that went on without a device whose removal was reported to it
  size_t opened = 0;                // threads in full under `deliver: open`
  size_t posts = 0;                 // requests over HTTP
  size_t groups = 0;                // commits that joined two executors
  size_t trims = 0;                 // trims of the change log
  size_t directs = 0, circles = 0;  // requested direct threads and groups
  size_t firsts = 0;                // messages that came with a creation, acknowledged
  size_t reads = 0;                 // reads that memory could not answer
  size_t shared_pages = 0;          // pages of missed changes, sent to several members
  size_t hours_on = 0, hours_back = 0;  // the wall clock was set by hours
  size_t suspensions = 0;               // suspensions of the host: its timers stop
  size_t nights = 0, forgotten = 0;     // at least this many answers to sends are no longer kept
  size_t items = 0, moves = 0;          // writes to tables, and transactions among them; acknowledged
  AccountReport accounts;
  StrangerReport strangers;
  ModerationCounts moderation;
  UploadCounts uploads;
  // digest of all actions, of every frame that a device read, and of the store at the end
  uint64_t digest = 0;
};

class World {
 public:
  explicit World(uint64_t seed, bool trace);
  // Plays `steps` random steps, then brings everything to rest and checks it all.
  RunReport Play(size_t steps);
  // Plants an acknowledgement that comes before its sync: some commit is reported durable, answered, and lost
  // with the process.
  void AcknowledgeEarly() { lie_planned_ = true; }

 private:
  void Step();
  void StepExecutors();
  void MaybeSetClock();
  void Night();
  std::string NewBody();
  void UserActs(Client& client);
  void StartThread(Client& client);
  void StartDirect(Client& client);
  void Talk(Client& client, const std::string& thread);
  void PlayCards(Client& client, const std::string& thread);
  void CheckCards(const char* when);
  void CheckOpenings(const char* when);
  void CheckBroadcasts(const char* when);
  void CheckFinals(const char* when);
  void CheckAccessLog(const char* when);
  void CheckFirstMessages(const char* when);
  void CheckDeadlines();
  void MaybeFault();
  void Scrub();
  void PlayTheLie();
  void Die();
  void Restart();
  void Rest();
  void CheckStore(const char* when);
  void CheckAcknowledged(const char* when);
  void CheckDevices();
  void CheckReads();
  void CheckBodies();
  void CheckHeldBody(const Client& client, const std::string& thread, const std::string& message,
                     const std::string& body);
  void Complain(const std::string& what) { evidence_.complaints.push_back(what); }
  size_t Roll(size_t below) { return static_cast<size_t>(random_() % below); }
  bool Chance(size_t in) { return Roll(in) == 0; }
  bool plays_tables() const { return seed_ / 32 % 2 == 0; }  // and otherwise tenants
  bool plays_strangers() const { return seed_ / 8 % 3 == 1; }
  bool plays_moderation() const { return seed_ / 8 % 3 == 2; }
  bool plays_files() const { return seed_ / 8 % 5 < 2; }
  void Trace(const std::string& what);
  void DigestAll();
  std::string PickThread(const Client& client);

  const bool trace_;
  std::mt19937_64 random_;
  gateway_test::FakeClock clock_;
  gateway::Config config_;
  std::shared_ptr<storage::MemoryDisk> disk_;
  std::unique_ptr<Process> process_;
  std::vector<std::unique_ptr<Client>> clients_;
  Evidence evidence_;
  RunReport report_;
  BackEnd back_end_{&random_, &evidence_.complaints};
  SupportDesk support_{&random_, &evidence_.complaints};
  TableUsers table_users_;
  Operators operators_;
  Strangers strangers_;
  Moderators moderators_;
  Uploaders uploaders_;
  Digest digest_;
  int64_t off_ms_ = 0;  // the offset of the wall clock
  size_t step_ = 0, names_ = 0, lives_ = 0;
  const uint64_t seed_;
  bool lie_planned_ = false;
};

}  // namespace parley::sim
