// The few cryptographic primitives that the server needs, from OpenSSL. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parley::protocol {

void RandomBytes(uint8_t* at, size_t size);  // aborts if the system has no randomness
std::string RandomBytes(size_t size);
std::string Sha256(std::string_view data);                            // 32 bytes
std::string HmacSha256(std::string_view key, std::string_view data);  // 32 bytes
// RFC 5869: derives a key of 32 bytes for the purpose `info` from a key with enough randomness.
std::string HkdfSha256(std::string_view key, std::string_view salt, std::string_view info);
// AES-256-GCM with a nonce derived from the text and included in the output, which is 28 bytes longer than
// `plain`. Equal texts give equal outputs. Opening requires the same `place`, which is not part of the
// output. REQUIRES: the key has 32 bytes.
std::string SealBytes(std::string_view key, std::string_view plain, std::string_view place = {});
// Returns nullopt if the bytes are damaged or were sealed with another key or place.
std::optional<std::string> OpenBytes(std::string_view key, std::string_view sealed,
                                     std::string_view place = {});
// RFC 7914: a deliberately slow hash that uses 128 * cost * block bytes of memory. REQUIRES: `cost` is a
// power of two, and the memory is below 64 MiB.
struct ScryptCost {
  uint64_t cost = 16384;  // N
  uint64_t block = 8;     // r
  uint64_t parallel = 1;  // p
};
std::string Scrypt(std::string_view secret, std::string_view salt, const ScryptCost& cost, size_t size);
bool ConstantTimeEqual(std::string_view a, std::string_view b);

}  // namespace parley::protocol
