// The traits of each kind of thread, in one table.
#pragma once

#include <optional>

#include "protocol/items.h"

namespace parley::threads {

using protocol::UserId;

struct KindTraits {
  bool sides;  // has a buyer and a seller; otherwise all members join as `member`
  bool panel;  // has cards, tabs and a meeting
  bool fixed;  // members can neither join nor leave
};
inline constexpr KindTraits kKindTraits[] = {
    {.sides = true, .panel = false, .fixed = false},   // inquiry
    {.sides = true, .panel = true, .fixed = false},    // project
    {.sides = false, .panel = false, .fixed = true},   // direct
    {.sides = false, .panel = false, .fixed = false},  // group
};
static_assert(std::size(kKindTraits) == std::size(protocol::EnumNames<protocol::ThreadKind>::kNames));

constexpr const KindTraits& TraitsOf(protocol::ThreadKind kind) {
  return kKindTraits[static_cast<size_t>(kind)];
}

// Whether a member of such a thread may join in this role.
constexpr bool IsRoleOf(protocol::ThreadKind kind, protocol::RoleContext role) {
  return TraitsOf(kind).sides ||
         (role != protocol::RoleContext::kBuyer && role != protocol::RoleContext::kSeller);
}
constexpr protocol::RoleContext DefaultRoleOf(protocol::ThreadKind kind) {
  return TraitsOf(kind).sides ? protocol::RoleContext::kBuyer : protocol::RoleContext::kMember;
}

// The two parties of a thread: buyer and seller, or the two members of a direct thread. Groups have none.
struct Parties {
  UserId one, other;
};
inline std::optional<Parties> PartiesOf(const protocol::Thread& thread) {
  if (thread.buyer_user_id && thread.seller_user_id)
    return Parties{*thread.buyer_user_id, *thread.seller_user_id};
  const auto& members = thread.participants.items;
  if (thread.kind != protocol::ThreadKind::kDirect || members.size() != 2) return std::nullopt;
  return Parties{members.front(), members.back()};
}

}  // namespace parley::threads
