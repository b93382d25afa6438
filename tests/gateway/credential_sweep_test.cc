// Every kind of credential, valid and damaged, given to every op and route as every argument, in the
// Authorization header and as Parley-User. Each request is answered without an internal error, and all
// credentials that open nothing get the same refusal.
#include <gmock/gmock.h>

#include <map>
#include <set>

#include "ctl/show.h"
#include "features/ops.h"
#include "gateway/http/route.h"
#include "gateway/ops/router.h"
#include "tests/gateway/every_op.h"
#include "tests/gateway/tenant_scene.h"

namespace parley::gateway_test {
namespace {

using gateway::HttpRoute;
using JsonMembers = std::map<std::string, std::string>;  // name -> JSON

std::string ObjectOf(const JsonMembers& members) {
  std::string out = "{";
  for (const auto& [name, json] : members) out += (out.size() > 1 ? "," : "") + Quoted(name) + ":" + json;
  return out + "}";
}
JsonMembers MembersIn(const std::string& json) {
  protocol::Document document;
  EXPECT_EQ(protocol::DecodeJson(json, {}, &document), nullptr) << json;
  JsonMembers out;
  for (const auto& [name, value] : *document.root.as_map()) out[std::string(name)] = ctl::JsonOf(value);
  return out;
}

// Forms in which an argument can contain the credential: alone, in a list, as a member's name and value.
std::vector<std::string> ShapesOf(const std::string& credential) {
  const std::string text = Quoted(credential);
  return {text, "[" + text + "]", "{" + text + ":" + text + "}"};
}

struct CredentialKind {
  std::string name, credential;
  bool opens = false;  // whether it opens anything over HTTP
};

gateway::Config Unlimited() {
  gateway::Config config = DemoConfig();
  config.failed_credentials_per_minute = 0;
  return config;
}

class CredentialSweep : public testing::Test {
 protected:
  void SetUp() override {
    const std::string settings =
        R"("settings":{"knownUsersOnly":false,"userProjects":true,"limits":{"enabled":false},"messageRequests":{"enabled":false}})";
    Made(boss_, "/v1/tenants", R"({"tenantId":"acme","name":"A",)" + settings + "}");
    service_ = Made(boss_, "/v1/tenants/acme/keys", "{}").Text("secret");
    Send(boss_, "POST", "/v1/tenants/acme/activate");
    for (const char* user : {"ann", "bob", "sue"})
      Made(service_, "/v1/users",
           Args({{"userId", user}, {"role", user == std::string("sue") ? "admin" : "member"}}));
    token_ = TokensOf("ann").Text("token");
    admin_ = TokensOf("sue").Text("token");
    api_key_ = Made(service_, "/v1/users/ann/api-keys", "{}").Text("secret");
    MakeKinds();
  }

  HttpResponse Send(const std::string& credential, const std::string& method, const std::string& target,
                    const std::string& body = "", const std::string& user = "") {
    FakeServer::Headers headers = {{"Authorization", "Bearer " + credential}};
    if (!user.empty()) headers.emplace_back("Parley-User", user);
    return world_->Http(method, target, body, std::move(headers));
  }
  Frame Made(const std::string& credential, const std::string& target, const std::string& body) {
    const HttpResponse made = Send(credential, "POST", target, body);
    EXPECT_EQ(made.status, 201) << target << made.body;
    return Body(made);
  }
  Frame TokensOf(const std::string& user) {
    return Body(Send(service_, "POST", "/v1/tokens", Args({{"userId", user}})));
  }

