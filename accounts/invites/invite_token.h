// What an invited person shows: "inv_" and 64 hexadecimal digits, kept as their SHA-256 only.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "protocol/base/time.h"

namespace parley::accounts {

// Made anew for each invitation, by chance, before it is decided.
struct InviteSecret {
  std::string invite_id;  // "invite_…", in order of the times at which they were made
  std::string token;      // shown once
};
InviteSecret NewInviteSecret(protocol::Time now);

// What is kept of a token; nullopt: it has another form.
std::optional<std::string> HashOfInviteToken(std::string_view token);

}  // namespace parley::accounts
