#include "bench/load/fleet.h"

#include <cstdio>
#include <cstdlib>

#include "bench/measure/cpu.h"
#include "bench/net/http_call.h"
#include "protocol/writer.h"

namespace parley::bench {
namespace {

constexpr size_t kConnectAtOnce = 128;
constexpr int64_t kRetryNs = 1'000'000'000;

std::optional<std::string> FetchToken(const Origin& address, const std::string& user) {
  const HttpAnswer answer =
      AskHttp(address, "/v1/demo/token", "{\"userId\":\"" + user + "\",\"ttlSeconds\":86400}", {});
  const auto token =
      answer.status / 100 == 2 ? FindText(protocol::Encoding::kJson, answer.body, "token") : std::nullopt;
  if (!token)
    std::fprintf(
        stderr,
        "parley-bench: no token for %s: /v1/demo/token, which a server with --demo has, was answered "
        "with %d: %.400s\n",
        user.c_str(), answer.status, answer.body.c_str());
  return token ? std::optional(std::string(*token)) : std::nullopt;
}

}  // namespace

std::optional<std::string> TokenOf(const Target& target, const std::string& user) {
  return target.token ? target.token(user) : FetchToken(target.address, user);
}

std::string Args(std::initializer_list<std::pair<std::string_view, Arg>> members) {
  protocol::Writer writer;
  writer.BeginMap(members.size());
  for (const auto& [key, value] : members) {
    writer.Text(key);
    if (value.is_encoded) {
      writer.Raw(value.text);
    } else if (value.is_text) {
      writer.Text(value.text);
    } else {
      writer.Int(value.number);
    }
  }
  return writer.Take();
}

LoadSession::LoadSession(Fleet& fleet, size_t index, std::string user, std::string token)
    : fleet_(fleet),
      index_(index),
      user_(std::move(user)),
      token_(std::move(token)),
      socket_(fleet.poller_, *this) {}

protocol::Encoding LoadSession::encoding() const {
  return fleet_.target_.encoding;
}

void LoadSession::Connect(std::string_view resume) {
  resume_ = resume;
  pending_.clear();
  free_.clear();
  unanswered_ = 0;
  socket_.Connect(fleet_.target_.address,
                  encoding() == protocol::Encoding::kMsgpack ? "parley.v1.msgpack" : "parley.v1.json");
}

void LoadSession::Close() {
  socket_.Close();
  if (live_) --fleet_.live_;
  live_ = false;
}

void LoadSession::OnOpen() {
  protocol::Writer args;
  args.BeginMap(2 + (fleet_.target_.compact ? 1 : 0) + (resume_.empty() ? 0 : 1));
  args.Text("token");
  args.Text(token_);
  args.Text("deliver");
  args.Text(fleet_.target_.deliver);
  if (fleet_.target_.compact) {
    args.Text("compact");
    args.Bool(true);
  }
  if (!resume_.empty()) {
    args.Text("resume");
    args.Raw(resume_);
  }
  Request("session.hello", args.bytes(), Fleet::kHelloTag, NowNs());
}

void LoadSession::Request(std::string_view op, std::string_view args, uint64_t tag, int64_t asked_ns) {
  if (free_.empty()) {
    free_.push_back(static_cast<uint32_t>(pending_.size()));
    pending_.emplace_back();
  }
  const uint32_t id = free_.back();
  free_.pop_back();
  pending_[id] = {tag, asked_ns};
  ++unanswered_;
  protocol::Writer writer;
  writer.BeginMap(3);
  writer.Text("id");
  writer.Int(id);
  writer.Text("op");
  writer.Text(op);
  writer.Text("args");
  writer.Raw(args);
  if (encoding() == protocol::Encoding::kMsgpack) {
    socket_.Send(writer.bytes());
  } else {
    socket_.Send(protocol::MsgpackToJson(writer.bytes()));
  }
}

void LoadSession::OnMessage(std::string_view payload) {
  FrameView view;
  if (!ViewFrame(encoding(), payload, &view)) {
    std::fprintf(stderr, "parley-bench: a frame of %zu bytes is not of this protocol\n", payload.size());
    std::exit(1);
  }
  if (!view.id) {
    if (fleet_.listener_) fleet_.listener_->OnEvent(*this, view);
    return;
  }
  const Pending asked = pending_[*view.id];
  free_.push_back(*view.id);
  --unanswered_;
  if (asked.tag == Fleet::kHelloTag && view.ok) {
    live_ = true;
    ++fleet_.live_;
    fleet_.epoch_ = FindText(encoding(), view.body, "epoch").value_or("");
  }
  if (asked.tag == Fleet::kHelloTag) return;  // a rejected hello closes the session
  if (asked.tag == Fleet::kCallTag) {
    fleet_.call_done_ = true;
    fleet_.call_body_ = view.body;
    if (!view.ok) {
      std::fprintf(stderr, "parley-bench: the server refused: %s\n",
                   std::string(FindText(encoding(), view.body, "message").value_or("?")).c_str());
      std::exit(1);
    }
    return;
  }
  if (fleet_.listener_) fleet_.listener_->OnReply(*this, asked.tag, asked.asked_ns, view);
}

void LoadSession::OnClosed(uint16_t code) {
  if (live_) --fleet_.live_;
  live_ = false;
  ++fleet_.lost_;
  if (fleet_.listener_) fleet_.listener_->OnLost(*this, code);
}

bool KnowsCompact(const Target& target) {
  Target asked = target;
  asked.compact = true;
  Poller poller;
  return Fleet(poller, asked).Connect({"compact"});
}

bool Fleet::Prepare(const std::vector<std::string>& users) {
  for (const std::string& user : users) {
    auto& token = tokens_[user];
    if (token.empty()) {
      auto fetched = TokenOf(target_, user);
      if (!fetched) return false;
      token = std::move(*fetched);
    }
    sessions_.push_back(std::make_unique<LoadSession>(*this, sessions_.size(), user, token));
  }
  return true;
}

bool Fleet::Connect(const std::vector<std::string>& users) {
  return Prepare(users) && ConnectAll(kConnectAtOnce, NowNs() + 120 * kRetryNs);
}

bool Fleet::ConnectAll(size_t at_once, int64_t deadline_ns,
                       const std::function<std::string(LoadSession&)>& resume) {
  size_t next = 0;
  const size_t lost_before = lost_;
  size_t begun = 0, live_before = live_;
  return RunUntil(deadline_ns,
                  [&] {
                    while (next < sessions_.size() && begun - (live_ - live_before) < at_once) {
                      LoadSession& session = *sessions_[next++];
                      if (session.live()) continue;
                      ++begun;
                      session.Connect(resume ? resume(session) : std::string());
                    }
                    return lost_ != lost_before || live_ == sessions_.size();
                  }) &&
         live_ == sessions_.size();
}

bool Fleet::RunUntil(int64_t deadline_ns, const std::function<bool()>& done) {
  while (!done()) {
    if (NowNs() >= deadline_ns) return false;
    poller_.Poll(deadline_ns);
  }
  return true;
}

std::string Fleet::Call(LoadSession& session, std::string_view op, std::string_view args) {
  call_done_ = false;
  session.Request(op, args, kCallTag, NowNs());
  if (!RunUntil(NowNs() + 60 * kRetryNs, [&] { return call_done_; })) {
    std::fprintf(stderr, "parley-bench: no answer to %.*s within a minute\n", static_cast<int>(op.size()),
                 op.data());
    std::exit(1);
  }
  return std::move(call_body_);
}

}  // namespace parley::bench
