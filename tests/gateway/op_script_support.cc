#include "tests/gateway/op_script_support.h"

#include <algorithm>

#include "features/all.h"
#include "features/ops.h"
#include "gateway/app/node.h"
#include "tests/gateway/fake_server_support.h"
#include "tests/gateway/op_maker.h"

namespace parley::gateway_test {
namespace {

using protocol::Encoding;

gateway::Config ScriptConfig() {
  gateway::Config config = DemoConfig();
  config.heartbeat_ms = 3'600'000;  // fake connections do not pong
  config.card_ports = "reschedule,extra,overtime";
  return config;
}

class Script {
 public:
  explicit Script(Choices& choices) : choices_(choices), world_(ScriptConfig()) {
    clients_.resize(kUsers.size());
    FakeClient& ann = ClientOf(0);
    for (const std::string_view kind : {"project", "inquiry"})
      Learn(ann.Ask("thread.create", Args({{"kind", std::string(kind)},
                                           {"buyerUserId", "ann"},
                                           {"sellerUserId", "bob"},
                                           {"lbgId", "t1"},
                                           {"firstMessage", "hello"}}))
                .root());
    for (const std::string_view kind : {"direct", "group"})
      Learn(ann.Ask("thread.create", Args({{"kind", std::string(kind)},
                                           {"participants", JsonArg::Raw(R"([{"userId":"bob"}])")},
                                           {"firstMessage", "hello"}}))
                .root());
  }

