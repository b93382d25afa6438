// HTTP on the same port: every path and status, and callers acting for a user.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gateway/app/node.h"
#include "tests/gateway/fake_server_support.h"
#include "tests/gateway/response_text.h"

namespace parley::gateway_test {
namespace {

using gateway::HttpResponse;
using testing::HasSubstr;

class HttpApiTest : public testing::Test {
 protected:
  HttpResponse Op(const std::string& op, const std::string& args, const std::string& credential,
                  FakeServer::Headers headers = {}) {
    if (!credential.empty()) headers.emplace_back("Authorization", "Bearer " + credential);
    return world_->Http("POST", "/v1/ops/" + op, args, std::move(headers));
  }
  std::string Thread(const std::string& buyer, const std::string& seller) {
    return Body(Op("thread.create",
                   Args({{"kind", "project"}, {"buyerUserId", buyer}, {"sellerUserId", seller}}),
                   world_->Token(buyer)))
        .Text("thread.threadId");
  }
  static std::string SendArgs(const std::string& thread, const std::string& body) {
    return Args({{"threadId", thread}, {"type", "text"}, {"body", body}});
  }
  World world_{DemoConfig()};
};

// --- probes and metrics

TEST_F(HttpApiTest, liveness_and_readiness_have_probes) {
  EXPECT_EQ(world_->Http("GET", "/healthz").body, "ok\n");
  EXPECT_EQ(world_->Http("GET", "/readyz").body, "ready\n");
  EXPECT_EQ(world_->Http("GET", "/readyz?verbose=1").status, 200);
  EXPECT_EQ(world_->Http("HEAD", "/healthz").status, 200);
}

TEST_F(HttpApiTest, a_read_only_store_is_not_ready_and_gives_the_reason) {
  const std::string thread = Thread("ana", "bob");
  world_.table().InjectFault(storage::MemoryFault::kCommitFails);
  EXPECT_EQ(
      Verdict(Op("message.send", SendArgs(thread, "x"), world_->Token("ana"), {{"Idempotency-Key", "k"}})),
      "503 UNAVAILABLE");
  const HttpResponse ready = world_->Http("GET", "/readyz");
  EXPECT_EQ(ready.status, 503);
  EXPECT_EQ(ready.body, "the store takes no writes\n");
  const FakeServer::Headers by_operator = {{"Authorization", "Bearer " + FakeServer::operator_key()}};
  EXPECT_THAT(world_->Http("GET", "/readyz", "", by_operator).body, HasSubstr("the store takes no writes: "));
  EXPECT_EQ(world_->Http("GET", "/healthz").status, 200) << "it lives";
}

TEST_F(HttpApiTest, metrics_are_prometheus_text) {
  const HttpResponse metrics = world_->Http("GET", "/metrics");
  EXPECT_EQ(metrics.status, 200);
  EXPECT_EQ(HeaderOf(metrics, "Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_THAT(metrics.body, HasSubstr("# TYPE parley_http_requests_total counter\n"));
  EXPECT_THAT(metrics.body, HasSubstr("parley_projection_lag{projection=\"inbox\"} 0"));
}

// --- ops

TEST_F(HttpApiTest, an_op_is_answered_with_the_bare_ok_map) {
  const std::string thread = Thread("ana", "bob");
  const HttpResponse sent =
      Op("message.send", SendArgs(thread, "x"), world_->Token("ana"), {{"Idempotency-Key", "k"}});
  EXPECT_EQ(sent.status, 200);
  EXPECT_EQ(HeaderOf(sent, "Content-Type"), "application/json");
  EXPECT_EQ(HeaderOf(sent, "Cache-Control"), "no-store");
  EXPECT_EQ(Body(sent).Int("msgNo"), 1);
  EXPECT_EQ(Body(Op("inbox.list", "", world_->Token("bob"))).Int("entries.0.unread"), 1);
}

TEST_F(HttpApiTest, writes_over_http_reach_the_sessions) {
  FakeClient bob = world_->Join("bob");
  const std::string thread = Thread("ana", "bob");
  bob.TakeAll();
  Op("message.send", SendArgs(thread, "x"), world_->Token("ana"), {{"Idempotency-Key", "k"}});
  EXPECT_THAT(Lines(bob.TakeEvents()), testing::ElementsAre("message.created 4"));
}

TEST_F(HttpApiTest, errors_come_with_their_status) {
  const std::string thread = Thread("ana", "bob"), ana = world_->Token("ana");
  const auto verdict = [&](const std::string& op, const std::string& args, const std::string& who) {
    return Verdict(Op(op, args, who));
  };
  const std::string of_thread = Args({{"threadId", thread}});
  EXPECT_EQ(verdict("no.such.op", "{}", ana), "400 UNKNOWN_OP");
  EXPECT_EQ(verdict("thread.get", "{}", ana), "400 BAD_REQUEST");
  EXPECT_EQ(verdict("thread.get", of_thread, ""), "401 UNAUTHENTICATED");
  EXPECT_EQ(verdict("thread.get", of_thread, "nonsense"), "401 UNAUTHENTICATED");
  EXPECT_EQ(verdict("thread.get", of_thread, world_->Token("ana", "member", 0)), "401 AUTH_EXPIRED");
  EXPECT_EQ(verdict("thread.get", of_thread, world_->Token("eve")), "404 THREAD_NOT_MEMBER");
  EXPECT_EQ(verdict("participant.remove", Args({{"threadId", thread}, {"userId", "nobody"}}), ana),
            "404 NOT_FOUND");
  EXPECT_EQ(
      verdict("thread.setStatus", Args({{"threadId", thread}, {"status", "locked"}, {"reason", "r"}}), ana),
      "403 FORBIDDEN");
  EXPECT_EQ(verdict("thread.update", Args({{"threadId", thread}, {"version", 9}, {"city", "Bern"}}), ana),
            "409 VERSION_CONFLICT");
  const auto send = [&](const std::string& body) {
    return Args({{"threadId", thread}, {"clientId", "c"}, {"type", "text"}, {"body", body}});
  };
  EXPECT_EQ(verdict("message.send", send(std::string(8193, 'x')), ana), "413 TOO_LARGE");
  EXPECT_EQ(verdict("message.send", send("a"), ana), "200");
  EXPECT_EQ(verdict("message.send", send("b"), ana), "409 IDEMPOTENCY_CONFLICT");
  Op("thread.setStatus", Args({{"threadId", thread}, {"status", "locked"}, {"reason", "r"}}),
     world_->Token("root", "admin"));
  EXPECT_EQ(verdict("message.send",
                    Args({{"threadId", thread}, {"clientId", "d"}, {"type", "text"}, {"body", "x"}}), ana),
            "423 THREAD_LOCKED");
}

TEST_F(HttpApiTest, an_error_has_its_whole_shape_and_401_names_the_scheme) {
  const HttpResponse refused = Op("inbox.list", "{}", "nonsense");
  const Frame body = Body(refused);
  for (const char* field : {"error.code", "error.message", "error.hint", "error.corrId"})
    EXPECT_NE(body.Text(field), "") << field;
  EXPECT_EQ(HeaderOf(refused, "WWW-Authenticate"), "Bearer");
  EXPECT_EQ(HeaderOf(Op("inbox.list", "{}", world_->Token("ana", "member", 0)), "WWW-Authenticate"),
            "Bearer");
}

TEST_F(HttpApiTest, malformed_requests_are_refused_before_authentication) {
  EXPECT_EQ(Verdict(Op("inbox.list", "{", "")), "400 BAD_REQUEST");
  EXPECT_EQ(Verdict(Op("inbox.list", R"({"limit":0})", "nonsense")), "400 BAD_REQUEST");
  EXPECT_EQ(Verdict(Op("inbox.list", R"({"limit":1})", "nonsense")), "401 UNAUTHENTICATED");
}

TEST_F(HttpApiTest, a_body_is_one_json_object_within_bounds) {
  std::string deep(40, '[');
  for (const std::string& body :
       {std::string("[]"), std::string("\"x\""), std::string("7"), std::string("{"), std::string("{} {}"),
        std::string("{}\0", 3), std::string(R"({"limit":1,"limit":2})"), R"({"a":)" + deep,
        R"({"a":")" + std::string(300'000, 'x') + "\"}"}) {
    EXPECT_EQ(Verdict(Op("inbox.list", body, world_->Token("ana"))), "400 BAD_REQUEST") << body.substr(0, 40);
  }
}

TEST_F(HttpApiTest, the_configured_frame_size_bounds_bodies_as_well) {
  gateway::Config config = DemoConfig();
  config.max_frame_bytes = 1 << 20;
  config.max_body_bytes = 512 * 1024;
  World world(config);
  FakeClient ana = world->Join("ana");
  const std::string thread = world.NewThread(ana, "ana", "bob");
  const HttpResponse sent = world->Http(
      "POST", "/v1/ops/message.send",
      Args({{"threadId", thread}, {"clientId", "c"}, {"type", "text"}, {"body", std::string(400'000, 'x')}}),
      {{"Authorization", "Bearer " + world->Token("ana")}});
  EXPECT_EQ(Verdict(sent), "200");
}

TEST_F(HttpApiTest, ops_that_need_a_session_are_refused) {
  const std::string args = Args({{"threadId", Thread("ana", "bob")}});
  for (const char* op :
       {"session.hello", "session.ping", "session.refresh", "thread.open", "thread.close", "typing.set"}) {
    EXPECT_EQ(Verdict(Op(op, args, world_->Token("ana"))), "400 BAD_REQUEST") << op;
  }
}

TEST_F(HttpApiTest, the_wrong_method_is_refused) {
  for (const char* path : {"/v1/ops/inbox.list", "/v1/demo/token"}) {
    const HttpResponse response = world_->Http("GET", path);
    EXPECT_EQ(response.status, 405) << path;
    EXPECT_EQ(HeaderOf(response, "Allow"), "POST") << path;
  }
  EXPECT_EQ(Verdict(world_->Http("DELETE", "/healthz")), "405 BAD_REQUEST");
  EXPECT_EQ(Verdict(world_->Http("POST", "/nowhere")), "404 NOT_FOUND");
  EXPECT_EQ(world_->Http("GET", "/v1/ws").status, 426) << "without the upgrade headers";
}

TEST_F(HttpApiTest, a_draining_server_refuses_ops) {
  world_->node().SetDraining();
  EXPECT_EQ(Verdict(Op("inbox.list", "{}", world_->Token("ana"))), "503 UNAVAILABLE");
}

TEST_F(HttpApiTest, a_read_that_times_out_says_when_to_retry) {
  Thread("ana", "bob");
  world_->HoldWorker(true);
  Thread("ana", "bob");
  const auto answer = world_->transport().Http(
      {"POST", "/v1/ops/inbox.list", "{}", "", {{"Authorization", "Bearer " + world_->Token("ana")}}});
  world_->Settle();
  EXPECT_FALSE(answer->has_value()) << "the index is behind";
  world_->Advance(1'000);
  ASSERT_TRUE(answer->has_value());
  EXPECT_EQ(Verdict(**answer), "503 UNAVAILABLE");
  EXPECT_EQ(HeaderOf(**answer, "Retry-After"), "1");
  EXPECT_EQ(Body(**answer).Int("error.retryAfterMs"), 1'000);
  EXPECT_FALSE(world_->node().worker().watermark(fanout::ProjectionId::kInbox).awaited())
      << "nobody waits any more";
  world_->HoldWorker(false);
  world_->Settle();  // a late watermark does not cause a second answer
  EXPECT_EQ(Body(Op("inbox.list", "{}", world_->Token("ana"))).Size("entries"), 2u);
}

TEST_F(HttpApiTest, reads_do_not_wait_for_a_stalled_projection) {
  const std::string thread = Thread("ana", "bob");
  storage::CommitRequest broken;
  broken.partition = threads::ThreadPartition({"demo"}, *protocol::ThreadId::FromText(thread));
  broken.log_entry = "not an entry";
  std::vector<storage::CommitResult> results;
  ASSERT_TRUE(world_.table().Commit({&broken, 1}, &results).ok());
  world_->Settle();
  ASSERT_TRUE(world_->node().worker().stopped(fanout::ProjectionId::kInbox));
  EXPECT_EQ(Verdict(Op("inbox.list", "{}", world_->Token("ana"))), "503 UNAVAILABLE");
  EXPECT_FALSE(world_->node().worker().watermark(fanout::ProjectionId::kInbox).awaited());
}

// --- idempotency

TEST_F(HttpApiTest, an_idempotency_key_serves_as_the_client_id) {
  const std::string thread = Thread("ana", "bob"), ana = world_->Token("ana");
  const auto send = [&](const std::string& args, const std::string& key) {
    return Op("message.send", args, ana, {{"Idempotency-Key", key}});
  };
  const Frame first = Body(send(SendArgs(thread, "x"), "k1")),
              again = Body(send(SendArgs(thread, "x"), "k1"));
  EXPECT_FALSE(first.Bool("duplicate"));
  EXPECT_TRUE(again.Bool("duplicate"));
  EXPECT_EQ(again.Text("messageId"), first.Text("messageId"));
  const auto with = [&](const JsonArg& client_id) {
    return Args({{"threadId", thread}, {"type", "text"}, {"body", "x"}, {"clientId", client_id}});
  };
  EXPECT_EQ(Body(send(with("k1"), "k1")).Text("messageId"), first.Text("messageId")) << "both, and the same";
  EXPECT_TRUE(Body(send(with(nullptr), "k1")).Bool("duplicate")) << "null is absent";
  EXPECT_EQ(Verdict(send(with("k2"), "k1")), "400 BAD_REQUEST");
  EXPECT_EQ(Verdict(send(SendArgs(thread, "x"), std::string(65, 'k'))), "400 BAD_REQUEST");
  EXPECT_EQ(Verdict(send(SendArgs(thread, "x"), "caf\xe9")), "400 BAD_REQUEST");
  EXPECT_EQ(Verdict(Op("inbox.list", "{}", ana, {{"Idempotency-Key", "k"}})), "200") << "of no use, no harm";
}

// --- services

TEST_F(HttpApiTest, a_service_reads_everything_and_writes_only_for_a_user) {
  const std::string thread = Thread("ana", "bob"), key = world_->service_key();
  const std::string send = Args({{"threadId", thread}, {"clientId", "c"}, {"type", "text"}, {"body", "x"}});
  EXPECT_EQ(Verdict(Op("message.list", Args({{"threadId", thread}}), key)), "200");
  EXPECT_EQ(Verdict(Op("message.send", send, key)), "403 FORBIDDEN");
  EXPECT_EQ(Verdict(Op("message.send", send, key, {{"Parley-User", "bob"}})), "200");
  EXPECT_EQ(Body(Op("message.list", Args({{"threadId", thread}}), key)).Text("messages.0.authorUserId"),
            "bob");
  EXPECT_EQ(Verdict(Op("message.send", send, key, {{"Parley-User", "eve"}})), "404 THREAD_NOT_MEMBER");
  EXPECT_EQ(Verdict(Op("message.send", send, key, {{"Parley-User", "has space"}})), "400 BAD_REQUEST");
}

TEST_F(HttpApiTest, a_user_cannot_act_for_another) {
  const std::string args = Args({{"threadId", Thread("ana", "bob")}});
  EXPECT_EQ(Verdict(Op("thread.get", args, world_->Token("eve"), {{"Parley-User", "ana"}})), "403 FORBIDDEN");
  EXPECT_EQ(Verdict(Op("thread.get", args, world_->Token("root", "admin"), {{"Parley-User", "ana"}})),
            "403 FORBIDDEN");
}

TEST_F(HttpApiTest, the_scheme_bearer_is_matched_in_any_case) {
  const auto with = [&](const std::string& header) {
    return world_->Http("POST", "/v1/ops/inbox.list", "{}", {{"authorization", header}}).status;
  };
  EXPECT_EQ(with("Bearer " + world_->Token("ana")), 200);
  EXPECT_EQ(with("bEARER " + world_->Token("ana")), 200);
  EXPECT_EQ(with(world_->Token("ana")), 401);
  EXPECT_EQ(with("Basic " + world_->Token("ana")), 401);
  EXPECT_EQ(with("Bearer"), 401);
  EXPECT_EQ(with("Bearer "), 401);
}

// --- demo tokens

TEST_F(HttpApiTest, demo_tokens_are_issued_for_any_user_and_role) {
  const auto token = [&](const std::string& args) {
    return Body(world_->Http("POST", "/v1/demo/token", args)).Text("token");
  };
  for (const char* role : {"member", "admin", "support", "moderator", "bot"}) {
    FakeClient client = world_->Connect();
    EXPECT_EQ(client.Hello(token(Args({{"userId", "ana"}, {"role", role}}))).Text("ok.role"), role);
  }
  FakeClient client = world_->Connect();
  EXPECT_EQ(client.Hello(token(R"({"userId":"ana"})")).Text("ok.role"), "member");
  EXPECT_EQ(token(R"({"userId":"x","role":"service"})"), world_->service_key());
}

TEST_F(HttpApiTest, a_demo_token_lasts_as_long_as_asked) {
  const std::string token =
      Body(world_->Http("POST", "/v1/demo/token", R"({"userId":"ana","ttlSeconds":10})")).Text("token");
  EXPECT_EQ(Verdict(Op("inbox.list", "", token)), "200");
  world_->Advance(10'000);
  EXPECT_EQ(Verdict(Op("inbox.list", "", token)), "401 AUTH_EXPIRED");
}

TEST_F(HttpApiTest, malformed_options_of_demo_tokens_are_refused) {
  for (const char* body :
       {"", "{}", "[]", "{", R"({"userId":"has space"})", R"({"userId":"u","role":"king"})",
        R"({"userId":"u","ttlSeconds":0})", R"({"userId":"u","ttlSeconds":2592001})",
        R"({"userId":"u","tenantId":"other"})"}) {
    EXPECT_EQ(Verdict(world_->Http("POST", "/v1/demo/token", body)), "400 BAD_REQUEST") << body;
  }
}

TEST_F(HttpApiTest, without_demo_there_are_no_demo_tokens) {
  World world{gateway::Config{}};
  EXPECT_EQ(Verdict(world->Http("POST", "/v1/demo/token", R"({"userId":"ana"})")), "404 NOT_FOUND");
}

// --- upgrades

TEST_F(HttpApiTest, an_upgrade_selects_its_subprotocol) {
  const auto connect = [&](const std::vector<std::string>& offered, const std::string& target = "/v1/ws") {
    return world_->transport().Connect({"GET", target, "", "", {}}, offered);
  };
  EXPECT_EQ(connect({}).subprotocol, "");
  EXPECT_NE(connect({}).connection, nullptr);
  EXPECT_EQ(connect({"parley.v1.json"}).subprotocol, "parley.v1.json");
  EXPECT_EQ(connect({"parley.v1.json", "parley.v1.msgpack"}).subprotocol, "parley.v1.msgpack");
  EXPECT_EQ(connect({"chat", "parley.v1.json"}).subprotocol, "parley.v1.json");
  EXPECT_EQ(connect({"chat", "parley.v2.json"}).refusal.status, 400);
  EXPECT_EQ(connect({}, "/elsewhere").refusal.status, 404);
  EXPECT_NE(connect({}, "/v1/ws?trace=1").connection, nullptr);
  world_->Settle();
}

TEST_F(HttpApiTest, a_bad_authorization_header_refuses_the_upgrade) {
  const auto connect = [&](const std::string& header) {
    return world_->transport()
        .Connect({"GET", "/v1/ws", "", "", {{"Authorization", header}}}, {"parley.v1.json"})
        .refusal.status;
  };
  EXPECT_EQ(connect("Bearer nonsense"), 401);
  EXPECT_EQ(connect("Basic eDp5"), 401);
  EXPECT_EQ(connect("Bearer"), 401);
  EXPECT_EQ(connect("Bearer " + world_->Token("ana", "member", 0)), 401);
}

}  // namespace
}  // namespace parley::gateway_test
