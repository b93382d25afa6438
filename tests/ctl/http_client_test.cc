// parleyctl sends its key unencrypted only to its own machine.
#include <gtest/gtest.h>

#include "ctl/http_client.h"

namespace parley::ctl_test {
namespace {

std::string FaultOf(const std::string& url, bool plain_http = false) {
  return ctl::HttpClient({url, "opk_x", "", plain_http}).Fault();
}

TEST(CtlClient, an_unencrypted_key_is_sent_only_to_this_machine) {
  for (const char* url :
       {"http://localhost:8080", "http://127.0.0.1:8080", "http://127.3.2.1", "http://[::1]:80",
        "HTTP://LOCALHOST", "https://chat.example.com", "https://127.evil.example"})
    EXPECT_EQ(FaultOf(url), "") << url;
  for (const char* url :
       {"http://127.evil.example", "http://127.0.0.1.evil.example", "http://localhost.evil.example",
        "http://127.0.0.1@evil.example", "http://[::1].evil.example", "http://128.0.0.1",
        "http://[::ffff:10.0.0.1]", "http://chat.example.com", "http://localhosts", "http://127.",
        "ftp://localhost", "localhost:8080", ""})
    EXPECT_NE(FaultOf(url), "") << url;
  EXPECT_EQ(FaultOf("http://chat.example.com", true), "");
}

}  // namespace
}  // namespace parley::ctl_test
