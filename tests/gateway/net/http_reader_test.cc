// Splits bytes into requests: the end of each, for every cut of the bytes, and refusals.
#include "gateway/net/http_reader.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace parley::gateway_test {
namespace {

using gateway::BodyBudget;
using gateway::HttpReader;
using At = HttpReader::At;

constexpr size_t kBodyMax = 100'000;

std::string Described(const HttpReader::Request& request) {
  std::string out = request.head.method + " " + request.head.target;
  for (const auto& [name, value] : request.head.headers) out += " " + name + "=" + value;
  return out + (request.head.keeps_alive ? " stay " : " close ") + request.body;
}

// The requests that a connection would read from these bytes in pieces of this size.
std::vector<std::string> Read(const std::string& bytes, size_t piece,
                              std::shared_ptr<BodyBudget> budget = nullptr) {
  HttpReader reader(std::move(budget));
  std::vector<std::string> seen;
  for (size_t start = 0; start < bytes.size(); start += piece) {
    const size_t end = std::min(bytes.size(), start + piece);
    for (size_t at = start; at < end;) {
      at += reader.Take(bytes.data() + at, end - at);
      if (reader.at() == At::kJudge) reader.AllowBody(kBodyMax);
      if (reader.at() == At::kWhole) seen.push_back(Described(reader.TakeRequest()));
      if (reader.at() != At::kRefused) continue;
      seen.push_back(std::to_string(reader.refusal()));
      return seen;
    }
  }
  if (reader.begun()) seen.push_back("unfinished");
  return seen;
}

// Reads in pieces of every size; fails the test if the results differ.
std::vector<std::string> ReadInAnyPieces(const std::string& bytes) {
  const auto whole = Read(bytes, bytes.size());
  for (size_t piece = 1; piece < std::min<size_t>(bytes.size(), 300); ++piece)
    EXPECT_EQ(Read(bytes, piece), whole) << "in pieces of " << piece;
  return whole;
}

using Texts = std::vector<std::string>;

TEST(HttpReader, RequestsThatFollowEachOtherAreSeparated) {
  EXPECT_EQ(ReadInAnyPieces("GET /a HTTP/1.1\r\nHost: h\r\n\r\n"
                            "POST /b?c=d HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nGET /"
                            "DELETE /c HTTP/1.1\r\nHost: h\r\nConnection: Close\r\n\r\n"),
            (Texts{"GET /a Host=h stay ", "POST /b?c=d Host=h Content-Length=5 stay GET /",
                   "DELETE /c Host=h Connection=Close close "}));
}

TEST(HttpReader, OneEmptyLineBeforeARequestIsSkippedAndNotMore) {
  const std::string request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
  EXPECT_EQ(ReadInAnyPieces("\r\n" + request + "\r\n" + request), Texts(2, "GET / Host=h stay "));
  EXPECT_EQ(ReadInAnyPieces("\r\n\r\n" + request), Texts{"400"});
  EXPECT_EQ(ReadInAnyPieces("\r" + request), Texts{"400"});
  EXPECT_EQ(ReadInAnyPieces("\n" + request), Texts{"400"});
  EXPECT_EQ(ReadInAnyPieces(request + "\r\n"), Texts{"GET / Host=h stay "});
}

TEST(HttpReader, OldPeersStayOnlyIfTheyAsk) {
  EXPECT_EQ(ReadInAnyPieces("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET / HTTP/1.0\r\n\r\n"),
            (Texts{"GET / Connection=keep-alive stay ", "GET / close "}));
  EXPECT_EQ(
      ReadInAnyPieces("GET / HTTP/1.1\r\nHost: h\r\nConnection: keep-alive\r\nConnection: close\r\n\r\n"),
      Texts{"GET / Host=h Connection=keep-alive, close close "});
}

TEST(HttpReader, LinesOfOneNameAreJoined) {
  EXPECT_EQ(ReadInAnyPieces("GET / HTTP/1.1\r\nHost: h\r\nX-A: 1\r\nx-a:2\r\nx-A:\r\nX-B:  \t3 \r\n\r\n"),
            Texts{"GET / Host=h X-A=1, 2 X-B=3 stay "});
}

TEST(HttpReader, RequestsThatAnotherReaderMightEndElsewhereAreRefusedWithTheRest) {
  const std::string smuggled = "GET /admin HTTP/1.1\r\nHost: h\r\n\r\n";
  const auto refused = [&](const std::string& lines) {
    const Texts seen =
        ReadInAnyPieces("POST /x HTTP/1.1\r\nHost: h\r\n" + lines + "\r\n" + "0\r\n\r\n" + smuggled);
    EXPECT_EQ(seen.size(), 1u) << lines;
    return seen.front();
  };
  for (const std::string coding : {"chunked", "xchunked", "", "chunked, identity"}) {
    EXPECT_EQ(refused("Content-Length: 5\r\nTransfer-Encoding: " + coding + "\r\n"), "400") << coding;
    EXPECT_EQ(refused("Transfer-Encoding: " + coding + "\r\nContent-Length: 5\r\n"), "400") << coding;
  }
  EXPECT_EQ(refused("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n"), "400");
  EXPECT_EQ(refused("Transfer-Encoding: gzip, chunked\r\n"), "501");
  EXPECT_EQ(refused("Transfer-Encoding: chunked;q=1\r\n"), "501");
  EXPECT_EQ(refused("Transfer-Encoding:\r\n"), "501");
  EXPECT_EQ(refused("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"), "400");
  EXPECT_EQ(refused("Transfer-Encoding : chunked\r\n"), "400");
  EXPECT_EQ(refused("Transfer-Encoding\r\n : chunked\r\n"), "400");
  EXPECT_EQ(refused("X: y\r\n Transfer-Encoding: chunked\r\n"), "400");
  EXPECT_EQ(refused("X: y\nTransfer-Encoding: chunked\r\n"), "400");
  EXPECT_EQ(refused("Content-Length: 5\r\nContent-Length: 5\r\n"), "400");
  EXPECT_EQ(refused("Content-Length: 5, 5\r\n"), "400");
  EXPECT_EQ(refused("Content-Length: 5;x\r\n"), "400");
  EXPECT_EQ(refused("Content-Length: +5\r\n"), "400");
  EXPECT_EQ(refused("Content-Length: 0x5\r\n"), "400");
  EXPECT_EQ(refused("Content-Length: \r\n"), "400");
  EXPECT_EQ(refused("Content-Length : 5\r\n"), "400");
  EXPECT_EQ(refused("Content-Length: 5\nX: y\r\n"), "400");
}

TEST(HttpReader, ARequestLineIsThreePartsOfAKnownVersion) {
  for (const std::string line : {"GET", "GET /", "GET  / HTTP/1.1", "GET / HTTP/1.1 ", " GET / HTTP/1.1",
                                 "GET /a b HTTP/1.1", "GET\t/ HTTP/1.1", "G(T / HTTP/1.1", "GET / http/1.1",
                                 "GET / HTTP/11", "GET / HTTP/1.", "GET / XTTP/1.1", ""})
    EXPECT_EQ(ReadInAnyPieces(line + "\r\nHost: h\r\n\r\n"), Texts{"400"}) << line;
  for (const std::string version : {"HTTP/0.9", "HTTP/1.2", "HTTP/2.0"})
    EXPECT_EQ(ReadInAnyPieces("GET / " + version + "\r\nHost: h\r\n\r\n"), Texts{"505"}) << version;
  EXPECT_EQ(ReadInAnyPieces("GET / HTTP/1.1\r\n\r\n"), Texts{"400"}) << "without a Host line";
}

TEST(HttpReader, AHostIsAHostAndMayHaveAPort) {
  const auto with = [](const std::string& host) {
    return ReadInAnyPieces("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
  };
  for (const std::string host : {"h", "h:80", "a-b.example.org", "127.0.0.1:8080", "[::1]", "[fe80::1]:443",
                                 "h:", "xn--bcher-kva.example", "my_host", "a%41", "x,y"})
    EXPECT_EQ(with(host), Texts{"GET / Host=" + host + " stay "}) << host;
  EXPECT_EQ(with(""), Texts{"GET / Host= stay "}) << "it is for no host";
  for (const std::string host : {"a/b@c", "a@b", "a/b", "a?b", "a#b", "a b", "a\\b", "h:80:90", "h:x",
                                 "h:123456", "[::1", "::1]", "[h]", "[::1]x", "a\"b", "<h>", "h\xc3\xa4"})
    EXPECT_EQ(with(host), Texts{"400"}) << host;
  for (const char* target : {"http://a@b/", "http://a b/", "http://[::1/", "http://a:b/"})
    EXPECT_EQ(ReadInAnyPieces("GET " + std::string(target) + " HTTP/1.1\r\nHost: h\r\n\r\n"), Texts{"400"})
        << target;
}

TEST(HttpReader, BoundsApplyInEveryCut) {
  const std::string start = "GET / HTTP/1.1\r\nHost: h\r\n";
  const std::string most = start + "X: " + std::string(HttpReader::kHeadBytesMax - start.size() - 7, 'x');
  EXPECT_EQ(Read(most + "\r\n\r\n", 1000).size(), 1u);
  EXPECT_NE(Read(most + "\r\n\r\n", 1000), Texts{"431"});
  EXPECT_EQ(Read(most + "x\r\n\r\n", 1000), Texts{"431"});
  EXPECT_EQ(Read(most + "x\r\n\r\n", 20'000), Texts{"431"});
  std::string lines;
  for (int i = 0; i < 99; ++i) lines += "h" + std::to_string(i) + ":\r\n";
  EXPECT_NE(ReadInAnyPieces(start + lines + "\r\n"), Texts{"431"});
  EXPECT_EQ(ReadInAnyPieces(start + lines + "one: more\r\n\r\n"), Texts{"431"});
  EXPECT_EQ(ReadInAnyPieces(start + "Content-Length: 100001\r\n\r\n"), Texts{"413"});
}

const std::string kChunkedHead = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n";

// Returns the body read from these bytes, or the refusal.
std::string InChunks(const std::string& bytes) {
  const std::string next = "GET /next HTTP/1.1\r\nHost: h\r\n\r\n";
  const Texts seen = ReadInAnyPieces(kChunkedHead + bytes + next);
  const std::string start = "POST / Host=h Transfer-Encoding=Chunked stay ";
  if (seen.size() != 2) return seen.size() == 1 ? seen[0] : "more than one";
  EXPECT_EQ(seen[1], "GET /next Host=h stay ");
  return seen[0].substr(0, start.size()) == start ? seen[0].substr(start.size()) : seen[0];
}

TEST(HttpReaderChunks, AreOneBodyAndTheNextRequestFollows) {
  EXPECT_EQ(InChunks("5\r\nhello\r\n0\r\n\r\n"), "hello");
  EXPECT_EQ(InChunks("0\r\n\r\n"), "");
  EXPECT_EQ(InChunks("1\r\na\r\n1\r\nb\r\nA\r\n0123456789\r\n00000000\r\n\r\n"), "ab0123456789");
  EXPECT_EQ(InChunks("7\r\n\r\n0\r\n\r\n\r\n0\r\n\r\n"), "\r\n0\r\n\r\n") << "data is data";
  EXPECT_EQ(InChunks("5;a=b; c=\"d;e\"\r\nhello\r\n0;x\r\n\r\n"), "hello") << "extensions are ignored";
  EXPECT_EQ(InChunks("5\r\nhello\r\n0\r\nX-Sum: 1\r\nContent-Length: 7\r\n\r\n"), "hello") << "trailers too";
}

TEST(HttpReaderChunks, ChunksThatAnotherReaderMightEndElsewhereAreRefused) {
  for (const std::string bad :
       {"5\nhello\r\n0\r\n\r\n", "5\r\nhello\n0\r\n\r\n", "5\r\nhello0\r\n\r\n", "5 \r\nhello\r\n0\r\n\r\n",
        " 5\r\nhello\r\n0\r\n\r\n", "0x5\r\nhello\r\n0\r\n\r\n", "-5\r\nhello\r\n0\r\n\r\n",
        "+5\r\nhello\r\n0\r\n\r\n", "\r\nhello\r\n0\r\n\r\n", ";a\r\nhello\r\n0\r\n\r\n",
        "g\r\nhello\r\n0\r\n\r\n", "000000005\r\nhello\r\n0\r\n\r\n", "5;a\nb\r\nhello\r\n0\r\n\r\n",
        "5;a\rb\r\nhello\r\n0\r\n\r\n", "5\r\nhello\r\n0\r\nX : 1\r\n\r\n",
        "5\r\nhello\r\n0\r\n X: 1\r\n\r\n", "5\r\nhello\r\n0\r\nX: 1\n\r\n", "5\r\nhello\r\n0\r\nX: 1\r\n\n",
        "100000000\r\nhello"})
    EXPECT_EQ(InChunks(bad), "400") << bad;
  EXPECT_EQ(ReadInAnyPieces("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), Texts{"400"});
}

TEST(HttpReaderChunks, AreBoundedTogetherAndBeforeTheyArrive) {
  const auto chunk = [](size_t bytes) {
    char size[16];
    std::snprintf(size, sizeof size, "%zx\r\n", bytes);
    return size + std::string(bytes, 'x') + "\r\n";
  };
  const std::string end = "0\r\n\r\n";
  EXPECT_EQ(Read(kChunkedHead + chunk(kBodyMax) + end, 4096).size(), 1u);
  EXPECT_NE(Read(kChunkedHead + chunk(kBodyMax) + end, 4096), Texts{"413"});
  EXPECT_EQ(Read(kChunkedHead + chunk(kBodyMax + 1) + end, 4096), Texts{"413"});
  EXPECT_EQ(Read(kChunkedHead + chunk(kBodyMax / 2) + chunk(kBodyMax / 2) + chunk(1) + end, 4096),
            Texts{"413"});
  EXPECT_EQ(Read(kChunkedHead + "186a1\r\n", 4096), Texts{"413"}) << "100001, before any of it";
  EXPECT_EQ(Read(kChunkedHead + "ffffffff\r\n", 4096), Texts{"413"});
  std::string single;
  for (size_t i = 0; i < kBodyMax; ++i) single += "1\r\nx\r\n";
  EXPECT_NE(Read(kChunkedHead + single + end, 4096), Texts{"413"}) << "a byte each is allowed";
  EXPECT_EQ(Read(kChunkedHead + single + end, 4096).size(), 1u);
  EXPECT_EQ(Read(kChunkedHead + single + chunk(1) + end, 4096), Texts{"413"});
}

TEST(HttpReaderChunks, ExtensionsAndTrailersAreBounded) {
  using gateway::ChunkScan;
  const auto with_extension = [&](size_t bytes) {
    return Read(kChunkedHead + "1;" + std::string(bytes, 'e') + "\r\nx\r\n0\r\n\r\n", 1000);
  };
  EXPECT_NE(with_extension(ChunkScan::kOverheadMax - 2), Texts{"400"});
  EXPECT_EQ(with_extension(ChunkScan::kOverheadMax + 1), Texts{"400"});
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "1;" + std::string(100, 'e') + "\r\nx\r\n";
  EXPECT_EQ(Read(kChunkedHead + many, 1000), Texts{"400"});
  const auto with_trailers = [&](size_t bytes) {
    return Read(kChunkedHead + "0\r\nX: " + std::string(bytes - 7, 't') + "\r\n\r\n", 1000);
  };
  EXPECT_NE(with_trailers(ChunkScan::kTrailerBytesMax), Texts{"431"});
  EXPECT_EQ(with_trailers(ChunkScan::kTrailerBytesMax + 1), Texts{"431"});
}

class HttpReaderBody : public ::testing::Test {
 protected:
  void Begin(const std::string& length) {
    const std::string head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: " + length + "\r\n\r\n";
    EXPECT_EQ(reader_.Take(head.data(), head.size()), head.size());
    EXPECT_EQ(reader_.at(), At::kJudge);
  }
  void Take(size_t bytes) {
    const std::string data(bytes, 'x');
    reader_.Take(data.data(), data.size());
  }

  const std::shared_ptr<BodyBudget> budget_ = std::make_shared<BodyBudget>(1000);
  HttpReader reader_{budget_};
};

TEST_F(HttpReaderBody, CountsTheBytesThatArrivedAndNotTheAnnouncedOnes) {
  Begin("900");
  reader_.AllowBody(kBodyMax);
  EXPECT_EQ(budget_->held(), 0u);
  Take(100);
  EXPECT_EQ(budget_->held(), 100u);
  Take(1);
  EXPECT_EQ(budget_->held(), 200u) << "room is doubled";
  Take(2000);
  EXPECT_EQ(reader_.at(), At::kWhole);
  {
    const HttpReader::Request request = reader_.TakeRequest();
    EXPECT_EQ(request.body.size(), 900u);
    EXPECT_EQ(budget_->held(), 900u) << "until the request is done with";
  }
  EXPECT_EQ(budget_->held(), 0u);
  Begin("3");
  reader_.AllowBody(kBodyMax);
  Take(3);
  EXPECT_EQ(budget_->held(), 3u) << "the next body counts too";
}

TEST_F(HttpReaderBody, AnAnnouncementBeyondTheBudgetIsRefusedBeforeTheBody) {
  budget_->Take(600);
  Begin("401");
  reader_.AllowBody(kBodyMax);
  EXPECT_EQ(reader_.refusal(), 503);
}

TEST_F(HttpReaderBody, OneThatLosesTheRaceForTheRestIsRefusedAndReleasesItsBytes) {
  Begin("900");
  reader_.AllowBody(kBodyMax);
  Take(400);
  budget_->Take(500);
  Take(300);
  EXPECT_EQ(reader_.refusal(), 503);
  EXPECT_EQ(budget_->held(), 500u);
}

TEST_F(HttpReaderBody, AnAbandonedBodyReleasesItsBytes) {
  {
    HttpReader other(budget_);
    const std::string bytes = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 900\r\n\r\n";
    other.Take(bytes.data(), bytes.size());
    other.AllowBody(kBodyMax);
    const std::string body(500, 'x');
    other.Take(body.data(), body.size());
    EXPECT_EQ(budget_->held(), 500u);
  }
  EXPECT_EQ(budget_->held(), 0u);
}

TEST_F(HttpReaderBody, InChunksCountsTheBytesThatArrivedAndIsRefusedBeyondTheBudget) {
  reader_.Take(kChunkedHead.data(), kChunkedHead.size());
  reader_.AllowBody(kBodyMax);
  const std::string start = "2000\r\n" + std::string(300, 'x');
  reader_.Take(start.data(), start.size());
  EXPECT_EQ(budget_->held(), 300u) << "8192 were announced";
  Take(800);
  EXPECT_EQ(reader_.refusal(), 503);
  EXPECT_EQ(budget_->held(), 0u);
}

TEST_F(HttpReaderBody, InPiecesHoldsOnlyTheLastPiece) {
  Begin("5000");
  reader_.AllowBody(kBodyMax, true);
  for (int i = 0; i < 5; ++i) {
    Take(1000);
    EXPECT_EQ(reader_.body_bytes(), 1000u * static_cast<size_t>(i + 1));
    EXPECT_EQ(reader_.TakePiece().size(), 1000u);
    EXPECT_EQ(budget_->held(), 0u) << "more than the budget in all";
  }
  EXPECT_EQ(reader_.at(), At::kWhole);
  EXPECT_EQ(reader_.TakeRequest().body, "");
}

}  // namespace
}  // namespace parley::gateway_test
