// Random actions of the users.
#include <iterator>

#include "tests/sim/world_support.h"

namespace parley::sim {

std::string World::PickThread(const Client& client) {
  if (client.held().empty()) return {};
  return std::next(client.held().begin(), static_cast<std::ptrdiff_t>(Roll(client.held().size())))->first;
}

// The server keeps bodies to the byte.
std::string World::NewBody() {
  constexpr const char* kBodies[] = {"plain",
                                     "two\nlines\n",
                                     "größer ✓ 漢字 🙂",
                                     "*stars* and `ticks`",
                                     "  blanks \t around  ",
                                     "a & b; 1 > 0",
                                     "a rather long line, and on it goes"};
  return std::string(kBodies[Roll(std::size(kBodies))]) + ' ' + std::to_string(step_);
}

void World::UserActs(Client& client) {
  if (!client.connected()) {
    Trace(client.user() + " connects");
    // A fresh device now and then; usually the same one, which resumes.
    return client.Connect(*process_, Roll(process_->io_threads()), !Chance(10), Chance(3));
  }
  if (!client.ready()) return;
  if (Chance(25)) {
    Trace(client.user() + " loses the line");
    return client.Disconnect();
  }
  if (Chance(30)) return client.set_reads_itself(Chance(2));
  if (client.open_only() && Chance(3)) {
    const auto known = client.KnownThreads();
    return known.empty() ? client.ListInbox() : client.Open(known[Roll(known.size())]);
  }
  const std::string thread = PickThread(client);
  if (thread.empty() || Chance(20)) return StartThread(client);
  Talk(client, thread);
}

void World::StartThread(Client& client) {
  const std::string seller = clients_[Roll(clients_.size())]->user();
  std::vector<std::string> others;
  if (Chance(2)) others.push_back(clients_[Roll(clients_.size())]->user());
  if (client.creates() > 0 && Chance(4)) return client.RepeatCreate(Roll(client.creates()));
  if (Chance(6)) return StartDirect(client);
  if (Chance(6)) {
    others.push_back(clients_[Roll(clients_.size())]->user());
    ++report_.circles;
    return client.CreateGroup(others, Chance(2), client.user() + "-create-" + std::to_string(++names_));
  }
  // Few LBGs, so that a broadcast reaches several threads.
  std::string leg;
  if (Chance(2)) leg = "lbg_" + std::to_string(Roll(2)) + " leg_" + std::to_string(Roll(3));
  client.CreateThread(seller, others, Chance(2), leg, client.user() + "-create-" + std::to_string(++names_));
}

// Usually both of the two, at the same moment.
void World::StartDirect(Client& client) {
  Client& other = *clients_[Roll(clients_.size())];
  if (other.user() == client.user()) return;
  ++report_.directs;
  client.CreateDirect(other.user(), Chance(2), client.user() + "-create-" + std::to_string(++names_));
  if (other.ready() && !Chance(3))
    other.CreateDirect(client.user(), Chance(2), other.user() + "-create-" + std::to_string(++names_));
}

void World::Talk(Client& client, const std::string& thread) {
  const Held& held = client.held().at(thread);
  std::string message;
  if (!held.bodies.empty()) {
    message = std::next(held.bodies.begin(), static_cast<std::ptrdiff_t>(Roll(held.bodies.size())))->first;
  }
  const std::string other = clients_[Roll(clients_.size())]->user();
  if (Chance(2)) return PlayCards(client, thread);
  constexpr const char* kSnoozeEvents[] = {"", "message", "card", "status"};
  constexpr const char* kTabs[] = {"brief", "shotlist", "moodboard"};
  switch (Roll(36)) {
    case 0:
      return message.empty() ? void() : client.Edit(thread, message, NewBody());
    case 1:
      return message.empty() ? void() : client.Delete(thread, message);
    case 2:
    case 3:
      return message.empty() ? void() : client.MarkRead(thread, message);
    case 4:
      return client.Manage("participant.add", thread, other);
    case 5:
      return client.Manage("participant.remove", thread, other);
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
      return client.Snooze(thread, {clock_.Now().ms + static_cast<int64_t>(Roll(3000))},
                           kSnoozeEvents[Roll(std::size(kSnoozeEvents))]);
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
    case 17:
    case 28:
    case 29:
    case 33:
    case 34:
    case 35:
      return client.Type(thread, !Chance(3));
    case 30:
    case 31:
    case 32:
      return message.empty() ? void() : client.React(thread, message, Chance(2) ? "👍" : "🎉", !Chance(3));
    case 18:
      return client.ReadMessages(thread);
    case 19:
      return client.Mute(
          thread, Chance(2),
          Chance(2) ? "" : protocol::FormatTime({clock_.Now().ms + static_cast<int64_t>(Roll(3000))}));
    case 20:
      return Chance(2) ? client.Close(thread) : void();
    default:
      return client.SendNext(thread, client.user() + "-" + std::to_string(++names_), NewBody());
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

// Opens a card, or makes every user who knows one press a button on it at the same time.
void World::PlayCards(Client& client, const std::string& thread) {
  struct Kind {
    const char* type;
    const char* payload;
  };
  constexpr Kind kKinds[] = {
      {"RESCHEDULE", R"({"newStart":"2026-01-02T10:00:00.000Z","newEnd":"2026-01-02T12:00:00.000Z"})"},
      {"REQUEST_EXTRA", R"({"name":"album","priceCents":5000})"},
      {"OVERTIME_START", R"({"minutes":30})"},
      {"DELIVERABLE_PROOF", R"({"manifestRef":"https://m.example/m"})"},
      {"DELIVERABLE_FINAL", R"({"manifestRef":"https://m.example/m"})"},
      {"EXPENSE",
       R"({"amountCents":9,"currency":"EUR","merchant":"taxi","date":"2026-01-01T00:00:00.000Z","receiptImage":"k"})"},
      {"OVERTIME_STOP", R"({"minutes":30})"},
      {"CANCEL_REQUEST", R"({"reason":"ill"})"},
      {"REFUND_REQUEST", R"({"reason":"late"})"},
      {"ACCEPTANCE_ACK", "{}"},
      {"DEPOSIT_CLAIM_OPEN",
       R"({"amountCents":5,"reason":"scratch","evidence":[{"manifestRef":"https://m.example/e"}]})"},
      {"SAFETY", R"({"reason":"r","severity":"low"})"},
      {"DISPUTE_OPEN", R"({"reason":"late"})"}};
  const auto& cards = client.held().at(thread).cards;
  if (cards.empty() || Chance(4)) {
    const Kind& kind = kKinds[Roll(std::size(kKinds))];
    const std::string type = kind.type;
    const bool ends = type != "DISPUTE_OPEN" && type != "SAFETY" && Chance(3);
    if (type == "SAFETY" && !Chance(3)) return;  // the parties cannot write while one is open
    const auto end = protocol::Time{clock_.Now().ms + 1 + static_cast<int64_t>(Roll(3000))};
    return client.CreateCard(thread, kind.type, kind.payload,
                             client.user() + "-card-" + std::to_string(++names_),
                             ends ? protocol::FormatTime(end) : "");
  }
  if (Chance(6)) return client.RetryActs();
  // Usually a card that can still move, by an intent that it may accept.
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

}  // namespace parley::sim
