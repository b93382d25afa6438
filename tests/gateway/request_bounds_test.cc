// Bounds on the cost of one request, as this server reports them: depth, bytes, items. And the end of
// subscriptions.
#include <gmock/gmock.h>

#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {
namespace {

using testing::IsEmpty;

gateway::Config Quiet() {
  gateway::Config config = DemoConfig();
  config.heartbeat_ms = 3'600'000;  // fake connections do not pong
  return config;
}

class RequestBounds : public testing::Test {
 protected:
  int CloseOf(const std::string& json) {
    FakeClient who = world_->Join("ann");
    who.SendRaw(json);
    world_->Settle();
    return who.close_code();
  }
  std::string ErrorOf(std::string_view op, const std::string& args) { return ann_.Ask(op, args).error(); }
  static std::string Nested(int depth) {
    return R"({"id":9,"op":"session.ping","args":{"x":)" + std::string(static_cast<size_t>(depth), '[') +
           std::string(static_cast<size_t>(depth), ']') + "}}";
  }
  static std::string Ids(int n) {
    std::string out;
    for (int i = 0; i < n; ++i) out += (i ? ",\"u" : "\"u") + std::to_string(i) + "\"";
    return out;
  }

  World world_{Quiet()};
  FakeClient ann_ = world_->Join("ann"), bob_ = world_->Join("bob");
};

TEST_F(RequestBounds, depth_beyond_32_is_refused_before_validation) {
  EXPECT_EQ(CloseOf(Nested(30)), 0) << "an unknown field, which is told";
  EXPECT_EQ(CloseOf(Nested(31)), 1007);
}

// The same in MessagePack, which can also claim a length without sending it.
TEST_F(RequestBounds, depth_and_claimed_lengths_are_bounded_in_msgpack) {
  const std::string before =
      "\x83\xa2id\x09\xa2op\xacsession.ping\xa4"
      "args\x81\xa1x";
  const auto close = [&](const std::string& value) {
    FakeClient who = world_->Join("ann", protocol::Encoding::kMsgpack);
    who.SendRaw(before + value);
    world_->Settle();
    return who.close_code();
  };
  const auto nested = [](size_t depth) { return std::string(depth - 1, '\x91') + '\x90'; };
  EXPECT_EQ(close(nested(30)), 0);
  EXPECT_EQ(close(nested(31)), 1007);
  EXPECT_EQ(close("\xdd\xff\xff\xff\xff\x01"), 1007) << "an array of four thousand million";
  EXPECT_EQ(close("\xdf\xff\xff\xff\xff\xa1y\x01"), 1007) << "a map of as many";
  EXPECT_EQ(close("\xdb\xff\xff\xff\xff"
                  "abc"),
            1007)
      << "a text as long";
}

TEST_F(RequestBounds, depth_and_items_are_bounded_over_http) {
  const auto post = [&](const std::string& args) {
    const gateway::HttpResponse response = world_->Http(
        "POST", "/v1/ops/presence.get", args, {{"Authorization", "Bearer " + world_->Token("ann")}});
    const Frame body(protocol::Encoding::kJson, response.body);
    return std::to_string(response.status) + " " + (body.Has("error") ? body.Text("error.code") : "");
  };
  const auto nested = [](size_t depth) {
    return R"({"userIds":[],"x":)" + std::string(depth, '[') + std::string(depth, ']') + "}";
  };
  EXPECT_EQ(post(R"({"userIds":[)" + Ids(200) + "]}"), "200 ");
  EXPECT_EQ(post(R"({"userIds":[)" + Ids(201) + "]}"), "400 BAD_REQUEST");
  EXPECT_EQ(post(nested(100'000)), "400 BAD_REQUEST");
}

// The session survives valid JSON that clients could not parse, and answers it.
TEST_F(RequestBounds, unrepresentable_numbers_half_surrogates_and_odd_names_are_answered) {
  const std::string thread = world_.NewThread(ann_, "ann", "bob");
  const std::string in = R"({"threadId":")" + thread + R"(",)";
  const std::vector<std::pair<std::string, std::string>> asked = {
      {"thread.open", in + R"("limit":1e400})"},
      {"thread.open", in + R"("limit":-1e400})"},
      {"thread.open", in + R"("limit":1e-400})"},
      {"thread.open", in + R"("afterSeq":12345678901234567890})"},
      {"message.send", in + R"("clientId":"a","type":"text","body":"\ud83d"})"},
      {"message.send", in + R"("clientId":"a","type":"text","body":"x","\udc00":1})"},
      {"tab.put", in + R"("tab":"brief","version":0,"content":{"answers":{"__proto__":1}}})"},
      {"card.create", in + R"("clientId":"c","type":"CUSTOM","payload":{"title":"t","constructor":{}}})"},
      {"thread.create",
       R"({"kind":"inquiry","buyerUserId":"ann","sellerUserId":"dan","brief":{"prototype":1}})"},
      {"thread.create",
       R"({"kind":"inquiry","buyerUserId":"ann","sellerUserId":"dan","contact":{"city":[{"__proto__":1}]}})"},
  };
  for (const auto& [op, args] : asked) {
    EXPECT_EQ(ErrorOf(op, args), "BAD_REQUEST") << op << args;
    const gateway::HttpResponse http =
        world_->Http("POST", "/v1/ops/" + op, args, {{"Authorization", "Bearer " + world_->Token("ann")}});
    EXPECT_EQ(http.status, 400) << op << args;
  }
  EXPECT_TRUE(ann_.Ask("thread.open", "{\"threadId\":\"" + thread + "\",\"limit\":-0e400}").error() != "")
      << "zero, which is below the bound";
  EXPECT_EQ(ErrorOf("session.ping", "{}"), "") << "it is the same session";
  EXPECT_EQ(CloseOf(R"({"id":1e400,"op":"session.ping"})"), 4400) << "nobody could be answered";
}

TEST_F(RequestBounds, too_many_bytes_in_a_body_and_in_a_tab_have_different_codes) {
  const std::string thread = world_.NewThread(ann_, "ann", "bob");
  const auto say = [&](size_t bytes) {
    return ErrorOf("message.send", Args({{"threadId", thread},
                                         {"clientId", std::to_string(bytes)},
                                         {"type", "text"},
                                         {"body", std::string(bytes, 'x')}}));
  };
  EXPECT_EQ(say(8192), "");
  EXPECT_EQ(say(8193), "TOO_LARGE");
  EXPECT_EQ(ErrorOf("tab.put",
                    Args({{"threadId", thread},
                          {"tab", "brief"},
                          {"version", 0},
                          {"content", JsonArg::Raw(R"({"guests":")" + std::string(40'000, 'x') + "\"}")}})),
            "TOO_LARGE");
}

TEST_F(RequestBounds, items_of_pages_and_lists_are_bounded) {
  const std::string thread = world_.NewThread(ann_, "ann", "bob");
  const auto page = [&](int limit) {
    return ErrorOf("message.list", Args({{"threadId", thread}, {"limit", limit}}));
  };
  EXPECT_EQ(page(200), "");
  EXPECT_EQ(page(201), "BAD_REQUEST");
  EXPECT_EQ(page(0), "BAD_REQUEST");
  EXPECT_EQ(ErrorOf("presence.get", R"({"userIds":[)" + Ids(200) + "]}"), "");
  EXPECT_EQ(ErrorOf("presence.get", R"({"userIds":[)" + Ids(201) + "]}"), "BAD_REQUEST");
}

TEST_F(RequestBounds, a_subscription_ends_with_the_membership) {
  const std::string thread = world_.NewThread(ann_, "ann", "bob", {"carol"});
  FakeClient carol = world_->Join("carol");
  const std::string in = "{\"threadId\":\"" + thread + "\"}";
  EXPECT_TRUE(carol.Ask("thread.open", in).ok());
  EXPECT_TRUE(ann_.Ask("participant.remove", Args({{"threadId", thread}, {"userId", "carol"}})).ok());
  carol.TakeEvents();
  EXPECT_TRUE(ann_.Ask("typing.set", Args({{"threadId", thread}, {"typing", true}})).ok());
  world_.Say(ann_, thread, "after");
  EXPECT_THAT(carol.TakeEvents(), IsEmpty());
}

TEST_F(RequestBounds, a_presence_subscription_ends_with_a_block) {
  const std::string thread =
      ann_.Ask("thread.create", R"({"kind":"direct","participants":[{"userId":"bob"}]})")
          .Text("ok.thread.threadId");
  for (FakeClient* who : {&ann_, &bob_})
    EXPECT_TRUE(who->Ask("thread.open", Args({{"threadId", thread}})).ok());
  ASSERT_TRUE(ann_.Ask("user.block", R"({"userId":"bob"})").ok());
  ann_.TakeEvents();
  EXPECT_TRUE(bob_.Ask("typing.set", Args({{"threadId", thread}, {"typing", true}})).ok());
  world_->Advance(6'000);
  EXPECT_THAT(ann_.TakeEvents(), IsEmpty());
}

TEST_F(RequestBounds, a_subscription_ends_with_the_token) {
  FakeClient carol = world_->Connect();
  EXPECT_TRUE(carol.Hello(world_->Token("carol", "member", 30)).ok());
  world_->Advance(30'000);
  EXPECT_EQ(carol.close_code(), 4401);
}

}  // namespace
}  // namespace parley::gateway_test
