// Counts the rejections by each kind of limit.
#pragma once

#include <array>
#include <string_view>

#include "protocol/base/error.h"
#include "protocol/base/metrics.h"

namespace parley::accounts {

enum class LimitKind : uint8_t {
  kSession,   // requests of one session
  kUser,      // requests of a user, or of one of their API keys
  kKey,       // requests of a tenant key
  kTenant,    // requests of a whole tenant
  kAddress,   // failed credentials from one address
  kPair,      // messages to one other user
  kSends,     // messages of a user
  kSendsDay,  // the same in 24 hours
  kBotsDay,   // messages of a tenant's bots in 24 hours
  kStarts,    // threads created, strangers added
};
inline constexpr std::string_view kLimitNames[] = {"session", "user",  "key",       "tenant",   "address",
                                                   "pair",    "sends", "sends_day", "bots_day", "starts"};
inline constexpr size_t kLimitKinds = std::size(kLimitNames);

// Thread-safe. A copy counts into the same metrics.
class LimitProbe {
 public:
  explicit LimitProbe(protocol::Metrics& metrics) {
    for (size_t i = 0; i < kLimitKinds; ++i)
      refused_[i] =
          metrics.AddCounter("parley_rate_limited_total", "Requests refused for a limit, by its kind",
                             {{"limit", std::string(kLimitNames[i])}});
  }
  void Refused(LimitKind kind) { refused_[static_cast<size_t>(kind)].Add(); }

 private:
  std::array<protocol::Counter, kLimitKinds> refused_;
};

}  // namespace parley::accounts
