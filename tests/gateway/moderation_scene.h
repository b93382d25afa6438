// A thread of ann and bob, with staff who moderate it.
#pragma once

#include <gmock/gmock.h>

#include <string>

#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {

// The message that they moderate.
inline constexpr char kBody[] = "call me on +1 (555) 010-9999";

class ModerationScene : public testing::Test {
 protected:
  explicit ModerationScene(const gateway::Config& config = DemoConfig()) : world_(config) {
    thread_ = world_.NewThread(ann_, "ann", "bob");
    message_ = world_.Say(bob_, thread_, kBody).Text("ok.messageId");
    Forget();
  }
  FakeClient Staff(const std::string& user, std::string_view role = "moderator") {
    FakeClient staff = world_->Connect();
    EXPECT_TRUE(staff.Hello(world_->Token(user, role)).ok());
    return staff;
  }
  void Forget() {
    for (FakeClient* who : {&ann_, &bob_, &sue_, &tom_}) who->TakeEvents();
  }
  std::string In(const std::string& more = "") { return "{\"threadId\":\"" + thread_ + "\"" + more + "}"; }
  std::string On(const std::string& more = "") { return In(",\"messageId\":\"" + message_ + "\"" + more); }
  std::string OfCase(const std::string& id, const std::string& more = "") {
    return "{\"caseId\":\"" + id + "\"" + more + "}";
  }
  std::string Report(FakeClient& who, const std::string& more = "") {
    return who.Ask("message.report", On(R"(,"reason":"harassment")" + more)).Text("ok.caseId");
  }
  // Reports a grave reason, for which the tenant's settings require two approvals.
  std::string ReportGrave(FakeClient& who) {
    world_.SetDemoSettings(R"({"safety":{"dualApproval":["medium","high","critical"]}})");
    const std::string id = Report(who);
    world_.SetDemoSettings("{}");
    return id;
  }
  // Decides a case; returns its status afterwards or the error.
  std::string Decide(FakeClient& who, const std::string& id, const std::string& more) {
    const Frame reply = who.Ask("moderation.decide", OfCase(id, "," + more));
    return reply.ok() ? reply.Text("ok.case.status") : reply.error();
  }
  // The message as a page shows it: "body / moderation".
  std::string Shown(FakeClient& who) {
    const Frame page = who.Ask("message.list", In());
    for (size_t i = 0; page.ok() && i < page.Size("ok.messages"); ++i) {
      const std::string at = "ok.messages." + std::to_string(i);
      if (page.Text(at + ".messageId") == message_)
        return page.Text(at + ".body") + " / " + page.Text(at + ".flags.moderation");
    }
    return page.ok() ? "missing" : page.error();
  }
  std::string EntryPreview(FakeClient& who) {
    return who.Ask("inbox.list").Text("ok.entries.0.lastMessage.preview");
  }

  World world_;
  FakeClient ann_ = world_->Join("ann"), bob_ = world_->Join("bob"), sue_ = Staff("sue"),
             tom_ = Staff("tom", "admin");
  std::string thread_, message_;
};

}  // namespace parley::gateway_test