  // The tests themselves authenticate with none of these.
  void MakeKinds() {
    const std::string revoked = Made(service_, "/v1/tenants/acme/keys", "{}").Text("secret");
    const Frame table_key = Made(service_, "/v1/tenants/acme/table-keys", "{}");
    const auto key_until = [&](int64_t ms) {
      const protocol::Time end{world_.clock().Now().ms + ms};
      return Made(service_, "/v1/users/bob/api-keys", Args({{"expiresAt", protocol::FormatTime(end)}}));
    };
    const std::string lapsed = key_until(1000).Text("secret");
    world_->Advance(2000);
    kinds_ = {
        {"operator key", boss_, true},
        {"tenant key", Made(service_, "/v1/tenants/acme/keys", "{}").Text("secret"), true},
        {"demo service token", world_->service_key(), true},
        {"user API key", Made(service_, "/v1/users/bob/api-keys", "{}").Text("secret"), true},
        {"user API key with an end", key_until(86'400'000).Text("secret"), true},
        {"user API key past its end", lapsed},
        {"access token", TokensOf("bob").Text("token"), true},
        {"token of a demo", world_->Token("bob"), true},
        {"token of staff", TokensOf("sue").Text("token"), true},
        {"token past its end", world_->Token("bob", "member", 0)},
        {"refresh token", TokensOf("bob").Text("refreshToken")},
        {"table key", table_key.Text("accessKeyId")},
        {"table key's secret", table_key.Text("secretAccessKey")},
        {"invitation", Made(service_, "/v1/invites", R"({"email":"b@x.org","level":"read"})").Text("token")},
        {"spoilt token", Spoilt(TokensOf("bob").Text("token"))},
        {"spoilt operator key", Spoilt(boss_)},
        {"spoilt tenant key", Spoilt(service_)},
        {"spoilt user API key", Spoilt(api_key_)}};
    const char* const malformed[] = {"opk_", "ptk_", "pak_",  "prt_", "inv_",
                                     "psk_", "eyJ",  "a.b.c", "..",   "-"};
    for (const char* text : malformed) kinds_.push_back({text, text});
    kinds_.push_back({"long", std::string(8000, 'a')});
  }
  static std::string Spoilt(std::string credential) {
    credential.back() = credential.back() == '0' ? '1' : '0';
    return credential;
  }

  FakeClient Join(const std::string& credential) {
    FakeClient client = world_->Connect();
    EXPECT_TRUE(client.Hello(credential).ok());
    return client;
  }
  // A thread of ann's with a user whom she never met, and a message of hers.
  OpIds NewPlace() {
    OpIds ids{"", "", "lbg_1", "seller-" + std::to_string(++places_)};
    const HttpResponse made = Send(
        service_, "POST", "/v1/ops/thread.create",
        Args({{"kind", "project"}, {"buyerUserId", "ann"}, {"sellerUserId", ids.seller}, {"lbgId", "lbg_1"}}),
        "ann");
    ids.thread = Body(made).Text("thread.threadId");
    const HttpResponse sent =
        Send(service_, "POST", "/v1/ops/message.send",
             Args({{"threadId", ids.thread}, {"type", "text"}, {"clientId", "c0"}, {"body", "b"}}), "ann");
    ids.message = Body(sent).Text("messageId");
    return ids;
  }
  void ExpectUnharmed() {
    for (const std::string& credential : {token_, admin_, api_key_, service_})
      EXPECT_EQ(Send(credential, "POST", "/v1/ops/thread.byProject", R"({"lbgId":"lbg_1"})").status, 200);
  }

