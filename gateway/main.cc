// parleyd: builds everything by hand, top to bottom, and stops it in the order given in node.h.
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <cstdio>
#include <thread>
#include <vector>

#include "accounts/store_sealing.h"
#include "accounts/tenants/operator_key.h"
#include "gateway/app/options.h"
#include "gateway/server.h"
#include "gateway/start_log.h"
#include "gateway/transports.h"
#include "protocol/base/log.h"
#include "protocol/base/watched_clock.h"
#include "storage/origin.h"
#include "storage/rocksdb_table.h"
#include "storage/store_modes.h"
#include "storage/usable_memory.h"

namespace {

using namespace parley;

// Exit codes, for the process's supervisor (docs/operations.md).
constexpr int kExitUsage = 2;
constexpr int kExitStore = 3;
constexpr int kExitListen = 4;

constexpr int kLowestPriority = 19;
// For threads that run tenants' filters and conditions: with few cores, busy I/O threads come first. Users
// also wait for the only writer of records, so it yields less than the readers.
constexpr int kReaderPriority = 15, kItemWriterPriority = 5;
constexpr size_t kPasswordHashThreads = 1;  // each uses a core and 16 MiB while it works

int Fail(int code, const std::string& why) {
  std::fprintf(stderr, "parleyd: %s\n", why.c_str());
  return code;
}

std::variant<std::unique_ptr<storage::Table>, storage::OpenError> OpenStore(const gateway::Config& config) {
  storage::RocksdbSettings settings;
  settings.dir = config.data;
  settings.block_cache_bytes = config.block_cache_bytes > 0
                                   ? static_cast<size_t>(config.block_cache_bytes)
                                   : storage::UsualBlockCache(storage::UsableMemory());
  settings.memtable_bytes = static_cast<size_t>(config.memtable_bytes);
  const bool was_open = storage::IsOpenToOthers(config.data);
  auto opened = storage::OpenRocksdb(settings);
  if (was_open && std::holds_alternative<std::unique_ptr<storage::Table>>(opened)) {
    protocol::Log(protocol::LogLevel::kWarn, "gateway",
                  storage::IsOpenToOthers(config.data)
                      ? "the store's directory is accessible to other users and belongs to another user; its "
                        "files are not accessible"
                      : "the store was readable by other users; their access is removed now",
                  {{"data", config.data}});
  }
  return opened;
}

// A copy is served all the same, for inspection for example. It stays marked as a copy.
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

void LogSealing(const accounts::OpenedSealing& opened, const std::string& file) {
  if (opened.made_file)
    protocol::Log(protocol::LogLevel::kInfo, "gateway",
                  "the key that seals the store's secrets was made: keep a copy elsewhere",
                  {{"file", file}, {"key", opened.sealer.newest().ToText()}});
  if (opened.values.resealed > 0)
    protocol::Log(protocol::LogLevel::kInfo, "gateway", "secrets were resealed",
                  {{"values", opened.values.resealed}, {"key", opened.sealer.newest().ToText()}});
  if (opened.values.damaged > 0)
    protocol::Log(protocol::LogLevel::kError, "gateway", "secrets that no key can unseal",
                  {{"values", opened.values.damaged}});
}

// Every connection takes a descriptor; the usual soft limit of 1024 is meant for programs that use select.
void RaiseDescriptorLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

int Serve(const gateway::Config& config, storage::Table& table, const storage::Sealer& sealer) {
  auto operator_key = accounts::LoadOperatorKey(config.data);
  if (!operator_key.ok()) return Fail(kExitStore, operator_key.error().message);
  gateway::StaticFiles files;
  if (const std::string why = files.Load(config.web); !why.empty()) return Fail(kExitUsage, why);

  const protocol::SystemClock system_clock;
  const protocol::WatchedClock clock(system_clock, config.clock_ahead_max * 1000);
  protocol::Metrics metrics;
  const auto ids = protocol::NewSecureIdSource();
  gateway::Transports transports(config);
  gateway::Node node(table, clock, *ids, transports.first(), config, metrics, sealer, operator_key->key);
  for (gateway::Transport* transport : transports.all()) {
    if (transport != &transports.first()) node.AddIoThread(*transport);
  }
  if (const std::string why = node.Open(); !why.empty()) return Fail(kExitStore, why);
  if (operator_key->is_new)
    protocol::Log(protocol::LogLevel::kInfo, "gateway", "the operator key was made",
                  {{"file", config.data + "/" + std::string(accounts::kOperatorKeyFile)}});
  if (node.tenants().size() == 0) protocol::Log(protocol::LogLevel::kWarn, "gateway", gateway::kNoTenant, {});
  gateway::Server server(node, transports.all(), files);
  if (const std::string why = transports.Listen(server, node.readers()); !why.empty()) {
    return Fail(kExitListen, why);
  }
  transports.first().OnSignals([&](int signal) {
    if (signal == SIGHUP) return transports.Reload();
    server.Drain([&] { transports.RequestStop(); });
  });

  std::vector<std::thread> executors;
  for (size_t i = 0; i < node.executors().count(); ++i) {
    executors.emplace_back([&node, i] {
      gateway::NameThread(i == 0 ? "executor" : "executor-" + std::to_string(i));
      node.executors().Run(i);
    });
  }
  std::thread item_writer([&] {
    gateway::NameThread("items");
    setpriority(PRIO_PROCESS, 0, kItemWriterPriority);
    node.item_writer().Run();
  });
  std::vector<std::thread> readers;
  for (int64_t i = 0; i < config.reader_threads; ++i) {
    readers.emplace_back([&node, i] {
      gateway::NameThread("reader-" + std::to_string(i));
      setpriority(PRIO_PROCESS, 0, kReaderPriority);
      node.read_pool().Run();
    });
  }
  node.password_hash_pool().Start(kPasswordHashThreads);
  node.signature_check_pool().Start(1);
  std::thread worker([&] {
    gateway::NameThread("fanout");
    node.worker().Run();
  });
  std::thread scrubber;
  if (config.scrub_rows_per_second > 0) {
    scrubber = std::thread([&] {
      gateway::NameThread("scrubber");
      setpriority(PRIO_PROCESS, 0, kLowestPriority);  // applies to this thread only
      node.scrubber().Run(config.scrub_rows_per_second);
    });
  }
  gateway::LogStart(config, node);
  transports.Announce();
  transports.Run();

  node.scrubber().Stop();
  if (scrubber.joinable()) scrubber.join();
  node.StopServices();
  node.signature_check_pool().Stop();
  node.password_hash_pool().Stop();
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
  const std::string key_file = accounts::SealingKeyPath(config.sealing_key_file, config.data);
  const auto sealing = accounts::OpenSealing(*table, key_file);
  if (!sealing.ok()) return Fail(kExitStore, sealing.error().message);
  LogSealing(*sealing, key_file);
  return Serve(config, *table, sealing->sealer);
}
