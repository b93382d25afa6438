// Cards of every kind under random intents, against a model written down a second time: from the
// specification's table, as text, without a line of the table that the server uses.
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "tests/threads/cards/card_rows.h"

namespace parley::threads {
namespace {

// type, who opens it, then "from intent to who" each; who: other (side), buyer, seller, party, creator,
// support, service, anyone. Marks: d not while a dispute is open, r not while a reschedule is, o asks the
// outside first where its port is served. After a '+' come cards with transitions of their own.
constexpr const char* kModel[] = {
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
constexpr const char* kOwnExtra =
    R"([{"intent":"take","toState":"PAID"},{"intent":"drop","toState":"DROPPED"}])";
constexpr const char* kOwnCustom =
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
std::string WireType(const std::string& name) {
  return name.substr(0, name.find('+'));
}

std::map<std::string, Type> ReadModel() {
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
  bool has_end = false;  // lapses the next time the clock runs, if nobody answers before
  bool over = false;     // it has, but is not written as EXPIRED yet
  std::string awaited;   // the intent whose outside effect is outstanding
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

  // "ok", or the error code. Cards that are over are written as EXPIRED with the next other change, or not at
  // all.
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
  // A card whose effect failed after its end is over at once.
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
      return "NOT_FOUND";  // it does not exist for them
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
  // What a card that is an intent does to the deliverable that it names.
  std::string IntentOn(const std::string& type, size_t target) const {
    const std::string of = target < cards.size() ? cards[target].type : "";
    if (of != "DELIVERABLE_PROOF" && of != "DELIVERABLE_FINAL") return "";
    if (type == "REQUEST_REVISIONS") return "request_revisions";
    return of == "DELIVERABLE_PROOF" ? "approve" : "acknowledge";
  }
  // The two parties, while a safety report is open.
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
    const std::string kind = type;  // `type` may be in a card that is about to move
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
    if (who == "ann(support)") return true;  // staff give a reason, always, in this test
    if (whose == "other") return party && who != card.creator;
    if (whose == "party") return party;
    if (whose == "creator") return who == card.creator;
    if (whose == "anyone") return who != "service" && who != card.creator;
    return who == whose;
  }

  const std::map<std::string, Type>* types_;
  bool ports_;
};

// One random run, by a seed.
class Game {
 public:
  explicit Game(uint64_t seed)
      : types_(ReadModel()), random_(seed), ports_(seed % 2 == 0), model_(types_, ports_) {
    for (const auto& [name, type] : types_) {
      names_.push_back(name);
      for (const Line& line : type.lines) intents_.insert(line.intent);
    }
    if (ports_) scene_.tenant_policy.card_ports = PortsNamed({"booking", "payment", "cases"});
    scene_.Given("buyer thread.create kind=project; buyer participant.add userId=carol");
  }

  void Play(size_t steps) {
    for (size_t i = 0; i < steps && !testing::Test::HasFatalFailure(); ++i) {
      Step();
      if (!testing::Test::HasFatalFailure()) CompareRows();
      if (open_ > 30) break;  // far from the bound on open cards, which has a separate test
    }
  }
  const std::set<std::string>& taken() const { return model_.taken; }
  size_t moved() const { return moved_; }

 private:
  void Step() {
    const size_t dice = Below(24);
    if (model_.cards.empty() || dice < 4) return Create();
    if (dice == 4) return TurnClock();
    if (dice < 9 && Resolve()) return;
    Act();
  }

