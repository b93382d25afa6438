// Credentials of requests to tables: each refusal as an SDK reads it, and the lifetime of a key.
#include "gateway/dynamodb/credentials.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "protocol/base/crypto.h"
#include "tests/accounts/memory_table_keys.h"
#include "tests/accounts/signed_support.h"
#include "tests/gateway/fake_support.h"
#include "tests/storage/memory_sealer.h"

namespace parley::gateway_test {
namespace {

using accounts::Signed;
using gateway::DynamoErrorType;
using testing::HasSubstr;

class TableCredentials : public testing::Test {
 protected:
  TableCredentials() {
    SetStatus(accounts::TenantStatus::kActive);
    keys_.Make({"acme"}, {"", {}, false, ""}, clock_.Now(), [&](auto made) { made_ = *made; });
  }
  void SetStatus(accounts::TenantStatus status) {
    accounts::Tenant acme;
    acme.id = {"acme"};
    acme.status = status;
    tenants_.Publish(std::make_shared<const accounts::Tenant>(acme), ++decisions_);
  }
  int64_t now_s() const { return clock_.Now().ms / 1000; }
  gateway::HttpRequest Request(std::string_view key_id, std::string_view secret,
                               std::string_view service = "dynamodb") const {
    Signed request{"", "POST", "/", {{"X-Amz-Target", "DynamoDB_20120810.ListTables"}}, "{}"};
    accounts::SignNow(&request, now_s(), key_id, secret, service);
    return {request.method, request.target, request.body, "192.0.2.7", request.headers};
  }
  gateway::HttpRequest Good() const { return Request(made_.key->id.ToText(), made_.secret); }
  static std::string* Header(gateway::HttpRequest* request, const std::string& name) {
    for (auto& [known, value] : request->headers) {
      if (known == name) return &value;
    }
    return nullptr;
  }
  // The name of the error; empty if the request was accepted.
  std::string_view Fault(const gateway::HttpRequest& request) {
    const auto caller = authenticator_.Authenticate(request);
    return caller.ok() ? "" : Describe(caller.error().type).name;
  }

