#include "tests/gateway/fake_server_support.h"

#include <charconv>

#include "accounts/jwt.h"
#include "accounts/tenants/demo.h"
#include "accounts/tenants/tenant.h"
#include "features/all.h"
#include "gateway/app/node.h"
#include "gateway/server.h"
#include "protocol/writer.h"
#include "tests/storage/memory_sealer.h"

namespace parley::gateway_test {
namespace {

std::string FromJson(const std::string& json, protocol::Encoding encoding) {
  if (encoding == protocol::Encoding::kJson) return json;
  protocol::Document document;
  const char* why = protocol::DecodeJson(json, {}, &document);
  EXPECT_EQ(why, nullptr) << why << " in " << json;
  protocol::Writer w;
  w.Put(document.root);
  return w.Take();
}

}  // namespace

std::string Quoted(std::string_view text) {
  protocol::Writer w;
  w.Text(text);
  return protocol::MsgpackToJson(w.bytes());
}

JsonArg::JsonArg(const char* text) : json(Quoted(text)) {}
JsonArg::JsonArg(const std::string& text) : json(Quoted(text)) {}
JsonArg JsonArg::Raw(std::string text) {
  JsonArg out;
  out.json = std::move(text);
  return out;
}

std::string Args(std::vector<std::pair<std::string, JsonArg>> members) {
  std::string out = "{";
  for (const auto& [name, value] : members)
    out += (out.size() > 1 ? "," : "") + Quoted(name) + ":" + value.json;
  return out + "}";
}

// --- frames

Frame::Frame(protocol::Encoding encoding, std::string bytes) : Frame() {
  protocol::DecodeLimits limits;
  limits.max_bytes = size_t{64} << 20;
  limits.max_values = size_t{1} << 24;
  const char* why = protocol::Decode(encoding, std::move(bytes), limits, document_.get());
  EXPECT_EQ(why, nullptr) << "what the server sent does not decode: " << why;
}

const protocol::Value* Frame::At(std::string_view path) const {
  const protocol::Value* at = &document_->root;
  while (!path.empty() && at) {
    const std::string_view step = path.substr(0, path.find('.'));
    path.remove_prefix(std::min(path.size(), step.size() + 1));
    if (const protocol::Array* items = at->as_array()) {
      size_t index = 0;
      const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), index);
      at = error == std::errc() && index < items->size() ? &(*items)[index] : nullptr;
    } else {
      at = at->Find(step);
    }
  }
  return at;
}

std::string Frame::Text(std::string_view path) const {
  const protocol::Value* value = At(path);
  const std::string_view* text = value ? value->as_text() : nullptr;
  EXPECT_NE(text, nullptr) << "no text at " << path << " of " << Json();
  return text ? std::string(*text) : "";
}

int64_t Frame::Int(std::string_view path) const {
  const protocol::Value* value = At(path);
  const int64_t* n = value ? value->as_int() : nullptr;
  EXPECT_NE(n, nullptr) << "no number at " << path << " of " << Json();
  return n ? *n : -1;
}

bool Frame::Bool(std::string_view path) const {
  const protocol::Value* value = At(path);
  const bool* b = value ? value->as_bool() : nullptr;
  EXPECT_NE(b, nullptr) << "no true or false at " << path << " of " << Json();
  return b && *b;
}

size_t Frame::Size(std::string_view path) const {
  const protocol::Value* value = At(path);
  const protocol::Array* items = value ? value->as_array() : nullptr;
  EXPECT_NE(items, nullptr) << "no list at " << path << " of " << Json();
  return items ? items->size() : 0;
}

std::string Frame::Json(std::string_view path) const {
  const protocol::Value* value = At(path);
  if (!value) return "";
  protocol::Writer w;
  w.Put(*value);
  return protocol::MsgpackToJson(w.bytes());
}

std::optional<uint32_t> Frame::reply_to() const {
  const protocol::Value* id = document_->root.Find("id");
  return id && id->as_int() ? std::optional(static_cast<uint32_t>(*id->as_int())) : std::nullopt;
}

std::string Frame::error() const {
  return Has("error") ? Text("error.code") : "";
}
std::string Frame::ev() const {
  return Has("ev") ? Text("ev") : "";
}

std::string Frame::Line() const {
  if (const auto id = reply_to()) return "reply " + std::to_string(*id) + (ok() ? " ok" : " " + error());
  return ev() + (Has("seq") ? " " + std::to_string(Int("seq")) : "");
}

std::vector<std::string> Lines(const std::vector<Frame>& frames) {
  std::vector<std::string> out;
  for (const Frame& frame : frames) out.push_back(frame.Line());
  return out;
}

// --- client

uint32_t FakeClient::Send(std::string_view op, const std::string& args) {
  const uint32_t id = next_id_++;
  SendMap(R"({"id":)" + std::to_string(id) + R"(,"op":)" + Quoted(op) + R"(,"args":)" + args + "}");
  return id;
}

