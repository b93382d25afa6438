#include "accounts/jwt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"
#include "tests/accounts/key_pair.h"
#include "tests/accounts/token_text.h"

namespace parley::accounts {

void PrintTo(TokenFault fault, std::ostream* out) {
  *out << Describe(fault);
}
void PrintTo(const Claims& claims, std::ostream* out) {
  *out << "claims of " << claims.sub;
}

namespace {

using ::testing::VariantWith;

constexpr int64_t kTokenNow = 1'800'000'000;
const std::string kSecret = "0123456789abcdef0123456789abcdef";
const std::vector<VerifyKey> kKeys = {{JwtAlg::kHs256, kSecret, ""}};

constexpr std::string_view kPayload = R"({"sub":"usr_1","tid":"demo","exp":1800000060})";
constexpr std::string_view kHeader = R"({"alg":"HS256","typ":"JWT"})";

Claims SomeClaims() {
  Claims claims;
  claims.sub = "usr_1";
  claims.tid = "demo";
  claims.exp_s = kTokenNow + 60;
  return claims;
}

// A correctly signed token with exactly these texts.
std::string Sign(std::string_view header, std::string_view payload, std::string_view secret = kSecret) {
  const std::string input = protocol::Base64Url(header) + "." + protocol::Base64Url(payload);
  return input + "." + protocol::Base64Url(protocol::HmacSha256(secret, input));
}

// For tests that are not about the lifetime of tokens.
constexpr TokenRules kAnyLife{false};
auto Verify(std::string_view token, int64_t now_s = kTokenNow) {
  return VerifyToken(token, kKeys, now_s, kAnyLife);
}

TEST(JwtTest, a_signed_token_returns_its_claims) {
  Claims claims = SomeClaims();
  claims.role = "moderator";
  claims.iat_s = kTokenNow - 5;
  claims.nbf_s = kTokenNow;
  claims.scope = "read";
  claims.sid = "0195-family";
  claims.attrs = {{"adult", true}, {"level", int64_t{-3}}, {"country", std::string("DE")}};
  EXPECT_THAT(Verify(SignHs256(claims, kSecret)), VariantWith<Claims>(claims));
  EXPECT_THAT(Verify(SignHs256(SomeClaims(), kSecret, "some-key")), VariantWith<Claims>(SomeClaims()));
  EXPECT_THAT(Verify(Sign(kHeader, kPayload)), VariantWith<Claims>(SomeClaims()));
}

TEST(JwtTest, each_algorithm_verifies_with_its_own_key) {
  for (const JwtAlg alg : {JwtAlg::kEdDsa, JwtAlg::kRs256}) {
    const KeyPair pair(alg);
    const std::string header = R"({"alg":")" + std::string(JwtAlgName(alg)) + R"("})";
    const std::vector<VerifyKey> keys = {pair.Key()};
    EXPECT_TRUE(IsUsable(keys[0]));
    EXPECT_THAT(VerifyToken(pair.Token(header), keys, kTokenNow, kAnyLife),
                VariantWith<Claims>(SomeClaims()));
    EXPECT_THAT(VerifyToken(KeyPair(alg).Token(header), keys, kTokenNow), IsFault(TokenFault::kBadSignature));
  }
}

TEST(JwtTest, the_header_chooses_neither_algorithm_nor_key) {
  const KeyPair rsa(JwtAlg::kRs256);
  const std::vector<VerifyKey> keys = {rsa.Key()};
  // The classic confusion: the public key used as an HMAC secret.
  EXPECT_THAT(VerifyToken(Sign(kHeader, kPayload, rsa.PublicPem()), keys, kTokenNow),
              IsFault(TokenFault::kWrongAlgorithm));
  EXPECT_THAT(VerifyToken(Sign(R"({"alg":"RS256"})", kPayload, rsa.PublicPem()), keys, kTokenNow),
              IsFault(TokenFault::kBadSignature));
  // The same with the header of each other algorithm and every kind of key.
  const KeyPair ed(JwtAlg::kEdDsa);
  const std::vector<VerifyKey> ed_keys = {ed.Key()};
  EXPECT_THAT(VerifyToken(Sign(kHeader, kPayload, ed.PublicPem()), ed_keys, kTokenNow),
              IsFault(TokenFault::kWrongAlgorithm));
  EXPECT_THAT(VerifyToken(Sign(R"({"alg":"EdDSA"})", kPayload, ed.PublicPem()), ed_keys, kTokenNow),
              IsFault(TokenFault::kBadSignature));
  const std::vector<VerifyKey> both = {rsa.Key("a"), ed.Key("b"), {JwtAlg::kHs256, kSecret, "c"}};
  EXPECT_THAT(VerifyToken(Sign(kHeader, kPayload, rsa.PublicPem()), both, kTokenNow),
              IsFault(TokenFault::kBadSignature));
  EXPECT_THAT(VerifyToken(rsa.Token(R"({"alg":"RS256","kid":"b"})"), both, kTokenNow),
              IsFault(TokenFault::kBadSignature));
  EXPECT_THAT(VerifyToken(ed.Token(R"({"alg":"RS256","kid":"b"})"), both, kTokenNow),
              IsFault(TokenFault::kBadSignature));
  const std::string jwk =
      R"({"alg":"HS256","jwk":{"kty":"oct","k":"AAAA"},"jku":"https://evil.example","x5u":"y"})";
  EXPECT_THAT(Verify(Sign(jwk, kPayload, std::string(32, '\0'))), IsFault(TokenFault::kBadSignature));
}

TEST(JwtTest, none_and_unknown_algorithms_are_refused) {
  for (const std::string_view header : {R"({"alg":"none"})", R"({"alg":"None"})", R"({"alg":""})", R"({})",
                                        R"({"typ":"JWT"})", R"({"alg":"HS512"})", R"({"alg":"hs256"})",
                                        R"({"alg":"ES256"})", R"({"alg":["HS256"]})", R"({"alg":null})"}) {
    EXPECT_THAT(Verify(Sign(header, kPayload)), IsFault(TokenFault::kWrongAlgorithm)) << header;
    const std::string unsigned_token =
        protocol::Base64Url(header) + "." + protocol::Base64Url(kPayload) + ".";
    EXPECT_THAT(Verify(unsigned_token), IsFault(TokenFault::kWrongAlgorithm)) << header;
  }
  EXPECT_THAT(VerifyToken(Sign(kHeader, kPayload), {}, kTokenNow), IsFault(TokenFault::kWrongAlgorithm));
}

TEST(JwtTest, any_changed_character_is_refused) {
  const std::string token = SignHs256(SomeClaims(), kSecret);
  for (size_t i = 0; i < token.size(); i++) {
    for (const char c : {'A', 'B', '.', '=', '-'}) {
      std::string changed = token;
      if (changed[i] == c) continue;
      changed[i] = c;
      EXPECT_TRUE(std::holds_alternative<TokenFault>(Verify(changed))) << i << c;
    }
  }
  for (size_t size = 0; size < token.size(); size++) {
    EXPECT_TRUE(std::holds_alternative<TokenFault>(Verify(token.substr(0, size)))) << size;
  }
  EXPECT_THAT(Verify(Sign(kHeader, kPayload, std::string(32, 'x'))), IsFault(TokenFault::kBadSignature));
  EXPECT_THAT(Verify(protocol::Base64Url(kHeader) + "." + protocol::Base64Url(kPayload) + "."),
              IsFault(TokenFault::kBadSignature));
}

TEST(JwtTest, several_keys_of_a_tenant_are_selected_by_kid) {
  const std::string old_secret(32, 'o');
  const KeyPair pair(JwtAlg::kEdDsa);
  const std::vector<VerifyKey> keys = {
      {JwtAlg::kHs256, old_secret, "old"}, {JwtAlg::kHs256, kSecret, "new"}, pair.Key("public")};
  const auto verify = [&](std::string_view kid, std::string_view secret) {
    return VerifyToken(SignHs256(SomeClaims(), secret, kid), keys, kTokenNow, kAnyLife);
  };
  const auto signed_by = [](const char* kid) {
    Claims claims = SomeClaims();
    claims.kid = kid;
    return VariantWith<Claims>(claims);
  };
  EXPECT_THAT(verify("old", old_secret), signed_by("old"));
  EXPECT_THAT(verify("new", kSecret), signed_by("new"));
  EXPECT_THAT(verify("", kSecret), IsFault(TokenFault::kBadSignature)) << "it may be of either";
  EXPECT_THAT(verify("old", kSecret), IsFault(TokenFault::kBadSignature));
  EXPECT_THAT(verify("gone", kSecret), IsFault(TokenFault::kBadSignature));
  EXPECT_THAT(VerifyToken(pair.Token(R"({"alg":"EdDSA","kid":"public"})"), keys, kTokenNow, kAnyLife),
              signed_by("public"));
  EXPECT_THAT(VerifyToken(Sign(R"({"alg":"HS256","kid":7})", kPayload), keys, kTokenNow),
              IsFault(TokenFault::kBadSignature));
}

TEST(JwtTest, without_a_kid_the_only_key_of_the_algorithm_is_used) {
  const KeyPair rsa(JwtAlg::kRs256), ed(JwtAlg::kEdDsa);
  const std::string own(32, 'o');
  const std::vector<VerifyKey> keys = {
      {JwtAlg::kHs256, own, std::string(kOwnKid)}, rsa.Key("r"), ed.Key("e")};
  const auto is_good = [](const std::variant<Claims, TokenFault>& verified) {
    return std::holds_alternative<Claims>(verified);
  };
  const auto verify = [&](const std::string& token, std::span<const VerifyKey> of) {
    return VerifyToken(token, of, kTokenNow, kAnyLife);
  };
  EXPECT_TRUE(is_good(verify(rsa.Token(R"({"alg":"RS256"})"), keys)));
  EXPECT_TRUE(is_good(verify(ed.Token(R"({"alg":"EdDSA"})"), keys)));
  EXPECT_TRUE(is_good(verify(SignHs256(SomeClaims(), own), keys))) << "ours, where there is no other";
  std::vector<VerifyKey> more = keys;
  more.push_back({JwtAlg::kHs256, kSecret, "theirs"});
  EXPECT_TRUE(is_good(verify(SignHs256(SomeClaims(), kSecret), more))) << "theirs, where there is one";
  EXPECT_THAT(verify(SignHs256(SomeClaims(), own), more), IsFault(TokenFault::kBadSignature));
  EXPECT_TRUE(is_good(verify(SignHs256(SomeClaims(), own, kOwnKid), more)));
  more.push_back(KeyPair(JwtAlg::kRs256).Key("r2"));
  EXPECT_THAT(verify(rsa.Token(R"({"alg":"RS256"})"), more), IsFault(TokenFault::kBadSignature));
  EXPECT_TRUE(is_good(verify(rsa.Token(R"({"alg":"RS256","kid":"r"})"), more)));
}

// For every header and any number of keys.
TEST(JwtTest, a_token_causes_at_most_one_signature_check) {
  std::vector<VerifyKey> keys;
  for (int i = 0; i < 16; ++i)
    for (const JwtAlg alg : {JwtAlg::kHs256, JwtAlg::kRs256, JwtAlg::kEdDsa})
      keys.push_back({alg, kSecret, "k" + std::to_string(i)});
  for (const JwtAlg alg : {JwtAlg::kHs256, JwtAlg::kRs256, JwtAlg::kEdDsa})
    keys.push_back({alg, kSecret, ""});
  keys.push_back({JwtAlg::kHs256, kSecret, std::string(kOwnKid)});
  for (const char* alg : {"HS256", "RS256", "EdDSA", "none"}) {
    for (const char* kid : {"", R"(,"kid":"k3")", R"(,"kid":"other")", R"(,"kid":"")", R"(,"kid":7)",
                            R"(,"kid":null)", R"(,"kid":"parley")"}) {
      int checks = 0;
      const std::string header = R"({"alg":")" + std::string(alg) + "\"" + kid + "}";
      VerifyToken(Sign(header, kPayload), keys, kTokenNow, kAnyLife,
                  [&](const VerifyKey&, std::string_view, std::string_view) {
                    ++checks;
                    return false;
                  });
      EXPECT_LE(checks, 1) << header;
    }
  }
}

// --- expensive keys

TEST(JwtKeyTest, exponents_are_below_2_to_the_32nd) {
  for (const int bits : {2, 17, 32})
    EXPECT_TRUE(IsUsable({JwtAlg::kRs256, RsaPem(bits), "k"})) << bits << " bits";
  for (const int bits : {33, 64, 3072})
    EXPECT_FALSE(IsUsable({JwtAlg::kRs256, RsaPem(bits), "k"})) << bits << " bits";
  EXPECT_FALSE(IsUsable({JwtAlg::kRs256, RsaPem(1), "k"})) << "1 would verify anything";
  EXPECT_FALSE(IsUsable({JwtAlg::kRs256, RsaPem(17, true), "k"})) << "no RSA key is even";
}

TEST(JwtKeyTest, a_public_key_is_parsed_once_and_shared_by_its_copies) {
  const KeyPair pair(JwtAlg::kEdDsa);
  VerifyKey key = pair.Key("k");
  EXPECT_EQ(FingerprintOf(key), "");
  ASSERT_TRUE(Prepare(&key));
  const auto parsed = key.parsed;
  ASSERT_TRUE(parsed);
  ASSERT_TRUE(Prepare(&key));
  EXPECT_EQ(key.parsed, parsed);
  const std::vector<VerifyKey> copies = {key};
  EXPECT_EQ(copies[0].parsed, parsed);
  EXPECT_TRUE(std::holds_alternative<Claims>(
      VerifyToken(pair.Token(R"({"alg":"EdDSA"})"), copies, kTokenNow, kAnyLife)));
  VerifyKey other = KeyPair(JwtAlg::kEdDsa).Key("k");
  ASSERT_TRUE(Prepare(&other));
  EXPECT_NE(FingerprintOf(other), FingerprintOf(key));
  VerifyKey bad = {JwtAlg::kRs256, pair.PublicPem(), "k"};
  EXPECT_FALSE(Prepare(&bad));
  EXPECT_EQ(bad.parsed, nullptr);
}

TEST(JwtTest, a_token_is_valid_until_the_second_of_exp_and_from_that_of_nbf) {
  Claims claims = SomeClaims();
  claims.nbf_s = kTokenNow - 10;
  const std::string token = SignHs256(claims, kSecret);
  EXPECT_THAT(Verify(token, claims.exp_s - 1), VariantWith<Claims>(claims));
  EXPECT_THAT(Verify(token, claims.exp_s), IsFault(TokenFault::kExpired));
  EXPECT_THAT(Verify(token, claims.exp_s + 1), IsFault(TokenFault::kExpired));
  EXPECT_THAT(Verify(token, kTokenNow - 10 - kTokenSkewSeconds), VariantWith<Claims>(claims));
  EXPECT_THAT(Verify(token, kTokenNow - 11 - kTokenSkewSeconds), IsFault(TokenFault::kNotYetValid));
}

TEST(JwtTest, a_token_has_an_issue_time_and_lives_a_day_at_most) {
  const auto verify = [](std::optional<int64_t> iat_s, int64_t exp_s, int64_t now_s = kTokenNow) {
    Claims claims = SomeClaims();
    claims.iat_s = iat_s;
    claims.exp_s = exp_s;
    return VerifyToken(SignHs256(claims, kSecret), kKeys, now_s);
  };
  const int64_t day = kTokenLifeSecondsMax;
  EXPECT_TRUE(std::holds_alternative<Claims>(verify(kTokenNow, kTokenNow + day)));
  EXPECT_THAT(verify(kTokenNow, kTokenNow + day + 1), IsFault(TokenFault::kTooLong));
  EXPECT_THAT(verify(std::nullopt, kTokenNow + 60), IsFault(TokenFault::kTooLong));
  EXPECT_THAT(verify(0, int64_t{1} << 53), IsFault(TokenFault::kTooLong));
  EXPECT_THAT(verify(kTokenNow - day, kTokenNow), IsFault(TokenFault::kExpired));
  EXPECT_TRUE(std::holds_alternative<Claims>(verify(kTokenNow + kTokenSkewSeconds, kTokenNow + 100)));
  EXPECT_THAT(verify(kTokenNow + kTokenSkewSeconds + 1, kTokenNow + 100), IsFault(TokenFault::kNotYetValid));
  Claims demo = SomeClaims();
  demo.exp_s = kTokenNow + 10 * day;
  EXPECT_THAT(Verify(SignHs256(demo, kSecret)), VariantWith<Claims>(demo));
}

TEST(JwtTest, all_known_scopes_are_accepted) {
  for (const std::string_view scope : {"", "read", "full"}) {
    Claims claims = SomeClaims();
    claims.scope = scope;
    EXPECT_THAT(Verify(SignHs256(claims, kSecret)), VariantWith<Claims>(claims)) << scope;
  }
}

TEST(JwtTest, our_tokens_name_us_as_their_audience) {
  const std::string token = SignHs256(SomeClaims(), kSecret);
  const size_t first = token.find('.') + 1;
  EXPECT_THAT(Decoded(token.substr(first, token.rfind('.') - first)),
              testing::HasSubstr(R"("aud":"parley")"));
}

TEST(JwtTest, missing_and_invalid_claims_are_refused) {
  const std::string long_id(65, 'a');
  const std::vector<std::string> payloads = {
      R"({})",
      R"({"sub":"u","tid":"t"})",
      R"({"sub":"u","exp":1800000060})",
      R"({"tid":"t","exp":1800000060})",
      R"({"sub":"","tid":"t","exp":1800000060})",
      R"({"sub":1,"tid":"t","exp":1800000060})",
      R"({"sub":"a b","tid":"t","exp":1800000060})",
      R"({"sub":"a/b","tid":"t","exp":1800000060})",
      R"({"sub":")" + long_id + R"(","tid":"t","exp":1800000060})",
      R"({"sub":"u","tid":"t#x","exp":1800000060})",
      R"({"sub":"u","tid":["t"],"exp":1800000060})",
      R"({"sub":"u","tid":"t","exp":"1800000060"})",
      R"({"sub":"u","tid":"t","exp":1800000060.0})",
      R"({"sub":"u","tid":"t","exp":1.9e9})",
      R"({"sub":"u","tid":"t","exp":-1})",
      R"({"sub":"u","tid":"t","exp":18446744073709551615})",
      R"({"sub":"u","tid":"t","exp":99999999999999999999999})",
      R"({"sub":"u","tid":"t","exp":null})",
      R"({"sub":"u","tid":"t","exp":1800000060,"iat":"x"})",
      R"({"sub":"u","tid":"t","exp":1800000060,"nbf":true})",
      R"({"sub":"u","tid":"t","exp":1800000060,"role":"root"})",
      R"({"sub":"u","tid":"t","exp":1800000060,"role":"Admin"})",
      R"({"sub":"u","tid":"t","exp":1800000060,"role":["admin"]})",
      R"({"sub":"u","tid":"t","exp":1800000060,"scope":5})",
      R"({"sub":"u","tid":"t","exp":1800000060,"scope":")" + std::string(1025, 's') + R"("})",
      R"({"sub":"u","tid":"t","exp":1800000060,"scope":"read write"})",
      R"({"sub":"u","tid":"t","exp":1800000060,"scope":"Read"})",
      R"({"sub":"u","tid":"t","exp":1800000060,"sid":""})",
      R"({"sub":"u","tid":"t","exp":1800000060,"sid":"a/b"})",
      R"({"sub":"u","tid":"t","exp":1800000060,"sid":1})",
      R"({"sub":"u","tid":"t","exp":1800000060,"attrs":[]})",
      R"({"sub":"u","tid":"t","exp":1800000060,"attrs":{"adult":null}})",
      R"({"sub":"u","tid":"t","exp":1800000060,"attrs":{"adult":{}}})",
      R"({"sub":"u","tid":"t","exp":1800000060,"attrs":{"x":1.5}})",
      R"({"sub":"u","tid":"t","exp":1800000060,"attrs":{"x":9223372036854775808}})",
      R"({"sub":"u","tid":"t","exp":1800000060,"attrs":{"a b":true}})",
      R"({"sub":"u","tid":"t","exp":1800000060,"aud":"elsewhere"})",
      R"({"sub":"u","tid":"t","exp":1800000060,"aud":["a","b"]})",
  };
  for (const std::string& payload : payloads) {
    EXPECT_THAT(Verify(Sign(kHeader, payload)), IsFault(TokenFault::kBadClaim)) << payload;
  }
  std::string many = R"({"sub":"u","tid":"t","exp":1800000060,"attrs":{"a":1)";
  for (size_t i = 0; i < kTokenAttrsMax; i++) many += ",\"a" + std::to_string(i) + "\":true";
  EXPECT_THAT(Verify(Sign(kHeader, many + "}}")), IsFault(TokenFault::kBadClaim));
}

TEST(JwtTest, unknown_claims_are_ignored_and_our_audience_is_accepted) {
  for (const std::string_view extra : {R"("iss":"https://id.example","jti":"1")", R"("aud":"parley")",
                                       R"("aud":["x","parley"])", R"("x":{"y":[1,{}]})"}) {
    const std::string payload =
        std::string(R"({"sub":"usr_1","tid":"demo","exp":1800000060,)") + std::string(extra) + "}";
    EXPECT_THAT(Verify(Sign(kHeader, payload)), VariantWith<Claims>(SomeClaims())) << payload;
  }
}

TEST(JwtTest, anything_but_an_exact_token_is_malformed) {
  const std::string good = Sign(kHeader, kPayload);
  const std::string deep = R"({"sub":"u","tid":"t","exp":1800000060,"x":)" +
                           std::string(kTokenJsonDepthMax, '[') + std::string(kTokenJsonDepthMax, ']') + "}";
  const std::vector<std::string> tokens = {
      "",
      ".",
      "..",
      "...",
      "a.b",
      good + ".x",
      good + "=",
      " " + good,
      good + "\n",
      "Bearer " + good,
      Sign("[]", kPayload),
      Sign("\"x\"", kPayload),
      Sign("", kPayload),
      Sign(kHeader, ""),
      Sign(kHeader, "null"),
      Sign(kHeader, "[1]"),
      Sign(kHeader, std::string(kPayload) + "x"),
      Sign(kHeader, std::string(kPayload) + "{}"),
      Sign(kHeader, "{\"sub\":\"\xff\"}"),
      Sign(kHeader, "// c\n" + std::string(kPayload)),
      Sign(kHeader, R"({"sub":"u","tid":"t","exp":1800000060,"sub":"v"})"),
      Sign(kHeader, R"({"sub":"u","tid":"t","exp":1800000060,"attrs":{"a":true,"\u0061":false}})"),
      Sign(R"({"alg":"HS256","alg":"HS256"})", kPayload),
      Sign(R"({"alg":"HS256","crit":["exp"],"exp":1})", kPayload),
      Sign(R"({"alg":"HS256","crit":[]})", kPayload),
      Sign(R"({"alg":"HS256","b64":false})", kPayload),
      Sign(kHeader, deep),
      Sign(kHeader, std::string(kPayload.substr(0, kPayload.size() - 1)) + R"(,"x":")" +
                        std::string(8192, 'x') + R"("})"),
      std::string(kTokenBytesMax + 1, '.'),
  };
  for (const std::string& token : tokens)
    EXPECT_THAT(Verify(token), IsFault(TokenFault::kMalformed)) << token;
}

