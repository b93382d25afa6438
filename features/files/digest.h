// SHA-1 and SHA-256 of bytes that come in pieces, from OpenSSL.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace parley::features {

class Digest {
 public:
  enum class Kind : uint8_t { kSha1, kSha256 };
  explicit Digest(Kind kind);
  ~Digest();
  void Add(std::string_view bytes);
  std::string Finish();  // 20 or 32 bytes; call once

 private:
  struct Context;
  const std::unique_ptr<Context> context_;
};

}  // namespace parley::features
