// Typing and presence on a clock that is advanced by hand: the events that sessions with the thread open
// receive, and when.
#include "gateway/app/ephemera.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {
namespace {

using gateway::Ephemera;
using gateway::EphemeraSettings;
using protocol::TenantId;
using protocol::ThreadId;
using protocol::UserId;
using testing::ElementsAre;
using testing::IsEmpty;

const ThreadId kThread{*protocol::Ulid::FromText("01k9a52dr04xhcxxpxdj0mdrf4")};
const ThreadId kOther{*protocol::Ulid::FromText("01k9a52dr04xhcxxpxdj0mdrf5")};
const UserId kAnn{"ann"}, kBob{"bob"}, kCid{"cid"};
constexpr int64_t kSweepMs = 500;  // the largest delay of a report that typing or presence ended

// A session that records ephemeral events and their times.
class Viewer final : public fanout::Subscriber {
 public:
  Viewer(UserId user, const FakeClock& clock, TenantId tenant = kTenant)
      : tenant_(std::move(tenant)), user_(std::move(user)), clock_(clock), since_ms_(clock.MonotonicMs()) {}
  const TenantId& tenant() const override { return tenant_; }
  const UserId& user() const override { return user_; }
  void OnRun(fanout::LiveRun&) override { ADD_FAILURE() << "not durable"; }
  void OnEntry(const fanout::EntryNotice&, fanout::SharedPayload&) override {
    ADD_FAILURE() << "not durable";
  }
  void OnNotice(fanout::SharedPayload&) override {}
  void OnEphemeral(const ThreadId& thread, fanout::SharedPayload& payload) override {
    const Frame frame(protocol::Encoding::kJson,
                      *std::static_pointer_cast<const std::string>(payload.Frame(protocol::Encoding::kJson)));
    EXPECT_EQ(frame.Text("threadId"), thread.ToText());
    received_.push_back(frame.ev() == "typing"
                            ? "typing " + frame.Json("userIds")
                            : frame.Text("userId") + (frame.Bool("online") ? " comes" : " goes"));
    at_ms_ = clock_.MonotonicMs() - since_ms_;
  }
  std::vector<std::string> Received() { return std::exchange(received_, {}); }
  int64_t at_ms() const { return at_ms_; }  // time of the last event, since the viewer was created

 private:
  const TenantId tenant_;
  const UserId user_;
  const FakeClock& clock_;
  const int64_t since_ms_;
  std::vector<std::string> received_;
  int64_t at_ms_ = 0;
};

// Replaces the other I/O threads: records the updates for them and passes them to one of them, if given.
class Others final : public gateway::EphemeraPeers {
 public:
  void OnPresence(const TenantId& tenant, const UserId& user, bool online) override {
    if (other) other->OnPeerPresence(tenant, user, online);
  }
  void OnTyping(const TenantId& tenant, const ThreadId& thread, const UserId& user, bool typing) override {
    if (other) other->OnPeerTyping(tenant, thread, user, typing);
  }
  Ephemera* other = nullptr;
};

class EphemeraTest : public testing::Test {
 protected:
  EphemeraTest() {
    for (Viewer* viewer : {&ann_, &bob_}) {
      hub_.Add(viewer);
      hub_.OpenThread(viewer, kThread);
    }
    ephemera_.Watch(kTenant, kThread, {kAnn, kBob});
  }
  ~EphemeraTest() override {
    for (Viewer* viewer : {&ann_, &bob_}) hub_.Remove(viewer);
  }
  void Type(const UserId& user, bool typing = true) { ephemera_.SetTyping(kTenant, kThread, user, typing); }
  void Pass(int64_t ms) { loop_.Advance(ms); }
  bool Online(const UserId& user) const { return ephemera_.IsOnline(kTenant, user); }

