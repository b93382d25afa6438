// The token of an invitation: "inv_" and 64 hexadecimal digits, stored as its SHA-256 only.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "protocol/base/time.h"

namespace parley::features {

// Random, for a new invitation; made before the decision.
struct InviteSecret {
  std::string invite_id;  // "invite_…", in order of creation
  std::string token;      // shown once
};
InviteSecret NewInviteSecret(protocol::Time now);

// Returns the stored form of a token, or nullopt if the text is no token.
std::optional<std::string> HashOfInviteToken(std::string_view token);

}  // namespace parley::features
