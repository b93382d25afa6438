// Defines the traits that most administration routes have.
#pragma once

#include "gateway/http/route.h"

namespace parley::gateway {

// kLooks: callable while the tenant is suspended. kAdministers: callable before the tenant is active.
inline constexpr HttpRoute::Traits kLooks{.looks = true}, kAdministers{.administers = true};
inline constexpr HttpRoute::Traits kSecretly{.administers = true, .secret = true};

}  // namespace parley::gateway
