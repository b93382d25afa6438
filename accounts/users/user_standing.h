// A user's standing: whether their credentials are honoured. It is an item of its own, small and read at
// every connect, because users exist as soon as a token or a thread names them, with a record or without.
//
// Tokens that we made and API keys store a count at their creation, and are void if the count has changed, so
// that no clock decides; a token that the tenant signed itself only has the second in which it was issued.
//
// Thread contract: reads on any thread; decisions on the writer's.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "accounts/records/records.h"
#include "protocol/base/ids.h"
#include "protocol/states.h"

namespace parley::accounts {

// A moderator's sanction (features/moderation/sanctions.h), independent of the tenant's back end: it ends by
// itself, or by a moderator.
struct Sanction {
  protocol::UserState state = protocol::UserState::kOk;
  std::optional<protocol::Time> until;  // none: until a moderator ends it
  std::string reason;
  std::string by;  // a userId
  std::optional<protocol::Time> at;

  protocol::UserState StateAt(protocol::Time now) const {
    return until && *until <= now ? protocol::UserState::kOk : state;
  }
};

struct UserStanding {
  std::optional<protocol::Time> void_before;
  int64_t voids = 0;  // how often tokens were made void
  int64_t lives = 0;  // how often the record was deleted
  bool suspended = false;
  std::optional<protocol::Time> suspended_until;  // none: until it is lifted
  std::string suspended_reason;
  std::optional<protocol::Time> deleted_at;
  Sanction sanction;
  std::optional<protocol::Time> strikes_reset_at;  // earlier strikes do not count

  bool IsSuspended(protocol::Time now) const {
    if (sanction.StateAt(now) == protocol::UserState::kSuspended) return true;
    return suspended && (!suspended_until || now < *suspended_until);
  }
  // Whether a token that has only its time of issue is void. A token of the second in which tokens were made
  // void is void, because it may be older.
  bool IsVoid(std::optional<int64_t> iat_s) const {
    return void_before && (!iat_s || *iat_s <= void_before->ms / 1000);
  }
};

// The live sessions that must end, and the reason they get.
struct SessionsToEnd {
  enum class Why : uint8_t {
    kVoid,       // their credential is void
    kChanged,    // so are their rights: the client reconnects with the new ones
    kSuspended,  // the user may not connect
  };
  enum class Whose : uint8_t {
    kAll,     // all of the user's
    kTokens,  // those with a token
    kFamily,  // with a token of the family `id`
    kApiKey,  // with the API key `id`
  };
  protocol::UserId user;
  Why why = Why::kVoid;
  Whose whose = Whose::kAll;
  std::string id = {};
  friend bool operator==(const SessionsToEnd&, const SessionsToEnd&) = default;
};

// Returns the default standing if the user has none.
protocol::Result<UserStanding> FindStanding(const RecordReads& reads, const protocol::UserId& user);
// Adds the write; the decision commits.
void PutStanding(RecordTransaction& tx, const protocol::UserId& user, const UserStanding& standing);
// Sets the counts and times of a void, or of a deletion.
void VoidTokensOf(UserStanding* standing, protocol::Time now);

// FORBIDDEN while they are suspended.
protocol::Status RequireNotSuspended(const UserStanding& standing, protocol::Time now);
// The one reply to a credential that is missing, unknown, revoked or expired.
protocol::Error Unauthenticated();

// Makes every token issued to the user before now void; API keys stay.
protocol::Result<SessionsToEnd> VoidTokens(RecordTransaction& tx, const protocol::UserId& user);

}  // namespace parley::accounts
