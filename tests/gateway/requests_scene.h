// Two strangers on the whole server with a fake network; their tenant has message requests enabled.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "accounts/tenants/demo.h"
#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {

inline gateway::Config Asking() {
  gateway::Config config = DemoConfig();
  config.message_requests = true;
  return config;
}

class Requests : public testing::Test {
 protected:
  explicit Requests(const gateway::Config& config = Asking())
      : world_(config), ann_(world_->Join("ann")), bob_(world_->Join("bob")) {}

  static std::string In(const std::string& thread, const std::string& more = "") {
    return R"({"threadId":")" + thread + "\"" + more + "}";
  }
  static std::string Direct(const std::string& to, const std::string& more = "") {
    return R"({"kind":"direct","participants":[{"userId":")" + to + R"("}])" + more + "}";
  }
  static std::string Inquiry(const std::string& from, const std::string& to, const std::string& more = "") {
    return R"({"kind":"inquiry","buyerUserId":")" + from + R"(","sellerUserId":")" + to + "\"" + more + "}";
  }
  static std::string Project(const std::string& from, const std::string& to, const std::string& more = "") {
    return R"({"kind":"project","buyerUserId":")" + from + R"(","sellerUserId":")" + to +
           R"(","lbgId":"lbg_1")" + more + "}";
  }
  // Asks as the tenant's back end, for no user.
  Frame Service(const std::string& op, const std::string& args) {
    const auto answer =
        world_->Http("POST", "/v1/ops/" + op, args, {{"Authorization", "Bearer " + world_->service_key()}});
    return Frame(protocol::Encoding::kJson, answer.body);
  }
  static constexpr const char* kHello = R"(,"firstMessage":"hello there")";
  // ann writes to bob; returns the thread's id.
  std::string Ask() { return ann_.Ask("thread.create", Direct("bob", kHello)).Text("ok.thread.threadId"); }
  static std::string Code(const Frame& reply) { return reply.ok() ? "ok" : reply.error(); }
  std::string Say(FakeClient& who, const std::string& thread, const std::string& body) {
    return Code(
        who.Ask("message.send", In(thread, R"(,"type":"text","clientId":")" + std::to_string(++said_) +
                                               R"(","body":")" + body + "\"")));
  }
  static std::vector<Frame> Of(std::vector<Frame> events, const std::string& ev) {
    std::erase_if(events, [&](const Frame& event) { return event.ev() != ev; });
    return events;
  }
  static std::string Threads(FakeClient& who, const std::string& folder) {
    const Frame page = who.Ask("inbox.list", R"({"folder":")" + folder + "\"}");
    std::string out;
    for (size_t i = 0; i < page.Size("ok.entries"); ++i)
      out += (i ? " " : "") + page.Text("ok.entries." + std::to_string(i) + ".threadId");
    return out;
  }
  static int64_t Credits(FakeClient&& who) { return Credits(who); }
  static int64_t Credits(FakeClient& who) { return who.Ask("inbox.counts").Int("ok.credits.available"); }
  void Set(const std::string& settings) { world_.SetDemoSettings(settings); }
  FakeClient JoinWith(const std::string& user, const std::string& attrs) {
    const auto made =
        world_->Http("POST", "/v1/demo/token", R"({"userId":")" + user + R"(","attrs":)" + attrs + "}");
    FakeClient client = world_->Connect();
    EXPECT_TRUE(client.Hello(Frame(protocol::Encoding::kJson, made.body).Text("token")).ok()) << made.body;
    client.TakeEvents();
    return client;
  }
  void ExpectSound() { EXPECT_THAT(world_.Verify(), testing::IsEmpty()); }

  World world_;
  FakeClient ann_, bob_;
  int said_ = 0;
};

}  // namespace parley::gateway_test
