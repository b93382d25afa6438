// `compact` of session.hello: sessions that omit derivable fields, beside sessions that receive all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gateway/app/node.h"
#include "tests/gateway/fake_server_support.h"
#include "tests/protocol/filled_support.h"

namespace parley::gateway_test {
namespace {

using protocol::Encoding;
using testing::ElementsAre;

constexpr char kCompact[] = R"("compact":true)";

// The frame with the omitted fields filled in, names in order.
std::string Filled(const Frame& frame, std::string_view op = {}) {
  const Frame filled(Encoding::kMsgpack, tests::Filled(frame.root(), op));
  return tests::Sorted(filled.root());
}
std::string Sorted(const Frame& frame) {
  return tests::Sorted(frame.root());
}

class CompactTest : public testing::TestWithParam<Encoding> {
 protected:
  FakeClient Join(const std::string& user, const std::string& more = "") {
    return world_->Join(user, GetParam(), more);
  }
  // A project that contains an item of every kind.
  std::string NewProject(FakeClient& ana) {
    const std::string thread = world_.NewThread(ana, "ana", "bob");
    const Frame first = world_.Say(ana, thread, "first");
    world_.Say(ana, thread, "second");
    const std::string message = first.Text("ok.messageId");
    ana.Ask("message.react",
            Args({{"threadId", thread}, {"messageId", message}, {"emoji", "+1"}, {"on", true}}));
    ana.Ask("message.edit", Args({{"threadId", thread}, {"messageId", message}, {"body", "edited"}}));
    ana.Ask("message.pin", Args({{"threadId", thread}, {"messageId", message}, {"pinned", true}}));
    EXPECT_TRUE(ana.Ask("tab.put", Args({{"threadId", thread},
                                         {"tab", "brief"},
                                         {"version", 0},
                                         {"content", JsonArg::Raw(R"({"title":"","done":false,"n":0})")}}))
                    .ok());
    EXPECT_TRUE(ana.Ask("card.create", Args({{"threadId", thread},
                                             {"clientId", "card"},
                                             {"type", "CANCEL_REQUEST"},
                                             {"payload", JsonArg::Raw(R"({"reason":"r"})")}}))
                    .ok());
    return thread;
  }
  World world_{DemoConfig()};
};
INSTANTIATE_TEST_SUITE_P(Encodings, CompactTest, testing::Values(Encoding::kJson, Encoding::kMsgpack),
                         EncodingName);

TEST_P(CompactTest, every_session_of_an_io_thread_receives_its_own_form) {
  FakeClient ana = Join("ana"), full = Join("bob"), compact = Join("bob", kCompact),
             other = world_->Join("bob", GetParam() == Encoding::kJson ? Encoding::kMsgpack : Encoding::kJson,
                                  kCompact);
  const std::string thread = NewProject(ana);
  ana.Ask("participant.remove", Args({{"threadId", thread}, {"userId", "bob"}}));
  const auto whole = full.TakeEvents(), short_one = compact.TakeEvents(), short_other = other.TakeEvents();
  ASSERT_GE(whole.size(), 10u);
  ASSERT_EQ(whole.size(), short_one.size());
  ASSERT_EQ(whole.size(), short_other.size());
  for (size_t i = 0; i < whole.size(); ++i) {
    EXPECT_EQ(Filled(short_one[i]), Sorted(whole[i]));
    EXPECT_EQ(short_other[i].Json(), short_one[i].Json()) << "both encodings carry the same maps";
  }
  std::map<std::string, size_t> left_out;
  for (size_t i = 0; i < whole.size(); ++i)
    left_out[whole[i].ev()] += whole[i].Json().size() > short_one[i].Json().size() ? 1 : 0;
  for (const char* ev : {"thread.created", "participant.added", "message.created", "message.updated",
                         "tab.updated", "inbox.updated"})
    EXPECT_GT(left_out[ev], 0u) << ev;
}

TEST_P(CompactTest, an_event_of_a_plain_message_has_only_its_own_fields) {
  FakeClient ana = Join("ana"), bob = Join("bob", kCompact);
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  bob.TakeAll();
  const Frame sent = world_.Say(ana, thread, "x");
  const auto events = bob.TakeEvents();
  ASSERT_THAT(Lines(events), ElementsAre("message.created 4"));
  EXPECT_EQ(events[0].root().as_map()->size(), 4u) << events[0].Json();
  EXPECT_EQ(events[0].At("item")->as_map()->size(), 6u) << events[0].Json();
  EXPECT_EQ(events[0].Text("item.createdAt"), sent.Text("ok.createdAt"));
}

TEST_P(CompactTest, sessions_that_do_not_ask_for_it_receive_every_field) {
  FakeClient ana = Join("ana"), compact = Join("bob", kCompact), bob = Join("bob", R"("compact":false)");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  bob.TakeAll();
  world_.Say(ana, thread, "x");
  const auto events = bob.TakeEvents();
  ASSERT_THAT(Lines(events), ElementsAre("message.created 4"));
  EXPECT_EQ(events[0].root().as_map()->size(), 5u);
  EXPECT_EQ(events[0].At("item")->as_map()->size(), 17u) << events[0].Json();
}

TEST_P(CompactTest, pages_equal_the_full_ones_after_filling_in) {
  FakeClient ana = Join("ana"), compact = Join("ana", kCompact);
  const std::string thread = NewProject(ana);
  const std::string of_thread = Args({{"threadId", thread}});
  const std::vector<std::pair<std::string, std::string>> pages = {
      {"thread.get", of_thread},
      {"thread.open", Args({{"threadId", thread}, {"afterSeq", 1}})},
      {"thread.changes", Args({{"threadId", thread}, {"afterSeq", 0}})},
      {"participant.list", of_thread},
      {"message.list", of_thread},
      {"card.list", of_thread},
      {"inbox.list", "{}"}};
  for (const auto& [op, args] : pages) {
    const uint32_t id = ana.Send(op, args);
    world_->Settle();
    const Frame whole = *ana.TakeReply(id);
    compact.TakeAll();
    const uint32_t other = compact.Send(op, args);
    world_->Settle();
    const Frame part = *compact.TakeReply(other);
    ASSERT_TRUE(whole.ok()) << whole.Json();
    ASSERT_TRUE(part.ok()) << part.Json();
    const Frame filled(Encoding::kMsgpack, tests::Filled(part.root(), op));
    EXPECT_EQ(tests::Sorted(*filled.At("ok")), tests::Sorted(*whole.At("ok"))) << op;
    EXPECT_LT(part.Json().size(), whole.Json().size()) << op;
    EXPECT_EQ(part.At("ok")->as_map()->size(), whole.At("ok")->as_map()->size())
        << op << ": a reply's own fields stay";
  }
}

TEST_P(CompactTest, replies_to_writes_and_replies_over_http_are_full) {
  FakeClient ana = Join("ana"), compact = Join("ana", kCompact);
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  const std::string message = world_.Say(ana, thread, "x").Text("ok.messageId");
  const Frame edited =
      compact.Ask("message.edit", Args({{"threadId", thread}, {"messageId", message}, {"body", "y"}}));
  EXPECT_EQ(edited.Json("ok.message.reactions"), "[]");
  EXPECT_EQ(edited.Json("ok.message.deletedAt"), "null");
  const Frame stale =
      compact.Ask("thread.update", Args({{"threadId", thread}, {"version", 9}, {"subject", "s"}}));
  EXPECT_EQ(stale.error(), "VERSION_CONFLICT");
  EXPECT_EQ(stale.Json("error.current.lbgId"), "null");
  const auto page = world_->Http("POST", "/v1/ops/message.list", Args({{"threadId", thread}}),
                                 {{"Authorization", "Bearer " + world_->Token("ana")}});
  EXPECT_NE(page.body.find(R"("reactions":[])"), std::string::npos);
}

TEST_P(CompactTest, catch_up_marks_an_edited_message_that_it_had_not_sent_before) {
  FakeClient ana = Join("ana"), bob = Join("bob", kCompact);
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  const std::string message = world_.Say(ana, thread, "x").Text("ok.messageId");
  world_.Say(ana, thread, "left alone");
  world_->Advance(1'000);
  ana.Ask("message.edit", Args({{"threadId", thread}, {"messageId", message}, {"body", "y"}}));
  const std::string epoch = world_->node().table().identity().epoch;
  const std::string resume = R"("resume":{"epoch":")" + epoch + R"(","threads":{")" + thread + R"(":3}})";
  FakeClient full = Join("bob", resume), compact = Join("bob", std::string(kCompact) + "," + resume);
  world_->Settle();
  const auto whole = full.TakeEvents(), part = compact.TakeEvents();
  ASSERT_THAT(Lines(part), ElementsAre("message.created 5", "message.created 6", "thread.synced 6"));
  EXPECT_FALSE(part[0].Has("at"));
  EXPECT_NE(part[1].Text("at"), part[1].Text("item.createdAt"));
  for (size_t i = 0; i < part.size(); ++i) EXPECT_EQ(Filled(part[i]), Sorted(whole[i]));
}

TEST_P(CompactTest, is_a_flag) {
  FakeClient client = world_->Connect({.encoding = GetParam()});
  const Frame refused = client.Hello(world_->Token("ana"), R"("compact":"yes")");
  EXPECT_EQ(refused.error(), "BAD_REQUEST");
  EXPECT_TRUE(refused.Has("error.fields.compact"));
}

}  // namespace
}  // namespace parley::gateway_test
