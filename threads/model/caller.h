// Who is asking, as established from the credential.
#pragma once

#include <optional>

#include "protocol/base/ids.h"
#include "protocol/schema.h"

namespace parley::threads {

enum class Role : uint8_t { kMember, kAdmin, kSupport, kModerator, kBot, kService };

struct Caller {
  protocol::TenantId tenant;
  std::optional<protocol::UserId> user;  // none: a service that does not act as a user
  Role role = Role::kMember;
  bool by_case = false;  // staff that may look only into threads with an open case
  bool masked = false;   // by a case that was not escalated: what they need not see is hidden (mask.h)
  bool mature = false;   // an adult who asked to see mature pictures
  // What their token says of them (attrs): for those who ask who writes to them first.
  bool verified = false, trusted = false;
  int64_t age = 0;  // in years, at least; 0: it does not say

  bool is_staff() const { return role == Role::kAdmin || role == Role::kSupport || role == Role::kModerator; }
  // A holder of a tenant key, acting as a user or not.
  bool is_service() const { return role == Role::kService; }
  // Passes the membership check of every thread of the tenant, for reads and staff ops.
  bool sees_all() const { return (is_staff() && !by_case) || (is_service() && !user); }
};

}  // namespace parley::threads

template <>
struct parley::protocol::EnumNames<parley::threads::Role> {
  static constexpr std::string_view kNames[] = {"member", "admin", "support", "moderator", "bot", "service"};
};
