#include "accounts/sigv4_canonical.h"

#include <algorithm>

#include "protocol/base/ascii.h"
#include "protocol/base/encoding.h"

namespace parley::accounts {
namespace {

constexpr std::string_view kSignatureParameter = "X-Amz-Signature";

constexpr bool IsSpaceOrTab(char c) {
  return c == ' ' || c == '\t';
}

std::optional<std::string> Decoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? protocol::HexDigitOf(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? protocol::HexDigitOf(text[i + 2]) : -1;
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

// Returns the part of `rest` before `separator`; `rest` becomes the text after it.
std::string_view TakeUpTo(char separator, std::string_view* rest) {
  const std::string_view part = rest->substr(0, rest->find(separator));
  rest->remove_prefix(std::min(rest->size(), part.size() + 1));
  return part;
}

void AppendTrimmed(std::string_view value, std::string* out) {
  bool gap = false, begun = false;
  for (const char c : value) {
    if (IsSpaceOrTab(c)) {
      gap = begun;
      continue;
    }
    if (gap) *out += ' ';
    *out += c;
    gap = false;
    begun = true;
  }
}

// `header` in any case, `name` in lower case: less than 0, 0 or more than 0.
int Compare(std::string_view header, std::string_view name) {
  const size_t shared = std::min(header.size(), name.size());
  for (size_t i = 0; i < shared; ++i) {
    const int difference =
        static_cast<unsigned char>(protocol::LowerOf(header[i])) - static_cast<unsigned char>(name[i]);
    if (difference != 0) return difference;
  }
  return header.size() == name.size() ? 0 : header.size() < name.size() ? -1 : 1;
}

// The index of a header among the signed names, or nullopt.
std::optional<size_t> IndexOf(const std::string& header, std::span<const std::string> names) {
  const auto found = std::partition_point(names.begin(), names.end(),
                                          [&](const std::string& name) { return Compare(header, name) > 0; });
  if (found == names.end() || Compare(header, *found) != 0) return std::nullopt;
  return static_cast<size_t>(found - names.begin());
}

}  // namespace

const std::string* FindHeader(HttpHeaders headers, std::string_view name) {
  for (const auto& [known, value] : headers) {
    if (known.size() == name.size() && Compare(known, name) == 0) return &value;
  }
  return nullptr;
}

std::string_view PathOf(std::string_view target) {
  return target.substr(0, target.find('?'));
}

std::string_view QueryOf(std::string_view target) {
  const size_t mark = target.find('?');
  return mark == std::string_view::npos ? std::string_view() : target.substr(mark + 1);
}

std::optional<QueryParameters> ParseQuery(std::string_view query) {
  QueryParameters out;
  while (!query.empty()) {
    std::string_view rest = TakeUpTo('&', &query);
    if (rest.empty()) continue;
    if (out.size() == kQueryParametersMax) return std::nullopt;
    auto name = Decoded(TakeUpTo('=', &rest));
    auto value = Decoded(rest);
    if (!name || !value) return std::nullopt;
    out.emplace_back(*std::move(name), *std::move(value));
  }
  return out;
}

std::string CanonicalPath(std::string_view path) {
  if (path.size() <= 1) return "/";  // nearly every request
  const bool closed = path.back() == '/';
  std::vector<std::string_view> segments;
  while (!path.empty()) {
    const std::string_view segment = TakeUpTo('/', &path);
    if (segment.empty() || segment == ".") continue;
    if (segment != "..") {
      segments.push_back(segment);
    } else if (!segments.empty()) {
      segments.pop_back();
    }
  }
  std::string out;
  for (const std::string_view segment : segments) {
    out += '/';
    protocol::AppendPercentEncoded(segment, "/", &out);
  }
  if (closed || out.empty()) out += '/';
  return out;
}

std::string CanonicalQuery(const QueryParameters& parameters, bool without_signature) {
  QueryParameters encoded;
  for (const auto& [name, value] : parameters) {
    if (without_signature && name == kSignatureParameter) continue;
    auto& one = encoded.emplace_back();
    protocol::AppendPercentEncoded(name, "", &one.first);
    protocol::AppendPercentEncoded(value, "", &one.second);
  }
  std::sort(encoded.begin(), encoded.end());
  std::string out;
  for (const auto& [name, value] : encoded) {
    if (!out.empty()) out += '&';
    out += name;
    out += '=';
    out += value;
  }
  return out;
}

std::optional<std::string> CanonicalHeaders(HttpHeaders headers, std::span<const std::string> names) {
  std::vector<std::string> values(names.size());
  std::vector<bool> found(names.size());
  for (const auto& [name, value] : headers) {
    const auto index = IndexOf(name, names);
    if (!index) continue;
    if (found[*index]) values[*index] += ',';
    AppendTrimmed(value, &values[*index]);
    found[*index] = true;
  }
  if (std::find(found.begin(), found.end(), false) != found.end()) return std::nullopt;
  std::string out;
  for (size_t i = 0; i < names.size(); ++i) {
    out += names[i];
    out += ':';
    out += values[i];
    out += '\n';
  }
  return out;
}

std::string AsciiLower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), protocol::LowerOf);
  return out;
}

}  // namespace parley::accounts
