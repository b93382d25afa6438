// Bytes as text: hex, base64 (RFC 4648), parts of URLs (RFC 3986) and UUIDs (RFC 9562). Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace parley::protocol {

std::string Hex(std::string_view bytes);  // in lower case

std::string Base64(std::string_view bytes);  // with padding
void AppendBase64(std::string_view bytes, std::string* out);
// Requires padding and allows no white space.
bool FromBase64(std::string_view text, std::string* out);

std::string Base64Url(std::string_view bytes);  // without padding
// Rejects padding and bits that no byte uses, so each value has one text.
bool FromBase64Url(std::string_view text, std::string* out);

// Keeps unreserved characters and those in `plain`: "a b/c" becomes "a%20b%2Fc".
void AppendPercentEncoded(std::string_view text, std::string_view plain, std::string* out);

// Replaces six bits by version and variant. REQUIRES: 16 bytes.
std::string UuidText(std::string bytes, uint8_t version);

}  // namespace parley::protocol
