// Limits on requests to tables: Amazon's error for them, and when to retry.
#include <gmock/gmock.h>

#include "accounts/tenants/demo.h"
#include "gateway/app/node.h"
#include "tests/gateway/dynamodb/table_api.h"
#include "tests/gateway/response_text.h"

namespace parley::gateway_test {
namespace {

constexpr char kThrottled[] = "ThrottlingException: Rate of requests exceeds the allowed throughput.";

class TableThrottling : public testing::Test {
 protected:
  void Allow(int per_second) {
    accounts::TenantDirectory& tenants = api_.server().node().tenants();
    auto tenant = std::make_shared<accounts::Tenant>(*tenants.Find(accounts::kDemoTenant));
    tenant->settings = *accounts::ParseSettings(R"({"limits":{"enabled":true,"keyRequestsPerSecond":)" +
                                                std::to_string(per_second) + "}}");
    tenants.Publish(std::move(tenant), 1000);
  }
  std::string List() { return api_.Ask("ListTables", "{'Limit':1}").substr(0, sizeof kThrottled - 1); }
  bool IsTaken() { return List().starts_with("{"); }

  TableApi api_{LimitedDemoConfig()};
};

TEST_F(TableThrottling, a_key_that_asks_too_often_is_throttled_with_a_time_to_retry) {
  Allow(2);
  EXPECT_TRUE(IsTaken());
  EXPECT_TRUE(IsTaken());
  EXPECT_EQ(List(), kThrottled);
  const gateway::HttpResponse refused = api_.Answer("GetItem", "{'TableName':'tenants'}");
  EXPECT_EQ(refused.status, 400) << "as Amazon has it";
  EXPECT_EQ(refused.body, R"({"__type":"com.amazon.coral.availability#ThrottlingException",)"
                          R"("message":"Rate of requests exceeds the allowed throughput."})")
      << "before the request is read";
  EXPECT_EQ(HeaderOf(refused, "Retry-After"), "1");
  EXPECT_NE(HeaderOf(refused, "x-amz-crc32"), "");
  api_.server().Advance(499);
  EXPECT_EQ(List(), kThrottled);
  api_.server().Advance(1);
  EXPECT_TRUE(IsTaken());
}

TEST_F(TableThrottling, each_key_has_its_own_limit) {
  const ApiKey other = api_.MakeKey();
  Allow(1);
  EXPECT_TRUE(IsTaken());
  EXPECT_EQ(List(), kThrottled);
  api_.Use(other);
  EXPECT_TRUE(IsTaken());
}

TEST_F(TableThrottling, the_default_limit_is_a_thousand_requests_a_second) {
  int taken = 0;
  while (taken < 2000 && IsTaken()) ++taken;
  EXPECT_EQ(taken, 1000);
}

TEST_F(TableThrottling, bad_signatures_count_against_the_address) {
  const ApiKey good = api_.MakeKey();
  api_.Use({good.id, std::string(40, 'x')});
  for (int i = 0; i < 300; ++i)
    ASSERT_THAT(api_.Ask("ListTables", "{}"), testing::StartsWith("InvalidSignatureException"));
  api_.Use(good);
  EXPECT_EQ(api_.Ask("ListTables", "{}"),
            "ThrottlingException: Too many requests with bad credentials came from this address.");
  api_.server().Advance(200);
  EXPECT_TRUE(IsTaken());
}

}  // namespace
}  // namespace parley::gateway_test
