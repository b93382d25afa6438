// What a tenant allows: the settings `limits{}`, as one table of names, defaults, bounds and meanings. From
// it come the checks, the writer and the manual.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "protocol/base/result.h"
#include "protocol/value.h"
#include "protocol/writer.h"

namespace parley::accounts {

// Of every number 0 means that there is no such limit.
struct Limits {
  bool enabled = true;  // false: none of them holds
  int64_t requests_per_second = 20;
  int64_t key_requests_per_second = 1000;
  int64_t requests_per_5_minutes = 900;
  int64_t sends_per_pair_per_minute = 20;
  int64_t sends_per_pair_burst = 40;
  int64_t sends_per_user_per_minute = 60;
  int64_t sends_per_user_per_day = 0;
  int64_t starts_per_hour = 10;
  int64_t starts_per_day = 100;
  int64_t new_user_starts_per_hour = 3;
  int64_t new_user_starts_per_day = 20;
  int64_t messages_per_day = 1000;

  friend bool operator==(const Limits&, const Limits&) = default;
};

struct LimitSpec {
  std::string_view name;
  int64_t Limits::*member;
  std::string_view meaning;
};
inline constexpr int64_t kLimitMax = 1'000'000;  // of each number; the least is 0
std::span<const LimitSpec> LimitSpecs();

// Puts the members of `map` over what *out holds, which is what counts where the map is silent (or null).
// BAD_REQUEST, with every fault in `fields`, for unknown members and bad values; *out is then unchanged.
protocol::Status ReadLimits(const protocol::Value& map, Limits* out);
// All of them, as one map.
void WriteLimits(protocol::Writer& writer, const Limits& limits);

}  // namespace parley::accounts
