// Two participants and one outsider on the whole server with a fake network, for behaviours_*_test.cc.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {

class Behaviours : public testing::Test {
 protected:
  Behaviours() : ann_(world_->Join("ann")), bob_(world_->Join("bob")), eve_(world_->Join("eve")) {}

  std::string Inquiry(const std::string& more = "") {
    const Frame made = ann_.Ask("thread.create",
                                R"({"kind":"inquiry","buyerUserId":"ann","sellerUserId":"bob")" + more + "}");
    return made.Text("ok.thread.threadId");
  }
  std::string In(const std::string& thread, const std::string& more = "") {
    return "{\"threadId\":" + Quoted(thread) + more + "}";
  }
  Frame Send(FakeClient& who, const std::string& thread, const std::string& client_id,
             const std::string& body) {
    return who.Ask("message.send", In(thread, R"(,"type":"text","clientId":)" + Quoted(client_id) +
                                                  R"(,"body":)" + Quoted(body)));
  }
  Frame EntryOf(FakeClient& who, const std::string& thread) {
    const Frame page = who.Ask("inbox.list");
    for (size_t i = 0; i < page.Size("ok.entries"); ++i) {
      const std::string at = "ok.entries." + std::to_string(i);
      if (page.Text(at + ".threadId") == thread) return Frame(protocol::Encoding::kJson, page.Json(at));
    }
    return {};
  }
  std::vector<std::string> Names(FakeClient& who) {
    std::vector<std::string> out;
    for (const Frame& event : who.TakeEvents()) out.push_back(event.Text("ev"));
    return out;
  }
  static std::string Code(const Frame& reply) { return reply.Has("error") ? reply.Text("error.code") : "ok"; }
  FakeClient Staff() {
    FakeClient staff = world_->Connect();
    staff.Hello(world_->Token("mod", "moderator"));
    return staff;
  }
  Frame Service(const std::string& op, const std::string& args) {
    const auto response =
        world_->Http("POST", "/v1/ops/" + op, args, {{"Authorization", "Bearer " + world_->service_key()}});
    return Frame(protocol::Encoding::kJson, response.body);
  }

  World world_{DemoConfig()};
  FakeClient ann_, bob_, eve_;
};

}  // namespace parley::gateway_test
