// A user's standing: whether what they present is honoured. It is an item of its own, small and read at every
// connect, since users exist where a token or a thread names them, with a record or without.
//
// What is void is told by counts where it remembers one (tokens that we made, API keys), so that no clock
// decides; a token that the tenant signed itself remembers only the second in which it was issued.
//
// Thread contract: reads on any thread; decisions on the writer's.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "accounts/records/records.h"
#include "protocol/base/ids.h"
#include "protocol/ops/blocks.h"

namespace parley::accounts {

inline constexpr size_t kSuspensionReasonBytesMax = 200;

// What moderators decided about a user (accounts/moderation/conduct.h), apart from what their tenant's back
// end says: each ends by itself, or by whoever decided it.
struct Conduct {
  protocol::UserState state = protocol::UserState::kOk;
  std::optional<protocol::Time> until;  // none: until somebody ends it
  std::string reason;
  std::string by;  // a userId
  std::optional<protocol::Time> at;

  protocol::UserState StateAt(protocol::Time now) const {
    return until && *until <= now ? protocol::UserState::kOk : state;
  }
};

struct Standing {
  std::optional<protocol::Time> void_before;
  int64_t voids = 0;  // how often tokens were made void
  int64_t lives = 0;  // how often the record was deleted
  bool suspended = false;
  std::optional<protocol::Time> suspended_until;  // none: until somebody ends it
  std::string suspended_reason;
  std::optional<protocol::Time> deleted_at;
  Conduct conduct;
  std::optional<protocol::Time> ladder_reset_at;  // what the text policy found before counts no more

  bool IsSuspended(protocol::Time now) const {
    if (conduct.StateAt(now) == protocol::UserState::kSuspended) return true;
    return suspended && (!suspended_until || now < *suspended_until);
  }
  // Whether a token that says no more than when it was issued is void. The second in which tokens were made
  // void counts as before: a token of that second may be older.
  bool IsVoid(std::optional<int64_t> iat_s) const {
    return void_before && (!iat_s || *iat_s <= void_before->ms / 1000);
  }
};

// Which live sessions have to end, and what they are told.
struct SessionsToEnd {
  enum class Why : uint8_t {
    kVoid,       // what they came in with is void
    kChanged,    // so is what they may do: they come in again, and it holds
    kSuspended,  // they may not come in
  };
  enum class Whose : uint8_t {
    kAll,     // of the user
    kTokens,  // those that came with a token
    kFamily,  // with a token of the family `id`
    kApiKey,  // with the API key `id`
  };
  protocol::UserId user;
  Why why = Why::kVoid;
  Whose whose = Whose::kAll;
  std::string id = {};
  friend bool operator==(const SessionsToEnd&, const SessionsToEnd&) = default;
};

// Of a user who has none: that of everybody.
protocol::Result<Standing> FindStanding(const RecordReads& reads, const protocol::UserId& user);
// Adds the write; the decision commits.
void PutStanding(RecordStage& stage, const protocol::UserId& user, const Standing& standing);
// The same with the counts and times of a void, or of a deletion.
void VoidTokensOf(Standing* standing, protocol::Time now);

// FORBIDDEN while they are suspended.
protocol::Status RequireNotSuspended(const Standing& standing, protocol::Time now);
// The one answer to a credential that is missing, unknown, revoked or expired.
protocol::Error Unauthenticated();

// Every token issued to the user before now is void; API keys stay.
protocol::Result<SessionsToEnd> VoidTokens(RecordStage& stage, const protocol::UserId& user);
struct Suspension {
  std::optional<protocol::Time> until;
  std::string reason;
};
protocol::Result<SessionsToEnd> SuspendUser(RecordStage& stage, const protocol::UserId& user,
                                            const Suspension& suspension);
protocol::Status ReinstateUser(RecordStage& stage, const protocol::UserId& user);

}  // namespace parley::accounts
