#include "fanout/verify/card_facts.h"

#include <algorithm>
#include <set>

#include "fanout/verify/value_fields.h"

namespace parley::fanout {
namespace {

using Differs = std::function<void(const std::string&)>;
using protocol::Value;

// Returns the list at `field`, or an empty one.
const protocol::Array& ListOf(const Value& map, std::string_view field) {
  static const protocol::Array none;
  const Value* value = map.Find(field);
  return value && value->as_array() ? *value->as_array() : none;
}

// Final states, by type; duplicated on purpose.
bool Ends(const std::string& type, const std::string& state) {
  static const std::set<std::string> everywhere = {
      "EXPIRED",  "SUPERSEDED", "DECLINED", "CANCELLED", "STOPPED", "FAILED",   "PAID",
      "REFUNDED", "RESOLVED",   "SETTLED",  "COMPLETED", "DENIED",  "ACCEPTED", "APPLIED"};
  if (state == "APPROVED") return type != "REFUND_REQUEST";
  return everywhere.contains(state);
}
std::string FirstStateOf(const std::string& type) {
  if (type == "SHARE_LOCATION") return "SHARED";
  if (type == "DISPUTE_OPEN" || type == "SAFETY") return "OPEN";
  if (type == "APPROVE_DELIVERABLE" || type == "REQUEST_REVISIONS") return "APPLIED";
  return type.starts_with("DELIVERABLE_") ? "SUBMITTED" : "PENDING";
}

bool Open(const RawItem& card) {
  const std::string type = card.Text("type"), state = card.Text("state");
  if (state == "EXPIRED" || state == "SUPERSEDED" || card.Text("lastIntent") == "staff.redact") return false;
  if (card.IsNull("allowedTransitions")) return !Ends(type, state);
  for (const Value& own : ListOf(card.wire.root, "allowedTransitions")) {
    const std::string from = TextField(&own, "from");
    if ((from.empty() ? FirstStateOf(type) : from) == state) return true;
  }
  return false;
}

// Returns the booking that a card is about; "" if it is about all of the thread's.
std::string BookingOf(const RawItem& head, const RawItem& card) {
  if (!head.IsNull("legId")) return "";
  const Value* payload = card.wire.root.Find("payload");
  const std::string leg = TextField(payload, "legId");
  return leg.empty() ? TextField(payload, "orderId") : leg;
}

// Returns the earlier of the card's two time limits. Times compare as texts.
std::string DueOf(const RawItem& card) {
  if (!card.IsNull("awaiting")) return "";
  const std::string expires = card.Text("expiresAt"), due = card.Text("dueAt");
  return expires.empty() || (!due.empty() && due < expires) ? due : expires;
}

class Checker {
 public:
  Checker(const ThreadFacts& facts, const Differs& differs) : facts_(facts), differs_(differs) {
    for (const RawItem* message : facts.messages) messages_[message->Text("messageId")] = message;
  }

  void Run() {
    for (const RawItem* card : facts_.cards) {
      const std::string id = card->Text("messageId");
      CheckMessage(*card, id);
      CheckHistory(*card, id);
      CheckEffect(*card, id);
    }
    for (const auto& [id, message] : messages_) {
      const bool action = message->Text("type") == "action";
      if (action && !known_.contains(id)) differs_(id + ": is an action message without a card");
      if (!action && !message->IsNull("action"))
        differs_(id + ": shows a card, but is not an action message");
    }
    for (const auto& [seq, effect] : facts_.effects) {
      if (FlagField(&effect.root, "awaits") && !awaited_.contains(TextField(&effect.root, "effectId")))
        differs_("OUT#" + std::to_string(seq) + ": no card waits for it");
    }
    CheckHead();
  }

 private:
  void CheckMessage(const RawItem& card, const std::string& id) {
    known_.insert(id);
    const auto found = messages_.find(id);
    if (found == messages_.end()) return differs_(id + ": is a card without a message");
    const Value* action = found->second->wire.root.Find("action");
    if (TextField(action, "type") != card.Text("type") || TextField(action, "state") != card.Text("state") ||
        NumberField(action, "version") != card.Number("version"))
      differs_(id + ": the message shows another state than its card");
    // Cards of older releases do not have `open`.
    if (!card.IsNull("open") && card.wire.root.Find("open")->as_bool() &&
        *card.wire.root.Find("open")->as_bool() != Open(card))
      differs_(id + ": `open` does not match its state");
    if (card.OnlyFor() != found->second->OnlyFor())
      differs_(id + ": message and card are visible to different users");
    if (!card.OnlyFor().empty() && card.OnlyFor() != card.Text("createdBy"))
      differs_(id + ": is hidden from its creator");
    if (card.born_seq != found->second->born_seq + 1)
      differs_(id + ": message and card were not written together");
  }

