// A buyer and a seller with projects on the whole server with a fake network.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {

inline constexpr int64_t kHour = 3'600'000, kDay = 24 * kHour;

class ProjectBehaviours : public testing::Test {
 protected:
  ProjectBehaviours() : ann_(world_->Join("ann")), bob_(world_->Join("bob")) {}

  std::string Create(const std::string& kind, const std::string& more = "") {
    return ann_
        .Ask("thread.create",
             R"({"buyerUserId":"ann","sellerUserId":"bob","kind":)" + Quoted(kind) + more + "}")
        .Text("ok.thread.threadId");
  }
  static std::string In(const std::string& thread, const std::string& more = "") {
    return "{\"threadId\":" + Quoted(thread) + more + "}";
  }
  static Frame Send(FakeClient& who, const std::string& thread, const std::string& body) {
    return who.Ask("message.send",
                   In(thread, R"(,"type":"text","clientId":)" + Quoted(body) + R"(,"body":)" + Quoted(body)));
  }
  static Frame Put(FakeClient& who, const std::string& thread, const std::string& tab, int version,
                   const std::string& content) {
    return who.Ask("tab.put", In(thread, R"(,"tab":)" + Quoted(tab) + R"(,"version":)" +
                                             std::to_string(version) + R"(,"content":)" + content));
  }
  // The same as ann, by the tenant's back end, which may set bands.
  void Import(const std::string& thread, const std::string& tab, const std::string& content) {
    EXPECT_TRUE(Service("tab.put",
                        In(thread, R"(,"tab":)" + Quoted(tab) + R"(,"version":0,"content":)" + content),
                        "ann")
                    .Has("tab"));
  }
  static std::vector<std::string> Listed(FakeClient& who, const std::string& args) {
    const Frame page = who.Ask("inbox.list", args);
    std::vector<std::string> out;
    for (size_t i = 0; i < page.Size("ok.entries"); ++i)
      out.push_back(page.Text("ok.entries." + std::to_string(i) + ".threadId"));
    return out;
  }
  static bool Has(FakeClient& who, const std::string& thread, const std::string& folder) {
    const auto listed = Listed(who, R"({"folder":)" + Quoted(folder) + "}");
    return std::find(listed.begin(), listed.end(), thread) != listed.end();
  }
  static int64_t Count(FakeClient& who, const std::string& folder) {
    const Frame counts = who.Ask("inbox.counts");
    for (size_t i = 0; i < counts.Size("ok.folders"); ++i) {
      const std::string at = "ok.folders." + std::to_string(i);
      if (counts.Text(at + ".folder") == folder) return counts.Int(at + ".threads");
    }
    return -1;
  }
  static std::string Code(const Frame& reply) { return reply.Has("error") ? reply.Text("error.code") : "ok"; }
  FakeClient Staff() {
    FakeClient staff = world_->Connect();
    staff.Hello(world_->Token("mod", "moderator"));
    return staff;
  }
  // Asks as the tenant's back end; returns the ok map itself, or {"error": …}.
  Frame Service(const std::string& op, const std::string& args, const std::string& user = "") {
    std::vector<std::pair<std::string, std::string>> headers = {
        {"Authorization", "Bearer " + world_->service_key()}};
    if (!user.empty()) headers.emplace_back("Parley-User", user);
    return Frame(protocol::Encoding::kJson, world_->Http("POST", "/v1/ops/" + op, args, headers).body);
  }
  std::vector<Frame> Events(FakeClient& who, const std::string& name) {
    std::vector<Frame> out;
    for (const Frame& event : who.TakeEvents()) {
      if (event.Text("ev") == name) out.push_back(event);
    }
    return out;
  }

  static gateway::Config Settings() {
    gateway::Config config = DemoConfig();
    config.folders = "starred,inquiries,bookings,offers";
    return config;
  }
  World world_{Settings()};
  FakeClient ann_, bob_;
};

}  // namespace parley::gateway_test
