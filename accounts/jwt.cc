#include "accounts/jwt.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"
#include "protocol/base/ids.h"

namespace parley::accounts {
namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 3> kScopes = {"", "read", "full"};
constexpr std::array<std::string_view, 5> kRoles = {"member", "admin", "support", "moderator", "bot"};

// Rejects faults that a parsed tree no longer shows: excessive depth, and duplicate keys, for which parsers
// differ in which one counts (RFC 8725 §2.4).
class Strictness : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return Value(); }
  bool boolean(bool) override { return Value(); }
  bool number_integer(number_integer_t) override { return Value(); }
  bool number_unsigned(number_unsigned_t) override { return Value(); }
  bool number_float(number_float_t, const string_t&) override { return Value(); }
  bool string(string_t&) override { return Value(); }
  bool binary(binary_t&) override { return false; }
  bool start_object(size_t) override { return Open(); }
  bool end_object() override { return Close(); }
  bool start_array(size_t) override { return Value() && Open(); }
  bool end_array() override { return Close(); }
  bool key(string_t& name) override { return keys_.back().insert(name).second; }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

 private:
  // Only an object may be outside of every object and array.
  [[nodiscard]] bool Value() const { return !keys_.empty(); }
  bool Open() {
    keys_.emplace_back();
    return keys_.size() <= kTokenJsonDepthMax;
  }
  bool Close() {
    keys_.pop_back();
    return true;
  }

  std::vector<std::set<std::string>> keys_;  // one set for each open object; an array's stays empty
};

std::optional<Json> ParseObject(std::string_view part) {
  std::string text;
  if (!protocol::FromBase64Url(part, &text)) return std::nullopt;
  Strictness strictness;
  if (!Json::sax_parse(text, &strictness)) return std::nullopt;
  return Json::parse(text, nullptr, false);
}

struct Parts {
  std::string_view header;
  std::string_view payload;
  std::string_view signature;
  std::string_view signed_input;  // header and payload as sent
};

std::optional<Parts> Split(std::string_view token) {
  if (token.size() > kTokenBytesMax) return std::nullopt;
  const size_t first = token.find('.');
  const size_t second = first == std::string_view::npos ? first : token.find('.', first + 1);
  if (second == std::string_view::npos || token.find('.', second + 1) != std::string_view::npos)
    return std::nullopt;
  return Parts{token.substr(0, first), token.substr(first + 1, second - first - 1), token.substr(second + 1),
               token.substr(0, second)};
}

// Each reader leaves `out` unchanged if the claim is missing, and returns false if it is present but wrong.
bool ReadString(const Json& object, const char* name, std::string* out) {
  const auto found = object.find(name);
  if (found == object.end()) return true;
  if (!found->is_string() || found->get_ref<const std::string&>().size() > kTokenStringBytesMax) return false;
  *out = found->get<std::string>();
  return true;
}

// Whole seconds, within a range in which every computation with times is safe.
bool ReadTime(const Json& object, const char* name, std::optional<int64_t>* out) {
  static constexpr int64_t kTimeMax = int64_t{1} << 53;
  const auto found = object.find(name);
  if (found == object.end()) return true;
  if (!found->is_number_unsigned() || found->get<uint64_t>() > kTimeMax) return false;
  *out = found->get<int64_t>();
  return true;
}

bool ReadAttr(const Json& value, AttrValue* out) {
  if (value.is_boolean()) {
    *out = value.get<bool>();
  } else if (value.is_number_unsigned() ? value.get<uint64_t>() <= INT64_MAX : value.is_number_integer()) {
    *out = value.get<int64_t>();
  } else if (value.is_string() && value.get_ref<const std::string&>().size() <= kTokenStringBytesMax) {
    *out = value.get<std::string>();
  } else {
    return false;
  }
  return true;
}

bool ReadAttrs(const Json& object, std::map<std::string, AttrValue>* out) {
  const auto found = object.find("attrs");
  if (found == object.end()) return true;
  if (!found->is_object() || found->size() > kTokenAttrsMax) return false;
  for (const auto& [name, value] : found->items()) {
    if (!protocol::IsTenantChosenId(name) || !ReadAttr(value, &(*out)[name])) return false;
  }
  return true;
}