void FakeClient::SendMap(const std::string& json) {
  SendRaw(FromJson(json, encoding_));
}

Frame FakeClient::Ask(std::string_view op, const std::string& args) {
  const uint32_t id = Send(op, args);
  server_->Settle();
  auto reply = TakeReply(id);
  EXPECT_TRUE(reply.has_value()) << "no reply to " << op << " " << args << ", closed with " << close_code();
  return reply.value_or(Frame());
}

Frame FakeClient::Hello(const std::string& token, const std::string& more_args) {
  return Ask("session.hello",
             R"({"token":)" + Quoted(token) + (more_args.empty() ? "" : "," + more_args) + "}");
}

void FakeClient::Collect() {
  for (; !connection_->received().empty(); connection_->received().pop_front()) {
    FakeConnection::Payload& payload = connection_->received().front();
    EXPECT_EQ(payload.binary, binary()) << "wrong kind of frame from the server";
    frames_.emplace_back(encoding_, std::move(payload.bytes));
  }
}

std::optional<Frame> FakeClient::TakeReply(uint32_t id) {
  Collect();
  for (auto at = frames_.begin(); at != frames_.end(); ++at) {
    if (at->reply_to() != id) continue;
    Frame out = std::move(*at);
    frames_.erase(at);
    return out;
  }
  return std::nullopt;
}

std::vector<Frame> FakeClient::TakeEvents() {
  Collect();
  std::vector<Frame> out, rest;
  for (Frame& frame : frames_) (frame.reply_to() ? rest : out).push_back(std::move(frame));
  frames_ = std::move(rest);
  return out;
}

std::vector<Frame> FakeClient::TakeAll() {
  Collect();
  return std::exchange(frames_, {});
}

// --- server

FakeServer::FakeServer(FakeClock& clock, FakeLoop& loop, storage::Table& table, const gateway::Config& config,
                       uint64_t seed, const std::string& web_dir)
    : clock_(clock),
      watched_(clock, config.clock_ahead_max * 1000),
      loop_(loop),
      transport_(loop),
      ids_(protocol::NewSeededIdSource(seed)) {
  EXPECT_EQ(files_.Load(web_dir), "");
  node_ = std::make_unique<gateway::Node>(table, watched_, *ids_, transport_, config, metrics_,
                                          storage::SealerInMemory(table.identity().secret), operator_key());
  std::vector<gateway::Transport*> transports = {&transport_};
  while (transports.size() < static_cast<size_t>(config.io_threads)) {
    more_transports_.push_back(std::make_unique<FakeTransport>(loop));
    transports.push_back(more_transports_.back().get());
    node_->AddIoThread(*transports.back());
  }
  EXPECT_EQ(node_->Open(), "");
  server_ = std::make_unique<gateway::Server>(*node_, transports, files_);
  for (size_t i = 0; i < transports.size(); ++i)
    EXPECT_EQ(transports[i]->Listen({}, server_->handler(i)), "");
}

FakeServer::~FakeServer() {
  transport_.DropAll();
  for (auto& transport : more_transports_) transport->DropAll();
  loop_.DropAll();
  server_.reset();
  node_.reset();
}

void FakeServer::Settle() {
  for (bool worked = true; worked;) {
    worked = false;
    while (loop_.RunOne()) worked = true;
    if (!readers_held_ && node_->read_pool().Step()) worked = true;
    if (!proofs_held_ && (node_->password_hash_pool().Step() || node_->signature_check_pool().Step()))
      worked = true;
    if (!executor_held_ && node_->executors().Step()) worked = true;
    if (!executor_held_ && node_->item_writer().Step()) worked = true;
    if (!worker_held_ && node_->worker().Step()) worked = true;
  }
}

FakeClient FakeServer::Connect(const ConnectOptions& options) {
  gateway::HttpRequest request{"GET", "/v1/ws", "", "192.0.2.7", {}};
  if (!options.authorization.empty()) request.headers.emplace_back("Authorization", options.authorization);
  const bool msgpack = options.encoding == protocol::Encoding::kMsgpack;
  FakeTransport& transport = options.io == 0 ? transport_ : *more_transports_.at(options.io - 1);
  auto upgraded = transport.Connect(request, {msgpack ? "parley.v1.msgpack" : "parley.v1.json"});
  EXPECT_NE(upgraded.connection, nullptr) << "refused with " << upgraded.refusal.status;
  return {*this, std::move(upgraded.connection), options.encoding};
}

FakeClient FakeServer::Join(const std::string& user, protocol::Encoding encoding,
                            const std::string& more_args) {
  FakeClient client = Connect({encoding, {}});
  const Frame hello = client.Hello(Token(user), more_args);
  EXPECT_TRUE(hello.ok()) << hello.Json();
  return client;
}

