// Members who reconnect together after missing the same changes: the page is encoded once, and each receives
// the same as if they had reconnected alone.
#include "gateway/app/missed_pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {
namespace {

using protocol::Encoding;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class MissedPages : public testing::TestWithParam<Encoding> {
 protected:
  // "held", the last message known to all members, has seq 6.
  MissedPages() : ann_(world_->Join("ann")), thread_(world_.NewThread(ann_, "ann", "bob", {"carl", "dora"})) {
    Say("held");
  }
  void Say(const std::string& body) { ASSERT_TRUE(world_.Say(ann_, thread_, body).ok()); }
  FakeClient BackWith(const std::string& token, int64_t held, const std::string& more = "") {
    FakeClient client = world_->Connect({GetParam(), ""});
    client.Send("session.hello", R"({"token":")" + token + R"(","resume":{"epoch":"epoch-1","threads":{")" +
                                     thread_ + "\":" + std::to_string(held) + "}}" + more + "}");
    world_->Settle();
    return client;
  }
  FakeClient Back(const std::string& user, int64_t held = 6, const std::string& more = "") {
    return BackWith(world_->Token(user), held, more);
  }
  // The events that the client received, word for word.
  static std::string Outcome(FakeClient client) {
    std::string out;
    for (const Frame& event : client.TakeEvents()) out += event.Json() + "\n";
    return out;
  }
  static std::vector<std::string> Received(FakeClient client) { return Lines(client.TakeEvents()); }
  int shared() {
    const std::string text = world_->metrics().Render(), name = "\nparley_resume_pages_shared_total ";
    return std::stoi(text.substr(text.find(name) + name.size()));
  }

  World world_{DemoConfig()};
  FakeClient ann_;
  const std::string thread_;
};
INSTANTIATE_TEST_SUITE_P(Encodings, MissedPages, testing::Values(Encoding::kJson, Encoding::kMsgpack),
                         EncodingName);

TEST_P(MissedPages, members_who_missed_the_same_share_one_encoded_page) {
  Say("one");
  Say("two");
  const std::string first = Outcome(Back("bob"));
  EXPECT_EQ(shared(), 0);
  EXPECT_THAT(first, HasSubstr("two"));
  EXPECT_EQ(Outcome(Back("carl")), first);
  EXPECT_EQ(Outcome(Back("dora")), first);
  EXPECT_EQ(shared(), 2);
}

TEST_P(MissedPages, a_member_who_gets_a_shared_page_continues_with_later_events_without_duplicates) {
  Say("one");
  Back("bob");
  FakeClient carl = Back("carl");
  EXPECT_EQ(shared(), 1);
  EXPECT_THAT(Lines(carl.TakeEvents()), ElementsAre("message.created 7", "thread.synced 7"));
  Say("two");
  EXPECT_THAT(Lines(carl.TakeEvents()), ElementsAre("message.created 8"));
}

TEST_P(MissedPages, a_page_is_read_again_after_a_change) {
  Say("one");
  Back("bob");
  Say("two");
  EXPECT_THAT(Received(Back("carl")),
              ElementsAre("message.created 7", "message.created 8", "thread.synced 8"));
  EXPECT_EQ(shared(), 0);
  EXPECT_THAT(Received(Back("dora")),
              ElementsAre("message.created 7", "message.created 8", "thread.synced 8"));
  EXPECT_EQ(shared(), 1) << "and is then what the next are told";
}

