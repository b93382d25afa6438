#include "accounts/sigv4_parts.h"

#include <algorithm>
#include <array>
#include <utility>

#include "accounts/sigv4.h"

namespace parley::accounts {
namespace {

using OptionalPart = std::optional<std::string_view>;

// Parses "AWS4-HMAC-SHA256 Credential=…, SignedHeaders=…, Signature=…": commas and blanks separate alike.
// Returns false if a pair is not of the form name=value, or occurs twice.
bool ReadPairs(std::string_view text, SignatureParts* parts) {
  while (true) {
    text.remove_prefix(std::min(text.size(), text.find_first_not_of(", \t")));
    if (text.empty()) return true;
    const std::string_view pair = text.substr(0, text.find_first_of(", \t"));
    text.remove_prefix(pair.size());
    const size_t equals = pair.find('=');
    if (equals == std::string_view::npos) return false;
    const std::string_view name = pair.substr(0, equals);
    OptionalPart* const place = name == "Credential"      ? &parts->credential
                                : name == "SignedHeaders" ? &parts->signed_headers
                                : name == "Signature"     ? &parts->signature
                                                          : nullptr;
    if (!place) continue;
    if (place->has_value()) return false;
    *place = pair.substr(equals + 1);
  }
}

}  // namespace

bool IsSignedInQuery(const QueryParameters& parameters) {
  return std::any_of(parameters.begin(), parameters.end(),
                     [](const auto& parameter) { return parameter.first == "X-Amz-Algorithm"; });
}

std::string ReadHeaderParts(const std::string& authorization, HttpHeaders headers, SignatureParts* parts) {
  if (authorization.size() > kAuthorizationBytesMax) return "Authorization header is too long.";
  const std::string_view text = authorization;
  parts->algorithm = text.substr(0, text.find_first_of(" \t"));
  if (!ReadPairs(text.substr(parts->algorithm.size()), parts))
    return "Authorization header is not a list of distinct key=value pairs.";
  const std::string* date = FindHeader(headers, "x-amz-date");
  if (!date) date = FindHeader(headers, "date");
  if (date) parts->date = *date;

  const std::pair<std::string_view, const OptionalPart*> needed[] = {
      {"Credential", &parts->credential},
      {"Signature", &parts->signature},
      {"SignedHeaders", &parts->signed_headers}};
  std::string missing;
  for (const auto& [name, place] : needed) {
    if (!*place) missing += "Authorization header requires '" + std::string(name) + "' parameter. ";
  }
  if (!date)
    missing += "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ";
  return missing;
}

std::string ReadQueryParts(const QueryParameters& parameters, SignatureParts* parts) {
  OptionalPart algorithm, token;
  const std::pair<std::string_view, OptionalPart*> known[] = {
      {"X-Amz-Algorithm", &algorithm},        {"X-Amz-Credential", &parts->credential},
      {"X-Amz-Signature", &parts->signature}, {"X-Amz-SignedHeaders", &parts->signed_headers},
      {"X-Amz-Date", &parts->date},           {"X-Amz-Expires", &parts->expires},
      {"X-Amz-Security-Token", &token}};
  constexpr size_t kNeeded = 5;  // the first ones
  for (const auto& [name, value] : parameters) {
    const auto found = std::find_if(std::begin(known), std::end(known),
                                    [&name = name](const auto& one) { return one.first == name; });
    if (found == std::end(known)) continue;
    if (*found->second) return "AWS query-string parameters must be given once.";
    *found->second = value;
  }
  std::string missing;
  for (size_t i = 0; i < kNeeded; ++i) {
    const auto& [name, place] = known[i];
    if (place->value_or("").empty())
      missing += "AWS query-string parameters must include '" + std::string(name) + "'. ";
  }
  if (!missing.empty()) return missing + "Re-examine the query-string parameters.";
  parts->algorithm = algorithm.value_or("");
  parts->session_token = token.has_value();
  return {};
}

}  // namespace parley::accounts
