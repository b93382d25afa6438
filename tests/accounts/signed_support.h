// Requests that were signed by others, for tests of accounts/sigv4.h.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "accounts/sigv4.h"

namespace parley::accounts {

// Owns the texts that a SignedRequest refers to.
struct Signed {
  std::string name;
  std::string method;
  std::string target;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body = {};

  [[nodiscard]] SignedRequest View() const { return {method, target, body, headers}; }
  [[nodiscard]] std::string* Header(std::string_view name);
};

// Parses a file in which each request begins with "=== name" and has the format of HTTP.
std::vector<Signed> ReadSigned(const std::string& text);

// Adds X-Amz-Date and Authorization like a signer, over Host and all present headers.
inline constexpr std::string_view kSomeKeyId = "PKTAAAAAAAAAAAAAAAAA";
inline constexpr std::string_view kSomeSecret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
void SignNow(Signed* request, int64_t now_s, std::string_view key_id = kSomeKeyId,
             std::string_view secret = kSomeSecret, std::string_view service = kTablesService);

}  // namespace parley::accounts
