// A model of cards of every kind, written independently of the server's table: from the specification, as
// text.
#pragma once

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/threads/cards/card_rows.h"

namespace parley::threads {

// Each row: type, who opens it, then "from intent to who". The roles are other (side), buyer, seller, party,
// creator, support, service, anyone. Marks: d not while a dispute is open, r not while a reschedule is open,
// o asks the back end first if its port is served. After a '+' follow cards with their own transitions.
inline constexpr const char* kModel[] = {
    "RESCHEDULE party PENDING: PENDING accept ACCEPTED other o, PENDING decline DECLINED other, "
    "PENDING counter SUPERSEDED other, PENDING expire EXPIRED service",
    "REQUEST_EXTRA seller PENDING: PENDING approve PAID buyer do, PENDING decline DECLINED buyer, "
    "PENDING fail FAILED service, PAID refund REFUNDED seller o",
    "EXPENSE seller PENDING: PENDING approve PAID buyer do, PENDING decline DECLINED buyer, "
    "PENDING fail FAILED service, PAID refund REFUNDED seller o",
    "OVERTIME_START party PENDING: PENDING confirm RUNNING other, PENDING cancel CANCELLED party, "
    "RUNNING stop STOPPED party",
    "OVERTIME_STOP party PENDING: PENDING confirm STOPPED other o, PENDING fail FAILED service",
    "DELIVERABLE_PROOF seller SUBMITTED: SUBMITTED approve APPROVED buyer, "
    "SUBMITTED request_revisions REVISION_REQUESTED buyer, REVISION_REQUESTED resubmit SUBMITTED seller, "
    "REVISION_REQUESTED cancel CANCELLED seller",
    "DELIVERABLE_FINAL seller SUBMITTED: SUBMITTED acknowledge ACCEPTED buyer, "
    "SUBMITTED request_revisions REVISION_REQUESTED buyer, REVISION_REQUESTED resubmit SUBMITTED seller, "
    "REVISION_REQUESTED cancel CANCELLED seller",
    "CANCEL_REQUEST party PENDING: PENDING approve APPROVED other o, PENDING decline DECLINED other, "
    "PENDING escalate ESCALATED party, ESCALATED resolve RESOLVED support",
    "REFUND_REQUEST party PENDING: PENDING approve APPROVED other, PENDING decline DECLINED other, "
    "PENDING escalate ESCALATED party, APPROVED settle SETTLED service, ESCALATED resolve RESOLVED support",
    "ACCEPTANCE_ACK party PENDING: PENDING acknowledge COMPLETED other dr",
    "DEPOSIT_CLAIM_OPEN seller PENDING: PENDING approve APPROVED support o, PENDING deny DENIED support, "
    "PENDING escalate ESCALATED party, ESCALATED resolve RESOLVED support",
    "DISPUTE_OPEN party OPEN: OPEN settle SETTLED creator, OPEN escalate ESCALATED party, "
    "ESCALATED resolve RESOLVED support",
    "SAFETY party OPEN: OPEN resolve RESOLVED support, OPEN escalate ESCALATED support, "
    "ESCALATED resolve RESOLVED support",
    "SHARE_LOCATION party SHARED: SHARED stop STOPPED creator",
    "APPROVE_DELIVERABLE buyer APPLIED:",
    "REQUEST_REVISIONS buyer APPLIED:",
    "REQUEST_EXTRA+ seller PENDING: PENDING take PAID buyer do, PENDING drop DROPPED other",
    "CUSTOM+ anyone PENDING: PENDING yes DONE other, PENDING wait WAITING anyone, WAITING yes DONE other",
};
inline constexpr const char* kOwnExtra =
    R"([{"intent":"take","toState":"PAID"},{"intent":"drop","toState":"DROPPED"}])";
inline constexpr const char* kOwnCustom =
    R"([{"intent":"yes","toState":"DONE"},{"intent":"wait","toState":"WAITING","by":"anyone"},)"
    R"({"from":"WAITING","intent":"yes","toState":"DONE"}])";

struct Line {
  std::string from, intent, to, who, marks;
  bool Has(char mark) const { return marks.find(mark) != std::string::npos; }
};
struct Type {
  std::string opener, first;
  std::vector<Line> lines;
  std::string own;  // allowedTransitions
};

// The wire type for a name in the model.
inline std::string WireType(const std::string& name) {
  return name.substr(0, name.find('+'));
}

inline std::map<std::string, Type> ReadModel() {
  std::map<std::string, Type> model;
  for (const std::string text : kModel) {
    std::istringstream head(text.substr(0, text.find(':')));
    std::string name;
    Type type;
    head >> name >> type.opener >> type.first;
    for (const std::string& part : SplitText(text.substr(text.find(':') + 1), ',')) {
      Line line;
      std::istringstream(part) >> line.from >> line.intent >> line.to >> line.who >> line.marks;
      type.lines.push_back(line);
    }
    if (name == "REQUEST_EXTRA+") type.own = kOwnExtra;
    if (name == "CUSTOM+") type.own = kOwnCustom;
    model.emplace(name, type);
  }
  return model;
}

struct ModelCard {
  std::string type, state, creator;
  int version = 1;
  bool has_end = false;  // expires at the next run of the clock unless answered before
  bool over = false;     // it has expired, but is not yet written as EXPIRED
  std::string awaited;   // the intent whose effect is outstanding
};

class Model {
 public:
  Model(const std::map<std::string, Type>& types, bool ports) : types_(&types), ports_(ports) {}

