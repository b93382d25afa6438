// After a declined request, the requester sees the same with and without a block.
#include <regex>

#include "tests/gateway/requests_scene.h"

namespace parley::gateway_test {
namespace {

// Collects all replies and events that the requester receives after the answer, without ids and times.
class TurnedAway : public Requests {
 protected:
  std::string Reported(FakeClient& who) {
    std::string out;
    for (const Frame& event : who.TakeEvents()) out += Plain(event.Json()) + "\n";
    return out;
  }
  static std::string Plain(std::string json) {
    static const std::regex kVaries(R"re("(\w+Id|at|\w+At|until|serverTime|corrId|cursor)":"[^"]*")re");
    return std::regex_replace(json, kVaries, "\"$1\":…");
  }
  std::string Try(FakeClient& who, const std::string& op, const std::string& args) {
    return op + ": " + Plain(who.Ask(op, args).Json("error")) + "\n" + Reported(who);
  }
  // Everything that the requester who sent `create` can observe after this answer.
  std::string Seen(const std::string& requester, const std::string& other, const std::string& create,
                   const std::string& answer) {
    FakeClient ann = world_->Join(requester), bob = world_->Join(other);
    const Frame made = ann.Ask("thread.create", create);
    const std::string thread = made.Text("ok.thread.threadId");
    const std::string group =
        ann.Ask("thread.create", R"({"kind":"group","participants":[]})").Text("ok.thread.threadId");
    EXPECT_TRUE(ann.Ask("thread.open", In(thread)).ok());
    EXPECT_EQ(Code(ann.Ask("typing.set", In(thread, R"(,"typing":true)"))), "ok") << "nobody sees it";
    ann.TakeEvents();
    EXPECT_EQ(Code(bob.Ask("request." + answer, In(thread))), "ok");
    std::string out = Reported(ann);
    for (int later = 0; later < 2; ++later) {
      const std::string message = ann.Ask("message.list", In(thread)).Text("ok.messages.0.messageId");
      const std::string of = R"(,"messageId":")" + message + "\"";
      out += Try(ann, "thread.create", Direct(other, kHello));
      out += Try(ann, "thread.create", Inquiry(requester, other, kHello));
      out += Try(ann, "thread.create", Project(requester, other));
      out += Try(ann, "thread.create", R"({"kind":"group","participants":[{"userId":")" + other + "\"}]}");
      out += Try(ann, "participant.add", In(group, R"(,"userId":")" + other + "\""));
      out += Try(ann, "message.send", In(thread, R"(,"type":"text","clientId":"c","body":"please")"));
      out += Try(ann, "message.react", In(thread, of + R"(,"emoji":"👍","on":true)"));
      out += Try(ann, "message.edit", In(thread, of + R"(,"body":"please","version":1)"));
      out += Try(ann, "typing.set", In(thread, R"(,"typing":true)"));
      out += Try(ann, "thread.get", In(thread)) + Try(ann, "participant.list", In(thread));
      out += Plain(ann.Ask("thread.get", In(thread)).Json("ok.thread"));
      out += Plain(ann.Ask("inbox.list").Json("ok.entries"));
      out += std::to_string(Credits(ann));
      world_->Advance(int64_t{15} * 24 * 3600 * 1000);
      ann = world_->Join(requester);
      EXPECT_TRUE(ann.Ask("thread.open", In(thread)).ok());
      ann.TakeEvents();
    }
    bob = world_->Join(other);
    EXPECT_EQ(bob.Ask("user.blocks").Size("ok.items"), answer == "block" ? 1u : 0u);
    return out;
  }
};

TEST_F(TurnedAway, a_block_looks_like_a_declined_request_in_every_op_at_all_times) {
  Set(R"({"messageRequests":{"enabled":true},"userProjects":true})");
  const auto named = [](std::string text, const std::string& a, const std::string& b) {
    for (const std::string& name : {a, b})
      text = std::regex_replace(text, std::regex("\\b" + name + "\\b"), name.substr(0, 3));
    return text;
  };
  using Create = std::string (*)(const std::string&, const std::string&);
  const std::pair<const char*, Create> kinds[] = {
      {"d", [](const std::string&, const std::string& to) { return Direct(to, kHello); }},
      {"i", [](const std::string& from, const std::string& to) { return Inquiry(from, to, kHello); }},
      {"p", [](const std::string& from, const std::string& to) { return Project(from, to, kHello); }}};
  for (const auto& [kind, create] : kinds) {
    const std::string a = std::string("ann_") + kind, b = std::string("bob_") + kind;
    const std::string declined = Seen(a + "1", b + "1", create(a + "1", b + "1"), "decline");
    const std::string blocked = Seen(a + "2", b + "2", create(a + "2", b + "2"), "block");
    EXPECT_EQ(named(declined, a + "1", b + "1"), named(blocked, a + "2", b + "2")) << kind;
  }
}

}  // namespace
}  // namespace parley::gateway_test
