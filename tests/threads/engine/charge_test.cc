// The commands that charge their author, when the charge becomes final, and the checks before it.
#include "threads/engine/charge.h"

#include "tests/threads/executor_scene.h"
#include "threads/engine/batch.h"

namespace parley::threads {
namespace {

using ChargeKind = Charge::Kind;

// Allows so many of each kind and records their outcome.
class Till final {
 public:
  struct Coin final : Taken {
    Coin(Till* owner, std::string what) : till(owner), name(std::move(what)) {}
    ~Coin() override { till->reported.push_back((stood ? "kept " : "given back ") + name); }
    std::vector<storage::CommitRequest> Stand() override {
      stood = true;
      storage::CommitRequest row;
      row.partition =
          storage::PartitionKey::OfText(TenantId{"demo"}, storage::TableTag::kQuotas, KeyText::UpToNul(name));
      row.writes.push_back({storage::SortKey("1"), storage::Row{1, "x"}});
      return {std::move(row)};
    }
    Till* const till;
    const std::string name;
    bool stood = false;
  };
  protocol::Status Take(const Charge& charge, Charge::Answer* taken) {
    static constexpr const char* kNames[] = {"send", "start", "add"};
    std::string name = charge.author.user->value.text() + " " + kNames[static_cast<size_t>(charge.kind)];
    if (charge.peer) name += " to " + charge.peer->value.text();
    if (allowed-- > 0) {
      taken->push_back(std::make_unique<Coin>(this, name));
      return protocol::Ok();
    }
    Error error(ErrorCode::kRateLimited, "enough");
    error.retry_after_ms = 3000;
    return error;
  }
  // Returns and clears the record.
  std::string TakeTold() {
    std::string out;
    for (const std::string& one : std::exchange(reported, {})) out += (out.empty() ? "" : "; ") + one;
    return out;
  }
  int allowed = 1000;
  std::vector<std::string> reported;
};

class MeterTest : public testing::Test {
 protected:
  MeterTest() {
    ExecutorSettings settings;
    const auto checks = std::make_shared<Checks>();
    checks->Add<Charge>([this](const CheckInput&, const Charge& charge, Charge::Answer* taken) {
      return till_.Take(charge, taken);
    });
    settings.checks = checks;
    scene_ = std::make_unique<ExecutorScene>(settings);
    scene_->Do("buyer thread.create kind=project clientId=c");
    till_.TakeTold();
  }
  // Returns the answer and the charges.
  std::string Do(std::string_view line) {
    const std::string answer = scene_->Do(line);
    const std::string reported = till_.TakeTold();
    return reported.empty() ? answer : answer + ": " + reported;
  }
  bool Written(const std::string& name) {
    std::optional<storage::Row> row;
    const auto partition =
        storage::PartitionKey::OfText(TenantId{"demo"}, storage::TableTag::kQuotas, KeyText::UpToNul(name));
    EXPECT_TRUE(scene_->table->Get(partition, storage::SortKey("1"), &row).ok());
    return row.has_value();
  }

