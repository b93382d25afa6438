// thread.create as a decision, with the reservations that make it idempotent.
#include "tests/threads/scene.h"

namespace parley::threads {
namespace {

constexpr std::string_view kCreateEvents =
    "1 thread.created inquiry v1; 2 participant.added buyer buyer/owner; "
    "3 participant.added seller seller/owner";

TEST(CreateDecision, assigns_seqs_from_one_in_the_order_of_the_contract) {
  Scene scene;
  EXPECT_EQ(scene.Do("buyer thread.create"), kCreateEvents);
  EXPECT_EQ(
      scene.Do("buyer thread.create subject=S city=C safeModeRequired=true firstMessage=hi "
               "participants=[{\"userId\":\"carol\",\"roleContext\":\"admin\"}] brief={\"title\":\"t\"}"),
      "1 thread.created inquiry v1 subject='S' city='C' safe; 2 participant.added buyer buyer/owner; "
      "3 participant.added seller seller/owner; 4 participant.added carol admin/write; "
      "5 tab.updated brief; 6 message.created T2.M1 buyer 'hi'");
  EXPECT_EQ(scene.Reply("thread.threadId") + " " + scene.Reply("thread.participants.*") + " " +
                scene.Reply("thread.participantCount") + " " + scene.Reply("thread.lastSeq"),
            "T2 buyer carol seller 3 6");
  EXPECT_EQ(scene.Reply("participants.*.userId"), "buyer carol seller");
}

TEST(CreateDecision, repeated_and_already_named_users_are_harmless) {
  Scene scene;
  EXPECT_EQ(scene.Do("buyer thread.create participants=[{\"userId\":\"dan\"},{\"userId\":\"buyer\"},"
                     "{\"userId\":\"carol\"},{\"userId\":\"dan\",\"roleContext\":\"admin\"},"
                     "{\"userId\":\"seller\"}]"),
            std::string(kCreateEvents) +
                "; 4 participant.added carol buyer/write; 5 participant.added dan buyer/write");
  EXPECT_EQ(scene.Do("buyer thread.create sellerUserId=buyer"),
            "1 thread.created inquiry v1; 2 participant.added buyer buyer/owner");
}

TEST(CreateDecision, the_first_message_is_the_creators_and_unread_for_the_others) {
  Scene scene;
  scene.Given("buyer thread.create firstMessage='<b>hi</b>'");
  EXPECT_EQ(scene.UnreadOf("buyer"), 0);
  EXPECT_EQ(scene.UnreadOf("seller"), 1);
  EXPECT_EQ(scene.Head().hidden.last_message->preview, "<b>hi</b>");
  EXPECT_EQ(scene.Head().item.last_msg_no, 1);
}

TEST(CreateDecision, permissions_depend_on_kind_and_caller) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"carol thread.create", "FORBIDDEN"},
      {"carol thread.create participants=[{\"userId\":\"carol\"}]",
       std::string(kCreateEvents) + "; 4 participant.added carol buyer/write"},
      {"service thread.create", std::string(kCreateEvents)},
      {"service(carol) thread.create", std::string(kCreateEvents)},
      {"ann(admin) thread.create", std::string(kCreateEvents)},
      {"service thread.create firstMessage=hi", "FORBIDDEN"},
      {"ann(admin) thread.create firstMessage=hi", "FORBIDDEN"},
      {"service(carol) thread.create firstMessage=hi", "FORBIDDEN"},
      {"service(buyer) thread.create firstMessage=hi",
       std::string(kCreateEvents) + "; 4 message.created M1 buyer 'hi'"},
  };
  for (const auto& [when, then] : rows) {
    Scene scene;
    EXPECT_EQ(scene.Do(when), then) << when;
  }
}

TEST(CreateDecision, projects_are_for_services_and_for_users_if_the_tenant_allows_it) {
  Scene scene;
  EXPECT_EQ(scene.Do("buyer thread.create kind=project lbgId=L1"),
            "1 thread.created project v1 lbg=L1; 2 participant.added buyer buyer/owner; "
            "3 participant.added seller seller/owner");
  scene.tenant_policy.user_projects = false;
  EXPECT_EQ(scene.Do("buyer thread.create kind=project lbgId=L1"), "FORBIDDEN");
  EXPECT_EQ(scene.Do("buyer thread.create kind=inquiry"), kCreateEvents);
  EXPECT_NE(scene.Do("service thread.create kind=project lbgId=L1"), "FORBIDDEN");
  EXPECT_NE(scene.Do("service(buyer) thread.create kind=project"), "FORBIDDEN");
  EXPECT_NE(scene.Do("ann(support) thread.create kind=project"), "FORBIDDEN");
}

