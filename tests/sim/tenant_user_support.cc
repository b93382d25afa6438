#include "tests/sim/tenant_user_support.h"

namespace parley::sim {

using protocol::Value;
using protocol::Writer;

namespace {
constexpr std::string_view kMark = "~ten-";
}  // namespace

std::string MarkOf(const std::string& tenant) {
  return "~" + tenant + "~";
}

bool HasForeignMark(std::string_view received, const std::string& tenant) {
  const std::string own = MarkOf(tenant);
  for (size_t at = received.find(kMark); at != std::string_view::npos; at = received.find(kMark, at + 1)) {
    if (received.substr(at, own.size()) != own) return true;
  }
  return false;
}

void TenantUser::Come(Process& process, size_t io, const std::string& token, KnownFamily* family, Done done) {
  Dial(process, io);
  if (!connected()) return;
  token_ = token;
  family_ = family;
  ready_ = false;
  close_code_ = 0;
  Writer args;
  args.BeginMap(2);
  Put(args, "token", token);
  Put(args, "deliver", "all");
  Request("session.hello", args, [this, done = std::move(done)](const Value* ok, const std::string& code) {
    ready_ = ok != nullptr;
    done(code);
    if (ready_) Retry();
  });
}

void TenantUser::OnReceived(std::string_view bytes) {
  if (HasForeignMark(bytes, tenant_)) Complain("of " + tenant_ + " received a text of another tenant");
}

void TenantUser::OnEvent(const Value& event) {
  ++events_;
  const std::string thread = Text(event, "threadId");
  if (!room_->thread.empty() && !thread.empty() && thread != room_->thread)
    Complain("of " + tenant_ + " received an event of a thread that is not the tenant's: " + thread);
  const Value* item = event.Find("item");
  if (Text(event, "ev") != "message.created" || !item || Text(*item, "type") != "text") return;
  if (Text(*item, "body").find(MarkOf(tenant_)) == std::string::npos)
    Complain("of " + tenant_ + " received a message that no user there wrote");
}

// The two have one direct thread, whichever of them creates it.
void TenantUser::Enter(const std::string& thread) {
  if (!room_->thread.empty() && room_->thread != thread)
    Complain("of " + tenant_ + ": two rooms, " + room_->thread + " and " + thread);
  room_->thread = thread;
}

void TenantUser::Talk(const std::string& other, const std::string& client_id, const std::string& text) {
  if (!room_->thread.empty()) {
    room_->said.push_back({user(), client_id, MarkOf(tenant_) + " " + text, false, {}});
    return Send(room_->said.back());
  }
  Writer args;
  args.BeginMap(3);
  Put(args, "kind", "direct");
  args.Text("participants");
  args.BeginArray(1);
  args.BeginMap(1);
  Put(args, "userId", other);
  Put(args, "clientId", "room-" + user());
  Request("thread.create", args, [this](const Value* ok, const std::string&) {
    if (ok) Enter(Text(*ok->Find("thread"), "threadId"));
  });
}

void TenantUser::Send(Said& said) {
  Writer args;
  args.BeginMap(4);
  Put(args, "threadId", room_->thread);
  Put(args, "clientId", said.client_id);
  Put(args, "type", "text");
  Put(args, "body", said.body);
  Request("message.send", args, [this, &said](const Value* ok, const std::string& code) {
    if (!ok) {
      if (code != "UNAVAILABLE" && code != "FORBIDDEN" && code != "UNAUTHENTICATED" && code != "AUTH_EXPIRED")
        Complain("of " + tenant_ + ": message.send: " + code);
      return;
    }
    said.acknowledged = true;
    said.message_id = Text(*ok, "messageId");
  });
}

// Sends their latest messages without an acknowledgement again.
void TenantUser::Retry() {
  size_t left = 3;
  for (auto said = room_->said.rbegin(); said != room_->said.rend() && left > 0; ++said) {
    if (said->acknowledged || said->author != user()) continue;
    Send(*said);
    --left;
  }
}

}  // namespace parley::sim
