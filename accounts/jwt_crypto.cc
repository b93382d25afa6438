#include "accounts/jwt_crypto.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <memory>

#include "protocol/base/crypto.h"

namespace parley::accounts {
namespace {

struct Free {
  void operator()(BIO* bio) const { BIO_free(bio); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
template <typename T>
using Owned = std::unique_ptr<T, Free>;

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// Null unless the PEM contains a public key of the kind that its algorithm needs: a tenant's RSA key must
// never be taken for something else, nor another curve for Ed25519.
Owned<EVP_PKEY> PublicKey(const VerifyKey& key) {
  const Owned<BIO> bio(BIO_new_mem_buf(key.key.data(), static_cast<int>(key.key.size())));
  if (bio == nullptr) return nullptr;
  Owned<EVP_PKEY> parsed(PEM_read_bio_PUBKEY(bio.get(), nullptr, nullptr, nullptr));
  ERR_clear_error();  // leave the thread's error queue empty
  if (parsed == nullptr) return nullptr;
  const int bits = EVP_PKEY_get_bits(parsed.get());
  const bool fits = key.alg == JwtAlg::kEdDsa ? EVP_PKEY_get_base_id(parsed.get()) == EVP_PKEY_ED25519
                                              : EVP_PKEY_get_base_id(parsed.get()) == EVP_PKEY_RSA &&
                                                    bits >= kRsaBitsMin && bits <= kRsaBitsMax;
  return fits ? std::move(parsed) : nullptr;
}

bool VerifyPublic(const VerifyKey& key, std::string_view input, std::string_view signature) {
  const Owned<EVP_PKEY> public_key = PublicKey(key);
  const Owned<EVP_MD_CTX> context(EVP_MD_CTX_new());
  if (public_key == nullptr || context == nullptr) return false;
  const EVP_MD* digest = key.alg == JwtAlg::kRs256 ? EVP_sha256() : nullptr;  // Ed25519 has its own
  const bool ok =
      EVP_DigestVerifyInit(context.get(), nullptr, digest, nullptr, public_key.get()) == 1 &&
      EVP_DigestVerify(context.get(), Bytes(signature), signature.size(), Bytes(input), input.size()) == 1;
  ERR_clear_error();
  return ok;
}

}  // namespace

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
  return PublicKey(key) != nullptr;
}

bool VerifySignature(const VerifyKey& key, std::string_view input, std::string_view signature) {
  if (key.alg != JwtAlg::kHs256) return VerifyPublic(key, input, signature);
  if (!IsUsable(key)) return false;
  return protocol::ConstantTimeEqual(signature, protocol::HmacSha256(key.key, input));
}

}  // namespace parley::accounts
