// The canonical form of a request, over which AWS Signature Version 4 is computed: signer and verifier get
// the same text, although proxies and libraries may have changed the request's spelling. Pure functions, any
// thread. The caller sets all bounds (sigv4.h), except the number of query parameters.
//
//   canonical request = method \n path \n query \n {name:value \n}… \n names \n payload hash
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parley::accounts {

using HttpHeaders = std::span<const std::pair<std::string, std::string>>;

// A received request, not owned.
struct SignedRequest {
  std::string_view method;
  std::string_view target;  // path and query as sent
  std::string_view body;
  HttpHeaders headers;
};

inline constexpr size_t kQueryParametersMax = 64;

using QueryParameters = std::vector<std::pair<std::string, std::string>>;

// Names are compared in any case; `name` is in lower case. Returns the first of several, or nullptr.
const std::string* FindHeader(HttpHeaders headers, std::string_view name);

std::string_view PathOf(std::string_view target);
std::string_view QueryOf(std::string_view target);  // without the '?'

// Decoded, in order. nullopt: too many, or a '%' without two hexadecimal digits. A '+' is a plus.
std::optional<QueryParameters> ParseQuery(std::string_view query);

// Removes dot segments and repeated slashes, then encodes, a '%' too: signers encode the path as it is sent.
std::string CanonicalPath(std::string_view path);
// Encoded and in order of name and value, without X-Amz-Signature if the signature is in the query.
std::string CanonicalQuery(const QueryParameters& parameters, bool without_signature);
// "name:value\n" for each of `names`, which are in lower case, in order and distinct. Values are trimmed,
// runs of blanks in them become one space, and those of repeated headers are joined by commas. Returns
// nullopt if one of the headers is missing.
std::optional<std::string> CanonicalHeaders(HttpHeaders headers, std::span<const std::string> names);

std::string AsciiLower(std::string_view text);

}  // namespace parley::accounts
