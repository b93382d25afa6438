// Parses IP addresses, groups them for limits, and finds the client behind trusted proxies. Valid C++17.
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

// An IPv6 address. An IPv4 address is kept in its mapped form (::ffff:a.b.c.d).
struct IpAddress {
  std::array<unsigned char, 16> bytes = {};
  bool is_v4() const;
  std::string Text() const;  // an IPv4 address as a.b.c.d
  bool operator==(const IpAddress& other) const { return bytes == other.bytes; }
};
// Parses an address without port, brackets or zone; returns nullopt for other text.
std::optional<IpAddress> ParseAddress(std::string_view text);

// Returns the group of addresses that limits count as one peer: an IPv4 address, or the /64 of an IPv6
// address, which belongs to one customer: "192.0.2.1", "2001:db8:0:1::/64". Other text is returned unchanged.
std::string AddressGroup(std::string_view address);

// The proxies that are trusted to report the client's address.
class TrustedProxies {
 public:
  // Parses addresses and networks separated by commas, with or without blanks. Returns null, and the reason
  // in `error`, if an entry is invalid or has bits set after its prefix.
  static std::shared_ptr<const TrustedProxies> Parse(std::string_view list, std::string* error);

  bool Contains(const IpAddress& address) const;
  // Returns the client's address for a request from `peer` with this X-Forwarded-For (null: absent): the
  // right-most address that is not a trusted proxy, since a client may forge everything left of it. If an
  // entry is not an address, the proxy that wrote it counts as the client.
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