bool NamesUs(const Json& payload) {
  const auto found = payload.find("aud");
  if (found == payload.end() || *found == kTokenAudience) return true;
  return found->is_array() && std::find(found->begin(), found->end(), kTokenAudience) != found->end();
}

std::optional<Claims> ReadClaims(const Json& payload) {
  Claims claims;
  std::optional<int64_t> exp_s;
  const bool typed = ReadString(payload, "sub", &claims.sub) && ReadString(payload, "tid", &claims.tid) &&
                     ReadString(payload, "role", &claims.role) &&
                     ReadString(payload, "scope", &claims.scope) && ReadString(payload, "sid", &claims.sid) &&
                     ReadTime(payload, "exp", &exp_s) && ReadTime(payload, "iat", &claims.iat_s) &&
                     ReadTime(payload, "nbf", &claims.nbf_s) && ReadAttrs(payload, &claims.attrs);
  if (!typed || !exp_s || !protocol::IsTenantChosenId(claims.sub) ||
      !protocol::IsTenantChosenId(claims.tid) || !NamesUs(payload))
    return std::nullopt;
  if (std::find(kRoles.begin(), kRoles.end(), claims.role) == kRoles.end()) return std::nullopt;
  if (!IsKnownScope(claims.scope)) return std::nullopt;
  if (payload.contains("sid") && !protocol::IsTenantChosenId(claims.sid)) return std::nullopt;
  claims.exp_s = *exp_s;
  return claims;
}

// The only one of `keys` for which `fits` is true; nullptr if none or several are.
template <class Fits>
const VerifyKey* OnlyKey(std::span<const VerifyKey> keys, Fits fits) {
  const auto first = std::find_if(keys.begin(), keys.end(), fits);
  if (first == keys.end() || std::find_if(first + 1, keys.end(), fits) != keys.end()) return nullptr;
  return &*first;
}

bool IsOf(const VerifyKey& key, const Json& header) {
  const auto alg = header.find("alg");
  return alg != header.end() && *alg == JwtAlgName(key.alg);
}

const VerifyKey* KeyFor(const Json& header, std::span<const VerifyKey> keys) {
  const auto kid = header.find("kid");
  if (kid != header.end()) {
    const auto named = [&](const VerifyKey& key) {
      return IsOf(key, header) && !key.kid.empty() && *kid == key.kid;
    };
    if (const VerifyKey* key = OnlyKey(keys, named)) return key;
    return OnlyKey(keys, [&](const VerifyKey& key) { return IsOf(key, header) && key.kid.empty(); });
  }
  const auto is_own = [](const VerifyKey& key) { return key.kid == kOwnKid; };
  const auto by_back_end = [&](const VerifyKey& key) { return IsOf(key, header) && !is_own(key); };
  if (std::any_of(keys.begin(), keys.end(), by_back_end)) return OnlyKey(keys, by_back_end);
  return OnlyKey(keys, [&](const VerifyKey& key) { return IsOf(key, header); });
}

std::optional<TokenFault> FindSignatureFault(const Parts& parts, const Json& header,
                                             std::string_view signature, std::span<const VerifyKey> keys,
                                             const SignatureCheck& check, std::string* signer) {
  const VerifyKey* key = KeyFor(header, keys);
  if (key && check(*key, parts.signed_input, signature)) {
    *signer = key->kid;
    return std::nullopt;
  }
  const bool known =
      std::any_of(keys.begin(), keys.end(), [&](const VerifyKey& one) { return IsOf(one, header); });
  return known ? TokenFault::kBadSignature : TokenFault::kWrongAlgorithm;
}

// Times are at most 2^53, so none of this overflows.
std::optional<TokenFault> FindTimeFault(const Claims& claims, int64_t now_s, TokenRules rules) {
  if (rules.bounded_life && (!claims.iat_s || claims.exp_s - *claims.iat_s > kTokenLifeSecondsMax))
    return TokenFault::kTooLong;
  const int64_t ahead_s = now_s + kTokenSkewSeconds;
  if (claims.nbf_s.value_or(0) > ahead_s || claims.iat_s.value_or(0) > ahead_s)
    return TokenFault::kNotYetValid;
  if (now_s >= claims.exp_s) return TokenFault::kExpired;
  return std::nullopt;
}

}  // namespace

