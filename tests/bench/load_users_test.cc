// The load against any server: its address, TLS, and users with given or generated tokens.
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <cstdlib>
#include <ctime>
#include <fstream>

#include "accounts/jwt.h"
#include "bench/load/rooms.h"
#include "bench/load/tokens.h"
#include "bench/net/http_call.h"
#include "bench/net/origin.h"
#include "bench/process/server_process.h"

namespace parley::bench {
namespace {

constexpr const char* kSecret = "a secret of at least thirty-two bytes";

std::string Fault(const OriginWish& wish) {
  std::string error;
  EXPECT_FALSE(FindOrigin(wish, &error)) << wish.server;
  return error;
}

TEST(LoadOrigin, takes_ports_and_urls) {
  std::string error;
  const auto plain = FindOrigin({"127.0.0.1:8080", false, {}}, &error);
  ASSERT_TRUE(plain) << error;
  EXPECT_EQ(ntohs(plain->address.sin_port), 8080);
  EXPECT_FALSE(plain->tls);
  const auto secure = FindOrigin({"wss://localhost/", true, {}}, &error);
  ASSERT_TRUE(secure) << error;
  EXPECT_EQ(secure->host, "localhost");
  EXPECT_EQ(ntohs(secure->address.sin_port), 443);
  EXPECT_TRUE(secure->tls);
}

TEST(LoadOrigin, reports_the_fault_of_an_address) {
  for (const char* bad : {"localhost", "localhost:0", "localhost:65536", "localhost:80x", "ws://", ":80",
                          "ws://localhost/path", "[::1]:80", "a b:80", "ftp://localhost:21"})
    EXPECT_NE(Fault({bad, false, {}}).find("--server wants"), std::string::npos) << bad;
  EXPECT_NE(Fault({"ws://localhost", true, {}}).find("without TLS"), std::string::npos);
  EXPECT_NE(Fault({"wss://localhost", false, "/nowhere.pem"}).find("/nowhere.pem"), std::string::npos);
  EXPECT_NE(Fault({"no-such-host.invalid:80", false, {}}).find("no IPv4 address"), std::string::npos);
}

class Files : public testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& text) {
    std::ofstream(dir_.path() + "/" + name) << text;
    return dir_.path() + "/" + name;
  }
  const ScratchDir dir_{testing::TempDir()};
};
using LoadTokens = Files;
using LoadUsers = Files;

TEST_F(LoadTokens, are_read_from_lines) {
  const auto make = SignTokens(kSecret, "acme", "");
  std::string error;
  const auto tokens = ReadTokens(Write("tokens", *make("ann") + "\n\n" + *make("bob") + "\r\n"), &error);
  ASSERT_TRUE(tokens) << error;
  ASSERT_EQ(tokens->size(), 2u);
  EXPECT_EQ((*tokens)[0].user, "ann");
  EXPECT_EQ((*tokens)[1].token, *make("bob"));
}

TEST_F(LoadTokens, an_invalid_one_is_reported_with_its_line) {
  const auto make = SignTokens(kSecret, "acme", "");
  const auto fault = [&](const std::string& text) {
    std::string error;
    EXPECT_FALSE(ReadTokens(Write("tokens", text), &error));
    return error;
  };
  EXPECT_NE(fault(*make("ann") + "\nhello\n").find("line 2: not a token"), std::string::npos);
  EXPECT_NE(fault("a.b.c\n").find("line 1: not a token"), std::string::npos);
  EXPECT_NE(fault(*make("ann") + "\n" + *make("ann")).find("line 2: ann has a token"), std::string::npos);
}

TEST_F(LoadTokens, generated_ones_are_accepted_by_the_server) {
  std::string error;
  const auto secret = ReadSecret(Write("secret", std::string(kSecret) + "\n"), &error);
  ASSERT_TRUE(secret) << error;
  EXPECT_FALSE(ReadSecret(Write("short", "short\n"), &error));
  EXPECT_NE(error.find("at least 32 bytes"), std::string::npos);
  const auto token = SignTokens(*secret, "acme", "k1")("ann");
  accounts::VerifyKey key;
  key.alg = accounts::JwtAlg::kHs256;
  key.kid = "k1";
  key.key = kSecret;
  const auto verified = accounts::VerifyToken(*token, {&key, 1}, std::time(nullptr));
  ASSERT_TRUE(std::holds_alternative<accounts::Claims>(verified));
  EXPECT_EQ(std::get<accounts::Claims>(verified).sub, "ann");
  EXPECT_EQ(std::get<accounts::Claims>(verified).tid, "acme");
}

