#include "bench/load_command.h"

#include <arpa/inet.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>

#include "bench/load/rooms.h"
#include "bench/process/server_process.h"

namespace parley::bench {
namespace {

struct LoadFlags {
  std::string server = "127.0.0.1:8080";
  std::string spawn;  // a parleyd to start on a new store instead
  std::string encoding = "msgpack", deliver = "all";
  RoomsPlan plan;
};

bool ParseAddress(const std::string& text, sockaddr_in* out) {
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos) return false;
  out->sin_family = AF_INET;
  out->sin_port = htons(static_cast<uint16_t>(std::atoi(text.c_str() + colon + 1)));
  return inet_pton(AF_INET, text.substr(0, colon).c_str(), &out->sin_addr) == 1;
}

void PrintLatency(const char* what, const Histogram& histogram) {
  const auto ms = [&](double percent) { return static_cast<double>(histogram.Percentile(percent)) / 1e6; };
  std::printf("%-10s p50 %.3f  p90 %.3f  p99 %.3f  p99.9 %.3f  max %.3f ms  (%llu)\n", what, ms(50), ms(90),
              ms(99), ms(99.9), static_cast<double>(histogram.max()) / 1e6,
              static_cast<unsigned long long>(histogram.count()));
}

int RunLoad(const LoadFlags& flags) {
  std::unique_ptr<ScratchDir> dir;
  std::unique_ptr<ServerProcess> server;
  Target target;
  target.encoding = flags.encoding == "json" ? protocol::Encoding::kJson : protocol::Encoding::kMsgpack;
  target.deliver = flags.deliver;
  if (!flags.spawn.empty()) {
    dir = std::make_unique<ScratchDir>("build/bench");
    server = std::make_unique<ServerProcess>(flags.spawn, dir->path());
    target.address = server->address();
  } else if (!ParseAddress(flags.server, &target.address)) {
    std::fprintf(stderr, "parley-bench: --server wants an IPv4 address and a port, such as 127.0.0.1:8080\n");
    return 2;
  }
  Poller poller;
  Rooms rooms(poller, target, flags.plan, server ? server->pid() : 0);
  const RoomsResult result = rooms.Run();
  std::printf(
      "%.0f acks/s, %.0f deliveries/s over %.2f s, until everything was answered, delivered and projected\n",
      result.acks_per_second(), result.deliveries_per_second(), result.seconds);
  PrintLatency("ack", result.ack);
  PrintLatency("delivery", result.delivery);
  std::printf("acked %llu  delivered %llu  lost %llu  duplicated %llu  refused %llu\n",
              static_cast<unsigned long long>(result.acked),
              static_cast<unsigned long long>(result.delivered), static_cast<unsigned long long>(result.lost),
              static_cast<unsigned long long>(result.duplicated),
              static_cast<unsigned long long>(result.refused));
  std::printf("generator: %.2f s CPU, idle %.0f %% of the time\n",
              static_cast<double>(result.own_cpu_ns) / 1e9, result.own_idle * 100);
  for (const auto& [thread, ns] : result.server.by_thread) {
    std::printf("server %-12s %.2f s CPU, %.2f us per ack\n", thread.c_str(), static_cast<double>(ns) / 1e9,
                static_cast<double>(ns) / 1e3 / static_cast<double>(result.acked));
  }
  const std::string objection = result.Objection();
  if (objection.empty()) return 0;
  std::printf("NOT VALID: %s\n", objection.c_str());
  return 1;
}

}  // namespace

void AddLoadCommand(CLI::App& app, int* exit_code) {
  auto flags = std::make_shared<LoadFlags>();
  flags->plan.progress = true;
  CLI::App* const load = app.add_subcommand("load", "One load against a server that runs with --demo");
  load->add_option("--server", flags->server, "host:port of the server")->capture_default_str();
  load->add_option("--spawn", flags->spawn, "start this parleyd on a store of its own instead");
  load->add_option("--encoding", flags->encoding)
      ->check(CLI::IsMember({"msgpack", "json"}))
      ->capture_default_str();
  load->add_option("--deliver", flags->deliver)->check(CLI::IsMember({"all", "open"}))->capture_default_str();
  load->add_option("--rooms", flags->plan.rooms)->check(CLI::Range(1, 10'000))->capture_default_str();
  load->add_option("--members", flags->plan.members, "of each room")
      ->check(CLI::Range(2, 1000))
      ->capture_default_str();
  load->add_option("--online", flags->plan.online, "of them, connected and sending")->capture_default_str();
  load->add_option("--outstanding", flags->plan.outstanding, "closed loop: sends unanswered at once")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  load->add_option("--rate", flags->plan.rate, "open loop: messages a second, whatever the server does");
  load->add_option("--body", flags->plan.body_bytes, "bytes of each message")
      ->check(CLI::Range(1, 8192))
      ->capture_default_str();
  load->add_option("--seconds", flags->plan.seconds)->check(CLI::Range(0.1, 3600.0))->capture_default_str();
  load->add_option("--warmup", flags->plan.warmup_seconds)
      ->check(CLI::Range(0.0, 600.0))
      ->capture_default_str();
  load->callback([flags, exit_code] { *exit_code = RunLoad(*flags); });
}

}  // namespace parley::bench
