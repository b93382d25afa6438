// T1: the cost of one tenant's worst requests for another's users. A user of tenant `demo` pings by the
// clock; alternately it is alone, or the back end of tenant `acme` sends the most expensive requests that
// a table key allows: scans whose filter searches each of its large items 227 times for a near match,
// batches of items whose every character takes six bytes in the response, and transactions with such
// conditions.
#include <algorithm>
#include <cstdio>
#include <deque>
#include <fstream>

#include "bench/load/fleet.h"
#include "bench/measure/cpu.h"
#include "bench/measure/histogram.h"
#include "bench/net/http_call.h"
#include "bench/net/http_client.h"
#include "bench/net/wire_view.h"
#include "bench/process/server_process.h"
#include "bench/tables/signer.h"
#include "bench/workloads/workload.h"

namespace parley::bench {
namespace {

constexpr int64_t kPingEveryNs = 1'000'000, kDrainNs = 60'000'000'000;
constexpr int kItems = 20, kScanners = 10, kBatchers = 4, kTransactors = 4;
constexpr size_t kItemBytes = 390'000, kNeedleBytes = 200;
constexpr int kSearches = 227;  // the most that an expression has room for

std::string Repeated(std::string_view text, size_t times, std::string_view between = "") {
  std::string out;
  for (size_t i = 0; i < times; ++i) {
    if (i > 0) out += between;
    out += text;
  }
  return out;
}

std::string KeyOf(int item) {
  return R"({"pk":{"S":")" + std::to_string(item) + "\"}}";
}
std::string Needle() {
  return R"("ExpressionAttributeValues":{":v":{"S":")" + Repeated("x", kNeedleBytes) + "y\"}}";
}
std::string ItemBody(int item, std::string_view letter) {
  return R"({"TableName":"notes","Item":{"pk":{"S":")" + std::to_string(item) + R"("},"a":{"S":")" +
         Repeated(letter, kItemBytes) + "\"}}}";
}
std::string ScanBody() {
  return R"({"TableName":"notes","FilterExpression":")" + Repeated("contains(a,:v)", kSearches, " OR ") +
         "\"," + Needle() + "}";
}
std::string BatchBody() {
  std::string keys;
  for (int i = 0; i < kItems; ++i) keys += (i == 0 ? "" : ",") + KeyOf(i);
  return R"({"RequestItems":{"notes":{"Keys":[)" + keys + "]}}}";
}
std::string TransactionBody() {
  std::string checks;
  for (int i = 0; i < kItems; ++i)
    checks +=
        (i == 0 ? "" : ",") +
        (R"({"ConditionCheck":{"TableName":"notes","Key":)" + KeyOf(i) + R"(,"ConditionExpression":"NOT ()" +
         Repeated("contains(a,:v)", kSearches - 10, " OR ") + ")\"," + Needle() + "}}");
  return R"({"TransactItems":[)" + checks + "]}";
}
constexpr char kTable[] =
    R"({"TableName":"notes","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
    R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]})";

// Makes a tenant beside `demo`, with a key for its tables; returns an error or nothing.
std::string MakeTenant(const ServerProcess& server, const std::string& data, TableCredentials* out) {
  std::string key;
  std::getline(std::ifstream(data + "/operator.key"), key);
  const auto ask = [&](const std::string& path, const std::string& body) {
    return HttpPost(server.address(), "/v1/tenants" + path, body, key);
  };
  // Without rate limits, which would hide the cost of its requests.
  if (!ask("", R"({"tenantId":"acme","name":"Acme","settings":{"limits":{"enabled":false}}})") ||
      !ask("/acme/activate", "{}"))
    return "no second tenant could be made";
  const auto made = ask("/acme/table-keys", "{}");
  const auto id = made ? FindText(protocol::Encoding::kJson, *made, "accessKeyId") : std::nullopt;
  const auto secret = made ? FindText(protocol::Encoding::kJson, *made, "secretAccessKey") : std::nullopt;
  if (!id || !secret) return "the second tenant got no table key";
  *out = {std::string(*id), std::string(*secret)};
  return {};
}

// Sends one request after another on each connection, until it is stopped.
class Asker final : public HttpClient::Listener {
 public:
  Asker(Poller& poller, const ServerProcess& server, const RequestSigner& signer)
      : poller_(poller), server_(server), signer_(signer) {}

  // Sends each of them and waits for the response. Returns false if one was rejected.
  bool Do(std::string_view operation, const std::vector<std::string>& bodies) {
    ok_ = true;
    for (const std::string& body : bodies) {
      Add(operation, body, 1);
      Start(asks_.size() - 1);
      Finish();
      asks_.clear();
      connections_.clear();
    }
    return ok_;
  }
  void Add(std::string_view operation, const std::string& body, int connections) {
    for (int i = 0; i < connections; ++i) {
      asks_.push_back(signer_.Request(operation, body));
      connections_.emplace_back(poller_, server_.address(), *this, connections_.size());
    }
  }
  void Begin() {
    asking_ = true;
    for (size_t i = 0; i < asks_.size(); ++i) Start(i);
  }
  void End() {
    asking_ = false;
    Finish();
  }
  uint64_t answered = 0, lost = 0;

