#include "tests/sim/world_support.h"

#include <algorithm>
#include <cstdio>

#include "threads/engine/batch.h"

namespace parley::sim {
namespace {

constexpr size_t kUsers = 5;
constexpr size_t kDevices = 6;  // the first user has two
constexpr int64_t kHourMs = 3'600'000;
// The largest offset of the wall clock. A repeat is recognised for two days by that clock, and is sent within
// one.
constexpr int64_t kMostOffMs = 11 * kHourMs;

// Each executor decides a batch, and all are committed as one group, as if several waited for the committer.
// Returns the number of executors with writes to commit.
size_t StepTogether(threads::Executors& executors) {
  std::vector<std::unique_ptr<threads::Executor::Pending>> batches;
  std::vector<storage::Committer::Share> shares;
  for (size_t i = 0; i < executors.count(); ++i) {
    threads::Executor& executor = executors.executor(i);
    batches.push_back(executor.Begin());
    if (batches.back() && batches.back()->commits()) shares.push_back(executor.Share(batches.back().get()));
  }
  const size_t committing = shares.size();
  executors.committer().CommitTogether(std::move(shares));
  for (size_t i = 0; i < batches.size(); ++i) {
    if (batches[i]) executors.executor(i).End(batches[i].get());
  }
  return committing;
}

}  // namespace

World::World(uint64_t seed, bool trace)
    : trace_(trace),
      random_(seed),
      table_users_(seed, &evidence_.complaints),
      operators_(seed, &evidence_.complaints),
      strangers_(seed, &evidence_.complaints),
      moderators_(seed, &evidence_),
      uploaders_(seed, &evidence_.complaints),
      seed_(seed) {
  config_.demo = true;
  if (seed % 3 != 0) config_.card_ports = seed % 3 == 1 ? "booking,payment" : "booking,payment,cases,events";
  config_.staff_access = seed % 2 == 0 ? "cases" : "all";
  support_.set_by_case(seed % 2 == 0);
  config_.executor_threads = 1 + static_cast<int64_t>(seed / 8 % 2);
  config_.io_threads = 1 + static_cast<int64_t>(seed / 16 % 2);
  config_.max_listed_reactors = 1;
  config_.fanout_save_every = 8;
  config_.fanout_trim_every = 16;
  config_.outbox_bytes = 64 * 1024;  // small, so that slow readers are common
  config_.max_page_bytes = config_.outbox_bytes / 4;
  config_.max_frame_bytes = 32 * 1024;
  config_.files_dir = uploaders_.folder();
  config_.files_scan = "service";  // the scanner is one of the actors
  config_.files_media = "none";
  config_.heartbeat_ms = 100 * kHourMs;  // fake connections do not pong
  disk_ = storage::NewMemoryDisk({"ep_sim", std::string(32, 's')});
  for (size_t i = 0; i < kDevices; ++i) {
    const std::string user = "usr_" + std::string(1, static_cast<char>('a' + i % kUsers));
    clients_.push_back(std::make_unique<Client>(user, i % 2 == 0, seed * kDevices + i, &evidence_));
  }
  Restart();
  if (plays_strangers()) strangers_.Found(*process_);
  if (plays_files()) uploaders_.Found(*process_);
}

void World::Trace(const std::string& what) {
  if (trace_) std::fprintf(stderr, "%zu %s\n", step_, what.c_str());
  digest_.Add(std::to_string(step_) + ' ' + what);
}

void World::DigestAll() {
  for (const auto& client : clients_) digest_.Add(std::to_string(client->received_digest()));
  const storage::Snapshot snapshot = process_->table().NewSnapshot();
  const auto status = snapshot->ScanAll(std::nullopt, [&](const auto& partition, const auto& sort, auto row) {
    digest_.Add(partition.bytes());
    digest_.Add(sort.bytes());
    // The secret of a tenant that was created is random.
    if (sort.bytes().find("TENANT#") == std::string_view::npos) digest_.Add(row.payload);
    return true;
  });
  if (!status.ok()) Complain("the store does not read: " + status.detail);
  report_.digest = digest_.value();
}

RunReport World::Play(size_t steps) {
  for (step_ = 0; step_ < steps && evidence_.complaints.empty(); ++step_) {
    try {
      Step();
    } catch (const ProcessDied&) {
      Die();
      Restart();
    }
  }
  if (evidence_.complaints.empty()) Rest();
  DigestAll();
  report_.complaints = evidence_.complaints;
  return report_;
}

void World::Step() {
  for (auto& client : clients_) client->ReadAll();
  if (lie_planned_ && step_ > 600) PlayTheLie();
  if (Chance(15)) back_end_.Work(*process_);
  if (Chance(25)) support_.Work(*process_, false);
  if (Chance(60)) {
    const std::string thread = PickThread(*clients_[Roll(clients_.size())]);
    if (!thread.empty() && evidence_.HasPanel(thread)) back_end_.Deliver(*process_, thread);
  }
  plays_tables() ? table_users_.Work(*process_) : operators_.Work(*process_);
  if (plays_strangers()) strangers_.Work(*process_);
  if (plays_moderation()) moderators_.Work(*process_);
  if (plays_files()) uploaders_.Work(*process_);
  if (Chance(2)) process_->StepReaders(Roll(64));
  if (Chance(2)) process_->FinishRead(Roll(64));
  switch (Roll(12)) {
    case 0:
    case 1:
    case 2:
      return UserActs(*clients_[Roll(clients_.size())]);
    case 3:
    case 4:
    case 5:
    case 6:
      process_->StepLoop(Roll(process_->io_threads()));
      return;
    case 7:
    case 8:
      return StepExecutors();
    case 9:
      process_->StepWorker();
      return Scrub();
    case 10:
      // Sometimes long enough for a user who left to be reported as offline.
      clock_.Advance(static_cast<int64_t>(Chance(10) ? 5000 + Roll(2000) : Roll(50)));
      if (Chance(40)) return Night();
      return MaybeSetClock();
    default:
      return MaybeFault();
  }
}

// Steps one executor, each in turn, or all in one commit.
void World::StepExecutors() {
  threads::Executors& executors = process_->executors();
  switch (Roll(3)) {
    case 0:
      executors.executor(Roll(executors.count())).Step();
      return;
    case 1:
      executors.Step();
      return;
    default:
      report_.groups += StepTogether(executors) > 1;
  }
}

// The wall clock is set, by a little or by hours, forwards or back, or the host is suspended.
void World::MaybeSetClock() {
  const auto jump = [this](int64_t ms) {
    clock_.JumpWall(ms);
    off_ms_ += ms;
  };
  if (Chance(40)) jump(static_cast<int64_t>(Roll(4000)) - 2000);
  if (!Chance(60)) return;
  const int64_t target = static_cast<int64_t>(Roll(2 * kMostOffMs)) - kMostOffMs;
  Trace("the clock is set by " + std::to_string(target - off_ms_));
  ++(target < off_ms_ ? report_.hours_back : report_.hours_on);
  if (target > off_ms_ && Chance(3)) {
    ++report_.suspensions;
    clock_.Suspend(target - off_ms_);
    off_ms_ = target;
    return;
  }
  jump(target - off_ms_);
}

// All users go offline, and up to two days pass.
void World::Night() {
  ++report_.nights;
  for (auto& client : clients_) {
    client->ReadAll();
    client->Disconnect();
  }
  operators_.Leave();
  strangers_.Leave();
  const auto hours = static_cast<int64_t>(2 + Roll(46));
  Trace("all users are offline for " + std::to_string(hours) + " hours");
  process_->AdvanceWatched(hours * kHourMs);
  for (auto& client : clients_) {
    if (!client->connected()) client->Connect(*process_, Roll(process_->io_threads()), true, Chance(3));
  }
  process_->Settle();
  for (auto& client : clients_) {
    client->ReadAll();
    client->RepeatSends();
  }
}

// At any time, however large the lag of the projections is.
void World::Scrub() {
  process_->node().scrubber().Step();
  if (process_->node().scrubber().found() > 0)
    Complain("the scrubber found a difference at step " + std::to_string(step_));
}

void World::PlayTheLie() {
  lie_planned_ = false;
  for (auto& client : clients_) {
    client->set_reads_itself(true);
    if (!client->connected()) client->Connect(*process_, 0, true, false);
  }
  process_->Settle();
  for (auto& client : clients_) client->ReadAll();
  for (auto& client : clients_) {
    if (!client->ready() || client->held().empty()) continue;
    client->SendNext(client->held().begin()->first, "early", "acknowledged early");
    break;
  }
  process_->table().LieAboutNextCommit();
  while (!process_->table().lied() && (process_->StepLoops() || process_->executors().Step())) {
  }
  while (process_->StepLoops()) {  // the answer reaches its client; then the power fails
  }
  for (auto& client : clients_) {
    client->ReadAll();
    for (const Send& send : client->sends()) report_.lied |= send.client_id == "early" && send.acknowledged;
  }
  throw ProcessDied{};
}

void World::MaybeFault() {
  const size_t what = Roll(90);
  if (what == 0) {
    Trace("killed between two steps");
    throw ProcessDied{};
  }
  if (what <= kDeaths) {
    process_->table().Arm(static_cast<Death>(what));
    return Trace("will die at " + std::to_string(what));
  }
  if (what == kDeaths + 1) {
    constexpr storage::MemoryFault kFaults[] = {storage::MemoryFault::kCommitFails,
                                                storage::MemoryFault::kCommitUnknownKept,
                                                storage::MemoryFault::kCommitUnknownLost};
    process_->table().memory().InjectFault(kFaults[Roll(3)]);
    ++report_.faults;
    return Trace("a commit will fail");
  }
  // Operators restart a server that rejects writes.
  if (what == kDeaths + 2 && !process_->node().NotReady().empty()) throw ProcessDied{};
}

void World::Die() {
  ++report_.deaths;
  Trace("died");
  report_.trims += process_->table().trims();
  report_.reads += process_->reads();
  report_.shared_pages += process_->shared_pages();
  process_->table().memory().Crash(Roll(process_->table().memory().UnsyncedApplies() + 1));
  // Devices may read the bytes that had reached their side of the connection.
  for (auto& client : clients_) {
    client->ReadAll();
    client->ProcessGone();
  }
  table_users_.ProcessGone();
  operators_.ProcessGone();
  strangers_.ProcessGone();
  uploaders_.ProcessGone();
  process_.reset();
}

void World::Restart() {
  // Half of the servers have all in memory; every second one of the others has almost nothing there.
  const double cold = seed_ % 4 < 2 ? 0 : seed_ % 4 == 2 ? 0.1 : 0.9;
  process_ =
      std::make_unique<Process>(disk_, clock_, seed_ * 1000 + ++lives_, config_, &evidence_.witness, cold);
  evidence_.witness.Look(process_->table());
  process_->Settle();
  CheckStore("after a restart");
  CheckAcknowledged("after a restart");
  CheckCards("after a restart");
  CheckBroadcasts("after a restart");
  CheckFinals("after a restart");
  CheckAccessLog("after a restart");
  CheckFirstMessages("after a restart");
  table_users_.Check(*process_, "after a restart");
  if (!plays_tables()) operators_.Check(*process_, "after a restart");
  strangers_.Check(*process_, "after a restart");
  uploaders_.Check(*process_, "after a restart");
}

// No more faults: all users reconnect, send the rest, and read to the end.
void World::Rest() {
  operators_.Leave();
  process_->table().Arm(Death::kNone);
  if (!process_->node().NotReady().empty()) {
    Die();
    Restart();
  }
  process_->table().memory().InjectFault(storage::MemoryFault::kNone);
  if (plays_moderation()) moderators_.Rest(*process_);
  process_->Advance(kHourMs + 60'000);  // the clock's work is checked at least once an hour
  for (int round = 0; round < 4; ++round) {
    for (auto& client : clients_) {
      client->ReadAll();
      if (!client->connected()) client->Connect(*process_, Roll(process_->io_threads()), true, false);
      client->set_reads_itself(true);
    }
    process_->Settle();
    support_.Work(*process_, true);  // while a safety report is open, the parties cannot write
    process_->Settle();
    process_->Advance(1000);
    for (auto& client : clients_) {
      client->ReadAll();
      client->RetryUnacknowledged();
    }
    process_->Settle();
    for (auto& client : clients_) client->RetryActs();
    process_->Settle();
    while (back_end_.Work(*process_) > 0 && round == 3) {
      process_->Settle();
      if (!evidence_.complaints.empty()) return;
    }
    process_->Settle();
  }
  for (auto& client : clients_) {
    client->CheckFolders();
    for (const auto& [thread, held] : client->held()) client->ReadMessages(thread);
  }
  // Reading page by page takes several rounds.
  const auto waits = [](const auto& client) { return client->outstanding() > 0; };
  for (int round = 0; round < 3 || (round < 100 && std::any_of(clients_.begin(), clients_.end(), waits));
       ++round) {
    process_->Settle();
    for (auto& client : clients_) client->ReadAll();
  }
  for (auto& client : clients_) {
    client->ReadAll();
    if (client->outstanding() > 0) Complain(client->user() + ": a request was never answered");
    if (!client->all_acknowledged()) Complain(client->user() + ": a send was never acknowledged");
  }
  // Four quiet days: the answers kept for repeats are removed, and nothing else that was acknowledged.
  process_->Advance(4 * 24 * kHourMs);
  for (auto& client : clients_) client->ReadAll();
  CheckStore("at the end");
  CheckAcknowledged("at the end");
  CheckCards("at the end");
  CheckBroadcasts("at the end");
  CheckFinals("at the end");
  CheckAccessLog("at the end");
  CheckFirstMessages("at the end");
  table_users_.Check(*process_, "at the end");
  if (!plays_tables()) operators_.Finish(*process_);
  if (!plays_tables()) operators_.Check(*process_, "at the end");
  strangers_.Finish(*process_);
  uploaders_.Finish(*process_);
  CheckDeadlines();
  CheckDevices();
  CheckReads();
  CheckBodies();
  report_.trims += process_->table().trims();
  report_.reads += process_->reads();
  report_.shared_pages += process_->shared_pages();
  report_.items = table_users_.acknowledged();
  report_.moves = table_users_.moves();
  report_.accounts = operators_.report();
  report_.strangers = strangers_.report();
  report_.moderation = moderators_.counts();
  report_.uploads = uploaders_.counts();
  report_.entries = evidence_.entries;
  report_.receipts = evidence_.receipts;
  report_.typings = evidence_.typings;
  report_.opened = evidence_.opened;
  report_.filled = evidence_.filled;
  report_.silences = evidence_.silences;
}

}  // namespace parley::sim
