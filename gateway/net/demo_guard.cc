#include "gateway/net/demo_guard.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <strings.h>

#include <algorithm>
#include <memory>

namespace parley::gateway {
namespace {

constexpr uint32_t kLoopbackNet = 127;

bool IsLoopback(const in_addr& address) {
  return ntohl(address.s_addr) >> 24 == kLoopbackNet;
}

bool IsLoopback(const sockaddr* address) {
  if (address->sa_family == AF_INET)
    return IsLoopback(reinterpret_cast<const sockaddr_in*>(address)->sin_addr);
  if (address->sa_family != AF_INET6) return false;
  const in6_addr& six = reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr;
  return IN6_IS_ADDR_LOOPBACK(&six);
}

bool IsPort(std::string_view text) {
  return !text.empty() && text.size() <= 5 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view WithoutBrackets(std::string_view host) {
  if (host.size() < 2 || host.front() != '[' || host.back() != ']') return host;
  return host.substr(1, host.size() - 2);
}

std::string Numeric(const addrinfo& found) {
  char text[NI_MAXHOST] = {};
  ::getnameinfo(found.ai_addr, found.ai_addrlen, text, sizeof text, nullptr, 0, NI_NUMERICHOST);
  return text;
}

}  // namespace

bool NamesThisMachine(std::string_view host_and_port) {
  std::string_view host = host_and_port;
  const size_t colon = host.rfind(':');
  if (colon != std::string_view::npos && host.back() != ']') {
    if (!IsPort(host.substr(colon + 1))) return false;
    host = host.substr(0, colon);
  }
  const std::string name(host);
  in_addr four = {};
  return ::strcasecmp(name.c_str(), "localhost") == 0 || name == "[::1]" ||
         (::inet_pton(AF_INET, name.c_str(), &four) == 1 && IsLoopback(four));
}

bool IsFromThisMachine(const HttpRequest& request) {
  const std::string* host = request.Header("Host");
  if (!host || !NamesThisMachine(*host)) return false;
  const std::string* origin = request.Header("Origin");
  if (!origin) return true;
  const size_t scheme = origin->find("://");
  return scheme != std::string::npos && NamesThisMachine(std::string_view(*origin).substr(scheme + 3));
}

std::string ResolveLoopback(const std::string& host, std::string* address) {
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  const std::string name(WithoutBrackets(host));
  if (const int failed = ::getaddrinfo(name.c_str(), nullptr, &hints, &list); failed != 0)
    return host + " cannot be resolved: " + ::gai_strerror(failed);
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> found(list, &::freeaddrinfo);
  for (const addrinfo* one = list; one; one = one->ai_next) {
    if (!IsLoopback(one->ai_addr))
      return "--demo issues tokens to anyone, so it listens on loopback only, and " + host + " resolves to " +
             Numeric(*one);
  }
  *address = Numeric(*list);
  return {};
}

}  // namespace parley::gateway
