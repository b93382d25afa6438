// Implements Transport: the loop, the listening socket, the table of connections and its limits.
#include <sys/socket.h>

#include <algorithm>
#include <asio/signal_set.hpp>
#include <string>
#include <unordered_map>
#include <utility>

#include "gateway/net/acceptor.h"
#include "gateway/net/address.h"
#include "gateway/net/asio_loop.h"
#include "gateway/net/endpoint.h"
#include "gateway/net/http_answer.h"
#include "gateway/net/http_connection.h"
#include "gateway/net/tls.h"
#include "gateway/net/transport.h"

namespace parley::gateway {
namespace {

// Some routes accept bodies larger than the usual limit; a client that sends a larger one should still be
// able to read the refusal.
constexpr size_t kLingerBytes = size_t{32} << 20;

constexpr size_t kAdminConnectionsMax = 64;

// Sends the refusal without waiting for the request. The answer may be lost; the refusal itself matters.
void SendAtOnce(const Descriptor& socket, const HttpResponse& refusal) {
  const std::string answer = AnswerHead(refusal, {refusal.body.size(), false}, false, true) + refusal.body;
  ::send(socket.get(), answer.data(), answer.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
}

class WsTransport final : public Transport {
 public:
  WsTransport() : signals_(loop_.io()) {
    pool_.loop = &loop_;
    pool_.on_gone = [this](Socket* socket) { Forget(socket); };
    pool_.relieve = [this](size_t bytes) { Relieve(bytes); };
  }
  ~WsTransport() override { DropAll(); }

  std::string Listen(const TransportSettings& settings, TransportHandler* handler) override;
  uint16_t port() const override { return acceptor_.port(); }
  uint16_t admin_port() const override { return admin_acceptor_.port(); }
  void StopAccepting() override {
    acceptor_.Stop();
    admin_acceptor_.Stop();
  }
  void Run() override {
    loop_.Run();
    loop_.FlushDirty();
    DropAll();
  }
  void RequestStop() override { loop_.RequestStop(); }
  void OnSignals(std::function<void(int)> handler) override;
  void OnTurnEnd(std::function<void()> flush) override { loop_.OnTurnEnd(std::move(flush)); }
  void StopKeepingAlive() override;
  TransportCounts Counts() const override;
  void Relieve(size_t bytes) override;

  void Post(std::function<void()> task) override { loop_.Post(std::move(task)); }
  std::unique_ptr<Timer> CallAfter(int64_t delay_ms, std::function<void()> task) override {
    return loop_.CallAfter(delay_ms, std::move(task));
  }

 private:
  struct Entry {
    std::shared_ptr<Socket> socket;
    std::string group;  // the peer's group of addresses
    ConnectionBudget* budget;
  };

  void Share(TransportHandler* handler);
  std::string ListenAdmin();
  void Take(Descriptor socket, const asio::ip::address& peer, bool scarce);
  void TakeAdmin(Descriptor socket, const asio::ip::address& peer);
  void Refuse(const Descriptor& socket, ConnectionBudget::Verdict verdict);
  void Hold(Descriptor socket, HttpConnection::Peer peer, Entry entry);
  ConnectionBudget::Verdict Afford(const asio::ip::address& peer, const HttpConnection::Peer& known,
                                   const std::string& group);
  bool MayHold(const HttpConnection* from, const std::string& address);
  void Upgrade(HttpConnection* from, UpgradeDecision decision, std::string handshake);
  void Forget(Socket* socket);
  void DropAll();
  void WaitForSignal();

  EventLoop loop_;
  TransportSettings settings_;
  SocketPool pool_;
  HttpContext http_;
  std::unique_ptr<WsEndpoint> endpoint_;
  std::unordered_map<const Socket*, Entry> connections_;
  Acceptor acceptor_{&loop_, [this](Descriptor socket, const asio::ip::address& peer, bool scarce) {
                       Take(std::move(socket), peer, scarce);
                     }};
  ConnectionBudget admin_budget_;
  Acceptor admin_acceptor_{&loop_, [this](Descriptor socket, const asio::ip::address& peer, bool) {
                             TakeAdmin(std::move(socket), peer);
                           }};
  asio::signal_set signals_;
  std::function<void(int)> on_signal_;
  LoopCounter accepted_, refused_full_, refused_address_, evicted_;
  uint64_t next_id_ = 1;
};

std::string WsTransport::Listen(const TransportSettings& settings, TransportHandler* handler) {
  settings_ = settings;
  if (!settings_.budget) settings_.budget = std::make_shared<ConnectionBudget>();
  pool_.read_buffer.resize(std::max<size_t>(settings.read_buffer_bytes, 512));
  pool_.linger_ms = settings.close_timeout_ms;
  pool_.linger_bytes_max =
      std::max(kLingerBytes, 16 * std::max(settings.max_frame_bytes, settings.max_http_body_bytes));
  if (settings.tls_certificate.empty() != settings.tls_key.empty()) {
    return "TLS needs both a certificate and a key";
  }
  if (!settings_.tls && !settings.tls_certificate.empty()) {
    std::string error;
    settings_.tls = TlsIdentity::Load(settings.tls_certificate, settings.tls_key, &error);
    if (!settings_.tls) return error;
  }
  Share(handler);
  if (settings_.io_uring) loop_.WriteTogether();
  if (!settings_.admin_host.empty()) {
    if (const std::string why = ListenAdmin(); !why.empty()) return why;
  }
  return acceptor_.Listen(settings);
}

void WsTransport::Share(TransportHandler* handler) {
  http_.pool = &pool_;
  http_.settings = &settings_;
  http_.handler = handler;
  http_.may_hold = [this](const HttpConnection* from, const std::string& address) {
    return MayHold(from, address);
  };
  http_.on_upgrade = [this](HttpConnection* from, UpgradeDecision decision, std::string handshake) {
    Upgrade(from, std::move(decision), std::move(handshake));
  };
  endpoint_ = NewWsEndpoint(&settings_);
  if (settings_.readers) {
    loop_.OnTurnEnd([this] {
      if (const size_t lacks = settings_.readers->Lacks(0); lacks > 0) Relieve(lacks);
    });
  }
}

std::string WsTransport::ListenAdmin() {
  TransportSettings settings = settings_;
  settings.host = settings_.admin_host;
  settings.port = settings_.admin_port;
  settings.share_port = false;
  return admin_acceptor_.Listen(settings);
}

void WsTransport::Take(Descriptor socket, const asio::ip::address& peer, bool scarce) {
  HttpConnection::Peer known{next_id_++, peer.to_string(), false, false};
  if (settings_.proxies) {
    const auto address = ParseAddress(known.address);
    known.is_proxy = address && settings_.proxies->Contains(*address);
  }
  Entry entry{nullptr, AddressGroup(known.address), settings_.budget.get()};
  const auto verdict = scarce ? ConnectionBudget::Verdict::kFull : Afford(peer, known, entry.group);
  if (verdict != ConnectionBudget::Verdict::kTaken) return Refuse(socket, verdict);
  Hold(std::move(socket), std::move(known), std::move(entry));
}

// Operators can connect even if the server is full, and may use the reserved descriptors.
void WsTransport::TakeAdmin(Descriptor socket, const asio::ip::address& peer) {
  HttpConnection::Peer known{next_id_++, peer.to_string(), false, true};
  Entry entry{nullptr, AddressGroup(known.address), &admin_budget_};
  const auto verdict = admin_budget_.Take(entry.group, false, kAdminConnectionsMax, 0);
  if (verdict != ConnectionBudget::Verdict::kTaken) return Refuse(socket, verdict);
  Hold(std::move(socket), std::move(known), std::move(entry));
}

void WsTransport::Refuse(const Descriptor& socket, ConnectionBudget::Verdict verdict) {
  const bool full = verdict == ConnectionBudget::Verdict::kFull;
  (full ? refused_full_ : refused_address_).Add(1);
  if (!settings_.tls) SendAtOnce(socket, http_.handler->OnRefused(RefusalOf(full ? 503 : 429)));
}

void WsTransport::Hold(Descriptor socket, HttpConnection::Peer peer, Entry entry) {
  std::unique_ptr<TlsStream> tls;
  if (settings_.tls) {
    tls = TlsStream::Accept(settings_.tls->current(), socket.get());
    if (!tls) return entry.budget->Release(entry.group);
  }
  accepted_.Add(1);
  const auto connection = std::make_shared<HttpConnection>(&http_, std::move(peer));
  if (!connection->Attach(&pool_, std::move(socket), std::move(tls)))
    return entry.budget->Release(entry.group);
  entry.socket = connection;
  connections_.emplace(connection.get(), std::move(entry));
  connection->Start();
}

// The WebSocket replaces the HTTP connection, also in the budget.
void WsTransport::Upgrade(HttpConnection* from, UpgradeDecision decision, std::string handshake) {
  const auto connection = endpoint_->Upgrade(*from, std::move(decision), std::move(handshake));
  const auto found = connections_.find(from);
  Entry entry = std::move(found->second);
  connections_.erase(found);
  entry.socket = connection;
  connections_.emplace(connection.get(), std::move(entry));
  endpoint_->Start(connection.get());
}

// A proxy's connections belong to many clients, so the proxy is exempt: each WebSocket counts for its client.
ConnectionBudget::Verdict WsTransport::Afford(const asio::ip::address& peer,
                                              const HttpConnection::Peer& known, const std::string& group) {
  const bool exempt = known.is_proxy || (settings_.exempt_loopback && peer.is_loopback());
  return settings_.budget->Take(group, !exempt, settings_.max_connections,
                                settings_.max_connections_per_address);
}

bool WsTransport::MayHold(const HttpConnection* from, const std::string& address) {
  Entry& entry = connections_.at(from);
  const std::string group = AddressGroup(address);
  if (entry.group == group) return true;
  if (!entry.budget->Move(entry.group, group, settings_.max_connections_per_address)) {
    refused_address_.Add(1);
    return false;
  }
  entry.group = group;
  return true;
}

void WsTransport::Forget(Socket* socket) {
  const auto found = connections_.find(socket);
  if (found == connections_.end()) return;
  found->second.budget->Release(found->second.group);
  connections_.erase(found);
  acceptor_.Retry();
  admin_acceptor_.Retry();
}

void WsTransport::Relieve(size_t bytes) {
  std::vector<std::pair<size_t, std::shared_ptr<Socket>>> holders;
  for (Socket* socket : pool_.stalled)
    holders.emplace_back(socket->unsent_bytes(), socket->shared_from_this());
  std::sort(holders.begin(), holders.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  for (auto& [held, socket] : holders) {
    if (bytes == 0) break;
    socket->Evict();
    evicted_.Add(1);
    bytes -= std::min(bytes, held);
  }
}

void WsTransport::StopKeepingAlive() {
  http_.keeps_alive = false;
  std::vector<std::shared_ptr<Socket>> sockets;
  for (const auto& [socket, entry] : connections_) sockets.push_back(entry.socket);
  for (const auto& socket : sockets) socket->EndWhenIdle();
}

void WsTransport::DropAll() {
  StopAccepting();
  while (!connections_.empty()) {
    const auto connection = connections_.begin()->second.socket;
    connection->Drop();
  }
}

void WsTransport::OnSignals(std::function<void(int)> handler) {
  on_signal_ = std::move(handler);
  asio::error_code ignored;
  signals_.add(SIGTERM, ignored);
  signals_.add(SIGINT, ignored);
  signals_.add(SIGHUP, ignored);
  WaitForSignal();
}

void WsTransport::WaitForSignal() {
  signals_.async_wait([this](const asio::error_code& error, int number) {
    if (error) return;
    on_signal_(number);
    WaitForSignal();
  });
}

TransportCounts WsTransport::Counts() const {
  TransportCounts counts;
  counts.accepted = accepted_.value();
  counts.refused_full = refused_full_.value();
  counts.refused_address = refused_address_.value();
  counts.accept_errors = acceptor_.errors();
  counts.bytes_in = pool_.bytes_in.value();
  counts.bytes_out = pool_.bytes_out.value();
  counts.writes = pool_.writes.value();
  counts.batched = pool_.batched.value();
  counts.evicted = evicted_.value();
  counts.body_bytes = settings_.bodies ? settings_.bodies->held() : 0;
  counts.bodies_evicted = settings_.bodies ? settings_.bodies->evicted() : 0;
  counts.tls_expires_s = settings_.tls ? settings_.tls->expires_s() : 0;
  counts.open = settings_.budget ? settings_.budget->open() : 0;
  return counts;
}

}  // namespace

std::unique_ptr<Transport> NewTransport() {
  return std::make_unique<WsTransport>();
}

}  // namespace parley::gateway
