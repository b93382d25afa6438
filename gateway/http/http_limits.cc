#include "gateway/http/http_limits.h"

namespace parley::gateway {
namespace {

void Add(int64_t limit, int64_t remaining, int64_t reset_at_ms, HttpResponse* response) {
  response->headers.emplace_back("X-RateLimit-Limit", std::to_string(limit));
  response->headers.emplace_back("X-RateLimit-Remaining", std::to_string(remaining));
  response->headers.emplace_back("X-RateLimit-Reset", std::to_string((reset_at_ms + 999) / 1000));
}

}  // namespace

void AddRateHeaders(const accounts::Verdict& verdict, protocol::Time now, HttpResponse* response) {
  if (verdict.limit > 0) Add(verdict.limit, verdict.remaining, now.ms + verdict.reset_ms, response);
}

void AddRateHeaders(const protocol::Error& error, protocol::Time now, HttpResponse* response) {
  if (error.rate_limit > 0) Add(error.rate_limit, 0, now.ms + error.retry_after_ms.value_or(0), response);
}

}  // namespace parley::gateway
