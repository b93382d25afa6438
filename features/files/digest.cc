#include "features/files/digest.h"

#include <openssl/evp.h>

#include <cstdlib>

namespace parley::features {

struct Digest::Context {
  EVP_MD_CTX* evp = EVP_MD_CTX_new();
  ~Context() { EVP_MD_CTX_free(evp); }
};

Digest::Digest(Kind kind) : context_(std::make_unique<Context>()) {
  const EVP_MD* algorithm = kind == Kind::kSha1 ? EVP_sha1() : EVP_sha256();
  if (EVP_DigestInit_ex(context_->evp, algorithm, nullptr) != 1) std::abort();
}

Digest::~Digest() = default;

void Digest::Add(std::string_view bytes) {
  if (EVP_DigestUpdate(context_->evp, bytes.data(), bytes.size()) != 1) std::abort();
}

std::string Digest::Finish() {
  unsigned char out[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  if (EVP_DigestFinal_ex(context_->evp, out, &size) != 1) std::abort();
  return {reinterpret_cast<const char*>(out), size};
}

}  // namespace parley::features
