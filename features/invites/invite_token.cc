#include "features/invites/invite_token.h"

#include <algorithm>

#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"
#include "protocol/base/ids.h"

namespace parley::features {
namespace {

constexpr std::string_view kInviteIdPrefix = "invite_", kTokenPrefix = "inv_";
constexpr size_t kTokenBytes = 32;
constexpr std::string_view kDigits = "0123456789abcdef";

}  // namespace

InviteSecret NewInviteSecret(protocol::Time now) {
  const std::string id = protocol::NewSecureIdSource()->Make(now).ToText();
  return {std::string(kInviteIdPrefix) + id,
          std::string(kTokenPrefix) + protocol::Hex(protocol::RandomBytes(kTokenBytes))};
}

std::optional<std::string> HashOfInviteToken(std::string_view token) {
  if (!token.starts_with(kTokenPrefix)) return std::nullopt;
  const std::string_view digits = token.substr(kTokenPrefix.size());
  const bool are_digits = std::all_of(digits.begin(), digits.end(),
                                      [](char c) { return kDigits.find(c) != std::string_view::npos; });
  if (digits.size() != 2 * kTokenBytes || !are_digits) return std::nullopt;
  return protocol::Hex(protocol::Sha256(token));
}

}  // namespace parley::features