  bool IsOpen(const ModelCard& card) const {
    if (card.state == "EXPIRED" || card.state == "SUPERSEDED") return false;
    if (card.state == "PAID") return false;  // final, although it may still be refunded
    for (const Line& line : LinesOf(card)) {
      if (line.from == card.state) return true;
    }
    return false;
  }
  const std::vector<Line>& LinesOf(const ModelCard& card) const { return types_->at(card.type).lines; }

  // Returns "ok" or the error code. Expired cards are written as EXPIRED with the next other change, or not
  // at all.
  std::string Create(const std::string& who, const std::string& type, bool has_end, size_t target) {
    Model next = *this;
    next.Sweep();
    const std::string said = next.CreateNow(who, type, has_end, target);
    if (said == "ok") *this = next;
    return said;
  }
  std::string Act(const std::string& who, size_t at, const std::string& intent, int version) {
    Model next = *this;
    if (cards[at].over) return "CARD_EXPIRED";
    next.Sweep();
    const std::string said = next.ActNow(who, at, intent, version);
    if (said == "ok") *this = next;
    return said;
  }
  void Resolve(size_t at, const std::string& outcome) {
    ModelCard& card = cards[at];
    const std::string intent = outcome == "ok" ? card.awaited : outcome == "failed" ? "fail" : "";
    card.awaited.clear();
    if (const Line* line = FindLine(card, intent)) Move(&card, *line);
  }
  void TurnClock() {
    for (ModelCard& card : cards) card.over |= card.has_end && card.awaited.empty() && IsOpen(card);
  }
  // A card whose effect failed after its end expires at once.
  void NoteEnd(size_t at, bool past) { cards[at].over |= past && cards[at].has_end && IsOpen(cards[at]); }
  void Sweep() {
    for (ModelCard& card : cards) {
      if (!card.over) continue;
      card.over = card.has_end = false;
      card.state = "EXPIRED";
      ++card.version;
    }
  }

  std::vector<ModelCard> cards;
  std::set<std::string> taken;  // "RESCHEDULE PENDING accept"

 private:
  std::string CreateNow(const std::string& who, const std::string& type, bool has_end, size_t target) {
    const std::string wire = WireType(type), opener = types_->at(type).opener;
    const bool party = who == "buyer" || who == "seller";
    if (opener != "anyone" && (!party || (opener != "party" && who != opener))) return "FORBIDDEN";
    if (IsBlocked(who, wire)) return "SAFETY_SOFT_BLOCK";
    ModelCard* other = type == "RESCHEDULE" ? FindOpen(wire) : nullptr;
    if (other && (other->creator == who || !other->awaited.empty())) return "ACTION_CONFLICT";
    const bool freezes = wire == "REQUEST_EXTRA" || wire == "EXPENSE" || wire == "ACCEPTANCE_ACK";
    if (freezes && FindOpen("DISPUTE_OPEN")) return "ACTION_INVALID_STATE";
    if (!other && IsProposal(wire) && Pending() >= 3) return "ACTION_INVALID_STATE";
    if (const std::string intent = IntentOn(type, target);
        type == "APPROVE_DELIVERABLE" || type == "REQUEST_REVISIONS") {
      if (intent.empty()) return "NOT_FOUND";
      if (cards[target].state == "EXPIRED") return "CARD_EXPIRED";
      const Line* line = FindLine(cards[target], intent);
      if (!line) return "ACTION_INVALID_STATE";
      Move(&cards[target], *line);
    }
    if (other) Supersede(other);
    Add(who, type, has_end);
    return "ok";
  }

