// The work that users do together: tabs, broadcasts, cards.
#include "tests/sim/client_support.h"
#include "threads/cards/machine.h"

namespace parley::sim {

using protocol::Value;
using protocol::Writer;

namespace {

// Content for a tab, made from one word.
void PutContent(Writer& args, const std::string& tab, const std::string& name) {
  if (tab == "brief") {
    args.BeginMap(1);
    return Put(args, "title", name);
  }
  args.BeginMap(1);
  const bool shots = tab == "shotlist";
  args.Text(shots ? "shots" : "pins");
  args.BeginArray(2);
  for (const char* id : {"1", "2"}) {
    args.BeginMap(3);
    Put(args, "id", id);
    Put(args, shots ? "name" : "attribution", name);
    Put(args, shots ? "status" : "url", shots ? (name.size() % 2 == 0 ? "done" : "todo") : name);
  }
}

}  // namespace

// Devices race here: if several changes are based on one version, one is acknowledged.
void Client::PutTab(const std::string& thread, const std::string& tab, const std::string& content) {
  const int64_t based_on = held_[thread].tabs[tab];
  Writer args;
  args.BeginMap(4);
  Put(args, "threadId", thread);
  Put(args, "tab", tab);
  args.Text("version");
  args.Int(based_on);
  args.Text("content");
  PutContent(args, tab, content);
  Request("tab.put", args, [this, thread, tab, content, based_on](const Value* ok, const std::string& code) {
    if (!ok) {
      if ((code == "FORBIDDEN" && !evidence_->HasPanel(thread)) || IsSanction(code)) return;
      if (code != "UNAVAILABLE" && code != "THREAD_NOT_MEMBER" && code != "PANEL_VERSION_CONFLICT" &&
          code != "SAFETY_SOFT_BLOCK")
        Complain("tab.put: " + code);
      return;
    }
    const int64_t version = Number(*ok->Find("tab"), "version");
    if (version != based_on + 1) Complain("tab.put made version " + std::to_string(version));
    const auto [won, fresh] =
        evidence_->wins.emplace(thread + " " + tab + " " + std::to_string(version), content);
    if (!fresh && won->second != content)
      Complain("version " + std::to_string(version) + " of a tab was given twice");
  });
}

// --- broadcasts

void Client::SendToLegs(const std::string& lbg, const std::string& client_id, const std::string& body) {
  broadcasts_.push_back({lbg, client_id, body, false, {}, 0});
  if (ready_) Transmit(broadcasts_.back());
}

void Client::Transmit(Broadcast& broadcast) {
  if (!StillAnswered(&broadcast.asked_ms)) return;
  Writer args;
  args.BeginMap(3);
  Put(args, "lbgId", broadcast.lbg);
  Put(args, "clientId", broadcast.client_id);
  Put(args, "body", broadcast.body);
  Request("thread.broadcast", args, [this, &broadcast](const Value* ok, const std::string& code) {
    if (!ok) {
      // Not every LBG has threads of this user; a reserved broadcast returns the same result for ever.
      if (broadcast.answered && code != "UNAVAILABLE" && !IsSanction(code))
        Complain("a repeated thread.broadcast: " + code);
      return;
    }
    size_t reached = 0;
    for (const Value& sent : *ok->Find("sent")->as_array()) {
      ++reached;
      const std::string message = Text(sent, "messageId");
      if (message.empty()) continue;  // rejected there; a repeat tries again
      const auto [at, fresh] = broadcast.sent.emplace(Text(sent, "threadId"), message);
      if (!fresh && at->second != message) Complain("a repeated broadcast sent another message: " + message);
    }
    if (reached < broadcast.sent.size()) Complain("a repeated broadcast goes to fewer threads");
    broadcast.answered = true;
  });
}

// --- cards

void Client::CreateCard(const std::string& thread, const std::string& type, const std::string& payload,
                        const std::string& client_id, const std::string& expires_at) {
  openings_.push_back({thread, client_id, type, payload, expires_at, false, "", 0});
  if (ready_) Transmit(openings_.back());
}

void Client::Transmit(Opening& opening) {
  if (!StillAnswered(&opening.asked_ms)) return;
  Writer args;
  protocol::Document fields;
  if (protocol::DecodeJson(opening.payload, {}, &fields)) return Complain("a payload of ours cannot be read");
  args.BeginMap(opening.expires_at.empty() ? 4 : 5);
  Put(args, "threadId", opening.thread);
  Put(args, "clientId", opening.client_id);
  Put(args, "type", opening.type);
  args.Text("payload");
  args.Put(fields.root);
  if (!opening.expires_at.empty()) Put(args, "expiresAt", opening.expires_at);
  Request("card.create", args, [this, &opening](const Value* ok, const std::string& code) {
    // Many are rejected, which breaks no promise; a repeat of an accepted one returns the same result.
    if (!ok && opening.acknowledged && code == "IDEMPOTENCY_CONFLICT")
      Complain("a repeated card.create was taken for another: " + opening.client_id);
    if (!ok) return;
    if (!evidence_->HasPanel(opening.thread)) Complain("a card in a thread without cards: " + opening.thread);
    const std::string message = Text(*ok, "messageId");
    if (opening.acknowledged && opening.message_id != message)
      Complain("a repeated card.create opened another card: " + opening.client_id);
    if (Text(*ok->Find("card"), "messageId") != message) Complain("a card without its message: " + message);
    opening.acknowledged = true;
    opening.message_id = message;
  });
}

void Client::ActOn(const std::string& thread, const std::string& message, const std::string& intent,
                   const std::string& client_id) {
  const auto held = held_.find(thread);
  if (held == held_.end() || !held->second.cards.contains(message)) return;
  acts_.push_back({thread, message, intent, client_id, held->second.cards[message].version, false, "", 0});
  if (ready_) Transmit(acts_.back());
}

void Client::Transmit(Act& act) {
  Writer args;
  args.BeginMap(5);
  Put(args, "threadId", act.thread);
  Put(args, "messageId", act.message);
  Put(args, "intent", act.intent);
  Put(args, "clientId", act.client_id);
  args.Text("version");
  args.Int(act.version);
  Request("card.act", args, [this, &act](const Value* ok, const std::string&) {
    if (!ok) return;  // most intents are rejected, which breaks no promise
    const Value& card = *ok->Find("card");
    const std::string state = Text(card, "state");
    // A card that was redacted in between is returned as it is now.
    const bool redacted = Text(card, "lastIntent") == threads::kRedactIntent;
    if (act.acknowledged && !redacted && (act.state != state || act.to_version != Number(card, "version")))
      Complain("a repeated intent was answered otherwise: " + act.client_id);
    act.acknowledged = true;
    act.state = state;
    act.to_version = Number(card, "version");
  });
}

void Client::RetryActs() {
  if (!ready_) return;
  const size_t first = acts_.size() > 5 ? acts_.size() - 5 : 0;
  for (size_t i = first; i < acts_.size(); ++i) Transmit(acts_[i]);
  const size_t newest = openings_.size() > 5 ? openings_.size() - 5 : 0;
  for (size_t i = newest; i < openings_.size(); ++i) Transmit(openings_[i]);
  const size_t last = broadcasts_.size() > 2 ? broadcasts_.size() - 2 : 0;
  for (size_t i = last; i < broadcasts_.size(); ++i) Transmit(broadcasts_[i]);
}

}  // namespace parley::sim
