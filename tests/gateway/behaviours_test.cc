// Behaviours of the messaging domain, one test each, on the whole server with a fake network: threads and
// messages. The other behaviours_*_test.cc and cards_test.cc contain the rest.
#include <gtest/gtest.h>

#include "tests/gateway/behaviours_scene.h"

namespace parley::gateway_test {
namespace {

TEST_F(Behaviours, an_inquiry_has_buyer_and_seller_and_the_brief_in_its_tab) {
  const std::string thread = Inquiry(R"(,"brief":{"title":"Saturday"})");
  const Frame got = ann_.Ask("thread.get", In(thread));
  EXPECT_EQ(got.Text("ok.thread.kind"), "inquiry");
  EXPECT_EQ(got.Json("ok.thread.participants"), R"(["ann","bob"])");
  EXPECT_EQ(got.Text("ok.tabs.0.tab"), "brief");
  EXPECT_EQ(got.Json("ok.tabs.0.content"), R"({"title":"Saturday"})");
}

TEST_F(Behaviours, another_role_makes_another_thread_and_the_same_role_makes_no_duplicate) {
  const std::string model = Inquiry(R"(,"role":"model")"), stylist = Inquiry(R"(,"role":"stylist")");
  EXPECT_NE(model, stylist);
  const Frame again = ann_.Ask(
      "thread.create", R"({"kind":"inquiry","buyerUserId":"ann","sellerUserId":"bob","role":"model"})");
  EXPECT_EQ(Code(again), "ALREADY_EXISTS");
  EXPECT_EQ(again.Text("error.current.threadId"), model);
}

TEST_F(Behaviours, checkout_promotes_an_inquiry_once_and_keeps_its_messages) {
  const std::string thread = Inquiry();
  Send(ann_, thread, "m1", "hello");
  const std::string promote = In(thread, R"(,"legId":"leg_1","eventId":"checkout-1")");
  const Frame project = Service("thread.promote", promote);
  EXPECT_EQ(project.Text("thread.kind"), "project");
  EXPECT_EQ(project.Text("thread.legId"), "leg_1");
  const int64_t seq = project.Int("thread.lastSeq");
  EXPECT_EQ(Service("thread.promote", promote).Int("thread.lastSeq"), seq);
  const Frame kept = ann_.Ask("message.list", In(thread));
  ASSERT_EQ(kept.Size("ok.messages"), 2u);
  EXPECT_EQ(kept.Text("ok.messages.1.body"), "hello");
  EXPECT_EQ(kept.Text("ok.messages.0.type"), "system");
  EXPECT_EQ(kept.Text("ok.messages.0.body"), "This inquiry is now a project");
  EXPECT_EQ(Code(ann_.Ask("thread.promote", promote)), "FORBIDDEN");
}

TEST_F(Behaviours, a_booking_without_an_inquiry_creates_its_own_project_thread) {
  const Frame made = Service(
      "thread.create",
      R"({"kind":"project","buyerUserId":"ann","sellerUserId":"bob","lbgId":"lbg_1","clientId":"b1"})");
  EXPECT_EQ(made.Text("thread.kind"), "project");
  EXPECT_EQ(made.Json("thread.participants"), R"(["ann","bob"])");
}

TEST_F(Behaviours, threads_of_a_leg_or_an_lbg_are_listed_in_order_of_creation) {
  std::vector<std::string> made;
  for (int i = 0; i < 3; ++i) {
    const std::string n = std::to_string(i);
    made.push_back(Inquiry(R"(,"lbgId":"lbg_1","role":"r)" + n + R"(","legId":"leg_)" + n + "\""));
    world_.clock().Advance(5);
  }
  const Frame all = ann_.Ask("thread.byProject", R"({"lbgId":"lbg_1"})");
  ASSERT_EQ(all.Size("ok.threads"), 3u);
  for (size_t i = 0; i < 3; ++i)
    EXPECT_EQ(all.Text("ok.threads." + std::to_string(i) + ".threadId"), made[i]);
  EXPECT_EQ(ann_.Ask("thread.byProject", R"({"legId":"leg_1"})").Text("ok.threads.0.threadId"), made[1]);
  EXPECT_EQ(eve_.Ask("thread.byProject", R"({"lbgId":"lbg_1"})").Size("ok.threads"), 0u);
}

TEST_F(Behaviours, a_locked_thread_can_be_read_and_refuses_writes_until_it_is_unlocked) {
  const std::string thread = Inquiry();
  FakeClient staff = Staff();
  staff.Ask("thread.setStatus", In(thread, R"(,"status":"locked","reason":"review")"));
  EXPECT_EQ(Code(Send(ann_, thread, "m1", "hello")), "THREAD_LOCKED");
  EXPECT_EQ(Code(ann_.Ask("thread.open", In(thread))), "ok");
  EXPECT_EQ(Code(ann_.Ask("thread.setStatus", In(thread, R"(,"status":"open","reason":"x")"))), "FORBIDDEN");
  staff.Ask("thread.setStatus", In(thread, R"(,"status":"open","reason":"done")"));
  EXPECT_EQ(Code(Send(ann_, thread, "m1", "hello")), "ok");
}

TEST_F(Behaviours, an_archived_thread_leaves_that_users_inbox_until_a_message_arrives) {
  const std::string thread = Inquiry();
  ann_.Ask("inbox.set", In(thread, R"(,"archived":true)"));
  EXPECT_FALSE(EntryOf(ann_, thread).Has("threadId"));
  EXPECT_TRUE(EntryOf(bob_, thread).Has("threadId"));
  EXPECT_EQ(ann_.Ask("inbox.list", R"({"folder":"archived"})").Size("ok.entries"), 1u);
  Send(bob_, thread, "m1", "anybody there?");
  EXPECT_FALSE(EntryOf(ann_, thread).Bool("archived"));
  EXPECT_EQ(ann_.Ask("inbox.list", R"({"folder":"archived"})").Size("ok.entries"), 0u);
}

TEST_F(Behaviours, a_non_participant_cannot_learn_that_the_thread_exists) {
  const std::string thread = Inquiry();
  const std::string nowhere = "thrd_00000000000000000000000000";
  for (const std::string& id : {thread, nowhere}) {
    EXPECT_EQ(Code(eve_.Ask("thread.get", In(id))), "THREAD_NOT_MEMBER");
    EXPECT_EQ(Code(eve_.Ask("thread.open", In(id))), "THREAD_NOT_MEMBER");
    EXPECT_EQ(Code(eve_.Ask("thread.close", In(id))), "THREAD_NOT_MEMBER");
    EXPECT_EQ(Code(eve_.Ask("message.list", In(id))), "THREAD_NOT_MEMBER");
    EXPECT_EQ(Code(eve_.Ask("typing.set", In(id, R"(,"typing":true)"))), "THREAD_NOT_MEMBER");
    EXPECT_EQ(Code(eve_.Ask("inbox.set", In(id, R"(,"pinned":true)"))), "THREAD_NOT_MEMBER");
    EXPECT_EQ(Code(Send(eve_, id, "m1", "let me in")), "THREAD_NOT_MEMBER");
    EXPECT_EQ(Code(eve_.Ask("thread.changes", In(id, R"(,"afterSeq":0)"))), "THREAD_NOT_MEMBER");
    EXPECT_EQ(Code(eve_.Ask("participant.list", In(id))), "THREAD_NOT_MEMBER");
    EXPECT_EQ(Code(eve_.Ask("card.list", In(id))), "THREAD_NOT_MEMBER");
    EXPECT_EQ(Code(eve_.Ask("tab.get", In(id, R"(,"tab":"brief")"))), "THREAD_NOT_MEMBER");
    EXPECT_EQ(Code(eve_.Ask("card.create", In(id, R"(,"clientId":"k","type":"CUSTOM","payload":{})"))),
              "THREAD_NOT_MEMBER");
  }
  const Frame inside = ann_.Ask("message.list", In(thread));
  ASSERT_TRUE(inside.Has("ok")) << "who is one learns it";
  EXPECT_EQ(inside.Size("ok.messages"), 0u) << "and nothing was written";
  EXPECT_TRUE(eve_.TakeEvents().empty());
}

TEST_F(Behaviours, the_server_assigns_ids_and_times_and_the_order_never_changes) {
  const std::string thread = Inquiry();
  std::vector<std::string> sent;
  for (int i = 0; i < 4; ++i) {
    sent.push_back(Send(i % 2 ? bob_ : ann_, thread, "m" + std::to_string(i), "x").Text("ok.messageId"));
    world_.clock().JumpWall(i == 1 ? -5000 : 3);  // a clock that steps back changes nothing
  }
  ann_.Ask("message.edit", In(thread, R"(,"body":"y","messageId":)" + Quoted(sent[0])));
  const Frame page = ann_.Ask("message.list", In(thread));
  for (size_t i = 0; i < 4; ++i) {
    const std::string at = "ok.messages." + std::to_string(3 - i);
    EXPECT_EQ(page.Text(at + ".messageId"), sent[i]);
    EXPECT_EQ(page.Int(at + ".msgNo"), static_cast<int64_t>(i) + 1);
    if (i > 0) {
      EXPECT_LT(sent[i - 1], sent[i]);
    }
  }
}

TEST_F(Behaviours, a_repeated_client_id_yields_one_message_and_the_same_reply) {
  const std::string thread = Inquiry();
  const Frame first = Send(ann_, thread, "m1", "hello"), second = Send(ann_, thread, "m1", "hello");
  EXPECT_EQ(first.Text("ok.messageId"), second.Text("ok.messageId"));
  EXPECT_FALSE(first.Bool("ok.duplicate"));
  EXPECT_TRUE(second.Bool("ok.duplicate"));
  const Frame page = bob_.Ask("message.list", In(thread));
  EXPECT_EQ(page.Size("ok.messages"), 1u);
  EXPECT_EQ(page.Text("ok.messages.0.clientId"), "m1");
}

TEST_F(Behaviours, the_same_client_id_with_another_body_is_a_conflict) {
  const std::string thread = Inquiry();
  Send(ann_, thread, "m1", "hello");
  EXPECT_EQ(Code(Send(ann_, thread, "m1", "goodbye")), "IDEMPOTENCY_CONFLICT");
  EXPECT_EQ(Code(Send(bob_, thread, "m1", "goodbye")),
            "ok");  // client ids of different authors are independent
}

TEST_F(Behaviours, two_messages_of_one_millisecond_both_stay_in_order) {
  const std::string thread = Inquiry();
  const std::string first = Send(ann_, thread, "m1", "1").Text("ok.messageId"),
                    second = Send(bob_, thread, "m2", "2").Text("ok.messageId");
  const Frame page = ann_.Ask("message.list", In(thread));
  EXPECT_EQ(page.Text("ok.messages.0.createdAt"), page.Text("ok.messages.1.createdAt"));
  EXPECT_EQ(page.Text("ok.messages.1.messageId"), first);
  EXPECT_EQ(page.Text("ok.messages.0.messageId"), second);
}

// Renderers sanitise bodies (docs/rendering.md); the server never interprets them.
TEST_F(Behaviours, a_body_comes_back_byte_for_byte_and_its_preview_is_plain_text) {
  const std::string thread = Inquiry();
  const std::vector<std::string> texts = {"<script>alert(1)</script> <b onclick=x>there</b>",
                                          "[a](javascript:alert(1)) <javascript:x> [b]: data:text/html,x",
                                          "  leading\ttabs\r\nand\nends  \n",
                                          "&lt;b&gt; \u202e \ufeff \u0301 \U0001F469\u200d\U0001F680"};
  for (size_t i = 0; i < texts.size(); ++i) {
    const Frame sent = ann_.Ask("message.send", Args({{"threadId", thread},
                                                      {"clientId", "c" + std::to_string(i)},
                                                      {"type", "text"},
                                                      {"body", texts[i]}}));
    ASSERT_TRUE(sent.ok()) << sent.Json();
    EXPECT_EQ(bob_.Ask("message.list", In(thread)).Text("ok.messages.0.body"), texts[i]);
  }
  const std::string message = bob_.Ask("message.list", In(thread)).Text("ok.messages.0.messageId");
  const Frame edited =
      ann_.Ask("message.edit", Args({{"threadId", thread}, {"messageId", message}, {"body", texts[0]}}));
  EXPECT_EQ(edited.Text("ok.message.body"), texts[0]);
  EXPECT_EQ(bob_.Ask("inbox.list").Text("ok.entries.0.lastMessage.preview"), texts[0]);
  ann_.Ask(
      "message.edit",
      Args({{"threadId", thread}, {"messageId", message}, {"body", "# **Ten** [o'clock](https://x.org)"}}));
  EXPECT_EQ(bob_.Ask("inbox.list").Text("ok.entries.0.lastMessage.preview"), "Ten o'clock");
}

TEST_F(Behaviours, a_nul_in_any_text_of_a_request_is_refused_and_the_field_is_named) {
  const std::string thread = Inquiry();
  for (const auto encoding : {protocol::Encoding::kJson, protocol::Encoding::kMsgpack}) {
    FakeClient ann = world_->Join("ann", encoding);
    const auto refused = [&](std::string_view op, const std::string& args, const std::string& field) {
      const Frame reply = ann.Ask(op, args);
      EXPECT_EQ(reply.error(), "BAD_REQUEST") << op << " " << args;
      // Looked up as text: a path cannot name a key that contains dots.
      EXPECT_NE(reply.Json("error.fields").find(Quoted(field) + ":"), std::string::npos) << reply.Json();
    };
    const std::string create = R"({"kind":"inquiry","buyerUserId":"ann","sellerUserId":"bob")";
    refused("thread.create", create + R"(,"role":"a\u0000b"})", "role");
    refused("thread.create", create + R"(,"subject":"\u0000"})", "subject");
    refused("thread.create", create + R"(,"firstMessage":"a\u0000"})", "firstMessage");
    refused("thread.create", create + R"(,"brief":{"goals":["\u0000"]}})", "brief");
    refused("thread.create", create + R"(,"brief":{"go\u0000als":"x"}})", "brief");
    refused("thread.create", create + R"(,"clientId":"\u0000"})", "clientId");
    refused("inbox.set", In(thread, R"(,"label":"a\u0000b")"), "label");
    refused("inbox.list", R"({"label":"a\u0000b"})", "label");
    refused("inbox.list", R"({"cursor":"a\u0000b"})", "cursor");
    refused("message.send", In(thread, R"(,"clientId":"c","type":"text","body":"\u0000")"), "body");
    EXPECT_EQ(ann.Ask(std::string("thread.get\0", 11), In(thread)).error(), "UNKNOWN_OP");
    EXPECT_EQ(ann.close_code(), 0);
  }
}

TEST_F(Behaviours, a_body_over_its_limit_is_refused_and_changes_nothing) {
  const std::string thread = Inquiry();
  EXPECT_EQ(Code(Send(ann_, thread, "m1", std::string(8 * 1024, 'x'))), "ok");
  EXPECT_EQ(Code(Send(ann_, thread, "m2", std::string(8 * 1024 + 1, 'x'))), "TOO_LARGE");
  EXPECT_EQ(ann_.Ask("message.list", In(thread)).Size("ok.messages"), 1u);
}

TEST_F(Behaviours, types_are_enforced_and_clients_cannot_author_system_messages) {
  const std::string thread = Inquiry();
  for (const char* type : {"system", "action", "voice"}) {
    EXPECT_EQ(
        Code(ann_.Ask("message.send", In(thread, R"(,"clientId":"m","body":"x","type":)" + Quoted(type)))),
        "BAD_REQUEST");
  }
  const std::string asset = R"(,"clientId":"a","type":"asset","body":"")";
  EXPECT_EQ(Code(ann_.Ask("message.send", In(thread, asset))), "BAD_REQUEST");
  EXPECT_EQ(Code(ann_.Ask("message.send",
                          In(thread, asset + R"(,"attachments":[{"manifestRef":"https://x.example/k"}])"))),
            "ok");
}

TEST_F(Behaviours, an_edit_is_an_event_and_the_message_keeps_its_place) {
  const std::string thread = Inquiry();
  const Frame sent = Send(ann_, thread, "m1", "helo");
  bob_.TakeEvents();
  const Frame edited = ann_.Ask(
      "message.edit", In(thread, R"(,"body":"hello","messageId":)" + Quoted(sent.Text("ok.messageId"))));
  EXPECT_EQ(edited.Int("ok.message.msgNo"), sent.Int("ok.msgNo"));
  EXPECT_GT(edited.Int("ok.message.seq"), sent.Int("ok.seq"));
  EXPECT_NE(edited.Json("ok.message.editedAt"), "null");
  const auto events = bob_.TakeEvents();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].Text("ev"), "message.updated");
  EXPECT_EQ(events[0].Text("item.body"), "hello");
}

TEST_F(Behaviours, staff_read_earlier_versions_of_a_message_and_the_look_is_recorded) {
  const std::string thread = Inquiry();
  const std::string id = Send(ann_, thread, "m1", "one").Text("ok.messageId");
  const std::string of_message = R"(,"messageId":)" + Quoted(id);
  ann_.Ask("message.edit", In(thread, of_message + R"(,"body":"two")"));
  world_.clock().Advance(1000);
  ann_.Ask("message.edit", In(thread, of_message + R"(,"body":"three")"));
  FakeClient staff = Staff();
  staff.Ask("message.delete", In(thread, of_message + R"(,"reason":"abuse")"));
  EXPECT_EQ(Code(ann_.Ask("message.history", In(thread, of_message))), "FORBIDDEN");
  EXPECT_EQ(Code(eve_.Ask("message.history", In(thread, of_message))), "THREAD_NOT_MEMBER");
  EXPECT_EQ(Service("message.history", In(thread, of_message)).Text("error.code"), "FORBIDDEN");

  const Frame page = staff.Ask("message.history", In(thread, of_message + R"(,"limit":2)"));
  ASSERT_EQ(page.Size("ok.versions"), 2u);
  EXPECT_EQ(page.Text("ok.versions.0.before.body"), "three");
  EXPECT_EQ(page.Text("ok.versions.0.by"), "mod");
  EXPECT_EQ(page.Text("ok.versions.0.reason"), "abuse");
  EXPECT_EQ(page.Text("ok.versions.1.before.body"), "two");
  EXPECT_EQ(page.Text("ok.versions.1.by"), "ann");
  EXPECT_EQ(page.Text("ok.versions.1.at"), protocol::FormatTime(world_.clock().Now()));
  const Frame rest =
      staff.Ask("message.history", In(thread, of_message + R"(,"cursor":)" + Quoted(page.Text("ok.cursor"))));
  ASSERT_EQ(rest.Size("ok.versions"), 1u);
  EXPECT_EQ(rest.Text("ok.versions.0.before.body"), "one");
  EXPECT_EQ(rest.Json("ok.cursor"), "null");
  EXPECT_EQ(
      Code(staff.Ask("message.history", In(thread, R"(,"messageId":"msg_00000000000000000000000000")"))),
      "NOT_FOUND");

  Service("participant.add", In(thread, R"(,"userId":"mod")"));
  staff.Ask("message.history", In(thread, of_message));
  const Frame audit = staff.Ask("thread.audit", In(thread));
  int looks = 0;
  for (size_t i = 0; i < audit.Size("ok.entries"); ++i)
    looks += audit.Text("ok.entries." + std::to_string(i) + ".op") == "message.history";
  EXPECT_EQ(looks, 4) << "the look of a member who is staff, too";
}

}  // namespace
}  // namespace parley::gateway_test