gateway::HttpResponse FakeServer::Http(const std::string& method, const std::string& target, std::string body,
                                       Headers headers) {
  const auto answer = transport_.Http({method, target, std::move(body), "192.0.2.7", std::move(headers)});
  Settle();
  EXPECT_TRUE(answer->has_value()) << "no answer to " << method << " " << target;
  return answer->value_or(gateway::HttpResponse{});
}

std::string FakeServer::Token(const std::string& user, std::string_view role, int64_t ttl_s) const {
  const accounts::Tenant& tenant = *node_->tenants().Find(accounts::kDemoTenant);
  accounts::Claims claims;
  claims.sub = user;
  claims.tid = tenant.id.value;
  claims.role = role;
  claims.exp_s = clock_.Now().ms / 1000 + ttl_s;
  return accounts::SignHs256(claims, tenant.signing_secret, accounts::kOwnKid);
}

std::string FakeServer::service_key() const {
  return accounts::DemoServiceKey(node_->table().identity().secret);
}

std::string FakeServer::AdultToken(const std::string& user) const {
  const accounts::Tenant& tenant = *node_->tenants().Find(accounts::kDemoTenant);
  accounts::Claims claims;
  claims.sub = user;
  claims.tid = tenant.id.value;
  claims.exp_s = clock_.Now().ms / 1000 + 3600;
  claims.attrs["adult"] = true;
  return accounts::SignHs256(claims, tenant.signing_secret, accounts::kOwnKid);
}

// --- world

gateway::Config DemoConfig() {
  gateway::Config config;
  config.demo = true;
  return config;
}

gateway::Config ByCase() {
  gateway::Config config = DemoConfig();
  config.staff_access = "cases";
  return config;
}

gateway::Config LimitedDemoConfig() {
  gateway::Config config = DemoConfig();
  config.rate_limits = true;
  return config;
}

std::string EncodingName(const testing::TestParamInfo<protocol::Encoding>& param) {
  return param.param == protocol::Encoding::kJson ? "json" : "msgpack";
}

World::World(gateway::Config config, const std::string& web_dir)
    : config_(std::move(config)),
      web_dir_(web_dir),
      disk_(storage::NewMemoryDisk({"epoch-1", std::string(32, 's')})) {
  Restart();
}

World::~World() {
  server_.reset();
}

void World::Restart() {
  server_.reset();
  table_.reset();
  table_ = storage::OpenMemoryTable(disk_);
  server_ = std::make_unique<FakeServer>(clock_, loop_, *table_, config_, ++boots_, web_dir_);
}

std::string World::NewThread(FakeClient& buyer, const std::string& buyer_id, const std::string& seller_id,
                             const std::vector<std::string>& others) {
  std::string list = "[";
  for (const std::string& other : others) list += (list.size() > 1 ? "," : "") + Args({{"userId", other}});
  const Frame reply = buyer.Ask("thread.create", Args({{"kind", "project"},
                                                       {"buyerUserId", buyer_id},
                                                       {"sellerUserId", seller_id},
                                                       {"participants", JsonArg::Raw(list + "]")}}));
  EXPECT_TRUE(reply.ok()) << reply.Json();
  return reply.Text("ok.thread.threadId");
}

void World::SetDemoSettings(const std::string& settings) {
  accounts::TenantDirectory& tenants = server_->node().tenants();
  auto tenant = std::make_shared<accounts::Tenant>(*tenants.Find(accounts::kDemoTenant));
  auto read = accounts::ParseSettings(settings);
  ASSERT_TRUE(read.ok()) << settings;
  tenant->settings = *std::move(read);
  tenant->settings_json = settings;
  tenants.Publish(std::move(tenant), ++settings_);
}

std::vector<std::string> World::Verify() {
  server_->Settle();
  server_->node().worker().SaveCursors();
  std::vector<std::string> out;
  fanout::VerifyReport report;
  const auto differs = [&](const std::string& what) { out.push_back(what); };
  EXPECT_TRUE(features::VerifyStore(*table_, clock_.Now(), differs, &report).ok());
  return out;
}

void World::Plant(const storage::PartitionKey& partition, const storage::SortKey& sort, std::string payload) {
  storage::CommitRequest planted;
  planted.partition = partition;
  planted.writes.push_back({sort, storage::Row{1, std::move(payload)}});
  std::vector<storage::CommitResult> results;
  ASSERT_TRUE(table_->Commit({&planted, 1}, &results).ok());
}

Frame World::Say(FakeClient& client, const std::string& thread, const std::string& body) {
  return client.Ask("message.send", Args({{"threadId", thread},
                                          {"clientId", "say-" + std::to_string(++sent_)},
                                          {"type", "text"},
                                          {"body", body}}));
}

}  // namespace parley::gateway_test