  std::string ActNow(const std::string& who, size_t at, const std::string& intent, int version) {
    ModelCard& card = cards[at];
    if (WireType(card.type) == "SAFETY" && who != card.creator && who != "ann(support)" && who != "service")
      return "NOT_FOUND";  // hidden from them
    if (card.state == "EXPIRED") return "CARD_EXPIRED";
    if (version != card.version) return "VERSION_CONFLICT";
    if (!card.awaited.empty()) return Withdraw(who, intent, &card);
    const Line* line = FindLine(card, intent);
    if (!line) return "ACTION_INVALID_STATE";
    if (!May(who, card, line->who)) return "FORBIDDEN";
    if (intent == "counter" && who != "buyer" && who != "seller") return "FORBIDDEN";
    if (IsBlocked(who, WireType(card.type))) return "SAFETY_SOFT_BLOCK";
    if (line->Has('d') && FindOpen("DISPUTE_OPEN")) return "ACTION_INVALID_STATE";
    if (line->Has('r') && FindOpen("RESCHEDULE")) return "ACTION_INVALID_STATE";
    if (ports_ && line->Has('o')) {
      card.awaited = intent;
      return "ok";
    }
    const bool end = card.has_end;
    Move(&card, *line);
    if (intent == "counter") Add(who, card.type, end);
    return "ok";
  }

  static std::string Withdraw(const std::string& who, const std::string& intent, ModelCard* card) {
    if (intent != "withdraw") return "ACTION_INVALID_STATE";
    if (who != "service" && who != "ann(support)") return "FORBIDDEN";
    card->awaited.clear();
    return "ok";
  }

  const Line* FindLine(const ModelCard& card, const std::string& intent) const {
    for (const Line& line : LinesOf(card)) {
      if (line.from == card.state && line.intent == intent) return &line;
    }
    return nullptr;
  }
  void Move(ModelCard* card, const Line& line) {
    taken.insert(card->type + " " + line.from + " " + line.intent);
    card->state = line.to;
    card->has_end = card->has_end && line.intent == "escalate";  // which is not an answer
    ++card->version;
  }
  // The intent that a card of this type applies to the deliverable that it names.
  std::string IntentOn(const std::string& type, size_t target) const {
    const std::string of = target < cards.size() ? cards[target].type : "";
    if (of != "DELIVERABLE_PROOF" && of != "DELIVERABLE_FINAL") return "";
    if (type == "REQUEST_REVISIONS") return "request_revisions";
    return of == "DELIVERABLE_PROOF" ? "approve" : "acknowledge";
  }
  // Whether an open safety report stops this user: it stops both parties.
  bool IsBlocked(const std::string& who, const std::string& type) {
    const bool party = who == "buyer" || who == "seller";
    return party && type != "SAFETY" && type != "DISPUTE_OPEN" && FindOpen("SAFETY");
  }
  ModelCard* FindOpen(const std::string& type) {
    for (ModelCard& card : cards) {
      if (WireType(card.type) == type && IsOpen(card)) return &card;
    }
    return nullptr;
  }
  void Add(const std::string& who, const std::string& type, bool has_end) {
    const std::string kind = type;  // a copy: `type` may refer into a card that is moved below
    taken.insert(kind + " opened");
    cards.push_back({kind, types_->at(kind).first, who, 1, has_end, false, ""});
  }
  static void Supersede(ModelCard* card) {
    card->state = "SUPERSEDED";
    card->has_end = false;
    ++card->version;
  }
  static bool IsProposal(const std::string& type) {
    return type == "RESCHEDULE" || type == "REQUEST_EXTRA" || type == "EXPENSE" || type == "OVERTIME_START";
  }
  int Pending() const {
    int pending = 0;
    for (const ModelCard& card : cards) pending += IsProposal(WireType(card.type)) && card.state == "PENDING";
    return pending;
  }
  static bool May(const std::string& who, const ModelCard& card, const std::string& whose) {
    const bool party = who == "buyer" || who == "seller";
    if (whose == "service") return who == "service";
    if (who == "ann(support)") return true;  // in this test staff always give a reason
    if (whose == "other") return party && who != card.creator;
    if (whose == "party") return party;
    if (whose == "creator") return who == card.creator;
    if (whose == "anyone") return who != "service" && who != card.creator;
    return who == whose;
  }

  const std::map<std::string, Type>* types_;
  bool ports_;
};

}  // namespace parley::threads
