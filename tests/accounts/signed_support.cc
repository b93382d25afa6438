#include "tests/accounts/signed_support.h"

#include <algorithm>
#include <sstream>

#include "accounts/sigv4_date.h"

namespace parley::accounts {

std::string* Signed::Header(std::string_view wanted) {
  for (auto& [known, value] : headers) {
    if (AsciiLower(known) == AsciiLower(wanted)) return &value;
  }
  return nullptr;
}

std::vector<Signed> ReadSigned(const std::string& text) {
  std::vector<Signed> out;
  std::istringstream lines(text);
  bool in_body = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("=== ")) {
      out.push_back({line.substr(4), "", "", {}});
      in_body = false;
    } else if (in_body) {
      out.back().body += line;
    } else if (out.back().method.empty()) {
      const size_t blank = line.find(' ');
      out.back().method = line.substr(0, blank);
      out.back().target = line.substr(blank + 1);
    } else if (line.empty()) {
      in_body = true;
    } else {
      const size_t colon = line.find(':');
      out.back().headers.emplace_back(line.substr(0, colon), line.substr(colon + 2));
    }
  }
  return out;
}

void SignNow(Signed* request, int64_t now_s, std::string_view key_id, std::string_view secret,
             std::string_view service) {
  SignatureClaim claim;
  claim.timestamp = FormatBasicTime(now_s);
  claim.access_key_id = key_id;
  claim.credential = claim.access_key_id + "/" + claim.timestamp.substr(0, 8) + "/eu-central-1/" +
                     std::string(service) + "/aws4_request";
  if (!request->Header("host")) request->headers.emplace_back("Host", "localhost:8080");
  request->headers.emplace_back("X-Amz-Date", claim.timestamp);
  std::string names;
  for (const auto& [name, value] : request->headers) claim.signed_headers.push_back(AsciiLower(name));
  std::sort(claim.signed_headers.begin(), claim.signed_headers.end());
  for (const std::string& name : claim.signed_headers) names += (names.empty() ? "" : ";") + name;
  const auto signature =
      SignatureOf(request->View(), claim, DeriveSigningKey(secret, claim.credential)).value_or("none");
  request->headers.emplace_back("Authorization", "AWS4-HMAC-SHA256 Credential=" + claim.credential +
                                                     ", SignedHeaders=" + names + ", Signature=" + signature);
}

}  // namespace parley::accounts
