// The traits of each kind of thread, in one table.
#pragma once

#include <cstdint>
#include <iterator>
#include <optional>

#include "protocol/items.h"

namespace parley::threads {

using protocol::UserId;

// When a block between the two parties of a thread applies there.
enum class BlocksHold : uint8_t { kNever, kUnlessBooked, kAlways };

struct KindTraits {
  bool sides;        // has a buyer and a seller; otherwise all members join as `member`
  bool panel;        // has cards, tabs and a meeting
  bool fixed;        // members can neither join nor leave
  bool pair;         // has exactly two members; a pair has at most one
  bool per_role;     // a buyer and a seller have at most one for each role, until it becomes a project
  bool bookable;     // made by a service and bound to a booking, unless a user makes it
  bool owned;        // never without an owner while it has members
  bool asks_others;  // strangers beyond the two parties receive a request before they join
  BlocksHold blocks_hold;
};
inline constexpr KindTraits kKindTraits[] = {
    {// inquiry
     .sides = true,
     .panel = false,
     .fixed = false,
     .pair = false,
     .per_role = true,
     .bookable = false,
     .owned = false,
     .asks_others = true,
     .blocks_hold = BlocksHold::kAlways},
    {// project
     .sides = true,
     .panel = true,
     .fixed = false,
     .pair = false,
     .per_role = false,
     .bookable = true,
     .owned = false,
     .asks_others = false,
     .blocks_hold = BlocksHold::kUnlessBooked},
    {// direct
     .sides = false,
     .panel = false,
     .fixed = true,
     .pair = true,
     .per_role = false,
     .bookable = false,
     .owned = false,
     .asks_others = false,
     .blocks_hold = BlocksHold::kAlways},
    {// group
     .sides = false,
     .panel = false,
     .fixed = false,
     .pair = false,
     .per_role = false,
     .bookable = false,
     .owned = true,
     .asks_others = true,
     .blocks_hold = BlocksHold::kNever},
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
  if (!TraitsOf(thread.kind).pair || members.size() != 2) return std::nullopt;
  return Parties{members.front(), members.back()};
}

}  // namespace parley::threads