  // Each version has its record, which begins with the state in which the previous one ended.
  void CheckHistory(const RawItem& card, const std::string& id) {
    int64_t version = 0;
    std::string state;
    for (const auto& [seq, audit] : facts_.audits) {
      if (TextField(&audit.root, "messageId") != id) continue;
      const std::string what = TextField(&audit.root, "what");
      if (what != "opened" && what != "transition") {
        if (NumberField(&audit.root, "version") != version)
          differs_(id + ": AUD#" + std::to_string(seq) + " has another version");
        continue;
      }
      ++version;
      if (NumberField(&audit.root, "version") != version || TextField(&audit.root, "fromState") != state)
        differs_(id + ": a transition is missing before AUD#" + std::to_string(seq));
      state = TextField(&audit.root, "toState");
      version = NumberField(&audit.root, "version");
    }
    if (card.Number("version") != version) {
      differs_(id + ": version is " + std::to_string(card.Number("version")) +
               ", but its transitions end at " + std::to_string(version));
    }
    if (card.Text("state") != state) differs_(id + ": its state is not that of its last transition");
    const auto last = std::find_if(facts_.audits.rbegin(), facts_.audits.rend(), [&](const auto& audit) {
      return TextField(&audit.second.root, "messageId") == id;
    });
    if (last == facts_.audits.rend() || last->first != card.seq)
      differs_(id + ": its last change has no AUD# row");
  }

  void CheckEffect(const RawItem& card, const std::string& id) {
    if (card.IsNull("awaiting")) return;
    const std::string effect_id = TextField(card.wire.root.Find("awaiting"), "effectId");
    awaited_.insert(effect_id);
    const auto found = facts_.effects.find(card.HiddenNumber("effectSeq").value_or(0));
    if (found == facts_.effects.end() || TextField(&found->second.root, "effectId") != effect_id)
      differs_(id + ": waits for an effect that has no OUT# row");
  }

  void CheckHead() {
    std::vector<std::string> open;
    std::vector<std::string> rescheduled;
    std::string dispute;
    int64_t changed = 0;
    for (const RawItem* card : facts_.cards) {
      const std::string type = card->Text("type");
      if (type != "SAFETY") changed = std::max(changed, card->seq);
      if (!Open(*card)) continue;
      open.push_back(card->Text("messageId") + " " + card->Text("state") + " " + DueOf(*card) + " " +
                     card->OnlyFor());
      if (type == "RESCHEDULE") rescheduled.push_back(BookingOf(*facts_.head, *card));
      if (type == "DISPUTE_OPEN" && dispute.empty()) dispute = card->Text("messageId");
    }
    std::vector<std::string> listed;
    for (const Value& card : ListOf(facts_.head->hidden.root, "openCards"))
      listed.push_back(TextField(&card, "messageId") + " " + TextField(&card, "state") + " " +
                       TextField(&card, "due") + " " + TextField(&card, "onlyFor"));
    if (listed != open) differs_("the head does not list the open cards");
    for (size_t i = 0; i < rescheduled.size(); ++i) {
      const auto again = std::find(rescheduled.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                   rescheduled.end(), rescheduled[i]);
      if (again != rescheduled.end()) differs_("more than one reschedule is open for one booking");
    }
    // A head of an older release has no cardSeq until a card changes.
    const auto stored = facts_.head->HiddenNumber("cardSeq");
    if (stored && *stored != changed) differs_("cardSeq is not the last change to a card");
    if (facts_.head->Text("disputeMessageId") != dispute)
      differs_("disputeMessageId is not the open dispute");
  }

  const ThreadFacts& facts_;
  const Differs& differs_;
  std::map<std::string, const RawItem*> messages_;
  std::set<std::string> known_, awaited_;
};

}  // namespace

void CheckCards(const ThreadFacts& facts, const Differs& differs) {
  Checker(facts, differs).Run();
}

std::string FirstDue(const ThreadFacts& facts) {
  std::string first;
  for (const RawItem* card : facts.cards) {
    const std::string due = Open(*card) ? DueOf(*card) : "";
    if (!due.empty() && (first.empty() || due < first)) first = due;
  }
  return first;
}

}  // namespace parley::fanout
