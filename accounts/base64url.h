// Base64 with the URL-safe alphabet and without padding (RFC 4648 §5, RFC 7515 §2). Pure functions, any
// thread.

#ifndef PARLEY_ACCOUNTS_BASE64URL_H_
#define PARLEY_ACCOUNTS_BASE64URL_H_

#include <optional>
#include <string>
#include <string_view>

namespace parley::accounts {

std::string EncodeBase64Url(std::string_view bytes);

// Nothing for padding, line breaks, foreign characters, impossible lengths and unused bits that are not zero:
// each string of bytes has exactly one encoding, so a token cannot be rewritten into another that verifies
// too.
std::optional<std::string> DecodeBase64Url(std::string_view text);

}  // namespace parley::accounts

#endif  // PARLEY_ACCOUNTS_BASE64URL_H_
