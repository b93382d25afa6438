// Tests projects that users create: when their members are acquainted, how a declined request limits later
// attempts, and that verify reports rows that contradict this.
#include "tests/gateway/requests_scene.h"
#include "threads/model/row_reader.h"

namespace parley::gateway_test {
namespace {

using protocol::RequestState;
using protocol::TenantId;
using protocol::ThreadId;
using protocol::UserId;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

class OwnProjects : public Requests {
 protected:
  void SetUp() override { Set(R"({"messageRequests":{"enabled":true},"userProjects":true})"); }
  std::vector<std::string> Verify() { return world_.Verify(); }
  threads::ThreadRow HeadOf(const std::string& thread) {
    return **threads::RowReader(world_.table(), tenant_).Thread(*ThreadId::FromText(thread));
  }
  void PlantHead(const threads::ThreadRow& head) {
    world_.Plant(threads::ThreadPartition(tenant_, head.item.thread_id), threads::ThreadKey(),
                 threads::EncodeItem(head));
  }
  static UserId UserOf(const std::string& user) { return {protocol::KeyText::UpToNul(user)}; }
  void PlantContact(const std::string& from, const std::string& to, const std::string& thread,
                    RequestState state) {
    const threads::ContactRow row{UserOf(from), state, {world_.clock().Now().ms + 1000}};
    world_.Plant(threads::UserPartition(tenant_, UserOf(std::min(from, to))),
                 threads::ContactKey(UserOf(std::max(from, to)), *ThreadId::FromText(thread)),
                 protocol::Encode(row));
  }
  std::string Start(const std::string& args) {
    return ann_.Ask("thread.create", args).Text("ok.thread.threadId");
  }
  std::string Add(const std::string& thread, const std::string& user) {
    return Code(ann_.Ask("participant.add", In(thread, R"(,"userId":")" + user + "\"")));
  }

