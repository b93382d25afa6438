#include "bench/load_command.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <unordered_map>

#include "bench/load/rooms.h"
#include "bench/load/tokens.h"
#include "bench/net/http_call.h"
#include "bench/net/origin.h"
#include "bench/process/server_process.h"

namespace parley::bench {
namespace {

struct LoadFlags {
  OriginWish origin{"127.0.0.1:8080", false, {}};
  std::string spawn;  // a parleyd to start on a new store instead
  std::string encoding = "msgpack", deliver = "all";
  std::string tokens;  // a file of users' tokens; otherwise they are made:
  std::string secret, tenant, kid;
  RoomsPlan plan;
};

// Chooses the users: from a file of tokens, or any names with tokens that are signed here; without either,
// the tenant `demo` gives tokens. Returns false, with a message in `error`.
bool ChooseUsers(const LoadFlags& flags, RoomsPlan* plan, Target* target, std::string* error) {
  if (!flags.secret.empty()) {
    const auto secret = ReadSecret(flags.secret, error);
    if (secret) target->token = SignTokens(*secret, flags.tenant, flags.kid);
    return secret.has_value();
  }
  if (flags.tokens.empty()) return true;
  const auto read = ReadTokens(flags.tokens, error);
  if (!read) return false;
  const size_t wanted = plan->rooms * plan->online;
  if (read->size() < wanted) {
    *error = flags.tokens + " has " + std::to_string(read->size()) + " users; " +
             std::to_string(plan->rooms) + " rooms with " + std::to_string(plan->online) +
             " online each want " + std::to_string(wanted);
    return false;
  }
  auto of = std::make_shared<std::unordered_map<std::string, std::string>>();
  for (const UserToken& one : *read) of->emplace(one.user, one.token);
  target->token = [of](const std::string& user) {
    const auto found = of->find(user);
    return found == of->end() ? std::nullopt : std::optional(found->second);
  };
  plan->user = [users = *read, online = plan->online, prefix = plan->prefix](size_t room, size_t member) {
    if (member < online) return users[room * online + member].user;
    return prefix + std::to_string(room) + "_" + std::to_string(member);
  };
  return true;
}

int Refuse(const std::string& error) {
  std::fprintf(stderr, "parley-bench: %s\n", error.c_str());
  return 2;
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
  std::string error;
  Target target;
  target.encoding = flags.encoding == "json" ? protocol::Encoding::kJson : protocol::Encoding::kMsgpack;
  target.deliver = flags.deliver;
  if (!flags.spawn.empty()) {
    dir = std::make_unique<ScratchDir>("build/bench");
    server = std::make_unique<ServerProcess>(flags.spawn, dir->path());
    target.address = server->address();
  } else {
    const auto origin = FindOrigin(flags.origin, &error);
    if (!origin) return Refuse(error);
    target.address = *origin;
  }
  RoomsPlan plan = flags.plan;
  plan.online = std::min(plan.online, plan.members);
  if (!ChooseUsers(flags, &plan, &target, &error)) return Refuse(error);
  const HttpAnswer probe = ReadHttp(target.address, "/metrics");
  if (probe.status == 0) return Refuse(flags.origin.server + ": " + probe.body);
  plan.await_projections = probe.status == 200;
  if (!plan.await_projections)
    std::fprintf(stderr, "parley-bench: no /metrics there: whether projections caught up is not known\n");
  Poller poller;
  Rooms rooms(poller, target, plan, server ? server->pid() : 0);
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
  CLI::App* const load = app.add_subcommand("load", "One load against any server");
  load->add_option("--server", flags->origin.server,
                   "host:port, or ws://, wss://, http:// or https://host[:port]")
      ->capture_default_str();
  load->add_flag("--insecure", flags->origin.insecure, "TLS with any server");
  load->add_option("--ca", flags->origin.ca_file, "PEM file of the authorities to trust; else the system's")
      ->check(CLI::ExistingFile);
  auto* const tokens = load->add_option("--tokens", flags->tokens,
                                        "a file of users' tokens, one a line; else the tenant "
                                        "`demo` is asked for them")
                           ->check(CLI::ExistingFile);
  auto* const secret = load->add_option("--secret-file", flags->secret,
                                        "a file with an HS256 signing key of --tenant: tokens are made of it")
                           ->check(CLI::ExistingFile)
                           ->excludes(tokens);
  auto* const tenant =
      load->add_option("--tenant", flags->tenant, "the tenant of the signing key")->needs(secret);
  secret->needs(tenant);
  load->add_option("--kid", flags->kid, "the key's id")->needs(secret);
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
