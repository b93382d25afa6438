// Users of a server without a tenant `demo`: their tokens come from a file, or are signed here with a key of
// the tenant.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace parley::bench {

struct UserToken {
  std::string user;  // the token's `sub`, which only the server verifies
  std::string token;
};
inline constexpr size_t kTokensMax = 200'000;
// One token per line, each for another user. Returns nullopt, with a message in `error`, for any other
// line.
std::optional<std::vector<UserToken>> ReadTokens(const std::string& path, std::string* error);

// Reads the first line of a file with an HS256 secret.
std::optional<std::string> ReadSecret(const std::string& path, std::string* error);

// Makes tokens that are valid for a day. REQUIRES: a secret from ReadSecret.
using TokenMaker = std::function<std::optional<std::string>(const std::string& user)>;
TokenMaker SignTokens(std::string secret, std::string tenant, std::string kid);

}  // namespace parley::bench