TEST(CreateDecision, unknown_users_are_refused_by_name_if_the_tenant_requires_records) {
  Scene scene;
  scene.known_users = {"seller", "carol"};
  EXPECT_EQ(scene.Do("buyer thread.create kind=group with=carol,dan clientId=g"),
            "1 thread.created group v1; 2 participant.added buyer member/owner; "
            "3 participant.added carol member/write; 4 participant.added dan member/write");
  scene.tenant_policy.known_users_only = true;
  EXPECT_EQ(scene.Do("buyer thread.create clientId=c role=model with=carol,dan"),
            "NOT_FOUND participants.1.userId");
  EXPECT_EQ(scene.Do("ann(admin) thread.create"), "NOT_FOUND buyerUserId") << "whoever asks";
  EXPECT_EQ(scene.Do("buyer thread.create kind=direct with=dan"), "NOT_FOUND participants.0.userId");
  EXPECT_EQ(scene.Do("buyer thread.create kind=group with=carol,dan clientId=g"), "nothing") << "a repeat";
  EXPECT_EQ(scene.Do("buyer thread.create clientId=c role=model with=carol").substr(0, 16),
            "1 thread.created")
      << "the caller is known by their token; what was refused reserved nothing";
}

TEST(CreateDecision, a_direct_thread_with_a_deleted_user_is_found_again) {
  Scene scene;
  scene.Given("buyer thread.create kind=direct with=dan");
  scene.tenant_policy.known_users_only = true;
  EXPECT_EQ(scene.Do("buyer thread.create kind=direct with=dan"), "nothing");
}

