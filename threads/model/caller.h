// The caller of an op, as established from the credential.
#pragma once

#include <optional>

#include "protocol/base/ids.h"
#include "protocol/schema.h"

namespace parley::threads {

enum class Role : uint8_t { kMember, kAdmin, kSupport, kModerator, kBot, kService };

struct Caller {
  protocol::TenantId tenant;
  std::optional<protocol::UserId> user;  // null: a service that does not act as a user
  Role role = Role::kMember;
  bool by_case = false;  // staff who may look only into threads with an open case
  bool masked = false;  // let in by a case that was not escalated: contact data and codes are masked (mask.h)
  bool mature = false;  // an adult who switched Safe-Mode off
  // Claims of the token (attrs), for users who filter first messages by their senders.
  bool verified = false, trusted = false;
  int64_t age = 0;  // in years, at least; 0: unknown

  bool is_staff() const { return role == Role::kAdmin || role == Role::kSupport || role == Role::kModerator; }
  // The caller has a tenant key, and may act as a user.
  bool is_service() const { return role == Role::kService; }
  // Passes the membership check of every thread of the tenant, for reads and staff ops.
  bool sees_all() const { return (is_staff() && !by_case) || (is_service() && !user); }
};

}  // namespace parley::threads

template <>
struct parley::protocol::EnumNames<parley::threads::Role> {
  static constexpr std::string_view kNames[] = {"member", "admin", "support", "moderator", "bot", "service"};
};
