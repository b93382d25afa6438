// Integration events over HTTP: permissions, arguments, answers and paging. tests/accounts/ covers the
// decisions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "accounts/users/user_changes.h"
#include "tests/gateway/grant_scene.h"

namespace parley::gateway_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kEvents = "/v1/events";
const std::string kInbox = "/v1/inbox";

class EventRoutesTest : public GrantsTest {
 protected:
  std::string Post(const std::string& json, const std::string& query = "") {
    const HttpResponse made = Ask("service", "POST", kEvents + query, json);
    EXPECT_EQ(Verdict(made), "201") << json;
    return Body(made).Text("eventId");
  }
  std::vector<std::string> PostMany(int n) {
    std::vector<std::string> out;
    for (int i = 0; i < n; ++i) {
      world_->Advance(1);
      out.push_back(Post("{}"));
    }
    return out;
  }
  std::vector<std::string> Ids(const std::string& target) { return Walk("service", target, "eventId"); }
  std::string Ask200(const std::string& method, const std::string& target, const std::string& body = "") {
    const HttpResponse answer = Ask("service", method, target, body);
    EXPECT_EQ(Verdict(answer), "200") << target;
    return answer.body;
  }
};

TEST_F(EventRoutesTest, are_returned_exactly_as_posted) {
  const std::string json = R"({"z":1.5,"big":12345678901234567890123456789,"deep":{"list":[true,null,"ü"]}})";
  const HttpResponse made = Ask("service", "POST", kEvents + "?type=order.paid", json);
  const std::string now = protocol::FormatTime(world_.clock().Now());
  const std::string id = Body(made).Text("eventId");
  EXPECT_EQ(made.body, R"({"eventId":")" + id + R"(","createdAt":")" + now + R"(","status":"undelivered"})");
  const std::string one = Ask200("GET", kEvents + "/" + id);
  EXPECT_THAT(one, HasSubstr(R"("type":"order.paid","status":"undelivered")"));
  EXPECT_THAT(one, HasSubstr(R"("big":12345678901234567890123456789)"));
  EXPECT_THAT(one, HasSubstr(R"("deep":{"list":[true,null,"ü"]})"));
  EXPECT_THAT(one, HasSubstr(R"("z":1.5)"));
  EXPECT_EQ(Ask200("GET", kInbox), R"({"items":[)" + one + R"(],"cursor":null})");
}

TEST_F(EventRoutesTest, take_their_type_from_the_query_or_the_body) {
  Post(R"({"type":"a"})");
  Post(R"({"type":"b"})", "?type=a");
  Post("{}");
  EXPECT_EQ(Ids(kEvents + "?type=a").size(), 2u);
  EXPECT_EQ(Ids(kEvents + "?type=b").size(), 0u);
  EXPECT_EQ(Ids(kEvents).size(), 3u);
}

TEST_F(EventRoutesTest, malformed_ones_are_refused) {
  for (const char* body : {"", "[]", "{", "7", "null", R"({"a":1}x)", R"({"type":"a#b"})"})
    EXPECT_EQ(Judge("service", "POST", kEvents, body), "400 BAD_REQUEST") << body;
  const std::string fits = R"({"a":")" + std::string(256 * 1024 - 8, 'x') + R"("})";
  EXPECT_EQ(fits.size(), size_t{256} * 1024);
  EXPECT_EQ(Judge("service", "POST", kEvents, fits), "201");
  EXPECT_EQ(Judge("service", "POST", kEvents, fits + " "), "413 TOO_LARGE");
  for (const char* query : {"?type=", "?type=a%23b", "?event=x", "?limit=1"})
    EXPECT_EQ(Judge("service", "POST", kEvents + query, "{}"), "400 BAD_REQUEST") << query;
  for (const char* target :
       {"/v1/inbox?limit=101", "/v1/inbox?limit=0", "/v1/inbox?leaseSeconds=0", "/v1/inbox?leaseSeconds=3601",
        "/v1/inbox?cursor=x", "/v1/inbox?status=delivered", "/v1/events?limit=201", "/v1/events?status=lost",
        "/v1/events?type=a%23"})
    EXPECT_EQ(Judge("service", "GET", target), "400 BAD_REQUEST") << target;
  for (const char* body : {"{}", R"({"eventIds":[]})", R"({"eventIds":"x"})", R"({"eventIds":[1]})"})
    EXPECT_EQ(Judge("service", "POST", kEvents + "/ack", body), "400 BAD_REQUEST") << body;
}

TEST_F(EventRoutesTest, are_only_for_back_ends_of_active_tenants) {
  const std::string id = Post("{}");
  for (const auto& [method, target] : {std::pair{"POST", kEvents},
                                       {"GET", kEvents},
                                       {"GET", kInbox},
                                       {"GET", kEvents + "/" + id},
                                       {"DELETE", kEvents + "/" + id},
                                       {"POST", kEvents + "/" + id + "/ack"}}) {
    const std::string body = std::string(method) == "POST" ? "{}" : "";
    EXPECT_EQ(Judge("admin", method, target, body), "403 FORBIDDEN") << target;
    SetStatus(accounts::TenantStatus::kOnboarding);
    EXPECT_EQ(Judge("service", method, target, body), "403 FORBIDDEN") << target;
    SetStatus(accounts::TenantStatus::kActive);
  }
}

TEST_F(EventRoutesTest, lists_continue_after_their_cursors_event_was_acknowledged) {
  const std::vector<std::string> made = PostMany(5);
  EXPECT_EQ(Ids(kInbox + "?limit=2"), made);
  const std::vector<std::string> newest(made.rbegin(), made.rend());
  EXPECT_EQ(Ids(kEvents + "?limit=2"), newest);
  const Frame page = Body(Ask("service", "GET", kInbox + "?limit=2"));
  EXPECT_EQ(Ask200("POST", kEvents + "/ack", R"({"eventIds":[")" + made[0] + R"(",")" + made[1] + R"("]})"),
            R"({"results":[{"eventId":")" + made[0] + R"(","status":"delivered"},{"eventId":")" + made[1] +
                R"(","status":"delivered"}]})");
  const std::string cursor = "&cursor=" + page.Text("cursor");
  EXPECT_EQ(Ids(kInbox + "?limit=3" + cursor), (std::vector{made[2], made[3], made[4]}));
  EXPECT_EQ(Judge("service", "GET", kEvents + "?status=undelivered" + cursor), "400 BAD_REQUEST");
  EXPECT_EQ(Ids(kEvents + "?status=delivered"), (std::vector{made[0], made[1]}));
}

