// Tests the queue of cases and its filters.
#include "features/moderation/case_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/features/moderation/case_scene.h"

namespace parley::features {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class CaseQueue : public testing::Test, protected CaseScene {
 protected:
  // All pages of `limit`, as types and statuses.
  std::vector<std::string> List(const ModerationQueue::Args& args, size_t limit = 2,
                                const Viewer& viewer = {}) {
    std::vector<std::string> out;
    std::optional<std::string> after;
    do {
      const auto page = ListCases(Reads(), viewer, args, limit, after);
      if (!page.ok()) {
        ADD_FAILURE() << page.error().message;
        break;
      }
      EXPECT_LE(page->cases.size(), limit);
      for (const Case& one : page->cases)
        out.push_back(std::string(protocol::NameOf(one.type)) + " " +
                      std::string(protocol::NameOf(one.status)));
      after = page->next;
    } while (after);
    return out;
  }
  void Later() { items.clock.Advance(1); }
};

TEST_F(CaseQueue, filters_by_status_type_severity_thread_and_user) {
  const auto first = Opened(OnMessage("ann", 1));
  Later();
  Opened(OnThread("ann"));
  Later();
  Opened(OnUser("ann", "cy"));
  Later();
  thread = ThreadNumber(2);
  Opened(OnMessage("ann", 2));
  Decides("sue", first, CaseDecision::kReject);
  EXPECT_THAT(List({}), ElementsAre("message pending", "user pending", "thread pending", "message rejected"));
  const auto with = [](auto member, auto value) {
    ModerationQueue::Args args;
    args.*member = value;
    return args;
  };
  using A = ModerationQueue::Args;
  EXPECT_THAT(List(with(&A::status, CaseStatus::kRejected)), ElementsAre("message rejected"));
  EXPECT_THAT(List(with(&A::type, CaseType::kMessage)), ElementsAre("message pending", "message rejected"));
  EXPECT_THAT(List(with(&A::severity, protocol::Severity::kHigh)), ElementsAre("thread pending"));
  EXPECT_THAT(List(with(&A::thread_id, ThreadNumber(2))), ElementsAre("message pending"));
  EXPECT_THAT(List(with(&A::user_id, User("cy"))), ElementsAre("user pending"));
  auto both = with(&A::thread_id, ThreadNumber(1));
  both.status = CaseStatus::kPending;
  EXPECT_THAT(List(both), ElementsAre("thread pending"));
  both.type = CaseType::kUser;
  EXPECT_THAT(List(both), IsEmpty());
  EXPECT_EQ(Stats(), "pending 3, awaiting 0, escalated 0, resolved 0, rejected 1, dual 1");
}

TEST_F(CaseQueue, threads_with_open_cases_are_listed_once_each_newest_first) {
  for (const int number : {1, 3, 2}) {
    thread = ThreadNumber(number);
    Opened(OnMessage("ann", number));
    Opened(OnThread("ann"));
  }
  thread = ThreadNumber(4);
  Decides("sue", Opened(OnThread("ann")), CaseDecision::kReject);
  const auto first = *ThreadsWithCases(Reads(), {}, 2, {});
  EXPECT_THAT(first.threads, ElementsAre(ThreadNumber(3), ThreadNumber(2)));
  ASSERT_TRUE(first.next);
  const auto rest = *ThreadsWithCases(Reads(), {}, 2, first.next);
  EXPECT_THAT(rest.threads, ElementsAre(ThreadNumber(1)));
  EXPECT_FALSE(rest.next);
}

TEST_F(CaseQueue, lists_and_counts_hide_a_case_from_its_subject) {
  const Viewer bob = User("bob"), sue = User("sue");
  const auto about_bob = Opened(OnMessage("ann", 1));
  Later();
  Opened(OnUser("ann", "cy"));
  Later();
  Decides("sue", Opened(OnUser("cy", "bob")), CaseDecision::kReject);
  thread = ThreadNumber(2);
  Opened(OnThread("ann"));
  EXPECT_THAT(List({}, 1, bob), ElementsAre("thread pending", "user pending"));
  EXPECT_THAT(List({}, 1, sue),
              ElementsAre("thread pending", "user rejected", "user pending", "message pending"));
  ModerationQueue::Args mine;
  mine.user_id = bob;
  EXPECT_THAT(List(mine, 2, bob), IsEmpty());
  EXPECT_EQ(Stats(bob), "pending 2, awaiting 0, escalated 0, resolved 0, rejected 0, dual 1");
  EXPECT_EQ(Stats(sue), "pending 3, awaiting 0, escalated 0, resolved 0, rejected 1, dual 1");
  EXPECT_THAT(ThreadsWithCases(Reads(), bob, 9, {})->threads, ElementsAre(ThreadNumber(2)));
  EXPECT_THAT(ThreadsWithCases(Reads(), sue, 9, {})->threads, ElementsAre(ThreadNumber(2), ThreadNumber(1)));
  const auto look = [&](const char* who) {
    return accounts::CodeOf(Decide<CaseRecord>([&](accounts::RecordTransaction& tx) {
      return LookAtCase(tx, {User(who), "moderator"}, about_bob, false);
    }));
  };
  EXPECT_EQ(look("bob"), "NOT_FOUND");
  EXPECT_EQ(look("sue"), "ok");
}

TEST_F(CaseQueue, an_invalid_cursor_is_rejected) {
  EXPECT_EQ(accounts::CodeOf(ListCases(Reads(), {}, {}, 2, "nonsense")), "BAD_REQUEST");
}

}  // namespace
}  // namespace parley::features
