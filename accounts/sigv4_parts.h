// Collects the parts of a signature from the header or from the query; sigv4.cc checks them. Pure functions,
// any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "accounts/sigv4_canonical.h"

namespace parley::accounts {

// As sent; the views point into the request, or into the parameters.
struct SignatureParts {
  std::string_view algorithm;
  std::optional<std::string_view> credential, signed_headers, signature;
  std::optional<std::string_view> date, expires;
  bool session_token = false;
};

bool IsSignedInQuery(const QueryParameters& parameters);

// Each returns the missing and malformed parts, as sentences for the client; empty if all parts except
// `expires` are present.
std::string ReadHeaderParts(const std::string& authorization, HttpHeaders headers, SignatureParts* parts);
std::string ReadQueryParts(const QueryParameters& parameters, SignatureParts* parts);

}  // namespace parley::accounts
