// Tokens of RFC 7515 (A.1, A.2) and RFC 8037 (A.4).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "accounts/jwt.h"
#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"
#include "tests/accounts/key_pair.h"
#include "tests/accounts/token_text.h"

namespace parley::accounts {
namespace {

constexpr int64_t kVectorsNow = 1'800'000'000;

// The vectors test algorithm and encoding; their claims are not ours, so a valid signature yields kBadClaim.
TEST(JwtVectorTest, rfc7515_a1_hs256) {
  const std::string input =
      "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9."
      "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLm"
      "NvbS9pc19yb290Ijp0cnVlfQ";
  const std::string signature = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
  const std::vector<VerifyKey> keys = {
      {JwtAlg::kHs256,
       Decoded("AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"),
       ""}};
  EXPECT_EQ(protocol::Base64Url(protocol::HmacSha256(keys[0].key, input)), signature);
  EXPECT_TRUE(VerifySignature(keys[0], input, Decoded(signature)));
  EXPECT_FALSE(VerifySignature(keys[0], input + "x", Decoded(signature)));
  EXPECT_THAT(VerifyToken(input + "." + signature, keys, kVectorsNow), IsFault(TokenFault::kBadClaim));
}

const VerifyKey kRfc7515Rsa = {JwtAlg::kRs256, kRfc7515RsaKey, ""};

TEST(JwtVectorTest, rfc7515_a2_rs256) {
  const std::string input =
      "eyJhbGciOiJSUzI1NiJ9."
      "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cn"
      "VlfQ";
  const std::string signature =
      "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_"
      "O8W2Fp5jujGbds9uJdbF9CUAr7t"
      "1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_"
      "eSN9383LcOLn6_dO--xi12j"
      "zDwusC-"
      "eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_"
      "IoypGlUPQ"
      "Ge77Rw";
  EXPECT_TRUE(VerifySignature(kRfc7515Rsa, input, Decoded(signature)));
  EXPECT_FALSE(VerifySignature(kRfc7515Rsa, input + "x", Decoded(signature)));
  EXPECT_THAT(VerifyToken(input + "." + signature, std::vector{kRfc7515Rsa}, kVectorsNow),
              IsFault(TokenFault::kBadClaim));
}

TEST(JwtVectorTest, rfc8037_a4_ed25519) {
  const VerifyKey key = {JwtAlg::kEdDsa,
                         "-----BEGIN PUBLIC KEY-----\n"
                         "MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n"
                         "-----END PUBLIC KEY-----\n",
                         ""};
  const std::string input = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc";
  const std::string signature =
      "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg";
  EXPECT_TRUE(VerifySignature(key, input, Decoded(signature)));
  EXPECT_FALSE(VerifySignature(key, input + "x", Decoded(signature)));
}

}  // namespace
}  // namespace parley::accounts
