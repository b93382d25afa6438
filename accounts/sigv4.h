// Verifies AWS Signature Version 4, with which SDKs for DynamoDB sign their requests. Pure functions, any
// thread; time is passed in as an argument.
//
// There are two steps, because the key must be found in between:
//
//   ReadSignature   reads the request's claim about its signature: key, scope and time. Nothing of it is
//                   trusted before the second step.
//   CheckSignature  whether that key signed this request.
//
// Bounded: the caller bounds target and headers (the transport does); beyond that, at most
// kSignedHeadersMax names, kQueryParametersMax parameters, and texts as below. Costs two digests and one
// HMAC.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "accounts/sigv4_canonical.h"
#include "protocol/base/time.h"

namespace parley::accounts {

inline constexpr size_t kAuthorizationBytesMax = 4 * 1024;
inline constexpr size_t kSignedHeadersMax = 50;
inline constexpr size_t kScopeWordBytesMax = 128;  // access key id, region
inline constexpr int64_t kSignatureWindowS = 15 * 60;
inline constexpr int64_t kSignatureExpiresMaxS = 7 * 24 * 3600;
inline constexpr std::string_view kTablesService = "dynamodb";

// In order of precedence, which is Amazon's: of several faults the first is reported.
enum class SignatureFault : uint8_t {
  kMissing,        // no signature in either place
  kTwoForms,       // one in the header and one in the query
  kIncomplete,     // a part is missing, malformed or too long
  kExpired,        // signed more than 15 minutes ago, or X-Amz-Expires has passed
  kNotYet,         // signed more than 15 minutes from now
  kUnsigned,       // a header that must be signed is not: Host, the date, X-Amz-Target
  kBadAlgorithm,   // other than AWS4-HMAC-SHA256
  kBadCredential,  // not in the form key/date/region/service/aws4_request
  kBadScope,       // date, service or end differ from the request's
  kUnknownKey,     // no such access key, or a session token, which this server never issues
  kMismatch,       // another key, or another request
};

struct SignatureRefusal {
  SignatureFault fault;
  std::string message;  // for the client; never contains input of the request
};

// A request's claim about its signature.
struct SignatureClaim {
  std::string credential;  // "PKT…/20150830/us-east-1/dynamodb/aws4_request"
  std::string access_key_id;
  std::string timestamp;                    // "20150830T123600Z"
  std::vector<std::string> signed_headers;  // in lower case, in order, distinct
  std::string signature;                    // as sent
  bool in_query = false;
  int64_t valid_for_s = kSignatureWindowS;  // from `timestamp` on
};

std::variant<SignatureClaim, SignatureRefusal> ReadSignature(const SignedRequest& request,
                                                             std::string_view service, protocol::Time now);

// `signing_key`: derived from the claim's credential, see DeriveSigningKey. Compares in constant
// time.
std::optional<SignatureRefusal> CheckSignature(const SignedRequest& request, const SignatureClaim& claim,
                                               std::string_view signing_key);

// The key for one credential, derived from the secret. REQUIRES: a credential that ReadSignature returned.
std::string DeriveSigningKey(std::string_view secret, std::string_view credential);

// The refusal of an unknown access key: the same for unknown and revoked ones.
SignatureRefusal UnknownAccessKey();

// Returns the value that CheckSignature compares with, in hexadecimal, or nullopt if a signed header is
// missing or the body does not match its stated digest. For tests and signers.
std::optional<std::string> SignatureOf(const SignedRequest& request, const SignatureClaim& claim,
                                       std::string_view signing_key);

}  // namespace parley::accounts
