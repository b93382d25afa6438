// A session past its hello: frames, ids, errors, replies.
#include <set>

#include "gateway/app/node.h"
#include "tests/gateway/session_scene.h"

namespace parley::gateway_test {
namespace {

using protocol::Encoding;
using testing::ElementsAre;
using testing::IsEmpty;

class SessionTest : public SessionScene {};
INSTANTIATE_TEST_SUITE_P(Encodings, SessionTest, testing::Values(Encoding::kJson, Encoding::kMsgpack),
                         EncodingName);

// --- frames

TEST_P(SessionTest, a_frame_of_the_other_kind_closes_with_1003) {
  FakeClient ana = Join("ana");
  ana.connection().Type(R"({"id":1,"op":"session.ping"})", GetParam() == Encoding::kJson);
  world_->Settle();
  EXPECT_EQ(ana.close_code(), 1003);
}

TEST_P(SessionTest, undecodable_frames_close_with_1007) {
  for (const std::string& bytes : {std::string(), std::string("\xc1"), std::string("{\"op\":1"),
                                   std::string("{}\0{}", 5), std::string("\x81\xa2op")}) {
    FakeClient ana = Join("ana");
    ana.SendRaw(bytes);
    world_->Settle();
    EXPECT_EQ(ana.close_code(), 1007) << testing::PrintToString(bytes);
  }
}

TEST_P(SessionTest, frames_that_are_not_requests_close_with_4400) {
  for (const char* json :
       {"[]", "7", "null", "\"session.ping\"", "{}", R"({"id":1})", R"({"op":7})", R"({"op":null})",
        R"({"id":-1,"op":"session.ping"})", R"({"id":4294967296,"op":"session.ping"})",
        R"({"id":1.5,"op":"session.ping"})", R"({"id":"1","op":"session.ping"})",
        R"({"id":null,"op":"session.ping"})", R"({"id":9007199254740992,"op":"session.ping"})"}) {
    FakeClient ana = Join("ana");
    ana.SendMap(json);
    world_->Settle();
    EXPECT_EQ(ana.close_code(), 4400) << json;
    EXPECT_THAT(ana.TakeAll(), IsEmpty()) << json;
  }
}

TEST_P(SessionTest, frames_after_a_fault_are_ignored) {
  FakeClient ana = Join("ana");
  ana.SendMap("[]");
  ana.Send("session.ping");
  world_->Settle();
  EXPECT_THAT(ana.TakeAll(), IsEmpty());
  EXPECT_EQ(ana.connection().sends_after_close(), 0u);
}

// --- ids and replies

TEST_P(SessionTest, ids_are_any_unsigned_32_bit_number_and_reusable_once_answered) {
  FakeClient ana = Join("ana");
  for (const char* id : {"0", "4294967295", "0", "5.0", "5"}) {
    ana.SendMap(R"({"op":"session.ping","id":)" + std::string(id) + "}");
    world_->Settle();
  }
  EXPECT_THAT(Lines(ana.TakeAll()),
              ElementsAre("reply 0 ok", "reply 4294967295 ok", "reply 0 ok", "reply 5 ok", "reply 5 ok"));
}

TEST_P(SessionTest, an_outstanding_id_closes_with_4400) {
  FakeClient ana = Join("ana");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  world_->HoldExecutor(true);
  for (const char* client_id : {"a", "b"}) {
    ana.SendMap(R"({"id":77,"op":"message.send","args":)" + SendArgs(thread, client_id) + "}");
  }
  world_->Settle();
  EXPECT_EQ(ana.close_code(), 4400);
}

TEST_P(SessionTest, each_request_with_an_id_is_answered_exactly_once) {
  FakeClient ana = Join("ana");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  ana.TakeAll();
  std::set<std::string> expected;
  for (int i = 0; i < 1000; ++i) {
    const uint32_t id = i % 3 == 0   ? ana.Send("session.ping")
                        : i % 3 == 1 ? ana.Send("message.send", SendArgs(thread, std::to_string(i)))
                                     : ana.Send("thread.get", Args({{"threadId", thread}}));
    expected.insert("reply " + std::to_string(id) + " ok");
  }
  world_->Settle();
  std::set<std::string> got;
  for (const Frame& frame : ana.TakeAll()) {
    if (!frame.reply_to()) continue;
    EXPECT_TRUE(got.insert(frame.Line()).second) << frame.Line();
  }
  EXPECT_EQ(got, expected);
}

TEST_P(SessionTest, a_request_without_id_is_carried_out_and_not_answered) {
  FakeClient ana = Join("ana");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  ana.TakeAll();
  ana.SendMap(R"({"op":"message.send","args":)" + SendArgs(thread, "quiet") + "}");
  ana.SendMap(R"({"op":"no.such.op"})");
  ana.SendMap(R"({"op":"thread.get","args":{"threadId":"nonsense"}})");
  world_->Settle();
  EXPECT_THAT(Lines(ana.TakeAll()), ElementsAre("message.created 4"));
}

TEST_P(SessionTest, missing_and_null_args_are_empty_args) {
  FakeClient ana = Join("ana");
  ana.SendMap(R"({"id":1,"op":"inbox.list"})");
  ana.SendMap(R"({"id":2,"op":"inbox.list","args":null})");
  ana.SendMap(R"({"id":3,"op":"inbox.list","args":7})");
  world_->Settle();
  EXPECT_THAT(Lines(ana.TakeAll()), ElementsAre("reply 1 ok", "reply 2 ok", "reply 3 BAD_REQUEST"));
}

TEST_P(SessionTest, a_session_writes_to_a_thread_in_the_order_sent) {
  FakeClient ana = Join("ana");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  std::vector<uint32_t> ids;
  for (int i = 0; i < 200; ++i) ids.push_back(ana.Send("message.send", SendArgs(thread, std::to_string(i))));
  world_->Settle();
  for (size_t i = 0; i < ids.size(); ++i) {
    const auto reply = ana.TakeReply(ids[i]);
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->Int("ok.msgNo"), static_cast<int64_t>(i) + 1);
  }
}

// --- errors

TEST_P(SessionTest, an_unknown_op_is_refused_and_the_session_continues) {
  FakeClient ana = Join("ana");
  for (const std::string& op : {std::string("no.such.op"), std::string(), std::string("Session.Ping"),
                                std::string("session.ping "), std::string(5000, 'x')}) {
    EXPECT_EQ(ana.Ask(op).error(), "UNKNOWN_OP") << op.substr(0, 30);
  }
  EXPECT_TRUE(ana.Ask("session.ping").ok());
}

TEST_P(SessionTest, an_error_contains_code_message_hint_and_a_unique_correlation_id) {
  FakeClient ana = Join("ana");
  std::set<std::string> ids;
  for (int i = 0; i < 3; ++i) {
    const Frame reply = ana.Ask("thread.get", R"({"threadId":"thrd_00000000000000000000000000"})");
    EXPECT_EQ(reply.error(), "THREAD_NOT_MEMBER");
    EXPECT_NE(reply.Text("error.message"), "");
    EXPECT_EQ(reply.Text("error.hint"), "This conversation is not available to you.");
    EXPECT_EQ(reply.At("error")->as_map()->size(), 4u) << reply.Json();
    ids.insert(reply.Text("error.corrId"));
  }
  EXPECT_EQ(ids.size(), 3u);
}

// Regression: the text was cut inside a character; printing the reply as JSON then threw and killed the
// process, even before a hello.
TEST_P(SessionTest, a_long_unknown_field_is_cut_at_a_whole_character) {
  for (const char* character : {"\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80"}) {
    for (size_t lead = 59; lead <= 65; ++lead) {
      const std::string name = std::string(lead, 'a') + character + "b";
      FakeClient stranger = world_->Connect({GetParam(), ""});
      const Frame reply = stranger.Ask("session.hello", Args({{name, 1}}));
      EXPECT_EQ(reply.error(), "BAD_REQUEST");
      const std::string shown((*reply.At("error.fields")->as_map())[0].first);
      EXPECT_TRUE(name.starts_with(shown) && protocol::IsUtf8(shown)) << shown;
      EXPECT_GE(shown.size(), 61u);
    }
  }
}

TEST_P(SessionTest, a_store_failure_is_unavailable_and_its_reason_stays_internal) {
  FakeClient ana = Join("ana");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  world_.table().InjectFault(storage::MemoryFault::kCommitFails);
  const Frame reply = ana.Ask("message.send", SendArgs(thread, "a"));
  EXPECT_EQ(reply.error(), "UNAVAILABLE");
  EXPECT_EQ(reply.Text("error.message"), "the store takes no writes");
  EXPECT_EQ(ana.Ask("message.send", SendArgs(thread, "b")).error(), "UNAVAILABLE");
  EXPECT_TRUE(ana.Ask("thread.get", Args({{"threadId", thread}})).ok()) << "reads go on";
  EXPECT_EQ(world_->Http("GET", "/readyz").status, 503);
}

// --- several of a session's ops

TEST_P(SessionTest, a_thread_may_have_as_many_participants_in_one_frame_as_the_hello_allows) {
  FakeClient ana = world_->Connect();
  const Frame hello = ana.Ask("session.hello", Args({{"token", world_->Token("ana")}}));
  const int64_t named = hello.Int("ok.limits.maxNamedParticipants");
  EXPECT_EQ(named, 500);
  EXPECT_EQ(hello.Int("ok.limits.maxParticipants"), 10'000);
  const auto create = [&](int64_t count) {
    std::string others = "[";
    for (int64_t i = 0; i < count; ++i)
      others += (i ? "," : "") + Args({{"userId", "u" + std::to_string(i)}});
    return ana.Ask("thread.create", Args({{"kind", "project"},
                                          {"buyerUserId", "ana"},
                                          {"sellerUserId", "bob"},
                                          {"participants", JsonArg::Raw(others + "]")}}));
  };
  const Frame reply = create(named);
  EXPECT_EQ(reply.error(), "") << ana.close_code();
  EXPECT_EQ(reply.Int("ok.thread.participantCount"), named + 2);
  const Frame refused = create(named + 1);
  EXPECT_EQ(refused.error(), "BAD_REQUEST");
  EXPECT_EQ(refused.Json("error.fields"), R"({"participants":"has too many elements"})");
}

TEST_P(SessionTest, an_unknown_member_of_a_request_is_refused_without_effect) {
  FakeClient ana = Join("ana");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  ana.TakeAll();
  const std::string send = R"("op":"message.send","args":)" + SendArgs(thread, "c") + "}";
  ana.SendMap(R"({"id":70,"sparkle":null,)" + send);
  ana.SendMap(R"({"sparkle":1,)" + send);
  world_->Settle();
  const std::vector<Frame> frames = ana.TakeAll();
  ASSERT_EQ(frames.size(), 1u) << "one without id is not answered";
  EXPECT_EQ(frames[0].error(), "BAD_REQUEST");
  EXPECT_EQ(frames[0].Json("error.fields"), R"({"sparkle":"unknown field"})");
  EXPECT_EQ(ana.Ask("message.list", Args({{"threadId", thread}})).Size("ok.messages"), 0u);
}

TEST_P(SessionTest, a_bad_cursor_is_refused_before_membership_and_permission) {
  FakeClient ana = Join("ana"), eve = Join("eve");
  const std::string thread =
      ana.Ask("thread.create", Args({{"kind", "inquiry"}, {"buyerUserId", "ana"}, {"sellerUserId", "bob"}}))
          .Text("ok.thread.threadId");
  for (const char* op : {"participant.list", "card.list"}) {
    EXPECT_EQ(eve.Ask(op, Args({{"threadId", thread}, {"cursor", "nonsense"}})).error(), "BAD_REQUEST") << op;
    EXPECT_EQ(eve.Ask(op, Args({{"threadId", thread}})).error(), "THREAD_NOT_MEMBER") << op;
  }
  EXPECT_EQ(ana.Ask("card.list", Args({{"threadId", thread}, {"cursor", "nonsense"}})).error(),
            "BAD_REQUEST");
  EXPECT_EQ(ana.Ask("card.list", Args({{"threadId", thread}})).Size("ok.cards"), 0u);
  EXPECT_EQ(ana.Ask("outbox.list", Args({{"cursor", "nonsense"}})).error(), "BAD_REQUEST");
  EXPECT_EQ(ana.Ask("outbox.list").error(), "FORBIDDEN");
}

TEST_P(SessionTest, a_former_staff_user_receives_no_typing_of_threads_of_others) {
  FakeClient ana = Join("ana");
  const std::string foreign = world_.NewThread(ana, "ana", "bob");
  const std::string own = world_.NewThread(ana, "ana", "sue");
  FakeClient sue = world_->Connect({GetParam(), ""});
  ASSERT_TRUE(sue.Hello(world_->Token("sue", "support")).ok());
  for (const std::string& thread : {foreign, own})
    ASSERT_TRUE(sue.Ask("thread.open", Args({{"threadId", thread}})).ok());
  const auto type_in_both = [&](bool typing) {
    for (const std::string& thread : {foreign, own})
      ana.Ask("typing.set", Args({{"threadId", thread}, {"typing", typing}}));
    std::string received;
    for (const Frame& event : sue.TakeEvents())
      received += event.Text("threadId") == own ? "own " : "foreign ";
    return received;
  };
  EXPECT_EQ(type_in_both(true), "foreign own ");
  ASSERT_TRUE(sue.Ask("session.refresh", Args({{"token", world_->Token("sue")}})).ok());
  EXPECT_EQ(type_in_both(false), "own ");
}

TEST_P(SessionTest, a_user_removed_and_added_again_keeps_threads_opened_since) {
  FakeClient ana = Join("ana"), bob = Join("bob");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  world_->HoldExecutor(true);
  ana.Send("participant.remove", Args({{"threadId", thread}, {"userId", "bob"}}));
  ana.Send("participant.add", Args({{"threadId", thread}, {"userId", "bob"}}));
  world_->Settle();
  bob.Send("thread.open", Args({{"threadId", thread}}));  // arrives before the events of the commits below
  world_->node().executors().Step();
  world_->HoldExecutor(false);
  world_->Settle();
  EXPECT_THAT(Lines(bob.TakeEvents()), testing::Contains("participant.added 5"));
  ana.Ask("typing.set", Args({{"threadId", thread}, {"typing", true}}));
  EXPECT_THAT(Lines(bob.TakeEvents()), ElementsAre("typing"));
}

TEST_P(SessionTest, a_session_may_have_a_thousand_threads_open) {
  FakeClient ana = Join("ana");
  const auto open = [&](const std::string& thread) {
    const Frame reply = ana.Ask("thread.open", Args({{"threadId", thread}}));
    return reply.ok() ? "ok" : reply.error();
  };
  std::vector<std::string> threads;
  for (int i = 0; i <= 1000; ++i) threads.push_back(world_.NewThread(ana, "ana", "u" + std::to_string(i)));
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(open(threads[static_cast<size_t>(i)]), "ok");
  EXPECT_EQ(open(threads.back()), "RATE_LIMITED");
  EXPECT_GT(ana.Ask("thread.open", Args({{"threadId", threads.back()}})).Int("error.retryAfterMs"), 0);
  EXPECT_EQ(open(threads.front()), "ok") << "it is open already";
  ana.Ask("thread.close", Args({{"threadId", threads.front()}}));
  EXPECT_EQ(open(threads.back()), "ok");
}

}  // namespace
}  // namespace parley::gateway_test