TEST_P(MissedPages, members_with_another_position_or_form_get_their_own_pages) {
  Say("one");
  Back("bob");
  EXPECT_THAT(Received(Back("carl", 5)),
              ElementsAre("message.created 6", "message.created 7", "thread.synced 7"));
  EXPECT_THAT(Received(Back("carl", 7)), ElementsAre("thread.synced 7"));
  EXPECT_THAT(Outcome(Back("dora", 6, R"(,"compact":true)")), Not(HasSubstr("\"reactions\"")));
  EXPECT_EQ(shared(), 0);
  FakeClient other =
      world_->Connect({GetParam() == Encoding::kJson ? Encoding::kMsgpack : Encoding::kJson, ""});
  other.Send("session.hello", R"({"token":")" + world_->Token("dora") +
                                  R"(","resume":{"epoch":"epoch-1","threads":{")" + thread_ + "\":6}}}");
  world_->Settle();
  EXPECT_THAT(Lines(other.TakeEvents()), ElementsAre("message.created 7", "thread.synced 7"));
  EXPECT_EQ(shared(), 0);
}

TEST_P(MissedPages, only_members_and_staff_get_pages_and_staff_get_their_own) {
  Say("one");
  Back("bob");
  EXPECT_THAT(Received(Back("eve")), testing::IsEmpty());
  ASSERT_TRUE(ann_.Ask("participant.remove", Args({{"threadId", thread_}, {"userId", "dora"}})).ok());
  EXPECT_THAT(Received(Back("dora")), testing::IsEmpty());
  Back("bob", 8);
  BackWith(world_->Token("carl", "moderator"), 8);
  EXPECT_EQ(shared(), 0);
}

TEST_P(MissedPages, pages_with_participants_rows_are_not_shared) {
  ASSERT_TRUE(ann_.Ask("participant.add", Args({{"threadId", thread_}, {"userId", "emil"}})).ok());
  Back("bob");
  EXPECT_THAT(Received(Back("carl")), ElementsAre("participant.added 7", "thread.synced 7"));
  EXPECT_EQ(shared(), 0);
}

TEST_P(MissedPages, changes_for_one_member_are_not_in_the_pages_of_others) {
  FakeClient sue = world_->Connect();
  ASSERT_TRUE(sue.Hello(world_->Token("sue", "moderator")).ok());
  ASSERT_TRUE(sue.Ask("moderation.user", R"({"userId":"ann","state":"shadow","reason":"r"})").ok());
  Say("one");  // as ann sees it
  FakeClient ann = Back("ann");
  EXPECT_THAT(Outcome(ann), HasSubstr("\"one\""));
  EXPECT_THAT(Outcome(Back("bob")), Not(HasSubstr("\"one\"")));
  EXPECT_THAT(Outcome(Back("carl")), Not(HasSubstr("\"one\"")));
  EXPECT_THAT(Outcome(Back("ann")), HasSubstr("\"one\""));
  EXPECT_EQ(shared(), 0);
}

TEST_P(MissedPages, a_page_is_kept_for_a_second) {
  Say("one");
  Back("bob");
  world_->Advance(gateway::MissedPages::kKeptMs + 1);
  Back("carl");
  EXPECT_EQ(shared(), 0);
}

TEST_P(MissedPages, the_cache_is_bounded) {
  protocol::Metrics metrics;
  FakeClock clock;
  FakeLoop loop(clock);
  gateway::MissedPages pages(loop, metrics);
  const auto key = [](int64_t held) {
    return gateway::MissedPages::Key{protocol::TenantId{"t"}, {}, held, {Encoding::kJson}};
  };
  const auto frames = [](size_t size) {
    const std::string payload(size, 'x');
    return gateway::MakeFrame(payload, false);
  };
  pages.Put(key(1), {1, 1, frames(gateway::MissedPages::kLargest + 1)});
  EXPECT_EQ(pages.Find(key(1)), nullptr) << "too large to be kept";
  constexpr size_t kEach = gateway::MissedPages::kLargest - 100;
  size_t found = 0;
  for (int64_t i = 0; i < 100; ++i) {
    pages.Put(key(i), {1, 1, frames(kEach)});
    EXPECT_NE(pages.Find(key(i)), nullptr);
  }
  for (int64_t i = 0; i < 100; ++i) found += pages.Find(key(i)) ? 1 : 0;
  EXPECT_LE(found * kEach, gateway::MissedPages::kBytes);
  for (int64_t i = 0; i < 1000; ++i) pages.Put(key(i), {1, 1, frames(1)});
  found = 0;
  for (int64_t i = 0; i < 1000; ++i) found += pages.Find(key(i)) ? 1 : 0;
  EXPECT_LE(found, gateway::MissedPages::kMost);
  loop.Advance(gateway::MissedPages::kKeptMs);
  EXPECT_EQ(pages.Find(key(999)), nullptr);
}

}  // namespace
}  // namespace parley::gateway_test