  FakeClock clock_;
  accounts::MemoryTableKeys store_;
  accounts::TableKeys keys_{store_, storage::SealerInMemory("0123456789abcdef0123456789abcdef"),
                            [](size_t n) { return protocol::RandomBytes(n); }};
  accounts::TableKeys::Made made_;
  accounts::TenantDirectory tenants_;
  uint64_t decisions_ = 0;
  gateway::TableAuthenticator authenticator_{keys_, tenants_, clock_};
};

TEST_F(TableCredentials, open_nothing_unless_the_tenant_is_active) {
  for (const auto status : {accounts::TenantStatus::kSuspended, accounts::TenantStatus::kOnboarding}) {
    SetStatus(status);
    EXPECT_EQ(Fault(Good()), "AccessDeniedException");
  }
  SetStatus(accounts::TenantStatus::kActive);
  EXPECT_EQ(Fault(Good()), "");
}

TEST_F(TableCredentials, identify_the_tenant_and_the_key) {
  for (int i = 0; i < 3; ++i) {  // computes the derived key, then uses the cached one
    const auto caller = authenticator_.Authenticate(Good());
    ASSERT_TRUE(caller.ok());
    EXPECT_EQ(caller->tenant.value, "acme");
    EXPECT_EQ(caller->key->id, made_.key->id);
  }
}

TEST_F(TableCredentials, are_refused_with_amazons_error_names) {
  EXPECT_EQ(Fault({"POST", "/", "{}", "", {}}), "MissingAuthenticationTokenException");
  gateway::HttpRequest request = Good();
  Header(&request, "Authorization")->resize(40);
  EXPECT_EQ(Fault(request), "IncompleteSignatureException");
  EXPECT_EQ(Fault(Request("PKTABCDEFGHIJKLMNOP7", made_.secret)), "UnrecognizedClientException");
  EXPECT_EQ(Fault(Request("AKIAIOSFODNN7EXAMPLE", made_.secret)), "UnrecognizedClientException");
  EXPECT_EQ(Fault(Request(made_.key->id.ToText(), "another secret")), "InvalidSignatureException");
  EXPECT_EQ(Fault(Request(made_.key->id.ToText(), made_.secret, "s3")), "InvalidSignatureException");
  request = Good();
  request.body = "{ }";
  EXPECT_EQ(Fault(request), "InvalidSignatureException");
  request = Good();
  request.target = "/?X-Amz-Algorithm=AWS4-HMAC-SHA256";
  EXPECT_EQ(Fault(request), "InvalidSignatureException");
}

TEST_F(TableCredentials, an_old_request_is_refused_with_both_times_in_the_message) {
  const gateway::HttpRequest request = Good();
  EXPECT_EQ(Fault(request), "");
  clock_.Advance(901'000);
  const auto caller = authenticator_.Authenticate(request);
  ASSERT_FALSE(caller.ok());
  EXPECT_EQ(caller.error().type, DynamoErrorType::kInvalidSignature);
  EXPECT_THAT(caller.error().message, HasSubstr("Signature expired: "));
}

TEST_F(TableCredentials, a_revoked_key_is_unknown_from_the_next_request_on) {
  EXPECT_EQ(Fault(Good()), "");
  keys_.Revoke({"acme"}, made_.key->id, [](auto) {});
  EXPECT_EQ(Fault(Good()), "UnrecognizedClientException");
  const auto known = authenticator_.Authenticate(Good());
  const auto unknown = authenticator_.Authenticate(Request("PKTABCDEFGHIJKLMNOP7", made_.secret));
  ASSERT_FALSE(known.ok() || unknown.ok());
  EXPECT_EQ(known.error().message, unknown.error().message) << "nobody learns which keys there were";
}

TEST_F(TableCredentials, a_wrong_signature_is_not_cached_and_records_no_use_of_the_key) {
  EXPECT_EQ(Fault(Request(made_.key->id.ToText(), "another secret")), "InvalidSignatureException");
  EXPECT_EQ(keys_.Find(made_.key->id.ToText())->last_used_at, std::nullopt);
  EXPECT_EQ(Fault(Good()), "");
  EXPECT_EQ(keys_.Find(made_.key->id.ToText())->last_used_at, clock_.Now());
}

TEST_F(TableCredentials, a_key_opens_only_its_tables) {
  accounts::TableKeys::Made narrow;
  keys_.Make({"acme"}, {"", {"notes"}, true, ""}, clock_.Now(), [&](auto made) { narrow = *made; });
  const auto caller = authenticator_.Authenticate(Request(narrow.key->id.ToText(), narrow.secret));
  ASSERT_TRUE(caller.ok());
  EXPECT_FALSE(caller->Refuse("GetItem", "notes", false));
  for (const auto& [table, write] : {std::pair{"notes", true}, {"other", false}}) {
    const auto refused = caller->Refuse("PutItem", table, write);
    ASSERT_TRUE(refused) << table;
    EXPECT_EQ(refused->type, DynamoErrorType::kAccessDenied);
    EXPECT_THAT(refused->message,
                HasSubstr("is not authorized to perform: dynamodb:PutItem on resource: table/"));
  }
}

TEST_F(TableCredentials, a_presigned_request_that_writes_is_valid_for_15_minutes_at_most) {
  auto caller = authenticator_.Authenticate(Good());
  ASSERT_TRUE(caller.ok());
  EXPECT_EQ(caller->signed_for_s, 15 * 60);
  EXPECT_FALSE(caller->Refuse("PutItem", "notes", /*write=*/true));
  caller->signed_for_s = 15 * 60 + 1;
  EXPECT_FALSE(caller->Refuse("GetItem", "notes", /*write=*/false));
  const auto refused = caller->Refuse("PutItem", "notes", /*write=*/true);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->type, DynamoErrorType::kAccessDenied);
  EXPECT_THAT(refused->message, HasSubstr("X-Amz-Expires"));
}

}  // namespace
}  // namespace parley::gateway_test
