// A tenant that the operator created and activated, and its back end, which uses HTTP.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "accounts/records/records.h"
#include "accounts/tokens/refresh_token.h"
#include "tests/gateway/fake_server_support.h"
#include "tests/gateway/response_text.h"

namespace parley::gateway_test {

using gateway::HttpResponse;

struct Tokens {
  std::string token, refresh;
};

class TenantScene : public testing::Test {
 protected:
  void SetUp() override {
    EXPECT_EQ(
        As(FakeServer::operator_key(), "POST", "/v1/tenants",
           R"({"tenantId":"acme","name":"Acme","settings":{"knownUsersOnly":false,"userProjects":true}})"),
        "201");
    back_end_ = Secret(FakeServer::operator_key(), "/v1/tenants/acme/keys", "{}");
    SetStatus("activate");
  }
  void SetStatus(const std::string& how) {
    EXPECT_EQ(As(FakeServer::operator_key(), "POST", "/v1/tenants/acme/" + how), "200");
  }

  HttpResponse Send(const std::string& credential, const std::string& method, const std::string& target,
                    const std::string& body = "", FakeServer::Headers headers = {}) {
    if (!credential.empty()) headers.emplace_back("Authorization", "Bearer " + credential);
    return world_->Http(method, target, body, std::move(headers));
  }
  std::string As(const std::string& credential, const std::string& method, const std::string& target,
                 const std::string& body = "") {
    return Verdict(Send(credential, method, target, body));
  }
  // Asks as the tenant's back end.
  HttpResponse Ask(const std::string& method, const std::string& target, const std::string& body = "") {
    return Send(back_end_, method, target, body);
  }
  std::string Secret(const std::string& credential, const std::string& target, const std::string& body) {
    const HttpResponse made = Send(credential, "POST", target, body);
    EXPECT_EQ(made.status, 201) << made.body;
    return Body(made).Text("secret");
  }
  void MakeUser(const std::string& id, const std::string& role = "member") {
    EXPECT_EQ(Verdict(Ask("POST", "/v1/users", Args({{"userId", id}, {"role", role}}))), "201");
  }
  std::string MakeApiKey(const std::string& user) {
    return Secret(back_end_, "/v1/users/" + user + "/api-keys", "{}");
  }
  Tokens TokensFrom(const HttpResponse& answer) {
    EXPECT_EQ(answer.status, 200) << answer.body;
    return {Body(answer).Text("token"), Body(answer).Text("refreshToken")};
  }
  Tokens Issue(const std::string& user) {
    return TokensFrom(Ask("POST", "/v1/tokens", Args({{"userId", user}})));
  }
  HttpResponse Refresh(const std::string& refresh, FakeServer::Headers headers = {}) {
    return Send("", "POST", "/v1/tokens/refresh", Args({{"refreshToken", refresh}}), std::move(headers));
  }
  // Tries the credential; returns the outcome.
  std::string Opens(const std::string& credential) {
    return As(credential, "POST", "/v1/ops/inbox.list", "{}");
  }
  FakeClient Connect(const std::string& credential) {
    FakeClient client = world_->Connect();
    EXPECT_TRUE(client.Hello(credential).ok());
    return client;
  }
  // Runs a decision in a transaction, as a route does.
  void Decide(std::function<protocol::Status(accounts::RecordTransaction&)> decide);
  // Signs the user in so many times with discarded secrets and without the slow hash.
  void SignIn(size_t times, const accounts::SignIn& asked);
  // Counts the stored items of a user's keys or tokens.
  size_t CountStored(std::string_view table, const std::string& hash);

  World world_{gateway::Config{}};
  std::string back_end_;
  size_t sign_ins_ = 0;
};

}  // namespace parley::gateway_test