  const TenantId tenant_{"demo"};
};

TEST_F(OwnProjects, accepting_makes_the_two_acquainted_but_the_project_is_not_a_booking) {
  const std::string thread = Start(Project("ann", "bob", kHello));
  ASSERT_EQ(Code(bob_.Ask("request.accept", In(thread))), "ok");
  EXPECT_FALSE(ann_.Ask("thread.create", Direct("bob", kHello)).Has("ok.request"));
  EXPECT_TRUE(HeadOf(thread).hidden.unbound.value);
  ExpectSound();
}

TEST_F(OwnProjects, two_users_brought_together_by_a_third_stay_strangers) {
  FakeClient carl = world_->Join("carl");
  for (const char* who : {"bob", "carl"})
    ASSERT_TRUE(Service("thread.create", Project("ann", who)).Has("thread"));
  const Frame made =
      ann_.Ask("thread.create", Project("ann", "bob", R"(,"participants":[{"userId":"carl"}])"));
  EXPECT_EQ(made.Size("ok.participants"), 3u) << "she knows both";
  EXPECT_EQ(bob_.Ask("thread.create", Direct("carl", kHello)).Text("ok.request.state"), "pending");
  const std::string bind = In(made.Text("ok.thread.threadId"), R"(,"lbgId":"lbg_1","eventId":"e1")");
  ASSERT_TRUE(Service("thread.promote", bind).Has("thread"));
  EXPECT_FALSE(carl.Ask("thread.create", Inquiry("carl", "bob", kHello)).Has("ok.request"));
  ExpectSound();
}

TEST_F(OwnProjects, a_back_end_that_names_the_same_booking_binds_it) {
  const std::string thread = Start(Project("ann", "bob", kHello));
  const int64_t before = HeadOf(thread).item.version;
  const std::string bind = In(thread, R"(,"lbgId":"lbg_1","eventId":"e1")");
  ASSERT_TRUE(Service("thread.promote", bind).Has("thread"));
  EXPECT_FALSE(HeadOf(thread).hidden.unbound.value);
  EXPECT_EQ(HeadOf(thread).item.version, before + 1);
  ASSERT_TRUE(Service("thread.promote", bind).Has("thread"));
  EXPECT_EQ(HeadOf(thread).item.version, before + 1) << "its replay changes nothing";
  ExpectSound();
}

TEST_F(OwnProjects, a_project_cannot_bypass_a_declined_request) {
  FakeClient dora = world_->Join("dora"), eve = world_->Join("eve");
  const std::string booking = Service("thread.create", Project("ann", "carl")).Text("thread.threadId");
  const auto turned_away = [&](FakeClient& by, const std::string& user, const char* op) {
    const std::string thread = Start(Direct(user, kHello));
    EXPECT_EQ(Code(by.Ask(op, In(thread))), "ok");
    return Add(booking, user);
  };
  EXPECT_EQ(turned_away(dora, "dora", "request.decline"), "MSG_GATE_REQUIRED");
  EXPECT_EQ(turned_away(eve, "eve", "request.block"), "MSG_GATE_REQUIRED");
  EXPECT_EQ(Add(booking, "bob"), "ok") << "whom she did not ask";
  ExpectSound();
}

TEST_F(OwnProjects, a_block_after_a_declined_request_changes_no_answer) {
  const std::string thread = Start(Direct("bob", kHello)), group = Start(R"({"kind":"group"})");
  ASSERT_EQ(Code(bob_.Ask("request.decline", In(thread))), "ok");
  for (const char* op : {"", "user.block", "user.unblock"}) {
    const bool done = *op == '\0' || bob_.Ask(op, R"({"userId":"ann"})").ok();
    EXPECT_TRUE(done) << op;
    EXPECT_EQ(Code(ann_.Ask("thread.create", Inquiry("ann", "bob", kHello))), "MSG_GATE_REQUIRED") << op;
    EXPECT_EQ(Code(ann_.Ask("thread.create", Project("ann", "bob"))), "MSG_GATE_REQUIRED") << op;
    EXPECT_EQ(Add(group, "bob"), "MSG_GATE_REQUIRED") << op;
    EXPECT_EQ(Say(ann_, thread, "please"), "MSG_GATE_REQUIRED") << op;
  }
  ASSERT_TRUE(ann_.Ask("user.block", R"({"userId":"bob"})").ok());
  EXPECT_EQ(Code(ann_.Ask("thread.create", Inquiry("ann", "bob", kHello))), "MSG_BLOCKED_BY_USER")
      << "it is she who blocks";
  ExpectSound();
}

// The crash came after the reservation and the pair's note were written, before the thread.
TEST_F(OwnProjects, a_block_applies_to_a_start_that_a_crash_interrupted) {
  const std::string create = Project("ann", "bob", R"(,"clientId":"c")");
  Set(R"({"messageRequests":{"enabled":false},"userProjects":true})");
  std::string lost = Start(create);
  SetUp();
  lost.back() = lost.back() == '0' ? '1' : '0';
  const auto own = threads::UserPartition(tenant_, UserId{"ann"});
  const auto place = threads::CreateKey(protocol::ClientId{"c"});
  auto reserved = **threads::RowReader(world_.table(), tenant_).Reservation(own, place);
  reserved.thread = *ThreadId::FromText(lost);
  world_.Plant(own, place, threads::EncodeReservation(reserved));
  PlantContact("ann", "bob", lost, RequestState::kPending);
  ASSERT_TRUE(bob_.Ask("user.block", R"({"userId":"ann"})").ok());
  EXPECT_EQ(Code(ann_.Ask("thread.create", create)), "MSG_BLOCKED_BY_USER");
}

TEST_F(OwnProjects, verify_finds_a_booking_whose_request_was_not_accepted) {
  const std::string thread = Start(Project("ann", "bob", kHello));
  ASSERT_THAT(Verify(), IsEmpty());
  threads::ThreadRow head = HeadOf(thread);
  head.hidden.unbound.value.reset();
  PlantHead(head);
  EXPECT_THAT(Verify(), Contains(HasSubstr("is a booking, but its request was not accepted")));
}

TEST_F(OwnProjects, verify_finds_a_service_s_project_that_is_not_a_booking) {
  const std::string thread = Service("thread.create", Project("ann", "bob")).Text("thread.threadId");
  ASSERT_THAT(Verify(), IsEmpty());
  threads::ThreadRow head = HeadOf(thread);
  head.hidden.unbound.value = true;
  PlantHead(head);
  EXPECT_THAT(Verify(), Contains(HasSubstr("a service created the project, but it is not a booking")));
}

TEST_F(OwnProjects, verify_finds_a_noted_member_who_did_not_join) {
  const std::string thread = Start(R"({"kind":"group","participants":[{"userId":"bob"}]})");
  ASSERT_THAT(Verify(), IsEmpty());
  PlantContact("ann", "bob", thread, RequestState::kAccepted);
  EXPECT_THAT(Verify(),
              Contains(HasSubstr("the CONTACT# row for the invitation of bob is missing or differs")));
  PlantContact("ann", "bob", thread, RequestState::kPending);
  ASSERT_THAT(Verify(), IsEmpty());
  PlantContact("ann", "zoe", thread, RequestState::kAccepted);
  EXPECT_THAT(Verify(),
              Contains(HasSubstr("zoe has a CONTACT# row for having joined, but was never a member")));
}

}  // namespace
}  // namespace parley::gateway_test