  OpScriptReport Run(size_t ops_max) {
    for (; report_.ops < ops_max && !choices_.exhausted() && report_.complaints.size() < 5; ++report_.ops) {
      const uint32_t wanted = choices_.Below(CountOf(features::AllOps{}));
      uint32_t at = 0;
      protocol::ForEachOp(features::AllOps{}, [&]<class Op>() {
        if (at++ == wanted) Do<Op>();
      });
      if (choices_.OneIn(40)) world_->Advance(int64_t{choices_.Below(1000)} * 100'000);
    }
    CheckStore("at the end");
    for (auto& client : clients_) client.reset();
    world_.Restart();
    world_->Settle();
    CheckStore("after a restart");
    return std::move(report_);
  }

 private:
  template <class... Ops>
  static constexpr uint32_t CountOf(protocol::OpList<Ops...>) {
    return sizeof...(Ops);
  }

  // The last user is staff.
  FakeClient& ClientOf(size_t user) {
    auto& client = clients_[user];
    if (client && client->close_code() != 0) {
      client.reset();
    }
    if (!client) {
      const std::string name(kUsers[user]);
      client.emplace(world_->Connect({Encoding(user % 2), {}}));
      client->Hello(world_->Token(name, user + 1 == kUsers.size() ? "support" : "member", 30 * 24 * 3600));
    }
    return *client;
  }

  template <class Op>
  void Do() {
    Maker maker(choices_, known_);
    std::string args = maker.Make<typename Op::Args>();
    if constexpr (Op::kKind == protocol::OpKind::kSession) {
      if (std::is_same_v<Op, protocol::SessionHello>) return Hello(maker, args);
    } else if (choices_.OneIn(4)) {
      return Http<Op>(maker, args);
    }
    FakeClient& client = ClientOf(choices_.Below(static_cast<uint32_t>(kUsers.size())));
    Ask(client, Op::kName, maker, args);
  }

  // Uses a separate session, because a failed hello ends it.
  void Hello(const Maker& maker, const std::string& args) {
    FakeClient client = world_->Connect({Encoding(choices_.Below(2)), {}});
    Ask(client, protocol::SessionHello::kName, maker, args);
  }

  void Ask(FakeClient& client, std::string_view op, const Maker& maker, const std::string& args) {
    Writer w;
    w.BeginMap(3);
    w.Text("id");
    w.Int(++last_id_ + 1'000'000);
    w.Text("op");
    w.Text(op);
    w.Text("args");
    w.Raw(args);
    const std::string frame = w.Take();
    client.SendRaw(Spelled(frame, client.encoding()));
    world_->Settle();
    const auto reply = client.TakeReply(last_id_ + 1'000'000);
    client.TakeAll();
    const int code = client.close_code();
    const std::string sent = std::string(op) + " " + protocol::MsgpackToJson(args).substr(0, 600);
    if (code != 0) ++report_.closed;
    const bool failed_hello = op == protocol::SessionHello::kName && code == 4401;
    // JSON can spell half of a surrogate pair, and the reply refuses it; MessagePack that is not text closes
    // the session.
    const bool no_frame = maker.not_text() && client.encoding() == Encoding::kMsgpack;
    if (no_frame ? code != 1007 : code != 0 && !failed_hello && !Known(op, code))
      Complain(sent + " closed with " + std::to_string(code));
    if (maker.not_text() || (!reply && code != 0)) return;
    if (!reply) return Complain(sent + " is not answered");
    Judge(sent, maker.nul(), reply->root());
  }

  // A session that was refreshed with an expired token is closed as well.
  static bool Known(std::string_view, int code) { return code == 4401; }

  template <class Op>
  void Http(Maker& maker, const std::string& args) {
    FakeServer::Headers headers;
    const uint32_t who = choices_.Below(4);
    const std::string token = who == 0 ? world_->Token("ann") : world_->service_key();
    headers.emplace_back("Authorization", "Bearer " + token);
    if (who > 1) headers.emplace_back("Parley-User", choices_.OneIn(8) ? maker.Hostile(64) : "bob");
    if (choices_.OneIn(4))
      headers.emplace_back("Idempotency-Key", choices_.OneIn(3) ? maker.Hostile(64) : "k1");
    const auto answer = world_->Http("POST", "/v1/ops/" + std::string(Op::kName),
                                     Spelled(args, Encoding::kJson), std::move(headers));
    const std::string sent =
        std::string(Op::kName) + " over HTTP " + protocol::MsgpackToJson(args).substr(0, 600);
    protocol::Document document;
    protocol::DecodeLimits limits;
    limits.max_bytes = size_t{64} << 20;
    limits.max_values = size_t{1} << 20;
    if (protocol::DecodeJson(answer.body, limits, &document))
      return Complain(sent + " is answered with no JSON: " + answer.body);
    if (maker.not_text()) return;  // a header takes it literally, a body is refused
    if (answer.status >= 500) Complain(sent + " is answered with " + answer.body);
    Tally(answer.status == 200);
    if (answer.status == 200) Learn(document.root);
  }

  void Judge(const std::string& sent, bool nul, const protocol::Value& reply) {
    const protocol::Value* error = reply.Find("error");
    Tally(!error);
    if (!error) {
      if (nul) Complain(sent + " holds a U+0000 and is taken");
      return Learn(reply);
    }
    const std::string_view code = *error->Find("code")->as_text();
    if (nul && code == "BAD_REQUEST") ++report_.nul_refused;
    if (nul && code != "BAD_REQUEST") Complain(sent + " holds a U+0000 and is " + std::string(code));
    if (code == "INTERNAL" || code == "UNAVAILABLE")
      Complain(sent + " is answered with " + std::string(code));
  }
  void Tally(bool ok) { ++(ok ? report_.ok : report_.refused); }

  // Records the ids in a reply.
  void Learn(const protocol::Value& value) {
    if (const protocol::Array* items = value.as_array()) {
      for (const protocol::Value& item : *items) Learn(item);
    }
    const protocol::Map* members = value.as_map();
    if (!members) return;
    for (const auto& [key, member] : *members) {
      if (const std::string_view* text = member.as_text()) {
        if (key == "threadId") Keep(*text, &known_.threads);
        if (key == "messageId") Keep(*text, &known_.messages);
        if (key == "cursor" || key == "effectId" || key == "epoch") Keep(*text, &known_.texts);
      }
      Learn(member);
    }
  }
  static void Keep(std::string_view text, std::vector<std::string>* in) {
    if (std::find(in->begin(), in->end(), text) == in->end()) in->emplace_back(text);
    if (in->size() > 50) in->erase(in->begin());
  }

  void CheckStore(const std::string& when) {
    world_->node().worker().SaveCursors();
    fanout::VerifyReport verified;
    const auto status = features::VerifyStore(
        world_.table(), world_.clock().Now(), [&](const std::string& what) { Complain(when + ": " + what); },
        &verified);
    if (!status.ok()) Complain(when + ": the store cannot be read");
    if (verified.pending > 0) Complain(when + ": a projection is behind at rest");
    if (const std::string why = world_->node().NotReady(); !why.empty()) Complain(when + ": " + why);
  }
  void Complain(std::string what) { report_.complaints.push_back(std::move(what)); }

  Choices& choices_;
  World world_;
  std::vector<std::optional<FakeClient>> clients_;
  Maker::Known known_;
  uint32_t last_id_ = 0;
  OpScriptReport report_;
};

}  // namespace

uint32_t ByteChoices::Below(uint32_t n) {
  uint32_t chosen = 0;
  for (uint32_t range = 1; range < n && !rest_.empty(); range <<= 8) {
    chosen = chosen << 8 | static_cast<uint8_t>(rest_.front());
    rest_.remove_prefix(1);
  }
  return chosen % n;
}

OpScriptReport RunOpScript(Choices& choices, size_t ops_max) {
  return Script(choices).Run(ops_max);
}

}  // namespace parley::gateway_test
