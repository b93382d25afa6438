// Hints of refusals for people: one code has many reasons, each with its own text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/gateway/project_scene.h"

namespace parley::gateway_test {
namespace {

class Hints : public ProjectBehaviours {
 protected:
  static std::string Reported(const Frame& reply) { return reply.error() + ": " + reply.Text("error.hint"); }
};

TEST_F(Hints, of_exceeded_limits_name_the_limit) {
  const std::string thread = Create("project");
  const std::string message = Send(ann_, thread, "ten o'clock").Text("ok.messageId");
  const std::string body = std::string(8'193, 'x');
  EXPECT_EQ(Reported(ann_.Ask("message.send",
                              In(thread, R"(,"type":"text","clientId":"long","body":)" + Quoted(body)))),
            "TOO_LARGE: This is too long.");
  std::string last;
  for (int i = 0; i < 65; ++i) {
    const std::string face = "\xf0\x9f\x98" + std::string(1, static_cast<char>(0x80 + i));
    const Frame reply =
        ann_.Ask("message.react", In(thread, R"(,"on":true,"messageId":)" + Quoted(message) +
                                                 R"(,"emoji":")" + (i < 64 ? face : "👍") + "\""));
    ASSERT_EQ(reply.Has("error"), i == 64) << i;
    if (i == 64) last = Reported(reply);
  }
  EXPECT_EQ(last, "TOO_LARGE: This message cannot have more different reactions.");
  for (int i = 0; i < 21; ++i) {
    const std::string one = Send(ann_, thread, std::to_string(i)).Text("ok.messageId");
    const Frame reply = ann_.Ask("message.pin", In(thread, R"(,"pinned":true,"messageId":)" + Quoted(one)));
    if (reply.Has("error")) last = Reported(reply);
  }
  EXPECT_EQ(last, "TOO_LARGE: No more messages can be pinned here. Unpin one first.");
}

TEST_F(Hints, of_forbidden_ops_give_the_reason) {
  const std::string thread = Create("project");
  const std::string message = Send(ann_, thread, "ten o'clock").Text("ok.messageId");
  std::set<std::string> reported;
  const auto refused = [&](FakeClient& who, const std::string& op, const std::string& args) {
    const Frame reply = who.Ask(op, In(thread, args));
    EXPECT_EQ(reply.error(), "FORBIDDEN") << op;
    EXPECT_TRUE(reported.insert(reply.Text("error.hint")).second) << op << ": " << reply.Text("error.hint");
  };
  refused(bob_, "message.edit", R"(,"body":"x","messageId":)" + Quoted(message));
  refused(bob_, "participant.update", R"(,"userId":"ann","permission":"read")");
  refused(bob_, "thread.setStatus", R"(,"status":"locked","reason":"r")");
  refused(bob_, "thread.setBooking", R"(,"state":"closed")");
  refused(bob_, "tab.put", R"(,"tab":"actions","version":0,"content":{})");
  ann_.Ask("message.delete", In(thread, R"(,"messageId":)" + Quoted(message)));
  refused(ann_, "message.edit", R"(,"body":"x","messageId":)" + Quoted(message));
  EXPECT_EQ(reported.count("You are not allowed to do this."), 0u);
}

TEST_F(Hints, of_fields_name_what_a_person_can_correct) {
  const std::string thread = Create("project");
  const std::string message = Send(ann_, thread, "ten o'clock").Text("ok.messageId");
  EXPECT_EQ(Reported(ann_.Ask("message.react",
                              In(thread, R"(,"on":true,"emoji":"ok","messageId":)" + Quoted(message)))),
            "BAD_REQUEST: This is not one emoji.");
  EXPECT_EQ(Reported(ann_.Ask("thread.update",
                              In(thread, R"(,"version":1,"subject":")" + std::string(201, 'x') + "\""))),
            "BAD_REQUEST: This is too long.");
}

}  // namespace
}  // namespace parley::gateway_test