TEST(JwtTest, weak_keys_and_keys_of_another_kind_verify_nothing) {
  const VerifyKey rsa = {JwtAlg::kRs256, kRfc7515RsaKey, ""};
  const std::string short_secret(kHs256SecretBytesMin - 1, 's');
  EXPECT_FALSE(IsUsable({JwtAlg::kHs256, short_secret, ""}));
  EXPECT_FALSE(IsUsable({JwtAlg::kHs256, "", ""}));
  EXPECT_THAT(VerifyToken(Sign(kHeader, kPayload, short_secret),
                          std::vector{VerifyKey{JwtAlg::kHs256, short_secret, ""}}, kTokenNow),
              IsFault(TokenFault::kBadSignature));
  const KeyPair weak(JwtAlg::kRs256, 1024);
  EXPECT_FALSE(IsUsable(weak.Key()));
  EXPECT_THAT(VerifyToken(weak.Token(R"({"alg":"RS256"})"), std::vector{weak.Key()}, kTokenNow),
              IsFault(TokenFault::kBadSignature));
  EXPECT_FALSE(IsUsable({JwtAlg::kEdDsa, rsa.key, ""}));
  EXPECT_FALSE(IsUsable({JwtAlg::kRs256, KeyPair(JwtAlg::kEdDsa).PublicPem(), ""}));
  EXPECT_FALSE(IsUsable({JwtAlg::kRs256, "not a key", ""}));
  EXPECT_TRUE(IsUsable(rsa));
}

TEST(JwtTest, the_tenant_can_be_read_before_the_token_is_verified) {
  EXPECT_EQ(UnverifiedTenant(SignHs256(SomeClaims(), std::string(32, '?'))), "demo");
  EXPECT_EQ(UnverifiedTenant(Sign(kHeader, R"({"tid":"a b"})")), std::nullopt);
  EXPECT_EQ(UnverifiedTenant(Sign(kHeader, R"({"tid":7})")), std::nullopt);
  EXPECT_EQ(UnverifiedTenant(Sign(kHeader, R"({"tid":"a","tid":"b"})")), std::nullopt);
  EXPECT_EQ(UnverifiedTenant(Sign(kHeader, "{}")), std::nullopt);
  EXPECT_EQ(UnverifiedTenant("x.y.z"), std::nullopt);
  EXPECT_EQ(UnverifiedTenant(""), std::nullopt);
  EXPECT_EQ(UnverifiedTenant(std::string(kTokenBytesMax + 1, 'a')), std::nullopt);
}

}  // namespace
}  // namespace parley::accounts
