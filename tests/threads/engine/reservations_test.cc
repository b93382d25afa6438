// Reservations in users' partitions are removed when they are no longer needed.
#include "threads/engine/reservations.h"

#include "tests/threads/executor_scene.h"

namespace parley::threads {
namespace {

class Reservations : public testing::Test {
 protected:
  std::string Forget() {
    std::string reply = "not run";
    Job job;
    job.tenant = TenantId{"demo"};
    job.decide = [](Transaction& tx) { return ForgetReservations(tx, TenantId{"demo"}); };
    job.done = [&](Answer answer) { reply = answer.ok() ? *answer : "failed"; };
    scene.executor->Submit(std::move(job));
    scene.Step();
    return reply;
  }
  bool Reserved(const char* user, const storage::SortKey& sort) {
    std::optional<storage::Row> row;
    EXPECT_TRUE(scene.table->Get(UserPartition(TenantId{"demo"}, UserId{user}), sort, &row).ok());
    return row.has_value();
  }
  size_t Due() {
    size_t count = 0;
    EXPECT_TRUE(scene.table
                    ->Scan(DuePartition(TenantId{"demo"}), storage::SortRange::All(),
                           storage::Direction::kForward, SIZE_MAX,
                           [&](std::string_view, storage::RowView) { return ++count > 0; })
                    .ok());
    return count;
  }
  ExecutorScene scene;
};

TEST_F(Reservations, that_of_a_creation_is_removed_after_two_days) {
  scene.Do("buyer thread.create kind=project clientId=c");
  ASSERT_TRUE(Reserved("buyer", CreateKey(ClientId{"c"})));
  EXPECT_EQ(FirstReservationDue(*scene.table, TenantId{"demo"})->ms, scene.clock.Now().ms + kReservedMs);
  scene.clock.Advance(kReservedMs - 1);
  const int before = scene.watched->commits;
  EXPECT_EQ(Forget(), "");
  EXPECT_EQ(scene.watched->commits, before);
  EXPECT_TRUE(Reserved("buyer", CreateKey(ClientId{"c"})));
  scene.clock.Advance(1);
  EXPECT_EQ(Forget(), "");
  EXPECT_FALSE(Reserved("buyer", CreateKey(ClientId{"c"})));
  EXPECT_EQ(Due(), 0u);
  EXPECT_FALSE(FirstReservationDue(*scene.table, TenantId{"demo"}));
}

TEST_F(Reservations, that_of_a_role_stays_while_its_thread_is_an_inquiry) {
  const auto role = InquiryKey(UserId{"seller"}, "model");
  scene.Do("buyer thread.create kind=inquiry role=model");
  ASSERT_TRUE(Reserved("buyer", role));
  scene.clock.Advance(kReservedMs);
  Forget();
  EXPECT_TRUE(Reserved("buyer", role));
  EXPECT_EQ(scene.Do("buyer thread.create kind=inquiry role=model"), "ALREADY_EXISTS current=v1");
  scene.Do("service thread.promote lbgId=lbg_1 eventId=e1");
  scene.clock.Advance(kLookedAtAgainMs);
  Forget();
  EXPECT_FALSE(Reserved("buyer", role));
  EXPECT_EQ(Due(), 0u);
}

TEST_F(Reservations, a_renewed_one_is_checked_at_its_new_time) {
  const auto role = InquiryKey(UserId{"seller"}, "model");
  scene.Do("buyer thread.create kind=inquiry role=model; service thread.promote lbgId=lbg_1 eventId=e1");
  scene.clock.Advance(kReservedMs - 1);
  EXPECT_EQ(scene.Do("buyer thread.create kind=inquiry role=model"), "ok") << "the role is free again";
  scene.clock.Advance(1);
  Forget();
  EXPECT_TRUE(Reserved("buyer", role));
  EXPECT_EQ(Due(), 1u) << "the look at the first is done with";
}

TEST_F(Reservations, a_pass_checks_a_bounded_number) {
  for (int i = 0; i < 250; ++i)
    scene.Submit("buyer thread.create kind=project clientId=c-" + std::to_string(i));
  scene.Step();
  ASSERT_EQ(Due(), 250u);
  scene.clock.Advance(kReservedMs);
  EXPECT_EQ(Forget(), "more");
  EXPECT_EQ(Due(), 50u);
  EXPECT_EQ(Forget(), "");
  EXPECT_EQ(Due(), 0u);
}

TEST_F(Reservations, a_removed_creator_learns_nothing_from_a_repeat_after_the_removal_of_their_row) {
  scene.Do("buyer thread.create kind=project clientId=c; seller participant.remove userId=buyer");
  storage::CommitRequest sweep;
  sweep.partition = ThreadPartition(TenantId{"demo"}, scene.ThreadNamed("T"));
  sweep.writes.push_back({ParticipantKey(UserId{"buyer"}), std::nullopt});
  std::vector<storage::CommitResult> results;
  ASSERT_TRUE(scene.table->Commit({&sweep, 1}, &results).ok());
  scene.Restart();
  EXPECT_EQ(scene.Do("buyer thread.create kind=project clientId=c"), "THREAD_NOT_MEMBER");
}

}  // namespace
}  // namespace parley::threads
