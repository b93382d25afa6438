#include "gateway/ws/request_limits.h"

#include "protocol/ops/messages.h"

#include <utility>

namespace parley::gateway {

using protocol::CloseCode;
using protocol::Error;

Error TooMany(protocol::Reason reason, const char* of_what) {
  constexpr int64_t kRetryWhenFullMs = 5'000;
  Error error = ErrorFor(reason, of_what);
  error.retry_after_ms = kRetryWhenFullMs;
  return error;
}

std::unique_ptr<RequestLimits::Charged> RequestLimits::NewCharged() const {
  const Identity& who = core_.who();
  return std::make_unique<Charged>(
      Charged{core_.node().rate_limits().RequesterOf(who.caller, who.key_id), {}, {}, 0});
}

std::optional<Error> RequestLimits::Charge(std::string_view op) {
  RateLimits& limits = core_.node().rate_limits();
  if (IsCatchingUp(op) || !limits.Charges(core_.tenant())) return std::nullopt;
  if (!charged_) charged_ = NewCharged();
  const auto verdict = limits.Take(charged_->requester, core_.tenant(), op);
  if (!verdict.allowed) return accounts::RateLimited(verdict);
  if (!limits.Of(core_.tenant()).enabled) return std::nullopt;
  const auto own = charged_->own.Take(limits.session_rate(), core_.clock().MonotonicMs());
  if (own.allowed) return std::nullopt;
  limits.NoteSessionRefused();
  return accounts::RateLimited(own);
}

Done RequestLimits::Charging(std::string_view op, Done done) {
  if (!charged_ || op != protocol::MessageSend::kName) return done;
  return [&limits = core_.node().rate_limits(), requester = charged_->requester, tenant = core_.tenant(),
          done = std::move(done)](Answer answer) {
    limits.NoteAnswer(requester, tenant, protocol::MessageSend::kName, answer);
    done(std::move(answer));
  };
}

// Counts only clients that do not wait as the refusal requires.
void RequestLimits::NoteRefused(const Error& refusal) {
  if (!charged_ || !core_.node().rate_limits().Of(core_.tenant()).enabled) return;
  const int64_t now_ms = core_.clock().MonotonicMs();
  const bool waited = now_ms >= charged_->wait_until_ms;
  charged_->wait_until_ms = now_ms + refusal.retry_after_ms.value_or(0);
  if (waited || charged_->refusals.Take(RateLimits::kRefusals, now_ms).allowed) return;
  // Posted, so that the answer leaves first.
  core_.io.loop().Post([weak = core_.weak_from_this()] {
    if (const auto core = weak.lock())
      core->CloseWith(CloseCode::kTooManyRequests, "requests continue despite refusals");
  });
}

protocol::Status RequestLimits::RequireRoom() {
  RateLimits& limits = core_.node().rate_limits();
  if (!limits.Charges(core_.tenant())) return protocol::Ok();
  charged_ = NewCharged();
  if (limits.HasRoom(charged_->requester)) return protocol::Ok();
  Error error = ErrorFor(protocol::Reason::kTenantBusy, "the tenant has reached its rate limit");
  error.retry_after_ms = accounts::kSecondMs;
  return error;
}

}  // namespace parley::gateway
