// The whole server in a fake world (fake_support.h) with its executor and fan-out stepped by hand, and
// clients of either encoding. Tests write args as JSON text in both encodings. A test that looks into the
// server includes gateway/app/node.h itself; most do not.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gateway/app/config.h"
#include "gateway/http/static_files.h"
#include "gateway/net/transport.h"
#include "protocol/base/ids.h"
#include "protocol/base/metrics.h"
#include "protocol/base/watched_clock.h"
#include "protocol/value.h"
#include "storage/memory_table.h"
#include "tests/gateway/fake_support.h"

namespace parley::gateway {
class Node;
class Server;
}  // namespace parley::gateway

namespace parley::gateway_test {

inline constexpr int64_t kMinuteMs = 60'000, kHourMs = 60 * kMinuteMs, kDayMs = 24 * kHourMs;
inline const protocol::TenantId kTenant{"demo"};  // the tenant of DemoConfig

std::string Quoted(std::string_view text);  // JSON-quoted

// A JSON value made from a C++ one: Args({{"threadId", id}, {"limit", 5}}).
struct JsonArg {
  JsonArg(const char* text);                       // NOLINT: implicit by design
  JsonArg(const std::string& text);                // NOLINT
  JsonArg(int64_t n) : json(std::to_string(n)) {}  // NOLINT
  JsonArg(int n) : json(std::to_string(n)) {}      // NOLINT
  JsonArg(bool b) : json(b ? "true" : "false") {}  // NOLINT
  JsonArg(std::nullptr_t) : json("null") {}        // NOLINT
  static JsonArg Raw(std::string json);            // unchanged JSON text
  std::string json;

 private:
  JsonArg() = default;
};
std::string Args(std::vector<std::pair<std::string, JsonArg>> members);

// A frame as its receiver parses it. A path consists of names and indices: "ok.participants.0.userId".
class Frame {
 public:
  // Fails the test if the bytes do not decode.
  Frame(protocol::Encoding encoding, std::string bytes);
  Frame() : document_(std::make_shared<protocol::Document>()) {}
  const protocol::Value& root() const { return document_->root; }
  const protocol::Value* At(std::string_view path) const;  // nullptr if missing
  bool Has(std::string_view path) const { return At(path) != nullptr; }
  std::string Text(std::string_view path) const;  // these fail the test if the type differs
  int64_t Int(std::string_view path) const;
  bool Bool(std::string_view path) const;
  size_t Size(std::string_view path) const;  // the length of a list
  std::string Json(std::string_view path = {}) const;

  std::optional<uint32_t> reply_to() const;  // nullopt for an event
  bool ok() const { return Has("ok"); }
  std::string error() const;  // the code, or empty
  std::string ev() const;     // empty if this is not an event
  // "message.created 4", for tests of the order.
  std::string Line() const;

 private:
  std::shared_ptr<protocol::Document> document_;
};
std::vector<std::string> Lines(const std::vector<Frame>& frames);

class FakeServer;

class FakeClient {
 public:
  FakeClient(FakeServer& server, std::shared_ptr<FakeConnection> connection, protocol::Encoding encoding)
      : server_(&server), connection_(std::move(connection)), encoding_(encoding) {}

  // Sends without running the loop.
  uint32_t Send(std::string_view op, const std::string& args = "{}");
  void SendMap(const std::string& json);  // any map
  void SendRaw(std::string payload) { connection_->Type(std::move(payload), binary()); }

  // Sends, runs everything until idle, and takes the reply.
  Frame Ask(std::string_view op, const std::string& args = "{}");
  Frame Hello(const std::string& token, const std::string& more_args = "");  // more: `"deliver":"open"`
  std::optional<Frame> TakeReply(uint32_t id);
  std::vector<Frame> TakeEvents();  // since the last call; replies stay
  std::vector<Frame> TakeAll();     // in order of arrival

  FakeConnection& connection() { return *connection_; }
  protocol::Encoding encoding() const { return encoding_; }
  int close_code() const { return connection_->closed() ? connection_->closed()->code : 0; }

 private:
  bool binary() const { return encoding_ == protocol::Encoding::kMsgpack; }
  void Collect();

  FakeServer* server_;
  std::shared_ptr<FakeConnection> connection_;
  protocol::Encoding encoding_;
  uint32_t next_id_ = 1;
  std::vector<Frame> frames_;
};

// One server process on a table; a crash destroys it. Create another on the same table or disk to restart.
class FakeServer {
 public:
  FakeServer(FakeClock& clock, FakeLoop& loop, storage::Table& table, const gateway::Config& config,
             uint64_t seed, const std::string& web_dir = "");
  ~FakeServer();  // like a crash: uncommitted work is lost

