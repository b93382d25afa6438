// The headers that every answer has, whichever part of the server makes it.
#include "gateway/net/http_answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>

#include "tests/gateway/transport_support.h"
#include "tests/gateway/ws_test_client_support.h"

namespace parley::gateway_test {
namespace {

using gateway::HttpResponse;
using testing::MatchesRegex;

const char kDate[] =
    "(Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9][0-9] (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) "
    "20[0-9][0-9] [0-9][0-9]:[0-9][0-9]:[0-9][0-9] GMT";

size_t Count(const std::string& text, const std::string& what) {
  size_t found = 0;
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) ++found;
  return found;
}

TEST(HttpDate, has_the_format_of_the_rfc) {
  EXPECT_EQ(protocol::HttpDate(784'111'777), "Sun, 06 Nov 1994 08:49:37 GMT") << "RFC 9110 §5.6.7";
  EXPECT_EQ(protocol::HttpDate(0), "Thu, 01 Jan 1970 00:00:00 GMT");
  EXPECT_EQ(protocol::HttpDate(951'825'599), "Tue, 29 Feb 2000 11:59:59 GMT");
}

TEST(HttpDate, is_the_current_second) {
  const auto before = std::time(nullptr);
  const std::string date(gateway::DateOfNow());
  const auto after = std::time(nullptr);
  EXPECT_THAT(date, testing::AnyOf(protocol::HttpDate(before), protocol::HttpDate(after)));
}

TEST(AnswerHead, always_has_a_date_and_forbids_type_sniffing) {
  const HttpResponse answer{200, {{"date", "yesterday"}, {"X-CONTENT-TYPE-OPTIONS", "sniff"}}, "x"};
  const std::string head = gateway::AnswerHead(answer, {1, false}, true, true);
  EXPECT_EQ(Count(head, "\r\nDate: "), 1u) << head;
  EXPECT_EQ(Count(head, "\r\nX-Content-Type-Options: nosniff\r\n"), 1u) << head;
  EXPECT_EQ(Count(head, "yesterday") + Count(head, "sniff\r\n"), 1u) << head;
}

// Answers of handlers, refusals of unreadable requests and of requests without room, and the upgrade.
TEST(AnswerHead, is_the_same_for_all_answers_of_a_socket) {
  gateway::TransportSettings settings;
  settings.max_connections = 1;
  TestServer server(settings);
  const auto expect_both = [](const WsResponse& answer, int status) {
    EXPECT_EQ(answer.status, status);
    EXPECT_THAT(answer.Header("Date"), MatchesRegex(kDate)) << status;
    EXPECT_EQ(answer.Header("X-Content-Type-Options"), "nosniff") << status;
  };
  for (const auto& [request, status] :
       {std::pair<std::string, int>{"GET /x HTTP/1.1\r\nHost: a\r\n\r\n", 200},
        {"HEAD /x HTTP/1.1\r\nHost: a\r\n\r\n", 200},
        {"GET /x HTTP/1.1\r\n\r\n", 400},
        {"GET /x HTTP/2.0\r\nHost: a\r\n\r\n", 505},
        {"POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 999999\r\n\r\n", 413},
        {"POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501},
        {"GET /x HTTP/1.1\r\nHost: a\r\nX-Large: " + std::string(17'000, 'x') + "\r\n\r\n", 431},
        {"GET /drop HTTP/1.1\r\nHost: a\r\n\r\n", 500}}) {
    WsTestClient client;
    ASSERT_TRUE(client.Dial(server.port()));
    client.SendRaw(request);
    expect_both(client.ReadResponse(request.front() == 'H'), status);
    client.Close();
    ASSERT_TRUE(server.AwaitOpen(0));
  }
  WsTestClient socket;
  expect_both(socket.Connect(server.port(), "/echo"), 101);
  expect_both(HttpGet(server.port(), "/x"), 503);
  socket.Close();
  ASSERT_TRUE(server.AwaitOpen(0));
  expect_both(socket.Connect(server.port(), "/refuse"), 403);
  socket.Close();
  ASSERT_TRUE(server.AwaitOpen(0));
  expect_both(socket.Connect(server.port(), "/echo", {}, {{"Sec-WebSocket-Version", "8"}}), 426);
}

}  // namespace
}  // namespace parley::gateway_test
