#include "gateway/ws/session_timers.h"

#include <algorithm>
#include <optional>

#include "gateway/ws/session_pieces.h"

namespace parley::gateway {
namespace {

using protocol::CloseCode;

constexpr int64_t kExpiringNoticeMs = 60'000;

}  // namespace

void SessionTimers::AwaitHello() {
  NoteReceived();
  hello_ = s_.io.loop().CallAfter(s_.config().hello_timeout_ms, [weak = s_.weak_from_this()] {
    if (const auto session = weak.lock()) session->CloseWith(CloseCode::kNoHello, "no session.hello in time");
  });
}

void SessionTimers::NoteReceived() {
  last_received_ms_ = s_.clock().MonotonicMs();
}

void SessionTimers::Start() {
  ArmHeartbeat();
  ArmExpiry();
}

void SessionTimers::NoteRefreshed() {
  expiry_announced_ = false;
  ArmExpiry();
}

void SessionTimers::Stop() {
  hello_.reset();
  heartbeat_.reset();
  expiry_.reset();
}

// Checks again when a ping is due or, after the ping, when the session must end.
void SessionTimers::ArmHeartbeat() {
  const int64_t heartbeat_ms = s_.config().heartbeat_ms;
  const int64_t silent_ms = s_.clock().MonotonicMs() - last_received_ms_;
  const int64_t due_ms = silent_ms < heartbeat_ms ? heartbeat_ms : 2 * heartbeat_ms;
  heartbeat_ = s_.io.loop().CallAfter(due_ms - silent_ms, [this, weak = s_.weak_from_this()] {
    if (const auto session = weak.lock()) OnHeartbeat();
  });
}

void SessionTimers::OnHeartbeat() {
  if (!s_.connection || s_.closing()) return;
  if (HasExpired()) return CloseExpired();
  const int64_t silent_ms = s_.clock().MonotonicMs() - last_received_ms_;
  if (silent_ms >= 2 * s_.config().heartbeat_ms)
    return s_.CloseWith(CloseCode::kDraining, "nothing received for two heartbeats",
                        SessionCore::Reason::kAsSaid);
  if (silent_ms >= s_.config().heartbeat_ms) s_.connection->Ping();
  ArmHeartbeat();
}

// Fires first for the notice, then for the expiry.
void SessionTimers::ArmExpiry() {
  expiry_.reset();
  const std::optional<protocol::Time> end = s_.who().expires_at;
  if (!end) return;
  const int64_t left_ms = end->ms - s_.clock().Now().ms;
  const int64_t wait_ms = expiry_announced_ ? left_ms : left_ms - kExpiringNoticeMs;
  constexpr int64_t kLongestWaitMs = 60'000;  // then check again: the clock may have been set
  expiry_ = s_.io.loop().CallAfter(std::clamp<int64_t>(wait_ms, 0, kLongestWaitMs),
                                   [this, weak = s_.weak_from_this()] {
                                     if (const auto session = weak.lock()) OnExpiry();
                                   });
}

bool SessionTimers::HasExpired() const {
  const std::optional<protocol::Time> end = s_.who().expires_at;
  return end && *end <= s_.clock().Now();
}

void SessionTimers::CloseExpired() {
  s_.CloseWith(CloseCode::kUnauthenticated, "the token expired");
}

void SessionTimers::OnExpiry() {
  if (HasExpired()) return CloseExpired();
  const std::optional<protocol::Time> end = s_.who().expires_at;
  if (end && !expiry_announced_ && end->ms - s_.clock().Now().ms <= kExpiringNoticeMs) {
    expiry_announced_ = true;
    s_.out.SendMsgpack(protocol::SessionExpiringEvent(*end));
  }
  ArmExpiry();
}

}  // namespace parley::gateway