  Till till_;
  std::unique_ptr<ExecutorScene> scene_;
};

TEST_F(MeterTest, a_message_of_a_pair_is_a_send_to_the_other_and_its_row_is_in_the_same_commit) {
  EXPECT_EQ(Do("buyer message.send threadId=T body=x clientId=m1"), "ok: kept buyer send to seller");
  EXPECT_TRUE(Written("buyer send to seller"));
}

TEST_F(MeterTest, a_message_in_a_larger_thread_is_a_send_to_no_single_user) {
  Do("buyer participant.add threadId=T userId=carol");
  EXPECT_EQ(Do("buyer message.send threadId=T body=x clientId=m1"), "ok: kept buyer send");
}

TEST_F(MeterTest, a_repeat_is_answered_before_any_charge) {
  Do("buyer message.send threadId=T body=x clientId=m1");
  till_.allowed = 0;
  EXPECT_EQ(Do("buyer message.send threadId=T body=x clientId=m1"), "duplicate");
  EXPECT_EQ(Do("buyer message.send threadId=T body=y clientId=m1"), "IDEMPOTENCY_CONFLICT");
  EXPECT_EQ(Do("buyer message.send threadId=T body=y clientId=m2"), "RATE_LIMITED");
}

TEST_F(MeterTest, membership_and_permission_are_checked_before_it_and_content_after) {
  till_.allowed = 0;
  const std::string large = "'" + std::string(9000, 'x') + "'";
  EXPECT_EQ(Do("mallory message.send threadId=T body=x clientId=m1"), "THREAD_NOT_MEMBER");
  EXPECT_EQ(Do("buyer message.send threadId=T body=" + large + " clientId=m1"), "RATE_LIMITED");
  till_.allowed = 1000;
  EXPECT_EQ(Do("buyer message.send threadId=T body=" + large + " clientId=m1"),
            "TOO_LARGE: given back buyer send to seller");
  Do("ann(admin) thread.setStatus threadId=T status=locked reason=r");
  EXPECT_EQ(Do("buyer message.send threadId=T body=x clientId=m2"),
            "THREAD_LOCKED: given back buyer send to seller");
  EXPECT_FALSE(Written("buyer send to seller"));
  till_.allowed = 0;
  EXPECT_EQ(Do("buyer message.send threadId=T body=x clientId=m2"), "THREAD_LOCKED");
}

TEST_F(MeterTest, a_new_thread_is_a_start_and_its_first_message_is_a_send) {
  EXPECT_EQ(Do("anna thread.create kind=group clientId=g"), "ok: kept anna start");
  EXPECT_EQ(Do("anna thread.create kind=group clientId=g"), "ok");
  EXPECT_EQ(
      Do("anna thread.create kind=direct participants=[{\"userId\":\"bob\"}] firstMessage=hi clientId=d"),
      "ok: kept anna start; kept anna send to bob");
}

TEST_F(MeterTest, returning_to_a_pairs_thread_is_no_start_and_its_message_is_a_send) {
  Do("anna thread.create kind=direct participants=[{\"userId\":\"bob\"}] clientId=d");
  EXPECT_EQ(Do("bob thread.create kind=direct participants=[{\"userId\":\"anna\"}] clientId=e"), "ok");
  EXPECT_EQ(
      Do("bob thread.create kind=direct participants=[{\"userId\":\"anna\"}] firstMessage=hi clientId=f"),
      "ok: kept bob send to anna");
}

TEST_F(MeterTest, a_refused_start_charges_nothing) {
  till_.allowed = 1;  // so the thread's message is refused
  EXPECT_EQ(
      Do("anna thread.create kind=direct participants=[{\"userId\":\"bob\"}] firstMessage=hi clientId=d"),
      "RATE_LIMITED: given back anna start");
  till_.allowed = 1000;
  EXPECT_EQ(Do("anna thread.create kind=direct participants=[{\"userId\":\"bob\"}] clientId=d"),
            "ok: kept anna start");
}

TEST_F(MeterTest, adding_a_user_is_charged_once) {
  EXPECT_EQ(Do("buyer participant.add threadId=T userId=carol"), "ok: kept buyer add to carol");
  EXPECT_EQ(Do("buyer participant.add threadId=T userId=carol"), "ok");
  till_.allowed = 0;
  EXPECT_EQ(Do("buyer participant.add threadId=T userId=dora"), "RATE_LIMITED");
  EXPECT_EQ(Do("carol participant.add threadId=T userId=dora"), "FORBIDDEN");
}

TEST_F(MeterTest, reports_are_never_refused_by_limits) {
  till_.allowed = 0;
  EXPECT_EQ(Do("buyer card.create threadId=T type=SAFETY clientId=s"), "ok");
}

TEST_F(MeterTest, a_service_acting_for_no_user_is_not_charged) {
  till_.allowed = 0;
  EXPECT_EQ(Do("service participant.add threadId=T userId=carol"), "ok");
  EXPECT_EQ(Do("service(buyer) message.send threadId=T body=x clientId=m1"), "RATE_LIMITED");
}

TEST_F(MeterTest, a_charge_of_unknown_outcome_is_kept) {
  scene_->Submit("buyer message.send threadId=T body=x clientId=m1");
  auto pending = scene_->executor->Begin();
  EXPECT_EQ(till_.TakeTold(), "");
  EXPECT_FALSE(Written("buyer send to seller"));
  pending.reset();
  EXPECT_EQ(till_.TakeTold(), "kept buyer send to seller");
}

}  // namespace
}  // namespace parley::threads
