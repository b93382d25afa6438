// The same transport behind TLS: what differs is underneath, so the tests are the ones that cross the
// difference.
#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "gateway/net/transport.h"
#include "tests/gateway/transport_support.h"
#include "tests/gateway/ws_test_client_support.h"

namespace parley::gateway_test {
namespace {

using gateway::MakeFrame;
using gateway::TransportSettings;

// A self-signed certificate and its key, in files that are removed with the object.
class SelfSigned {
 public:
  SelfSigned() {
    EVP_PKEY* key = EVP_EC_gen("P-256");
    X509* certificate = X509_new();
    X509_gmtime_adj(X509_getm_notBefore(certificate), 0);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
    X509_set_pubkey(certificate, key);
    X509_sign(certificate, key, EVP_sha256());
    std::FILE* file = std::fopen(settings.tls_key.c_str(), "w");
    PEM_write_PrivateKey(file, key, nullptr, nullptr, 0, nullptr, nullptr);
    std::fclose(file);
    file = std::fopen(settings.tls_certificate.c_str(), "w");
    PEM_write_X509(file, certificate);
    std::fclose(file);
    X509_free(certificate);
    EVP_PKEY_free(key);
  }
  ~SelfSigned() {
    std::filesystem::remove(settings.tls_key);
    std::filesystem::remove(settings.tls_certificate);
  }

  TransportSettings settings = [] {
    TransportSettings paths;
    paths.tls_key = ::testing::TempDir() + "transport_tls_" + std::to_string(::getpid()) + ".key";
    paths.tls_certificate = ::testing::TempDir() + "transport_tls_" + std::to_string(::getpid()) + ".pem";
    return paths;
  }();
};

TEST(TransportTls, EchoesEverySizeClass) {
  const SelfSigned files;
  TestServer server(files.settings);
  WsTestClient client;
  client.set_tls(true);
  ASSERT_EQ(client.Connect(server.port(), "/echo").status, 101);
  for (const size_t size : {1u, 126u, 16'383u, 16'384u, 65'536u, 262'144u}) {
    client.SendBinary(std::string(size, 'x'));
    EXPECT_EQ(client.ReadData().payload.size(), size);
  }
  EXPECT_TRUE(client.AnswersClose(1000));
}

TEST(TransportTls, AnswersHttp) {
  const SelfSigned files;
  TestServer server(files.settings);
  WsTestClient client;
  client.set_tls(true);
  ASSERT_TRUE(client.Dial(server.port()));
  const std::string start = "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n";
  const std::string body(100'000, 'b');
  client.SendRaw(start + "\r\n" + body + start + "\r\n" + body + start + "Connection: close\r\n\r\n" + body);
  for (int i = 0; i < 3; ++i) ASSERT_EQ(client.ReadResponse().body.size(), 100'000u + 8) << i;
  EXPECT_TRUE(client.AwaitEnd());
}

TEST(TransportTls, ASlowReaderGetsEverythingInOrderAndIsCountedExactly) {
  const SelfSigned files;
  TestServer server(files.settings);
  WsTestClient client;
  client.set_tls(true);
  client.set_receive_buffer_bytes(4096);
  ASSERT_EQ(client.Connect(server.port()).status, 101);
  ASSERT_TRUE(server.Await([&] { return server.session(0).connection != nullptr; }));
  size_t total = 0;
  server.OnLoop([&] {
    const uint64_t before = server.transport().Counts().bytes_out;
    for (int i = 0; i < 300; ++i) {
      const auto frame = MakeFrame(std::string(static_cast<size_t>(i) * 100, static_cast<char>(i)), true);
      total += FrameBytes(*frame);
      server.session(0).connection->Send(frame);
    }
    total += before;
  });
  server.TurnLoop(3);
  server.OnLoop([&] {
    const size_t buffered = server.session(0).connection->BufferedBytes();
    EXPECT_GT(buffered, 0u);
    EXPECT_EQ(server.transport().Counts().bytes_out + buffered, total);
  });
  for (int i = 0; i < 300; ++i) {
    ASSERT_EQ(client.ReadData().payload, std::string(static_cast<size_t>(i) * 100, static_cast<char>(i)));
  }
  EXPECT_TRUE(server.Await([&] { return server.session(0).writable == 1; }));
}

TEST(TransportTls, ASlowReaderIsClosedInTheMiddleOfARecordAndStillReadsTheCode) {
  const SelfSigned files;
  TestServer server(files.settings);
  WsTestClient client;
  client.set_tls(true);
  client.set_receive_buffer_bytes(4096);
  ASSERT_EQ(client.Connect(server.port()).status, 101);
  ASSERT_TRUE(server.Await([&] { return server.session(0).connection != nullptr; }));
  server.OnLoop([&] {
    const auto frame = MakeFrame(std::string(100'000, 'x'), true);
    for (int i = 0; i < 200; ++i) server.session(0).connection->Send(frame);
  });
  server.TurnLoop(3);
  server.OnLoop([&] {
    server.session(0).connection->Close(4508, "too slow", true);
    EXPECT_LT(server.session(0).connection->BufferedBytes(), 130'000u);
  });
  EXPECT_EQ(client.ReadToClose().close_code(), 4508);
}

TEST(TransportTls, APeerThatSpeaksNoTlsOrNothingIsDropped) {
  SelfSigned files;
  files.settings.handshake_timeout_ms = 50;
  TestServer server(files.settings);
  WsTestClient plain;
  ASSERT_TRUE(plain.Dial(server.port()));
  plain.SendRaw("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_TRUE(plain.AwaitEnd());
  WsTestClient silent;
  ASSERT_TRUE(silent.Dial(server.port()));
  EXPECT_TRUE(silent.AwaitEnd());
  WsTestClient good;
  good.set_tls(true);
  EXPECT_EQ(good.Connect(server.port()).status, 101);
}

TEST(TransportTls, APeerThatDiesIsClosedOnce) {
  const SelfSigned files;
  TestServer server(files.settings);
  WsTestClient client;
  client.set_tls(true);
  ASSERT_EQ(client.Connect(server.port()).status, 101);
  ASSERT_TRUE(server.Await([&] { return server.session(0).connection != nullptr; }));
  client.Reset();
  ASSERT_TRUE(server.Await([&] { return server.session(0).closed == 1; }));
  server.OnLoop([&] { EXPECT_EQ(server.transport().Counts().open, 0u); });
}

}  // namespace
}  // namespace parley::gateway_test
