#include "gateway/transports.h"

#include <pthread.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <thread>

#include "gateway/app/options.h"
#include "gateway/front.h"
#include "gateway/net/address.h"
#include "gateway/net/compression.h"
#include "gateway/net/demo_guard.h"
#include "gateway/server.h"
#include "protocol/base/log.h"
#include "storage/rocksdb_table.h"

namespace parley::gateway {
namespace {

// One address may use a quarter of the budget, but at least one body; a demo has only one address.
BodyBudget::Settings BodiesFor(const Config& config) {
  BodyBudget::Settings settings;
  settings.capacity = static_cast<size_t>(config.http_body_bytes);
  settings.address_capacity =
      config.demo ? settings.capacity : std::max(settings.capacity / 4, kTableBodyBytesMax);
  return settings;
}

TransportSettings TransportSettingsFor(const Config& config) {
  TransportSettings settings;
  SplitHostPort(config.listen, &settings.host, &settings.port);
  // Listens on the address that was checked for the demo: its name may resolve to another one by now.
  if (config.demo) ResolveLoopback(settings.host, &settings.host);
  settings.max_frame_bytes = static_cast<size_t>(config.max_frame_bytes);
  settings.max_http_body_bytes = static_cast<size_t>(config.max_frame_bytes);
  settings.bodies = std::make_shared<BodyBudget>(BodiesFor(config));
  settings.http_idle_timeout_ms = config.http_idle_timeout_ms;
  settings.max_connections = static_cast<size_t>(config.max_connections);
  settings.max_connections_per_address = static_cast<size_t>(config.max_connections_per_address);
  // In addition to the process's own descriptors: those of the store.
  settings.descriptor_reserve += storage::kStoreFilesMax;
  settings.exempt_loopback = config.demo;
  settings.budget = std::make_shared<ConnectionBudget>();
  settings.share_port = config.io_threads > 1;
  settings.io_uring = config.io_uring;
  return settings;
}

std::string HostOf(const std::string& listen) {
  return listen.substr(0, listen.rfind(':'));
}

}  // namespace

void NameThread(const std::string& name) {
  pthread_setname_np(pthread_self(), name.c_str());
}

Transports::Transports(const Config& config) : config_(config), compressor_(std::make_shared<Compressor>()) {
  for (int64_t i = 0; i < config.io_threads; ++i) owned_.push_back(NewTransport());
}

// The compressor posts to the loops, so it stops before they are destroyed.
Transports::~Transports() {
  compressor_->Stop();
}

std::vector<Transport*> Transports::all() const {
  std::vector<Transport*> out;
  for (const auto& one : owned_) out.push_back(one.get());
  return out;
}

std::string Transports::Listen(const Server& server, std::shared_ptr<ReaderBudget> readers) {
  TransportSettings settings = TransportSettingsFor(config_);
  settings.readers = std::move(readers);
  if (const std::string why = Settle(&settings); !why.empty()) return why;
  for (size_t i = 0; i < owned_.size(); ++i) {
    if (const std::string why = owned_[i]->Listen(settings, server.handler(i)); !why.empty()) return why;
    settings.port = first().port();  // all use the free port that the first one got
    settings.admin_host.clear();     // few connections use it, so one thread serves them
  }
  return {};
}

// Sets the settings that may be rejected.
std::string Transports::Settle(TransportSettings* settings) {
  std::string why;
  settings->proxies = TrustedProxies::Parse(config_.trusted_proxies, &why);
  if (!settings->proxies) return why;
  settings->compressor = compressor_;
  if (!config_.admin_listen.empty())
    SplitHostPort(config_.admin_listen, &settings->admin_host, &settings->admin_port);
  if (config_.tls_certificate.empty()) return {};
  tls_ = settings->tls = TlsIdentity::Load(config_.tls_certificate, config_.tls_key, &why);
  return why;
}

void Transports::Announce() const {
  if (!config_.admin_listen.empty()) {
    std::printf("operators: %s:%u\n", HostOf(config_.admin_listen).c_str(),
                static_cast<unsigned>(first().admin_port()));
  }
  std::printf("listening on %s:%u\n", HostOf(config_.listen).c_str(), static_cast<unsigned>(first().port()));
  std::fflush(stdout);
}

void Transports::Run() {
  std::vector<std::thread> threads;
  for (size_t i = 1; i < owned_.size(); ++i) {
    threads.emplace_back([this, i] {
      NameThread("io-" + std::to_string(i));
      owned_[i]->Run();
    });
  }
  first().Run();
  for (std::thread& thread : threads) thread.join();
}

void Transports::RequestStop() {
  for (const auto& one : owned_) one->RequestStop();
}

void Transports::Reload() {
  if (!tls_) return protocol::Log(protocol::LogLevel::kInfo, "gateway", "there is no certificate to reload");
  if (const std::string why = tls_->Reload(); !why.empty())
    return protocol::Log(protocol::LogLevel::kError, "gateway", "the certificate was not reloaded",
                         {{"why", why}});
  protocol::Log(protocol::LogLevel::kInfo, "gateway", "the certificate was reloaded",
                {{"expires_in_seconds", tls_->expires_s() - std::time(nullptr)}});
}

}  // namespace parley::gateway