RoomsPlan SmallRooms() {
  RoomsPlan plan;
  plan.rooms = 2;
  plan.members = plan.online = 3;
  plan.outstanding = 4;
  plan.warmup_seconds = 0;
  plan.seconds = 0.3;
  return plan;
}

// A self-signed certificate for 127.0.0.1, made by the openssl program.
class SecureServer : public Files {
 protected:
  SecureServer() {
    const std::string command =
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=bench "
        "-addext subjectAltName=IP:127.0.0.1 -keyout " +
        dir_.path() + "/key.pem -out " + certificate() + " 2>/dev/null";
    if (std::system(command.c_str()) != 0) return;
    chmod((dir_.path() + "/key.pem").c_str(), 0600);
    server_ = std::make_unique<ServerProcess>(
        PARLEYD, data_.path(),
        std::vector<std::string>{"--tls-certificate", certificate(), "--tls-key", dir_.path() + "/key.pem"});
  }
  std::string certificate() const { return dir_.path() + "/cert.pem"; }
  Origin At(bool insecure, const std::string& ca_file) {
    std::string error;
    const auto origin = FindOrigin(
        {"wss://127.0.0.1:" + std::to_string(ntohs(server_->address().sin_port)), insecure, ca_file}, &error);
    EXPECT_TRUE(origin) << error;
    return origin.value_or(Origin());
  }
  const ScratchDir data_{testing::TempDir()};
  std::unique_ptr<ServerProcess> server_;
};

TEST_F(SecureServer, is_loaded_over_tls) {
  if (!server_) GTEST_SKIP() << "no openssl program";
  Target target;
  target.address = At(false, certificate());
  Poller poller;
  RoomsPlan plan = SmallRooms();
  plan.body_bytes = 8'000;  // two of them do not fit into a record
  const RoomsResult result = Rooms(poller, target, plan, 0).Run();
  EXPECT_GT(result.acked, 0u);
  EXPECT_GT(result.delivered, 0u);
  EXPECT_TRUE(result.caught_up);
  EXPECT_EQ(result.lost + result.duplicated + result.refused, 0u);
}

TEST_F(SecureServer, is_not_trusted_without_its_certificate) {
  if (!server_) GTEST_SKIP() << "no openssl program";
  const HttpAnswer unknown = AskHttp(At(false, {}), "/v1/demo/token", "{\"userId\":\"ann\"}", {});
  EXPECT_EQ(unknown.status, 0);
  EXPECT_NE(unknown.body.find("TLS: "), std::string::npos) << unknown.body;
  EXPECT_EQ(AskHttp(At(true, {}), "/v1/demo/token", "{\"userId\":\"ann\"}", {}).status / 100, 2);
  Origin elsewhere = At(false, certificate());
  elsewhere.host = "another.example";
  EXPECT_EQ(AskHttp(elsewhere, "/v1/demo/token", "{\"userId\":\"ann\"}", {}).status, 0);
}

TEST_F(LoadUsers, are_those_named_by_the_caller) {
  ServerProcess server(PARLEYD, dir_.path());
  Target target;
  target.address = server.address();
  Poller poller;
  RoomsPlan plan = SmallRooms();
  plan.user = [](size_t room, size_t member) {
    return std::string(1, static_cast<char>('a' + room)) + std::to_string(member);
  };
  Rooms rooms(poller, target, plan, server.pid());
  EXPECT_EQ(rooms.fleet().at(4).user(), "b1");
  const RoomsResult result = rooms.Run();
  EXPECT_EQ(result.Objection(), result.own_idle < 0.01 ? result.Objection() : "");
  EXPECT_GT(result.acked, 0u);
}

}  // namespace
}  // namespace parley::bench
