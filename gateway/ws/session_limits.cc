// Charges a session's requests, and closes a session that ignores refusals.
#include "gateway/ws/session.h"

#include "protocol/base/reason.h"

namespace parley::gateway {

using protocol::CloseCode;
using protocol::Error;

std::optional<Error> Session::Charge(std::string_view op) {
  RateLimits& limits = node_.rate_limits();
  if (IsCatchingUp(op) || !limits.Charges(tenant())) return std::nullopt;
  if (!charged_)
    charged_ = std::make_unique<Charged>(Charged{limits.RequesterOf(who().caller, who().key_id), {}, {}, 0});
  const auto verdict = limits.Take(charged_->requester, tenant(), op);
  if (!verdict.allowed) return accounts::RateLimited(verdict);
  if (!limits.Of(tenant()).enabled) return std::nullopt;
  const auto own = charged_->own.Take(limits.session_rate(), clock().MonotonicMs());
  if (own.allowed) return std::nullopt;
  limits.NoteSessionRefused();
  return accounts::RateLimited(own);
}

Done Session::Charging(std::string_view op, Done done) {
  if (!charged_ || op != protocol::MessageSend::kName) return done;
  return [&limits = node_.rate_limits(), requester = charged_->requester, tenant = tenant(),
          done = std::move(done)](Answer answer) {
    limits.NoteAnswer(requester, tenant, protocol::MessageSend::kName, answer);
    done(std::move(answer));
  };
}

// Repeats are answered and malformed requests reported whether or not a limit is reached.
void Session::RefuseUnlessRepeat(const Asked& request, const OpInfo& op, const protocol::Value& args,
                                 Error refusal) {
  const bool is_session = op.kind == protocol::OpKind::kSession;
  auto sound = is_session ? protocol::Ok() : CheckArgs(request.op, args);
  if (!sound.ok()) return Finish(request.ticket(), std::move(sound.error()));
  const bool may_repeat = op.kind == protocol::OpKind::kWrite && op.takes_client_id;
  if (!may_repeat) return Finish(request.ticket(), std::move(refusal));
  RouteRepeat(io_, request.op, who().caller, args, std::move(refusal), Finisher(request.ticket()),
              request.trace);
}

// Counts only clients that do not wait as the refusal requires.
void Session::NoteRefused(const Error& refusal) {
  if (!charged_ || !node_.rate_limits().Of(tenant()).enabled) return;
  const int64_t now_ms = clock().MonotonicMs();
  const bool waited = now_ms >= charged_->wait_until_ms;
  charged_->wait_until_ms = now_ms + refusal.retry_after_ms.value_or(0);
  if (waited || charged_->refusals.Take(RateLimits::kRefusals, now_ms).allowed) return;
  // Posted, so that the answer leaves first.
  io_.loop().Post([weak = weak_from_this()] {
    if (const auto self = weak.lock())
      self->CloseWith(CloseCode::kTooManyRequests, "requests continue despite refusals");
  });
}

// A tenant at its rate limit gets no further sessions, so that its present ones come first.
protocol::Status Session::RequireRoom() {
  RateLimits& limits = node_.rate_limits();
  if (!limits.Charges(tenant())) return protocol::Ok();
  charged_ = std::make_unique<Charged>(Charged{limits.RequesterOf(who().caller, who().key_id), {}, {}, 0});
  if (limits.HasRoom(charged_->requester)) return protocol::Ok();
  Error error = ErrorFor(protocol::Reason::kTenantBusy, "the tenant has reached its rate limit");
  error.retry_after_ms = accounts::kSecondMs;
  return error;
}

}  // namespace parley::gateway
