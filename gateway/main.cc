// parleyd: builds everything by hand, top to bottom, and takes it apart in the order given in node.h.
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <cstdio>
#include <thread>
#include <vector>

#include "accounts/tenants/operator_key.h"
#include "gateway/demo_guard.h"
#include "gateway/options.h"
#include "gateway/server.h"
#include "protocol/base/log.h"
#include "storage/origin.h"
#include "storage/rocksdb_table.h"
#include "storage/store_modes.h"

namespace {

using namespace parley;

// Exit codes, for the supervisor of the process (docs/operations.md).
constexpr int kExitUsage = 2;
constexpr int kExitStore = 3;
constexpr int kExitListen = 4;

constexpr int kLowestPriority = 19;

int Fail(int code, const std::string& why) {
  std::fprintf(stderr, "parleyd: %s\n", why.c_str());
  return code;
}

std::variant<std::unique_ptr<storage::Table>, storage::OpenError> OpenStore(const gateway::Config& config) {
  storage::RocksdbSettings settings;
  settings.dir = config.data;
  settings.block_cache_bytes = static_cast<size_t>(config.block_cache_bytes);
  settings.memtable_bytes = static_cast<size_t>(config.memtable_bytes);
  const bool was_open = storage::IsOpenToOthers(config.data);
  auto opened = storage::OpenRocksdb(settings);
  if (was_open && std::holds_alternative<std::unique_ptr<storage::Table>>(opened)) {
    protocol::Log(
        protocol::LogLevel::kWarn, "gateway",
        storage::IsOpenToOthers(config.data)
            ? "the store's directory is open to other users, and not ours to close; its files are closed"
            : "the store was open to other users and is closed to them now",
        {{"data", config.data}});
  }
  return opened;
}

gateway::TransportSettings TransportSettingsFor(const gateway::Config& config) {
  gateway::TransportSettings settings;
  gateway::SplitHostPort(config.listen, &settings.host, &settings.port);
  // Listens on the address that was found to be safe for a demo, not on what its name may resolve to by now.
  if (config.demo) gateway::ResolveLoopback(settings.host, &settings.host);
  settings.max_frame_bytes = static_cast<size_t>(config.max_frame_bytes);
  settings.max_http_body_bytes = static_cast<size_t>(config.max_frame_bytes);
  settings.bodies = std::make_shared<gateway::BodyBudget>(static_cast<size_t>(config.http_body_bytes));
  settings.http_idle_timeout_ms = config.http_idle_timeout_ms;
  settings.max_connections = static_cast<size_t>(config.max_connections);
  settings.max_connections_per_address = static_cast<size_t>(config.max_connections_per_address);
  // In addition to those of the process itself, the store's.
  settings.descriptor_reserve += storage::kStoreFilesMax;
  settings.exempt_loopback = config.demo;
  settings.tls_certificate = config.tls_certificate;
  settings.tls_key = config.tls_key;
  return settings;
}

// A copy is served nevertheless: somebody may only want to inspect it. It stays marked as a copy.
void MarkOrigin(const std::string& dir, const std::string& epoch) {
  std::string why;
  if (storage::IsUnrenewedCopy(dir, epoch)) {
    why = "this is a copy whose epoch was not renewed: parleyctl --data DIR epoch --renew";
  } else {
    why = storage::WriteOrigin(dir, epoch);
  }
  if (!why.empty())
    protocol::Log(protocol::LogLevel::kWarn, "gateway", "the origin of the store", {{"why", why}});
}

// Named, so that top -H and profiles show which thread works.
void NameThread(const std::string& name) {
  pthread_setname_np(pthread_self(), name.c_str());
}

// Every connection is a descriptor; the usual soft limit of 1024 is meant for programs that use select.
void RaiseDescriptorLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

// One for each I/O thread, all on one port.
class Transports {
 public:
  explicit Transports(size_t count) {
    for (size_t i = 0; i < count; ++i) owned_.push_back(gateway::NewTransport());
  }
  gateway::Transport& first() const { return *owned_.front(); }
  std::vector<gateway::Transport*> all() const {
    std::vector<gateway::Transport*> out;
    for (const auto& one : owned_) out.push_back(one.get());
    return out;
  }

