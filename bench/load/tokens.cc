#include "bench/load/tokens.h"

#include <ctime>
#include <fstream>
#include <unordered_set>

#include "accounts/jwt.h"
#include "bench/net/wire_view.h"
#include "protocol/base/encoding.h"

namespace parley::bench {
namespace {

std::optional<std::string> UserOf(const std::string& token) {
  const size_t first = token.find('.'), second = token.find('.', first + 1);
  std::string claims;
  if (first == std::string::npos || second == std::string::npos || token.size() > accounts::kTokenBytesMax ||
      !protocol::FromBase64Url(std::string_view(token).substr(first + 1, second - first - 1), &claims))
    return std::nullopt;
  const auto user = FindText(protocol::Encoding::kJson, claims, "sub");
  return user && !user->empty() ? std::optional(std::string(*user)) : std::nullopt;
}

bool ReadLine(std::istream& in, std::string* line) {
  if (!std::getline(in, *line)) return false;
  while (!line->empty() && (line->back() == '\r' || line->back() == ' ')) line->pop_back();
  return true;
}

}  // namespace

std::optional<std::vector<UserToken>> ReadTokens(const std::string& path, std::string* error) {
  std::ifstream in(path);
  if (!in) {
    *error = path + " cannot be read";
    return std::nullopt;
  }
  std::vector<UserToken> tokens;
  std::unordered_set<std::string> users;
  size_t number = 0;
  for (std::string line; ReadLine(in, &line);) {
    ++number;
    const std::string place = path + ", line " + std::to_string(number) + ": ";
    if (line.empty()) continue;
    const auto user = UserOf(line);
    if (!user) *error = place + "not a token";
    if (user && !users.insert(*user).second) *error = place + *user + " has a token already";
    if (tokens.size() == kTokensMax) *error = path + ": more than " + std::to_string(kTokensMax) + " tokens";
    if (!error->empty()) return std::nullopt;
    tokens.push_back({*user, line});
  }
  return tokens;
}

std::optional<std::string> ReadSecret(const std::string& path, std::string* error) {
  std::ifstream in(path);
  std::string secret;
  if (!in || !ReadLine(in, &secret)) {
    *error = path + " cannot be read";
  } else if (secret.size() < accounts::kHs256SecretBytesMin) {
    *error = path + ": a secret has at least " + std::to_string(accounts::kHs256SecretBytesMin) + " bytes";
  }
  return error->empty() ? std::optional(secret) : std::nullopt;
}

TokenMaker SignTokens(std::string secret, std::string tenant, std::string kid) {
  return [secret = std::move(secret), tenant = std::move(tenant),
          kid = std::move(kid)](const std::string& user) -> std::optional<std::string> {
    accounts::Claims claims;
    claims.sub = user;
    claims.tid = tenant;
    claims.iat_s = std::time(nullptr);
    claims.exp_s = *claims.iat_s + accounts::kTokenLifeSecondsMax;
    return accounts::SignHs256(claims, secret, kid);
  };
}

}  // namespace parley::bench
