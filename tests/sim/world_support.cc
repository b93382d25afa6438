#include "tests/sim/world_support.h"

#include <cstdio>
#include <iterator>

#include "fanout/verify/verify.h"
#include "threads/cards/change_card.h"
#include "threads/changes.h"

namespace parley::sim {
namespace {

constexpr size_t kUsers = 5;
const protocol::TenantId kTenant{std::string(accounts::kDemoTenant)};

}  // namespace

World::World(uint64_t seed, bool trace) : trace_(trace), random_(seed), seed_(seed) {
  config_.demo = true;
  if (seed % 3 != 0) config_.card_ports = seed % 3 == 1 ? "booking,payment" : "booking,payment,cases,events";
  config_.staff_access = seed % 2 == 0 ? "cases" : "all";
  support_.set_by_case(seed % 2 == 0);
  config_.executor_threads = 1 + static_cast<int64_t>(seed / 2 % 2);
  config_.outbox_bytes = 64 * 1024;  // small, so that slow readers are met often
  config_.max_frame_bytes = 32 * 1024;
  config_.heartbeat_ms = 3'600'000;  // fake connections do not pong
  disk_ = storage::NewMemoryDisk({"ep_sim", std::string(32, 's')});
  for (size_t i = 0; i < kUsers; ++i) {
    clients_.push_back(std::make_unique<Client>("usr_" + std::string(1, static_cast<char>('a' + i)),
                                                i % 2 == 0, &report_.complaints, &wins_));
  }
  Restart();
}

void World::Trace(const std::string& what) {
  if (trace_) std::fprintf(stderr, "%zu %s\n", step_, what.c_str());
  digest_.Add(std::to_string(step_) + ' ' + what);
}

void World::DigestAll() {
  for (const auto& client : clients_) digest_.Add(std::to_string(client->heard()));
  const storage::Snapshot snapshot = process_->table().NewSnapshot();
  const auto status = snapshot->ScanAll(std::nullopt, [&](const auto& partition, const auto& sort, auto row) {
    digest_.Add(partition.bytes());
    digest_.Add(sort.bytes());
    digest_.Add(row.payload);
    return true;
  });
  if (!status.ok()) report_.complaints.push_back("the store does not read: " + status.detail);
  report_.digest = digest_.value();
}

RunReport World::Play(size_t steps) {
  for (step_ = 0; step_ < steps && report_.complaints.empty(); ++step_) {
    try {
      Step();
    } catch (const ProcessDied&) {
      Die();
      Restart();
    }
  }
  if (report_.complaints.empty()) Rest();
  DigestAll();
  return report_;
}

void World::Step() {
  for (auto& client : clients_) client->ReadAll();
  if (lie_planned_ && step_ > 600) PlayTheLie();
  if (Chance(15)) back_end_.Work(*process_);
  if (Chance(25)) support_.Work(*process_, false);
  if (Chance(60)) {
    const std::string thread = PickThread(*clients_[Roll(clients_.size())]);
    if (!thread.empty()) back_end_.Deliver(*process_, thread);
  }
  switch (Roll(12)) {
    case 0:
    case 1:
    case 2:
      return UserActs(*clients_[Roll(clients_.size())]);
    case 3:
    case 4:
    case 5:
    case 6:
      process_->StepLoop();
      return;
    case 7:
    case 8:
      process_->StepExecutor();
      return;
    case 9:
      process_->StepWorker();
      return Scrub();
    case 10:
      clock_.Advance(static_cast<int64_t>(Roll(50)));
      if (Chance(40)) clock_.JumpWall(static_cast<int64_t>(Roll(4000)) - 2000);
      return;
    default:
      return MaybeFault();
  }
}

// Whatever else is under way, and however far behind the projections are.
void World::Scrub() {
  process_->node().scrubber().Step();
  if (process_->node().scrubber().found() > 0)
    report_.complaints.push_back("the scrubber found a difference at step " + std::to_string(step_));
}

void World::PlayTheLie() {
  lie_planned_ = false;
  for (auto& client : clients_) {
    client->set_reads_itself(true);
    if (!client->connected()) client->Connect(*process_, true);
  }
  process_->Settle();
  for (auto& client : clients_) client->ReadAll();
  for (auto& client : clients_) {
    if (!client->ready() || client->held().empty()) continue;
    client->SendNext(client->held().begin()->first, "early", "acknowledged early");
    break;
  }
  process_->table().LieAboutNextCommit();
  while (!process_->table().lied() && (process_->StepLoop() || process_->StepExecutor())) {
  }
  while (process_->StepLoop()) {  // the answer reaches its client; then the power goes
  }
  for (auto& client : clients_) {
    client->ReadAll();
    for (const Send& send : client->sends()) report_.lied |= send.client_id == "early" && send.acknowledged;
  }
  throw ProcessDied{};
}

void World::MaybeFault() {
  const size_t what = Roll(80);
  if (what == 0) {
    Trace("killed between two steps");
    throw ProcessDied{};
  }
  if (what <= 4) {
    process_->table().Arm(static_cast<Death>(what));
    return Trace("will die at " + std::to_string(what));
  }
  if (what == 5) {
    constexpr storage::MemoryFault kFaults[] = {storage::MemoryFault::kCommitFails,
                                                storage::MemoryFault::kCommitUnknownKept,
                                                storage::MemoryFault::kCommitUnknownLost};
    process_->table().memory().InjectFault(kFaults[Roll(3)]);
    ++report_.faults;
    return Trace("a commit will fail");
  }
  // Operators restart a server that takes no writes.
  if (what == 6 && !process_->node().NotReady().empty()) throw ProcessDied{};
}

void World::Die() {
  ++report_.deaths;
  Trace("died");
  process_->table().memory().Crash(Roll(process_->table().memory().UnsyncedApplies() + 1));
  // What had arrived at the devices' side of the line is theirs to read.
  for (auto& client : clients_) {
    client->ReadAll();
    client->ProcessGone();
  }
  process_.reset();
}

void World::Restart() {
  process_ = std::make_unique<Process>(disk_, clock_, seed_ * 1000 + ++lives_, config_);
  process_->Settle();
  CheckStore("after a restart");
  CheckAcknowledged("after a restart");
  CheckCards("after a restart");
  CheckBroadcasts("after a restart");
  CheckFinals("after a restart");
  CheckLooks("after a restart");
}

std::string World::PickThread(const Client& client) {
  if (client.held().empty()) return {};
  return std::next(client.held().begin(), static_cast<std::ptrdiff_t>(Roll(client.held().size())))->first;
}

void World::UserActs(Client& client) {
  if (!client.connected()) {
    Trace(client.user() + " connects");
    // A fresh device now and then; mostly the same one, which resumes.
    return client.Connect(*process_, !Chance(10));
  }
  if (!client.ready()) return;
  if (Chance(25)) {
    Trace(client.user() + " loses the line");
    return client.Disconnect();
  }
  if (Chance(30)) return client.set_reads_itself(Chance(2));
  const std::string thread = PickThread(client);
  if (thread.empty() || Chance(20)) {
    const std::string seller = clients_[Roll(clients_.size())]->user();
    std::vector<std::string> others;
    if (Chance(2)) others.push_back(clients_[Roll(clients_.size())]->user());
    if (client.creates() > 0 && Chance(4)) return client.RepeatCreate(Roll(client.creates()));
    // Few LBGs, so that a broadcast reaches several threads.
    std::string leg;
    if (Chance(2)) leg = "lbg_" + std::to_string(Roll(2)) + " leg_" + std::to_string(Roll(3));
    return client.CreateThread(seller, others, Chance(2), leg,
                               client.user() + "-create-" + std::to_string(++names_));
  }
  Talk(client, thread);
}

void World::Talk(Client& client, const std::string& thread) {
  const Held& held = client.held().at(thread);
  std::string message;
  if (!held.bodies.empty()) {
    message = std::next(held.bodies.begin(), static_cast<std::ptrdiff_t>(Roll(held.bodies.size())))->first;
  }
  const std::string other = clients_[Roll(clients_.size())]->user();
  if (Chance(2)) return PlayCards(client, thread);
  constexpr const char* kTabs[] = {"brief", "shotlist", "moodboard"};
  switch (Roll(24)) {
    case 0:
      return message.empty() ? void() : client.Edit(thread, message, "edited " + std::to_string(step_));
    case 1:
      return message.empty() ? void() : client.Delete(thread, message);
    case 2:
    case 3:
      return message.empty() ? void() : client.MarkRead(thread, message);
    case 4:
      return client.Manage("participant.add", thread, other);
    case 5:
      return Chance(2) ? client.Manage("participant.remove", thread, other) : void();
    case 6:
      return client.SetFlags(thread, Chance(2), Chance(2));
    case 7:
      return client.Open(thread);
    case 8:
      return client.ListInbox();
    case 9:
      return client.RetryUnacknowledged();
    case 10:
      return client.Label(thread, Chance(2) ? "Later" : "");
    case 11:
      return client.Snooze(thread, {clock_.Now().ms + static_cast<int64_t>(Roll(3000))});
    case 12:
    case 13:
      return client.PutTab(thread, kTabs[Roll(3)], client.user() + "-" + std::to_string(++names_));
    case 15:
    case 16:
      return client.SendToLegs("lbg_" + std::to_string(Roll(2)),
                               client.user() + "-all-" + std::to_string(++names_),
                               "to all " + std::to_string(step_));
    case 14:
      return message.empty() ? void() : client.Pin(thread, message, Chance(2));
    default:
      return client.SendNext(thread, client.user() + "-" + std::to_string(++names_),
                             "body " + std::to_string(step_));
  }
}

namespace {

std::vector<std::string> IntentsOf(const HeldCard& card) {
  if (card.state == "RUNNING") return {"stop", "stop"};
  if (card.state == "PAID") return {"refund", "refund"};
  if (card.type == "DISPUTE_OPEN" && card.state == "OPEN") return {"settle", "escalate"};
  if (card.type == "DELIVERABLE_PROOF" && card.state == "REVISION_REQUESTED") return {"cancel", "cancel"};
  if (card.type == "DELIVERABLE_PROOF" && card.state == "SUBMITTED") return {"approve", "request_revisions"};
  if (card.type == "DELIVERABLE_FINAL" && card.state == "REVISION_REQUESTED") return {"cancel", "cancel"};
  if (card.type == "DELIVERABLE_FINAL" && card.state == "SUBMITTED")
    return {"acknowledge", "request_revisions"};
  if (card.type == "DEPOSIT_CLAIM_OPEN" && card.state == "PENDING") return {"escalate", "approve"};
  if (card.state != "PENDING") return {"accept"};
  if (card.type == "EXPENSE") return {"approve", "decline"};
  if (card.type == "OVERTIME_STOP") return {"confirm", "confirm"};
  if (card.type == "REFUND_REQUEST") return {"approve", "decline", "escalate"};
  if (card.type == "RESCHEDULE") return {"accept", "accept", "decline"};
  if (card.type == "REQUEST_EXTRA") return {"approve", "approve", "decline"};
  if (card.type == "OVERTIME_START") return {"confirm", "cancel"};
  if (card.type == "CANCEL_REQUEST") return {"approve", "decline", "escalate"};
  return {"acknowledge", "acknowledge"};
}

}  // namespace

// Opens a card, or has everybody who knows one press a button on it at the same time.
void World::PlayCards(Client& client, const std::string& thread) {
  struct Kind {
    const char* type;
    const char* payload;
  };
  constexpr Kind kKinds[] = {
      {"RESCHEDULE", R"({"newStart":"2026-01-02T10:00:00.000Z","newEnd":"2026-01-02T12:00:00.000Z"})"},
      {"REQUEST_EXTRA", R"({"name":"album","priceCents":5000})"},
      {"OVERTIME_START", R"({"minutes":30})"},
      {"DELIVERABLE_PROOF", R"({"manifestRef":"m"})"},
      {"DELIVERABLE_FINAL", R"({"manifestRef":"m"})"},
      {"EXPENSE",
       R"({"amountCents":9,"currency":"EUR","merchant":"taxi","date":"2026-01-01T00:00:00.000Z","receiptImage":"k"})"},
      {"OVERTIME_STOP", R"({"minutes":30})"},
      {"CANCEL_REQUEST", R"({"reason":"ill"})"},
      {"REFUND_REQUEST", R"({"reason":"late"})"},
      {"ACCEPTANCE_ACK", "{}"},
      {"DEPOSIT_CLAIM_OPEN", R"({"amountCents":5,"reason":"scratch","evidence":["k"]})"},
      {"SAFETY", R"({"reason":"r","severity":"low"})"},
      {"DISPUTE_OPEN", R"({"reason":"late"})"}};
  const auto& cards = client.held().at(thread).cards;
  if (cards.empty() || Chance(4)) {
    const Kind& kind = kKinds[Roll(std::size(kKinds))];
    const std::string type = kind.type;
    const bool ends = type != "DISPUTE_OPEN" && type != "SAFETY" && Chance(3);
    if (type == "SAFETY" && !Chance(3)) return;  // nothing is said while one is open
    const auto end = protocol::Time{clock_.Now().ms + 1 + static_cast<int64_t>(Roll(3000))};
    return client.CreateCard(thread, kind.type, kind.payload,
                             client.user() + "-card-" + std::to_string(++names_),
                             ends ? protocol::FormatTime(end) : "");
  }
  if (Chance(6)) return client.RetryActs();
  // Mostly one that may still move, by an intent that it may take.
  auto chosen = std::next(cards.begin(), static_cast<std::ptrdiff_t>(Roll(cards.size())));
  for (size_t tries = cards.size(); tries > 0 && IntentsOf(chosen->second).size() == 1; --tries)
    if (++chosen == cards.end()) chosen = cards.begin();
  const std::string message = chosen->first;
  const auto intents = IntentsOf(chosen->second);
  const std::string intent = intents[Roll(intents.size())];
  for (auto& other : clients_) {
    if (other->ready() && (other.get() == &client || !Chance(3)))
      other->ActOn(thread, message, intent, other->user() + "-act-" + std::to_string(++names_));
  }
}

// Of those who pressed at the same time one won, and what was acknowledged is on record.
void World::CheckCards(const char* when) {
  const threads::RowReader rows(process_->table(), kTenant);
  std::map<std::string, std::string> winner;
  report_.acts = 0;
  std::vector<const std::deque<Act>*> everybody = {&support_.acts()};
  for (const auto& client : clients_) everybody.push_back(&client->acts());
  for (const std::deque<Act>* acts : everybody) {
    for (const Act& act : *acts) {
      if (!act.acknowledged) continue;
      ++report_.acts;
      const auto card =
          rows.Card(*protocol::ThreadId::FromText(act.thread), *protocol::MessageId::FromText(act.message));
      if (!card.ok() || !*card || (*card)->item.version < act.to_version) {
        report_.complaints.push_back(std::string(when) +
                                     ": an acknowledged intent is lost: " + act.client_id);
        continue;
      }
      if (act.to_version == act.version) continue;  // it waited for the outside
      const auto [at, first] =
          winner.emplace(act.message + " v" + std::to_string(act.version), act.client_id);
      if (!first)
        report_.complaints.push_back(std::string(when) + ": two won the same version: " + at->second + ", " +
                                     act.client_id);
    }
  }
  CheckOpenings(when);
  report_.effects = back_end_.carried_out();
  report_.decisions = 0;
  for (const Act& act : support_.acts()) report_.decisions += act.acknowledged;
}

// Every card that was acknowledged is there, once per clientId and under the message that was answered.
void World::CheckOpenings(const char* when) {
  const threads::RowReader rows(process_->table(), kTenant);
  report_.openings = 0;
  for (const auto& client : clients_) {
    for (const Opening& opening : client->openings()) {
      if (!opening.acknowledged) continue;
      ++report_.openings;
      const auto thread = *protocol::ThreadId::FromText(opening.thread);
      const auto message = *protocol::MessageId::FromText(opening.message_id);
      const auto card = rows.Card(thread, message);
      const auto shown = rows.Message(thread, message);
      const bool there = card.ok() && *card && (*card)->item.type.value == opening.type;
      const bool told = shown.ok() && *shown && (*shown)->item.client_id &&
                        (*shown)->item.client_id->value == opening.client_id;
      if (!there || !told)
        report_.complaints.push_back(std::string(when) +
                                     ": an acknowledged card is lost: " + opening.client_id);
    }
  }
}

// Every message that a broadcast was acknowledged for is in its thread, under the broadcast's name.
void World::CheckBroadcasts(const char* when) {
  const threads::RowReader rows(process_->table(), kTenant);
  report_.broadcasts = 0;
  for (const auto& client : clients_) {
    for (const Broadcast& broadcast : client->broadcasts()) {
      for (const auto& [thread, id] : broadcast.sent) {
        ++report_.broadcasts;
        const auto message =
            rows.Message(*protocol::ThreadId::FromText(thread), *protocol::MessageId::FromText(id));
        const bool there = message.ok() && *message && (*message)->item.broadcast.value &&
                           (*message)->item.broadcast.value->lbg_id.value == broadcast.lbg &&
                           (*message)->item.client_id->value == broadcast.client_id;
        if (!there)
          report_.complaints.push_back(std::string(when) +
                                       ": an acknowledged broadcast is lost: " + broadcast.client_id);
      }
    }
  }
}

// What was delivered stays delivered, once.
void World::CheckFinals(const char* when) {
  const threads::RowReader rows(process_->table(), kTenant);
  report_.finals = 0;
  for (const auto& [thread, manifests] : back_end_.delivered()) {
    const auto tab = rows.Tab(*protocol::ThreadId::FromText(thread), protocol::TabName::kFiles);
    protocol::Document content;
    std::map<std::string, int> found;
    if (tab.ok() && *tab && threads::DecodeStored((*tab)->item.content.msgpack, &content)) {
      for (const protocol::Value& final : *content.root.Find("finals")->as_array())
        ++found[std::string(*final.Find("manifestRef")->as_text())];
    }
    for (const std::string& manifest : manifests) {
      ++report_.finals;
      if (found[manifest] != 1)
        report_.complaints.push_back(std::string(when) + ": a final is there " +
                                     std::to_string(found[manifest]) + " times: " + manifest);
    }
  }
}

// Whoever was shown something as staff is on record.
void World::CheckLooks(const char* when) {
  report_.looks = 0;
  for (const auto& [thread, shown] : support_.looks()) {
    report_.looks += shown;
    size_t recorded = 0;
    const auto status =
        process_->table().Scan(threads::ThreadPartition(kTenant, *protocol::ThreadId::FromText(thread)),
                               threads::RangeOf(storage::ThreadTag::kLook), storage::Direction::kForward,
                               SIZE_MAX, [&](std::string_view, storage::RowView) { return ++recorded > 0; });
    if (!status.ok() || recorded < shown)
      report_.complaints.push_back(std::string(when) + ": a look of the staff is not on record in " + thread);
  }
}

// Nobody asked for it: the clock alone brings every card to its end.
void World::CheckDeadlines() {
  const threads::RowReader rows(process_->table(), kTenant);
  for (const auto& client : clients_) {
    for (const auto& [name, held] : client->held()) {
      const auto head = rows.Thread(*protocol::ThreadId::FromText(name));
      const auto due = head.ok() && *head ? threads::NextDue(**head) : std::nullopt;
      if (due && *due <= clock_.Now()) report_.complaints.push_back("a card outlived its end in " + name);
    }
  }
}

// No more faults: everybody comes back, says what is left to say, and reads to the end.
void World::Rest() {
  process_->table().Arm(Death::kNone);
  if (!process_->node().NotReady().empty()) {
    Die();
    Restart();
  }
  process_->table().memory().InjectFault(storage::MemoryFault::kNone);
  for (int round = 0; round < 4; ++round) {
    for (auto& client : clients_) {
      client->ReadAll();
      if (!client->connected()) client->Connect(*process_, true);
      client->set_reads_itself(true);
    }
    process_->Settle();
    support_.Work(*process_, true);  // while a safety report is open, nothing is said
    process_->Settle();
    process_->loop().Advance(1000, [this] { process_->Settle(); });
    for (auto& client : clients_) {
      client->ReadAll();
      client->RetryUnacknowledged();
    }
    process_->Settle();
    for (auto& client : clients_) client->RetryActs();
    process_->Settle();
    while (back_end_.Work(*process_) > 0 && round == 3) {
      process_->Settle();
      if (!report_.complaints.empty()) return;
    }
    process_->Settle();
  }
  for (auto& client : clients_) client->CheckFolders();
  for (int round = 0; round < 3; ++round) {
    process_->Settle();
    for (auto& client : clients_) client->ReadAll();
  }
  for (auto& client : clients_) {
    client->ReadAll();
    if (client->outstanding() > 0)
      report_.complaints.push_back(client->user() + ": a request was never answered");
    if (!client->all_acknowledged())
      report_.complaints.push_back(client->user() + ": a send was never acknowledged");
  }
  CheckStore("at the end");
  CheckAcknowledged("at the end");
  CheckCards("at the end");
  CheckBroadcasts("at the end");
  CheckFinals("at the end");
  CheckLooks("at the end");
  CheckDeadlines();
  CheckDevices();
}

void World::CheckStore(const char* when) {
  fanout::VerifyReport report;
  const auto status = fanout::VerifyStore(
      process_->table(), clock_.Now(),
      [&](const std::string& what) { report_.complaints.push_back(std::string(when) + ": " + what); },
      &report);
  if (!status.ok()) report_.complaints.push_back(std::string(when) + ": the store can not be read");
  if (report.pending > 0)
    report_.complaints.push_back(std::string(when) + ": a projection is behind at rest");
  report_.threads = report.threads;
  report_.messages = report.messages;
}

// Everything ever acknowledged is there, as acknowledged, once (that no send is there twice is the store's
// own check).
void World::CheckAcknowledged(const char* when) {
  const threads::RowReader rows(process_->table(), kTenant);
  size_t acknowledged = 0;
  for (const auto& client : clients_) {
    for (const Send& send : client->sends()) {
      if (!send.acknowledged) continue;
      ++acknowledged;
      const auto message = rows.Message(*protocol::ThreadId::FromText(send.thread),
                                        *protocol::MessageId::FromText(send.message_id));
      const bool there = message.ok() && *message && (*message)->item.msg_no == send.msg_no &&
                         (*message)->born_seq == send.seq &&
                         (*message)->item.client_id->value == send.client_id;
      if (!there)
        report_.complaints.push_back(std::string(when) + ": an acknowledged send is lost: " + send.client_id);
    }
  }
  report_.acknowledged = acknowledged;
}

// Every device was told every change since it began to listen, in its latest state.
void World::CheckDevices() {
  const storage::Snapshot snapshot = process_->table().NewSnapshot();
  const threads::RowReader rows(*snapshot, kTenant);
  for (const auto& client : clients_) {
    for (const auto& [name, held] : client->held()) {
      const auto thread = *protocol::ThreadId::FromText(name);
      const auto head = rows.Thread(thread);
      if (!head.ok() || !*head) {
        report_.complaints.push_back(client->user() + " holds a thread that is not there: " + name);
        continue;
      }
      if ((*head)->item.last_seq != held.seq) {
        report_.complaints.push_back(client->user() + " was told up to " + std::to_string(held.seq) + " of " +
                                     std::to_string((*head)->item.last_seq) + " in " + name);
      }
      const auto page = threads::ReadChanges(rows, thread, held.since, SIZE_MAX);
      for (const threads::Change& change : page->changes) {
        bool told = false;
        for (const auto& [item, seq] : held.items) told |= seq == change.seq;
        if (!told)
          report_.complaints.push_back(client->user() + " was never told of seq " +
                                       std::to_string(change.seq) + " in " + name);
      }
    }
  }
}

}  // namespace parley::sim
