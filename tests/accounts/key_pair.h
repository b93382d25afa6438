// Keys of tenants' back ends, made by OpenSSL as the other party.
#pragma once

#include <gtest/gtest.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "accounts/jwt_crypto.h"
#include "protocol/base/crypto.h"

namespace parley::accounts {

// The public key of RFC 7515, A.2.
inline constexpr const char* kRfc7515RsaKey =
    "-----BEGIN PUBLIC KEY-----\n"
    "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAofgWCuLjybRlzo0tZWJj\n"
    "NiuSfb4p4fAkd/wWJcyQoTbji9k0l8W26mPddxHmfHQp+Vaw+4qPCJrcS2mJPMEz\n"
    "P1Pt0Bm4d4QlL+yRT+SFd2lZS+pCgNMsD1W/YpRPEwOWvG6b32690r2jZ47soMZo\n"
    "9wGzjb/7OMg0LOL+bSf63kpaSHSXndS5z5rexMdbBYUsLA9e+KXBdQOS+UTo7WTB\n"
    "EMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6/I5IhlJH7aGhyxX\n"
    "FvUK+DWNmoudF8NAco9/h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXp\n"
    "oQIDAQAB\n"
    "-----END PUBLIC KEY-----\n";

// Of usr_1 in demo, for a while around 2027.
inline constexpr std::string_view kSomePayload = R"({"sub":"usr_1","tid":"demo","exp":1800000060})";

inline std::string PublicPemOf(EVP_PKEY* key) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> bio(BIO_new(BIO_s_mem()), BIO_free);
  PEM_write_bio_PUBKEY(bio.get(), key);
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &text);
  return std::string(text, static_cast<size_t>(size));
}

// A key pair made for one test.
class KeyPair {
 public:
  explicit KeyPair(JwtAlg alg, int rsa_bits = kRsaBitsMin)
      : alg_(alg),
        key_(alg == JwtAlg::kEdDsa
                 ? EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519")
                 : EVP_PKEY_Q_keygen(nullptr, nullptr, "RSA", static_cast<size_t>(rsa_bits)),
             EVP_PKEY_free) {}

  [[nodiscard]] std::string PublicPem() const { return PublicPemOf(key_.get()); }
  [[nodiscard]] VerifyKey Key(std::string kid = "") const { return {alg_, PublicPem(), std::move(kid)}; }

  [[nodiscard]] std::string Token(std::string_view header, std::string_view payload = kSomePayload) const {
    const std::string input = protocol::Base64Url(header) + "." + protocol::Base64Url(payload);
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    const auto* bytes = reinterpret_cast<const unsigned char*>(input.data());
    std::string signature(1024, '\0');
    size_t size = signature.size();
    EVP_DigestSignInit(context.get(), nullptr, alg_ == JwtAlg::kRs256 ? EVP_sha256() : nullptr, nullptr,
                       key_.get());
    EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size, bytes,
                   input.size());
    signature.resize(size);
    return input + "." + protocol::Base64Url(signature);
  }

 private:
  JwtAlg alg_;
  std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key_;
};

// A public key of 3072 bits with an exponent of so many bits; there is no private one.
inline std::string RsaPem(int exponent_bits, bool even = false) {
  const std::unique_ptr<BIGNUM, decltype(&BN_free)> e(BN_new(), BN_free), n(BN_new(), BN_free);
  BN_set_bit(e.get(), exponent_bits - 1);
  if (!even) BN_set_bit(e.get(), 0);
  for (int bit = 0; bit < 3072; bit += 2) BN_set_bit(n.get(), bit);
  BN_set_bit(n.get(), 3071);
  const std::unique_ptr<OSSL_PARAM_BLD, decltype(&OSSL_PARAM_BLD_free)> build(OSSL_PARAM_BLD_new(),
                                                                              OSSL_PARAM_BLD_free);
  OSSL_PARAM_BLD_push_BN(build.get(), "n", n.get());
  OSSL_PARAM_BLD_push_BN(build.get(), "e", e.get());
  const std::unique_ptr<OSSL_PARAM, decltype(&OSSL_PARAM_free)> params(OSSL_PARAM_BLD_to_param(build.get()),
                                                                       OSSL_PARAM_free);
  const std::unique_ptr<EVP_PKEY_CTX, decltype(&EVP_PKEY_CTX_free)> context(
      EVP_PKEY_CTX_new_from_name(nullptr, "RSA", nullptr), EVP_PKEY_CTX_free);
  EVP_PKEY* made = nullptr;
  EVP_PKEY_fromdata_init(context.get());
  EXPECT_EQ(EVP_PKEY_fromdata(context.get(), &made, EVP_PKEY_PUBLIC_KEY, params.get()), 1);
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(made, EVP_PKEY_free);
  return PublicPemOf(key.get());
}

}  // namespace parley::accounts
