// Personal changes as decisions: read.mark, participant.mute, inbox.set.
#include "tests/threads/scene.h"
#include "threads/inbox/entry.h"

namespace parley::threads {
namespace {

using OwnScene = ThreadScene;

constexpr std::string_view kTwo = "seller message.send body=a; seller message.send body=b";

TEST(ReadDecision, moves_forward_and_notifies_the_members) {
  ExpectRows({
      {kTwo, "buyer read.mark messageId=M1", "personal buyer: read=M1 told"},
      {kTwo, "buyer read.mark messageId=M2", "personal buyer: read=M2 told"},
      {kTwo, "seller read.mark messageId=M2", "personal seller: read=M2 told"},
      {Then(kTwo, "buyer read.mark messageId=M2"), "buyer read.mark messageId=M1", "nothing"},
      {Then(kTwo, "buyer read.mark messageId=M2"), "buyer read.mark messageId=M2", "nothing"},
      {Then(kTwo, "buyer read.mark messageId=M1"), "buyer read.mark messageId=M2",
       "personal buyer: read=M2 told"},
      {Then(kTwo, "seller message.delete messageId=M2"), "buyer read.mark messageId=M2",
       "personal buyer: read=M2 told"},
      {Then(kTwo, "ann(admin) thread.setStatus status=locked reason=r"), "buyer read.mark messageId=M2",
       "personal buyer: read=M2 told"},
      {kTwo, "buyer read.mark messageId=msg_01h00000000000000000000000", "NOT_FOUND"},
      {kTwo, "carol read.mark messageId=M1", "THREAD_NOT_MEMBER"},
      {kTwo, "ann(admin) read.mark messageId=M1", "FORBIDDEN"},
      {kTwo, "service read.mark messageId=M1", "FORBIDDEN"},
      {kTwo, "service(buyer) read.mark messageId=M1", "personal buyer: read=M1 told"},
      {Then(kTwo, "buyer participant.add userId=carol permission=read"), "carol read.mark messageId=M1",
       "personal carol: read=M1 told"},
  });
}

TEST_F(OwnScene, marking_returns_the_cursor_its_time_and_the_unread_count) {
  scene.Given("seller message.send body=a; +1s; seller message.send body=b; seller message.send body=c");
  scene.Given("seller message.delete messageId=M3; buyer read.mark messageId=M1");
  EXPECT_EQ(scene.Reply("unread"), "1");
  EXPECT_EQ(scene.Reply("lastReadMsgId"), "M1");
  EXPECT_EQ(scene.Reply("lastReadAt"), protocol::FormatTime(scene.MessageNamed("M1").ulid.time()));
  scene.Given("buyer read.mark messageId=M2");
  EXPECT_EQ(scene.Reply("unread"), "0");
  scene.Do("buyer read.mark messageId=M1");
  EXPECT_EQ(scene.Reply("lastReadMsgId"), "M2");
  EXPECT_EQ(scene.Reply("unread"), "0");
  EXPECT_EQ(scene.Head().item.last_seq, 7) << "a personal change takes no seq";
}

TEST(MuteDecision, mutes_for_ever_or_until_a_time_and_unmutes) {
  ExpectRows({
      {"", "buyer participant.mute muted=true", "personal buyer: muted"},
      {"", "buyer participant.mute muted=true until=2025-11-05T15:00:00.000Z",
       "personal buyer: muted for 3600s"},
      {"buyer participant.mute muted=true until=2025-11-05T15:00:00.000Z",
       "buyer participant.mute muted=true until=null", "personal buyer: muted"},
      {"buyer participant.mute muted=true until=2025-11-05T15:00:00.000Z",
       "buyer participant.mute muted=true", "personal buyer: muted"},
      {"buyer participant.mute muted=true", "buyer participant.mute muted=true", "nothing"},
      {"buyer participant.mute muted=true", "buyer participant.mute muted=false", "personal buyer:"},
      {"", "buyer participant.mute muted=false", "nothing"},
      {"", "buyer participant.mute muted=false until=2025-11-05T15:00:00.000Z", "nothing"},
      {"", "carol participant.mute muted=true", "THREAD_NOT_MEMBER"},
      {"", "ann(admin) participant.mute muted=true", "FORBIDDEN"},
      {"", "buyer participant.mute muted=true until=tomorrow", "BAD_REQUEST until"},
      {"ann(admin) thread.setStatus status=locked reason=r", "buyer participant.mute muted=true",
       "personal buyer: muted"},
  });
}

TEST_F(OwnScene, an_expired_mute_reads_as_none) {
  scene.Given("buyer participant.mute muted=true until=2025-11-05T15:00:00.000Z");
  EXPECT_EQ(scene.Reply("entry.muted") + scene.Reply("entry.mutedUntil"), "true2025-11-05T15:00:00.000Z");
  scene.Given("+59m; buyer inbox.set pinned=true");
  EXPECT_EQ(scene.Reply("entry.muted") + scene.Reply("entry.mutedUntil"), "true2025-11-05T15:00:00.000Z");
  scene.Given("+1m; buyer inbox.set pinned=false");
  EXPECT_EQ(scene.Reply("entry.muted") + scene.Reply("entry.mutedUntil"), "falsenull");
  const protocol::Me me = ComputeMe(scene.Member("buyer"), scene.clock.Now());
  EXPECT_FALSE(me.muted);
  EXPECT_FALSE(me.muted_until);
}

TEST(FlagsDecision, pin_archive_and_label_are_independent) {
  ExpectRows({
      {"", "buyer inbox.set pinned=true", "personal buyer: pinned"},
      {"", "buyer inbox.set label=hot", "personal buyer: label='hot'"},
      {"", "buyer inbox.set archived=true", "personal buyer: archived at 0"},
      {kTwo, "buyer inbox.set archived=true pinned=true label=hot",
       "personal buyer: pinned archived at 2 label='hot'"},
      {"buyer inbox.set label=hot pinned=true", "buyer inbox.set label=null", "personal buyer: pinned"},
      {"buyer inbox.set label=hot", "buyer inbox.set pinned=true", "personal buyer: pinned label='hot'"},
      {"buyer inbox.set pinned=true", "buyer inbox.set pinned=false", "personal buyer:"},
      {"buyer inbox.set archived=true", "buyer inbox.set archived=false", "personal buyer:"},
      {"buyer inbox.set archived=true", "buyer inbox.set archived=true", "nothing"},
      {"", "buyer inbox.set", "nothing"},
      {"", "buyer inbox.set archived=false label=null pinned=false", "nothing"},
      {"", "buyer inbox.set label='" + std::string(65, 'x') + "'", "BAD_REQUEST label"},
      {"", "carol inbox.set pinned=true", "THREAD_NOT_MEMBER"},
      {"", "ann(admin) inbox.set pinned=true", "FORBIDDEN"},
      {"ann(admin) thread.setStatus status=archived reason=r", "buyer inbox.set pinned=true",
       "personal buyer: pinned"},
  });
}

TEST_F(OwnScene, an_archived_entry_returns_only_with_the_next_message) {
  const auto archived = [&] { return IsArchived(scene.Head(), scene.Member("buyer")); };
  scene.Given("seller message.send body=a; buyer inbox.set archived=true");
  EXPECT_EQ(scene.Reply("entry.archived"), "true");
  scene.Given("seller message.edit messageId=M1 body=b; buyer participant.add userId=carol");
  scene.Given("seller message.delete messageId=M1; buyer read.mark messageId=M1");
  EXPECT_TRUE(archived());
  scene.Given("carol message.send body=c");
  EXPECT_FALSE(archived());
  EXPECT_EQ(scene.Do("buyer inbox.set archived=false"), "nothing");
  scene.Given("buyer inbox.set archived=true");
  EXPECT_TRUE(archived());
  scene.Given("buyer inbox.set archived=false");
  EXPECT_FALSE(archived());
  scene.Given("buyer message.send body=own");
  EXPECT_FALSE(archived());
}

TEST_F(OwnScene, a_personal_change_affects_nothing_that_others_see) {
  scene.Given("seller message.send body=a");
  const std::string head = EncodeItem(scene.Head()), other = EncodeItem(scene.Member("seller"));
  const int64_t seq = scene.Member("buyer").item.seq;
  scene.Given("+1h; buyer inbox.set pinned=true label=x archived=true; buyer participant.mute muted=true");
  scene.Given("buyer read.mark messageId=M1");
  EXPECT_EQ(EncodeItem(scene.Head()), head);
  EXPECT_EQ(EncodeItem(scene.Member("seller")), other);
  EXPECT_EQ(scene.Member("buyer").item.seq, seq);
}

}  // namespace
}  // namespace parley::threads