  gateway::Node& node() { return *node_; }
  gateway::Server& server() { return *server_; }
  FakeTransport& transport() { return transport_; }
  protocol::Metrics& metrics() { return metrics_; }
  FakeLoop& loop() { return loop_; }

  // Runs all parts until they are idle, except held ones.
  void Settle();
  void Advance(int64_t ms) {
    loop_.Advance(ms, [this] { Settle(); });
  }
  void HoldExecutor(bool hold) { executor_held_ = hold; }
  void HoldWorker(bool hold) { worker_held_ = hold; }
  void HoldReaders(bool hold) { readers_held_ = hold; }
  void HoldProofs(bool hold) { proofs_held_ = hold; }

  struct ConnectOptions {
    protocol::Encoding encoding = protocol::Encoding::kJson;
    std::string authorization = {};  // the header, unless empty
    size_t io = 0;                   // index of the I/O thread; config.io_threads of them share the one loop
  };
  FakeClient Connect(const ConnectOptions& options);
  FakeClient Connect() { return Connect(ConnectOptions()); }
  // Connects and completes the hello.
  FakeClient Join(const std::string& user, protocol::Encoding encoding = protocol::Encoding::kJson,
                  const std::string& more_args = "");

  using Headers = std::vector<std::pair<std::string, std::string>>;
  gateway::HttpResponse Http(const std::string& method, const std::string& target, std::string body = "",
                             Headers headers = {});

  std::string Token(const std::string& user, std::string_view role = "member", int64_t ttl_s = 3600) const;
  // A token of an adult, which allows lifting Safe-Mode.
  std::string AdultToken(const std::string& user) const;
  static std::string operator_key() { return "opk_" + std::string(64, 'a'); }
  std::string service_key() const;

 private:
  FakeClock& clock_;
  const protocol::WatchedClock watched_;
  FakeLoop& loop_;
  FakeTransport transport_;
  std::vector<std::unique_ptr<FakeTransport>> more_transports_;
  protocol::Metrics metrics_;
  gateway::StaticFiles files_;
  std::unique_ptr<protocol::IdSource> ids_;
  std::unique_ptr<gateway::Node> node_;
  std::unique_ptr<gateway::Server> server_;
  bool executor_held_ = false, worker_held_ = false, readers_held_ = false, proofs_held_ = false;
};

// Clock, loop, a memory disk and the server on it: the start of most tests.
class World {
 public:
  explicit World(gateway::Config config = {}, const std::string& web_dir = "");
  ~World();

  FakeServer& server() { return *server_; }
  FakeServer* operator->() { return server_.get(); }
  FakeClock& clock() { return clock_; }
  FakeLoop& loop() { return loop_; }
  storage::MemoryTable& table() { return *table_; }
  void Restart();  // the process dies and starts again on the same disk

  // Creates a thread of these users, the first being its buyer and creator; returns its id.
  std::string NewThread(FakeClient& buyer, const std::string& buyer_id, const std::string& seller_id,
                        const std::vector<std::string>& others = {});
  // Sends one message; returns its reply.
  Frame Say(FakeClient& client, const std::string& thread, const std::string& body);
  // Sets the settings of the tenant `demo`, as JSON, as an administrator would.
  void SetDemoSettings(const std::string& settings);
  // Settles, and returns what verify reports.
  std::vector<std::string> Verify();
  // Writes a row that no command writes.
  void Plant(const storage::PartitionKey& partition, const storage::SortKey& sort, std::string payload);

 private:
  const gateway::Config config_;
  const std::string web_dir_;
  FakeClock clock_;
  FakeLoop loop_{clock_};
  std::shared_ptr<storage::MemoryDisk> disk_;
  std::unique_ptr<storage::MemoryTable> table_;
  std::unique_ptr<FakeServer> server_;
  uint64_t boots_ = 0;
  uint64_t settings_ = 1'000'000;  // the order of the last change, above all others
  int sent_ = 0;
};

gateway::Config DemoConfig();
gateway::Config ByCase();             // staff read threads only for a case
gateway::Config LimitedDemoConfig();  // with the default limits of tenants

// Names the instances of a suite that runs in both encodings.
std::string EncodingName(const testing::TestParamInfo<protocol::Encoding>& param);

}  // namespace parley::gateway_test
