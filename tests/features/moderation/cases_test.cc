// Tests that reports become cases, and staff's decisions.
#include "features/moderation/cases.h"

#include <gtest/gtest.h>

#include "features/moderation/sanctions.h"
#include "tests/features/moderation/case_scene.h"

namespace parley::features {
namespace {

using protocol::Severity;

class Cases : public testing::Test, protected CaseScene {
 protected:
  // Bob's earlier sanction.
  void AlreadyIs(protocol::UserState state) {
    EXPECT_TRUE(Decide<protocol::Unit>([&](accounts::RecordTransaction& tx) -> protocol::Status {
                  PARLEY_CHECK_OK(AddSanction(tx, User("bob"), {state, {}, "r", User("kim")}));
                  return tx.Commit();
                }).ok());
  }
};

TEST_F(Cases, a_report_opens_one_pending_case_and_a_repeat_opens_none) {
  const auto message = File(OnMessage("ann"));
  ASSERT_TRUE(message.ok());
  EXPECT_EQ(message->reply.status, CaseStatus::kPending);
  EXPECT_EQ(message->reply.severity, Severity::kMedium);
  EXPECT_TRUE(message->reply.audit_id) << "its entry in the audit";
  EXPECT_EQ(EffectsOf(message->reply.case_id), "flag 1") << "the message is flagged";
  const auto repeat = File(OnMessage("ann"));
  EXPECT_EQ(repeat->reply.case_id, message->reply.case_id);
  EXPECT_TRUE(repeat->effects.empty());
  EXPECT_EQ(Of(message->reply.case_id).shown.report_count, 1);

  const auto of_thread = File(OnThread("ann"));
  EXPECT_EQ(of_thread->reply.severity, Severity::kHigh);
  EXPECT_TRUE(Of(of_thread->reply.case_id).shown.requires_dual_approval);
  const auto user = File(OnUser("ann", "bob"));
  EXPECT_EQ(user->reply.severity, Severity::kMedium);
  EXPECT_EQ(Stats(), "pending 3, awaiting 0, escalated 0, resolved 0, rejected 0, dual 1");
}

TEST_F(Cases, reports_of_one_subject_join_its_open_case_and_only_raise_its_severity) {
  const auto id = Opened(OnMessage("ann"));
  NewReport worse = OnMessage("cy");
  worse.severity = Severity::kCritical;
  EXPECT_EQ(Opened(worse), id);
  NewReport milder = OnMessage("dan");
  milder.severity = Severity::kLow;
  const auto third = File(milder);
  EXPECT_EQ(third->reply.case_id, id);
  EXPECT_EQ(third->reply.severity, Severity::kMedium) << "never below the default";
  const Case now = Of(id).shown;
  EXPECT_EQ(now.severity, Severity::kCritical);
  EXPECT_FALSE(now.requires_dual_approval) << "a reporter's severity does not count";
  EXPECT_EQ(now.report_count, 3);
  EXPECT_EQ(now.reported_by.items.size(), 3u);
  EXPECT_EQ(ReportsOf(Reads(), id)->size(), 3u);
  EXPECT_EQ(Stats(), "pending 1, awaiting 0, escalated 0, resolved 0, rejected 0, dual 0");
}

TEST_F(Cases, a_dual_case_needs_approvals_of_two_different_people) {
  const auto id = Opened(OnThread("ann"));
  EXPECT_EQ(Decides("sue", id, CaseDecision::kApprove, Only(CaseActionKind::kLock)),
            "awaiting_second_approval");
  EXPECT_EQ(EffectsOf(id), "hold 1") << "nothing is done yet, but what an emergency needs";
  EXPECT_EQ(Decides("sue", id, CaseDecision::kApprove), "awaiting_second_approval")
      << "the same person again replaces what they said";
  EXPECT_EQ(Of(id).shown.approvals.items.size(), 1u);
  EXPECT_EQ(Stats(), "pending 0, awaiting 1, escalated 0, resolved 0, rejected 0, dual 1");
  EXPECT_EQ(Decides("tom", id, CaseDecision::kApprove), "resolved");
  EXPECT_EQ(EffectsOf(id), "hold 1, hold 2, lock 3, release 4");
  EXPECT_EQ(Of(id).shown.resolution->resolved_by, User("tom"));
  EXPECT_EQ(Stats(), "pending 0, awaiting 0, escalated 0, resolved 1, rejected 0, dual 0");
  EXPECT_EQ(Decides("uma", id, CaseDecision::kApprove), "ACTION_INVALID_STATE");
}

TEST_F(Cases, one_person_can_reject_or_escalate) {
  const auto rejected = Opened(OnThread("ann"));
  EXPECT_EQ(Decides("sue", rejected, CaseDecision::kReject), "rejected");
  const auto handed_on = Opened(OnUser("ann", "bob"));
  EXPECT_EQ(Decides("sue", handed_on, CaseDecision::kEscalate), "escalated");
  EXPECT_TRUE(Of(handed_on).shown.escalated);
  EXPECT_EQ(Decides("tom", handed_on, CaseDecision::kOverride), "resolved") << "of medium severity";
  EXPECT_EQ(Stats(), "pending 0, awaiting 0, escalated 0, resolved 1, rejected 1, dual 0");
}

TEST_F(Cases, only_actions_that_both_approvers_chose_are_carried_out) {
  const auto id = Opened(OnThread("ann"));
  EXPECT_EQ(Decides("sue", id, CaseDecision::kApprove), "awaiting_second_approval");
  EXPECT_EQ(Decides("tom", id, CaseDecision::kApprove, Only(CaseActionKind::kLock)),
            "awaiting_second_approval")
      << "who decides otherwise proposes anew";
  EXPECT_EQ(Decides("sue", id, CaseDecision::kOverride, Only(CaseActionKind::kLock)),
            "awaiting_second_approval")
      << "to override needs two as well";
  EXPECT_EQ(Decides("tom", id, CaseDecision::kOverride, Only(CaseActionKind::kLock)), "resolved");
  EXPECT_EQ(EffectsOf(id), "hold 1, hold 2, lock 3, release 4");
}

TEST_F(Cases, reporters_and_subjects_cannot_decide_their_case) {
  const auto id = Opened(OnMessage("sue"));
  EXPECT_EQ(Decides("sue", id, CaseDecision::kReject), "FORBIDDEN");
  EXPECT_EQ(Decides("bob", id, CaseDecision::kReject), "NOT_FOUND") << "the message is theirs";
  CaseActions against_tom = {{{CaseActionKind::kMute, {}, User("tom"), {}}}};
  EXPECT_EQ(Decides("tom", id, CaseDecision::kApprove, against_tom), "FORBIDDEN");
  EXPECT_EQ(Decides("tom", id, CaseDecision::kReject), "rejected");
}

TEST_F(Cases, actions_that_do_not_fit_the_case_are_rejected) {
  const auto of_user = Opened(OnUser("ann", "bob"));
  EXPECT_EQ(Decides("sue", of_user, CaseDecision::kApprove, Only(CaseActionKind::kLock)), "BAD_REQUEST");
  EXPECT_EQ(Decides("sue", of_user, CaseDecision::kReject, Only(CaseActionKind::kWarn)), "BAD_REQUEST");
  const auto of_thread = Opened(OnThread("ann"));
  EXPECT_EQ(Decides("sue", of_thread, CaseDecision::kApprove, Only(CaseActionKind::kRedact)), "BAD_REQUEST");
  CaseActions past = {{{CaseActionKind::kMute, {}, User("bob"), protocol::Time{1}}}};
  EXPECT_EQ(Decides("sue", of_user, CaseDecision::kApprove, past), "BAD_REQUEST");
  EXPECT_EQ(Of(of_user).shown.status, CaseStatus::kPending) << "what is refused changes nothing";
}

TEST_F(Cases, sanctions_take_effect_with_the_decision) {
  const auto id = Opened(OnUser("ann", "bob"));
  CaseActions twice = {{{CaseActionKind::kMute, {}, {}, {}}, {CaseActionKind::kWarn, {}, {}, {}}}};
  EXPECT_EQ(Decides("sue", id, CaseDecision::kApprove, twice), "BAD_REQUEST");
  EXPECT_EQ(Decides("sue", id, CaseDecision::kApprove, Only(CaseActionKind::kMute)), "resolved");
  const auto sanction = *ReadSanction(Reads(), User("bob"));
  EXPECT_EQ(sanction.state, protocol::UserState::kMuted);
  EXPECT_EQ(sanction.by, User("sue"));
  const auto grave = Opened(OnThread("ann"));
  CaseActions suspend = {{{CaseActionKind::kSuspend, {}, User("cy"), {}}}};
  Decides("sue", grave, CaseDecision::kApprove, suspend);
  EXPECT_EQ(ReadSanction(Reads(), User("cy"))->state, protocol::UserState::kOk) << "not yet";
  Decides("tom", grave, CaseDecision::kApprove);
  EXPECT_EQ(ReadSanction(Reads(), User("cy"))->state, protocol::UserState::kSuspended);
}

TEST_F(Cases, another_case_cannot_bypass_a_dual_decision) {
  const auto two = Grave(OnMessage("ann", 1));
  const auto one = Opened(OnUser("cy", "bob"));
  EXPECT_EQ(Decides("sue", one, CaseDecision::kApprove, Only(CaseActionKind::kSuspend)), "FORBIDDEN");
  EXPECT_EQ(*DualCaseAboutUser(Reads(), User("bob"), dual), two);
  EXPECT_EQ((*OpenCaseAboutMessage(Reads(), thread, MessageNumber(1)))->shown.case_id, two);
  EXPECT_FALSE(*OpenCaseAboutMessage(Reads(), thread, MessageNumber(2)));
  EXPECT_EQ(Decides("tom", two, CaseDecision::kReject), "rejected");
  EXPECT_EQ(*DualCaseAboutUser(Reads(), User("bob"), dual), std::nullopt);
  EXPECT_FALSE(*OpenCaseAboutMessage(Reads(), thread, MessageNumber(1)));
}

TEST_F(Cases, another_case_cannot_lock_the_thread_of_a_dual_case) {
  const auto two = Opened(OnThread("ann"));
  const auto one = Opened(OnMessage("cy"));
  EXPECT_EQ((*OpenCaseAboutThread(Reads(), thread))->shown.case_id, two);
  EXPECT_EQ(Decides("sue", one, CaseDecision::kApprove, Only(CaseActionKind::kLock)), "FORBIDDEN");
  Decides("tom", two, CaseDecision::kReject);
  EXPECT_EQ(Decides("sue", one, CaseDecision::kApprove, Only(CaseActionKind::kLock)), "resolved");
}

TEST_F(Cases, many_cases_about_a_user_do_not_hide_their_dual_case) {
  for (int i = 0; i < 150; ++i) Opened(OnMessage("r" + std::to_string(i), i % 100 + 1));
  const auto two = Grave(OnMessage("ann", 120));
  for (int i = 0; i < 50; ++i) Opened(OnMessage("s" + std::to_string(i), 121 + i));
  EXPECT_EQ(*DualCaseAboutUser(Reads(), User("bob"), dual), two);
}

TEST_F(Cases, an_approver_who_reports_the_subject_loses_their_approval) {
  const auto id = Grave(OnMessage("ann"));
  EXPECT_EQ(Decides("sue", id, CaseDecision::kApprove, Only(CaseActionKind::kRedact)),
            "awaiting_second_approval");
  EXPECT_EQ(Opened(OnMessage("sue")), id);
  EXPECT_EQ(Of(id).shown.status, CaseStatus::kPending);
  EXPECT_TRUE(Of(id).shown.approvals.items.empty());
  EXPECT_TRUE(Of(id).shown.actions.items.empty()) << "what they proposed is nobody's proposal";
  EXPECT_EQ(Decides("tom", id, CaseDecision::kApprove, Only(CaseActionKind::kRedact)),
            "awaiting_second_approval");
  EXPECT_EQ(Decides("sue", id, CaseDecision::kApprove), "FORBIDDEN");
  EXPECT_EQ(Decides("uma", id, CaseDecision::kApprove), "resolved");
  EXPECT_EQ(Stats(), "pending 0, awaiting 0, escalated 0, resolved 1, rejected 0, dual 0");
}

TEST_F(Cases, the_tenants_present_settings_can_make_an_open_case_dual) {
  const auto id = Opened(OnMessage("ann"));
  dual.push_back(Severity::kMedium);
  EXPECT_EQ(*DualCaseAboutUser(Reads(), User("bob"), dual), id);
  EXPECT_EQ(Decides("sue", id, CaseDecision::kApprove), "awaiting_second_approval");
  dual.clear();
  EXPECT_EQ(Decides("sue", id, CaseDecision::kApprove), "awaiting_second_approval") << "it stays so";
  EXPECT_EQ(Decides("tom", id, CaseDecision::kApprove), "resolved");
}

TEST_F(Cases, a_decision_on_a_stale_version_is_rejected) {
  const auto id = Opened(OnThread("ann"));
  Decides("sue", id, CaseDecision::kApprove, Only(CaseActionKind::kLock));
  const int64_t seen = Of(id).shown.version;
  CaseActions other = {{{CaseActionKind::kSuspend, {}, User("bob"), {}}}};
  Decides("sue", id, CaseDecision::kApprove, other);
  const auto approve = [&](int64_t version) {
    ModerationDecide::Args args;
    args.case_id = id;
    args.version.emplace().value = version;
    return Decide<Decided>([&](accounts::RecordTransaction& tx) {
      return DecideCase(tx, {User("tom"), "admin"}, args, Rules());
    });
  };
  const auto stale = approve(seen);
  EXPECT_EQ(accounts::CodeOf(stale), "VERSION_CONFLICT");
  EXPECT_FALSE(stale.error().current.empty());
  EXPECT_EQ(ReadSanction(Reads(), User("bob"))->state, protocol::UserState::kOk);
  EXPECT_TRUE(approve(Of(id).shown.version).ok());
}

TEST_F(Cases, a_redaction_must_name_a_message_that_can_be_redacted) {
  const auto id = Opened(OnMessage("ann", 120));
  EXPECT_EQ(Decides("sue", id, CaseDecision::kApprove, Only(CaseActionKind::kRedact)), "BAD_REQUEST");
  CaseActions other = {{{CaseActionKind::kRedact, MessageNumber(1), {}, {}}}};
  EXPECT_EQ(Decides("sue", id, CaseDecision::kApprove, other), "resolved");
}

TEST_F(Cases, a_closed_cases_thread_or_user_can_be_reported_again_a_message_only_by_others) {
  const auto thread_case = Opened(OnThread("ann"));
  const auto message_case = Opened(OnMessage("ann"));
  Decides("sue", thread_case, CaseDecision::kReject);
  Decides("sue", message_case, CaseDecision::kReject);
  EXPECT_NE(Opened(OnThread("ann")), thread_case);
  const auto again = File(OnMessage("ann"));
  EXPECT_EQ(again->reply.case_id, message_case);
  EXPECT_EQ(again->reply.status, CaseStatus::kRejected) << "they are told what became of it";
  EXPECT_NE(Opened(OnMessage("cy")), message_case);
}

TEST_F(Cases, a_reporter_does_not_see_the_progress_of_staff) {
  const auto id = Grave(OnMessage("ann"));
  Decides("sue", id, CaseDecision::kApprove);
  EXPECT_EQ(File(OnMessage("cy"))->reply.status, CaseStatus::kPending);
  EXPECT_EQ(File(OnMessage("cy"))->reply.severity, Severity::kMedium) << "of their own report";
}

TEST_F(Cases, a_reporters_severity_does_not_make_a_case_dual) {
  NewReport friends = OnUser("friend", "bob");
  friends.severity = Severity::kCritical;
  const auto id = Opened(friends);
  EXPECT_EQ(Of(id).shown.severity, Severity::kCritical) << "it sorts the queue";
  EXPECT_EQ(*DualCaseAboutUser(Reads(), User("bob"), dual), std::nullopt);
  EXPECT_EQ(Decides("sue", id, CaseDecision::kApprove, Only(CaseActionKind::kSuspend)), "resolved");
}

// The mute lasts until the decision; then the earlier sanction applies again.
TEST_F(Cases, a_mute_proposed_by_the_first_approver_takes_effect_at_once) {
  const auto state = [&] { return ReadSanction(Reads(), User("bob"))->state; };
  const auto mute = [&](const char* who, const protocol::CaseId& id) {
    return Decides(who, id, CaseDecision::kApprove, Only(CaseActionKind::kMute));
  };
  AlreadyIs(protocol::UserState::kShadow);
  const auto rejected = Grave(OnUser("ann", "bob"));
  EXPECT_EQ(mute("sue", rejected), "awaiting_second_approval");
  EXPECT_EQ(state(), protocol::UserState::kMuted);
  EXPECT_EQ(Decides("tom", rejected, CaseDecision::kReject), "rejected");
  EXPECT_EQ(state(), protocol::UserState::kShadow) << "as before";
  const auto confirmed = Grave(OnUser("ann", "bob"));
  mute("sue", confirmed);
  EXPECT_EQ(mute("tom", confirmed), "resolved");
  EXPECT_EQ(state(), protocol::UserState::kMuted);
  const auto other = Grave(OnUser("ann", "bob"));
  mute("sue", other);
  EXPECT_EQ(Decides("tom", other, CaseDecision::kReject), "rejected");
  EXPECT_EQ(state(), protocol::UserState::kMuted) << "what was decided holds on";
}

TEST_F(Cases, one_person_can_mute_during_a_case_but_not_shorten_a_mute) {
  const auto id = Grave(OnUser("ann", "bob"));
  const auto mute = [&](std::optional<int64_t> for_ms) {
    SanctionChange change{protocol::UserState::kMuted, {}, "stop", User("sue")};
    if (for_ms) change.until = protocol::Time{items.clock.Now().ms + *for_ms};
    return accounts::CodeOf(Decide<protocol::Unit>([&](accounts::RecordTransaction& tx) -> protocol::Status {
      PARLEY_CHECK_OK(MuteMeanwhile(tx, id, User("bob"), change));
      return tx.Commit();
    }));
  };
  const auto state = [&] { return ReadSanction(Reads(), User("bob"))->state; };
  EXPECT_EQ(mute(1000), "ok");
  EXPECT_EQ(mute(500), "FORBIDDEN");
  EXPECT_EQ(mute(2000), "ok");
  EXPECT_EQ(mute({}), "ok");
  EXPECT_EQ(mute(9000), "FORBIDDEN");
  items.clock.Advance(10'000);
  EXPECT_EQ(state(), protocol::UserState::kMuted);
  EXPECT_EQ(Decides("tom", id, CaseDecision::kReject), "rejected");
  EXPECT_EQ(state(), protocol::UserState::kOk);
  EXPECT_TRUE(Of(id).held.empty());
}

TEST_F(Cases, a_suspension_outranks_a_mute) {
  AlreadyIs(protocol::UserState::kSuspended);
  const auto id = Grave(OnUser("ann", "bob"));
  EXPECT_EQ(Decides("sue", id, CaseDecision::kApprove, Only(CaseActionKind::kMute)),
            "awaiting_second_approval");
  EXPECT_EQ(ReadSanction(Reads(), User("bob"))->state, protocol::UserState::kSuspended);
}

TEST_F(Cases, a_users_reports_are_limited_per_day) {
  for (int i = 0; i < static_cast<int>(kReportsPerDay); ++i)
    ASSERT_TRUE(File(OnMessage("ann", i + 1)).ok()) << i;
  const auto refused = File(OnMessage("ann", 200));
  EXPECT_EQ(accounts::CodeOf(refused), "RATE_LIMITED");
  EXPECT_GT(refused.error().retry_after_ms, 0);
  EXPECT_TRUE(File(OnMessage("ann", 1)).ok()) << "a repeat";
  EXPECT_TRUE(File(OnMessage("cy", 200)).ok());
  items.clock.Advance(int64_t{24} * 3600 * 1000);
  EXPECT_TRUE(File(OnMessage("ann", 201)).ok());
}

TEST_F(Cases, effects_stay_pending_until_they_are_recorded_as_done) {
  const auto id = Opened(OnMessage("ann"));
  EXPECT_EQ(CasesWithEffects(Reads(), 10)->size(), 1u);
  EXPECT_EQ(Decides("sue", id, CaseDecision::kApprove, Only(CaseActionKind::kRedact)), "resolved");
  EXPECT_EQ(EffectsOf(id), "flag 1, redact 2");
  const auto note = [&](int64_t through) {
    return Decide<protocol::Unit>(
        [&](accounts::RecordTransaction& tx) { return NoteEffectsDone(tx, id, through); });
  };
  ASSERT_TRUE(note(1).ok());
  EXPECT_EQ(EffectsOf(id), "redact 2");
  ASSERT_TRUE(note(2).ok());
  EXPECT_TRUE(CasesWithEffects(Reads(), 10)->empty());
  EXPECT_EQ(Stats(), "pending 0, awaiting 0, escalated 0, resolved 1, rejected 0, dual 0");
}

}  // namespace
}  // namespace parley::features
