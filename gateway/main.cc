// parleyd: builds everything by hand, top to bottom, and takes it apart in the order written in node.h.
#include <pthread.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdio>
#include <thread>

#include "gateway/options.h"
#include "gateway/server.h"
#include "protocol/base/log.h"
#include "storage/rocksdb_table.h"

namespace {

using namespace parley;

// Exit codes, for whoever supervises the process (docs/operations.md).
constexpr int kExitUsage = 2;
constexpr int kExitStore = 3;
constexpr int kExitListen = 4;

int Fail(int code, const std::string& why) {
  std::fprintf(stderr, "parleyd: %s\n", why.c_str());
  return code;
}

std::variant<std::unique_ptr<storage::Table>, storage::OpenError> OpenStore(const gateway::Config& config) {
  storage::RocksdbSettings settings;
  settings.dir = config.data;
  settings.block_cache_bytes = static_cast<size_t>(config.block_cache_bytes);
  settings.memtable_bytes = static_cast<size_t>(config.memtable_bytes);
  return storage::OpenRocksdb(settings);
}

gateway::TransportSettings TransportSettingsFor(const gateway::Config& config) {
  gateway::TransportSettings settings;
  gateway::SplitHostPort(config.listen, &settings.host, &settings.port);
  settings.max_frame_bytes = static_cast<size_t>(config.max_frame_bytes);
  settings.max_http_body_bytes = static_cast<size_t>(config.max_frame_bytes);
  settings.max_connections = static_cast<size_t>(config.max_connections);
  settings.max_connections_per_address = static_cast<size_t>(config.max_connections_per_address);
  // Beside those of the process itself, the store's.
  settings.descriptor_reserve += storage::kStoreFilesMax;
  settings.exempt_loopback = config.demo;
  settings.tls_certificate = config.tls_certificate;
  settings.tls_key = config.tls_key;
  return settings;
}

// Every connection is a descriptor; the usual soft limit of 1024 is for programs that use select.
void RaiseDescriptorLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

int Serve(const gateway::Config& config, storage::Table& table) {
  accounts::TenantDirectory tenants;
  if (config.demo) tenants.Add(accounts::MakeDemoTenant(table.identity().secret));
  gateway::StaticFiles files;
  if (const std::string why = files.Load(config.web); !why.empty()) return Fail(kExitUsage, why);

  const protocol::SystemClock clock;
  protocol::Metrics metrics;
  const auto ids = protocol::NewSecureIdSource();
  const auto transport = gateway::NewTransport();
  gateway::Node node(
      table, clock, *ids, *transport, tenants, config,
      [](fanout::Payloads payloads, protocol::Encoding encoding) -> fanout::FramePtr {
        return gateway::MakeFrames(payloads.data(), payloads.size(),
                                   encoding == protocol::Encoding::kMsgpack);
      },
      metrics);
  if (const std::string why = node.Open(); !why.empty()) return Fail(kExitStore, why);
  gateway::Server server(node, *transport, files);
  if (const std::string why = transport->Listen(TransportSettingsFor(config), &server); !why.empty()) {
    return Fail(kExitListen, why);
  }
  transport->OnSignals([&](int) { server.Drain([&] { transport->RequestStop(); }); });

  // Named, so that top -H and profiles say who works.
  std::thread executor([&] {
    pthread_setname_np(pthread_self(), "executor");
    node.executor().Run();
  });
  std::thread worker([&] {
    pthread_setname_np(pthread_self(), "fanout");
    node.worker().Run();
  });
  std::printf("listening on %s:%u\n", TransportSettingsFor(config).host.c_str(),
              static_cast<unsigned>(transport->port()));
  std::fflush(stdout);
  transport->Run();

  node.executor().Stop();
  executor.join();
  node.worker().Stop();
  worker.join();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  gateway::Config config;
  if (const auto exit_code = gateway::LoadConfig(argc, argv, &config)) return *exit_code;
  protocol::StartLogging(gateway::LogLevelOf(config));
  std::signal(SIGPIPE, SIG_IGN);
  RaiseDescriptorLimit();
  auto opened = OpenStore(config);
  if (const auto* error = std::get_if<storage::OpenError>(&opened)) return Fail(kExitStore, error->message);
  auto& table = std::get<std::unique_ptr<storage::Table>>(opened);
  return Serve(config, *table);
}
