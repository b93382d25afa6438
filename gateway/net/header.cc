#include "gateway/net/header.h"

#include <algorithm>
#include <array>
#include <utility>

namespace parley::gateway {
namespace {

constexpr std::array<bool, 256> TokenCharacters() {
  std::array<bool, 256> set = {};
  for (int c = 'a'; c <= 'z'; ++c)
    set[static_cast<size_t>(c)] = set[static_cast<size_t>(c - 'a' + 'A')] = true;
  for (int c = '0'; c <= '9'; ++c) set[static_cast<size_t>(c)] = true;
  for (const char c : std::string_view("!#$%&'*+-.^_`|~")) set[static_cast<size_t>(c)] = true;
  return set;
}
constexpr std::array<bool, 256> kTokenCharacters = TokenCharacters();

bool IsNameCharacter(char c) {
  return kTokenCharacters[static_cast<unsigned char>(c)];
}

bool IsControl(char c) {
  return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f;
}

}  // namespace

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool IsToken(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), IsNameCharacter);
}

std::string_view TraceIdOf(std::string_view traceparent) {
  // version "-" trace id "-" parent id "-" flags; versions above 00 may append more.
  constexpr size_t kVersion = 2, kTrace = 32, kParent = 16, kFlags = 2;
  constexpr size_t kBytes = kVersion + 1 + kTrace + 1 + kParent + 1 + kFlags;
  const auto is_hex = [&](size_t at, size_t size) {
    return traceparent.substr(at, size).find_first_not_of("0123456789abcdef") == std::string_view::npos;
  };
  const auto is_zero = [&](size_t at, size_t size) {
    return traceparent.substr(at, size).find_first_not_of('0') == std::string_view::npos;
  };
  const size_t trace = kVersion + 1, parent = trace + kTrace + 1, flags = parent + kParent + 1;
  if (traceparent.size() < kBytes || traceparent[trace - 1] != '-' || traceparent[parent - 1] != '-' ||
      traceparent[flags - 1] != '-' || !is_hex(0, kVersion) || !is_hex(trace, kTrace) ||
      !is_hex(parent, kParent) || !is_hex(flags, kFlags))
    return {};
  const std::string_view version = traceparent.substr(0, kVersion);
  if (version == "ff" || (version == "00" && traceparent.size() != kBytes) ||
      (traceparent.size() > kBytes && traceparent[kBytes] != '-') || is_zero(trace, kTrace) ||
      is_zero(parent, kParent))
    return {};
  return traceparent.substr(trace, kTrace);
}

bool HeaderScan::Take(const char* data, size_t size) {
  size_t i = 0;
  while (i < size && at_ != At::kBehind && at_ != At::kFault) at_ = Next(data[i++]);
  bytes_ += i;
  return at_ != At::kFault;
}

HeaderScan::At HeaderScan::Next(char c) {
  switch (at_) {
    case At::kRequestLine:
    case At::kValue:
      if (c == '\r') return At::kLineEnd;
      return IsControl(c) ? At::kFault : at_;
    case At::kLineEnd:
      return c == '\n' ? At::kLineStart : At::kFault;
    case At::kLineStart:
      if (c == '\r') return At::kHeadEnd;
      name_bytes_ = 0;
      [[fallthrough]];
    case At::kName:
      if (c == ':') return AfterName();
      if (!IsNameCharacter(c)) return At::kFault;
      if (name_bytes_ < sizeof name_) name_[name_bytes_] = c;
      ++name_bytes_;
      return At::kName;
    case At::kHeadEnd:
      return c == '\n' ? At::kBehind : At::kFault;
    default:
      return at_;
  }
}

HeaderScan::At HeaderScan::AfterName() {
  if (name_bytes_ == 0) return At::kFault;
  const std::string_view name(name_, name_bytes_ <= sizeof name_ ? name_bytes_ : 0);
  bool* seen = EqualsIgnoringCase(name, "host")             ? &has_host_
               : EqualsIgnoringCase(name, "content-length") ? &has_length_
                                                            : nullptr;
  if (!seen) return At::kValue;
  return std::exchange(*seen, true) ? At::kFault : At::kValue;
}

bool ListNames(std::string_view list, std::string_view name) {
  for (;;) {
    const size_t comma = list.find(',');
    if (EqualsIgnoringCase(Trimmed(list.substr(0, comma)), name)) return true;
    if (comma == std::string_view::npos) return false;
    list.remove_prefix(comma + 1);
  }
}

bool IsSoundHost(std::string_view host_and_port) {
  constexpr std::string_view kInName = "-._~%!$&'()*+,;=", kInBrackets = "0123456789abcdefABCDEF:.";
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_alnum = [&](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  std::string_view host = host_and_port;
  if (const size_t colon = host.rfind(':'); colon != std::string_view::npos && host.back() != ']') {
    const std::string_view port = host.substr(colon + 1);
    if (port.size() > 5 || !std::all_of(port.begin(), port.end(), is_digit)) return false;
    host = host.substr(0, colon);
  }
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
    return host.find_first_not_of(kInBrackets) == std::string_view::npos;
  }
  return std::all_of(host.begin(), host.end(),
                     [&](char c) { return is_alnum(c) || kInName.find(c) != std::string_view::npos; });
}

RequestTarget SplitRequestTarget(std::string_view target) {
  RequestTarget out;
  if (target.find('#') != std::string_view::npos) return out;
  if (target == "*" || (!target.empty() && target.front() == '/')) {
    out.valid = true;
    out.path = std::string(target);
    return out;
  }
  const size_t scheme = target.find("://");
  if (scheme == std::string_view::npos) return out;
  constexpr std::string_view kSchemes[] = {"http", "https", "ws", "wss"};
  const bool known = std::any_of(std::begin(kSchemes), std::end(kSchemes), [&](std::string_view one) {
    return EqualsIgnoringCase(target.substr(0, scheme), one);
  });
  const std::string_view rest = target.substr(scheme + 3);
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?"));
  out.valid = known && !authority.empty() && IsSoundHost(authority);
  out.authority = std::string(authority);
  const std::string_view path = rest.substr(authority.size());
  if (path.empty() || path.front() == '?') out.path = '/';
  out.path += path;
  return out;
}

}  // namespace parley::gateway
