// Cards of every kind under random intents, against the model.
#include "tests/threads/cards/card_model.h"

#include <random>

namespace parley::threads {
namespace {

// One random run, determined by a seed.
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
      if (open_ > 30) break;  // far below the bound on open cards, which has its own test
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
    if (type == "SAFETY" && Below(3))
      type = "DELIVERABLE_PROOF";  // an open report would stop everything else
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

  // Usually a deliverable, if one exists.
  size_t PickTarget() {
    std::vector<size_t> some;
    for (size_t i = 0; i < model_.cards.size(); ++i) {
      if (model_.cards[i].type.starts_with("DELIVERABLE_") || Below(10) == 0) some.push_back(i);
    }
    return some.empty() ? SIZE_MAX : some[some.size() - 1 - Below(std::min<size_t>(some.size(), 3))];
  }
  static std::string Nobody() { return "msg_01h00000000000000000000000"; }

  // Usually a recent card with one of its intents and its version.
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
      line += " data={\"manifestRef\":\"https://m.example/" + std::to_string(++manifests_) + "\"}";
    if (intent == "counter") line += " data=" + std::string(SomePayload("RESCHEDULE"));
    Expect(line, model_.Act(who, at, intent, version));
    if (intent == "withdraw") model_.NoteEnd(at, IsPastEnd(at));
  }
  std::string Word() {
    if (Below(intents_.size() + 1) == 0) return "nonsense";
    return *std::next(intents_.begin(), static_cast<std::ptrdiff_t>(Below(intents_.size())));
  }

  // Cards expire after ten minutes, and the clock advances by an hour: they are swept at once or found later.
  void TurnClock() {
    scene_.Do("+1h");
    model_.TurnClock();
    if (Below(2)) return;
    scene_.Lapse();
    model_.Sweep();
  }

  // Sends the back end's answer to an outstanding effect; returns false if none is outstanding.
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
    // The reply contains a created card with its message; the answered card names its counter-proposal.
    for (size_t at = message_of_.size(); at < model_.cards.size(); ++at) {
      const std::string own = scene_.Reply("messageId");
      message_of_.push_back(own.empty() ? scene_.Reply("card.supersededBy") : own);
    }
  }

  // Checks that the rows agree with the model.
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

TEST(CardModel, each_transition_of_the_table_succeeds_and_no_other_changes_anything) {
  std::set<std::string> missing;
  for (const auto& [name, type] : ReadModel()) {
    missing.insert(name + " opened");
    for (const Line& line : type.lines) missing.insert(name + " " + line.from + " " + line.intent);
  }
  for (uint64_t seed = 1; seed < 25; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Game game(seed);
    game.Play(kSteps);
    EXPECT_GT(game.moved(), 20u) << "a run in which nothing happens proves nothing";
    for (const std::string& row : game.taken()) missing.erase(row);
  }
  EXPECT_EQ(missing, std::set<std::string>()) << "the runs do not cover these rows of the table";
}

TEST(CardModelItself, has_every_kind_and_transition_of_the_table) {
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

TEST(CardRules, a_thread_has_at_most_as_many_open_cards_as_its_head_can_list) {
  Scene scene;
  scene.Given("buyer thread.create kind=project");
  for (size_t i = 0; i < kMaxOpenCards; ++i) scene.Given("buyer card.create type=CANCEL_REQUEST");
  EXPECT_EQ(scene.Do("buyer card.create type=CANCEL_REQUEST"), "ACTION_INVALID_STATE");
  scene.Given("seller card.act intent=decline");
  scene.Given("buyer card.create type=CANCEL_REQUEST");
}

}  // namespace
}  // namespace parley::threads
