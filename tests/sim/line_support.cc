#include "tests/sim/line_support.h"

#include <set>

#include "tests/protocol/filled_support.h"

namespace parley::sim {
namespace {

using protocol::Value;
using protocol::Writer;

// The ops that a device can send without a session.
const std::set<std::string_view> kPosted = {
    "message.send", "message.edit",  "message.delete",  "message.pin",        "message.list",
    "read.mark",    "thread.create", "participant.add", "participant.remove", "participant.mute",
    "inbox.set",    "tab.put",       "card.create",     "card.act",           "thread.broadcast"};

// The header replaces the argument.
std::string TakeClientId(Value* args) {
  for (auto member = args->as_map()->begin(); member != args->as_map()->end(); ++member) {
    if (member->first != "clientId") continue;
    const std::string key(*member->second.as_text());
    args->as_map()->erase(member);
    return key;
  }
  return {};
}

}  // namespace

void Line::Dial(Process& process, size_t io) {
  gateway::HttpRequest request;
  request.method = "GET";
  request.target = "/v1/ws";
  auto upgraded = process.transport(io).Connect(request, {json_ ? "parley.v1.json" : "parley.v1.msgpack"});
  connection_ = std::move(upgraded.connection);
  process_ = &process;
  io_ = io;
}

void Line::Disconnect() {
  if (!connection_) return;
  if (!connection_->ended()) connection_->HangUp();
  LineLost();
}

void Line::LineLost() {
  connection_.reset();
  waiting_.clear();
  OnLineLost();
}

void Line::ProcessGone() {
  TakePosted();
  posted_.clear();
  process_ = nullptr;
  LineLost();
}

void Line::set_reads_itself(bool on) {
  if (connection_) connection_->set_reads_itself(on);
}

void Line::ReadAll() {
  TakePosted();
  if (!connection_) return;
  while (!connection_->received().empty()) {
    const auto payload = std::move(connection_->received().front());
    connection_->received().pop_front();
    Take(payload);
  }
  if (connection_->closed()) {
    OnClosed(connection_->closed()->code);
    Disconnect();
  }
}

void Line::OnClosed(uint16_t code) {
  if (code != 4508) Complain("closed with " + std::to_string(code));
}

void Line::Request(const char* op, const Writer& args, OnReply done) {
  if (kPosted.contains(op) && Chance(8)) return Post(op, args, std::move(done));
  Writer w;
  const uint32_t id = next_id_++;
  w.BeginMap(3);
  w.Text("id");
  w.Int(id);
  Put(w, "op", op);
  w.Text("args");
  w.Raw(args.bytes());
  waiting_[id] = {op, std::move(done)};
  connection_->Type(json_ ? protocol::MsgpackToJson(w.bytes()) : w.bytes(), !json_);
}

void Line::Take(const gateway_test::FakeConnection::Payload& payload) {
  OnReceived(payload.bytes);
  protocol::Document frame;
  const auto encoding = json_ ? protocol::Encoding::kJson : protocol::Encoding::kMsgpack;
  protocol::DecodeLimits limits;
  limits.max_bytes = size_t{8} << 20;
  if (payload.binary == json_) Complain("the wrong kind of frame");
  if (protocol::Decode(encoding, payload.bytes, limits, &frame))
    return Complain("a frame that does not decode");
  if (compact_ && !FillIn(&frame)) return Complain("a frame that cannot be filled in");
  if (frame.root.Find("ev")) {
    digest_.Add(payload.bytes);
    return OnEvent(frame.root);
  }
  const auto id = static_cast<uint32_t>(Number(frame.root, "id"));
  const auto waiting = waiting_.find(id);
  if (waiting == waiting_.end()) return Complain("a second reply to request " + std::to_string(id));
  const OnReply done = std::move(waiting->second.done);
  waiting_.erase(waiting);
  const Value* ok = frame.root.Find("ok");
  const Value* error = frame.root.Find("error");
  const std::string code = error ? Text(*error, "code") : "";
  // A seed does not determine the ids of sessions and errors: such replies count by the rest of their
  // content.
  digest_.Add(error ? code : ok && ok->Find("sessionId") ? "hello" : payload.bytes);
  done(ok, code);
}

bool Line::FillIn(protocol::Document* frame) {
  const auto waiting = waiting_.find(static_cast<uint32_t>(Number(frame->root, "id")));
  protocol::DecodeLimits limits;
  limits.max_bytes = size_t{8} << 20;
  protocol::Document filled;
  const std::string op = waiting == waiting_.end() ? "" : waiting->second.op;
  if (protocol::DecodeMsgpack(tests::Filled(frame->root, op), limits, &filled)) return false;
  *frame = std::move(filled);
  return true;
}

void Line::Post(const char* op, const Writer& args, OnReply done) {
  gateway::HttpRequest request;
  request.method = "POST";
  request.target = std::string("/v1/ops/") + op;
  request.headers = {{"Authorization", "Bearer " + Token()}};
  protocol::Document document;
  if (protocol::DecodeMsgpack(args.bytes(), {}, &document)) return Complain("args of ours are bad");
  if (Chance(2)) {
    const std::string key = TakeClientId(&document.root);
    if (!key.empty()) request.headers.emplace_back("Idempotency-Key", key);
  }
  Writer body;
  body.Put(document.root);
  request.body = protocol::MsgpackToJson(body.bytes());
  posted_.push_back({process_->transport(io_).Http(std::move(request)), std::move(done)});
}

void Line::TakePosted() {
  std::vector<Posted> left;
  for (Posted& one : std::exchange(posted_, {})) {
    if (!*one.answer) {
      left.push_back(std::move(one));
      continue;
    }
    const gateway::HttpResponse& response = **one.answer;
    OnReceived(response.body);
    protocol::Document body;
    if (protocol::DecodeJson(response.body, {}, &body)) {
      Complain("an HTTP answer that does not decode");
      continue;
    }
    const Value* error = body.root.Find("error");
    const std::string code = error ? Text(*error, "code") : "";
    if ((response.status == 200) != (error == nullptr))
      Complain("HTTP " + std::to_string(response.status) + " with " + (error ? code : "no error"));
    ++posts_;
    digest_.Add(error ? code : response.body);
    one.done(error ? nullptr : &body.root, code);
  }
  for (Posted& one : posted_) left.push_back(std::move(one));  // requested in the meantime
  posted_ = std::move(left);
}

}  // namespace parley::sim
