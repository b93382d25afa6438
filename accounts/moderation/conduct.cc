#include "accounts/moderation/conduct.h"

namespace parley::accounts {

using protocol::Error;
using protocol::ErrorCode;
using protocol::ModeratedUser;
using protocol::Result;
using protocol::UserId;
using protocol::UserState;

Result<ModeratedUser> ReadConduct(const RecordReads& reads, const UserId& user) {
  PARLEY_TRY(standing, FindStanding(reads, user));
  const Conduct& conduct = standing.conduct;
  ModeratedUser out;
  out.user_id = user;
  out.state = conduct.StateAt(reads.now());
  if (out.state == UserState::kOk) return out;
  out.until = conduct.until;
  out.reason = conduct.reason;
  out.by = UserId::FromText(conduct.by);
  out.at = conduct.at;
  return out;
}

Result<std::optional<SessionsToEnd>> AddConduct(RecordStage& stage, const UserId& user,
                                                const ConductChange& change) {
  if (user == change.by) return Error(ErrorCode::kForbidden, "nobody decides about themselves");
  if (change.until && *change.until <= stage.now()) return Error::BadField("until", "is in the past");
  PARLEY_TRY(standing, FindStanding(stage, user));
  Conduct& conduct = standing.conduct;
  conduct.state = change.state;
  conduct.until = change.until;
  conduct.reason = change.reason;
  conduct.by = change.by.ToText();
  conduct.at = stage.now();
  PutStanding(stage, user, standing);
  if (change.state != UserState::kSuspended) return std::optional<SessionsToEnd>();
  return std::optional(SessionsToEnd{user, SessionsToEnd::Why::kSuspended});
}

protocol::Status AddLadderReset(RecordStage& stage, const UserId& user, const UserId& by) {
  if (user == by) return Error(ErrorCode::kForbidden, "nobody decides about themselves");
  PARLEY_TRY(standing, FindStanding(stage, user));
  standing.ladder_reset_at = stage.now();
  PutStanding(stage, user, standing);
  return protocol::Ok();
}

}  // namespace parley::accounts
