// Answers in gzip: negotiation, the answers that are compressed, and the thread that compresses them.
#include "gateway/net/compression.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <atomic>
#include <future>
#include <thread>

#include "gateway/net/transport.h"
#include "tests/gateway/transport_support.h"
#include "tests/gateway/ws_test_client_support.h"

namespace parley::gateway_test {
namespace {

using gateway::Compressor;
using gateway::GunzipFault;
using gateway::GzipEffort;
using gateway::HttpResponse;
using gateway::TransportSettings;

std::string Inflated(const std::string& bytes) {
  z_stream stream = {};
  inflateInit2(&stream, 15 + 16);
  std::string out(32 << 20, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

std::string Text(size_t bytes) {
  std::string out;
  for (size_t i = 0; out.size() < bytes; ++i) out += "{\"n\":" + std::to_string(i * i) + "},";
  out.resize(bytes);
  return out;
}

TEST(AcceptEncoding, GzipIsSentIfPreferredToPlainText) {
  for (const std::string yes : {"gzip", "GZIP", "x-gzip", "gzip, deflate, br", "deflate,gzip;q=0.001",
                                "gzip;q=1.000", "gzip ; q=0.5", "*", "*;q=0.1", "identity;q=0.5, gzip;q=0.5",
                                "gzip;Q=1", ",gzip,,", "identity;q=0, *", "br;q=1.0,gzip;q=0.8,*;q=0.1"})
    EXPECT_TRUE(gateway::PrefersGzip(&yes)) << yes;
  for (const std::string no : {"",
                               "identity",
                               "br",
                               "gzip;q=0",
                               "gzip;q=0.000",
                               "*;q=0",
                               "gzip;q=0, *",
                               "identity, gzip;q=0.9",
                               "identity;q=0",
                               "gzip;q=",
                               "gzip;q=2",
                               "gzip;q=1.001",
                               "gzip;q=0.0001",
                               "gzip;q=.5",
                               "gzip;q=-1",
                               "gzip;q=0,5",
                               "gzip;x=1",
                               "gzip;q=1;x",
                               "gzip q=1",
                               "gzip;",
                               "gzip, (",
                               "g zip",
                               "gzip;q=0.5 x"})
    EXPECT_FALSE(gateway::PrefersGzip(&no)) << no;
  EXPECT_FALSE(gateway::PrefersGzip(nullptr));
}

TEST(Compressible, IsTextOfSomeLengthWithoutAnObjection) {
  const auto is = [](const std::string& type, size_t bytes = 1024, int status = 200) {
    return gateway::IsCompressible({status, {{"content-type", type}}, std::string(bytes, 'x')});
  };
  for (const char* type : {"text/plain; version=0.0.4", "application/json", "Application/JSON;charset=utf-8",
                           "text/html", "text/css", "image/svg+xml", "application/vnd.oai.openapi+json",
                           "application/manifest+json", "application/javascript"})
    EXPECT_TRUE(is(type)) << type;
  for (const char* type : {"image/png", "application/octet-stream", "application/x-amz-json-1.0", "",
                           "application/gzip", "video/mp4", "application/jsonx"})
    EXPECT_FALSE(is(type)) << type;
  EXPECT_FALSE(is("text/plain", 1023));
  EXPECT_FALSE(is("text/plain", 2000, 204));
  EXPECT_FALSE(is("text/plain", 2000, 206)) << "a range of bytes is of the bytes as they are";
  EXPECT_TRUE(is("text/plain", 2000, 404));
  const HttpResponse text{200, {{"Content-Type", "text/plain"}}, std::string(2000, 'x')};
  HttpResponse response = text;
  response.compressible = false;
  EXPECT_FALSE(gateway::IsCompressible(response));
  response = text;
  response.headers.emplace_back("Content-Encoding", "br");
  EXPECT_FALSE(gateway::IsCompressible(response));
  response = text;
  response.headers.emplace_back("Cache-Control", "private, no-transform");
  EXPECT_FALSE(gateway::IsCompressible(response));
  EXPECT_FALSE(gateway::IsCompressible({200, {}, std::string(2000, 'x')})) << "of no type";
}

TEST(Compressible, VaryIsAddedToTheHeader) {
  const auto vary = [](const std::string& before) {
    HttpResponse response{200, {{"vary", before}}, ""};
    gateway::SetVary(&response);
    EXPECT_EQ(response.headers.size(), 1u);
    return response.headers[0].second;
  };
  EXPECT_EQ(vary("Origin"), "Origin, Accept-Encoding");
  EXPECT_EQ(vary("origin, ACCEPT-ENCODING"), "origin, ACCEPT-ENCODING");
  EXPECT_EQ(vary("*"), "*");
}

TEST(Gzip, RoundTripsOrFails) {
  for (const size_t size : {1024u, 65'536u, 5'000'000u}) {
    for (const auto effort : {GzipEffort::kQuick, GzipEffort::kUsual, GzipEffort::kBest}) {
      const auto compressed = gateway::Gzip(Text(size), effort);
      ASSERT_TRUE(compressed.has_value());
      EXPECT_LT(compressed->size(), size / 2);
      EXPECT_EQ(Inflated(*compressed), Text(size));
    }
  }
  std::string noise(10'000, '\0');
  uint32_t seed = 7;
  for (char& c : noise) c = static_cast<char>((seed = seed * 1664525u + 1013904223u) >> 24);
  EXPECT_FALSE(gateway::Gzip(noise, GzipEffort::kQuick).has_value());
  EXPECT_EQ(Inflated(*gateway::Gzip(Text(2000), GzipEffort::kQuick)), Text(2000)) << "also behind a failure";
}

TEST(Gunzip, UnpacksOneOrSeveralMembers) {
  std::string out;
  for (const size_t size : {1024u, 65'536u, 5'000'000u}) {
    const std::string compressed = *gateway::Gzip(Text(size), GzipEffort::kUsual);
    ASSERT_EQ(gateway::Gunzip(compressed, size, &out), GunzipFault::kNone) << "exactly as much as is allowed";
    EXPECT_EQ(out, Text(size));
    EXPECT_EQ(gateway::Gunzip(compressed, size - 1, &out), GunzipFault::kTooLarge);
    EXPECT_EQ(gateway::Gunzip(compressed + compressed, 2 * size, &out), GunzipFault::kNone);
    EXPECT_EQ(out, Text(size) + Text(size));
    EXPECT_EQ(gateway::Gunzip(compressed + compressed, 2 * size - 1, &out), GunzipFault::kTooLarge);
  }
}

TEST(Gunzip, RefusesDamagedInput) {
  const std::string good = *gateway::Gzip(Text(2000), GzipEffort::kUsual);
  std::string out;
  for (size_t size = 0; size < good.size(); ++size)
    EXPECT_EQ(gateway::Gunzip(good.substr(0, size), 2000, &out), GunzipFault::kDamaged) << size;
  EXPECT_EQ(gateway::Gunzip(good + "x", 2000, &out), GunzipFault::kDamaged);
  EXPECT_EQ(gateway::Gunzip("{}", 2000, &out), GunzipFault::kDamaged);
  std::string wrong = good;
  wrong[good.size() - 6] ^= 1;  // in the checksum
  EXPECT_EQ(gateway::Gunzip(wrong, 2000, &out), GunzipFault::kDamaged);
}

TEST(Gunzip, ABombUsesNoMoreMemoryThanAllowed) {
  const std::string bomb = *gateway::Gzip(std::string(100 << 20, 'x'), GzipEffort::kBest);
  ASSERT_LT(bomb.size(), 256u * 1024);
  std::string out;
  EXPECT_EQ(gateway::Gunzip(bomb, 256 * 1024, &out), GunzipFault::kTooLarge);
  EXPECT_LT(out.capacity(), 1024u * 1024);
}

TEST(CompressorTest, ObeysItsBoundAndStops) {
  Compressor compressor;
  std::promise<void> begun, go_on;
  std::string first = Text(10'000), second(Compressor::kWaitingBytesMax - 10'000, 'x'), third = "x";
  std::atomic<int> done{0};
  ASSERT_TRUE(compressor.Submit(&first, [&](std::string text, std::optional<std::string> compressed) {
    EXPECT_EQ(Inflated(*compressed), text);
    begun.set_value();
    go_on.get_future().wait();
    ++done;
  }));
  begun.get_future().wait();
  ASSERT_TRUE(compressor.Submit(&second, [&](std::string, std::optional<std::string>) { ++done; }));
  EXPECT_FALSE(compressor.Submit(&third, [&](std::string, std::optional<std::string>) { ++done; }));
  EXPECT_EQ(third, "x") << "and leaves it";
  std::thread stop([&] { compressor.Stop(); });
  std::string fourth = "y";
  while (compressor.Submit(&fourth, [&](std::string, std::optional<std::string>) {})) fourth = "y";
  go_on.set_value();
  stop.join();
  EXPECT_FALSE(compressor.Submit(&third, [&](std::string, std::optional<std::string>) { ++done; }));
  EXPECT_LE(done, 2);
}

class Compressed : public ::testing::Test {
 protected:
  Compressed() {
    server_.on_http = [this](const std::shared_ptr<gateway::HttpExchange>& exchange) {
      exchange->Respond(answer_);
      return true;
    };
  }
  ~Compressed() override {
    compressor_->Stop();
    server_.Destroy();
  }
  WsResponse Get(const std::string& accepts = "gzip", const std::string& method = "GET") {
    return HttpRequest(server_.port(), method, "/", "", {{"Accept-Encoding", accepts}});
  }
  void Answer(size_t bytes) { answer_ = {200, {{"Content-Type", "application/json"}}, Text(bytes)}; }

  const std::shared_ptr<Compressor> compressor_ = std::make_shared<Compressor>();
  HttpResponse answer_;
  TestServer server_{[this] {
    TransportSettings settings;
    settings.compressor = compressor_;
    return settings;
  }()};
};

TEST_F(Compressed, ShortAndLongAnswersAreTheSameText) {
  for (const size_t bytes : {1024u, 65'536u, 65'537u, 10'000'000u}) {
    Answer(bytes);
    const WsResponse response = Get();
    EXPECT_EQ(response.Header("Content-Encoding"), "gzip") << bytes;
    EXPECT_EQ(response.Header("Vary"), "Accept-Encoding");
    EXPECT_LT(response.body.size(), bytes / 2);
    EXPECT_TRUE(Inflated(response.body) == Text(bytes));
    const WsResponse plain = Get("identity");
    EXPECT_EQ(plain.Header("Content-Encoding"), "");
    EXPECT_EQ(plain.Header("Vary"), "Accept-Encoding") << "a cache must know";
    EXPECT_TRUE(plain.body == Text(bytes));
    const WsResponse head = Get("gzip", "HEAD");
    EXPECT_EQ(head.Header("Content-Length"), response.Header("Content-Length"));
    EXPECT_EQ(head.Header("Content-Encoding"), "gzip");
  }
}

TEST_F(Compressed, ShortAndSecretAnswersStayPlain) {
  Answer(1023);
  EXPECT_EQ(Get().body, Text(1023));
  EXPECT_EQ(Get().Header("Vary"), "");
  Answer(100'000);
  answer_.compressible = false;
  EXPECT_EQ(Get().body, Text(100'000));
}

TEST_F(Compressed, PrecompressedAnswersAreSentUnchanged) {
  Answer(100'000);
  answer_.gzipped = gateway::GzipAhead(answer_);
  ASSERT_TRUE(answer_.gzipped);
  EXPECT_TRUE(Get().body == *answer_.gzipped);
  EXPECT_TRUE(Get("").body == Text(100'000));
}

TEST_F(Compressed, LongAnswersKeepTheirOrderInAPipelineAndDoNotBlockTheLoop) {
  Answer(2'000'000);
  WsTestClient client;
  ASSERT_TRUE(client.Dial(server_.port()));
  std::string requests;
  for (int i = 0; i < 5; ++i) requests += "GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n";
  client.SendRaw(requests);
  for (int i = 0; i < 5; ++i) ASSERT_EQ(Inflated(client.ReadResponse().body).size(), 2'000'000u) << i;
}

TEST_F(Compressed, WithoutRoomOrInADrainALongAnswerIsSentPlain) {
  Answer(100'000);
  server_.OnLoop([&] { server_.transport().StopKeepingAlive(); });
  EXPECT_TRUE(Get().body == Text(100'000));
  compressor_->Stop();
  EXPECT_TRUE(Get().body == Text(100'000));
}

TEST_F(Compressed, APeerThatLeavesDuringCompressionIsHarmless) {
  Answer(2'000'000);
  for (int i = 0; i < 10; ++i) {
    WsTestClient client;
    ASSERT_TRUE(client.Dial(server_.port()));
    client.SendRaw("GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n");
    client.Reset();
  }
  EXPECT_EQ(Inflated(Get().body).size(), 2'000'000u);
  EXPECT_TRUE(server_.AwaitOpen(0));
}

}  // namespace
}  // namespace parley::gateway_test
