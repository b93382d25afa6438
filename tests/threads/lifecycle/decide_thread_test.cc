// thread.update, .promote, .setStatus as decisions.
#include "tests/threads/scene.h"

namespace parley::threads {
namespace {

using ThreadDecisionScene = ThreadScene;

TEST(UpdateDecision, members_who_may_write_change_subject_city_and_safe_mode) {
  ExpectRows({
      {"", "buyer thread.update version=1 subject=Shoot", "4 thread.updated inquiry v2 subject='Shoot'"},
      {"", "seller thread.update version=1 city=Houston safeModeRequired=true",
       "4 thread.updated inquiry v2 city='Houston' safe"},
      {"", "service thread.update version=1 city=Houston", "4 thread.updated inquiry v2 city='Houston'"},
      {"", "ann(admin) thread.update version=1 city=Houston", "4 thread.updated inquiry v2 city='Houston'"},
      {"", "carol thread.update version=1 city=Houston", "THREAD_NOT_MEMBER"},
      {"buyer participant.add userId=carol", "carol thread.update version=1 city=Rome",
       "5 thread.updated inquiry v2 city='Rome'"},
      {"buyer participant.add userId=carol permission=files", "carol thread.update version=1 city=Rome",
       "FORBIDDEN"},
      {kLocked, "buyer thread.update version=2 city=Rome", "THREAD_LOCKED"},
      {"ann(admin) thread.setStatus status=archived reason=r", "buyer thread.update version=2 city=Rome",
       "THREAD_ARCHIVED"},
      {"", "buyer thread.update city=Rome", "BAD_REQUEST version"},
  });
}

TEST(UpdateDecision, any_writer_requires_safe_mode_and_only_staff_lift_it) {
  constexpr std::string_view kSafe = "buyer thread.update version=1 safeModeRequired=true";
  ExpectRows({
      {kSafe, "buyer thread.update version=2 safeModeRequired=false", "FORBIDDEN"},
      {kSafe, "seller thread.update version=2 safeModeRequired=false", "FORBIDDEN"},
      {kSafe, "service thread.update version=2 safeModeRequired=false", "FORBIDDEN"},
      {kSafe, "service(buyer) thread.update version=2 safeModeRequired=false", "FORBIDDEN"},
      {kSafe, "buyer thread.update version=2 city=Rome safeModeRequired=true",
       "5 thread.updated inquiry v3 city='Rome' safe"},
      {kSafe, "ann(moderator) thread.update version=2 safeModeRequired=false", "5 thread.updated inquiry v3"},
      {"", "buyer thread.update version=1 safeModeRequired=false", "nothing"},
  });
}

TEST(UpdateDecision, null_clears_a_field_and_absence_keeps_it) {
  constexpr std::string_view kBoth = "buyer thread.update version=1 subject=S city=C";
  ExpectRows({
      {kBoth, "buyer thread.update version=2 subject=null", "5 thread.updated inquiry v3 city='C'"},
      {kBoth, "buyer thread.update version=2 city=null", "5 thread.updated inquiry v3 subject='S'"},
      {kBoth, "buyer thread.update version=2 city=null subject=null", "5 thread.updated inquiry v3"},
      {kBoth, "buyer thread.update version=2 safeModeRequired=null", "nothing"},
      {"", "buyer thread.update version=1 subject=null", "nothing"},
      {kBoth, "buyer thread.update version=2 subject=S", "nothing"},
  });
}

TEST(UpdateDecision, a_stale_version_is_refused_with_the_current_thread) {
  ExpectRows({
      {"buyer thread.update version=1 city=Rome", "seller thread.update version=1 city=Bonn",
       "VERSION_CONFLICT current=v2"},
      {"buyer thread.update version=1 city=Rome", "seller thread.update version=1 city=Rome",
       "VERSION_CONFLICT current=v2"},
      {"", "buyer thread.update version=2 city=Rome", "VERSION_CONFLICT current=v1"},
      {"", "buyer thread.update version=0 city=Rome", "VERSION_CONFLICT current=v1"},
      {kLocked, "buyer thread.update version=1 city=Rome", "THREAD_LOCKED"},
      {"buyer participant.add userId=carol permission=read", "carol thread.update version=9 city=Rome",
       "FORBIDDEN"},
  });
}

TEST_F(ThreadDecisionScene, messages_and_members_do_not_change_the_version) {
  scene.Given("buyer message.send body=x; buyer participant.add userId=carol; carol read.mark messageId=M1");
  EXPECT_EQ(scene.Do("buyer thread.update version=1 city=Rome"), "6 thread.updated inquiry v2 city='Rome'");
  EXPECT_EQ(scene.Head().item.seq, 6);
}

TEST(PromoteDecision, services_and_staff_turn_an_inquiry_into_a_project_of_a_leg_or_an_lbg) {
  ExpectRows({
      {"", "service thread.promote legId=G1 eventId=e1",
       "4 thread.updated project v2 leg=G1; 5 message.created M1 - 'This inquiry is now a project' system"},
      {"", "service(buyer) thread.promote lbgId=L1 eventId=e1",
       "4 thread.updated project v2 lbg=L1; 5 message.created M1 - 'This inquiry is now a project' system"},
      {"", "ann(admin) thread.promote lbgId=L1 legId=G1 eventId=e1",
       "4 thread.updated project v2 lbg=L1 leg=G1; 5 message.created M1 - 'This inquiry is now a project' "
       "system"},
      {"", "buyer thread.promote legId=G1 eventId=e1", "FORBIDDEN"},
      {"", "carol thread.promote legId=G1 eventId=e1", "THREAD_NOT_MEMBER"},
      {"", "service@acme thread.promote legId=G1 eventId=e1", "THREAD_NOT_MEMBER"},
      {"", "service thread.promote eventId=e1", "BAD_REQUEST"},
      {"", "carol thread.promote eventId=e1", "BAD_REQUEST"},
      {"", "service thread.promote legId=G1", "BAD_REQUEST eventId"},
      {kLocked, "service thread.promote legId=G1 eventId=e1",
       "5 thread.updated project v3 locked leg=G1; 6 message.created M1 - 'This inquiry is now a project' "
       "system"},
  });
}

TEST(PromoteDecision, replaying_an_event_changes_nothing_even_after_other_changes) {
  constexpr std::string_view kPromoted = "service thread.promote legId=G1 eventId=e1";
  constexpr std::string_view kRebound =
      "service thread.promote legId=G1 eventId=e1; service thread.promote legId=G2 eventId=e2";
  ExpectRows({
      {kPromoted, "service thread.promote legId=G1 eventId=e1", "nothing"},
      {kPromoted, "service thread.promote legId=G9 eventId=e1", "nothing"},
      {kPromoted, "ann(admin) thread.promote legId=G1 eventId=e1", "nothing"},
      {kPromoted, "buyer thread.promote legId=G1 eventId=e1", "FORBIDDEN"},
      {kPromoted, "service thread.promote legId=G2 eventId=e2", "6 thread.updated project v3 leg=G2"},
      {kPromoted, "service thread.promote lbgId=L1 eventId=e2", "6 thread.updated project v3 lbg=L1 leg=G1"},
      {kRebound, "service thread.promote legId=G1 eventId=e1", "nothing"},
  });
}

// Regression: an event that found the thread already bound as requested was not recorded, so its replay after
// a rebinding reverted the binding.
TEST_F(ThreadDecisionScene, an_event_that_changes_nothing_is_recorded_too) {
  scene.Given("service thread.promote legId=G1 eventId=e1");
  EXPECT_EQ(scene.Do("service thread.promote legId=G1 eventId=e2"), "no event");
  EXPECT_EQ(scene.Do("service thread.promote legId=G1 eventId=e2"), "nothing");
  scene.Given("service thread.promote legId=G2 eventId=e3");
  EXPECT_EQ(scene.Do("service thread.promote legId=G1 eventId=e2"), "nothing");
  EXPECT_EQ(scene.Head().item.leg_id->value, "G2");
}

TEST(PromoteDecision, a_back_end_that_follows_events_receives_it) {
  Scene scene;
  const auto effects = [&scene] {
    std::string out;
    const auto status = scene.Rows(TenantId{"demo"})
                            .raw()
                            .Scan(ThreadPartition(TenantId{"demo"}, scene.ThreadNamed("T")),
                                  RangeOf(storage::ThreadTag::kEffect), storage::Direction::kForward,
                                  SIZE_MAX, [&](std::string_view, storage::RowView row) {
                                    const auto item = ItemFrom<protocol::OutboxItem>(row.payload);
                                    out += scene.names.Shorten(item.effect_id.value) + " " +
                                           item.effect.value + " " + item.from_state.value + ">" +
                                           item.to_state.value + " " + item.leg_id->value;
                                    return true;
                                  });
    EXPECT_TRUE(status.ok());
    return out;
  };
  scene.Given("buyer thread.create; seller thread.create clientId=o buyerUserId=carol");
  scene.Given("service thread.promote threadId=T2 legId=G2 eventId=e0");
  scene.tenant_policy.card_ports = 1 << static_cast<int>(CardPort::kEvents);
  scene.Given("service thread.promote legId=G1 eventId=e1");
  EXPECT_EQ(effects(), "M1.5 thread.promoted_to_project inquiry>project G1");
  scene.Given("service thread.promote legId=G2 eventId=e2");
  EXPECT_EQ(effects(), "M1.5 thread.promoted_to_project inquiry>project G1") << "it was one already";
  scene.Given("service outbox.ack effectIds=[\"" + scene.names.IdOf("M1") + ".5\"]");
  EXPECT_EQ(effects(), "");
}

TEST(StatusDecision, staff_lock_archive_and_reopen_with_a_reason) {
  ExpectRows({
      {"", "ann(admin) thread.setStatus status=locked reason=r", "4 thread.updated inquiry v2 locked"},
      {"", "ann(support) thread.setStatus status=archived reason=r", "4 thread.updated inquiry v2 archived"},
      {kLocked, "ann(moderator) thread.setStatus status=open reason=r", "5 thread.updated inquiry v3"},
      {kLocked, "ann(admin) thread.setStatus status=locked reason=other", "nothing"},
      {"", "buyer thread.setStatus status=locked reason=r", "FORBIDDEN"},
      {"", "service thread.setStatus status=locked reason=r", "FORBIDDEN"},
      {"", "carol thread.setStatus status=locked reason=r", "THREAD_NOT_MEMBER"},
      {"", "carol(bot) thread.setStatus status=locked reason=r", "THREAD_NOT_MEMBER"},
      {"", "ann(admin)@acme thread.setStatus status=locked reason=r", "THREAD_NOT_MEMBER"},
      {"", "ann(admin) thread.setStatus status=locked", "BAD_REQUEST reason"},
      {"", "ann(admin) thread.setStatus status=locked reason=''", "BAD_REQUEST reason"},
      {"", "carol thread.setStatus status=locked reason=''", "BAD_REQUEST reason"},
      {"", "ann(admin) thread.setStatus status=frozen reason=r", "BAD_REQUEST status"},
  });
}

}  // namespace
}  // namespace parley::threads
