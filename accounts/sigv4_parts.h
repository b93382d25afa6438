// The parts of a signature, gathered from the header or from the query; what they say is judged in sigv4.cc.
// Pure functions, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "accounts/sigv4_canonical.h"

namespace parley::accounts {

// As sent; the views are into the request, or into the parameters.
struct SignatureParts {
  std::string_view algorithm;
  std::optional<std::string_view> credential, signed_headers, signature;
  std::optional<std::string_view> date, expires;
  bool session_token = false;
};

bool IsSignedInQuery(const QueryParameters& parameters);

// Each returns what is missing or malformed, as sentences for the client; empty: all parts but `expires` are
// there.
std::string ReadHeaderParts(const std::string& authorization, HttpHeaders headers, SignatureParts* parts);
std::string ReadQueryParts(const QueryParameters& parameters, SignatureParts* parts);

}  // namespace parley::accounts