bool IsKnownScope(std::string_view scope) {
  return std::find(kScopes.begin(), kScopes.end(), scope) != kScopes.end();
}

const VerifyKey* KeyOf(std::string_view token, std::span<const VerifyKey> keys) {
  const std::optional<Parts> parts = Split(token);
  const std::optional<Json> header = parts ? ParseObject(parts->header) : std::nullopt;
  return header ? KeyFor(*header, keys) : nullptr;
}

std::variant<Claims, TokenFault> VerifyToken(std::string_view token, std::span<const VerifyKey> keys,
                                             int64_t now_s, TokenRules rules, const SignatureCheck& check) {
  const std::optional<Parts> parts = Split(token);
  if (!parts) return TokenFault::kMalformed;
  const std::optional<Json> header = ParseObject(parts->header);
  const std::optional<Json> payload = ParseObject(parts->payload);
  std::string signature;
  const bool encoded = protocol::FromBase64Url(parts->signature, &signature);
  // Rejects `crit`, because we understand no extension, and `b64`, because it changes the signed bytes.
  if (!header || !payload || !encoded || header->contains("crit") || header->contains("b64")) {
    return TokenFault::kMalformed;
  }
  std::string signer;
  if (const auto fault = FindSignatureFault(*parts, *header, signature, keys, check, &signer)) return *fault;
  std::optional<Claims> claims = ReadClaims(*payload);
  if (!claims) return TokenFault::kBadClaim;
  claims->kid = std::move(signer);
  if (const auto fault = FindTimeFault(*claims, now_s, rules)) return *fault;
  return *std::move(claims);
}

std::optional<std::string> UnverifiedTenant(std::string_view token) {
  const std::optional<Parts> parts = Split(token);
  if (!parts) return std::nullopt;
  const std::optional<Json> payload = ParseObject(parts->payload);
  std::string tid;
  if (!payload || !ReadString(*payload, "tid", &tid) || !protocol::IsTenantChosenId(tid)) return std::nullopt;
  return tid;
}

std::string SignHs256(const Claims& claims, std::string_view secret, std::string_view kid) {
  assert(secret.size() >= kHs256SecretBytesMin);
  Json header = {{"alg", JwtAlgName(JwtAlg::kHs256)}, {"typ", "JWT"}};
  if (!kid.empty()) header["kid"] = kid;
  Json payload = {{"sub", claims.sub},
                  {"tid", claims.tid},
                  {"role", claims.role},
                  {"exp", claims.exp_s},
                  {"aud", kTokenAudience}};
  if (claims.iat_s) payload["iat"] = *claims.iat_s;
  if (claims.nbf_s) payload["nbf"] = *claims.nbf_s;
  if (!claims.scope.empty()) payload["scope"] = claims.scope;
  if (!claims.sid.empty()) payload["sid"] = claims.sid;
  for (const auto& [name, attr] : claims.attrs) {
    std::visit([&, &key = name](const auto& value) { payload["attrs"][key] = value; }, attr);
  }
  const std::string input = protocol::Base64Url(header.dump()) + "." + protocol::Base64Url(payload.dump());
  return input + "." + protocol::Base64Url(protocol::HmacSha256(secret, input));
}

std::string_view Describe(TokenFault fault) {
  switch (fault) {
    case TokenFault::kMalformed:
      return "not a well-formed token";
    case TokenFault::kWrongAlgorithm:
      return "the token's algorithm is not one of the tenant's keys";
    case TokenFault::kBadSignature:
      return "no key of the tenant made the token's signature";
    case TokenFault::kBadClaim:
      return "a claim of the token is missing or not allowed";
    case TokenFault::kTooLong:
      return "the token does not say when it was issued, or lives longer than a day";
    case TokenFault::kNotYetValid:
      return "the token is not valid yet";
    case TokenFault::kExpired:
      return "the token has expired";
  }
  return "";
}

}  // namespace parley::accounts