  void Create() {
    std::string type = names_[Below(names_.size())];
    if (type == "SAFETY" && Below(3)) type = "DELIVERABLE_PROOF";  // it stops everything else
    const std::string who = std::vector<std::string>{"buyer", "seller", "buyer", "seller", "carol"}[Below(5)];
    const bool lapses = type == "RESCHEDULE" || type == "OVERTIME_START" || type == "CANCEL_REQUEST";
    const bool has_end = lapses && Below(3) == 0;
    const size_t target = PickTarget();
    std::string line = who + " card.create type=" + WireType(type);
    if (const std::string& own = types_.at(type).own; !own.empty()) line += " allowedTransitions=" + own;
    if (type == "APPROVE_DELIVERABLE" || type == "REQUEST_REVISIONS")
      line += R"( payload={"deliverableId":")" +
              (target < model_.cards.size() ? message_of_[target] : Nobody()) + R"("})";
    if (has_end) line += " expiresAt=" + protocol::FormatTime({scene_.clock.Now().ms + 600'000});
    Expect(line, model_.Create(who, type, has_end, target));
  }

  // Usually a deliverable, if there are any.
  size_t PickTarget() {
    std::vector<size_t> some;
    for (size_t i = 0; i < model_.cards.size(); ++i) {
      if (model_.cards[i].type.starts_with("DELIVERABLE_") || Below(10) == 0) some.push_back(i);
    }
    return some.empty() ? SIZE_MAX : some[some.size() - 1 - Below(std::min<size_t>(some.size(), 3))];
  }
  static std::string Nobody() { return "msg_01h00000000000000000000000"; }

  // Usually a recent card, an intent that it knows and its version.
  void Act() {
    const size_t at = model_.cards.size() - 1 - Below(std::min<size_t>(model_.cards.size(), 8));
    const ModelCard& card = model_.cards[at];
    const auto& lines = model_.LinesOf(card);
    std::string intent = Below(4) && !lines.empty() ? lines[Below(lines.size())].intent : Word();
    if (!card.awaited.empty() && Below(2)) intent = "withdraw";
    const int version = Below(8) ? card.version : card.version + static_cast<int>(Below(3)) - 1;
    const std::string who =
        std::vector<std::string>{"buyer",        "seller",       "buyer",   "seller", "carol",
                                 "ann(support)", "ann(support)", "service", "service"}[Below(9)];
    std::string line = who + " card.act messageId=" + message_of_[at] + " intent=" + intent +
                       " version=" + std::to_string(version);
    if (who == "ann(support)") line += " reason=r";
    if (intent == "resubmit" && card.state == "REVISION_REQUESTED")
      line += " data={\"manifestRef\":\"m" + std::to_string(++manifests_) + "\"}";
    if (intent == "counter") line += " data=" + std::string(SomePayload("RESCHEDULE"));
    Expect(line, model_.Act(who, at, intent, version));
    if (intent == "withdraw") model_.NoteEnd(at, IsPastEnd(at));
  }
  std::string Word() {
    if (Below(intents_.size() + 1) == 0) return "nonsense";
    return *std::next(intents_.begin(), static_cast<std::ptrdiff_t>(Below(intents_.size())));
  }

  // Ends are ten minutes ahead, and the clock advances by an hour: either swept at once, or found later.
  void TurnClock() {
    scene_.Do("+1h");
    model_.TurnClock();
    if (Below(2)) return;
    scene_.Lapse();
    model_.Sweep();
  }

  // The back end's answer to an outstanding effect; false when there is none.
  bool Resolve() {
    for (size_t at = 0; at < model_.cards.size(); ++at) {
      if (model_.cards[at].awaited.empty()) continue;
      const std::string outcome = std::vector<std::string>{"ok", "ok", "failed", "conflict"}[Below(4)];
      const std::string effect = scene_.names.Shorten(RowOf(at).item.awaiting->effect_id.value);
      model_.Resolve(at, outcome);
      Expect(
          "service card.resolve messageId=" + message_of_[at] + " effectId=" + effect + " outcome=" + outcome,
          "ok");
      if (!testing::Test::HasFatalFailure()) model_.NoteEnd(at, IsPastEnd(at));
      return true;
    }
    return false;
  }
  bool IsPastEnd(size_t at) {
    const auto end = RowOf(at).item.expires_at;
    return end && *end <= scene_.clock.Now() && !RowOf(at).item.awaiting;
  }

  void Expect(const std::string& line, const std::string& expected) {
    const int64_t before = scene_.Head().item.last_seq;
    const std::string said = scene_.Do(line);
    ASSERT_EQ(scene_.accepted ? "ok" : said.substr(0, said.find(' ')), expected) << line << " → " << said;
    if (expected != "ok") {
      ASSERT_EQ(scene_.Head().item.last_seq, before) << line;
      return;
    }
    ++moved_;
    // A card that was opened is returned with its message; a counter-proposal is the one that the answered
    // card names.
    for (size_t at = message_of_.size(); at < model_.cards.size(); ++at) {
      const std::string own = scene_.Reply("messageId");
      message_of_.push_back(own.empty() ? scene_.Reply("card.supersededBy") : own);
    }
  }

  // The rows agree with the model.
  void CompareRows() {
    open_ = 0;
    for (size_t at = 0; at < model_.cards.size(); ++at) {
      const CardRow row = RowOf(at);
      const ModelCard& card = model_.cards[at];
      ASSERT_EQ(row.item.state.value, card.state) << message_of_[at];
      ASSERT_EQ(row.item.version, card.version) << message_of_[at];
      ASSERT_EQ(row.item.awaiting.has_value(), !card.awaited.empty()) << message_of_[at];
      open_ += model_.IsOpen(card);
    }
    ASSERT_EQ(OpenCardsOf(scene_.Head()).size(), open_);
  }

  CardRow RowOf(size_t at) {
    return *scene_.Rows(TenantId{"demo"})
                .Card(scene_.ThreadNamed("T"), scene_.MessageNamed(message_of_[at]))
                .value();
  }
  size_t Below(size_t n) { return static_cast<size_t>(random_() % n); }

  const std::map<std::string, Type> types_;
  std::mt19937_64 random_;
  const bool ports_;
  Model model_;
  Scene scene_;
  std::vector<std::string> names_;
  std::set<std::string> intents_;
  std::vector<std::string> message_of_;  // card → its message's name
  size_t moved_ = 0, open_ = 0, manifests_ = 0;
};

constexpr size_t kSteps = 600;

class CardModel : public testing::TestWithParam<uint64_t> {};

TEST_P(CardModel, behaviour_059_each_transition_of_the_table_succeeds_and_no_other_changes_anything) {
  SCOPED_TRACE("seed " + std::to_string(GetParam()));
  Game game(GetParam());
  game.Play(kSteps);
  EXPECT_GT(game.moved(), 20u) << "a run in which nothing happens proves nothing";
}

INSTANTIATE_TEST_SUITE_P(Seeds, CardModel, testing::Range(uint64_t{1}, uint64_t{25}));

TEST(CardModelItself, takes_every_row_of_the_table_in_one_of_its_runs) {
  std::set<std::string> missing;
  for (const auto& [name, type] : ReadModel()) {
    missing.insert(name + " opened");
    for (const Line& line : type.lines) missing.insert(name + " " + line.from + " " + line.intent);
  }
  for (uint64_t seed = 1; seed < 25; ++seed) {
    Game game(seed);
    game.Play(kSteps);
    for (const std::string& row : game.taken()) missing.erase(row);
  }
  EXPECT_EQ(missing, std::set<std::string>());
}

TEST(CardModelItself, knows_every_kind_and_transition_that_the_table_knows) {
  std::set<std::string> table, model;
  for (const CardKind& kind : CardKinds()) {
    table.insert(std::string(kind.type));
    for (const CardTransition& rule : kind.transitions)
      table.insert(std::string(kind.type) + " " + std::string(rule.from) + " " + std::string(rule.intent));
  }
  for (const auto& [name, type] : ReadModel()) {
    if (!type.own.empty()) continue;
    model.insert(name);
    for (const Line& line : type.lines) model.insert(name + " " + line.from + " " + line.intent);
  }
  EXPECT_EQ(model, table);
}

TEST(CardRules, a_thread_holds_no_more_open_cards_than_its_head_can_list) {
  Scene scene;
  scene.Given("buyer thread.create kind=project");
  for (size_t i = 0; i < kMaxOpenCards; ++i) scene.Given("buyer card.create type=CANCEL_REQUEST");
  EXPECT_EQ(scene.Do("buyer card.create type=CANCEL_REQUEST"), "ACTION_INVALID_STATE");
  scene.Given("seller card.act intent=decline");
  scene.Given("buyer card.create type=CANCEL_REQUEST");
}

}  // namespace
}  // namespace parley::threads
