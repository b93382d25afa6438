// Reads any bytes as a token, and two texts (split at the first line break) as the header and payload of a
// properly signed one. Reading is bounded and does not crash, at most one signature is checked, and accepted
// claims survive being signed again.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "accounts/jwt.h"
#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace parley::accounts;
  using namespace parley::protocol;
  static const std::string kSecret(kHs256SecretBytesMin, 's');
  static const std::vector<VerifyKey> kKeys = {{JwtAlg::kHs256, kSecret, ""}};
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  static const std::vector<VerifyKey> kMany = {{JwtAlg::kHs256, kSecret, "a"},
                                               {JwtAlg::kHs256, kSecret, "b"},
                                               {JwtAlg::kRs256, kSecret, "c"},
                                               {JwtAlg::kEdDsa, kSecret, ""},
                                               {JwtAlg::kHs256, kSecret, std::string(kOwnKid)}};
  int checks = 0;
  VerifyToken(input, kMany, 0, {},
              [&](const VerifyKey&, std::string_view, std::string_view) { return ++checks % 2 == 0; });
  if (checks > 1) std::abort();
  VerifyToken(input, kKeys, 0);
  UnverifiedTenant(input);

  const size_t split = std::min(input.find('\n'), input.size());
  std::string token =
      Base64Url(input.substr(0, split)) + "." + Base64Url(input.substr(std::min(split + 1, input.size())));
  token += "." + Base64Url(HmacSha256(kSecret, token));
  const auto verified = VerifyToken(token, kKeys, 0, TokenRules{false});
  const auto* claims = std::get_if<Claims>(&verified);
  if (claims == nullptr) return 0;
  if (UnverifiedTenant(token) != claims->tid) std::abort();
  const auto again = VerifyToken(SignHs256(*claims, kSecret), kKeys, 0, TokenRules{false});
  if (!std::holds_alternative<Claims>(again) || std::get<Claims>(again) != *claims) std::abort();
  return 0;
}
