// Cards of every kind under random intents, against a model written down a second time: from the
// specification's table, as text, without a line of the table the server uses.
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "tests/threads/cards/card_rows.h"

namespace parley::threads {
namespace {

// type, who opens it, then "from intent to who" each; who: other (side), buyer, seller, party, creator,
// support, service. A mark says what must not be open: d a dispute, r a reschedule.
constexpr const char* kModel[] = {
    "RESCHEDULE party PENDING: PENDING accept ACCEPTED other, PENDING decline DECLINED other, "
    "PENDING counter SUPERSEDED other, PENDING expire EXPIRED service",
    "REQUEST_EXTRA seller PENDING: PENDING approve PAID buyer d, PENDING decline DECLINED buyer, "
    "PENDING fail FAILED service, PAID refund REFUNDED seller",
    "EXPENSE seller PENDING: PENDING approve PAID buyer d, PENDING decline DECLINED buyer, "
    "PENDING fail FAILED service, PAID refund REFUNDED seller",
    "OVERTIME_START party PENDING: PENDING confirm RUNNING other, PENDING cancel CANCELLED party, "
    "RUNNING stop STOPPED party",
    "OVERTIME_STOP party PENDING: PENDING confirm STOPPED other, PENDING fail FAILED service",
    "DELIVERABLE_PROOF seller SUBMITTED: SUBMITTED approve APPROVED buyer, "
    "SUBMITTED request_revisions REVISION_REQUESTED buyer, REVISION_REQUESTED resubmit SUBMITTED seller, "
    "REVISION_REQUESTED cancel CANCELLED seller",
    "DELIVERABLE_FINAL seller SUBMITTED: SUBMITTED acknowledge ACCEPTED buyer, "
    "SUBMITTED request_revisions REVISION_REQUESTED buyer, REVISION_REQUESTED resubmit SUBMITTED seller, "
    "REVISION_REQUESTED cancel CANCELLED seller",
    "CANCEL_REQUEST party PENDING: PENDING approve APPROVED other, PENDING decline DECLINED other, "
    "PENDING escalate ESCALATED party, ESCALATED resolve RESOLVED support",
    "REFUND_REQUEST party PENDING: PENDING approve APPROVED other, PENDING decline DECLINED other, "
    "PENDING escalate ESCALATED party, APPROVED settle SETTLED service, ESCALATED resolve RESOLVED support",
    "ACCEPTANCE_ACK party PENDING: PENDING acknowledge COMPLETED other dr",
    "DEPOSIT_CLAIM_OPEN seller PENDING: PENDING approve APPROVED support, PENDING deny DENIED support, "
    "PENDING escalate ESCALATED party, ESCALATED resolve RESOLVED support",
    "DISPUTE_OPEN party OPEN: OPEN settle SETTLED creator, OPEN escalate ESCALATED party, "
    "ESCALATED resolve RESOLVED support",
    "SAFETY party OPEN: OPEN resolve RESOLVED support, OPEN escalate ESCALATED support, "
    "ESCALATED resolve RESOLVED support",
    "SHARE_LOCATION party SHARED: SHARED stop STOPPED creator",
};

struct Line {
  std::string from, intent, to, who, marks;
};
struct Type {
  std::string opener, first;
  std::vector<Line> lines;
};

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
    model.emplace(name, type);
  }
  return model;
}

struct ModelCard {
  std::string type, state, creator;
  int version = 1;
};

class Model {
 public:
  explicit Model(const std::map<std::string, Type>& types) : types_(types) {}

  bool IsOpen(const ModelCard& card) const {
    if (card.state == "EXPIRED" || card.state == "SUPERSEDED") return false;
    if (card.state == "PAID") return false;  // final, although it may still be refunded
    for (const Line& line : types_.at(card.type).lines) {
      if (line.from == card.state) return true;
    }
    return false;
  }
  bool Open(const std::string& type) const { return FindOpen(type) != nullptr; }

  // "ok", or the code of the error.
  std::string Create(const std::string& who, const std::string& type) {
    const std::string& opener = types_.at(type).opener;
    if (who == "carol" || (opener == "seller" && who != "seller")) return "FORBIDDEN";
    ModelCard* other = type == "RESCHEDULE" ? FindOpen(type) : nullptr;
    if (other && other->creator == who) return "ACTION_CONFLICT";
    const bool freezes = type == "REQUEST_EXTRA" || type == "EXPENSE" || type == "ACCEPTANCE_ACK";
    if (freezes && Open("DISPUTE_OPEN")) return "ACTION_INVALID_STATE";
    if (!other && IsProposal(type) && Pending() >= 3) return "ACTION_INVALID_STATE";
    if (other) Supersede(other);
    Add(who, type);
    return "ok";
  }

  std::string Act(const std::string& who, ModelCard& card, const std::string& intent, int version) {
    if (card.state == "EXPIRED") return "CARD_EXPIRED";
    if (version != card.version) return "VERSION_CONFLICT";
    for (const Line& line : types_.at(card.type).lines) {
      if (line.from != card.state || line.intent != intent) continue;
      if (!May(who, card, line.who)) return "FORBIDDEN";
      if (line.marks.find('d') != std::string::npos && Open("DISPUTE_OPEN")) return "ACTION_INVALID_STATE";
      if (line.marks.find('r') != std::string::npos && Open("RESCHEDULE")) return "ACTION_INVALID_STATE";
      if (intent == "counter" && who != "buyer" && who != "seller") return "FORBIDDEN";
      card.state = line.to;
      ++card.version;
      if (intent == "counter") Add(who, card.type);
      return "ok";
    }
    return "ACTION_INVALID_STATE";
  }

  std::vector<ModelCard> cards;

