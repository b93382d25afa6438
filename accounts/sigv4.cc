#include "accounts/sigv4.h"

#include <algorithm>
#include <array>

#include "accounts/sigv4_date.h"
#include "accounts/sigv4_parts.h"
#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"

namespace parley::accounts {
namespace {

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";
constexpr std::string_view kTerminator = "aws4_request";
constexpr std::string_view kContentHashHeader = "x-amz-content-sha256";
constexpr std::string_view kTargetHeader = "x-amz-target";

SignatureRefusal Incomplete(std::string message) {
  return {SignatureFault::kIncomplete, std::move(message)};
}

SignatureRefusal Mismatch() {
  return {
      SignatureFault::kMismatch,
      "The request signature we calculated does not match the signature you provided. Check your AWS Secret "
      "Access Key and signing method. Consult the service documentation for details."};
}

std::string Minutes(std::string_view sign) {
  return " " + std::string(sign) + " " + std::to_string(kSignatureWindowS / 60) + " min.)";
}

std::optional<SignatureRefusal> CheckClock(int64_t signed_s, int64_t valid_for_s, int64_t now_s) {
  const bool early = signed_s > now_s + kSignatureWindowS;
  if (!early && signed_s + valid_for_s >= now_s) return std::nullopt;
  const std::string now = FormatBasicTime(now_s);
  if (early)
    return SignatureRefusal{SignatureFault::kNotYet,
                            "Signature not yet current: " + FormatBasicTime(signed_s) +
                                " is still later than " + FormatBasicTime(now_s + kSignatureWindowS) + " (" +
                                now + Minutes("+")};
  if (valid_for_s == kSignatureWindowS)
    return SignatureRefusal{SignatureFault::kExpired,
                            "Signature expired: " + FormatBasicTime(signed_s) + " is now earlier than " +
                                FormatBasicTime(now_s - kSignatureWindowS) + " (" + now + Minutes("-")};
  return SignatureRefusal{
      SignatureFault::kExpired,
      "Signature expired: " + FormatBasicTime(signed_s + valid_for_s) + " is now earlier than " + now};
}

// How long a signature in the query is valid; nullopt: not a number within bounds.
std::optional<int64_t> ReadExpires(std::optional<std::string_view> text) {
  if (!text) return kSignatureWindowS;
  int64_t seconds = 0;
  if (text->empty() || text->size() > 6) return std::nullopt;
  for (const char c : *text) {
    if (c < '0' || c > '9') return std::nullopt;
    seconds = seconds * 10 + (c - '0');
  }
  return seconds >= 1 && seconds <= kSignatureExpiresMaxS ? std::optional(seconds) : std::nullopt;
}

std::optional<SignatureRefusal> ReadClock(const SignatureParts& parts, bool in_query, protocol::Time now,
                                          SignatureClaim* claim) {
  std::optional<int64_t> signed_s = ParseBasicTime(parts.date.value_or(""));
  if (!signed_s && !in_query) signed_s = ParseHttpDate(parts.date.value_or(""));
  if (!signed_s) return Incomplete("Date must be in ISO-8601 'basic format'.");
  const auto valid_for_s = ReadExpires(parts.expires);
  if (!valid_for_s)
    return Incomplete("X-Amz-Expires must be a number of seconds, at least 1 and at most 604800.");
  claim->timestamp = FormatBasicTime(*signed_s);
  claim->valid_for_s = *valid_for_s;
  return CheckClock(*signed_s, *valid_for_s, now.ms / 1000);
}

// nullopt: too many, or an empty name.
std::optional<std::vector<std::string>> ReadSignedHeaders(std::string_view list) {
  std::vector<std::string> out;
  while (true) {
    const std::string_view name = list.substr(0, list.find(';'));
    if (name.empty() || out.size() == kSignedHeadersMax) return std::nullopt;
    out.push_back(AsciiLower(name));
    if (name.size() == list.size()) break;
    list.remove_prefix(name.size() + 1);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// Headers that decide the target, time and action of a request must be signed; a proxy may change the rest.
std::optional<SignatureRefusal> CheckSignedHeaders(const SignatureClaim& claim, HttpHeaders headers) {
  const auto is_signed = [&](std::string_view name) {
    return std::binary_search(claim.signed_headers.begin(), claim.signed_headers.end(), name);
  };
  const auto refuse = [](std::string_view name) {
    return SignatureRefusal{SignatureFault::kUnsigned,
                            "'" + std::string(name) + "' must be a 'SignedHeader' in the AWS Authorization."};
  };
  if (!is_signed("host")) return refuse("Host");
  if (!claim.in_query) {
    const bool amz = FindHeader(headers, "x-amz-date") != nullptr;
    if (!is_signed(amz ? "x-amz-date" : "date")) return refuse(amz ? "X-Amz-Date" : "Date");
  }
  if (FindHeader(headers, kTargetHeader) && !is_signed(kTargetHeader)) return refuse("X-Amz-Target");
  return std::nullopt;
}

bool IsScopeWord(std::string_view text) {
  return !text.empty() && text.size() <= kScopeWordBytesMax &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                  c == '_' || c == '.';
         });
}

// The five words of "key/date/region/service/aws4_request", or nullopt.
std::optional<std::array<std::string_view, 5>> SplitCredential(std::string_view credential) {
  std::array<std::string_view, 5> out;
  for (size_t i = 0; i < out.size(); ++i) {
    const size_t end = credential.find('/');
    if ((end == std::string_view::npos) != (i + 1 == out.size())) return std::nullopt;
    out[i] = credential.substr(0, end);
    credential.remove_prefix(std::min(credential.size(), end + 1));
  }
  return out;
}

std::optional<SignatureRefusal> ReadCredential(std::string_view credential, std::string_view service,
                                               SignatureClaim* claim) {
  const auto words = SplitCredential(credential);
  if (!words || !IsScopeWord((*words)[0]))
    return SignatureRefusal{SignatureFault::kBadCredential,
                            "Credential must have exactly 5 slash-delimited elements, e.g. "
                            "keyid/date/region/service/term."};
  const auto& [key, date, region, named, end] = *words;
  std::string wrong;
  if (!IsScopeWord(region)) wrong += "Credential should be scoped to a valid region. ";
  if (named != service)
    wrong += "Credential should be scoped to correct service: '" + std::string(service) + "'. ";
  if (end != kTerminator) wrong += "Credential should be scoped with a valid terminator: 'aws4_request'. ";
  if (date != std::string_view(claim->timestamp).substr(0, 8))
    wrong += "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP. ";
  if (!wrong.empty()) return SignatureRefusal{SignatureFault::kBadScope, std::move(wrong)};
  claim->access_key_id = key;
  claim->credential = credential;
  return std::nullopt;
}

std::variant<SignatureClaim, SignatureRefusal> ReadParts(const SignatureParts& parts, bool in_query,
                                                         HttpHeaders headers, std::string_view service,
                                                         protocol::Time now) {
  SignatureClaim claim;
  claim.in_query = in_query;
  claim.signature = parts.signature.value_or("");
  if (auto refusal = ReadClock(parts, in_query, now, &claim)) return *std::move(refusal);
  auto names = ReadSignedHeaders(parts.signed_headers.value_or(""));
  if (!names) return Incomplete("SignedHeaders must be a list of at most 50 names.");
  claim.signed_headers = *std::move(names);
  if (auto refusal = CheckSignedHeaders(claim, headers)) return *std::move(refusal);
  if (parts.algorithm != kAlgorithm)
    return SignatureRefusal{SignatureFault::kBadAlgorithm,
                            "Unsupported AWS 'algorithm' (only AWS4-HMAC-SHA256 for now)."};
  if (auto refusal = ReadCredential(parts.credential.value_or(""), service, &claim))
    return *std::move(refusal);
  if (parts.session_token) return UnknownAccessKey();
  return claim;
}

// Returns the digest of the body, or nullopt if the signer states another one or signs no body
// (UNSIGNED-PAYLOAD): an observer of such a request could send other bodies with its signature.
std::optional<std::string> PayloadHash(const SignedRequest& request) {
  const std::string* given = FindHeader(request.headers, kContentHashHeader);
  std::string hash = protocol::Hex(protocol::Sha256(request.body));
  if (given && *given != hash) return std::nullopt;
  return hash;
}

}  // namespace

std::variant<SignatureClaim, SignatureRefusal> ReadSignature(const SignedRequest& request,
                                                             std::string_view service, protocol::Time now) {
  const std::string* header = FindHeader(request.headers, "authorization");
  const auto parameters = ParseQuery(QueryOf(request.target));
  const bool in_query = parameters && IsSignedInQuery(*parameters);
  if (header && in_query)
    return SignatureRefusal{
        SignatureFault::kTwoForms,
        "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header."};
  if (!in_query && (!header || !header->starts_with("AWS4-")))
    return SignatureRefusal{SignatureFault::kMissing, "Request is missing Authentication Token"};
  if (!parameters) return Incomplete("The query string cannot be read.");
  SignatureParts parts;
  std::string missing =
      in_query ? ReadQueryParts(*parameters, &parts) : ReadHeaderParts(*header, request.headers, &parts);
  if (!missing.empty()) return Incomplete(std::move(missing));
  if (FindHeader(request.headers, "x-amz-security-token")) parts.session_token = true;
  return ReadParts(parts, in_query, request.headers, service, now);
}

std::optional<std::string> SignatureOf(const SignedRequest& request, const SignatureClaim& claim,
                                       std::string_view signing_key) {
  const auto parameters = ParseQuery(QueryOf(request.target));
  const auto headers = CanonicalHeaders(request.headers, claim.signed_headers);
  const auto payload = PayloadHash(request);
  if (!parameters || !headers || !payload) return std::nullopt;
  std::string canonical;
  canonical.reserve(512);
  canonical.append(request.method).append("\n");
  canonical.append(CanonicalPath(PathOf(request.target))).append("\n");
  canonical.append(CanonicalQuery(*parameters, claim.in_query)).append("\n");
  canonical.append(*headers).append("\n");
  for (const std::string& name : claim.signed_headers) canonical.append(name).append(";");
  canonical.back() = '\n';
  canonical.append(*payload);

  std::string to_sign;
  to_sign.reserve(256);
  to_sign.append(kAlgorithm).append("\n").append(claim.timestamp).append("\n");
  to_sign.append(claim.credential, claim.access_key_id.size() + 1).append("\n");
  to_sign.append(protocol::Hex(protocol::Sha256(canonical)));
  return protocol::Hex(protocol::HmacSha256(signing_key, to_sign));
}

std::optional<SignatureRefusal> CheckSignature(const SignedRequest& request, const SignatureClaim& claim,
                                               std::string_view signing_key) {
  const std::string* digest = FindHeader(request.headers, kContentHashHeader);
  if (digest && *digest == "UNSIGNED-PAYLOAD")
    return SignatureRefusal{SignatureFault::kMismatch,
                            "The body must be signed: UNSIGNED-PAYLOAD is not accepted."};
  const auto expected = SignatureOf(request, claim, signing_key);
  if (expected && protocol::ConstantTimeEqual(*expected, claim.signature)) return std::nullopt;
  return Mismatch();
}

std::string DeriveSigningKey(std::string_view secret, std::string_view credential) {
  std::string key = "AWS4" + std::string(secret);
  const auto words = SplitCredential(credential);
  if (!words) return {};
  for (size_t i = 1; i < words->size(); ++i) key = protocol::HmacSha256(key, (*words)[i]);
  return key;
}

SignatureRefusal UnknownAccessKey() {
  return {SignatureFault::kUnknownKey, "The security token included in the request is invalid."};
}

}  // namespace parley::accounts
