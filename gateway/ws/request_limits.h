// Charges a session's requests to the rate limits, and closes a session that ignores refusals.
//
// Thread contract: the loop's thread. REQUIRES (all): the client is authenticated.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "gateway/app/rate_limits.h"
#include "gateway/ops/router.h"
#include "gateway/ws/session_core.h"
#include "protocol/base/reason.h"

namespace parley::gateway {

// A refusal because too many things exist. No place becomes free at a known time, so the client should retry
// now and then.
protocol::Error TooMany(protocol::Reason reason, const char* of_what);

class RequestLimits {
 public:
  explicit RequestLimits(SessionCore& core) : core_(core) {}

  std::optional<protocol::Error> Charge(std::string_view op);  // RATE_LIMITED, or nullopt
  Done Charging(std::string_view op, Done done);               // charges the cost of the answer
  void NoteRefused(const protocol::Error& refusal);            // closes the session after too many
  // A tenant at its rate limit gets no further sessions, so that its present ones come first.
  protocol::Status RequireRoom();

 private:
  // Cached here, since finding the buckets for each request would cost more than the request.
  struct Charged {
    accounts::Requester requester;
    accounts::TokenBucket own, refusals;
    int64_t wait_until_ms = 0;  // from the last refusal
  };
  std::unique_ptr<Charged> NewCharged() const;

  SessionCore& core_;
  std::unique_ptr<Charged> charged_;  // from the first request on, if limits apply
};

}  // namespace parley::gateway
