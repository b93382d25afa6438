// message.send, .edit, .delete as decisions.
#include <set>

#include "tests/threads/scene.h"
#include "threads/messages/send_message.h"

namespace parley::threads {
namespace {

using MessageScene = ThreadScene;

TEST(SendDecision, assigns_the_next_seq_and_number_and_sets_the_servers_fields) {
  ExpectRows({
      {"", "buyer message.send body=hello", "4 message.created M1 buyer 'hello'"},
      {"buyer message.send body=hello", "seller message.send body=hi", "5 message.created M2 seller 'hi'"},
      {"", "service(buyer) message.send body=hello", "4 message.created M1 buyer 'hello'"},
      {"buyer message.send body=a", "seller message.send body=b replyTo=M1",
       "5 message.created M2 seller 'b' re:M1"},
      {"",
       "buyer message.send type=asset clientId=a body='' "
       "attachments=[{\"manifestRef\":\"https://x.example/k\"}]",
       "4 message.created M1 buyer '' asset files=1"},
      {"", "buyer message.send body='<b>x</b>'", "4 message.created M1 buyer '<b>x</b>'"},
  });
}

TEST(SendDecision, only_members_with_write_permission_send) {
  ExpectRows({
      {"", "carol message.send body=x", "THREAD_NOT_MEMBER"},
      {"", "buyer message.send threadId=thrd_01h00000000000000000000000 body=x", "THREAD_NOT_MEMBER"},
      {"", "buyer@acme message.send body=x", "THREAD_NOT_MEMBER"},
      {"", "service(carol) message.send body=x", "THREAD_NOT_MEMBER"},
      {"buyer participant.add userId=carol; buyer participant.remove userId=carol",
       "carol message.send body=x", "THREAD_NOT_MEMBER"},
      {"", "service message.send body=x", "FORBIDDEN"},
      {"", "ann(admin) message.send body=x", "FORBIDDEN"},
      {"buyer participant.add userId=ann", "ann(admin) message.send body=x", "5 message.created M1 ann 'x'"},
      {"buyer participant.add userId=carol permission=read", "carol message.send body=x", "FORBIDDEN"},
      {"buyer participant.add userId=carol permission=files", "carol message.send body=x", "FORBIDDEN"},
      {"buyer participant.add userId=carol permission=files",
       "carol message.send type=asset clientId=f body='' "
       "attachments=[{\"kind\":\"manifest\",\"manifestRef\":\"https://x.example/m\"}]",
       "5 message.created M1 carol '' asset files=1"},
      {"buyer participant.add userId=carol permission=files",
       "carol message.send type=asset body=x "
       "attachments=[{\"kind\":\"manifest\",\"manifestRef\":\"https://x.example/m\"}]",
       "FORBIDDEN"},
      {"buyer participant.add userId=carol permission=files; carol message.send type=asset body='' "
       "clientId=f "
       "attachments=[{\"kind\":\"manifest\",\"manifestRef\":\"https://x.example/m\"}]",
       "carol message.edit messageId=M1 body=x", "FORBIDDEN"},
      {"buyer participant.add userId=carol; carol message.send type=asset body=x clientId=f "
       "attachments=[{\"kind\":\"manifest\",\"manifestRef\":\"https://x.example/m\"}]; "
       "buyer participant.update userId=carol permission=files",
       "carol message.edit messageId=M1 body=''", "7 message.updated M1 carol '' asset files=1 edited"},
      {"buyer participant.add userId=carol permission=read",
       "carol message.send type=asset body=x "
       "attachments=[{\"kind\":\"manifest\",\"manifestRef\":\"https://x.example/m\"}]",
       "FORBIDDEN"},
      {"buyer participant.add userId=carol permission=write", "carol message.send body=x",
       "5 message.created M1 carol 'x'"},
  });
}

TEST(SendDecision, a_locked_or_archived_thread_refuses_messages_until_it_is_open_again) {
  ExpectRows({
      {"ann(admin) thread.setStatus status=locked reason=r", "buyer message.send body=x", "THREAD_LOCKED"},
      {"ann(admin) thread.setStatus status=archived reason=r", "buyer message.send body=x",
       "THREAD_ARCHIVED"},
      {"ann(admin) thread.setStatus status=locked reason=r; ann(admin) thread.setStatus status=open reason=r",
       "buyer message.send body=x", "6 message.created M1 buyer 'x'"},
  });
}

TEST(SendDecision, malformed_args_are_reported_first_and_content_last) {
  const std::string long_body(8 * 1024 + 1, 'x'), full_body(8 * 1024, 'x');
  const std::string too_long = "buyer message.send clientId=c body=" + long_body;
  const std::string just_fits = "buyer message.send clientId=c body=" + full_body;
  const std::string fits = "4 message.created M1 buyer '" + full_body + "'";
  ExpectRows({
      {"", too_long, "TOO_LARGE"},
      {"", just_fits, fits},
      {"ann(admin) thread.setStatus status=locked reason=r", too_long, "THREAD_LOCKED"},
      {"", "buyer message.send body='' clientId=c", "BAD_REQUEST body"},
      {"", "carol message.send body='' clientId=c", "BAD_REQUEST body"},
      {"ann(admin) thread.setStatus status=locked reason=r", "buyer message.send body='' clientId=c",
       "BAD_REQUEST body"},
      {"", "buyer message.send type=asset body=x", "BAD_REQUEST attachments"},
      {"", "carol message.send type=asset body=x", "BAD_REQUEST attachments"},
      {"",
       "buyer message.send type=asset body=x "
       "attachments=[{\"kind\":\"preview\",\"manifestRef\":\"https://x.example/m\"}]",
       "BAD_REQUEST attachments"},
      {"", "buyer message.send type=system body=x", "BAD_REQUEST type"},
      {"", "buyer message.send type=action body=x", "BAD_REQUEST type"},
      {"", "buyer message.send body=x nsfwBand=3", "BAD_REQUEST nsfwBand"},
      {"", "buyer message.send body=x nsfwBand=0", "BAD_REQUEST nsfwBand"},
      {"", "buyer message.send type=asset body=x attachments=[{\"kind\":\"preview\",\"s3Key\":\"k\"}]",
       "BAD_REQUEST attachments"},
      {"", "buyer message.send body=x replyTo=msg_01h00000000000000000000000", "NOT_FOUND"},
      {"", "buyer message.send body=x colour=red", "BAD_REQUEST colour"},
  });
}

TEST(SendDecision, a_repeat_is_answered_right_after_the_membership_check) {
  const std::string sent = "buyer message.send clientId=c body=x";
  const auto repeat = [&](const std::string& then, std::string_view what = "nothing") {
    ExpectRows({{then, sent, what}});
  };
  repeat(sent);
  repeat(sent + "; ann(admin) thread.setStatus status=locked reason=r");
  repeat(sent + "; ann(admin) thread.setStatus status=archived reason=r");
  repeat(sent + "; service participant.update userId=buyer permission=read");
  repeat(sent + "; buyer message.edit messageId=M1 body=y");
  repeat(sent + "; buyer message.delete messageId=M1");
  repeat(sent + "; +24h");
  repeat(sent + "; seller participant.remove userId=buyer", "THREAD_NOT_MEMBER");
}

TEST(SendDecision, the_same_client_id_with_other_args_conflicts_before_the_permission_check) {
  const std::string sent = "buyer message.send clientId=c body=x";
  const std::string locked = sent + "; ann(admin) thread.setStatus status=locked reason=r";
  const std::string demoted = sent + "; service participant.update userId=buyer permission=read";
  ExpectRows({
      {sent, "buyer message.send clientId=c body=y", "IDEMPOTENCY_CONFLICT"},
      {sent, "buyer message.send clientId=c body=x nsfwBand=1", "IDEMPOTENCY_CONFLICT"},
      {sent, "buyer message.send clientId=c body=x replyTo=M1", "IDEMPOTENCY_CONFLICT"},
      {locked, "buyer message.send clientId=c body=y", "IDEMPOTENCY_CONFLICT"},
      {demoted, "buyer message.send clientId=c body=y", "IDEMPOTENCY_CONFLICT"},
      {sent, "seller message.send clientId=c body=y", "5 message.created M2 seller 'y'"},
      {sent, "buyer message.send clientId=d body=x", "5 message.created M2 buyer 'x'"},
  });
}

TEST_F(MessageScene, a_repeat_gets_the_first_result_word_for_word_except_duplicate) {
  scene.Given("buyer message.send clientId=c body=x");
  const std::string first = scene.Reply("messageId") + scene.Reply("createdAt") + scene.Reply("seq");
  EXPECT_EQ(scene.Reply("duplicate"), "false");
  scene.Given("+1h; seller message.send body=y; buyer message.send clientId=c body=x");
  EXPECT_EQ(scene.Reply("messageId") + scene.Reply("createdAt") + scene.Reply("seq"), first);
  EXPECT_EQ(scene.Reply("duplicate"), "true");
  EXPECT_EQ(scene.Reply("msgNo"), "1");
}

TEST_F(MessageScene, a_client_id_is_kept_for_48_hours_and_then_names_a_new_message) {
  scene.Given("buyer message.send clientId=c body=x; +47h");
  EXPECT_EQ(scene.Do("buyer message.send clientId=c body=x"), "nothing");
  scene.Given("+59m");
  EXPECT_EQ(scene.Do("buyer message.send clientId=c body=x"), "nothing");
  scene.Given("+1m");
  EXPECT_EQ(scene.Do("buyer message.send clientId=c body=x"), "5 message.created M2 buyer 'x'");
  EXPECT_EQ(scene.Do("buyer message.send clientId=c body=x"), "nothing");
}

TEST_F(MessageScene, unread_counts_others_messages_after_the_latest_of_cursor_own_message_and_joining) {
  scene.Given("seller message.send body=a; seller message.send body=b");
  EXPECT_EQ(scene.UnreadOf("buyer"), 2);
  EXPECT_EQ(scene.UnreadOf("seller"), 0);
  scene.Given("buyer message.send body=c");
  EXPECT_EQ(scene.UnreadOf("buyer"), 0);
  EXPECT_EQ(scene.UnreadOf("seller"), 1);
  EXPECT_FALSE(scene.Member("buyer").item.last_read_msg_id) << "sending does not move the cursor";
  scene.Given("seller message.send body=d; seller message.send body=e; buyer message.delete messageId=M3");
  EXPECT_EQ(scene.UnreadOf("buyer"), 2) << "their own last message counts, of whatever state";
  scene.Given("seller message.delete messageId=M4");
  EXPECT_EQ(scene.UnreadOf("buyer"), 1);
  EXPECT_EQ(scene.UnreadOf("seller"), 0);
  scene.Given("buyer participant.add userId=carol");
  EXPECT_EQ(scene.UnreadOf("carol"), 0);
  scene.Given("seller message.send body=f");
  EXPECT_EQ(scene.UnreadOf("carol"), 1);
  scene.Given("buyer read.mark messageId=M5");
  EXPECT_EQ(scene.UnreadOf("buyer"), 1);
  scene.Given("buyer read.mark messageId=M6");
  EXPECT_EQ(scene.UnreadOf("buyer"), 0);
}

TEST(EditDecision, the_author_edits_within_the_window_and_staff_at_any_time_with_a_reason) {
  const std::string sent = "buyer message.send body=x";
  ExpectRows({
      {sent, "buyer message.edit messageId=M1 body=y", "5 message.updated M1 buyer 'y' edited"},
      {sent, "buyer message.edit messageId=M1 body='<i>y</i>'",
       "5 message.updated M1 buyer '<i>y</i>' edited"},
      {sent + "; +15m", "buyer message.edit messageId=M1 body=y", "5 message.updated M1 buyer 'y' edited"},
      {sent + "; +15m; +1ms", "buyer message.edit messageId=M1 body=y", "FORBIDDEN"},
      {sent, "seller message.edit messageId=M1 body=y", "FORBIDDEN"},
      {sent, "carol message.edit messageId=M1 body=y", "THREAD_NOT_MEMBER"},
      {sent, "service message.edit messageId=M1 body=y reason=r", "FORBIDDEN"},
      {sent, "service(buyer) message.edit messageId=M1 body=y", "5 message.updated M1 buyer 'y' edited"},
      {sent + "; +100h", "ann(moderator) message.edit messageId=M1 body=y reason=r",
       "5 message.updated M1 buyer 'y' edited"},
      {sent, "ann(moderator) message.edit messageId=M1 body=y", "BAD_REQUEST reason"},
      {sent, "ann(moderator) message.edit messageId=M1 body=y reason=''", "BAD_REQUEST reason"},
      {sent, "ann(bot) message.edit messageId=M1 body=y reason=r", "THREAD_NOT_MEMBER"},
      {sent + "; +16m", "buyer(support) message.edit messageId=M1 body=y reason=r",
       "5 message.updated M1 buyer 'y' edited"},
      {sent + "; +16m", "buyer(support) message.edit messageId=M1 body=y", "BAD_REQUEST reason"},
      {"", "buyer message.edit messageId=msg_01h00000000000000000000000 body=y", "NOT_FOUND"},
  });
}

TEST(EditDecision, an_edit_without_a_difference_changes_nothing) {
  const std::string sent = "buyer message.send body=x";
  ExpectRows({
      {sent, "buyer message.edit messageId=M1 body=x", "nothing"},
      {sent + "; buyer message.delete messageId=M1", "buyer message.edit messageId=M1 body=y", "FORBIDDEN"},
      {sent + "; buyer message.delete messageId=M1", "buyer message.delete messageId=M1", "nothing"},
      {sent, "buyer message.edit messageId=M1 body=''", "BAD_REQUEST body"},
      {sent, "buyer message.edit messageId=M1 body=" + std::string(8193, 'x'), "TOO_LARGE"},
  });
}

TEST(EditDecision, a_locked_thread_and_a_lowered_permission_stop_the_author_but_not_staff) {
  const std::string locked = "buyer message.send body=x; ann(admin) thread.setStatus status=locked reason=r";
  ExpectRows({
      {locked, "buyer message.edit messageId=M1 body=y", "THREAD_LOCKED"},
      {locked, "buyer message.delete messageId=M1", "THREAD_LOCKED"},
      {locked, "ann(admin) message.delete messageId=M1 reason=r", "6 message.updated M1 buyer '' deleted"},
      {locked, "buyer(admin) message.delete messageId=M1 reason=r", "6 message.updated M1 buyer '' deleted"},
      {"buyer message.send body=x; ann(admin) thread.setStatus status=archived reason=r",
       "buyer message.edit messageId=M1 body=y", "THREAD_ARCHIVED"},
      {"buyer message.send body=x; service participant.update userId=buyer permission=read",
       "buyer message.edit messageId=M1 body=y", "FORBIDDEN"},
  });
}

TEST(DeleteDecision, empties_the_message_and_keeps_its_place) {
  const std::string sent =
      "buyer message.send type=asset clientId=c body=x "
      "attachments=[{\"manifestRef\":\"https://x.example/k\"}]";
  ExpectRows({
      {sent, "buyer message.delete messageId=M1", "5 message.updated M1 buyer '' asset deleted"},
      {sent + "; +16m", "buyer message.delete messageId=M1", "FORBIDDEN"},
      {sent + "; +16m", "ann(support) message.delete messageId=M1 reason=r",
       "5 message.updated M1 buyer '' asset deleted"},
      {sent, "ann(support) message.delete messageId=M1", "BAD_REQUEST reason"},
      {sent, "seller message.delete messageId=M1", "FORBIDDEN"},
  });
}

TEST_F(MessageScene, edits_and_deletes_keep_the_earlier_text_for_staff) {
  scene.Given("buyer message.send body=first; buyer message.edit messageId=M1 body=second");
  scene.Given("ann(admin) message.delete messageId=M1 reason=rude");
  const auto rows = scene.Rows(TenantId{"demo"});
  std::string history;
  const auto status = rows.raw().Scan(ThreadPartition(TenantId{"demo"}, scene.ThreadNamed("T")),
                                      RangeOf(storage::ThreadTag::kHistory), storage::Direction::kForward, 10,
                                      [&](std::string_view, storage::RowView row) {
                                        for (const char* path : {"before.body", "by", "reason"})
                                          history += Pick(row.payload, path, scene.names) + " ";
                                        return true;
                                      });
  ASSERT_TRUE(status.ok());
  EXPECT_EQ(history, "first buyer null second ann rude ");
}

TEST_F(MessageScene, the_preview_follows_an_edit_or_delete_of_the_newest_message_only) {
  const auto preview = [&] { return scene.Head().hidden.last_message->preview; };
  scene.Given("buyer message.send body=a; buyer message.send body='*b*'");
  EXPECT_EQ(preview(), "b");
  scene.Given("buyer message.edit messageId=M1 body=c");
  EXPECT_EQ(preview(), "b");
  scene.Given("buyer message.edit messageId=M2 body=d");
  EXPECT_EQ(preview(), "d");
  scene.Given("buyer message.delete messageId=M2");
  EXPECT_EQ(preview(), "");
  EXPECT_EQ(scene.Head().hidden.last_message->message_id, scene.MessageNamed("M2"));
}

TEST_F(MessageScene, numbers_and_ids_rise_when_the_clock_steps_back) {
  scene.Given("buyer message.send body=a; buyer message.send body=b");
  const protocol::Time before = *scene.Head().item.last_message_at;
  scene.Given("-1h; buyer thread.create; buyer message.send body=c threadId=T2; buyer message.send body=d");
  scene.Given("buyer message.send body=e threadId=T2; buyer message.send body=f");
  const std::vector<std::string> order = {"M1", "M2", "M3", "M4"};
  for (size_t i = 1; i < order.size(); ++i)
    EXPECT_LT(scene.MessageNamed(order[i - 1]), scene.MessageNamed(order[i]));
  EXPECT_GE(scene.MessageNamed("M3").ulid.time(), before);
  EXPECT_EQ(scene.Reply("createdAt"), protocol::FormatTime(scene.MessageNamed("M4").ulid.time()));
  EXPECT_LT(scene.MessageNamed("T2.M1").ulid.time(), before) << "another thread follows the clock";
}

TEST_F(MessageScene, a_decision_depends_only_on_the_loaded_rows_and_the_time) {
  const Caller buyer = CallerFrom("buyer");
  protocol::MessageSend::Args args;
  args.thread_id = scene.ThreadNamed("T");
  args.client_id = {"c"};
  args.body.value = "x";
  const auto loaded = SendMessage::Load(scene, buyer, args);
  ASSERT_TRUE(loaded.ok());
  const auto decide = [&] {
    const auto ids = protocol::NewSeededIdSource(1);
    const auto decided =
        SendMessage::Decide(*loaded, buyer, args, scene.limits(), {scene.clock.Now(), ids.get()});
    std::string bytes = decided.value().reply;
    for (const storage::RowWrite& write : decided->writes) bytes += write.sort.bytes() + write.row->payload;
    return bytes;
  };
  const std::string first = decide();
  scene.Given("seller message.send body=y; ann(admin) thread.setStatus status=locked reason=r; +1h; -1h");
  EXPECT_EQ(decide(), first);
}

// Regression: an id made by adding one to the thread's newest id equalled an id that another thread's message
// had received in the same millisecond.
TEST(SendDecisionRegression, ids_of_different_threads_differ_when_the_clock_steps_back) {
  Scene scene;
  scene.Given("buyer thread.create; buyer thread.create; buyer thread.create");
  std::set<std::string> ids;
  const auto send = [&](int round) {
    for (const char* thread : {"T", "T2", "T3"}) {
      scene.Given("buyer message.send threadId=" + std::string(thread) + " body=x" + std::to_string(round));
      EXPECT_TRUE(ids.insert(scene.decision.head->hidden.last_message->message_id.ToText()).second);
    }
  };
  for (int round = 0; round < 50; ++round) {
    if (round % 2 == 1) scene.Given("-1s; buyer thread.create; +900ms");
    send(round);
  }
}

}  // namespace
}  // namespace parley::threads
