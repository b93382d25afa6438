#include "bench/net/origin.h"

#include <netdb.h>

#include <charconv>
#include <string_view>

namespace parley::bench {
namespace {

struct Scheme {
  std::string_view name;
  bool tls;
  uint16_t port;
};
constexpr Scheme kSchemes[] = {
    {"ws://", false, 80}, {"wss://", true, 443}, {"http://", false, 80}, {"https://", true, 443}};

struct Parts {
  std::string host;
  uint16_t port = 0;
  bool tls = false;
};

std::optional<uint16_t> PortOf(std::string_view text) {
  unsigned port = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (fault != std::errc() || end != text.data() + text.size() || port == 0 || port > 65535)
    return std::nullopt;
  return static_cast<uint16_t>(port);
}

std::optional<Parts> Split(std::string_view text) {
  Parts parts;
  for (const Scheme& scheme : kSchemes) {
    if (!text.starts_with(scheme.name)) continue;
    parts.tls = scheme.tls;
    parts.port = scheme.port;
    text.remove_prefix(scheme.name.size());
    if (text.ends_with('/')) text.remove_suffix(1);
    break;
  }
  const size_t colon = text.find(':');
  if (colon != std::string_view::npos) {
    const auto port = PortOf(text.substr(colon + 1));
    if (!port) return std::nullopt;
    parts.port = *port;
    text = text.substr(0, colon);
  }
  if (text.empty() || parts.port == 0 || text.find_first_of("/?#@[] \r\n") != std::string_view::npos)
    return std::nullopt;
  parts.host = text;
  return parts;
}

}  // namespace

std::optional<Origin> FindOrigin(const OriginWish& wish, std::string* error) {
  const auto parts = Split(wish.server);
  if (!parts) {
    *error = "--server wants host:port or a URL such as wss://chat.example.org, without a path; not " +
             wish.server;
    return std::nullopt;
  }
  if (!parts->tls && (wish.insecure || !wish.ca_file.empty())) {
    *error = "--insecure and --ca are for wss:// and https://; " + wish.server + " is without TLS";
    return std::nullopt;
  }
  Origin origin;
  origin.host = parts->host;
  addrinfo hints{};
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int fault = getaddrinfo(parts->host.c_str(), nullptr, &hints, &found); fault != 0) {
    *error = parts->host + " has no IPv4 address: " + gai_strerror(fault);
    return std::nullopt;
  }
  origin.address = *reinterpret_cast<const sockaddr_in*>(found->ai_addr);
  freeaddrinfo(found);
  origin.address.sin_port = htons(parts->port);
  if (!parts->tls) return origin;
  origin.tls = TlsClient::Make(wish.insecure, wish.ca_file, error);
  return origin.tls ? std::optional(origin) : std::nullopt;
}

}  // namespace parley::bench
