// Grouping of addresses into peers, and the client address that a trusted proxy reports.
#include "gateway/net/address.h"

#include <gtest/gtest.h>

namespace parley::gateway_test {
namespace {

using gateway::AddressGroup;
using gateway::ParseAddress;
using gateway::TrustedProxies;

TEST(AddressGroup, IsTheAddressOrTheNetworkOfOneCustomer) {
  EXPECT_EQ(AddressGroup("192.0.2.1"), "192.0.2.1");
  EXPECT_EQ(AddressGroup("::ffff:192.0.2.1"), "192.0.2.1");
  EXPECT_EQ(AddressGroup("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
  EXPECT_EQ(AddressGroup("2001:DB8:1:2::"), "2001:db8:1:2::/64");
  EXPECT_NE(AddressGroup("2001:db8:1:3::1"), AddressGroup("2001:db8:1:2::1"));
  EXPECT_EQ(AddressGroup("::1"), "::/64");
  EXPECT_EQ(AddressGroup("not an address"), "not an address");
}

TEST(Address, IsReadStrictly) {
  for (const char* good : {"1.2.3.4", "::", "::ffff:1.2.3.4", "2001:db8::1"}) EXPECT_TRUE(ParseAddress(good));
  for (const std::string bad : {"", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.4:80", "[::1]", "fe80::1%eth0",
                                " 1.2.3.4", "unknown", "1.2.3.256", "0x1.2.3.4", ":::", "1:2:3:4:5:6:7:8:9"})
    EXPECT_FALSE(ParseAddress(bad)) << bad;
  EXPECT_FALSE(ParseAddress(std::string_view("1.2.3.4\0x", 9)));
  EXPECT_FALSE(ParseAddress(std::string(10'000, '1')));
}

std::shared_ptr<const TrustedProxies> Proxies(const std::string& list) {
  std::string why;
  auto proxies = TrustedProxies::Parse(list, &why);
  EXPECT_TRUE(proxies) << why;
  return proxies;
}

TEST(TrustedProxies, NetworksAreTakenToTheBit) {
  const auto proxies = Proxies(" 10.0.0.0/8,192.0.2.128/25 , 2001:db8::/33, ::1,198.51.100.7");
  for (const char* in : {"10.0.0.0", "10.255.255.255", "192.0.2.128", "192.0.2.255", "2001:db8:7fff::", "::1",
                         "198.51.100.7", "::ffff:10.1.2.3"})
    EXPECT_TRUE(proxies->Contains(*ParseAddress(in))) << in;
  for (const char* out :
       {"9.255.255.255", "11.0.0.0", "192.0.2.127", "2001:db8:8000::", "::2", "198.51.100.8", "::a00:0"})
    EXPECT_FALSE(proxies->Contains(*ParseAddress(out))) << out;
  EXPECT_TRUE(Proxies("0.0.0.0/0")->Contains(*ParseAddress("1.2.3.4")));
  EXPECT_FALSE(Proxies("0.0.0.0/0")->Contains(*ParseAddress("2001:db8::1"))) << "of IPv4 only";
  EXPECT_FALSE(Proxies("")->Contains(*ParseAddress("127.0.0.1")));
}

TEST(TrustedProxies, InvalidNetworksAreRefusedByName) {
  for (const std::string bad : {"10.0.0.0/33", "10.0.0.1/8", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8x",
                                "2001:db8::/129", "2001:db8::1/64", "proxy.example", "10.0.0.0/8/8", "/8"}) {
    std::string why;
    EXPECT_EQ(TrustedProxies::Parse("::1," + bad + ", 10.0.0.1", &why), nullptr) << bad;
    EXPECT_EQ(why, bad + " is no address and no network");
  }
}

TEST(TrustedProxies, TheClientIsTheRightmostUntrustedAddress) {
  const auto proxies = Proxies("10.0.0.0/8, 2001:db8::/32");
  const auto client = [&](const std::string& peer, const std::string& header) {
    return proxies->ClientOf(peer, &header);
  };
  EXPECT_EQ(client("10.0.0.1", "192.0.2.1"), "192.0.2.1");
  EXPECT_EQ(client("10.0.0.1", "203.0.113.9, 192.0.2.1"), "192.0.2.1")
      << "what is left of it anybody may write";
  EXPECT_EQ(client("10.0.0.1", "192.0.2.1,10.0.0.2 ,\t2001:db8::7"), "192.0.2.1");
  EXPECT_EQ(client("10.0.0.1", "10.0.0.3, 10.0.0.2"), "10.0.0.3") << "all are trusted: the farthest";
  EXPECT_EQ(client("10.0.0.1", "::ffff:192.0.2.1"), "192.0.2.1");
  EXPECT_EQ(client("192.0.2.7", "203.0.113.9"), "192.0.2.7") << "who is not trusted is not believed";
  EXPECT_EQ(proxies->ClientOf("10.0.0.1", nullptr), "10.0.0.1");
  EXPECT_EQ(client("10.0.0.1", ""), "10.0.0.1");
  for (const std::string bad : {"unknown", "192.0.2.1:80", "_hidden", "192.0.2.1,", "[2001:db9::1]"})
    EXPECT_EQ(client("10.0.0.1", "203.0.113.9, " + bad), "10.0.0.1") << bad;
  EXPECT_EQ(client("10.0.0.1", "203.0.113.9, bad, 10.0.0.2"), "10.0.0.2") << "the proxy that wrote it";
}

TEST(TrustedProxies, ALongListCostsNoMoreThanItsLastAddresses) {
  std::string list = "203.0.113.9";
  while (list.size() < 15'000) list += ",10.0.0.2";
  EXPECT_EQ(Proxies("10.0.0.0/8")->ClientOf("10.0.0.1", &list), "10.0.0.2");
}

}  // namespace
}  // namespace parley::gateway_test