  World world_{Unlimited()};
  const std::string boss_ = FakeServer::operator_key();
  std::string service_, token_, admin_, api_key_;
  std::vector<CredentialKind> kinds_;
  int places_ = 0;
};

// --- sockets

TEST_F(CredentialSweep, a_session_opens_only_with_a_users_credential) {
  const std::set<std::string> users = {"user API key", "user API key with an end", "access token",
                                       "token of a demo", "token of staff"};
  for (const CredentialKind& kind : kinds_) {
    FakeClient client = world_->Connect();
    const Frame hello = client.Hello(kind.credential);
    const std::string refused = kind.name == "token past its end" ? "AUTH_EXPIRED" : "UNAUTHENTICATED";
    const bool opens = users.contains(kind.name);
    EXPECT_EQ(hello.error(), opens ? "" : refused) << kind.name;
    EXPECT_EQ(client.close_code(), opens ? 0 : 4401) << kind.name;
    gateway::HttpRequest upgrade{"GET", "/v1/ws", "", "192.0.2.7", {}};
    upgrade.headers.emplace_back("Authorization", "Bearer " + kind.credential);
    const auto upgraded = world_->transport().Connect(upgrade, {"parley.v1.json"});
    // The hello checks a key in the credential-check pool, because its hash is slow.
    const bool is_key = kind.credential.starts_with("pak_");
    EXPECT_EQ(upgraded.connection != nullptr, opens || is_key) << kind.name;
    if (!upgraded.connection) {
      EXPECT_EQ(upgraded.refusal.status, 401) << kind.name;
    }
  }
}

TEST_F(CredentialSweep, a_session_is_refreshed_only_with_an_access_token_of_its_user) {
  for (const std::string& opened_by : {TokensOf("bob").Text("token"), kinds_[3].credential}) {
    FakeClient bob = Join(opened_by);
    for (const CredentialKind& kind : kinds_) {
      const Frame reply = bob.Ask("session.refresh", Args({{"token", kind.credential}}));
      EXPECT_EQ(reply.ok(), kind.name == "access token") << kind.name;
      EXPECT_THAT(reply.error(), testing::AnyOf("", "FORBIDDEN", "UNAUTHENTICATED", "AUTH_EXPIRED"))
          << kind.name;
      ASSERT_TRUE(bob.Ask("session.ping").ok()) << kind.name;
    }
    EXPECT_EQ(bob.close_code(), 0);
  }
}

TEST_F(CredentialSweep, every_op_answers_any_credential_as_an_argument) {
  size_t asked = 0;
  protocol::ForEachOp(features::AllOps{}, [&]<class Op>() {
    const std::string op(Op::kName);
    if (op == "session.hello" || op == "session.refresh") return;
    std::vector<std::string> fields;
    auto note = [&](std::string_view name, auto&&...) { fields.emplace_back(name); };
    Op::Args::Fields(note);
    for (const std::string& by : {api_key_, admin_}) {
      FakeClient client = Join(by);
      const auto known = EveryOpAbout(NewPlace());
      const JsonMembers base = known.contains(op) ? MembersIn(known.at(op)) : JsonMembers();
      for (const std::string& field : fields) {
        for (const CredentialKind& kind : kinds_) {
          if (kind.credential.size() < 8 || kind.credential.size() > 4000) continue;
          for (const std::string& shape : ShapesOf(kind.credential)) {
            JsonMembers args = base;
            args[field] = shape;
            const Frame reply = client.Ask(op, ObjectOf(args));
            ASSERT_TRUE(reply.ok() || !reply.error().empty()) << op << " " << field << " " << kind.name;
            ASSERT_NE(reply.error(), "INTERNAL") << op << " " << field << " " << kind.name << reply.Json();
            ASSERT_EQ(client.close_code(), 0) << op << " " << field << " " << kind.name;
            ++asked;
          }
        }
      }
    }
  });
  EXPECT_GT(asked, 10'000u);
  ExpectUnharmed();
}

// --- HTTP

TEST_F(CredentialSweep, every_op_over_http_opens_only_with_a_valid_credential) {
  for (const auto& [op, args] : EveryOpAbout(NewPlace())) {
    const gateway::OpInfo* info = gateway::FindOp(op);
    ASSERT_TRUE(info) << op;
    if (info->kind == protocol::OpKind::kSession) continue;
    for (const CredentialKind& kind : kinds_) {
      for (const char* query : {"", "?tenant=acme", "?tenant=opk_"}) {
        for (const std::string& user : {std::string(), std::string("ann"), kind.credential}) {
          const HttpResponse reported = Send(kind.credential, "POST", "/v1/ops/" + op + query, args, user);
          ASSERT_NE(reported.status, 500) << op << " " << kind.name << reported.body;
          if (!kind.opens) {
            EXPECT_EQ(reported.status, 401) << op << query << " " << kind.name << reported.body;
            EXPECT_EQ(Body(reported).error(),
                      kind.name == "token past its end" ? "AUTH_EXPIRED" : "UNAUTHENTICATED");
          } else {
            EXPECT_NE(reported.status, 401) << op << query << " " << kind.name << reported.body;
          }
        }
      }
    }
  }
  ExpectUnharmed();
}

// A valid value for each argument of a route, so that the credential gets checked.
std::string SoundFor(const std::string& route, const std::string& name) {
  static const std::map<std::string, std::string> sound = {
      {"tenantId", R"("acme")"},
      {"userId", R"("ann")"},
      {"attachmentId", R"("att_01jb0000000000000000000000")"},
      {"resource", R"("projects/p")"},
      {"level", R"("read")"},
      {"email", R"("e@x.org")"},
      {"alg", R"("HS256")"},
      {"version", "1"},
      {"payload", R"("{\"type\":\"t\"}")"},
      {"eventIds", R"(["evt_1"])"},
      {"refreshToken", R"("prt_")"},
      {"token", R"("inv_")"},
      {"accessKeyId", R"("PKTAAAAAAAAAAAAAAAAA")"}};
  if (route == "createTenant" && name == "tenantId") return R"("other")";
  if (route.starts_with("delete") && name == "userId") return R"("nobody")";
  const auto found = sound.find(name);
  return found == sound.end() ? R"("x1")" : found->second;
}

struct RouteCall {
  std::string target, body;
};
std::string Unquoted(const std::string& json) {
  return json.size() > 1 && json.front() == '"' ? json.substr(1, json.size() - 2) : json;
}
std::string Encoded(const std::string& text) {
  std::string out;
  char hex[4];
  for (const char c : text) {
    std::snprintf(hex, sizeof hex, "%%%02X", static_cast<unsigned char>(c));
    out += std::isalnum(static_cast<unsigned char>(c)) ? std::string(1, c) : std::string(hex);
  }
  return out;
}
RouteCall CallOf(const HttpRoute& route, const JsonMembers& args) {
  RouteCall out{std::string(route.path), ""};
  JsonMembers body;
  std::string query;
  const bool in_query = route.method == gateway::Method::kGet || route.method == gateway::Method::kDelete;
  for (const auto& [name, json] : args) {
    const std::string place = "{" + name + "}";
    if (const size_t at = out.target.find(place); at != std::string::npos) {
      out.target.replace(at, place.size(), Encoded(Unquoted(json)));
    } else if (name == route.traits.body_field) {
      out.body = R"({"type":"t"})";
    } else if (in_query) {
      query += (query.empty() ? "?" : "&") + name + "=" + Encoded(Unquoted(json));
    } else {
      body[name] = json;
    }
  }
  if (!in_query && route.traits.body_field.empty()) out.body = ObjectOf(body);
  out.target += query;
  return out;
}
JsonMembers SoundArgs(const HttpRoute& route) {
  JsonMembers out;
  for (const HttpRoute::Field& field : route.fields()) {
    if (field.required)
      out[std::string(field.name)] = SoundFor(std::string(route.id), std::string(field.name));
  }
  return out;
}

TEST_F(CredentialSweep, every_route_opens_only_with_a_valid_credential) {
  for (const HttpRoute& route : gateway::AllRoutes()) {
    if (!route.bind || (route.who & gateway::kAnyone)) continue;
    if (!route.traits.credential.empty()) continue;  // the credential is an argument or has its own header
    const RouteCall call = CallOf(route, SoundArgs(route));
    const std::string method(features::NameOf(route.method));
    for (const CredentialKind& kind : kinds_) {
      if (kind.opens && route.id == "suspendTenant") continue;
      const HttpResponse reported = Send(kind.credential, method, call.target, call.body);
      ASSERT_NE(reported.status, 500) << route.id << " " << kind.name << reported.body;
      if (!kind.opens) {
        EXPECT_EQ(reported.status, 401)
            << route.id << " " << kind.name << " " << call.target << reported.body;
      } else {
        EXPECT_NE(reported.status, 401) << route.id << " " << kind.name << reported.body;
      }
    }
  }
  ExpectUnharmed();
}

TEST_F(CredentialSweep, every_route_answers_any_credential_as_an_argument) {
  size_t asked = 0;
  for (const HttpRoute& route : gateway::AllRoutes()) {
    if (!route.bind) continue;
    const JsonMembers base = SoundArgs(route);
    const std::string method(features::NameOf(route.method));
    for (const HttpRoute::Field& field : route.fields()) {
      for (const CredentialKind& kind : kinds_) {
        if (kind.name == "long" || (route.id == "suspendTenant" && field.name != "tenantId")) continue;
        for (const std::string& by : {boss_, service_, token_}) {
          JsonMembers args = base;
          args[std::string(field.name)] = Quoted(kind.credential);
          RouteCall call = CallOf(route, args);
          if (by == boss_)
            call.target +=
                (call.target.find('?') == std::string::npos ? "?" : "&") + std::string("tenant=acme");
          const HttpResponse reported = Send(by, method, call.target, call.body);
          ASSERT_NE(reported.status, 500)
              << route.id << " " << field.name << " " << kind.name << reported.body;
          ++asked;
        }
      }
    }
  }
  EXPECT_GT(asked, 3'000u);
  ExpectUnharmed();
}

}  // namespace
}  // namespace parley::gateway_test
