// The hot path of a message from its socket to other sockets: thread, copies and allocations of each step.
//
//   loop:     WsConnection::OnInput. Sockets are read into one shared buffer; a frame is unmasked into a
//             string of its own (copy 1), which is only moved from here on.
//   loop:     Inbound::Pump. Decoded to a tree whose text points into that string, bound to typed args (the
//             body: copy 2).
//   executor: SendMessage, Draft. Decided on cached rows. The wire item is encoded once (copy 3); those bytes
//             are stored, logged and sent.
//   executor: Committer. The rows of all commands of the batch form one write (copy 4), with one sync.
//   loop:     LiveDelivery, Hub. The new events of a thread are framed together, once for each form in use
//             (copy 5), and every recipient shares the frame: a delivery allocates nothing
//             (tests/fanout/delivery_allocations_test.cc).
//   loop:     Delivery::OnRun, Socket. A pointer enters the outbox; at the end of the loop's turn one sendmsg
//             per connection writes all of it.
//   fanout:   InboxProjection. Later, for all messages of a pass together.
//
// Costs and bounds: docs/performance.md.
#include "gateway/ws/session.h"

#include <utility>

#include "protocol/base/log.h"

namespace parley::gateway {

using protocol::CloseCode;

namespace {

// With the control block of its shared_ptr a session fills tcmalloc's size class of 1152 bytes.
constexpr size_t kBytesMax = 1136;
static_assert(sizeof(Session) <= kBytesMax || sizeof(void*) != 8);

}  // namespace

Session::Session(IoThread& io_thread, SessionProbe& session_probe, protocol::Encoding wire_encoding,
                 Visitor visitor)
    : SessionPieces(io_thread, session_probe, wire_encoding, std::move(visitor)) {}

void Session::OnOpen(Connection* opened) {
  connection = opened;
  state = State::kAuthenticating;
  probe.opened.Add();
  timers.AwaitHello();
}

void Session::OnFrame(std::string payload, bool binary) {
  if (closing()) return;
  timers.NoteReceived();
  probe.frames_in.Add();
  inbound.Take(std::move(payload), binary);
}

void Session::OnWritable() {
  if (state == State::kResuming) resumption.Step();
  turns.BeginTurns();
  inbound.PumpIfQueued();
}

void Session::OnInputEnd() {
  input_ended = true;
  turns.BeginTurns();
  inbound.SchedulePump();
}

void Session::OnTooSlow() {
  CloseWith(CloseCode::kTooSlow, "the readers' budget is used up, and this client uses the most");
}

void Session::OnClosed() {
  connection = nullptr;
  // The session's own reads end here, so authenticate again by a read that does not.
  if (handshake.checking()) return handshake.CheckWithoutConnection();
  // The session will not resume, but the caller is known.
  if (handshake.Abandon()) authenticated = true;
  WindUp();
}

void Session::WindUp() {
  winding_up = true;
  inbound.HandleRest();
  winding_up = false;
  if (handshake.checking()) return;  // continues once the caller is known
  const bool was_subscribed = authenticated;
  state = State::kClosing;
  timers.Stop();
  resumption.Stop();
  OnClosing();
  if (!was_subscribed) return;
  authenticated = false;
  threads.CloseAll();
  io.hub().Remove(&delivery);
  threads.StopTyping();
  if (!io.hub().SessionsOf(tenant(), user())) io.ephemera().Gone(tenant(), user());
  protocol::Log(protocol::LogLevel::kDebug, "gateway", "session ended",
                {{"session", id}, {"user", user().ToText()}});
}

void Session::OnClosing() {
  inbound.Clear();
  turns.GiveUp();
}

void Session::AnnounceDrain() {
  if (authenticated) out.SendMsgpack(protocol::SessionDrainingEvent(config().reconnect_within_ms));
}

void Session::OnRevoked(const Revocation& revocation) {
  if (!authenticated || closing() || tenant() != revocation.tenant) return;
  const auto spared = [](const std::string& named, const std::string& own) {
    return !named.empty() && named != own;
  };
  if (revocation.user && *revocation.user != user()) return;
  if (revocation.tokens_only && !who().key_id.empty()) return;
  if (spared(revocation.kid, who().kid) || spared(revocation.family, who().family) ||
      spared(revocation.key_id, who().key_id))
    return;
  CloseWith(revocation.code, revocation.why);
}

}  // namespace parley::gateway
