// Reads any bytes as a signed request: the first line is the target, the second the Authorization header,
// further lines are "name:value" until an empty one, and the rest is the body. Reading is bounded and does
// not crash. For every claim that is read, its own signature is accepted and one with a changed bit is not;
// canonical forms are stable.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "accounts/sigv4.h"
#include "accounts/sigv4_date.h"

namespace {

using namespace parley::accounts;

constexpr int64_t kNow = 1'795'348'800;  // 20261122T120000Z

std::string_view TakeLine(std::string_view* from) {
  const std::string_view line = from->substr(0, from->find('\n'));
  from->remove_prefix(std::min(from->size(), line.size() + 1));
  return line;
}

void Require(bool holds) {
  if (!holds) std::abort();
}

void CheckClaim(const SignedRequest& request, SignatureClaim claim) {
  Require(!claim.access_key_id.empty() && claim.signed_headers.size() <= kSignedHeadersMax);
  const std::string key = DeriveSigningKey("secret", claim.credential);
  const auto signature = SignatureOf(request, claim, key);
  if (!signature) return;  // a signed header is missing, or the digest does not match the body
  claim.signature = *signature;
  Require(!CheckSignature(request, claim, key));
  claim.signature.back() ^= 1;
  Require(CheckSignature(request, claim, key).has_value());
}

void CheckForms(std::string_view target) {
  const std::string path = CanonicalPath(PathOf(target));
  Require(path.front() == '/' && path.find("//") == std::string::npos &&
          path.find("/./") == std::string::npos);
  const auto query = ParseQuery(QueryOf(target));
  if (!query) return;
  Require(query->size() <= kQueryParametersMax);
  const std::string canonical = CanonicalQuery(*query, false);
  const auto again = ParseQuery(canonical);
  Require(again && CanonicalQuery(*again, false) == canonical);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string_view target = TakeLine(&input);
  std::vector<std::pair<std::string, std::string>> headers = {{"Host", "localhost"}};
  if (const std::string_view authorization = TakeLine(&input); !authorization.empty())
    headers.emplace_back("Authorization", authorization);
  for (std::string_view line = TakeLine(&input); !line.empty(); line = TakeLine(&input)) {
    const size_t colon = std::min(line.find(':'), line.size());
    headers.emplace_back(line.substr(0, colon), line.substr(std::min(colon + 1, line.size())));
  }
  CheckForms(target);
  const SignedRequest request{"POST", target, input, headers};
  const auto read = ReadSignature(request, kTablesService, {kNow * 1000});
  if (const auto* claim = std::get_if<SignatureClaim>(&read)) CheckClaim(request, *claim);
  if (const auto time = ParseBasicTime(target)) Require(FormatBasicTime(*time) == target);
  ParseHttpDate(target);
  return 0;
}
