#include "gateway/net/address.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "gateway/net/header.h"

namespace parley::gateway {
namespace {

constexpr size_t kMappedBits = 96;  // the prefix of IPv4 addresses within IPv6
constexpr size_t kGroupBytes = 8;   // a /64
constexpr unsigned char kMapped[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
// A longer list is forged or a loop of proxies, so stop there.
constexpr int kHopsMax = 32;

bool SameStart(const IpAddress& a, const IpAddress& b, size_t bits) {
  const size_t whole = bits / 8;
  if (std::memcmp(a.bytes.data(), b.bytes.data(), whole) != 0) return false;
  if (bits % 8 == 0) return true;
  const auto mask = static_cast<unsigned char>(0xff << (8 - bits % 8));
  return ((a.bytes[whole] ^ b.bytes[whole]) & mask) == 0;
}

// Removes the last element of the list and returns it.
std::string_view TakeLast(std::string_view* list) {
  const size_t comma = list->rfind(',');
  const std::string_view last = comma == std::string_view::npos ? *list : list->substr(comma + 1);
  *list = comma == std::string_view::npos ? std::string_view() : list->substr(0, comma);
  return Trimmed(last);
}

}  // namespace

bool IpAddress::is_v4() const {
  return std::equal(std::begin(kMapped), std::end(kMapped), bytes.begin());
}

std::string IpAddress::Text() const {
  char text[INET6_ADDRSTRLEN] = {};
  if (is_v4()) {
    ::inet_ntop(AF_INET, bytes.data() + sizeof kMapped, text, sizeof text);
  } else {
    ::inet_ntop(AF_INET6, bytes.data(), text, sizeof text);
  }
  return text;
}

std::optional<IpAddress> ParseAddress(std::string_view text) {
  char copy[INET6_ADDRSTRLEN] = {};
  if (text.size() >= sizeof copy) return std::nullopt;
  std::copy(text.begin(), text.end(), copy);
  if (std::strlen(copy) != text.size()) return std::nullopt;  // it contains a zero byte
  IpAddress out;
  if (::inet_pton(AF_INET6, copy, out.bytes.data()) == 1) return out;
  std::copy(std::begin(kMapped), std::end(kMapped), out.bytes.begin());
  if (::inet_pton(AF_INET, copy, out.bytes.data() + sizeof kMapped) == 1) return out;
  return std::nullopt;
}

std::string AddressGroup(std::string_view address) {
  auto parsed = ParseAddress(address);
  if (!parsed) return std::string(address);
  if (parsed->is_v4()) return parsed->Text();
  std::fill(parsed->bytes.begin() + kGroupBytes, parsed->bytes.end(), static_cast<unsigned char>(0));
  return parsed->Text() + "/64";
}

std::optional<TrustedProxies::Network> TrustedProxies::ParseNetwork(std::string_view text) {
  const size_t slash = text.find('/');
  const auto first = ParseAddress(text.substr(0, slash));
  if (!first) return std::nullopt;
  const bool written_as_v4 = text.find(':') == std::string_view::npos;
  const size_t base = written_as_v4 ? kMappedBits : 0;
  const size_t most = 128 - base;
  size_t bits = most;
  if (slash != std::string_view::npos) {
    const std::string_view digits = text.substr(slash + 1);
    const auto [at, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
    if (error != std::errc() || at != digits.data() + digits.size() || bits > most) return std::nullopt;
  }
  for (size_t bit = base + bits; bit < 128; ++bit) {
    if ((first->bytes[bit / 8] & (0x80 >> bit % 8)) != 0) return std::nullopt;
  }
  return Network{*first, base + bits};
}

std::shared_ptr<const TrustedProxies> TrustedProxies::Parse(std::string_view list, std::string* error) {
  auto proxies = std::make_shared<TrustedProxies>();
  while (!list.empty()) {
    const std::string_view text = TakeLast(&list);
    if (text.empty()) continue;
    const auto network = ParseNetwork(text);
    if (!network) {
      *error = std::string(text) + " is no address and no network";
      return nullptr;
    }
    proxies->networks_.push_back(*network);
  }
  return proxies;
}

bool TrustedProxies::Contains(const IpAddress& address) const {
  return std::any_of(networks_.begin(), networks_.end(),
                     [&](const Network& network) { return SameStart(network.first, address, network.bits); });
}

std::string TrustedProxies::ClientOf(const std::string& peer, const std::string* forwarded_for) const {
  auto nearest = ParseAddress(peer);
  if (!nearest || !forwarded_for) return peer;
  std::string_view rest = *forwarded_for;
  for (int hop = 0; hop < kHopsMax && !rest.empty() && Contains(*nearest); ++hop) {
    const auto next = ParseAddress(TakeLast(&rest));
    if (!next) break;
    nearest = next;
  }
  return nearest->Text();
}

}  // namespace parley::gateway