TEST_F(EventRoutesTest, a_lease_hides_its_events_from_others_but_not_from_head) {
  const std::vector<std::string> made = PostMany(3);
  EXPECT_EQ(Ask("service", "HEAD", kInbox + "?leaseSeconds=10").status, 200);
  EXPECT_EQ(Ids(kInbox), made);
  EXPECT_EQ(Body(Ask("service", "GET", kInbox + "?leaseSeconds=10&limit=2")).Size("items"), 2u);
  EXPECT_EQ(Ids(kInbox), (std::vector{made[2]}));
  EXPECT_EQ(Ids(kEvents + "?status=undelivered"), (std::vector{made[2]}));
  world_->Advance(10'000);
  EXPECT_EQ(Ids(kInbox), made);
}

// More than fit into one pass, which puts expired leases back first.
TEST_F(EventRoutesTest, many_leases_that_expire_at_once_all_return) {
  const std::vector<std::string> made = PostMany(190);
  for (int i = 0; i < 2; ++i) Ask200("GET", kInbox + "?leaseSeconds=10&limit=100");
  EXPECT_EQ(Ids(kInbox).size(), 0u);
  world_->Advance(10'000);
  EXPECT_EQ(Ids(kInbox + "?limit=100"), made);
}

TEST_F(EventRoutesTest, many_leases_that_expire_at_once_can_be_leased_again) {
  const std::vector<std::string> made = PostMany(190);
  for (int i = 0; i < 2; ++i) Ask200("GET", kInbox + "?leaseSeconds=10&limit=100");
  world_->Advance(10'000);
  std::vector<std::string> again;
  for (int i = 0; i < 2; ++i) {
    const Frame page = Body(Ask("service", "GET", kInbox + "?leaseSeconds=10&limit=100"));
    for (size_t n = 0; n < page.Size("items"); ++n)
      again.push_back(page.Text("items." + std::to_string(n) + ".eventId"));
  }
  EXPECT_EQ(again, made);
}

TEST_F(EventRoutesTest, are_acknowledged_and_deleted_one_by_one) {
  const std::string id = Post("{}"), path = kEvents + "/" + id;
  world_->Advance(5);
  const std::string acked = Ask200("POST", path + "/ack");
  EXPECT_THAT(acked, HasSubstr(R"("status":"delivered")"));
  world_->Advance(5);
  EXPECT_EQ(Ask200("POST", path + "/ack"), acked);
  EXPECT_EQ(Ask200("GET", path), acked);
  EXPECT_EQ(Judge("service", "DELETE", path), "204");
  for (const char* method : {"GET", "DELETE"}) EXPECT_EQ(Judge("service", method, path), "404 NOT_FOUND");
  EXPECT_EQ(Judge("service", "POST", path + "/ack"), "404 NOT_FOUND");
  EXPECT_THAT(Ids(kEvents), ElementsAre());
}

TEST_F(EventRoutesTest, a_repeat_with_the_same_key_creates_no_second_event) {
  const auto post = [&](const std::string& body, const std::string& query = "") {
    return Ask("service", "POST", kEvents + query, body, {{"Idempotency-Key", "k"}});
  };
  const HttpResponse first = post(R"({"n":1})");
  world_->Advance(5);
  EXPECT_EQ(post(R"({"n":1})").body, first.body);
  EXPECT_EQ(Verdict(post(R"({"n":2})")), "409 IDEMPOTENCY_CONFLICT");
  EXPECT_EQ(Verdict(post(R"({"n":1})", "?type=a")), "409 IDEMPOTENCY_CONFLICT");
  EXPECT_EQ(Ids(kEvents).size(), 1u);
}

}  // namespace
}  // namespace parley::gateway_test
