// Checks the credential before it accepts a body of more than 64 KiB.
#include <gtest/gtest.h>

#include "tests/gateway/fake_server_support.h"
#include "tests/gateway/live_server_support.h"
#include "tests/gateway/ws_test_client_support.h"

namespace parley::gateway_test {
namespace {

class LargeBodies : public testing::Test {
 protected:
  // Sends only the head and the first bytes of the body; returns the answer.
  WsResponse Begin(const std::string& target, size_t length, const Headers& headers) {
    WsTestClient client;
    EXPECT_TRUE(client.Dial(server_.port()));
    std::string request = "POST " + target + " HTTP/1.1\r\nHost: localhost\r\n";
    for (const auto& [name, value] : headers) request += name + ": " + value + "\r\n";
    request += length == 0 ? "Transfer-Encoding: chunked\r\n\r\n"
                           : "Content-Length: " + std::to_string(length) + "\r\n\r\n{";
    client.SendRaw(request);
    if (length == 0) client.SendRaw("20000\r\n" + std::string(0x20000, ' '));
    return client.ReadResponse();
  }
  static std::string Reported(const WsResponse& answer) {
    return std::to_string(answer.status) + " " + Frame(protocol::Encoding::kJson, answer.body).error();
  }
  Headers Bearer(const std::string& credential) { return {{"Authorization", "Bearer " + credential}}; }

  LiveServer server_;
};

TEST_F(LargeBodies, are_refused_at_the_head_without_a_credential) {
  const std::string op = "/v1/ops/inbox.list";
  EXPECT_EQ(Reported(Begin(op, 100'000, {})), "401 UNAUTHENTICATED");
  EXPECT_EQ(Reported(Begin(op, 100'000, Bearer("nonsense"))), "401 UNAUTHENTICATED");
  EXPECT_EQ(Reported(Begin(op, 100'000, Bearer("ptk_" + std::string(64, 'a')))), "401 UNAUTHENTICATED");
  EXPECT_EQ(Reported(Begin(op, 100'000, Bearer("pak_" + std::string(64, 'a')))), "401 UNAUTHENTICATED");
  EXPECT_EQ(Reported(Begin(op, 100'000, {{"Authorization", "Basic eDp5"}})), "401 UNAUTHENTICATED");
  EXPECT_EQ(Reported(Begin(op, 300'000, {})), "413 TOO_LARGE") << "whoever sends it";
  EXPECT_EQ(Reported(Begin(op, 0, {})), "413 TOO_LARGE") << "in chunks, of 64 KiB at most";
  EXPECT_EQ(Reported(Begin(op, 0, Bearer("nonsense"))), "401 UNAUTHENTICATED");
  EXPECT_EQ(Reported(Begin("/v1/tokens/refresh", 100'000, {})), "413 TOO_LARGE") << "nothing there is large";
  EXPECT_EQ(Reported(Begin("/v1/demo/token", 100'000, {})), "413 TOO_LARGE");
  EXPECT_EQ(server_.Metric("parley_http_body_bytes"), 0);
}

TEST_F(LargeBodies, are_read_with_a_good_credential_which_is_checked_again_with_the_request) {
  const std::string token = server_.Token("ann");
  const std::string args = R"({"limit":1)" + std::string(100'000, ' ') + "}";
  EXPECT_EQ(HttpPost(server_.port(), "/v1/ops/inbox.list", args, Bearer(token)).status, 200);
  EXPECT_EQ(Reported(HttpPost(server_.port(), "/v1/ops/inbox.list", args + "x", Bearer(token))),
            "400 BAD_REQUEST");
  EXPECT_EQ(
      Reported(HttpPost(server_.port(), "/v1/users", "{" + std::string(100'000, ' ') + "}", Bearer(token))),
      "403 FORBIDDEN");
}

TEST_F(LargeBodies, to_tables_need_a_known_access_key) {
  const auto signed_by = [](const std::string& id) -> Headers {
    return {{"X-Amz-Target", "DynamoDB_20120810.PutItem"},
            {"X-Amz-Date", "20150830T123600Z"},
            {"Authorization", "AWS4-HMAC-SHA256 Credential=" + id +
                                  "/20150830/us-east-1/dynamodb/aws4_request, "
                                  "SignedHeaders=host;x-amz-date;x-amz-target, Signature=" +
                                  std::string(64, '0')}};
  };
  for (const char* target : {"/v1/dynamodb", "/"}) {
    const WsResponse unsigned_one =
        Begin(target, 16'000'000, {{"X-Amz-Target", "DynamoDB_20120810.PutItem"}});
    EXPECT_EQ(unsigned_one.status, 400) << target;
    EXPECT_NE(unsigned_one.body.find("MissingAuthenticationToken"), std::string::npos) << unsigned_one.body;
    const WsResponse stranger = Begin(target, 16'000'000, signed_by("PKTABCDEFGHIJKLMNOP7"));
    EXPECT_EQ(stranger.status, 400) << stranger.body;
  }
  EXPECT_EQ(server_.Metric("parley_http_body_bytes"), 0);
}

}  // namespace
}  // namespace parley::gateway_test