 private:
  void Start(size_t i) {
    ++outstanding_;
    connections_[i].Send(asks_[i]);
  }
  void Finish() {
    const int64_t until = NowNs() + kDrainNs;
    while (outstanding_ > 0 && NowNs() < until) poller_.Poll(until);
  }
  void OnAnswer(HttpClient& connection, int status, std::string_view) override {
    --outstanding_;
    ++answered;
    ok_ = ok_ && status == 200;
    if (asking_) Start(connection.tag());
  }
  void OnLost(HttpClient&) override {
    --outstanding_;
    ++lost;
    ok_ = false;
  }
  Poller& poller_;
  const ServerProcess& server_;
  const RequestSigner& signer_;
  std::deque<std::string> asks_;
  std::deque<HttpClient> connections_;
  size_t outstanding_ = 0;
  bool asking_ = false, ok_ = true;
};

class Pinger final : private LoadSession::Listener {
 public:
  explicit Pinger(Fleet& fleet) : fleet_(fleet) { fleet.set_listener(this); }
  ~Pinger() override { fleet_.set_listener(nullptr); }
  // A latency counts from the due time of its ping, whatever delayed it.
  Histogram Run(double seconds) {
    pings_.Reset();
    const int64_t began = NowNs(), end = began + static_cast<int64_t>(seconds * 1e9);
    for (int64_t due = began; due < end; due += kPingEveryNs) {
      while (NowNs() < due) fleet_.poller().Poll(due);
      fleet_.at(0).Request("session.ping", no_args_, 1, due);
      ++outstanding_;
      fleet_.poller().FlushNow();
    }
    fleet_.RunUntil(NowNs() + kDrainNs, [&] { return outstanding_ == 0; });
    return pings_;
  }

 private:
  void OnReply(LoadSession&, uint64_t, int64_t due_ns, const FrameView&) override {
    --outstanding_;
    pings_.Record(NowNs() - due_ns);
  }
  Fleet& fleet_;
  const std::string no_args_ = Args({});
  Histogram pings_;
  size_t outstanding_ = 0;
};

}  // namespace

void RunNeighbours(const Context& context) {
  std::vector<double> with, without, ratios;
  Histogram all_with, all_without;
  uint64_t answered = 0;
  std::string objection;
  for (int round = 0; round < context.rounds && objection.empty(); ++round) {
    const ScratchDir dir(context.scratch);
    ServerProcess server(context.parleyd, dir.path());
    TableCredentials credentials;
    objection = MakeTenant(server, dir.path(), &credentials);
    if (!objection.empty()) break;
    const RequestSigner signer(credentials, "localhost", time(nullptr));
    Target target;
    target.address = server.address();
    Poller poller;
    Fleet fleet(poller, target);
    fleet.Connect({"pinger"});
    Asker asker(poller, server, signer);
    std::vector<std::string> items;
    for (int i = 0; i < kItems; ++i) items.push_back(ItemBody(i, i % 2 == 0 ? "x" : "\\u0001"));
    if (!asker.Do("CreateTable", {kTable}) || !asker.Do("PutItem", items)) objection = "no table was filled";
    asker.Add("Scan", ScanBody(), kScanners);
    asker.Add("BatchGetItem", BatchBody(), kBatchers);
    asker.Add("TransactWriteItems", TransactionBody(), kTransactors);
    Pinger pinger(fleet);
    pinger.Run(0.5);  // warm
    const Histogram alone = pinger.Run(context.seconds);
    asker.answered = 0;
    asker.Begin();
    const Histogram beside = pinger.Run(context.seconds);
    asker.End();
    answered += asker.answered;
    if (asker.lost > 0) objection = "a connection was lost";
    without.push_back(P99Ms(alone));
    with.push_back(P99Ms(beside));
    ratios.push_back(with.back() / without.back());
    all_without.Add(alone);
    all_with.Add(beside);
  }
  context.report->AddCurve("session.ping, no other tenant asks", all_without);
  context.report->AddCurve("session.ping beside another tenant's worst table requests", all_with);
  if (objection.empty() && answered == 0) objection = "the other tenant was never answered";
  char note[120];
  std::snprintf(note, sizeof note, "%d requests outstanding, %.0f answered a second",
                kScanners + kBatchers + kTransactors,
                static_cast<double>(answered) / context.seconds / std::max(context.rounds, 1));
  context.report->Add({"T1", "session.ping p99 beside another tenant's worst table requests, ms",
                       Median(with), "without them, ms", Median(without), Median(ratios), GoalOf("T1"), note,
                       objection});
}

}  // namespace parley::bench
