#include "protocol/base/crypto.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

#include <cstdlib>
#include <memory>

namespace parley::protocol {
namespace {

// Never null, because OpenSSL treats null as no input rather than as an empty one.
const unsigned char* Bytes(std::string_view s) {
  return reinterpret_cast<const unsigned char*>(s.data() ? s.data() : "");
}

EVP_MAC_CTX* NewHmacSha256() {
  EVP_MAC* const mac = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
  EVP_MAC_CTX* const context = EVP_MAC_CTX_new(mac);
  EVP_MAC_free(mac);
  char digest[] = "SHA256";
  const OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string("digest", digest, 0),
                               OSSL_PARAM_construct_end()};
  if (!context || EVP_MAC_CTX_set_params(context, params) != 1) std::abort();
  return context;
}

}  // namespace

void RandomBytes(uint8_t* at, size_t size) {
  if (RAND_bytes(at, static_cast<int>(size)) != 1) std::abort();
}

std::string RandomBytes(size_t size) {
  std::string out(size, '\0');
  RandomBytes(reinterpret_cast<uint8_t*>(out.data()), size);
  return out;
}

std::string Sha256(std::string_view data) {
  // Fetched once: OpenSSL 3 would search its providers on every call, which takes longer than the digest
  // itself.
  static const EVP_MD* const kSha256 = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  std::string out(SHA256_DIGEST_LENGTH, '\0');
  if (EVP_Digest(data.data(), data.size(), reinterpret_cast<unsigned char*>(out.data()), nullptr, kSha256,
                 nullptr) != 1)
    std::abort();
  return out;
}

std::string HmacSha256(std::string_view key, std::string_view data) {
  // Algorithm and digest are fetched once, as above; each call starts from a copy of this context.
  static const EVP_MAC_CTX* const kKeyless = NewHmacSha256();
  const std::unique_ptr<EVP_MAC_CTX, decltype(&EVP_MAC_CTX_free)> mac(EVP_MAC_CTX_dup(kKeyless),
                                                                      &EVP_MAC_CTX_free);
  std::string out(SHA256_DIGEST_LENGTH, '\0');
  size_t size = 0;
  if (!mac || EVP_MAC_init(mac.get(), Bytes(key), key.size(), nullptr) != 1 ||
      EVP_MAC_update(mac.get(), Bytes(data), data.size()) != 1 ||
      EVP_MAC_final(mac.get(), reinterpret_cast<unsigned char*>(out.data()), &size, out.size()) != 1)
    std::abort();
  return out;
}

std::string HkdfSha256(std::string_view key, std::string_view salt, std::string_view info) {
  // An empty salt equals a salt of zeros, because HMAC pads its key with zeros.
  return HmacSha256(HmacSha256(salt, key), std::string(info) + '\x01');
}

namespace {

constexpr size_t kNonce = 12, kTag = 16;

using CipherContext = std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)>;
CipherContext NewAesGcm(std::string_view key, std::string_view nonce, bool seals) {
  static EVP_CIPHER* const kCipher = EVP_CIPHER_fetch(nullptr, "AES-256-GCM", nullptr);
  CipherContext context(EVP_CIPHER_CTX_new(), &EVP_CIPHER_CTX_free);
  if (key.size() != 32 || !context ||
      EVP_CipherInit_ex2(context.get(), kCipher, Bytes(key), Bytes(nonce), seals ? 1 : 0, nullptr) != 1)
    std::abort();
  return context;
}

// The place is authenticated, but not part of the output.
bool Bind(EVP_CIPHER_CTX* context, std::string_view place, bool seals) {
  int size = 0;
  if (place.empty()) return true;
  const auto update = seals ? EVP_EncryptUpdate : EVP_DecryptUpdate;
  return update(context, nullptr, &size, Bytes(place), static_cast<int>(place.size())) == 1;
}

// Without a place it is the text alone, as in data that was sealed before places existed.
std::string NonceInput(std::string_view plain, std::string_view place) {
  return place.empty() ? std::string(plain) : Sha256(place) + std::string(plain);
}

}  // namespace

// The nonce is a keyed function of place and plaintext. Different texts get different nonces (a collision has
// odds of 2^-96), and equal texts give equal outputs, so that a simulation replays identically.
std::string SealBytes(std::string_view key, std::string_view plain, std::string_view place) {
  std::string out = HmacSha256(HmacSha256(key, "nonce"), NonceInput(plain, place)).substr(0, kNonce);
  const CipherContext context = NewAesGcm(key, out, true);
  out.resize(kNonce + plain.size() + kTag);
  auto* const at = reinterpret_cast<unsigned char*>(out.data()) + kNonce;
  int size = 0, rest = 0;
  if (!Bind(context.get(), place, true) ||
      EVP_EncryptUpdate(context.get(), at, &size, Bytes(plain), static_cast<int>(plain.size())) != 1 ||
      EVP_EncryptFinal_ex(context.get(), at + size, &rest) != 1 ||
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_GET_TAG, kTag, at + plain.size()) != 1)
    std::abort();
  return out;
}

std::optional<std::string> OpenBytes(std::string_view key, std::string_view sealed, std::string_view place) {
  if (sealed.size() < kNonce + kTag) return std::nullopt;
  const CipherContext context = NewAesGcm(key, sealed.substr(0, kNonce), false);
  const std::string_view hidden = sealed.substr(kNonce, sealed.size() - kNonce - kTag);
  std::string tag(sealed.substr(sealed.size() - kTag));
  std::string out(hidden.size() + kTag, '\0');  // never empty: OpenSSL writes into it
  auto* const at = reinterpret_cast<unsigned char*>(out.data());
  int size = 0, rest = 0;
  if (!Bind(context.get(), place, false) ||
      EVP_DecryptUpdate(context.get(), at, &size, Bytes(hidden), static_cast<int>(hidden.size())) != 1 ||
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_TAG, kTag, tag.data()) != 1 ||
      EVP_DecryptFinal_ex(context.get(), at + size, &rest) != 1)
    return std::nullopt;
  out.resize(hidden.size());
  return out;
}

std::string Scrypt(std::string_view secret, std::string_view salt, const ScryptCost& cost, size_t size) {
  constexpr uint64_t kMemoryMax = uint64_t{64} << 20;
  std::string out(size, '\0');
  const auto* const text = reinterpret_cast<const char*>(Bytes(secret));
  if (EVP_PBE_scrypt(text, secret.size(), Bytes(salt), salt.size(), cost.cost, cost.block, cost.parallel,
                     kMemoryMax, reinterpret_cast<unsigned char*>(out.data()), out.size()) != 1)
    std::abort();
  return out;
}

bool ConstantTimeEqual(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace parley::protocol
