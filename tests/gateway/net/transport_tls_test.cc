// The same transport over TLS. The layers above are the same, so these tests cover the differences.
#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "gateway/net/tls_tickets.h"
#include "gateway/net/transport.h"
#include "tests/gateway/transport_support.h"
#include "tests/gateway/ws_test_client_support.h"

namespace parley::gateway_test {
namespace {

using gateway::MakeFrame;
using gateway::TransportSettings;

// A self-signed certificate and its key, in files that are deleted with the object.
class SelfSigned {
 public:
  SelfSigned() { Write(3600); }
  // Writes a new pair that is valid for so long.
  void Write(long seconds) {
    EVP_PKEY* key = EVP_EC_gen("P-256");
    X509* certificate = X509_new();
    X509_gmtime_adj(X509_getm_notBefore(certificate), 0);
    X509_gmtime_adj(X509_getm_notAfter(certificate), seconds);
    X509_set_pubkey(certificate, key);
    X509_sign(certificate, key, EVP_sha256());
    std::FILE* file = std::fopen(settings.tls_key.c_str(), "w");
    ::fchmod(::fileno(file), S_IRUSR | S_IWUSR);
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
    static int made = 0;
    const std::string name =
        ::testing::TempDir() + "transport_tls_" + std::to_string(::getpid()) + "_" + std::to_string(made++);
    TransportSettings paths;
    paths.tls_key = name + ".key";
    paths.tls_certificate = name + ".pem";
    return paths;
  }();
};

int64_t ExpiryOf(TestServer& server) {
  return server.Counts().tls_expires_s;
}

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

TEST(TransportTls, ASlowReaderGetsEverythingInOrderAndItsBytesAreCountedExactly) {
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

TEST(TransportTls, APeerThatSpeaksNoTlsOrNothingAtAllIsDropped) {
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

TEST(TransportTls, ANewPairIsUsedForNewConnectionsAndOpenOnesStay) {
  SelfSigned files;
  std::string why;
  files.settings.tls =
      gateway::TlsIdentity::Load(files.settings.tls_certificate, files.settings.tls_key, &why);
  ASSERT_EQ(why, "");
  TestServer server(files.settings);
  WsTestClient before, after;
  before.set_tls(true);
  ASSERT_EQ(before.Connect(server.port(), "/echo").status, 101);
  const int64_t first_expiry = ExpiryOf(server);
  EXPECT_NEAR(static_cast<double>(first_expiry), static_cast<double>(std::time(nullptr) + 3600), 60);
  files.Write(7200);
  EXPECT_EQ(files.settings.tls->Reload(), "");
  EXPECT_GT(ExpiryOf(server), first_expiry + 3000);
  after.set_tls(true);
  ASSERT_EQ(after.Connect(server.port(), "/echo").status, 101);
  EXPECT_NE(after.PeerCertificate(), before.PeerCertificate());
  for (WsTestClient* client : {&before, &after}) {
    client->SendBinary(std::string(100'000, 'x'));
    EXPECT_EQ(client->ReadData().payload.size(), 100'000u);
  }
}

TEST(TransportTls, AnInvalidPairLeavesTheOldOneInPlace) {
  SelfSigned files, others;
  std::string why;
  const std::string& certificate = files.settings.tls_certificate;
  const std::string& key = files.settings.tls_key;
  const auto identity = gateway::TlsIdentity::Load(certificate, key, &why);
  ASSERT_EQ(why, "");
  const auto old = identity->current();
  ::chmod(key.c_str(), 0640);
  EXPECT_EQ(identity->Reload(), "the TLS key " + key + " is open to other users: chmod 600 " + key);
  ::chmod(key.c_str(), 0600);
  std::filesystem::copy_file(others.settings.tls_key, key, std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(identity->Reload(), "the TLS key " + key + " does not belong to the certificate");
  std::filesystem::resize_file(certificate, 0);
  EXPECT_NE(identity->Reload(), "");
  std::filesystem::remove(key);
  EXPECT_NE(identity->Reload(), "");
  EXPECT_EQ(identity->current(), old);
  files.Write(3600);
  EXPECT_EQ(identity->Reload(), "");
  EXPECT_NE(identity->current(), old);
}

TEST(TransportTls, AKeyReadableByOthersIsRefused) {
  const SelfSigned files;
  for (const mode_t mode : {0604, 0640, 0620, 0644, 0601}) {
    ::chmod(files.settings.tls_key.c_str(), mode);
    std::string why;
    EXPECT_EQ(gateway::TlsIdentity::Load(files.settings.tls_certificate, files.settings.tls_key, &why),
              nullptr);
    EXPECT_NE(why.find("chmod 600"), std::string::npos) << why;
  }
}

TEST(TransportTls, OldVersionsAndCiphersWithoutForwardSecrecyAreRefused) {
  const SelfSigned files;
  TestServer server(files.settings);
  const auto connects = [&](int version, const char* ciphers) {
    WsTestClient client;
    client.set_tls_version(version, ciphers);
    return client.Dial(server.port());
  };
  EXPECT_FALSE(connects(TLS1_VERSION, "ALL:@SECLEVEL=0"));
  EXPECT_FALSE(connects(TLS1_1_VERSION, "ALL:@SECLEVEL=0"));
  EXPECT_FALSE(connects(TLS1_2_VERSION, "AES128-GCM-SHA256"));
  EXPECT_FALSE(connects(TLS1_2_VERSION, "ECDHE-ECDSA-AES128-SHA256"));
  EXPECT_TRUE(connects(TLS1_2_VERSION, "ECDHE-ECDSA-AES128-GCM-SHA256"));
  EXPECT_TRUE(connects(TLS1_3_VERSION, "ALL"));
}

TEST(TlsTickets, AKeyIssuesForAnHourAndIsAcceptedForTwo) {
  constexpr int64_t kHour = gateway::TlsTickets::kIssueMs;
  gateway::TlsTickets tickets;
  bool renew = true;
  const auto first = tickets.Issuing(1000);
  EXPECT_TRUE(tickets.Named(first->name, 1000 + kHour - 1, &renew).has_value());
  EXPECT_FALSE(renew);
  EXPECT_EQ(std::memcmp(tickets.Issuing(999 + kHour)->name, first->name, sizeof first->name), 0);
  const auto second = tickets.Issuing(1000 + kHour);
  EXPECT_NE(std::memcmp(second->name, first->name, sizeof first->name), 0);
  const auto found = tickets.Named(first->name, 999 + 2 * kHour, &renew);
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(renew);
  EXPECT_EQ(std::memcmp(found->cipher, first->cipher, sizeof first->cipher), 0);
  EXPECT_FALSE(tickets.Named(first->name, 1000 + 2 * kHour, &renew).has_value());
  EXPECT_FALSE(tickets.Named(reinterpret_cast<const unsigned char*>("0123456789abcdef"), 1000, &renew));
}

TEST(TransportTls, AReturningClientResumesItsTlsSession) {
  const SelfSigned files;
  TestServer server(files.settings);
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    WsTestClient client;
    client.set_tls_version(version, "ALL");
    ASSERT_EQ(client.Connect(server.port(), "/echo").status, 101);
    client.SendText("so that its ticket is read");
    client.ReadData();
    EXPECT_FALSE(client.resumed());
    client.KeepTlsSession();
    ASSERT_EQ(client.Connect(server.port(), "/echo").status, 101);
    EXPECT_TRUE(client.resumed());
    client.SendText("back");
    EXPECT_EQ(client.ReadData().payload, "back");
  }
}

}  // namespace
}  // namespace parley::gateway_test
