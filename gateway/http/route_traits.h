// The traits that most routes of accounts have.
#pragma once

#include "gateway/http/route.h"

namespace parley::gateway {

// A suspended tenant may still look, and one that is not active yet may be administered.
inline constexpr HttpRoute::Traits kLooks{.looks = true}, kAdministers{.administers = true};
// The answer holds a secret.
inline constexpr HttpRoute::Traits kSecretly{.administers = true, .secret = true};

}  // namespace parley::gateway