 private:
  ModelCard* FindOpen(const std::string& type) {
    for (ModelCard& card : cards) {
      if (card.type == type && IsOpen(card)) return &card;
    }
    return nullptr;
  }
  const ModelCard* FindOpen(const std::string& type) const {
    return const_cast<Model*>(this)->FindOpen(type);
  }
  void Add(const std::string& who, const std::string& type) {
    const std::string kind = type;  // `type` may lie in a card that is about to move
    cards.push_back({kind, types_.at(kind).first, who, 1});
  }
  static void Supersede(ModelCard* card) {
    card->state = "SUPERSEDED";
    ++card->version;
  }
  static bool IsProposal(const std::string& type) {
    return type == "RESCHEDULE" || type == "REQUEST_EXTRA" || type == "EXPENSE" || type == "OVERTIME_START";
  }
  int Pending() const {
    int pending = 0;
    for (const ModelCard& card : cards) pending += IsProposal(card.type) && card.state == "PENDING";
    return pending;
  }
  static bool May(const std::string& who, const ModelCard& card, const std::string& whose) {
    const bool party = who == "buyer" || who == "seller";
    if (whose == "service") return who == "service";
    if (who == "ann(support)") return true;  // staff give a reason, always, in this test
    if (whose == "other") return party && who != card.creator;
    if (whose == "party") return party;
    if (whose == "creator") return who == card.creator;
    return who == whose;
  }

  const std::map<std::string, Type>& types_;
};

class CardModel : public testing::TestWithParam<uint64_t> {};

TEST_P(CardModel, behaviour_059_each_transition_of_the_table_succeeds_and_no_other_changes_anything) {
  SCOPED_TRACE("seed " + std::to_string(GetParam()));
  const auto types = ReadModel();
  std::vector<std::string> names;
  std::set<std::string> intents = {"nonsense"};
  for (const auto& [name, type] : types) {
    names.push_back(name);
    for (const Line& line : type.lines) intents.insert(line.intent);
  }
  const std::vector<std::string> words(intents.begin(), intents.end());
  std::mt19937_64 random(GetParam());
  const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  const std::vector<std::string> users = {"buyer", "seller", "carol"};
  const std::vector<std::string> actors = {"buyer", "seller",       "buyer",  "seller",
                                           "carol", "ann(support)", "service"};

  Scene scene;
  scene.Given("buyer thread.create kind=project; buyer participant.add userId=carol");
  Model model(types);
  std::map<size_t, std::string> message_of;  // card → its message's name
  size_t moved = 0;
  for (int step = 0; step < 600; ++step) {
    const size_t cards_before = model.cards.size();
    const auto before = scene.Head();
    std::string line, expected;
    size_t acted = 0;
    if (cards_before == 0 || below(8) == 0) {
      const std::string type = names[below(names.size())], who = users[below(users.size())];
      line = who + " card.create type=" + type;
      expected = model.Create(who, type);
    } else {
      // Mostly a recent card, mostly an intent it knows and its version.
      acted = cards_before - 1 - below(std::min<size_t>(cards_before, 6));
      ModelCard& card = model.cards[acted];
      const auto& lines = types.at(card.type).lines;
      const std::string intent = below(3) ? lines[below(lines.size())].intent : words[below(words.size())];
      const int version = below(8) ? card.version : card.version + static_cast<int>(below(3)) - 1;
      const std::string who = actors[below(actors.size())];
      line = who + " card.act messageId=" + message_of[acted] + " intent=" + intent +
             " version=" + std::to_string(version);
      if (who == "ann(support)") line += " reason=r";
      if (intent == "resubmit" && version == card.version && card.state == "REVISION_REQUESTED")
        line += " data={\"manifestRef\":\"m" + std::to_string(step) + "\"}";
      if (intent == "counter") line += " data=" + std::string(SomePayload("RESCHEDULE"));
      const std::string type = card.type;
      ModelCard copy = card;
      expected = model.Act(who, copy, intent, version);
      model.cards[acted] = copy;
    }
    const std::string said = scene.Do(line);
    ASSERT_EQ(scene.accepted ? "ok" : said.substr(0, said.find(' ')), expected) << line << " → " << said;
    if (expected == "ok") {
      ++moved;
      if (model.cards.size() > cards_before)
        message_of[cards_before] = scene.names.NameOf(
            scene.Head().hidden.last_message->message_id.ToText());  // the newest message is its own
    } else {
      ASSERT_EQ(scene.Head().item.last_seq, before.item.last_seq) << line;
    }
    // What the rows say now is what the model says.
    size_t open = 0;
    for (size_t i = 0; i < model.cards.size(); ++i) {
      const auto row = *scene.Rows(TenantId{"demo"})
                            .Card(scene.ThreadNamed("T"), scene.MessageNamed(message_of[i]))
                            .value();
      ASSERT_EQ(row.item.state.value, model.cards[i].state) << line;
      ASSERT_EQ(row.item.version, model.cards[i].version) << line;
      open += model.IsOpen(model.cards[i]);
    }
    ASSERT_EQ(OpenCardsOf(scene.Head()).size(), open) << line;
    if (open > 30) break;  // far from the bound on open cards, which has a test of its own
  }
  EXPECT_GT(moved, 30u) << "a run in which nothing happens proves nothing";
}

INSTANTIATE_TEST_SUITE_P(Seeds, CardModel, testing::Range(uint64_t{1}, uint64_t{25}));

TEST(CardModelItself, knows_every_kind_that_the_table_knows) {
  std::set<std::string> kinds;
  for (const CardKind& kind : CardKinds()) {
    if (kind.applies.empty()) kinds.insert(std::string(kind.type));
  }
  for (const auto& [name, type] : ReadModel()) kinds.erase(name);
  EXPECT_EQ(kinds, std::set<std::string>());
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
