// IP addresses as text: which belong together, and whom a proxy speaks for. Valid C++17.
//
// Thread contract: any thread.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::gateway {

// An IPv6 address; one of IPv4 is the one that maps it (::ffff:a.b.c.d).
struct IpAddress {
  std::array<unsigned char, 16> bytes = {};
  bool is_v4() const;
  std::string Text() const;  // an IPv4 address as a.b.c.d
  bool operator==(const IpAddress& other) const { return bytes == other.bytes; }
};
// Without port, brackets or zone; nothing when it is none.
std::optional<IpAddress> ParseAddress(std::string_view text);

// What counts as one peer in limits: an IPv4 address, or the /64 of an IPv6 address, which one customer has
// to themselves: "192.0.2.1", "2001:db8:0:1::/64". Text that is no address stays as it is.
std::string AddressGroup(std::string_view address);

// The proxies that are believed when they say whom they speak for.
class TrustedProxies {
 public:
  // Addresses and networks separated by commas, with or without blanks. Null and why in `error` when one is
  // none, or has bits set behind its prefix.
  static std::shared_ptr<const TrustedProxies> Parse(std::string_view list, std::string* error);

  bool Contains(const IpAddress& address) const;
  // The address from which a request comes that arrived from `peer` with this X-Forwarded-For (null: none):
  // the right-most that is not trusted, since everything left of it is what a stranger wrote. What is no
  // address ends the search at the proxy that wrote it.
  std::string ClientOf(const std::string& peer, const std::string* forwarded_for) const;

 private:
  struct Network {
    IpAddress first;
    size_t bits;
  };
  static std::optional<Network> ParseNetwork(std::string_view text);

  std::vector<Network> networks_;
};

}  // namespace parley::gateway
