// States that ops, rows and rules share: a moderator's sanction on a user, and whether a project's booking is
// live.
#pragma once

#include <cstdint>
#include <string_view>

#include "protocol/field_types.h"

namespace parley::protocol {

// A shadowed user's messages reach nobody else; a muted user cannot write; a suspended user cannot connect.
// Only staff see a warning.
enum class UserState : uint8_t { kOk, kWarned, kShadow, kMuted, kSuspended };
template <>
struct EnumNames<UserState> {
  static constexpr std::string_view kNames[] = {"ok", "warned", "shadow", "muted", "suspended"};
};

enum class BookingState : uint8_t { kLive, kClosed };
template <>
struct EnumNames<BookingState> {
  static constexpr std::string_view kNames[] = {"live", "closed"};
};

}  // namespace parley::protocol
