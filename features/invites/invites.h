// Invitations to a resource by e-mail: an owner (or a service) invites an address. The user who presents the
// token and has that address gets the level, in the same atomic step that uses the token up.
//
//   pending -> accepted | revoked | expired        all three final
//
// An invitation depends on the user who made it: it is revoked when they lose the resource or are deleted,
// and cannot be accepted while they are suspended.
//
// There is one pending invitation for each address and resource; an expired one does not block another, and
// stays listed for 30 days. Addresses are trimmed and folded.
//
// Thread contract: records.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "accounts/permissions/permissions.h"
#include "features/invites/invite_token.h"

namespace parley::features {

enum class InviteState : uint8_t { kPending, kAccepted, kRevoked, kExpired };

}  // namespace parley::features

template <>
struct parley::protocol::EnumNames<parley::features::InviteState> {
  static constexpr std::string_view kNames[] = {"pending", "accepted", "revoked", "expired"};
};

namespace parley::features {

struct Invite {
  protocol::Text<64> invite_id;
  protocol::Text<254> email;
  protocol::Text<129> resource;
  accounts::Level level = accounts::Level::kRead;
  InviteState state = InviteState::kPending;
  protocol::Text<80> invited_by;
  protocol::Time created_at, expires_at;
  std::optional<protocol::Time> accepted_at;
  std::optional<protocol::UserId> accepted_by;
  std::optional<protocol::Time> revoked_at;
  static constexpr void Fields(auto& field) {
    using T = Invite;
    field("inviteId", &T::invite_id, "its id");
    field("email", &T::email, "the invited address, in lower case");
    field("resource", &T::resource, "the resource: `tenant`, or `type/id`");
    field("level", &T::level, "the level that accepting gives");
    field("state", &T::state, "all but `pending` are final");
    field("invitedBy", &T::invited_by, "`users/` and a user id, or `service`");
    field("createdAt", &T::created_at, "time of creation");
    field("expiresAt", &T::expires_at, "time until which it can be accepted");
    field("acceptedAt", &T::accepted_at, "time at which it was accepted");
    field("acceptedBy", &T::accepted_by, "the user who accepted it");
    field("revokedAt", &T::revoked_at, "time at which it was revoked");
  }
};

inline constexpr int64_t kInviteSecondsDefault = 604'800;
inline constexpr int64_t kInviteSecondsMax = 7'776'000;  // 90 days

struct NewInvite {
  std::string email;
  accounts::Resource resource;
  accounts::Level level = accounts::Level::kRead;
  int64_t ttl_seconds = kInviteSecondsDefault;  // at least 1
};

struct InvitePage {
  std::vector<Invite> items;
  std::optional<std::string> next;  // the start of the next page; none: this was the last
};
struct InviteAsk {
  std::optional<accounts::Resource> resource = {};  // none: all of the tenant
  size_t limit = 50;
  std::optional<std::string> after = {};  // `next` of the previous page
};

// Newest first. For services and owners of the resource; the whole tenant's for services and its owners.
protocol::Result<InvitePage> ListInvites(const accounts::RecordReads& reads, const accounts::Actor& actor,
                                         const InviteAsk& ask);

// Decisions. FORBIDDEN: the actor is neither a service nor an owner of the resource. ALREADY_EXISTS: the user
// with that address is a member, or an invitation is already pending.
protocol::Result<Invite> CreateInvite(accounts::RecordTransaction& tx, const accounts::Actor& actor,
                                      const NewInvite& request, const InviteSecret& secret);
// A repeat changes nothing. ACTION_INVALID_STATE: it was accepted, or has expired.
protocol::Result<Invite> RevokeInvite(accounts::RecordTransaction& tx, const accounts::Actor& actor,
                                      std::string_view invite_id);
// NOT_FOUND: unknown, used or revoked. FORBIDDEN: the address differs from the one in the user's record.
// ACTION_INVALID_STATE: it has expired.
protocol::Result<accounts::Permission> AcceptInvite(accounts::RecordTransaction& tx,
                                                    const protocol::UserId& user, std::string_view token);

}  // namespace parley::features
