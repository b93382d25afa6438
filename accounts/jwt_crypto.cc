#include "accounts/jwt_crypto.h"

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <memory>
#include <utility>

#include "protocol/base/crypto.h"

namespace parley::accounts {
namespace {

struct Free {
  void operator()(BIO* bio) const { BIO_free(bio); }
  void operator()(BIGNUM* number) const { BN_free(number); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
template <typename T>
using Owned = std::unique_ptr<T, Free>;

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// Odd, as in every RSA key, more than 1, which would verify anything, and short.
bool HasUsualExponent(EVP_PKEY* key) {
  BIGNUM* found = nullptr;
  if (EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_E, &found) != 1) return false;
  const Owned<BIGNUM> exponent(found);
  return BN_is_odd(exponent.get()) && !BN_is_one(exponent.get()) &&
         BN_num_bits(exponent.get()) <= kRsaExponentBitsMax;
}

// A tenant's RSA key must never be used as another type, nor another curve as Ed25519.
bool Fits(JwtAlg alg, EVP_PKEY* key) {
  if (alg == JwtAlg::kEdDsa) return EVP_PKEY_get_base_id(key) == EVP_PKEY_ED25519;
  const int bits = EVP_PKEY_get_bits(key);
  return EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA && bits >= kRsaBitsMin && bits <= kRsaBitsMax &&
         HasUsualExponent(key);
}

}  // namespace

class PublicKey {
 public:
  // nullptr unless the PEM contains a public key of the kind that its algorithm needs.
  static std::shared_ptr<const PublicKey> Parse(const VerifyKey& key) {
    const Owned<BIO> bio(BIO_new_mem_buf(key.key.data(), static_cast<int>(key.key.size())));
    if (bio == nullptr) return nullptr;
    Owned<EVP_PKEY> parsed(PEM_read_bio_PUBKEY(bio.get(), nullptr, nullptr, nullptr));
    const bool fits = parsed != nullptr && Fits(key.alg, parsed.get());
    ERR_clear_error();  // leave the thread's error queue empty
    return fits ? std::make_shared<const PublicKey>(std::move(parsed), protocol::Sha256(key.key)) : nullptr;
  }
  PublicKey(Owned<EVP_PKEY> key, std::string fingerprint)
      : key_(std::move(key)), fingerprint_(std::move(fingerprint)) {}

  bool Verify(JwtAlg alg, std::string_view input, std::string_view signature) const {
    const Owned<EVP_MD_CTX> context(EVP_MD_CTX_new());
    if (context == nullptr) return false;
    const EVP_MD* digest = alg == JwtAlg::kRs256 ? EVP_sha256() : nullptr;  // Ed25519 has its own
    const bool ok =
        EVP_DigestVerifyInit(context.get(), nullptr, digest, nullptr, key_.get()) == 1 &&
        EVP_DigestVerify(context.get(), Bytes(signature), signature.size(), Bytes(input), input.size()) == 1;
    ERR_clear_error();
    return ok;
  }
  const std::string& fingerprint() const { return fingerprint_; }

 private:
  const Owned<EVP_PKEY> key_;
  const std::string fingerprint_;
};

std::string_view JwtAlgName(JwtAlg alg) {
  switch (alg) {
    case JwtAlg::kHs256:
      return "HS256";
    case JwtAlg::kEdDsa:
      return "EdDSA";
    case JwtAlg::kRs256:
      return "RS256";
  }
  return "";
}

bool IsUsable(const VerifyKey& key) {
  if (key.alg == JwtAlg::kHs256) return key.key.size() >= kHs256SecretBytesMin;
  return key.parsed || PublicKey::Parse(key) != nullptr;
}

bool Prepare(VerifyKey* key) {
  if (key->alg != JwtAlg::kHs256 && !key->parsed) key->parsed = PublicKey::Parse(*key);
  return IsUsable(*key);
}

std::string_view FingerprintOf(const VerifyKey& key) {
  return key.parsed ? std::string_view(key.parsed->fingerprint()) : std::string_view();
}

bool VerifySignature(const VerifyKey& key, std::string_view input, std::string_view signature) {
  if (key.alg == JwtAlg::kHs256)
    return IsUsable(key) && protocol::ConstantTimeEqual(signature, protocol::HmacSha256(key.key, input));
  const auto parsed = key.parsed ? key.parsed : PublicKey::Parse(key);
  return parsed && parsed->Verify(key.alg, input, signature);
}

}  // namespace parley::accounts
