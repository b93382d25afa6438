// A project of two users with its action cards, and staff who look at them, on the whole server with a fake
// network.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {

inline constexpr const char* kTime =
    R"({"newStart":"2026-01-02T10:00:00.000Z","newEnd":"2026-01-02T12:00:00.000Z"})";

inline gateway::Config With(const std::string& ports) {
  gateway::Config config = DemoConfig();
  config.card_ports = ports;
  config.heartbeat_ms = 3'600'000;  // fake connections do not pong
  return config;
}

class Cards {
 public:
  explicit Cards(const gateway::Config& config)
      : world(config), ann(world->Join("ann")), bob(world->Join("bob")) {
    thread = ann.Ask("thread.create",
                     R"({"kind":"project","buyerUserId":"ann","sellerUserId":"bob","clientId":"t"})")
                 .Text("ok.thread.threadId");
    ann.TakeEvents();
    bob.TakeEvents();
  }

  std::string In(const std::string& more = "") { return "{\"threadId\":\"" + thread + "\"" + more + "}"; }
  // Opens a card; returns its messageId.
  std::string Create(FakeClient& who, const std::string& type, const std::string& payload,
                     const std::string& more = "") {
    const Frame made =
        who.Ask("card.create", In(R"(,"clientId":"k)" + std::to_string(++made_) + R"(","type":")" + type +
                                  R"(","payload":)" + payload + more));
    return made.Text("ok.messageId");
  }
  std::string ActArgs(const std::string& card, const std::string& intent, int64_t version) {
    return In(R"(,"messageId":")" + card + R"(","intent":")" + intent + R"(","version":)" +
              std::to_string(version) + R"(,"clientId":"a)" + std::to_string(++made_) + "\"");
  }
  Frame Act(FakeClient& who, const std::string& card, const std::string& intent, int64_t version) {
    return who.Ask("card.act", ActArgs(card, intent, version));
  }
  Frame Service(const std::string& op, const std::string& args) {
    const auto response =
        world->Http("POST", "/v1/ops/" + op, args, {{"Authorization", "Bearer " + world->service_key()}});
    return Frame(protocol::Encoding::kJson, response.body);
  }
  std::string End(int64_t in_ms) {
    return R"(,"expiresAt":")" + protocol::FormatTime({world.clock().Now().ms + in_ms}) + "\"";
  }

  World world;
  FakeClient ann, bob;
  std::string thread;

 private:
  int made_ = 0;
};

inline std::string CodeOf(const Frame& reply) {
  return reply.Has("error") ? reply.Text("error.code") : "ok";
}
inline FakeClient Staff(Cards& cards, const std::string& user, std::string_view role = "support") {
  FakeClient staff = cards.world->Connect();
  EXPECT_TRUE(staff.Hello(cards.world->Token(user, role)).ok());
  return staff;
}

}  // namespace parley::gateway_test
