// Adds the headers of a rate limit to an answer: X-RateLimit-Limit (the burst size), X-RateLimit-Remaining
// (how much of it is left) and X-RateLimit-Reset (when all of it is available again or, after a refusal, when
// one request is: seconds since 1970, rounded up). Pure.
#pragma once

#include "accounts/limits/token_bucket.h"
#include "gateway/net/transport.h"
#include "protocol/base/error.h"
#include "protocol/base/time.h"

namespace parley::gateway {

// For the answer to a request that the limit allowed.
void AddRateHeaders(const accounts::Verdict& verdict, protocol::Time now, HttpResponse* response);
// For a refusal by a limit; adds nothing for other errors.
void AddRateHeaders(const protocol::Error& error, protocol::Time now, HttpResponse* response);

}  // namespace parley::gateway