  FakeClock clock_;
  FakeLoop loop_{clock_};
  protocol::Metrics metrics_;
  fanout::Hub hub_{[](fanout::Payloads payloads, protocol::Encoding) -> fanout::FramePtr {
                     return std::make_shared<const std::string>(payloads.front());
                   },
                   metrics_};
  const EphemeraSettings settings_;
  Others others_;
  Ephemera ephemera_{hub_, loop_, clock_, others_, settings_};
  Viewer ann_{kAnn, clock_}, bob_{kBob, clock_};
};

// --- typing

TEST_F(EphemeraTest, typing_is_sent_as_the_whole_list_without_the_viewer) {
  Type(kAnn);
  EXPECT_THAT(bob_.Received(), ElementsAre(R"(typing ["ann"])"));
  EXPECT_THAT(ann_.Received(), IsEmpty()) << "nobody hears of their own";
  Type(kCid);
  EXPECT_THAT(bob_.Received(), ElementsAre(R"(typing ["ann","cid"])"));
  EXPECT_THAT(ann_.Received(), ElementsAre(R"(typing ["cid"])"));
  EXPECT_THAT(ephemera_.Typing(kTenant, kThread, kCid), ElementsAre(kAnn));
  EXPECT_THAT(ephemera_.Typing(kTenant, kOther, kBob), IsEmpty());
  EXPECT_THAT(ephemera_.Typing(TenantId{"acme"}, kThread, kBob), IsEmpty()) << "of another tenant";
}

TEST_F(EphemeraTest, a_sent_message_ends_its_authors_typing_at_once) {
  EXPECT_FALSE(ephemera_.AnyTyping(kTenant, kThread));
  Type(kAnn);
  EXPECT_TRUE(ephemera_.AnyTyping(kTenant, kThread));
  ephemera_.EndTyping(kTenant, kThread, kBob);
  ephemera_.EndTyping(kTenant, kOther, kAnn);
  EXPECT_THAT(bob_.Received(), ElementsAre(R"(typing ["ann"])"));
  ephemera_.EndTyping(kTenant, kThread, kAnn);
  EXPECT_THAT(bob_.Received(), ElementsAre("typing []"));
  EXPECT_THAT(ann_.Received(), IsEmpty());
  Pass(settings_.typing_ttl_ms + kSweepMs);
  EXPECT_THAT(bob_.Received(), IsEmpty());
  EXPECT_FALSE(ephemera_.AnyTyping(kTenant, kThread));
}

TEST_F(EphemeraTest, typing_ends_after_its_ttl) {
  Type(kAnn);
  Pass(settings_.typing_ttl_ms - 1);
  EXPECT_THAT(bob_.Received(), ElementsAre(R"(typing ["ann"])"));
  Pass(1 + kSweepMs);
  EXPECT_THAT(bob_.Received(), ElementsAre("typing []"));
  EXPECT_GE(bob_.at_ms(), settings_.typing_ttl_ms);
  EXPECT_THAT(ephemera_.Typing(kTenant, kThread, kBob), IsEmpty());
}

TEST_F(EphemeraTest, repeats_prolong_typing_and_are_sent_once_in_five_seconds) {
  Type(kAnn);
  for (int second = 1; second <= 20; ++second) {
    Pass(1000);
    Type(kAnn);
  }
  // At 0, 5, 10, 15 and 20 s.
  EXPECT_THAT(bob_.Received(), testing::AllOf(testing::SizeIs(5), testing::Each(R"(typing ["ann"])")));
  Pass(settings_.typing_ttl_ms + kSweepMs);
  EXPECT_THAT(bob_.Received(), ElementsAre("typing []"));
  EXPECT_GE(bob_.at_ms(), 20'000 + settings_.typing_ttl_ms);
}

TEST_F(EphemeraTest, an_end_is_sent_at_once_and_a_new_start_after_the_five_seconds) {
  Type(kAnn);
  Pass(1000);
  Type(kAnn, false);
  EXPECT_THAT(bob_.Received(), ElementsAre(R"(typing ["ann"])", "typing []"));
  Pass(1000);
  Type(kAnn);
  EXPECT_THAT(bob_.Received(), IsEmpty());
  EXPECT_THAT(ephemera_.Typing(kTenant, kThread, kBob), IsEmpty()) << "who asks hears what viewers heard";
  Pass(settings_.coalesce_ms);
  EXPECT_THAT(bob_.Received(), ElementsAre(R"(typing ["ann"])"));
  EXPECT_GE(bob_.at_ms(), settings_.coalesce_ms);
  EXPECT_LE(bob_.at_ms(), settings_.coalesce_ms + kSweepMs);
}

TEST_F(EphemeraTest, a_start_that_ends_within_the_five_seconds_is_never_sent) {
  Type(kAnn);
  Type(kAnn, false);
  Type(kAnn);
  Type(kAnn, false);
  EXPECT_THAT(bob_.Received(), ElementsAre(R"(typing ["ann"])", "typing []"));
  Pass(60'000);
  EXPECT_THAT(bob_.Received(), IsEmpty());
}

TEST_F(EphemeraTest, toggling_for_a_minute_sends_at_most_two_events_per_five_seconds) {
  for (int step = 0; step < 600; ++step) {
    Type(kAnn, step % 2 == 0);
    Pass(100);
  }
  const size_t events = bob_.Received().size();
  EXPECT_GE(events, 12u);
  EXPECT_LE(events, 2u * 60'000 / 5'000 + 2);
}

TEST_F(EphemeraTest, typing_ends_with_the_last_typing_session_of_the_user) {
  const Viewer phone(kAnn, clock_), desk(kAnn, clock_), silent(kAnn, clock_);
  ephemera_.SetTyping(kTenant, kThread, kAnn, true, &phone);
  ephemera_.SetTyping(kTenant, kThread, kAnn, true, &desk);
  ephemera_.EndTypingBy(kTenant, kThread, kAnn, &silent);
  ephemera_.EndTypingBy(kTenant, kThread, kAnn, &phone);
  ephemera_.EndTypingBy(kTenant, kThread, kAnn, &phone);
  EXPECT_THAT(bob_.Received(), ElementsAre(R"(typing ["ann"])"));
  ephemera_.EndTypingBy(kTenant, kThread, kAnn, &desk);
  EXPECT_THAT(bob_.Received(), ElementsAre("typing []"));
  ephemera_.EndTypingBy(kTenant, kOther, kAnn, &desk);
  EXPECT_THAT(bob_.Received(), IsEmpty());
}

TEST_F(EphemeraTest, an_end_without_a_start_sends_nothing) {
  Type(kAnn, false);
  ephemera_.SetTyping(kTenant, kOther, kAnn, false);
  EXPECT_THAT(bob_.Received(), IsEmpty());
  EXPECT_EQ(loop_.timers(), 0u);
}

TEST_F(EphemeraTest, a_removed_member_stops_typing) {
  Type(kAnn);
  bob_.Received();
  ephemera_.OnMembership(kTenant, kThread, kAnn, false);
  EXPECT_THAT(bob_.Received(), ElementsAre("typing []"));
}

TEST_F(EphemeraTest, only_sessions_with_the_thread_open_receive_typing) {
  hub_.CloseThread(&bob_, kThread);
  Type(kAnn);
  ephemera_.Touch(kTenant, kAnn);
  EXPECT_THAT(bob_.Received(), IsEmpty());
}

// --- presence

TEST_F(EphemeraTest, coming_online_is_sent_once_and_activity_prolongs_it_silently) {
  for (int i = 0; i < 10; ++i) {
    ephemera_.Touch(kTenant, kAnn);
    Pass(settings_.presence_ttl_ms - 1);
    EXPECT_TRUE(Online(kAnn));
  }
  EXPECT_THAT(bob_.Received(), ElementsAre("ann comes"));
  EXPECT_THAT(ann_.Received(), IsEmpty()) << "a user gets no event about their own typing or presence";
}

TEST_F(EphemeraTest, presence_ends_after_its_ttl_and_an_event_is_sent) {
  ephemera_.Touch(kTenant, kAnn);
  Pass(settings_.presence_ttl_ms - 1);
  EXPECT_TRUE(Online(kAnn));
  clock_.Advance(1);
  EXPECT_FALSE(Online(kAnn)) << "to the millisecond for who asks";
  EXPECT_THAT(bob_.Received(), ElementsAre("ann comes"));
  Pass(kSweepMs);
  EXPECT_THAT(bob_.Received(), ElementsAre("ann goes"));
  ephemera_.Touch(kTenant, kAnn);
  EXPECT_THAT(bob_.Received(), ElementsAre("ann comes"));
}

TEST_F(EphemeraTest, the_end_of_the_last_session_is_sent_once_after_the_grace) {
  ephemera_.Touch(kTenant, kAnn);
  Pass(1000);
  ephemera_.Gone(kTenant, kAnn);
  Pass(settings_.grace_ms - 1);
  EXPECT_TRUE(Online(kAnn)) << "who asks hears what viewers heard";
  EXPECT_THAT(bob_.Received(), ElementsAre("ann comes"));
  Pass(1 + kSweepMs);
  EXPECT_FALSE(Online(kAnn));
  EXPECT_THAT(bob_.Received(), ElementsAre("ann goes"));
  EXPECT_GE(bob_.at_ms(), 1000 + settings_.grace_ms);
  ephemera_.Gone(kTenant, kAnn);
  Pass(settings_.grace_ms + kSweepMs);
  EXPECT_THAT(bob_.Received(), IsEmpty());
}

TEST_F(EphemeraTest, fifteen_quick_reconnects_send_no_event) {
  ephemera_.Touch(kTenant, kAnn);
  EXPECT_THAT(bob_.Received(), ElementsAre("ann comes"));
  for (int i = 0; i < 15; ++i) {
    ephemera_.Gone(kTenant, kAnn);
    Pass(settings_.grace_ms - 1);
    ephemera_.Touch(kTenant, kAnn);
    Pass(100);
  }
  EXPECT_THAT(bob_.Received(), IsEmpty());
  EXPECT_TRUE(Online(kAnn));
  Pass(settings_.presence_ttl_ms - 100 - 1);
  EXPECT_TRUE(Online(kAnn)) << "the ends of earlier sessions are forgotten";
}

TEST_F(EphemeraTest, the_end_of_a_silent_session_does_not_prolong_presence) {
  ephemera_.Touch(kTenant, kAnn);
  Pass(settings_.presence_ttl_ms - 1000);
  ephemera_.Gone(kTenant, kAnn);
  Pass(1000 + kSweepMs);
  EXPECT_THAT(bob_.Received(), ElementsAre("ann comes", "ann goes"));
}

TEST_F(EphemeraTest, users_with_the_same_id_in_two_tenants_are_different_users) {
  ephemera_.Touch(TenantId{"acme"}, kAnn);
  EXPECT_FALSE(Online(kAnn));
  EXPECT_THAT(bob_.Received(), IsEmpty());
}

TEST_F(EphemeraTest, presence_is_sent_only_of_current_members) {
  ephemera_.Touch(kTenant, kCid);
  EXPECT_THAT(bob_.Received(), IsEmpty());
  ephemera_.OnMembership(kTenant, kThread, kCid, true);
  ephemera_.Gone(kTenant, kCid);
  Pass(settings_.grace_ms + kSweepMs);
  EXPECT_THAT(bob_.Received(), ElementsAre("cid goes"));
  ephemera_.OnMembership(kTenant, kThread, kCid, false);
  ephemera_.Touch(kTenant, kCid);
  EXPECT_THAT(bob_.Received(), IsEmpty());
  ephemera_.OnMembership(kTenant, kOther, kCid, true);  // no session has it open
  ephemera_.Unwatch(kTenant, kThread);
  ephemera_.Touch(kTenant, kAnn);
  EXPECT_THAT(bob_.Received(), IsEmpty());
}

TEST_F(EphemeraTest, a_user_with_many_touches_goes_offline_once_after_the_last_one_expires) {
  ephemera_.Watch(kTenant, kThread, {kAnn, kCid});
  for (int i = 0; i < 5; ++i) {
    ephemera_.Touch(kTenant, kAnn);
    ephemera_.Touch(kTenant, kCid);
    ephemera_.Gone(kTenant, kCid);
    ephemera_.Touch(kTenant, kCid);
    Pass(settings_.presence_ttl_ms * 2 / 3);
    EXPECT_TRUE(ephemera_.IsOnline(kTenant, kAnn));
  }
  bob_.Received();
  Pass(settings_.presence_ttl_ms / 3 + kSweepMs);
  EXPECT_THAT(bob_.Received(), testing::UnorderedElementsAre("ann goes", "cid goes"));
  Pass(3 * settings_.presence_ttl_ms);
  EXPECT_THAT(bob_.Received(), IsEmpty());
}

// --- several I/O threads: an Ephemera for each; ann and bob are on the first

class TwoIoThreadsTest : public EphemeraTest {
 protected:
  TwoIoThreadsTest() { others_.other = &second_; }
  fanout::Hub no_hub_{[](fanout::Payloads, protocol::Encoding) -> fanout::FramePtr { return nullptr; },
                      metrics_};
  Others back_{};
  Ephemera second_{no_hub_, loop_, clock_, back_, settings_};
};

TEST_F(TwoIoThreadsTest, users_of_another_thread_are_online_and_type) {
  back_.other = &ephemera_;
  second_.Touch(kTenant, kAnn);
  EXPECT_TRUE(Online(kAnn));
  second_.SetTyping(kTenant, kThread, kAnn, true);
  EXPECT_THAT(bob_.Received(), ElementsAre("ann comes", R"(typing ["ann"])"));
  EXPECT_THAT(ephemera_.Typing(kTenant, kThread, kBob), ElementsAre(kAnn));
  second_.SetTyping(kTenant, kThread, kAnn, false);
  second_.Gone(kTenant, kAnn);
  Pass(settings_.grace_ms + kSweepMs);
  EXPECT_FALSE(Online(kAnn));
  EXPECT_THAT(bob_.Received(), ElementsAre("typing []", "ann goes"));
}

TEST_F(TwoIoThreadsTest, a_user_with_sessions_on_both_comes_online_once_and_goes_offline_with_the_last) {
  back_.other = &ephemera_;
  ephemera_.Touch(kTenant, kAnn);
  second_.Touch(kTenant, kAnn);
  ephemera_.Gone(kTenant, kAnn);
  Pass(settings_.grace_ms + kSweepMs);
  EXPECT_TRUE(Online(kAnn));
  EXPECT_TRUE(second_.IsOnline(kTenant, kAnn));
  EXPECT_THAT(bob_.Received(), ElementsAre("ann comes"));
  second_.Gone(kTenant, kAnn);
  Pass(settings_.grace_ms + kSweepMs);
  EXPECT_FALSE(Online(kAnn));
  EXPECT_THAT(bob_.Received(), ElementsAre("ann goes"));
}

TEST_F(TwoIoThreadsTest, reconnecting_on_the_other_thread_within_the_grace_sends_no_event) {
  back_.other = &ephemera_;
  ephemera_.Touch(kTenant, kAnn);
  for (int i = 0; i < 6; ++i) {
    (i % 2 ? second_ : ephemera_).Gone(kTenant, kAnn);
    Pass(1000);
    (i % 2 ? ephemera_ : second_).Touch(kTenant, kAnn);
    Pass(1000);
  }
  EXPECT_TRUE(Online(kAnn));
  EXPECT_TRUE(second_.IsOnline(kTenant, kAnn));
  EXPECT_THAT(bob_.Received(), ElementsAre("ann comes"));
}

TEST_F(TwoIoThreadsTest, an_end_on_one_thread_keeps_typing_of_the_other) {
  back_.other = &ephemera_;
  const Viewer phone(kAnn, clock_), desk(kAnn, clock_);
  ephemera_.SetTyping(kTenant, kThread, kAnn, true, &phone);
  second_.SetTyping(kTenant, kThread, kAnn, true, &desk);
  second_.EndTypingBy(kTenant, kThread, kAnn, &desk);
  EXPECT_THAT(bob_.Received(), ElementsAre(R"(typing ["ann"])"));
  ephemera_.EndTypingBy(kTenant, kThread, kAnn, &phone);
  EXPECT_THAT(bob_.Received(), ElementsAre("typing []"));
}

TEST_F(TwoIoThreadsTest, presence_ends_on_both_threads_without_activity) {
  ephemera_.Touch(kTenant, kAnn);
  EXPECT_TRUE(second_.IsOnline(kTenant, kAnn));
  Pass(settings_.presence_ttl_ms + kSweepMs);
  EXPECT_FALSE(second_.IsOnline(kTenant, kAnn));
  EXPECT_THAT(bob_.Received(), ElementsAre("ann comes", "ann goes"));
}

// --- bounds

TEST_F(EphemeraTest, expired_entries_leave_no_timer) {
  for (int i = 0; i < 1000; ++i) {
    const std::string name = "u" + std::to_string(i);
    ephemera_.Touch(kTenant, UserId{name.c_str()});
    ephemera_.SetTyping(kTenant, kOther, UserId{name.c_str()}, true);
    EXPECT_EQ(loop_.timers(), 1u) << "one for all";
  }
  Pass(settings_.presence_ttl_ms + kSweepMs);
  EXPECT_THAT(ephemera_.Typing(kTenant, kOther, kBob), IsEmpty());
  EXPECT_EQ(loop_.timers(), 0u);
}

}  // namespace
}  // namespace parley::gateway_test
