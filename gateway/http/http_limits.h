// What a limit says in the headers of an answer: X-RateLimit-Limit (how many at once), X-RateLimit-Remaining
// (how many are left) and X-RateLimit-Reset (when all are there again, or, where it was refused, when there
// is room for one: seconds since 1970, rounded up). Pure.
#pragma once

#include "accounts/limits/token_bucket.h"
#include "gateway/net/transport.h"
#include "protocol/base/error.h"
#include "protocol/base/time.h"

namespace parley::gateway {

// Of an answer to a request that was taken.
void AddRateHeaders(const accounts::Verdict& verdict, protocol::Time now, HttpResponse* response);
// Of one that was refused by a limit; nothing for other errors.
void AddRateHeaders(const protocol::Error& error, protocol::Time now, HttpResponse* response);

}  // namespace parley::gateway