TEST(CreateDecision, content_is_bounded_and_malformed_args_are_reported_first) {
  Scene scene;
  const std::string many = [] {
    std::string list;
    for (int i = 0; i < 10'000; ++i)
      list += (i ? ",{\"userId\":\"u" : "{\"userId\":\"u") + std::to_string(i) + "\"}";
    return "[" + list + "]";
  }();
  EXPECT_EQ(scene.Do("buyer thread.create firstMessage=''"), "BAD_REQUEST firstMessage");
  EXPECT_EQ(scene.Do("carol thread.create firstMessage=''"), "BAD_REQUEST firstMessage");
  EXPECT_EQ(scene.Do("buyer thread.create firstMessage=" + std::string(8193, 'x')), "TOO_LARGE");
  EXPECT_EQ(scene.Do("carol thread.create firstMessage=" + std::string(8193, 'x')), "FORBIDDEN");
  EXPECT_EQ(scene.Do("buyer thread.create brief={\"x\":\"" + std::string(32 * 1024, 'x') + "\"}"),
            "TOO_LARGE");
  EXPECT_EQ(scene.Do("buyer thread.create brief={\"title\":7}"), "BAD_REQUEST brief.title");
  EXPECT_EQ(scene.Do("carol thread.create brief={\"styleRefs\":[{\"note\":\"n\"}]}"),
            "BAD_REQUEST brief.styleRefs.0.url");
  EXPECT_EQ(scene.Do("buyer thread.create brief=[1]"), "BAD_REQUEST brief");
  EXPECT_EQ(scene.Do("buyer thread.create participants=" + many), "BAD_REQUEST participants");
  EXPECT_EQ(scene.Do("carol thread.create participants=" + many), "BAD_REQUEST participants");
  EXPECT_EQ(scene.Do("buyer thread.create kind=chat"), "BAD_REQUEST kind");
}

// --- idempotent on (creator, clientId)

TEST(CreateDecision, a_repeat_returns_the_same_thread_in_its_current_state) {
  Scene scene;
  scene.Given("buyer thread.create clientId=c firstMessage=hi");
  scene.Given("buyer thread.update version=1 city=Rome; buyer participant.remove userId=seller; +100h");
  EXPECT_EQ(scene.Do("buyer thread.create clientId=c firstMessage=hi"), "nothing");
  EXPECT_EQ(scene.Reply("thread.threadId") + " " + scene.Reply("thread.city") + " " +
                scene.Reply("participants.*.userId"),
            "T Rome buyer");
  EXPECT_NE(scene.Do("seller thread.create clientId=c firstMessage=hi"), "nothing") << "another creator";
  EXPECT_NE(scene.Do("buyer thread.create clientId=d firstMessage=hi"), "nothing") << "another key";
  EXPECT_NE(scene.Do("buyer@acme thread.create clientId=c firstMessage=hi"), "nothing") << "another tenant";
}

TEST(CreateDecision, the_client_id_belongs_to_the_creation_and_is_free_for_sends) {
  Scene scene;
  scene.Given("buyer thread.create clientId=c firstMessage=hi");
  EXPECT_EQ(scene.Do("buyer message.send clientId=c body=hi"), "5 message.created M2 buyer 'hi'");
  EXPECT_EQ(scene.Do("buyer message.send clientId=c body=hi"), "nothing");
}

TEST(CreateDecision, a_service_acting_for_no_user_has_its_own_client_ids) {
  Scene scene;
  scene.Given("service thread.create clientId=c; service(buyer) thread.create clientId=c");
  EXPECT_EQ(scene.Do("service thread.create clientId=c"), "nothing");
  EXPECT_EQ(scene.Reply("thread.threadId"), "T");
  EXPECT_EQ(scene.Do("buyer thread.create clientId=c"), "nothing");
  EXPECT_EQ(scene.Reply("thread.threadId"), "T2");
}

TEST(CreateDecision, a_repeat_is_found_before_permission_and_after_membership_are_checked) {
  Scene scene;
  scene.Given("carol(admin) thread.create kind=project clientId=c");
  EXPECT_EQ(scene.Do("carol thread.create kind=project clientId=c"), "nothing") << "they were staff then";
  EXPECT_EQ(scene.Do("carol thread.create kind=inquiry clientId=c"), "IDEMPOTENCY_CONFLICT");
  scene.Given("buyer thread.create kind=project clientId=c");
  scene.tenant_policy.user_projects = false;
  EXPECT_EQ(scene.Do("buyer thread.create kind=project clientId=c"), "nothing");
  EXPECT_EQ(scene.Do("buyer thread.create kind=project clientId=c city=Rome"), "IDEMPOTENCY_CONFLICT");
  scene.Given("seller participant.remove userId=buyer threadId=T2");
  EXPECT_EQ(scene.Do("buyer thread.create kind=project clientId=c"), "THREAD_NOT_MEMBER");
  EXPECT_EQ(scene.Do("buyer(admin) thread.create kind=project clientId=c"), "nothing");
}

TEST(CreateDecision, a_refused_creation_leaves_no_reservation) {
  Scene scene;
  scene.tenant_policy.user_projects = false;
  EXPECT_EQ(scene.Do("buyer thread.create kind=project clientId=c"), "FORBIDDEN");
  EXPECT_EQ(scene.Do("buyer thread.create clientId=c role=model"), kCreateEvents)
      << "the key is free, the role too";
}

TEST(CreateDecision, a_repeat_completes_a_creation_that_a_crash_interrupted) {
  Scene scene;
  scene.lose_next = true;
  EXPECT_EQ(scene.Do("buyer thread.create clientId=c role=model"), "lost");
  const std::string reserved = scene.decision.head->item.thread_id.ToText();
  EXPECT_EQ(scene.Do("buyer thread.create clientId=c role=model"), kCreateEvents);
  EXPECT_EQ(scene.names.IdOf("T"), reserved);
  EXPECT_EQ(scene.Do("buyer thread.create clientId=c role=model"), "nothing");
}

TEST(CreateDecision, another_request_for_a_role_reserved_before_a_crash_gets_the_thread) {
  Scene scene;
  scene.lose_next = true;
  scene.Do("buyer thread.create clientId=c role=model");
  EXPECT_EQ(scene.Do("buyer thread.create clientId=d role=model"), kCreateEvents);
  EXPECT_EQ(scene.Do("buyer thread.create clientId=c role=model"), "nothing");
  EXPECT_EQ(scene.Reply("thread.threadId"), "T");
}

// --- one open inquiry per buyer, seller and role

TEST(CreateDecision, a_second_inquiry_for_a_role_is_refused_with_the_first) {
  Scene scene;
  scene.Given("buyer thread.create role=model");
  EXPECT_EQ(scene.Do("buyer thread.create role=model"), "ALREADY_EXISTS current=v1");
  EXPECT_EQ(scene.Do("seller thread.create role=model"), "ALREADY_EXISTS current=v1");
  EXPECT_EQ(scene.Do("service thread.create role=model"), "ALREADY_EXISTS current=v1");
  EXPECT_EQ(scene.Do("buyer thread.create role=stylist"), kCreateEvents);
  EXPECT_EQ(scene.Do("buyer thread.create role=model sellerUserId=carol"),
            "1 thread.created inquiry v1; 2 participant.added buyer buyer/owner; "
            "3 participant.added carol seller/owner");
  EXPECT_EQ(scene.Do("buyer thread.create"), kCreateEvents) << "without a role it is another one";
  EXPECT_TRUE(
      scene.Do("buyer thread.create kind=project role=model").starts_with("1 thread.created project"));
}

TEST(CreateDecision, a_second_inquiry_of_a_pair_without_a_role_returns_the_first) {
  Scene scene;
  scene.Given("buyer thread.create role=none clientId=a firstMessage=hi");
  EXPECT_EQ(scene.Do("buyer thread.create role=none clientId=b"), "nothing");
  EXPECT_EQ(scene.Reply("thread.threadId"), "T");
  EXPECT_EQ(scene.Do("seller thread.create role=none clientId=b"), "nothing");
  EXPECT_EQ(scene.Do("service thread.create role=none clientId=b"), "nothing");
  EXPECT_EQ(scene.Reply("thread.threadId"), "T");
  EXPECT_EQ(scene.Do("buyer thread.create role=none clientId=c firstMessage=there?"),
            "5 message.created M2 buyer 'there?'");
  EXPECT_EQ(scene.Do("buyer thread.create role=none clientId=c firstMessage=there?"), "nothing")
      << "a repeat";
  EXPECT_EQ(scene.Do("buyer thread.create role=none clientId=a firstMessage=hi"), "nothing")
      << "a repeat of the first";
  EXPECT_EQ(scene.Do("buyer thread.create role=none clientId=c firstMessage=else"), "IDEMPOTENCY_CONFLICT");
  scene.Given("service thread.promote legId=G1 eventId=e");
  EXPECT_EQ(scene.Do("buyer thread.create role=none clientId=c firstMessage=there?"), "nothing")
      << "for good";
  EXPECT_EQ(scene.Do("buyer thread.create role=none clientId=d"), kCreateEvents)
      << "the first became a project";
}

TEST(CreateDecision, a_crash_before_the_first_message_of_a_second_inquiry_loses_nothing) {
  Scene scene;
  scene.Given("buyer thread.create role=none clientId=a");
  scene.lose_next = true;
  scene.Do("buyer thread.create role=none clientId=b firstMessage=hi");
  EXPECT_EQ(scene.Do("buyer thread.create role=none clientId=b firstMessage=hi"),
            "4 message.created M1 buyer 'hi'");
  EXPECT_EQ(scene.Do("buyer thread.create role=none clientId=b firstMessage=hi"), "nothing");
}

TEST(CreateDecision, a_role_is_free_again_when_its_inquiry_became_a_project) {
  Scene scene;
  scene.Given("buyer thread.create role=model; service thread.promote legId=G1 eventId=e");
  EXPECT_EQ(scene.Do("buyer thread.create role=model"), kCreateEvents);
  EXPECT_EQ(scene.Do("buyer thread.create role=model"), "ALREADY_EXISTS current=v1");
}

// Regression: a user who named themselves a participant beside two others could read the inquiry between
// those two.
TEST(CreateDecision, a_third_person_learns_nothing_of_the_inquiry_of_two_others) {
  Scene scene;
  scene.Given("buyer thread.create role=model");
  const std::string when = "carol thread.create role=model participants=[{\"userId\":\"carol\"}]";
  EXPECT_EQ(scene.Do(when), std::string(kCreateEvents) + "; 4 participant.added carol buyer/write");
  EXPECT_EQ(scene.Do("buyer thread.create role=model"), "ALREADY_EXISTS current=v1");
}

TEST(CreateDecision, a_user_who_left_an_inquiry_may_start_another_for_the_role) {
  Scene scene;
  scene.Given("buyer thread.create role=model; buyer participant.remove userId=buyer");
  EXPECT_EQ(scene.Do("seller thread.create role=model"), "ALREADY_EXISTS current=v1");
  EXPECT_EQ(scene.Do("buyer thread.create role=model"), kCreateEvents);
  EXPECT_EQ(scene.Do("buyer thread.create role=model"), "ALREADY_EXISTS current=v1");
}

}  // namespace
}  // namespace parley::threads