  // Empty on success.
  std::string Listen(gateway::TransportSettings settings, const gateway::Server& server) {
    settings.budget = std::make_shared<gateway::ConnectionBudget>();
    settings.share_port = owned_.size() > 1;
    for (size_t i = 0; i < owned_.size(); ++i) {
      if (const std::string why = owned_[i]->Listen(settings, server.handler(i)); !why.empty()) return why;
      settings.port = first().port();  // the free port that the first one got is used by all
    }
    return {};
  }

  // The first on this thread; returns when all are done.
  void Run() {
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
  void RequestStop() {
    for (const auto& one : owned_) one->RequestStop();
  }

 private:
  std::vector<std::unique_ptr<gateway::Transport>> owned_;
};

int Serve(const gateway::Config& config, storage::Table& table) {
  auto operator_key = accounts::LoadOperatorKey(config.data);
  if (!operator_key.ok()) return Fail(kExitStore, operator_key.error().message);
  gateway::StaticFiles files;
  if (const std::string why = files.Load(config.web); !why.empty()) return Fail(kExitUsage, why);

  const protocol::SystemClock clock;
  protocol::Metrics metrics;
  const auto ids = protocol::NewSecureIdSource();
  Transports transports(static_cast<size_t>(config.io_threads));
  gateway::Node node(table, clock, *ids, transports.first(), config, metrics, operator_key->key);
  for (gateway::Transport* transport : transports.all()) {
    if (transport != &transports.first()) node.AddLane(*transport);
  }
  if (const std::string why = node.Open(); !why.empty()) return Fail(kExitStore, why);
  gateway::Server server(node, transports.all(), files);
  gateway::TransportSettings settings = TransportSettingsFor(config);
  settings.readers = node.readers();
  if (const std::string why = transports.Listen(settings, server); !why.empty()) {
    return Fail(kExitListen, why);
  }
  transports.first().OnSignals([&](int) { server.Drain([&] { transports.RequestStop(); }); });

  std::vector<std::thread> executors;
  for (size_t i = 0; i < node.executors().count(); ++i) {
    executors.emplace_back([&node, i] {
      NameThread(i == 0 ? "executor" : "executor-" + std::to_string(i));
      node.executors().Run(i);
    });
  }
  std::thread item_writer([&] {
    NameThread("items");
    node.item_writer().Run();
  });
  std::vector<std::thread> readers;
  for (int64_t i = 0; i < config.reader_threads; ++i) {
    readers.emplace_back([&node, i] {
      NameThread("reader-" + std::to_string(i));
      node.read_pool().Run();
    });
  }
  std::thread worker([&] {
    NameThread("fanout");
    node.worker().Run();
  });
  std::thread scrubber;
  if (config.scrub_rows_per_second > 0) {
    scrubber = std::thread([&] {
      NameThread("scrubber");
      setpriority(PRIO_PROCESS, 0, kLowestPriority);  // applies to this thread only
      node.scrubber().Run(config.scrub_rows_per_second);
    });
  }
  std::printf("listening on %s:%u\n", config.listen.substr(0, config.listen.rfind(':')).c_str(),
              static_cast<unsigned>(transports.first().port()));
  std::fflush(stdout);
  transports.Run();

  node.scrubber().Stop();
  if (scrubber.joinable()) scrubber.join();
  node.read_pool().Stop();
  for (std::thread& reader : readers) reader.join();
  node.executors().Stop();
  for (std::thread& executor : executors) executor.join();
  node.item_writer().Stop();
  item_writer.join();
  node.worker().Stop();
  worker.join();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  ::umask(S_IRWXG | S_IRWXO);  // RocksDB creates world-readable files
  gateway::Config config;
  if (const auto exit_code = gateway::LoadConfig(argc, argv, &config)) return *exit_code;
  protocol::StartLogging(gateway::LogLevelOf(config));
  std::signal(SIGPIPE, SIG_IGN);
  RaiseDescriptorLimit();
  auto opened = OpenStore(config);
  if (const auto* error = std::get_if<storage::OpenError>(&opened)) return Fail(kExitStore, error->message);
  auto& table = std::get<std::unique_ptr<storage::Table>>(opened);
  MarkOrigin(config.data, table->identity().epoch);
  return Serve(config, *table);
}
