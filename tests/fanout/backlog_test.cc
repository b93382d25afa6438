// Tests which changes may wait for others.
#include "fanout/backlog.h"

#include <gtest/gtest.h>

#include "protocol/base/ids.h"

namespace parley::fanout {
namespace {

using protocol::EventKind;
using threads::CommittedChange;

class BacklogTest : public testing::Test {
 protected:
  // Returns a change of the n-th thread, which has this many members.
  static CommittedChange ChangeIn(size_t n, size_t members, EventKind kind = EventKind::kMessageCreated) {
    CommittedChange change;
    change.thread.ulid.bytes[14] = static_cast<uint8_t>(n >> 8);
    change.thread.ulid.bytes[15] = static_cast<uint8_t>(n);
    std::vector<protocol::UserId> ids;
    for (size_t i = 0; i < members; ++i)
      ids.push_back(*protocol::UserId::FromText("u" + std::to_string(1000 + i)));
    change.recipients = threads::Members::Of(std::move(ids));
    change.events.push_back({kind, 1, {}});
    return change;
  }
  bool PressedBy(const CommittedChange& change) {
    Backlog backlog;
    backlog.Note(change);
    return backlog.presses();
  }
  Backlog backlog_;
};

TEST_F(BacklogTest, messages_wait_but_changes_reported_only_by_an_entry_do_not) {
  EXPECT_FALSE(PressedBy(ChangeIn(1, 10)));
  EXPECT_FALSE(PressedBy(ChangeIn(1, 10, EventKind::kMessageUpdated)));
  for (const EventKind kind :
       {EventKind::kThreadCreated, EventKind::kThreadUpdated, EventKind::kParticipantAdded,
        EventKind::kParticipantRemoved, EventKind::kCardUpdated, EventKind::kTabUpdated})
    EXPECT_TRUE(PressedBy(ChangeIn(1, 10, kind))) << static_cast<int>(kind);
  CommittedChange personal = ChangeIn(1, 10);
  personal.events.clear();
  EXPECT_TRUE(PressedBy(personal)) << "an inbox was set";
  CommittedChange read = ChangeIn(1, 10);
  read.receipt.emplace();
  EXPECT_TRUE(PressedBy(read));
  CommittedChange gated = ChangeIn(1, 10);
  gated.gated = protocol::UserId{"u"};
  EXPECT_TRUE(PressedBy(gated)) << "the invited user receives only an entry";
  CommittedChange reported = ChangeIn(1, 10);
  reported.prompt = true;
  EXPECT_TRUE(PressedBy(reported));
}

TEST_F(BacklogTest, a_thread_counts_its_members_once_until_a_pass_begins) {
  for (int i = 0; i < 1000; ++i) backlog_.Note(ChangeIn(1, 100));
  EXPECT_FALSE(backlog_.presses());
  for (size_t n = 2; n < Backlog::kMembersMost / 100; ++n) backlog_.Note(ChangeIn(n, 100));
  EXPECT_FALSE(backlog_.presses());
  backlog_.Note(ChangeIn(500, 100));
  EXPECT_TRUE(backlog_.presses());
  backlog_.Begin();
  EXPECT_FALSE(backlog_.presses());
  backlog_.Note(ChangeIn(500, 100));
  EXPECT_FALSE(backlog_.presses()) << "the count was reset";
}

TEST_F(BacklogTest, many_messages_of_one_thread_do_not_wait_for_more) {
  for (size_t i = 1; i < Backlog::kEntriesMost; ++i) backlog_.Note(ChangeIn(1, 2));
  EXPECT_FALSE(backlog_.presses());
  backlog_.Note(ChangeIn(1, 2));
  EXPECT_TRUE(backlog_.presses());
}

}  // namespace
}  // namespace parley::fanout
